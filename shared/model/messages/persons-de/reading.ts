/** Was beim Lesen und Umwandeln von Dateien zu sagen ist. */
import type { reading as english } from '../agents/reading.ts';
import { counted, place, quotedList } from '../phrases.ts';
import type { Table } from '../table.ts';
import { contents } from './binding.ts';

const binaryKinds = {
  zip: {
    what: 'ein ZIP-Archiv, wie es auch Excel-Mappen und Word-Dokumente sind',
    advice: 'Ist es eines davon, wählen Sie als Format Excel oder Word',
  },
  compound: { what: 'eine Datei eines alten Office-Programms', advice: 'Speichern Sie sie als .xlsx, .docx oder CSV' },
  pdf: { what: 'ein PDF', advice: 'Wählen Sie als Format PDF, um seinen Text zu lesen' },
  gzip: { what: 'mit gzip komprimiert', advice: 'Geben Sie der Datei einen Namen, der auf .gz endet' },
  rtf: { what: 'ein Rich-Text-Dokument (RTF)', advice: 'Speichern Sie es als .docx oder als reinen Text' },
  arrow: { what: 'eine Arrow- oder Feather-Datei', advice: 'Speichern Sie sie als Parquet oder CSV' },
  avro: { what: 'eine Avro-Datei', advice: 'Speichern Sie sie als Parquet oder JSON Lines' },
  bzip2: { what: 'mit bzip2 komprimiert', advice: 'Entpacken Sie sie zuerst, oder packen Sie sie mit gzip' },
  xz: { what: 'mit xz komprimiert', advice: 'Entpacken Sie sie zuerst, oder packen Sie sie mit gzip' },
  '7z': { what: 'ein 7z-Archiv', advice: 'Entpacken Sie es zuerst, oder packen Sie seine Dateien als ZIP' },
  html: {
    what: 'eine Webseite (HTML), etwa eine Anmeldeseite oder eine Tabelle, die sich Arbeitsmappe nennt',
    advice: 'Speichern Sie ihre Tabelle als .xlsx oder CSV. Als Text lässt sich die Seite trotzdem lesen',
  },
  json: { what: 'JSON', advice: 'Wählen Sie als Format JSON, oder JSONL bei einem Wert je Zeile' },
} as const;

const tomlReasons = {
  twice: 'das wird ein zweites Mal festgelegt',
  leadingZero: 'eine Zahl beginnt mit 0: ein Code braucht Anführungszeichen',
  openString: 'ein Text ist nicht geschlossen, oder enthält ein Steuerzeichen',
  behindValue: 'auf der Zeile folgt etwas nach dem Wert',
  comma: 'ein Komma oder eine schließende Klammer fehlt',
  value: 'das ist kein Wert: ein Text braucht Anführungszeichen',
  key: 'nach einem Schlüssel fehlt das =, oder er braucht Anführungszeichen',
  invalid: 'das ist kein gültiges TOML',
} as const;

const yamlReasons: Readonly<Record<string, string>> = {
  BLOCK_AS_IMPLICIT_KEY: 'ein Wert enthält einen Doppelpunkt mit Leerzeichen, mit dem ein weiterer Schlüssel beginnt',
  BAD_INDENT: 'die Einrückung passt nicht zu den Zeilen davor',
  TAB_AS_INDENT: 'ein Tabulator rückt ein, das dürfen nur Leerzeichen',
  MISSING_CHAR: 'ein Doppelpunkt, ein Komma, ein Anführungszeichen oder eine Klammer fehlt',
  MULTILINE_IMPLICIT_KEY: 'ein Schlüssel steht mit seinem Doppelpunkt auf einer Zeile',
  BAD_DQ_ESCAPE: 'eine unbekannte Maskierung in doppelten Anführungszeichen: einfache lassen den Schrägstrich, wie er ist',
  BLOCK_IN_FLOW: 'eine eingerückte Liste kann nicht in Klammern stehen',
  UNEXPECTED_TOKEN: 'hier steht etwas, das YAML nicht erlaubt',
  DUPLICATE_KEY: 'der Schlüssel ist zweimal da',
  KEY_OVER_1024_CHARS: 'ein Schlüssel ist länger als 1.024 Zeichen',
};

