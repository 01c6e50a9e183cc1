/** Where persons read other words than those of agents.en/converting.ts. */
import { formatBytes } from '../../../lib/bytes.ts';
import type { converting as agents } from '../agents.en/converting.ts';
import type { Table } from '../message.ts';
import { counted } from '../phrases.ts';
import { dialects, limitName, optionName, testName } from './phrases.ts';

const atLine = (line: number | undefined): string => (line === undefined ? '' : ` (line ${line})`);

const quoted = (names: readonly string[]): string => names.map((each) => `'${each}'`).join(', ');

const types: Readonly<Record<string, string>> = {
  string: 'texts',
  number: 'numbers',
  boolean: 'true or false',
  object: 'objects',
  array: 'lists',
};

const bytesInstead = 'To send its bytes as they are, choose “Its bytes (Base64)” at “Pass it on as”';

const advice = {
  zip: 'If it is one of these, choose Excel or Word as the format',
  compound: 'Save it as .xlsx, .docx or CSV',
  pdf: 'Choose PDF as the format to read its text',
  gzip: 'Give it a name that ends in .gz',
  rtf: 'Save it as .docx or as plain text',
  arrow: 'Save it as Parquet or CSV',
  avro: 'Save it as Parquet or JSON Lines',
  bzip2: 'Unpack it first, or pack it with gzip',
  xz: 'Unpack it first, or pack it with gzip',
  '7z': 'Unpack it first, or pack its files as a ZIP archive',
  html: 'Save its table as .xlsx or CSV. To send the page as text, choose “Plain text” at “Pass it on as”',
  json: 'Choose JSON as the format, or JSONL where each line is a value',
} as const;

/** What to save a file of an old Office program as, by its ending. */
function savedAs(name: string): string | undefined {
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const wanted = Object.hasOwn(newer, ending) ? newer[ending] : undefined;
  return wanted && `Save it as ${wanted}`;
}
const newer: Readonly<Record<string, string>> = {
  doc: '.docx',
  dot: '.docx',
  ppt: '.pptx',
  pps: '.pptx',
  xls: '.xlsx',
  msg: '.eml',
};

