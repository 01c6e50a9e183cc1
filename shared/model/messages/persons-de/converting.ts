/** Was das Umwandeln verhindert: Größen, Zeichenkodierungen, Umformungen, Ausdrücke. */
import type { converting as english } from '../agents/converting.ts';
import type { Table } from '../table.ts';
import { inBytes } from './numbers.ts';

const atLine = (line: number | undefined): string => (line === undefined ? '' : ` (Zeile ${line})`);

export const converting: Table<typeof english> = {
  'size.file': ({ bytes, limit }) => {
    if (bytes === null) return `Die Datei hat mehr als die erlaubten ${inBytes(limit)}`;
    const over =
      inBytes(bytes) === inBytes(limit) ? `, ${bytes - limit} Byte mehr als erlaubt` : `, erlaubt sind ${inBytes(limit)}`;
    return `Die Datei hat ${inBytes(bytes)}${over}`;
  },
  'size.file.hint': ({ setting }) =>
    `${setting === 'maxFileBytes' ? 'Dokumente, YAML, XML und Ausdrücke brauchen die ganze Datei im Speicher.' : 'Das begrenzt eine Datei nach dem Entpacken.'} Erhöhen Sie limits.${setting} in der Konfiguration, oder verkleinern Sie die Datei.`,
  'size.expression': ({ limit }) => `Als JSON hat die Datei mehr als die erlaubten ${inBytes(limit)}`,
  'size.expression.hint':
    'Ein Ausdruck braucht alles im Speicher: Nehmen Sie zuerst weniger Datensätze oder Spalten, oder erhöhen Sie limits.maxFileBytes.',
  'size.zstdWindow': 'Die Zstandard-Datei lässt sich nicht entpacken: Sie braucht ein Fenster von mehr als 128 MB',
  'size.zstdWindow.hint': 'Packen Sie sie noch einmal, ohne --ultra oder --long.',
  'size.aliases': ({ limit }) => `Ihre Verweise ergeben ausgeschrieben mehr als ${inBytes(limit)}`,
  'size.aliases.hint': 'Die Grenze ist limits.maxFileBytes',
  'size.workbookTexts': 'Die Texte der Arbeitsmappe brauchen zu viel Speicher',
  'size.workbookTexts.hint': ({ times }) =>
    `Eine Arbeitsmappe darf das ${times}-Fache von limits.maxFileBytes an Text enthalten. Erhöhen Sie diese Einstellung, oder speichern Sie das Blatt als CSV.`,

  'csv.tooManyColumns': ({ columns, limit }) =>
    `Die erste Zeile hat ${columns} Zellen, mehr als die ${limit} Spalten, die eine Tabelle haben darf`,
  'csv.tooManyColumns.hint':
    'Prüfen Sie das Trennzeichen und ob die Datei Zeilenumbrüche hat, oder erhöhen Sie limits.maxColumns.',
  'encoding.declared': ({ label }) => `Die Datei nennt die Kodierung „${label}“, die unbekannt ist`,
  'encoding.declared.hint': 'Wählen Sie die Kodierung, die sie hat, zum Beispiel UTF-8.',
  'encoding.unknown': ({ label }) => `Die Zeichenkodierung „${label}“ ist unbekannt`,
  'encoding.unknown.hint':
    'Lassen Sie sie erkennen, oder nennen Sie eine wie utf-8, utf-16le, windows-1252, iso-8859-2, windows-1251, shift_jis, gb18030 oder euc-kr.',
  'range.invalid': ({ range }) => `„${range}“ ist kein Bereich von Zellen`,
  'range.invalid.hint': 'Schreiben Sie ihn als A5:Z (von A5 bis zur Spalte Z), B2:D20, B:D oder 2:10.',
  'yaml.notFinite': ({ number }) => `Für die Zahl ${number} hat JSON keinen Wert`,
  'yaml.notFinite.hint': 'Setzen Sie sie in Anführungszeichen, um sie als Text zu übergeben',

  'file.changedSinceApproval': ({ name, from, to }) =>
    `Die Datei „${name}“ hat sich seit Ihrer Zustimmung geändert: Die Bytes ${from} bis ${to} sind andere`,
  'file.changedSinceApproval.hint':
    'Der Aufruf wurde abgebrochen. Wiederholen Sie ihn, damit Sie die Datei sehen, wie sie jetzt ist',
  'file.differsNow': 'Die Datei ist beim zweiten Lesen länger oder kürzer als beim ersten',
  'file.differsNow.hint': 'Versuchen Sie es noch einmal. Geschieht es mit dieser Datei immer, melden Sie es bitte',
  'thread.ended': ({ reason }) => `Das Umwandeln wurde unerwartet beendet: ${reason}`,
  'thread.ended.hint': 'Versuchen Sie es noch einmal. Geschieht es mit dieser Datei immer, melden Sie es bitte',

  'transform.selectTwice': ({ column }) => `Die Auswahl nennt die Spalte „${column}“ zweimal`,
  'transform.renameSame': ({ one, other, name }) => `Die Spalten „${one}“ und „${other}“ sollen beide „${name}“ heißen`,
  'transform.renameLeftOut': ({ column }) => `Die Spalte „${column}“ soll umbenannt werden, ist aber nicht ausgewählt`,
  'transform.renameLeftOut.hint': 'Erst wird ausgewählt, dann umbenannt: Wählen Sie Spalten mit ihren Namen in der Datei aus',
  'transform.noColumns': ({ record, line }) =>
    `Datensatz ${record}${atLine(line)} ist weder ein Objekt noch eine Liste und hat deshalb keine Spalten`,
  'transform.noColumns.hint': 'Filtern, Auswählen und Umbenennen gehen nur mit Tabellen. Sonst hilft ein Ausdruck',
  'transform.unnamed': ({ record, line }) =>
    `Datensatz ${record}${atLine(line)} ist eine Liste: Ihre Spalten haben keine Namen, die sich ändern ließen`,
  'transform.noColumn': ({ column, records }) =>
    `Die Spalte „${column}“ hat ${records === 1 ? 'der eine gelesene Datensatz' : `keiner der ${records} gelesenen Datensätze`}${records === 1 ? ' nicht' : ''}`,
  'transform.noColumn.none': 'Die Datensätze haben keine Spalten',
  'transform.noColumn.known': ({ known, more }) =>
    `Die Spalten sind ${known.map((each) => `„${each}“`).join(', ')}${more ? ', …' : ''}`,
  'where.otherType': ({ column, type, op, value }) =>
    `Die Spalte „${column}“ enthält ${types[type] ?? type}. „${op}“ kann das nicht mit ${value} vergleichen`,
  'where.otherType.hint': ({ type }) =>
    type === 'string' ? 'Setzen Sie den Wert in Anführungszeichen' : `Vergleichen Sie mit einem solchen Wert`,
  'transform.collision': ({ record, line, name }) =>
    `Datensatz ${record}${atLine(line)} hätte nach dem Umbenennen zwei Spalten „${name}“`,
  'transform.collision.hint': ({ name }) =>
    `Geben Sie der neuen Spalte einen anderen Namen, oder wählen Sie die alte „${name}“ nicht aus`,
  'where.noValue': ({ op, column }) => `Der Filter „${op}“ für die Spalte „${column}“ braucht einen Wert`,
  'where.noList': ({ column }) => `Der Filter „in“ für die Spalte „${column}“ braucht eine Liste von Werten`,
  'where.oneValue': ({ op, column }) =>
    `Der Filter „${op}“ für die Spalte „${column}“ nimmt einen einzigen Wert. Für mehrere gibt es „in“`,
  'where.noText': ({ column }) => `Der Filter „starts_with“ für die Spalte „${column}“ braucht einen Text`,
  'where.noOrder': ({ op, column }) => `Der Filter „${op}“ für die Spalte „${column}“ braucht eine Zahl oder einen Text`,

  'expression.failed': ({ reason, position, record, empty, line }) =>
    `Der Ausdruck ist fehlgeschlagen${position === undefined ? '' : ` (Zeichen ${position})`}: ${reason}${record === undefined ? '' : `; bei Datensatz ${record}${line === undefined ? '' : ` (Zeile ${line})`}`}${empty.length === 0 ? '' : `, in dem ${empty.slice(0, 5).join(', ')} leer ${empty.length === 1 ? 'ist' : 'sind'}`}`,
  'expression.empty.hint': ({ column }) =>
    `Sagen Sie im Ausdruck, was aus leeren Werten wird, etwa ${column} = null ? … : …, oder lassen Sie Datensätze ohne „${column}“ weg`,
  'expression.failed.hint': 'Ausdrücke sind in JSONata geschrieben und nennen Spalten mit ihren neuen Namen',
  'expression.ended': ({ how }) => `sein Prozess endete vorzeitig (${how})`,
  'expression.slow': ({ seconds }) => `Der Ausdruck brauchte länger als ${seconds} s`,
  'expression.slow.hint': 'Erhöhen Sie limits.expressionTimeoutMs, oder lassen Sie den Ausdruck weniger tun',
  'expression.noStart': ({ reason }) => `Der Ausdruck konnte nicht ausgeführt werden: ${reason}`,
  'expression.memory': ({ bytes }) => `Der Ausdruck brauchte mehr als ${inBytes(bytes)} Speicher`,
  'expression.memory.hint': 'Erhöhen Sie limits.expressionMemoryBytes, oder lassen Sie den Ausdruck weniger tun',
};

const types: Readonly<Record<string, string>> = {
  string: 'Text',
  number: 'Zahlen',
  boolean: 'Wahrheitswerte',
  object: 'Objekte',
  array: 'Listen',
};