export const reading: Table<typeof english> = {
  'parse.failed': ({ format, reason, line, column }) =>
    `Die ${format}-Datei ist fehlerhaft: ${reason} (${place(line, column, 'Zeile', 'Spalte')})`,
  'parse.maxNesting': 'Die Grenze ist limits.maxNesting',
  'parse.maxNestingSetting': 'Die Einstellung limits.maxNesting begrenzt die Tiefe.',
  'parse.tooDeep': ({ levels }) => `Werte sind mehr als ${levels} Ebenen tief verschachtelt`,
  'parse.elementsTooDeep': ({ levels }) => `Elemente sind mehr als ${levels} Ebenen tief verschachtelt`,

  'csv.ragged': ({ cells, columns }) =>
    `${counted(cells, 'Zelle', 'Zellen')} in einer Zeile, die Tabelle hat ${counted(columns, 'Spalte', 'Spalten')}`,
  'csv.ragged.hint': ({ rows, lines, more }) =>
    `${rows > 1 ? `${more ? 'Mindestens ' : ''}${rows} Zeilen haben überzählige Zellen (Zeilen ${lines.join(', ')}${rows > lines.length ? ', …' : ''}). ` : ''}Setzen Sie Zellen, die das Trennzeichen enthalten, in Anführungszeichen, oder behalten Sie überzählige Zellen als _extra, oder lassen Sie sie weg.`,
  'csv.quoteOpen': 'ein Anführungszeichen wird geöffnet und nicht geschlossen',
  'csv.quoteOpenLong': 'ein Anführungszeichen wird geöffnet und innerhalb von 512 MB nicht geschlossen',
  'csv.rowLong': 'eine Zeile ist länger als 512 MB',
  'csv.rowLong.hint': 'Prüfen Sie, ob die Datei Zeilenumbrüche zwischen den Datensätzen hat.',
  'csv.quoteClose.hint':
    'Schließen Sie das Anführungszeichen dort. In einer Zelle in Anführungszeichen steht ein Anführungszeichen doppelt: "".',
  'csv.afterQuote': ({ found }) => `${found} unerwartet nach schließendem Anführungszeichen`,
  'csv.afterQuote.hint': 'In einer Zelle in Anführungszeichen steht ein Anführungszeichen doppelt: "".',
  'csv.misfit': ({ column, type, cell }) =>
    `Spalte „${column}“ ist ${type === 'number' ? 'keine Zahl' : 'weder true noch false'} (${cell})`,
  'csv.misfit.hint': ({ decidedBy }) =>
    decidedBy === 'schema'
      ? 'Das Schema des Werkzeugs verlangt diesen Typ. Berichtigen Sie die Zelle, oder lesen Sie die Spalte als Text.'
      : 'Dieser Typ ist für die Spalte gewählt. Berichtigen Sie die Zelle, oder lesen Sie die Spalte als Text.',
  'csv.quoteOption': ({ character }) => `${character} kann weder Anführungs- noch Maskierungszeichen sein`,
  'csv.quoteOption.hint': 'Möglich ist jeweils ein sichtbares ASCII-Zeichen außer dem Trennzeichen.',
  'csv.delimiter': ({ delimiter }) => `Das Trennzeichen ${delimiter} kann nicht verwendet werden`,
  'csv.delimiter.hint': 'Ein Trennzeichen ist ein einzelnes ASCII-Zeichen, kein Anführungszeichen und kein Zeilenumbruch.',

  'types.noRecords': 'Die Datei enthält einen einzelnen Wert und keine Datensätze, also keine Spalten mit Typen',
  'types.noRecords.hint': () => 'Lassen Sie die Typen weg.',
  'types.misfit': ({ record, column, type, cell, line }) =>
    `Datensatz ${record}${line === undefined ? '' : ` (Zeile ${line})`}: Spalte „${column}“ ist ${type === 'number' ? 'keine Zahl' : 'weder true noch false'} (${cell})`,
  'yaml.numbers': ({ values, name, source, json }) =>
    `${values === 1 ? 'Ein Wert ohne Anführungszeichen, der ein Code sein kann, wurde' : `${values} Werte ohne Anführungszeichen, die Codes sein können, wurden`} als Zahl gelesen (der erste ist ${name}: ${source}, daraus wurde ${json}). Setzen Sie ihn in der Datei in Anführungszeichen, oder geben Sie der Spalte den Typ Text`,
  'yaml.version': ({ version }) =>
    `Die Datei nennt sich YAML ${version} und wurde als YAML 1.2 gelesen: yes, no, on und off sind Texte, und 0644 ist 644`,
  'yaml.fault': ({ code, character }) =>
    code === 'BAD_SCALAR_START'
      ? `ein Wert, der mit ${character} beginnt, braucht Anführungszeichen`
      : (yamlReasons[code] ?? 'das ist kein gültiges YAML'),
  'yaml.colon.hint': 'Setzen Sie den Wert in Anführungszeichen: schlüssel: "a: b".',
  'yaml.tooManyValues': 'sie enthält mehr Werte, als in den Speicher passen',
  'yaml.tooManyValues.hint': 'Teilen Sie die Datei, oder wandeln Sie sie in JSON um, das in Teilen gelesen wird.',
  'yaml.aliasUnknown': ({ alias }) => `für den Alias *${alias} gibt es davor keinen Anker`,
  'yaml.aliasInside': ({ alias }) => `der Alias *${alias} liegt in dem, wofür er steht`,
  'yaml.unprintable': ({ codePoint }) => `das Zeichen U+${codePoint} muss als Escape-Sequenz in Anführungszeichen stehen`,
  'yaml.keyTwice': ({ key }) => `den Schlüssel „${key}“ gibt es zweimal`,
  'yaml.mergeKey': 'der Schlüssel << nimmt eine Zuordnung oder eine Liste von Zuordnungen',
  'yaml.keyPlain': 'ein Schlüssel muss ein einfacher Wert sein, keine Zuordnung und keine Liste',

  'xml.doctype': 'Dokumenttypen (DOCTYPE, DTD) mit eigenen Deklarationen werden nicht gelesen',
  'xml.doctype.hint': 'Entfernen Sie <!DOCTYPE …> aus der Datei',
  'xml.ampersand': 'ein Und-Zeichen (&) steht allein',
  'xml.ampersand.hint': 'Schreiben Sie es in der Datei als &amp;.',
  'xml.entity': ({ name }) => `&${name}; ist nicht bekannt`,
  'xml.entity.hint':
    'Schreiben Sie in der Datei das Zeichen selbst oder seine Nummer, etwa &#160; für ein geschütztes Leerzeichen.',
  'xml.mixed': ({ elements, first }) =>
    `${elements === 1 ? 'Ein Element hat' : `${elements} Elemente haben`} Text zwischen den Elementen darin; er steht zusammen in #text, seine Reihenfolge geht verloren (zuerst: „${first}“). Als Text kommt die Datei, wie sie ist`,
  'parquet.notText': ({ columns }) => `Texte enthalten Bytes, die kein UTF-8 sind; dafür steht \ufffd (${columns.join(', ')})`,
  'parquet.bytes': ({ columns }) => `Binäre Werte sind als Base64 angegeben (${columns.join(', ')})`,
  'xml.textFirst': 'vor dem ersten Tag steht Text',

  'encoding.notUtf8': ({ offset }) => `Die Datei ist kein gültiges UTF-8: falsches Byte an Position ${offset}`,
  'encoding.notUtf8.hint': () => 'Lassen Sie die Kodierung erkennen, oder wählen Sie die richtige, etwa windows-1252.',
  'encoding.mixed': ({ offset, word }) =>
    `Die Datei mischt zwei Kodierungen: „${word}“ ist UTF-8, das Byte an Position ${offset} nicht`,
  'encoding.mixed.hint': () =>
    'Speichern Sie die ganze Datei als UTF-8. Mit der Kodierung windows-1252 hat der UTF-8-Teil falsche Buchstaben.',
  'encoding.unsure': ({ offset, readings }) =>
    `Die Datei ist kein UTF-8 (erstes falsches Byte an Position ${offset}), und ihre Kodierung ist nicht sicher: ${readings
      .map(({ encoding, word }) => `${encoding} liest „${word}“`)
      .join(', ')}`,
  'encoding.none': ({ offset }) =>
    `Die Datei ist kein UTF-8 (erstes falsches Byte an Position ${offset}), und in keiner anderen bekannten Kodierung liest sie sich als Text`,
  'encoding.jis': 'Der Text ist in ISO-2022-JP, das Japanisch in den Bytes von ASCII schreibt',
  'encoding.jis.hint': () => 'Wählen Sie als Kodierung ISO-2022-JP.',
  'encoding.none.hint': () =>
    'Ist es kein Text, lesen Sie die Datei als Base64, sonst wählen Sie die Kodierung, die das Programm angibt, das sie schrieb.',
  'encoding.unsure.hint': ({ encoding }) =>
    `Wählen Sie die Kodierung, die sich richtig liest, etwa ${encoding}. Ist es kein Text, lesen Sie die Datei als Base64.`,
  'encoding.utf32': 'Die Datei ist in UTF-32, das nicht gelesen wird',
  'encoding.utf32.hint': 'Speichern Sie sie als UTF-8.',
  'encoding.between': ({ encoding, from, to }) =>
    `Die Datei ist kein gültiges ${encoding}: falsche Bytes zwischen den Positionen ${from} und ${to}`,
  'encoding.cutOff': ({ encoding }) => `Die Datei ist kein gültiges ${encoding}: falsche Bytes am Ende, das abgeschnitten ist`,
  'encoding.invalid.hint': () => 'Lassen Sie die Kodierung erkennen, oder wählen Sie die richtige.',

  'format.binaryPlist': ({ name }) => `„${name}“ ist eine binäre Property-Liste und wird nicht gelesen`,
  'format.binaryPlist.hint': () =>
    'Wandeln Sie sie zuerst in XML um (plutil -convert xml1 DATEI), oder übergeben Sie ihre Bytes als Base64.',
  'format.spreadsheet': ({ name }) => `Tabellen wie „${name}“ werden nicht gelesen: Speichern Sie sie als .xlsx oder CSV`,
  'format.spreadsheet.hint': () => 'Öffnen Sie dann diese Datei. Um die Bytes der Tabelle zu senden, lesen Sie sie als Base64.',
  'format.binary': ({ name, kind }) => `„${name}“ ist kein Text, sondern ${binaryKinds[kind].what}`,
  'format.binary.hint': ({ kind }) =>
    `${binaryKinds[kind].advice}. Um die Bytes unverändert zu senden, lesen Sie die Datei als Base64`,
  'format.unknown': ({ name }) => `Das Format von „${name}“ ist unbekannt, und der Inhalt ist kein Text`,
  'format.unknown.hint': () =>
    'Um die Bytes unverändert zu senden, lesen Sie die Datei als Base64. Ist es doch Text, wählen Sie das Format Text und die Kodierung.',
  'workbook.misfit': ({ column, type, cell, place: at, sheet, format }) =>
    `Die ${format.toUpperCase()}-Datei passt nicht: Spalte „${column}“ ist ${type === 'number' ? 'keine Zahl' : 'weder true noch false'} (${cell}), Zelle ${at} auf Blatt „${sheet}“`,
  'options.foreign': ({ format, as, options }) =>
    `${options.map((option) => `„${option}“`).join(', ')}: gilt nicht für ${
      as === 'base64' || as === 'data_uri'
        ? 'Bytes, die unverändert übergeben werden'
        : `eine Datei im Format ${format.toUpperCase()}`
    }`,
  'options.foreign.hint': ({ takes }) => `Lassen Sie das weg${takes.length === 0 ? '' : `. Möglich ist: ${takes.join(', ')}`}`,
  'workbook.compressed': 'Eine komprimierte Arbeitsmappe oder Datenbank wird nicht gelesen',
  'workbook.compressed.hint': 'Entpacken Sie sie, und öffnen Sie die Datei selbst.',
  'workbook.noText': 'Eine Arbeitsmappe hat Datensätze und keinen Text',
  'workbook.noText.hint': () =>
    'Lesen Sie ihre Datensätze, auch als CSV oder Markdown, oder lesen Sie sie als Base64, um die Bytes zu senden.',

  'toml.fault': ({ fault }) => tomlReasons[fault],
  'toml.notFinite': ({ name }) =>
    `Die TOML-Datei lässt sich nicht lesen: „${name}“ ist unendlich oder keine Zahl, was JSON nicht kennt`,
  'toml.tooDeep': ({ reason }) => `Die TOML-Datei lässt sich nicht lesen: ${reason}`,
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
  'table.noList': ({ as, kind }) =>
    `Als ${as === 'csv' ? 'CSV' : 'Markdown'} wird nur eine Liste von Datensätzen gesendet, die Datei enthält aber ${contents[kind]}`,
  'table.tooWide': ({ as, most }) =>
    `Als ${as === 'csv' ? 'CSV' : 'Markdown'} werden höchstens ${most} Spalten gesendet, und diese Datensätze haben mehr Namen oder zu wenige gemeinsame`,
  'table.isText.hint': () => 'Wählen Sie „Automatisch“, um den Text zu senden.',
  'table.noList.hint': () => 'Wählen Sie „Daten (JSON)“ oder „Reiner Text“.',
  'document.noRecords': 'Ein Dokument hat Text und keine Datensätze',
  'document.noRecords.hint': () => 'Lesen Sie es automatisch (Markdown), als Text oder als HTML.',
  'document.noHtml': 'Nur Dokumente lassen sich als HTML lesen',
  'document.noHtml.hint': () => 'Lesen Sie die Datei automatisch oder als Text.',
  'document.images': ({ images }) =>
    images === 1
      ? 'Das Dokument enthält ein Bild, das weggelassen wird'
      : `Das Dokument enthält ${images} Bilder, die weggelassen werden`,
  'document.drawings': ({ drawings }) =>
    drawings === 1
      ? 'Das Dokument enthält ein Diagramm; es wird weggelassen'
      : `Das Dokument enthält ${drawings} Diagramme; sie werden weggelassen`,
  'document.hiddenSlides': ({ slides }) =>
    slides === 1 ? 'Der Text enthält auch eine ausgeblendete Folie' : `Der Text enthält auch ${slides} ausgeblendete Folien`,
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
  'document.password': 'Es ist mit einem Passwort geschützt',
  'document.password.hint': 'Öffnen Sie es in einem PDF-Programm, und speichern oder drucken Sie es ohne Passwort als PDF.',
  'document.slow': ({ seconds }) => `Das Lesen dauerte länger als ${seconds} Sekunden`,
  'document.slow.hint': 'Öffnen Sie es in einem PDF-Programm, und drucken Sie die gewünschten Seiten in ein neues PDF.',

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
  'archive.empty': 'sie ist leer',
  'archive.cutOff': 'sie endet zu früh, wie nach einem abgebrochenen Download',
  'archive.trailing': 'nach ihrem Ende folgen andere Daten',
  'archive.other': ({ compression }) => `der Inhalt ist nicht ${compression}`,
  'archive.damaged': ({ reason }) => `sie ist beschädigt (${reason})`,

  'warning.encodingMark': ({ encoding, asked }) =>
    `Die Datei bezeichnet sich selbst als ${encoding} (Bytereihenfolge-Marke), deshalb wurde sie nicht als ${asked} gelesen`,
  'warning.nulCharacters': ({ offset }) =>
    `Der Text enthält NUL-Zeichen (das erste an Position ${offset}): Ist es UTF-16 ohne Bytereihenfolge-Marke, wählen Sie die Kodierung utf-16le; ist es kein Text, lesen Sie die Datei als Base64`,
  'warning.encodingGuessed': ({ offset, encoding, word }) =>
    `Kein gültiges UTF-8 (erstes falsches Byte an Position ${offset}), nach den Wörtern („${word}“) als ${encoding} gelesen. Sehen Buchstaben falsch aus, wählen Sie die Kodierung`,
  'warning.encodingUnmarked': ({ encoding }) =>
    `Nach den Stellen der NUL-Bytes als ${encoding} gelesen; die Bytereihenfolge-Marke fehlt`,
  'warning.jsonLines': 'Die Datei ist JSON Lines: eine Liste der Werte ihrer Zeilen',
  'warning.noRecords': 'Die Datei enthält keine Datensätze',
  'warning.emptyFile': 'Die Datei ist leer',
  'warning.emptyTable': 'Die Datei ist leer und hat deshalb keine Datensätze',
  'warning.headerOnly': 'Die Datei enthält nur eine Kopfzeile und deshalb keine Datensätze',
  'warning.headerCompleted': ({ names }) => `Leere oder doppelte Spaltennamen wurden ergänzt: ${names.join(', ')}`,
  'warning.rowsShort': ({ rows, line }) =>
    `${counted(rows, 'Zeile hat', 'Zeilen haben')} weniger Zellen, als es Spalten gibt (zuerst in Zeile ${line}). Fehlende Zellen sind null`,
  'warning.rowsLong': ({ rows, line }) =>
    `${counted(rows, 'Zeile hat', 'Zeilen haben')} mehr Zellen, als es Spalten gibt (zuerst in Zeile ${line}). Sie bleiben erhalten`,
  'warning.rowsCut': ({ rows, line }) =>
    `${counted(rows, 'Zeile hat', 'Zeilen haben')} mehr Zellen, als es Spalten gibt (zuerst in Zeile ${line}). Die überzähligen fallen weg`,
  'warning.linesSkipped': ({ first, last, title }) =>
    `${first === last ? `Zeile ${last} über der Kopfzeile wurde` : `Die Zeilen ${first} bis ${last} über der Kopfzeile wurden`} übersprungen${title === null ? '' : ` (${title})`}. Wählen Sie 0 zu überspringende Zeilen, um alle zu lesen`,
  'warning.footerSkipped': ({ first, last, text }) =>
    `${first === last ? `Zeile ${last} unter der Tabelle wurde` : `Die Zeilen ${first} bis ${last} unter der Tabelle wurden`} übersprungen (${text})`,
  'warning.csvDialect': ({ option }) => `Die Datei wurde mit ${option} gelesen, weil alle Zeilen nur dazu passen`,
  'warning.decimalComma': ({ columns }) =>
    `Zahlen mit Dezimalkomma bleiben Text (${columns.join(', ')}). Wählen Sie das Dezimalkomma, um Zahlen zu bekommen`,
  'warning.datesAsText': ({ columns }) =>
    `Datumsangaben bleiben Text, wie sie geschrieben sind (${columns.join(', ')}). Wählen Sie ISO-Daten, um 2024-12-31 zu bekommen`,
  'csv.noHeader': ({ line, first }) =>
    `Die Tabelle hat keine Kopfzeile: Zeile ${line} (${first}) wird in den Zeilen darunter weitergezählt, ist also ein Datensatz`,
  'csv.noHeader.hint': () => 'Lesen Sie alle Zeilen als Datensätze, oder nehmen Sie die erste trotzdem als Kopfzeile.',
  'warning.headerLooksLikeData': ({ line }) =>
    `Zeile ${line} wurde zur Kopfzeile, sieht aber wie Daten aus. Schalten Sie die Kopfzeile aus, wenn die Datei keine hat`,
  'warning.nullMarks': ({ columns, marks }) =>
    `Spalten bleiben nur wegen Zellen Text, die wohl keinen Wert bedeuten (${columns.join(', ')}: ${marks.join(', ')}). Nennen Sie diese als leere Werte, um Zahlen zu bekommen`,
  'warning.formulaCells': ({ columns }) =>
    `Zellen sind als Formeln für eine Tabellenkalkulation geschrieben, ="…", und bleiben so (${columns.join(', ')})`,
  'warning.blankLines': ({ lines, first }) =>
    `${lines === 1 ? 'Eine Leerzeile wurde' : `${lines} Leerzeilen wurden`} in einer Datei mit einer Spalte übergangen (zuerst Zeile ${first}). Steht sie für einen fehlenden Wert, schreiben Sie ihn in der Datei als ""`,
  'warning.blankRows': ({ rows }) =>
    `Mindestens ${counted(rows, 'Zeile hat', 'Zeilen haben')} nur leere Zellen und ${rows === 1 ? 'ist ein Datensatz' : 'sind Datensätze'} aus null`,
  'warning.headerAgain': ({ record }) => `Datensatz ${record} wiederholt die Kopfzeile, als wären zwei Dateien aneinandergehängt`,
  'warning.markdownTable':
    'Die zweite Zeile ist die Trennlinie einer Markdown-Tabelle und wird als Datensatz gelesen; speichern Sie die Tabelle als CSV',
  'warning.fixedWidth':
    'Die Tabelle hat eine Spalte, und ihre Zeilen sehen nach Spalten fester Breite aus, die nicht getrennt werden; speichern Sie sie als CSV, oder senden Sie sie als reinen Text',
  'warning.oneColumn': ({ separator }) =>
    `Die Tabelle hat eine Spalte, und in jeder Zeile kommt „${separator}“ gleich oft vor. Wählen Sie es als Trennzeichen, wenn es Spalten trennt`,
  'warning.jsonRelaxed': ({ comments, commas, values }) =>
    `Die Datei ist kein strenges JSON und wurde trotzdem gelesen: ${[
      ...(comments > 0 ? [`${counted(comments, 'Kommentar', 'Kommentare')} ausgelassen`] : []),
      ...(commas > 0 ? [`${counted(commas, 'Komma', 'Kommas')} zu viel`] : []),
      ...(values > 1 ? [`${values} Werte hintereinander, die zu einer Liste wurden`] : []),
    ].join(', ')}`,
  'warning.jsonLinesWrapped': 'Die Datei hat Werte über mehrere Zeilen, nicht einen je Zeile wie JSON Lines; alle wurden gelesen',
  'warning.tagsIgnored': ({ tags }) => `Tags der YAML-Datei (${tags}) wurden nicht beachtet, ihre Werte bleiben erhalten`,
  'warning.argumentReplaced': ({ key }) => `Die Datei hat das Argument „${key}“ ersetzt`,
  'warning.headerAsRow': 'Das Werkzeug nimmt Listen von Werten, also ist die erste Zeile der Kopf der Tabelle',
  'warning.formChosen': ({ key, as, said }) =>
    `Das Werkzeug nimmt „${key}“ in mehreren Formen (${said}); die Datei ging als ${as}. Die andere Form lässt sich wählen`,
  'warning.argumentFilled': ({ key, value }) => `„${key}“ war nicht angegeben und wurde ergänzt: ${JSON.stringify(value)}`,
  'warning.dataKeyInferred': ({ key }) =>
    `Es war kein Platz gewählt, also kam die Datei nach „${key}“, dem einzigen freien Argument, das für sie gedacht ist`,

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
  'sheet.total': ({ row, text }) =>
    `Zeile ${row} sieht wie eine Summe aus (${text}) und wird als Datensatz gelesen; ein Bereich lässt sie aus`,
  'sheet.below': ({ row }) =>
    `Zeile ${row} steht unter einer leeren Zeile und sieht wie eine Anmerkung oder eine weitere Tabelle aus; ein Bereich liest eine davon`,
  'sheet.beside': ({ left, right }) =>
    `Zwischen ${left} und ${right} steht eine leere Spalte: Das sind vielleicht zwei Tabellen. Der Bereich ${left} liest eine davon`,
  'sheet.noHeaderRow': ({ row, sheet }) => `Zeile ${row} auf Blatt „${sheet}“ ist leer oder liegt außerhalb des Bereichs`,
  'sheet.noHeaderRow.hint': () => 'Gemeint ist die Nummer der Zeile, wie das Blatt sie zeigt.',
  'sheet.columnNames': ({ names }) => `Spalten ohne Namen oder mit doppeltem Namen heißen ${names.join(', ')}`,
  'sheet.headerOnly': 'es hat eine Kopfzeile und keine Datensätze',
  'sheet.empty': 'es ist leer',
  'table.others': ({ read, sheets, more }) =>
    `Gelesen wurde die Tabelle „${read}“. Die Datenbank hat ${counted(sheets.length + more, 'weitere Tabelle', 'weitere Tabellen')}: ${quotedList(sheets, 'ausgeblendet')}${more > 0 ? ` und ${more} weitere` : ''}`,
  'sheet.others': ({ read, sheets, more }) =>
    `Gelesen wurde das Blatt „${read}“. Die Arbeitsmappe hat ${counted(sheets.length + more, 'weiteres Blatt', 'weitere Blätter')}: ${quotedList(sheets, 'ausgeblendet', '„', '“')}${more > 0 ? ` und ${more} mehr` : ''}`,
};