export const converting = {
  'format.binaryPlist.hint': () => `Save it as XML first. ${bytesInstead}.`,
  'format.spreadsheet.hint': () => `Open that file then. ${bytesInstead}.`,
  'format.binary.hint': ({ kind, name }) => `${(kind === 'compound' && savedAs(name)) || advice[kind]}. ${bytesInstead}`,
  'format.unknown.hint': ({ encoding }) =>
    encoding !== null
      ? `Check the encoding. If it is ${encoding} text all the same, choose Text as the format.`
      : `${bytesInstead}. If it is text after all, choose Text as the format, and its encoding.`,

  'options.foreign': ({ format, as, options }) =>
    `${options.map((option) => `“${optionName(option)}”`).join(', ')} ${options.length === 1 ? 'does' : 'do'} not apply to ${
      as === 'base64' || as === 'data_uri' ? 'bytes that are passed on as they are' : `${format.toUpperCase()} files`
    }`,
  'options.foreign.hint': ({ options, takes }) =>
    `Set ${options.length === 1 ? 'it' : 'them'} back to automatic${takes.length === 0 ? '' : `. What applies: ${takes.map(optionName).join(', ')}`}`,

  'options.twoStarts': ({ row, skip }) =>
    `Header row ${row} and ${counted(skip, 'line', 'lines')} to skip both say where the table begins: give one of them`,
  'options.twoStarts.hint': () => 'The header row is counted from the top of the file, so nothing has to be skipped.',

  'range.invalid.hint': 'Give them as A5:Z (from A5 to column Z), B2:D20, B:D or 2:10.',

  'size.file': ({ bytes, limit }) => {
    if (bytes === null) return `The file has more than the ${formatBytes(limit)} that are allowed`;
    const over =
      formatBytes(bytes) === formatBytes(limit)
        ? `${counted(bytes - limit, 'byte', 'bytes')} more than is allowed`
        : `and ${formatBytes(limit)} are allowed`;
    return `The file has ${formatBytes(bytes)}, ${over}`;
  },
  'size.file.hint': ({ setting }) =>
    `${setting === 'maxFileBytes' ? 'Documents, YAML, XML and transformations need the whole file in memory.' : 'This bounds a file after it is unpacked.'} Raise “${limitName(setting)}” in Settings, or make the file smaller.`,
  'size.expression': ({ limit }) => `As JSON, the file has more than the ${formatBytes(limit)} that are allowed`,
  'size.expression.hint': `This transformation needs all of it in memory: take fewer records or columns first, or raise “${limitName('maxFileBytes')}” in Settings.`,
  'size.zstdWindow.hint': 'Compress it again with usual settings.',
  'size.aliases.hint': `The limit is “${limitName('maxFileBytes')}” in Settings`,
  'size.workbookTexts.hint': ({ times }) =>
    `A workbook may hold ${times} times “${limitName('maxFileBytes')}” of text. Raise that in Settings, or save the sheet as CSV.`,

  'types.noRecords': 'The file holds a single value and no records, so it has no columns with types',
  'types.noRecords.hint': () => 'Set the column types back to automatic.',

  'transform.noList': ({ kind }) => `The transformation works on a list of records, but this file holds ${kind}`,
  'transform.noList.hint': () => 'Use an expression, which works on any value, or leave the transformation out.',
  'transform.listsInside': ({ lists }) =>
    `Take the list inside it with an expression such as ${lists.map((each) => JSON.stringify(each)).join(' or ')}.`,
  'transform.selectNothing': 'The choice of columns names none',
  'transform.selectNothing.hint': 'Without a choice, all columns are sent',
  'transform.selectTwice': ({ column }) => `Column '${column}' is chosen twice`,
  'transform.renameSame': ({ one, other, name }) => `Columns '${one}' and '${other}' would both be called '${name}'`,
  'transform.renameLeftOut': ({ column }) => `Column '${column}' is renamed, but not among the chosen columns`,
  'transform.renameLeftOut.hint': 'Columns are chosen first and renamed then: choose them by their names in the file',
  'transform.noColumns.hint':
    'Only tables can be filtered, and their columns chosen and renamed. An expression works on any value',
  'transform.unnamed': ({ record, line }) =>
    `Record ${record}${atLine(line)} is a list: its columns have no names that could be changed`,
  'transform.noColumn': ({ column, records }) =>
    `${records === 1 ? 'The one record' : `None of the ${records} records`} that ${records === 1 ? 'was read has no' : 'were read has a'} column '${column}'`,
  'transform.collision': ({ record, line, name }) =>
    `Record ${record}${atLine(line)} would have two columns '${name}' after renaming`,
  'transform.collision.hint': ({ name }) => `Give the new column another name, or leave out the old '${name}'`,

  'where.otherType': ({ column, type, op, value }) =>
    `Column '${column}' holds ${types[type] ?? type}, which “${testName(op)}” cannot compare with ${value}`,
  'where.otherType.hint': ({ type, op }) => {
    const searches = op === 'contains' || op === 'starts_with';
    if (searches && type !== 'string' && type !== 'number')
      return `“${testName(op)}” searches texts and numbers: use another test`;
    if (searches) return 'Give a text or a number as the value';
    return type === 'string' ? 'Write the value in quotes' : 'Compare with a value of that kind';
  },
  'where.noValue': ({ op, column }) => `The filter “${testName(op)}” on column '${column}' needs a value`,
  'where.noList': ({ column }) => `The filter “in” on column '${column}' needs a list of values`,
  'where.oneValue': ({ op, column }) =>
    `The filter “${testName(op)}” on column '${column}' takes one value. For several there is “in”`,
  'where.noText': ({ column }) => `The filter “starts with” on column '${column}' needs a text or a number`,
  'where.noOrder': ({ op, column }) => `The filter “${testName(op)}” on column '${column}' needs a number or a text`,

  'expression.empty.hint': ({ column }) =>
    `Say in the expression what becomes of empty values, as in ${column} = null ? … : …, or leave out records without '${column}'`,
  'expression.failed.hint': 'Expressions are written in JSONata and name columns by their new names',
  'expression.slow.hint': 'Raise “Longest transformation” in Settings, or make the expression do less',
  'expression.memory.hint': 'Make the expression do less, or take fewer records first',

  'convert.outOfMemory.hint': () => 'Use a smaller file, or less of it. YAML, XML and transformations need all of it in memory',
  'convert.notWanted': 'The fingerprint is no longer wanted',
  'thread.ended': ({ reason }) => `Reading the file has ended unexpectedly: ${reason}`,
  'thread.ended.hint': 'Try again. If it happens with this file each time, please report it',

  'warning.nulCharacters': ({ offset }) =>
    `The text holds NUL characters (first at offset ${offset}). If it is UTF-16 without a byte-order mark, choose the encoding utf-16le; if it is no text, pass on its bytes (Base64)`,
  'warning.encodingGuessed': ({ encoding, word }) =>
    `The letters were read as ${encoding}, by words such as '${word}'. If letters look wrong, choose the encoding`,
  'warning.linesSkipped': ({ first, last, title }) =>
    `${first === last ? `Line ${last}` : `Lines ${first} to ${last}`} above the header ${first === last ? 'was' : 'were'} skipped${title === null ? '' : ` (${title})`}. Choose 0 at “Lines to skip” to read every line`,
  'warning.footerSkipped': ({ first, last, text }) =>
    `${first === last ? `Line ${last}` : `Lines ${first} to ${last}`} below the table ${first === last ? 'was' : 'were'} skipped (${text})`,
  'warning.csvDialect': ({ option }) =>
    `The file was read with ${dialects[option.split(':', 1)[0] ?? ''] ?? 'other marks than usual'}, because all rows fit that only`,
  'warning.decimalComma': ({ columns }) =>
    `Numbers with a decimal comma stay text (${columns.join(', ')}). Choose “Read as numbers with a decimal comma” to get numbers`,
  'warning.datesAsText': ({ columns }) =>
    `Dates stay text as written (${columns.join(', ')}). Choose “Write dates as 2024-12-31” to change that`,
  'warning.maybeThousands': ({ columns, example, readAs, meant }) =>
    `Numbers like ${example} may be thousands (${columns.join(', ')}): here it ${readAs === null ? 'stays text' : `is ${readAs}`}. If ${meant} is meant, choose “Read as numbers with a decimal comma”`,
  'warning.totalRow': ({ line, text }) => `Line ${line} looks like a total (${text}), and is read as a record`,
  'warning.headerLooksLikeData': ({ line }) =>
    `Line ${line} became the header, but it looks like data. If the file has no header, choose “There is no header”`,
  'warning.headerLooksLikeTitle': ({ line, next }) =>
    `Line ${line} became the header, but names one column only. If it is a title above the table, choose ${next} as the header row`,
  'warning.headerBelow': ({ line, next }) =>
    `Line ${line} became the header, but line ${next} looks like it. If it is, choose ${next} as the header row`,
  'warning.expressionNumbers': ({ values, names }) =>
    `${counted(values, 'number is too big', 'numbers are too big')} for the transformation${names.length === 0 ? '' : ` (${quoted(names)})`} and ${values === 1 ? 'is text' : 'are text'} in it, so that no digit is lost`,
  'warning.columnTypesDiffer': ({ path, name, type, before }) =>
    `Column '${name}' is ${type} in ${path} and ${before} in the first file`,
  'warning.readAsChosen': ({ path }) => `${path} was read as you chose in Preview for agents`,
  'warning.nothingLeft': 'The filter leaves no record, so the list is empty',
  'warning.nullMarks': ({ columns, marks }) =>
    `Columns stay text only for cells that seem to mean no value (${columns.join(', ')}: ${marks.join(', ')}). Name these at “Text that means no value” to get numbers`,
  'warning.blankRows': ({ rows }) =>
    `At least ${counted(rows, 'row has', 'rows have')} only empty cells, and ${rows === 1 ? 'is a record' : 'are records'} of null`,
  'warning.headerAgain': ({ record }) => `Record ${record} repeats the header, as if two files had been joined`,
  'warning.markdownTable':
    'The second line is the rule of a Markdown table, which is read as a record. Save the table as CSV, or pass it on as plain text',
  'warning.fixedWidth':
    'The table has one column, and its lines look like columns of fixed width, which are not told apart. Save it as CSV, or pass it on as plain text',
  'warning.oneColumn': ({ separator }) =>
    `The table has one column, and every line has the same number of “${separator}”. If that separates columns, choose it as the separator`,
  'warning.argumentReplaced': ({ key }) => `The file replaced the argument '${key}'`,
  'warning.formChosen': ({ key, as, said }) =>
    `The tool takes '${key}' in several forms (${said}), and the file went as ${as}. The other form can be chosen at “Pass it on as”`,
  'warning.argumentFilled': ({ key, value }) => `'${key}' was not given and was filled in with ${JSON.stringify(value)}`,
  'warning.dataKeyInferred': ({ key }) =>
    `No place was chosen, so the file went to '${key}', the only free argument that is meant for it`,
} satisfies Partial<Table<typeof agents>>;
