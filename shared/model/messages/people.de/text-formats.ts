/** German for agents.en/text-formats.ts. */
import type { textFormats as english } from '../agents.en/text-formats.ts';
import type { Table } from '../message.ts';
import { counted, place } from '../phrases.ts';
import { inBytes, limitName } from './phrases.ts';

const parts = {
  string: 'einer Zeichenkette',
  array: 'einem Array',
  object: 'einem Objekt',
  word: 'einem Wort',
  number: 'einer Zahl',
};

const expected = {
  value: 'ein Wert',
  valueOrEnd: 'ein Wert oder "]"',
  keyOrEnd: 'ein Schlüssel in doppelten Anführungszeichen oder "}"',
  key: 'ein Schlüssel in doppelten Anführungszeichen',
  colon: '":"',
};

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

export const textFormats: Table<typeof english> = {
  'parse.failed': ({ format, reason, line, column }) =>
    `Die ${format}-Datei ist fehlerhaft in ${place(line, column, 'Zeile', 'Spalte')}: ${reason}`,
  'parse.maxNesting': 'Tiefere Werte werden nicht gelesen',
  'parse.maxNestingSetting': 'Tiefere Werte werden nicht gelesen.',
  'parse.tooDeep': ({ levels }) => `Werte sind mehr als ${levels} Ebenen tief verschachtelt`,
  'parse.elementsTooDeep': ({ levels }) => `Elemente sind mehr als ${levels} Ebenen tief verschachtelt`,

  'text.notAsRead': 'Der Text ist nicht mehr so wie beim ersten Lesen',

  'encoding.declared': ({ label }) => `Die Datei nennt die Kodierung „${label}“, die unbekannt ist`,
  'encoding.declared.hint': 'Wählen Sie die Kodierung, die sie hat, zum Beispiel UTF-8.',
  'encoding.unknown': ({ label }) => `Die Zeichenkodierung „${label}“ ist unbekannt`,
  'encoding.unknown.hint':
    'Lassen Sie sie erkennen, oder wählen Sie eine wie utf-8, utf-16le, windows-1252, iso-8859-2, windows-1251, gb18030 oder euc-kr.',
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

  'character.nul': () => 'NUL-Zeichen',
  'character.tab': () => 'Tabulator',
  'character.lineBreak': () => 'Zeilenumbruch',
  'character.space': () => 'Leerzeichen',
  'character.nonAscii': () => 'Zeichen außerhalb von ASCII',
  'character.control': ({ codePoint }) => `Steuerzeichen U+${codePoint}`,

  'json.inString': ({ found }) => `${found} in einer Zeichenkette (nur als Escape-Sequenz erlaubt)`,
  'json.inNumber': ({ found }) => `${found} unerwartet in einer Zahl`,
  'json.noEscape': ({ found }) => `\\ gefolgt von ${found} ist keine Escape-Sequenz`,
  'json.inHexEscape': ({ found }) => `${found} in einer \\u-Sequenz, die vier Hexadezimalziffern braucht`,
  'json.noWord': ({ found }) => `${found} unerwartet; als Wörter gibt es nur true, false und null`,
  'json.noComma': ({ found, closing }) => `${found} unerwartet; hier muss "," oder ${closing} stehen`,
  'json.afterEnd': ({ found }) => `${found} unerwartet nach dem Ende des Werts`,
  'json.notFinite.hint': 'JSON kennt weder NaN noch Infinity: Schreiben Sie null, oder die Wörter in Anführungszeichen',
  'json.python.hint': 'Das sieht nach Python aus: Schreiben Sie die Datei mit json.dumps(…) statt mit str(…) oder repr(…)',
  'json.emptyFile': 'die Datei ist leer',
  'json.emptyLine': 'die Zeile ist leer',
  'json.endsInside': ({ unit, inside }) => `die ${unit === 'line' ? 'Zeile' : 'Datei'} endet mitten in ${parts[inside]}`,
  'json.endsInside.hint': ({ unit, closing, line }) =>
    unit === 'line'
      ? `Jede Zeile enthält einen ganzen Wert: Ergänzen Sie Zeile ${line}${closing === '' ? '' : `, sodass sie mit ${closing} endet`}`
      : `Vielleicht bricht sie in Zeile ${line} ab: Holen Sie die ganze Datei${closing === '' ? '' : `, oder ergänzen Sie sie, sodass sie mit ${closing} endet`}`,
  'json.expected.hint': ({ line, column, what }) =>
    `Schreiben Sie ${Object.hasOwn(expected, what) ? expected[what as keyof typeof expected] : what} in Zeile ${line}, Spalte ${column}`,
  'json.wrongClosing': ({ found, closing }) => `${found} statt ${closing}`,
  'json.unexpected': ({ found, expected: what }) => `${found} unerwartet; hier muss ${expected[what]} stehen`,

  'csv.unknownColumn': ({ column }) => `Für die Spalte „${column}“ ist ein Typ angegeben, aber die Datei hat sie nicht`,
  'csv.unknownColumn.hint': ({ columns, more }) =>
    `Ihre Spalten sind: ${columns.join(', ')}${more > 0 ? ` und ${more} mehr` : ''}`,
  'csv.firstRow': ({ bytes, limit }) => `Schon die erste Zeile hat ${inBytes(bytes)}. Im Speicher erlaubt sind ${inBytes(limit)}`,
  'csv.firstRow.hint': `Prüfen Sie, ob die Datei CSV ist und Zeilenumbrüche hat, oder erhöhen Sie „${limitName('maxFileBytes')}“ in den Einstellungen.`,
  'csv.notAsScanned': 'Die Datei ist nicht mehr so wie beim ersten Lesen',
  'csv.notAsScanned.hint': 'Versuchen Sie es noch einmal, wenn nichts mehr in sie schreibt.',
  'csv.tooManyColumns': ({ columns, limit }) =>
    `Die erste Zeile hat ${columns} Zellen, mehr als die ${limit} Spalten, die eine Tabelle haben darf`,
  'csv.tooManyColumns.hint': 'Prüfen Sie das Trennzeichen, und ob die Datei Zeilenumbrüche hat.',
  'csv.ragged': ({ cells, columns }) =>
    `${counted(cells, 'Zelle', 'Zellen')} in einer Zeile, die Tabelle hat ${counted(columns, 'Spalte', 'Spalten')}`,
  'csv.ragged.hint': ({ rows, lines, more }) =>
    `${rows > 1 ? `${more ? 'Mindestens ' : ''}${rows} Zeilen haben überzählige Zellen (Zeilen ${lines.join(', ')}${rows > lines.length ? ', …' : ''}). ` : ''}Setzen Sie Zellen, die das Trennzeichen enthalten, in Anführungszeichen, oder behalten Sie überzählige Zellen, oder lassen Sie sie weg.`,
  'csv.quoteOpen': 'ein Anführungszeichen wird geöffnet und nicht geschlossen',
  'csv.quoteOpenLong': 'ein Anführungszeichen wird geöffnet und innerhalb von 512 MB nicht geschlossen',
  'csv.rowLong': 'eine Zeile ist länger als 512 MB',
  'csv.rowLong.hint': 'Prüfen Sie, ob die Datei Zeilenumbrüche zwischen den Datensätzen hat.',
  'csv.quoteClose.hint':
    'Schließen Sie das Anführungszeichen dort. In einer Zelle in Anführungszeichen steht ein Anführungszeichen doppelt: "". Sind sie in dieser Datei gewöhnliche Zeichen, lesen Sie sie als solche.',
  'csv.afterQuote': ({ found }) => `${found} unerwartet nach schließendem Anführungszeichen`,
  'csv.afterQuote.hint': ({ opened }) =>
    `${opened === null ? '' : `Die Zelle beginnt in Zeile ${opened} mit einem Anführungszeichen, das dort vielleicht nicht geschlossen ist. `}In einer Zelle in Anführungszeichen steht ein Anführungszeichen doppelt: "". Sind sie in dieser Datei gewöhnliche Zeichen, lesen Sie sie als solche.`,
  'csv.misfit': ({ column, type, cell }) =>
    `Spalte „${column}“ ist ${type === 'number' ? 'keine Zahl' : 'weder true noch false'} (${cell})`,
  'csv.misfit.hint': ({ decidedBy, decimalComma }) =>
    `${decidedBy === 'schema' ? 'Das Schema des Werkzeugs verlangt diesen Typ' : 'Dieser Typ ist für die Spalte gewählt'}. ${
      decimalComma ? 'Ist es ein Dezimalkomma, wählen Sie das Komma als Dezimalzeichen. Sonst berichtigen' : 'Berichtigen'
    } Sie die Zelle, oder lesen Sie die Spalte als Text.`,
  'csv.quoteOption': ({ character }) => `${character} kann weder Anführungs- noch Maskierungszeichen sein`,
  'csv.quoteOption.hint': 'Möglich ist jeweils ein sichtbares ASCII-Zeichen außer dem Trennzeichen.',
  'csv.delimiter': ({ delimiter }) => `Das Trennzeichen ${delimiter} kann nicht verwendet werden`,
  'csv.delimiter.hint': 'Ein Trennzeichen ist ein einzelnes ASCII-Zeichen, kein Anführungszeichen und kein Zeilenumbruch.',
  'csv.headerBlank': ({ line }) => `Zeile ${line} der Datei ist leer und kann nicht die Kopfzeile sein`,
  'csv.headerBlank.hint': ({ next }) => `Die nächste Zeile mit Text ist Zeile ${next}.`,
  'csv.pastEnd': ({ line, last }) =>
    `Die Tabelle kann nicht in Zeile ${line} beginnen: Die letzte Zeile mit Text ist Zeile ${last}`,
  'csv.pastEnd.hint': () => 'Gemeint ist die Nummer der Kopfzeile, von 1 an, oder die Anzahl der Zeilen über der Tabelle.',
  'csv.noHeader': ({ line, first }) =>
    `Die Tabelle hat keine Kopfzeile: Zeile ${line} (${first}) wird in den Zeilen darunter weitergezählt, ist also ein Datensatz`,
  'csv.noHeader.hint': () => 'Lesen Sie alle Zeilen als Datensätze, oder nehmen Sie die erste trotzdem als Kopfzeile.',

  'yaml.notFinite': ({ number }) => `Für die Zahl ${number} hat JSON keinen Wert`,
  'yaml.notFinite.hint': 'Setzen Sie sie in Anführungszeichen, um sie als Text zu übergeben',
  'yaml.numbers': ({ values, name, source, json }) =>
    `${values === 1 ? 'Ein Wert ohne Anführungszeichen, der ein Code sein kann, wurde' : `${values} Werte ohne Anführungszeichen, die Codes sein können, wurden`} als Zahl gelesen (etwa ${name}: ${source}, daraus wurde ${json}). Setzen Sie ihn in der Datei in Anführungszeichen, oder geben Sie der Spalte den Typ Text`,
  'yaml.version': ({ version }) =>
    `Die Datei nennt sich YAML ${version} und wurde als YAML 1.2 gelesen: yes, no, on und off sind Texte, und 0644 ist 644`,
  'yaml.fault': ({ code, character }) =>
    code === 'BAD_SCALAR_START'
      ? `ein Wert, der mit ${character} beginnt, braucht Anführungszeichen`
      : (yamlReasons[code] ?? 'das ist kein gültiges YAML'),
  'yaml.missing': ({ character, opening, opened }) =>
    `${character} fehlt${opened === null ? '' : ` (es schließt ${opening} aus Zeile ${opened})`}`,
  'yaml.missing.hint': ({ character, opening, opened, line }) =>
    opened === null
      ? `Setzen Sie ${character} in Zeile ${line}, oder den ganzen Wert in Anführungszeichen.`
      : `Schließen Sie ${opening} aus Zeile ${opened} mit ${character}, oder setzen Sie den Wert in andere Anführungszeichen, wenn sein Text mit ${opening} beginnt.`,
  'yaml.colon.hint': 'Setzen Sie den ganzen Wert in Anführungszeichen.',
  'yaml.tooManyValues': 'sie enthält mehr Werte, als in den Speicher passen',
  'yaml.tooManyValues.hint': 'Teilen Sie die Datei, oder wandeln Sie sie in JSON um, das in Teilen gelesen wird.',
  'yaml.aliasUnknown': ({ alias }) => `für den Alias *${alias} gibt es davor keinen Anker`,
  'yaml.aliasInside': ({ alias }) => `der Alias *${alias} liegt in dem, wofür er steht`,
  'yaml.unprintable': ({ codePoint }) => `das Zeichen U+${codePoint} muss als Escape-Sequenz in Anführungszeichen stehen`,
  'yaml.keyTwice': ({ key }) => `den Schlüssel „${key}“ gibt es zweimal`,
  'yaml.mergeKey': 'der Schlüssel << nimmt eine Zuordnung oder eine Liste von Zuordnungen',
  'yaml.keyPlain': 'ein Schlüssel muss ein einfacher Wert sein, keine Zuordnung und keine Liste',

  'toml.fault': ({ fault }) => tomlReasons[fault],
  'toml.notFinite': ({ name }) =>
    `Die TOML-Datei lässt sich nicht lesen: „${name}“ ist unendlich oder keine Zahl, was JSON nicht kennt`,
  'toml.tooDeep': ({ reason }) => `Die TOML-Datei lässt sich nicht lesen: ${reason}`,

  'xml.doctype': 'Dokumenttypen (DOCTYPE, DTD) mit eigenen Deklarationen werden nicht gelesen',
  'xml.doctype.hint': 'Entfernen Sie <!DOCTYPE …> aus der Datei',
  'xml.ampersand': 'ein Und-Zeichen (&) steht allein',
  'xml.ampersand.hint': 'Schreiben Sie es in der Datei als &amp;.',
  'xml.entity': ({ name }) => `&${name}; ist nicht bekannt`,
  'xml.entity.hint':
    'Schreiben Sie in der Datei das Zeichen selbst oder seine Nummer, etwa &#160; für ein geschütztes Leerzeichen.',
  'xml.mixed': ({ elements, first }) =>
    `${elements === 1 ? 'Ein Element hat' : `${elements} Elemente haben`} Text zwischen den Elementen darin; er steht zusammen in #text, seine Reihenfolge geht verloren (zuerst: „${first}“). Als Text kommt die Datei, wie sie ist`,
  'xml.textFirst': 'vor dem ersten Tag steht Text',
};
