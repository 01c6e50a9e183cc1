/** German for agents.en/converting.ts. */
import type { converting as english } from '../agents.en/converting.ts';
import type { Table } from '../message.ts';
import { counted } from '../phrases.ts';
import { dialects, inBytes, limitName, optionName, testName } from './phrases.ts';

const atLine = (line: number | undefined): string => (line === undefined ? '' : ` (Zeile ${line})`);

const types: Readonly<Record<string, string>> = {
  string: 'Text',
  number: 'Zahlen',
  boolean: 'Wahrheitswerte',
  object: 'Objekte',
  array: 'Listen',
};

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

/** What to save a file of an old Office program as, by its ending. */
function savedAs(name: string): string | undefined {
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const wanted = Object.hasOwn(newer, ending) ? newer[ending] : undefined;
  return wanted && `Speichern Sie sie als ${wanted}`;
}
const newer: Readonly<Record<string, string>> = {
  doc: '.docx',
  dot: '.docx',
  ppt: '.pptx',
  pps: '.pptx',
  xls: '.xlsx',
  msg: '.eml',
};

export const converting: Table<typeof english> = {
  'format.binaryPlist': ({ name }) => `„${name}“ ist eine binäre Property-Liste und wird nicht gelesen`,
  'format.binaryPlist.hint': () => 'Speichern Sie sie zuerst als XML, oder übergeben Sie ihre Bytes als Base64.',
  'format.spreadsheet': ({ name }) => `Tabellen wie „${name}“ werden nicht gelesen: Speichern Sie sie als .xlsx oder CSV`,
  'format.spreadsheet.hint': () => 'Öffnen Sie dann diese Datei. Um die Bytes der Tabelle zu senden, lesen Sie sie als Base64.',
  'format.binary': ({ name, kind }) => `„${name}“ ist kein Text, sondern ${binaryKinds[kind].what}`,
  'format.binary.hint': ({ kind, name }) =>
    `${(kind === 'compound' && savedAs(name)) || binaryKinds[kind].advice}. Um die Bytes unverändert zu senden, lesen Sie die Datei als Base64`,
  'format.unknown': ({ name }) => `Das Format von „${name}“ ist unbekannt, und der Inhalt ist kein Text`,
  'format.unknown.hint': ({ encoding }) =>
    encoding !== null
      ? `Prüfen Sie die Kodierung. Ist es doch ein Text in ${encoding}, wählen Sie das Format Text.`
      : 'Um die Bytes unverändert zu senden, lesen Sie die Datei als Base64. Ist es doch Text, wählen Sie das Format Text und die Kodierung.',

  'options.foreign': ({ format, as, options }) =>
    `${options.map((option) => `„${optionName(option)}“`).join(', ')}: gilt nicht für ${as === 'base64' || as === 'data_uri' ? 'Bytes, die unverändert übergeben werden' : `eine Datei im Format ${format.toUpperCase()}`}`,
  'options.foreign.hint': ({ takes }) =>
    `Lassen Sie das weg${takes.length === 0 ? '' : `. Möglich ist: ${takes.map(optionName).join(', ')}`}`,

  'options.twoStarts': ({ row, skip }) =>
    `Kopfzeile ${row} und ${skip} übersprungene Zeilen legen beide fest, wo die Tabelle beginnt: Geben Sie nur eines an`,
  'options.twoStarts.hint': () => 'Die Kopfzeile zählt vom Anfang der Datei an, es muss also nichts übersprungen werden.',

  'range.invalid': ({ range }) => `„${range}“ ist kein Bereich von Zellen`,
  'range.invalid.hint': 'Schreiben Sie ihn als A5:Z (von A5 bis zur Spalte Z), B2:D20, B:D oder 2:10.',

  'size.file': ({ bytes, limit }) => {
    if (bytes === null) return `Die Datei hat mehr als die erlaubten ${inBytes(limit)}`;
    const over =
      inBytes(bytes) === inBytes(limit) ? `, ${bytes - limit} Byte mehr als erlaubt` : `, erlaubt sind ${inBytes(limit)}`;
    return `Die Datei hat ${inBytes(bytes)}${over}`;
  },
  'size.file.hint': ({ setting }) =>
    `${setting === 'maxFileBytes' ? 'Dokumente, YAML, XML und Umformungen brauchen die ganze Datei im Speicher.' : 'Das begrenzt eine Datei nach dem Entpacken.'} Erhöhen Sie „${limitName(setting)}“ in den Einstellungen, oder verkleinern Sie die Datei.`,
  'size.expression': ({ limit }) => `Als JSON hat die Datei mehr als die erlaubten ${inBytes(limit)}`,
  'size.expression.hint': `Ein Ausdruck braucht alles im Speicher: Nehmen Sie zuerst weniger Datensätze oder Spalten, oder erhöhen Sie „${limitName('maxFileBytes')}“ in den Einstellungen.`,
  'size.zstdWindow': 'Die Zstandard-Datei lässt sich nicht entpacken: Sie braucht ein Fenster von mehr als 128 MB',
  'size.zstdWindow.hint': 'Packen Sie sie noch einmal, mit üblichen Einstellungen.',
  'size.aliases': ({ limit }) => `Ihre Verweise ergeben ausgeschrieben mehr als ${inBytes(limit)}`,
  'size.aliases.hint': `Die Grenze ist „${limitName('maxFileBytes')}“ in den Einstellungen`,
  'size.workbookTexts': 'Die Texte der Arbeitsmappe brauchen zu viel Speicher',
  'size.workbookTexts.hint': ({ times }) =>
    `Eine Arbeitsmappe darf das ${times}-Fache von „${limitName('maxFileBytes')}“ an Text enthalten. Erhöhen Sie das in den Einstellungen, oder speichern Sie das Blatt als CSV.`,

  'types.noRecords': 'Die Datei enthält einen einzelnen Wert und keine Datensätze, also keine Spalten mit Typen',
  'types.noRecords.hint': () => 'Lassen Sie die Typen weg.',
  'types.misfit': ({ record, column, type, cell, line }) =>
    `Datensatz ${record}${line === undefined ? '' : ` (Zeile ${line})`}: Spalte „${column}“ ist ${type === 'number' ? 'keine Zahl' : 'weder true noch false'} (${cell})`,

  'transform.noList': ({ kind }) => `Die Umformung braucht eine Liste von Datensätzen, die Datei enthält aber: ${kind}`,
  'transform.noList.hint': () => 'Verwenden Sie einen Ausdruck, der mit jedem Wert geht, oder lassen Sie die Umformung weg.',
  'transform.listsInside': ({ lists }) =>
    `Nehmen Sie die Liste darin mit einem Ausdruck: ${lists.map((each) => JSON.stringify(each)).join(' oder ')}.`,
  'transform.selectNothing': 'Die Auswahl nennt keine Spalte',
  'transform.selectNothing.hint': 'Ohne Auswahl kommen alle Spalten',
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
  'transform.collision': ({ record, line, name }) =>
    `Datensatz ${record}${atLine(line)} hätte nach dem Umbenennen zwei Spalten „${name}“`,
  'transform.collision.hint': ({ name }) =>
    `Geben Sie der neuen Spalte einen anderen Namen, oder wählen Sie die alte „${name}“ nicht aus`,

  'where.otherType': ({ column, type, op, value }) =>
    `Die Spalte „${column}“ enthält ${types[type] ?? type}. „${testName(op)}“ kann das nicht mit ${value} vergleichen`,
  'where.otherType.hint': ({ type, op }) => {
    const searches = op === 'contains' || op === 'starts_with';
    if (searches && type !== 'string' && type !== 'number')
      return `„${testName(op)}“ durchsucht Texte und Zahlen: Nehmen Sie einen anderen Vergleich`;
    if (searches) return 'Geben Sie einen Text oder eine Zahl als Wert an';
    return type === 'string' ? 'Setzen Sie den Wert in Anführungszeichen' : 'Vergleichen Sie mit einem solchen Wert';
  },
  'where.noValue': ({ op, column }) => `Der Filter „${testName(op)}“ für die Spalte „${column}“ braucht einen Wert`,
  'where.noList': ({ column }) => `Der Filter „in“ für die Spalte „${column}“ braucht eine Liste von Werten`,
  'where.oneValue': ({ op, column }) =>
    `Der Filter „${testName(op)}“ für die Spalte „${column}“ nimmt einen einzigen Wert. Für mehrere gibt es „in“`,
  'where.noText': ({ column }) => `Der Filter „beginnt mit“ für die Spalte „${column}“ braucht einen Text oder eine Zahl`,
  'where.noOrder': ({ op, column }) =>
    `Der Filter „${testName(op)}“ für die Spalte „${column}“ braucht eine Zahl oder einen Text`,

  'expression.failed': ({ reason, position, record, empty, line }) =>
    `Der Ausdruck ist fehlgeschlagen${position === undefined ? '' : ` (Zeichen ${position})`}: ${reason}${record === undefined ? '' : `; bei Datensatz ${record}${line === undefined ? '' : ` (Zeile ${line})`}`}${empty.length === 0 ? '' : `, in dem ${empty.slice(0, 5).join(', ')} leer ${empty.length === 1 ? 'ist' : 'sind'}`}`,
  'expression.empty.hint': ({ column }) =>
    `Sagen Sie im Ausdruck, was aus leeren Werten wird, etwa ${column} = null ? … : …, oder lassen Sie Datensätze ohne „${column}“ weg`,
  'expression.failed.hint': 'Ausdrücke sind in JSONata geschrieben und nennen Spalten mit ihren neuen Namen',
  'expression.ended': ({ how }) => `sein Prozess endete vorzeitig (${how})`,
  'expression.slow': ({ seconds }) => `Der Ausdruck brauchte länger als ${seconds} s`,
  'expression.slow.hint': 'Erhöhen Sie „Längste Umformung“ in den Einstellungen, oder lassen Sie den Ausdruck weniger tun',
  'expression.noStart': ({ reason }) => `Der Ausdruck konnte nicht ausgeführt werden: ${reason}`,
  'expression.memory': ({ bytes }) => `Der Ausdruck brauchte mehr als ${inBytes(bytes)} Speicher`,
  'expression.memory.hint': 'Lassen Sie den Ausdruck weniger tun, oder nehmen Sie zuerst weniger Datensätze',

  'convert.outOfMemory': 'Das Umwandeln der Datei brauchte mehr Speicher, als dafür da ist',
  'convert.outOfMemory.hint': () =>
    'Nehmen Sie eine kleinere Datei, oder weniger davon. YAML, XML und Ausdrücke brauchen alles im Speicher',
  'convert.noMemory': 'Zum Umwandeln der Datei ist zu wenig Speicher da',
  'convert.noMemory.hint': 'Versuchen Sie es noch einmal: Dann wird sie auf andere Weise gelesen',
  'convert.closing': 'Filebridge wird beendet',
  'convert.notWanted': 'Die Prüfsumme wird nicht mehr gebraucht',

  'thread.ended': ({ reason }) => `Das Umwandeln wurde unerwartet beendet: ${reason}`,
  'thread.ended.hint': 'Versuchen Sie es noch einmal. Geschieht es mit dieser Datei immer, melden Sie es bitte',

  'warning.encodingMark': ({ encoding, asked }) =>
    `Die Datei bezeichnet sich selbst als ${encoding} (Bytereihenfolge-Marke), deshalb wurde sie nicht als ${asked} gelesen`,
  'warning.nulCharacters': ({ offset }) =>
    `Der Text enthält NUL-Zeichen (das erste an Position ${offset}): Ist es UTF-16 ohne Bytereihenfolge-Marke, wählen Sie die Kodierung utf-16le; ist es kein Text, lesen Sie die Datei als Base64`,
  'warning.encodingGuessed': ({ encoding, word }) =>
    `Die Buchstaben wurden nach Wörtern wie „${word}“ als ${encoding} gelesen. Sehen sie falsch aus, wählen Sie die Kodierung`,
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
  'warning.csvDialect': ({ option }) =>
    `Die Datei wurde mit ${dialects[option.split(':', 1)[0] ?? ''] ?? 'anderen Zeichen als üblich'} gelesen, weil alle Zeilen nur dazu passen`,
  'warning.decimalComma': ({ columns }) =>
    `Zahlen mit Dezimalkomma bleiben Text (${columns.join(', ')}). Wählen Sie „Als Zahlen mit Dezimalkomma lesen“, um Zahlen zu bekommen`,
  'warning.datesAsText': ({ columns }) =>
    `Datumsangaben bleiben Text, wie sie geschrieben sind (${columns.join(', ')}). Wählen Sie „Datumsangaben als 2024-12-31 schreiben“, um das zu ändern`,
  'warning.maybeThousands': ({ columns, example, readAs, meant }) =>
    `Zahlen wie ${example} sind vielleicht Tausender (${columns.join(', ')}): Hier ${readAs === null ? 'bleibt das Text' : `ist das ${String(readAs).replace('.', ',')}`}. Ist ${meant} gemeint, wählen Sie „Als Zahlen mit Dezimalkomma lesen“`,
  'warning.mixedDates': ({ columns, first, other }) =>
    `Datumsangaben haben zwei Formen und bleiben Text (${columns.join(', ')}: ${first}, ${other}). Schreiben Sie sie in der Datei in einer`,
  'warning.totalRow': ({ line, text }) =>
    `Zeile ${line} sieht wie eine Summe aus (${text}) und wird als Datensatz gelesen; ein Filter lässt sie aus`,
  'warning.headerLooksLikeData': ({ line }) =>
    `Zeile ${line} wurde zur Kopfzeile, sieht aber wie Daten aus. Schalten Sie die Kopfzeile aus, wenn die Datei keine hat`,
  'warning.headerLooksLikeTitle': ({ line, next }) =>
    `Zeile ${line} wurde zur Kopfzeile, benennt aber nur eine Spalte. Ist sie ein Titel über der Tabelle, wählen Sie Zeile ${next} als Kopfzeile`,
  'warning.headerBelow': ({ line, next }) => `Zeile ${line} wurde zur Kopfzeile, aber Zeile ${next} sieht eher danach aus`,
  'warning.expressionNames': ({ names, near }) =>
    `Der Ausdruck liest ${names.map((each) => `„${each}“`).join(', ')}; das kommt in der Datei nicht vor${near ? `. ${near}` : ''}`,
  'warning.expressionNumbers': ({ values, names }) =>
    `${counted(values, 'Zahl ist zu groß', 'Zahlen sind zu groß')} für JSONata${names.length === 0 ? '' : ` (${names.map((each) => `„${each}“`).join(', ')})`} und ${values === 1 ? 'steht' : 'stehen'} im Ausdruck als Text, damit keine Ziffer verloren geht. $number(…) rechnet damit, auf etwa 16 Stellen gerundet`,
  'warning.expressionEmpty': 'Der Ausdruck findet nichts, also ist der Wert null. In [ ] gesetzt gibt er eine Liste',
  'warning.columnsDiffer': ({ path, missing, added }) =>
    `Die Dateien haben verschiedene Spalten: ${path}${missing.length > 0 ? ` fehlt ${missing.map((each) => `„${each}“`).join(', ')}` : ''}${missing.length > 0 && added.length > 0 ? ' und' : ''}${added.length > 0 ? ` hat zusätzlich ${added.map((each) => `„${each}“`).join(', ')}` : ''}. Die Datensätze werden so gesendet, wie sie sind`,
  'warning.columnTypesDiffer': ({ path, name, type, before }) =>
    `Die Spalte „${name}“ ist ${type} in ${path} und ${before} in der ersten Datei`,
  'warning.readAsChosen': ({ path }) => `${path} wurde so gelesen, wie Sie es in der Vorschau für Agenten gewählt haben`,
  'warning.nothingLeft': 'Die Auswahl lässt keinen Datensatz übrig, also ist die Liste leer',
  'warning.delimiterUnused': ({ delimiter, other }) =>
    `Keine Zeile enthält das verlangte Trennzeichen ${JSON.stringify(delimiter)}; ${JSON.stringify(other)} trennt Spalten`,
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
  'warning.jsonKeyTwice': ({ key, line, objects }) =>
    `${counted(objects, 'Objekt hat', 'Objekte haben')} einen Schlüssel zweimal (zuerst „${key}“, Zeile ${line}). Die meisten Programme behalten nur den letzten Wert`,
  'warning.jsonLinesWrapped': 'Die Datei hat Werte über mehrere Zeilen, nicht einen je Zeile wie JSON Lines; alle wurden gelesen',
  'warning.tagsIgnored': ({ tags }) => `Tags der YAML-Datei (${tags}) wurden nicht beachtet, ihre Werte bleiben erhalten`,
  'warning.argumentReplaced': ({ key }) => `Die Datei hat das Argument „${key}“ ersetzt`,
  'warning.headerAsRow': 'Das Werkzeug nimmt Listen von Werten, also ist die erste Zeile der Kopf der Tabelle',
  'warning.formChosen': ({ key, as, said }) =>
    `Das Werkzeug nimmt „${key}“ in mehreren Formen (${said}); die Datei ging als ${as}. Die andere Form lässt sich wählen`,
  'warning.argumentFilled': ({ key, value }) => `„${key}“ war nicht angegeben und wurde mit ${JSON.stringify(value)} ergänzt`,
  'warning.dataKeyInferred': ({ key }) =>
    `Es war kein Platz gewählt, also kam die Datei nach „${key}“, dem einzigen freien Argument, das für sie gedacht ist`,
};
