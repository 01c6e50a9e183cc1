/** German for agents.en/containers.ts. */
import type { containers as english } from '../agents.en/containers.ts';
import type { Table } from '../message.ts';
import { counted, inPlaces as inPlacesOf, type Places, quotedList } from '../phrases.ts';
import { contents, optionName } from './phrases.ts';

const inPlaces = (at: Places): string =>
  inPlacesOf(at, { at: 'bei', more: 'weiteren', and: 'und' }, (name) => `„${name.replace(/^Slide (?=\d+$)/, 'Folie ')}“`);

export const containers: Table<typeof english> = {
  'zip.directoryCut': 'Das Verzeichnis am Ende ist abgeschnitten',
  'zip.directory64': 'Das ZIP64-Verzeichnis liegt nicht dort, wo es soll',
  'zip.none': 'Sie ist kein ZIP-Archiv, oder ihr Ende fehlt',
  'zip.encrypted': ({ entry }) => `„${entry}“ darin ist verschlüsselt`,
  'zip.encrypted.hint': 'Entpacken Sie es erst mit dem Kennwort, und nehmen Sie die Datei, die dabei entsteht.',
  'zip.method': ({ entry, method }) => `„${entry}“ darin ist mit dem unbekannten Verfahren ${method} gepackt`,
  'zip.misplaced': ({ entry }) => `„${entry}“ liegt nicht dort, wo das Verzeichnis es nennt`,
  'zip.size': ({ entry, said }) => `„${entry}“ darin hat nicht ${said} Byte, wie das Verzeichnis des Archivs sagt`,
  'zip.checksum': ({ entry }) => `„${entry}“ darin ist beschädigt: Die Prüfsumme stimmt nicht`,
  'zip.damaged': ({ entry }) => `„${entry}“ darin lässt sich nicht entpacken`,

  'archive.failed': ({ compression, reason }) => `Die ${compression}-Datei lässt sich nicht entpacken: ${reason}`,
  'archive.failed.hint': 'Besorgen Sie eine heile Kopie der Datei, oder geben Sie ihr die Endung, die zu ihrem Inhalt passt.',
  'archive.broken.hint': 'Besorgen Sie eine unbeschädigte Kopie des Archivs, oder wählen Sie das Format, das zum Inhalt passt.',
  'archive.noText': 'Ein Archiv hat Dateien und keinen Text',
  'archive.noText.hint': () => 'Wählen Sie eine davon.',
  'archive.noFiles': 'Das Archiv enthält keine Dateien',
  'archive.list': ({ files }) =>
    `Das ist die Liste der ${counted(files, 'Datei', 'Dateien')} im Archiv; wählen Sie eine davon, um sie zu lesen`,
  'archive.onlyFile': ({ file }) => `Die einzige Datei des Archivs wurde gelesen: ${file}`,
  'archive.listNotSent': ({ name, files }) =>
    `„${name}“ ist ein Archiv mit ${files} Dateien; ein Werkzeug bekommt eine davon, nicht ihre Liste`,
  'archive.listNotSent.hint': ({ names, more }) =>
    `Wählen Sie eine Datei: ${names.map((name) => `„${name}“`).join(', ')}${more > 0 ? ` und ${more} weitere` : ''}.`,
  'archive.empty': 'sie ist leer',
  'archive.cutOff': 'sie endet zu früh, wie nach einem abgebrochenen Download',
  'archive.trailing': 'nach ihrem Ende folgen andere Daten',
  'archive.other': ({ compression }) => `der Inhalt ist nicht ${compression}`,
  'archive.damaged': ({ reason }) => `sie ist beschädigt (${reason})`,

  'entry.noArchive': ({ name }) => `„${name}“ ist kein Archiv und hat keine Einträge`,
  'entry.noArchive.hint': () => 'Wählen Sie keine Datei aus dem Archiv, oder geben Sie als Format ZIP oder TAR an.',
  'entry.absent': ({ entry }) => `Das Archiv enthält keine Datei „${entry}“`,
  'entry.several': ({ entry }) => `Mehrere Dateien im Archiv heißen „${entry}“`,
  'entry.names': ({ names, more }) =>
    names.length === 0
      ? 'Es enthält keine Dateien'
      : `Es enthält ${names.map((name) => `„${name}“`).join(', ')}${more > 0 ? ` und ${more} weitere` : ''}`,

  'tar.none': 'Es ist kein tar-Archiv',
  'tar.damaged': 'Es ist beschädigt',

  'workbook.failed': ({ reason, format }) =>
    `Die ${format === 'xlsx' ? 'Excel' : format.toUpperCase()}-Datei lässt sich nicht lesen: ${reason}`,
  'workbook.saveAgain': 'Öffnen Sie sie in einer Tabellenkalkulation, und speichern Sie sie noch einmal als .xlsx.',
  'workbook.empty': 'Sie ist leer',
  'workbook.protected': 'Sie ist mit einem Passwort geschützt, oder eine alte Arbeitsmappe (.xls) unter anderem Namen',
  'workbook.protected.hint': 'Öffnen Sie sie in einer Tabellenkalkulation, und speichern Sie sie ohne Passwort als .xlsx.',
  'workbook.binary': 'Sie ist eine binäre Arbeitsmappe (.xlsb)',
  'workbook.binary.hint': 'Öffnen Sie sie in einer Tabellenkalkulation, und speichern Sie sie als .xlsx.',
  'workbook.none': 'Sie ist ein ZIP-Archiv ohne Arbeitsmappe',
  'workbook.none.hint': 'Hat sie ein anderes Format, wählen Sie es aus.',
  'workbook.protectedOds.hint': 'Öffnen Sie sie in einer Tabellenkalkulation, und speichern Sie sie ohne Passwort.',
  'workbook.encrypted': 'Sie ist mit einem Passwort geschützt',
  'workbook.noSpreadsheet': 'Sie ist keine OpenDocument-Tabelle',
  'workbook.manySheets': 'Sie hat mehr Blätter, als auf einmal gelesen werden',
  'workbook.manySheets.hint': 'Wählen Sie ein Blatt.',
  'workbook.part': ({ entry, reason }) => `„${entry}“ darin ist beschädigt: ${reason}`,
  'workbook.partEncoding': ({ entry, encoding }) => `„${entry}“ darin ist beschädigt: Es ist nicht in ${encoding}`,
  'workbook.row': ({ row }) => `Die Zeile „${row}“ des Blatts ist keine Zahl`,
  'workbook.cellText': ({ place }) => `Die Zelle ${place} nennt einen Text, den die Arbeitsmappe nicht hat`,
  'workbook.cellNumber': ({ place, text }) => `Die Zelle ${place} enthält „${text}“, und das ist keine Zahl`,
  'workbook.noCells': 'Die Arbeitsmappe hat kein Blatt mit Zellen',
  'workbook.noCells.hint': 'Diagramme haben keine Zellen.',
  'workbook.noSheet': ({ sheet }) => `Die Arbeitsmappe hat kein Blatt „${sheet}“`,
  'workbook.noSheet.hint': ({ sheets, more }) =>
    `Ihre Blätter sind ${sheets.map((name, index) => `${index + 1} „${name}“`).join(', ')}${more > 0 ? ` und ${more} mehr` : ''}.`,
  'workbook.misfit': ({ column, type, cell, place: at, sheet, format }) =>
    `Die ${format.toUpperCase()}-Datei passt nicht: Spalte „${column}“ ist ${type === 'number' ? 'keine Zahl' : 'weder true noch false'} (${cell}), Zelle ${at} auf Blatt „${sheet}“`,
  'workbook.compressed': 'Eine komprimierte Arbeitsmappe oder Datenbank wird nicht gelesen',
  'workbook.compressed.hint': 'Entpacken Sie sie, und öffnen Sie die Datei selbst.',
  'workbook.noText': 'Eine Arbeitsmappe hat Datensätze und keinen Text',
  'workbook.noText.hint': () =>
    'Lesen Sie ihre Datensätze, auch als CSV oder Markdown, oder lesen Sie sie als Base64, um die Bytes zu senden.',

  'xmlPart.reference': ({ text }) => `„${text}“ ist kein Verweis`,
  'xmlPart.entity': ({ entity }) => `Das Zeichen „${entity}“ ist unbekannt`,
  'xmlPart.longTag': 'Ein Tag endet nicht',
  'xmlPart.cutTag': 'Es endet mitten in einem Tag',
  'xmlPart.open': ({ element }) => `Es endet, bevor <${element}> geschlossen ist`,
  'xmlPart.noElement': 'Es enthält kein Element',
  'xmlPart.declaration': 'Ein Dokumenttyp oder eine andere Deklaration ist nicht erlaubt',
  'xmlPart.text': 'Außerhalb des Wurzelelements steht Text',
  'xmlPart.closes': ({ element, open }) => `</${element}> schließt ${open === null ? 'nichts' : `<${open}>`}`,
  'xmlPart.noName': 'Ein Tag hat keinen Namen',
  'xmlPart.secondRoot': 'Es hat ein zweites Wurzelelement',
  'xmlPart.depth': ({ most }) => `Elemente sind mehr als ${most} Ebenen tief verschachtelt`,

  'sheet.warning': ({ sheet, warning }) => `Blatt „${sheet}“: ${warning}`,
  'sheet.errors': ({ cells, first }) =>
    `${counted(cells, 'Zelle enthält einen Fehler und wurde', 'Zellen enthalten Fehler und wurden')} null; die erste ist ${first}`,
  'sheet.merged': ({ ranges }) =>
    `${counted(ranges, 'Bereich ist', 'Bereiche sind')} verbunden; der Wert steht in der ersten Zelle, die anderen sind null`,
  'sheet.hiddenRows': ({ rows }) =>
    `${counted(rows, 'Zeile ist', 'Zeilen sind')} in der Arbeitsmappe ausgeblendet und wurden trotzdem gelesen`,
  'sheet.hiddenColumns': ({ names }) =>
    `Spalten sind in der Arbeitsmappe ausgeblendet und wurden trotzdem gelesen: ${names.join(', ')}`,
  'sheet.uncalculated': ({ cells, first }) =>
    `${counted(cells, 'Formel hat', 'Formeln haben')} kein gespeichertes Ergebnis und ${cells === 1 ? 'wurde' : 'wurden'} null; die erste ist ${first}. Öffnen Sie die Arbeitsmappe in Excel, und speichern Sie sie`,
  'sheet.blankRows': ({ rows }) =>
    `${counted(rows, 'Zeile', 'Zeilen')} mit nur leeren Zellen ${rows === 1 ? 'wurde' : 'wurden'} ausgelassen`,
  'sheet.links': ({ cells, first }) =>
    `${counted(cells, 'Zelle hat einen Link', 'Zellen haben Links')}; gelesen wird der Text, nicht die Adresse. Die erste ist ${first}`,
  'sheet.units': ({ column, units }) =>
    `Zahlen der Spalte „${column}“ werden mit verschiedenen Währungen oder Einheiten angezeigt (${units.join(', ')}), was den Zahlen nicht anzusehen ist`,
  'sheet.titles': ({ first, last, title }) =>
    `${first === last ? `Zeile ${first} über der Kopfzeile wurde` : `Die Zeilen ${first} bis ${last} über der Kopfzeile wurden`} übersprungen (${title})`,
  'sheet.headerBelow': ({ header, row }) =>
    `Zeile ${header} wurde zur Kopfzeile, aber Zeile ${row} sieht wie sie aus. Wählen Sie dann Zeile ${row} als Kopfzeile`,
  'sheet.total': ({ row, text }) =>
    `Zeile ${row} sieht wie eine Summe aus (${text}) und wird als Datensatz gelesen; ein Bereich lässt sie aus`,
  'sheet.below': ({ row }) =>
    `Zeile ${row} steht unter einer leeren Zeile und sieht wie eine Anmerkung oder eine weitere Tabelle aus; ein Bereich liest eine davon`,
  'sheet.beside': ({ left, right }) =>
    `Zwischen ${left} und ${right} steht eine leere Spalte: Das sind vielleicht zwei Tabellen. „Nur ${left} lesen“ nimmt eine davon`,
  'sheet.noHeaderRow': ({ row, sheet }) => `Zeile ${row} auf Blatt „${sheet}“ ist leer oder liegt außerhalb des Bereichs`,
  'sheet.noHeaderRow.hint': () => 'Gemeint ist die Nummer der Zeile, wie das Blatt sie zeigt.',
  'sheet.columnNames': ({ names }) => `Spalten ohne Namen oder mit doppeltem Namen heißen ${names.join(', ')}`,
  'sheet.headerOnly': 'es hat eine Kopfzeile und keine Datensätze',
  'sheet.empty': 'es ist leer',
  'sheet.nothingAsked': ({ data }) => `im gewählten Bereich steht nichts; die Daten stehen in ${data}`,
  'sheet.others': ({ read, sheets, more }) =>
    `Gelesen wurde das Blatt „${read}“. Die Arbeitsmappe hat ${counted(sheets.length + more, 'weiteres Blatt', 'weitere Blätter')}: ${quotedList(sheets, 'ausgeblendet', '„', '“')}${more > 0 ? ` und ${more} mehr` : ''}`,

  'table.noList': ({ as, kind }) =>
    `Als ${as === 'csv' ? 'CSV' : 'Markdown'} wird nur eine Liste von Datensätzen gesendet, die Datei enthält aber ${contents[kind]}`,
  'table.tooWide': ({ as, most }) =>
    `Als ${as === 'csv' ? 'CSV' : 'Markdown'} werden höchstens ${most} Spalten gesendet, und diese Datensätze haben mehr Namen oder zu wenige gemeinsame`,
  'table.isText.hint': () => 'Wählen Sie „Automatisch“, um den Text zu senden.',
  'table.noList.hint': ({ hasText, allSheets }) =>
    `Wählen Sie ${allSheets ? 'ein einzelnes Blatt oder ' : ''}„Daten (JSON)“${hasText ? ' oder „Reiner Text“' : ''}.`,
  'table.others': ({ read, sheets, more }) =>
    `Gelesen wurde die Tabelle „${read}“. Die Datenbank hat ${counted(sheets.length + more, 'weitere Tabelle', 'weitere Tabellen')}: ${quotedList(sheets, 'ausgeblendet')}${more > 0 ? ` und ${more} weitere` : ''}`,

  'document.failed': ({ format, reason }) => `Das Dokument (.${format}) lässt sich nicht lesen: ${reason}`,
  'document.empty': 'Es ist leer',
  'document.protected': ({ format }) =>
    `Es ist mit einem Kennwort geschützt oder ein altes Office-Dokument mit falscher Endung; gelesen wird nur .${format}`,
  'document.protected.hint': ({ format }) =>
    `Öffnen Sie es in dem Programm, mit dem es erstellt wurde, und speichern Sie es ohne Kennwort als .${format}.`,
  'document.damaged': ({ format }) => `Es ist beschädigt oder keine .${format}-Datei`,
  'document.broken.hint': ({ format }) =>
    `Öffnen Sie es in dem Programm, mit dem es erstellt wurde, und speichern Sie es erneut als .${format}.`,
  'document.missingPart': ({ part }) => `Sein Teil „${part}“ fehlt`,
  'document.nesting': 'Seine Teile sind zu tief verschachtelt',
  'document.compressed': 'Ein komprimiertes Dokument wird nicht gelesen',
  'document.compressed.hint': 'Entpacken Sie es, und öffnen Sie das Dokument selbst.',
  'document.noTable': ({ table, tables }) =>
    tables === 0 ? 'Das Dokument hat keine Tabellen' : `Das Dokument hat keine Tabelle ${table}`,
  'document.noTable.hint': ({ tables }) =>
    tables === 0 ? 'Lesen Sie seinen Text' : `Es hat ${counted(tables, 'Tabelle', 'Tabellen')}, gezählt ab 1`,
  'document.needsTable': ({ option }) =>
    `„${optionName(option)}“ gilt für die Datensätze einer Tabelle, und ein Dokument ist ein Text`,
  'document.needsTable.hint': () => 'Wählen Sie eine seiner Tabellen, oder lassen Sie die Einstellung weg',
  'document.merged': ({ cells, tables }) =>
    `${counted(cells, 'Zelle', 'Zellen')} in ${tables === null ? 'der Tabelle' : `Tabelle ${tables}`} ${cells === 1 ? 'ist' : 'sind'} verbunden. Der Inhalt steht an der ersten Stelle, die anderen sind leer`,
  'document.chunks': ({ chunks, at }) =>
    `${counted(chunks, 'Datei, die in das Dokument eingebettet ist, fehlt', 'Dateien, die in das Dokument eingebettet sind, fehlen')}${inPlaces(at)}`,
  'document.changes': ({ changes, at }) =>
    `Das Dokument hat ${counted(changes, 'verfolgte Änderung', 'verfolgte Änderungen')}${inPlaces(at)}: Eingefügtes steht im Text, Gelöschtes fehlt`,
  'document.comments': ({ comments, at }) => `${counted(comments, 'Kommentar fehlt', 'Kommentare fehlen')}${inPlaces(at)}`,
  'document.hidden': ({ characters, at }) =>
    `Ausgeblendeter Text (${counted(characters, 'Zeichen', 'Zeichen')}) fehlt${inPlaces(at)}`,
  'document.headers': ({ headers, first }) =>
    `${counted(headers, 'Kopf- oder Fußzeile fehlt', 'Kopf- und Fußzeilen fehlen')}${first === '' ? '' : ` („${first.slice(0, 40)}“)`}`,
  'document.numbers': ({ numbers, at, format }) =>
    `${counted(numbers, 'Nummer einer Liste steht', 'Nummern von Listen stehen')} in Ziffern da, auf der Seite aber anders (als ${format})${inPlaces(at)}`,
  'document.pageAsMarkdown': 'Die Seite wird als Markdown gesendet, nicht als ihr Quelltext',
  'document.noRecords': 'Ein Dokument hat Text und keine Datensätze',
  'document.noRecords.hint': () => 'Lesen Sie es automatisch (Markdown), als Text oder als HTML.',
  'document.noHtml': 'Nur Dokumente lassen sich als HTML lesen',
  'document.noHtml.hint': () => 'Lesen Sie die Datei automatisch oder als Text.',
  'document.images': ({ images, at }) =>
    images === 1
      ? `Das Dokument enthält ein Bild, das weggelassen wird${inPlaces(at)}`
      : `Das Dokument enthält ${images} Bilder, die weggelassen werden${inPlaces(at)}`,
  'document.drawings': ({ drawings, at }) =>
    drawings === 1
      ? `Das Dokument enthält ein Diagramm; es wird weggelassen${inPlaces(at)}`
      : `Das Dokument enthält ${drawings} Diagramme; sie werden weggelassen${inPlaces(at)}`,
  'document.hiddenSlides': ({ slides, at }) =>
    `Der Text enthält auch ${slides === 1 ? 'eine ausgeblendete Folie' : `${slides} ausgeblendete Folien`}${inPlaces(at)}`,
  'document.noText': 'Das Dokument enthält keinen Text',
  'document.noTextInPages': ({ pages }) =>
    pages === 1
      ? 'Die Seite enthält keinen Text: Vielleicht ist sie ein gescanntes Bild, das eine Texterkennung braucht'
      : 'Die Seiten enthalten keinen Text: Vielleicht sind sie gescannte Bilder, die eine Texterkennung brauchen',
  'document.pagesWithoutText': ({ pages, ranges }) =>
    `${pages === 1 ? 'Seite' : 'Seiten'} ${ranges} ${pages === 1 ? 'enthält' : 'enthalten'} keinen Text (vielleicht gescannte Bilder, die eine Texterkennung brauchen)`,
  'document.pagesMisread': ({ pages }) => `„${pages}“ ist keine Auswahl von Seiten`,
  'document.pagesBeyond': ({ pages, count }) =>
    `Die Auswahl „${pages}“ liegt hinter dem Ende: Das Dokument hat ${counted(count, 'Seite', 'Seiten')}`,
  'document.pagesMisread.hint': () => 'Geben Sie Zahlen und Bereiche an, zum Beispiel „3“, „3-5“, „7-“ oder „1,4-6“.',
  'document.unseen': ({ characters, ranges, pages, isShown }) =>
    `${counted(characters, 'Zeichen, das man nicht sieht (weiß, unsichtbar, winzig oder in einer ausgeblendeten Ebene), ', 'Zeichen, die man nicht sieht (weiß, unsichtbar, winzig oder in einer ausgeblendeten Ebene), ')}${isShown ? (characters === 1 ? 'steht im Text' : 'stehen im Text') : characters === 1 ? 'fehlt' : 'fehlen'} auf ${pages === 1 ? 'Seite' : 'den Seiten'} ${ranges}`,
  'document.recognised': ({ ranges, pages }) =>
    `Der Text ${pages === 1 ? 'der Seite' : 'der Seiten'} ${ranges} stammt aus einer Texterkennung und kann Fehler enthalten`,
  'document.unmapped': ({ characters, ranges, pages }) =>
    `${counted(characters, 'Zeichen ist', 'Zeichen sind')} auf ${pages === 1 ? 'Seite' : 'den Seiten'} ${ranges} nicht lesbar und ${characters === 1 ? 'steht' : 'stehen'} als \ufffd im Text: Die Schriften sagen nicht, welche Buchstaben sie zeigen. Eine Texterkennung liest sie`,
  'document.fontMaps': ({ maps }) =>
    `Text in Schriften mit den Zeichentabellen ${maps.join(', ')} fehlt vielleicht: Die Tabellen sind nicht bekannt. Drucken Sie die Datei mit eingebetteten Schriften in ein neues PDF, oder verwenden Sie eine Texterkennung`,
  'document.xfa':
    'Die Datei enthält ein XFA-Formular, das nur Programme von Adobe anzeigen. Sein Inhalt fehlt vielleicht im Text. Öffnen Sie die Datei in Adobe Acrobat oder Reader, und drucken Sie sie in ein neues PDF',
  'document.attachments': ({ names, more }) =>
    `${counted(names.length + more, 'Datei ist', 'Dateien sind')} an das Dokument angehängt und nicht im Text: ${names.map((name) => `„${name}“`).join(', ')}${more > 0 ? ` und ${more} weitere` : ''}`,
  'mail.encoding': ({ encodings }) =>
    `Die E-Mail enthält Text in ${encodings.length === 1 ? 'der unbekannten Kodierung' : 'den unbekannten Kodierungen'} ${encodings.join(', ')}: Buchstaben darin können falsch sein`,
  'document.password': 'Es ist mit einem Passwort geschützt',
  'document.password.hint': 'Öffnen Sie es in einem PDF-Programm, und speichern oder drucken Sie es ohne Passwort als PDF.',
  'document.slow': ({ seconds }) => `Das Lesen dauerte länger als ${seconds} Sekunden`,
  'document.slow.hint': 'Öffnen Sie es in einem PDF-Programm, und drucken Sie die gewünschten Seiten in ein neues PDF.',

  'sqlite.none': 'Sie ist keine SQLite-Datenbank, oder sie ist verschlüsselt',
  'sqlite.none.hint': 'Ist sie eine Datei anderer Art, wählen Sie deren Format.',
  'sqlite.damaged': 'Sie ist beschädigt',
  'sqlite.damaged.hint':
    'Reparieren Sie sie mit dem Programm, das sie geschrieben hat, oder besorgen Sie eine unbeschädigte Kopie.',
  'sqlite.unfinished': 'Eine Änderung daran ist nicht abgeschlossen (ihr Journal liegt daneben), sie kann also halb darin stehen',
  'sqlite.unfinished.hint':
    'Warten Sie, bis das Programm fertig ist, oder öffnen Sie sie darin: Das macht die Änderung rückgängig.',
  'sqlite.module': ({ module }) => `die Tabelle braucht ${module}, das dieses SQLite nicht hat`,
  'sqlite.module.hint':
    'Bei fts3 und fts4 stehen die Texte in einer weiteren Tabelle, deren Name auf „content“ endet: Fragen Sie diese ab.',
  'sqlite.unreadable': ({ table, reason }) => `„${table}“ ist nicht lesbar und fehlt deshalb: ${reason}`,
  'sqlite.noTables': 'sie hat keine Tabellen oder Sichten',
  'sqlite.utf16': 'ihre Texte sind in UTF-16, das nicht gelesen wird',
  'sqlite.utf16.hint': 'Kopieren Sie sie mit dem Programm, das sie geschrieben hat, in eine Datenbank in UTF-8.',
  'sqlite.noTable': ({ table }) => `Die Datenbank hat keine Tabelle oder Sicht „${table}“`,
  'sqlite.noTable.hint': ({ tables, more }) =>
    `Sie hat ${tables.map((table) => `„${table}“`).join(', ')}${more > 0 ? ` und ${more} weitere` : ''}`,
  'sqlite.queryAndTable': 'Eine Abfrage nennt ihre Tabellen selbst: Lassen Sie die Tabelle oder die Abfrage weg',
  'sqlite.tableTwice': 'Tabelle und Blatt meinen dasselbe: Geben Sie eines davon an',
  'sqlite.noRows': 'Die Abfrage ergibt keine Zeilen',
  'sqlite.query': ({ reason }) => `SQLite versteht die Abfrage nicht: ${reason}`,
  'sqlite.denied': 'Eine Abfrage darf nur lesen: SELECT, ohne Zufallswerte, und nichts sonst',
  'sqlite.slow': ({ ms }) => `Die Abfrage dauerte länger als ${ms / 1000} s`,
  'sqlite.slow.hint':
    'Fragen Sie nach weniger: nach weniger Zeilen (WHERE, LIMIT), oder verbinden Sie über Spalten mit einem Index',
  'sqlite.memory': 'Die Abfrage braucht mehr Speicher, als sie haben darf',
  'sqlite.manyRows': ({ most }) => `Die Abfrage ergibt mehr als ${most.toLocaleString('de')} Zeilen`,
  'sqlite.columns': ({ table, most }) => `„${table}“ hat mehr als ${most} Spalten`,
  'sqlite.log':
    'Die neuesten Änderungen sind in einer zweiten Datei (…-wal), die sich nicht lesen ließ: Schließen Sie das Programm, das die Datenbank benutzt',
  'sqlite.blobs': ({ cells }) => `${cells === 1 ? 'Ein Binärwert steht' : `${cells} Binärwerte stehen`} als Base64 da`,

  'parquet.none': 'Sie ist keine Parquet-Datei',
  'parquet.encrypted': 'Sie ist verschlüsselt',
  'parquet.cutOff': 'Ihr Ende fehlt, wie nach einem abgebrochenen Download',
  'parquet.damaged': 'Sie ist beschädigt oder auf unbekannte Weise geschrieben',
  'parquet.damaged.hint':
    'Besorgen Sie eine unbeschädigte Kopie, oder schreiben Sie sie mit üblichen Einstellungen neu (Snappy, Zstandard oder unkomprimiert).',
  'parquet.notText': ({ columns }) => `Texte enthalten Bytes, die kein UTF-8 sind; dafür steht \ufffd (${columns.join(', ')})`,
  'parquet.bytes': ({ columns }) => `Binäre Werte sind als Base64 angegeben (${columns.join(', ')})`,
};
