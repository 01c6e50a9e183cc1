/** Format detection, options, limits, transforms and expressions; warnings of a conversion. */

import { formatBytes } from '../../../lib/bytes.ts';
import { counted, type InCompanion, inOptions } from '../phrases.ts';

/** `bytes` is null where reading stopped at the limit, before the whole size was known. */
export interface Size {
  bytes: number | null;
  limit: number;
}

export interface FailedExpression {
  reason: string;
  position: number | undefined;
  /** The first record with which it fails, from 0; the names of its members that are null, and its line in the file. */
  record: number | undefined;
  empty: readonly string[];
  line: number | undefined;
}

/** Options that a format does not take, and those that it takes. */
export interface ForeignOptions {
  format: string;
  as: string;
  options: readonly string[];
  takes: readonly string[];
}

/** Numbers written like an example: what it is read as (null where it stays text), and what it may mean. */
export interface MaybeThousands {
  columns: readonly string[];
  example: string;
  readAs: number | null;
  meant: number;
}

const atLine = (line: number | undefined): string => (line === undefined ? '' : ` at line ${line}`);

const quoted = (names: readonly string[]): string => names.map((each) => `'${each}'`).join(', ');

/** As an expression names it. */
const named = (column: string): string => (/^[A-Za-z_]\w*$/.test(column) ? column : `\`${column}\``);

const binaryKinds = {
  zip: {
    what: 'a ZIP archive, as Excel workbooks and Word documents are',
    advice: 'If it is one of these, give format: "xlsx", "docx", "pptx" or "odt"',
  },
  compound: { what: 'a file of an old Office program', advice: 'Save it as .xlsx, .docx or CSV' },
  pdf: { what: 'a PDF', advice: 'Give format: "pdf" for its text' },
  gzip: { what: 'compressed with gzip', advice: 'Give it a name that ends in .gz' },
  rtf: { what: 'a rich text (RTF) document', advice: 'Save it as .docx or as plain text' },
  arrow: { what: 'an Arrow or Feather file', advice: 'Save it as Parquet or CSV' },
  avro: { what: 'an Avro file', advice: 'Save it as Parquet or JSON Lines' },
  bzip2: { what: 'compressed with bzip2', advice: 'Unpack it first, or pack it with gzip' },
  xz: { what: 'compressed with xz', advice: 'Unpack it first, or pack it with gzip' },
  '7z': { what: 'a 7z archive', advice: 'Unpack it first, or pack its files as a ZIP archive' },
  html: {
    what: 'a web page (HTML), such as a login page or a table that a site calls a workbook',
    advice: 'Save its table as .xlsx or CSV. For the page as text, ask for as: "text"',
  },
  json: { what: 'JSON', advice: 'Give format: "json", or "jsonl" for one value per line' },
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
  'format.binaryPlist': ({ name }: { name: string }) => `'${name}' is a binary property list, which is not read`,
  'format.binaryPlist.hint': ({ options }: InCompanion) =>
    `Write it as XML first (plutil -convert xml1 FILE), or pass its bytes with as: "base64"${inOptions(options)}.`,
  'format.spreadsheet': ({ name }: { name: string }) =>
    `'${name}' is a spreadsheet of a kind that is not read: save it as .xlsx or CSV`,
  'format.spreadsheet.hint': ({ options }: InCompanion) =>
    `Name that file then. To send the bytes of the spreadsheet to a tool that wants them, ask for as: "base64".${inOptions(options)}`,
  'format.binary': ({ name, format, kind }: { name: string; format: string; kind: keyof typeof binaryKinds }) =>
    `'${name}' is not ${format}: it is ${binaryKinds[kind].what}`,
  'format.binary.hint': ({ kind, name }: { kind: keyof typeof binaryKinds; name: string }) =>
    `${(kind === 'compound' && savedAs(name)) || binaryKinds[kind].advice}. To send its bytes as they are, ask for as: "base64"`,
  'format.unknown': ({ name }: { name: string }) => `The format of '${name}' is not known, and its content is not text`,
  'format.unknown.hint': ({ encoding, options }: InCompanion & { encoding: string | null }) =>
    encoding !== null
      ? `Check the encoding. If it is ${encoding} text all the same, ask for format: "text".${inOptions(options)}`
      : `To send its bytes as they are, ask for as: "base64" (or "data_uri"). If it is text after all, name it: format: "text", with the encoding.${inOptions(options)}`,

  'options.foreign': ({ format, as, options }: ForeignOptions) =>
    `${options.map((option) => `'${option}'`).join(', ')} ${options.length === 1 ? 'does' : 'do'} not apply to ${
      as === 'base64' || as === 'data_uri' ? `bytes that are passed as they are (as: "${as}")` : `${format.toUpperCase()} files`
    }`,
  'options.foreign.hint': ({ takes, options }: ForeignOptions) =>
    `Leave ${options.length === 1 ? 'it' : 'them'} out${takes.length === 0 ? '' : `. What applies: ${takes.join(', ')}`}${
      options.some((option) => option === 'table' || option === 'query') ? ". The tool's own arguments go into tool_args" : ''
    }`,

  'options.twoStarts': ({ row, skip }: { row: number; skip: number }) =>
    `header_row: ${row} and skip: ${skip} both say where the table begins: give one of them`,
  'options.twoStarts.hint': ({ options }: InCompanion) =>
    `header_row is counted from the top of the file, so it needs no skip.${inOptions(options)}`,

  'range.invalid': ({ range }: { range: string }) => `'${range}' is no range of cells`,
  'range.invalid.hint': 'Give it as "A5:Z" (from A5 to column Z), "B2:D20", "B:D" or "2:10".',

  'size.file': ({ bytes, limit }: Size) => {
    const allowed = formatBytes(limit);
    if (bytes === null) return `File size more than ${allowed} exceeds maximum allowed size of ${allowed}`;
    // For one byte too many the text would otherwise be "10 MB exceeds 10 MB".
    const over = bytes - limit;
    const actual =
      formatBytes(bytes) === allowed
        ? `${allowed} (${over} ${over === 1 ? 'byte' : 'bytes'} more than that)`
        : formatBytes(bytes);
    return `File size ${actual} exceeds maximum allowed size of ${allowed}`;
  },
  'size.file.hint': ({ setting }: { setting: 'maxFileBytes' | 'maxStreamedFileBytes' }) =>
    `${setting === 'maxFileBytes' ? 'Documents, YAML, XML and JSONata expressions need the whole file in memory.' : 'This bounds a file after decompression.'} Make the file smaller, or ask the user to raise limits.${setting} in the Settings of Filebridge.`,
  'size.expression': ({ limit }: { limit: number }) =>
    `File size as JSON of more than ${formatBytes(limit)} exceeds maximum allowed size of ${formatBytes(limit)}`,
  'size.expression.hint':
    'An expression needs the whole value in memory: narrow it with where, select or limit first, or raise limits.maxFileBytes.',
  'size.zstdWindow': 'Failed to decompress Zstandard file: it needs a window of more than 128 MB',
  'size.zstdWindow.hint': 'Compress it again without --ultra or --long.',
  'size.aliases': ({ limit }: { limit: number }) => `its aliases expand to more than ${formatBytes(limit)}`,
  'size.aliases.hint': 'This is bounded by limits.maxFileBytes',
  'size.workbookTexts': 'The texts of the workbook take too much memory',
  'size.workbookTexts.hint': ({ times }: { times: number }) =>
    `A workbook may hold ${times} times limits.maxFileBytes of text. Raise that setting, or save the sheet as CSV.`,

  'types.noRecords': 'The file holds a single value and no records, so it has no columns that types could name',
  'types.noRecords.hint': ({ options }: InCompanion) => `Leave types out.${inOptions(options)}`,
  'types.misfit': ({
    record,
    column,
    type,
    cell,
    line,
  }: {
    record: number;
    column: string;
    type: string;
    cell: string;
    line?: number;
  }) =>
    `Record ${record}${line === undefined ? '' : ` (line ${line})`}: column '${column}' is not ${type === 'number' ? 'a number' : 'true or false'} (${cell})`,

  'transform.noList': ({ step, kind }: { step: string; kind: string }) =>
    `transform.${step} works on a list of records, but this file holds ${kind}`,
  'transform.noList.hint': ({ options }: InCompanion) =>
    `Use transform.expression, which works on any value, or leave the transform out.${inOptions(options)}`,
  'transform.listsInside': ({ lists: [first = '', ...others], options }: InCompanion & { lists: readonly string[] }) =>
    `Take the list inside it with transform.expression: ${JSON.stringify(first)}${others.length > 0 ? ` (or ${others.map((each) => JSON.stringify(each)).join(', ')})` : ''}; an expression takes a part of it too, as in ${JSON.stringify(`${first}[[0..9]]`)}.${inOptions(options)}`,
  'transform.selectNothing': 'transform.select names no column',
  'transform.selectNothing.hint': 'Leave select out to get all columns',
  'transform.selectTwice': ({ column }: { column: string }) => `transform.select names column '${column}' twice`,
  'transform.renameSame': ({ one, other, name }: { one: string; other: string; name: string }) =>
    `transform.rename gives columns '${one}' and '${other}' the same name '${name}'`,
  'transform.renameLeftOut': ({ column }: { column: string }) =>
    `transform.rename names column '${column}', which transform.select leaves out`,
  'transform.renameLeftOut.hint': 'Columns are selected first and renamed then: name them in select as they are in the file',
  'transform.noColumns': ({ record, line }: { record: number; line: number | undefined }) =>
    `Record ${record}${atLine(line)} is neither an object nor a list, so it has no columns`,
  'transform.noColumns.hint': 'Use where, select and rename on tables only, or an expression',
  'transform.unnamed': ({ record, line }: { record: number; line: number | undefined }) =>
    `transform.rename: record ${record}${atLine(line)} is a list, whose columns have no names`,
  'transform.noColumn': ({ step, column, records }: { step: string; column: string; records: number }) =>
    `transform.${step} names column '${column}', which none of ${records === 1 ? 'the one record' : `the ${records} records`} read has`,
  'transform.noColumn.none': 'The records have no columns',
  'transform.noColumn.known': ({ known, more }: { known: readonly string[]; more: boolean }) =>
    `The columns are ${known.map((each) => `'${each}'`).join(', ')}${more ? ', …' : ''}`,
  'transform.collision': ({ record, line, name }: { record: number; line: number | undefined; name: string }) =>
    `transform.rename: record ${record}${atLine(line)} would have two columns '${name}'`,
  'transform.collision.hint': ({ name }: { name: string }) =>
    `Give the new column another name, or leave the old '${name}' out with select`,

  'where.otherType': ({ column, type, op, value }: { column: string; type: string; op: string; value: string }) =>
    `transform.where: column '${column}' holds values of type ${type}, which '${op}' cannot compare with ${value}`,
  'where.otherType.hint': ({ type, op }: { type: string; op: string }) => {
    const searches = op === 'contains' || op === 'starts_with';
    if (searches && type !== 'string' && type !== 'number') return `'${op}' searches texts and numbers: use another test`;
    if (searches) return 'Give a text or a number as the value';
    return type === 'string' ? 'Write the value in quotes' : `Give a ${type} as the value`;
  },
  'where.noValue': ({ op, column }: { op: string; column: string }) =>
    `transform.where: '${op}' on column '${column}' needs a value`,
  'where.noList': ({ column }: { column: string }) => `transform.where: 'in' on column '${column}' needs a list as its value`,
  'where.oneValue': ({ op, column }: { op: string; column: string }) =>
    `transform.where: '${op}' on column '${column}' takes one value; use 'in' for a list`,
  'where.noText': ({ column }: { column: string }) =>
    `transform.where: 'starts_with' on column '${column}' needs a text or a number`,
  'where.noOrder': ({ op, column }: { op: string; column: string }) =>
    `transform.where: '${op}' on column '${column}' needs a number or a text`,

  'expression.failed': ({ reason, position, record, empty, line }: FailedExpression) =>
    `The expression failed: ${reason}${position === undefined ? '' : ` at character ${position}`}${record === undefined ? '' : `, with record ${record}${line === undefined ? '' : ` (line ${line})`}`}${empty.length === 0 ? '' : `, in which ${empty.slice(0, 5).join(', ')} ${empty.length === 1 ? 'is' : 'are'} null`}`,
  'expression.empty.hint': ({ column }: { column: string }) =>
    `Say in the expression what becomes of null, as in ${named(column)} = null ? … : …, or leave such records out with transform.where: [{"column": ${JSON.stringify(column)}, "op": "not_null"}]`,
  'expression.failed.hint': 'Expressions are written in JSONata and name columns as they are after rename',
  'expression.ended': ({ how }: { how: string }) => `its process ended early (${how})`,
  'expression.slow': ({ seconds }: { seconds: number }) => `The expression took longer than ${seconds} s`,
  'expression.slow.hint': 'Raise limits.expressionTimeoutMs, or make the expression do less',
  'expression.noStart': ({ reason }: { reason: string }) => `The expression could not be run: ${reason}`,
  'expression.memory': ({ bytes }: { bytes: number }) => `The expression needed more than ${formatBytes(bytes)} of memory`,
  'expression.memory.hint': 'Raise limits.expressionMemoryBytes, or make the expression do less',

  'convert.outOfMemory': 'Converting the file took more memory than there is for it',
  'convert.outOfMemory.hint': ({ options }: InCompanion) =>
    `Use a smaller file, or narrow it with transform${inOptions(options)}; YAML, XML and expressions need all of it in memory`,
  'convert.noMemory': 'There is too little memory to convert the file',
  'convert.noMemory.hint': 'Try again: it is then read in another way',
  'convert.closing': 'Filebridge is being closed',
  'convert.notWanted': 'The hash is no longer wanted',

  'thread.ended': ({ reason }: { reason: string }) => `The thread that converts files has ended unexpectedly: ${reason}`,
  'thread.ended.hint': 'Try again: a new one is started. If it happens with this file each time, please report it',

  'warning.encodingMark': ({ encoding, asked }: { encoding: string; asked: string }) =>
    `The file says of itself that it is ${encoding} (byte-order mark), so it was not read as ${asked}`,
  'warning.nulCharacters': ({ offset }: { offset: number }) =>
    `The text holds NUL characters (first at offset ${offset}): if it is UTF-16 without a byte-order mark, name the encoding (utf-16le); if it is no text, ask for as: "base64"`,
  'warning.encodingGuessed': ({ offset, encoding, word }: { offset: number; encoding: string; word: string }) =>
    `Not valid UTF-8 (first bad byte at offset ${offset}), read as ${encoding} by its words ('${word}'); if letters look wrong, name the encoding`,
  'warning.encodingUnmarked': ({ encoding }: { encoding: string }) =>
    `Read as ${encoding} by the places of its NUL bytes; it has no byte-order mark`,
  'warning.jsonLines': 'The file is JSON Lines: a list of the values of its lines',
  'warning.noRecords': 'The file holds no records',
  'warning.emptyFile': 'The file is empty',
  'warning.emptyTable': 'The file is empty, so there are no records',
  'warning.headerOnly': 'The file holds a header only, so there are no records',
  'warning.headerCompleted': ({ names }: { names: readonly string[] }) =>
    `Empty or repeated column names were completed: ${names.join(', ')}`,
  'warning.rowsShort': ({ rows, line }: { rows: number; line: number }) =>
    `${counted(rows, 'row has', 'rows have')} fewer cells than there are columns (first at line ${line}); missing cells are null`,
  'warning.rowsLong': ({ rows, line }: { rows: number; line: number }) =>
    `${counted(rows, 'row has', 'rows have')} more cells than there are columns (first at line ${line}); they are kept`,
  'warning.rowsCut': ({ rows, line }: { rows: number; line: number }) =>
    `${counted(rows, 'row has', 'rows have')} more cells than there are columns (first at line ${line}); the extra cells are dropped`,
  'warning.linesSkipped': ({ first, last, title }: { first: number; last: number; title: string | null }) =>
    `${first === last ? `Line ${last}` : `Lines ${first} to ${last}`} above the header ${first === last ? 'was' : 'were'} skipped${title === null ? '' : ` (${title})`}; ask for skip: 0 to read every line`,
  'warning.footerSkipped': ({ first, last, text }: { first: number; last: number; text: string }) =>
    `${first === last ? `Line ${last}` : `Lines ${first} to ${last}`} below the table ${first === last ? 'was' : 'were'} skipped (${text}); ask for ragged: "error" to read every line`,
  'warning.csvDialect': ({ option }: { option: string }) =>
    `The file was read with ${option}, because all rows fit that only; ask for quote: "\\"" to read it as usual`,
  'warning.decimalComma': ({ columns }: { columns: readonly string[] }) =>
    `Numbers with a decimal comma stay text (${columns.join(', ')}); ask for decimal: "," to get numbers`,
  'warning.datesAsText': ({ columns }: { columns: readonly string[] }) =>
    `Dates stay text as written (${columns.join(', ')}); ask for dates: "iso" to get 2024-12-31`,
  'warning.maybeThousands': ({ columns, example, readAs, meant }: MaybeThousands) =>
    `Numbers like ${example} may be thousands (${columns.join(', ')}): here it ${readAs === null ? 'stays text' : `is ${readAs}`}; ask for decimal: "," if ${meant} is meant`,
  'warning.mixedDates': ({ columns, first, other }: { columns: readonly string[]; first: string; other: string }) =>
    `Dates are written in two forms and stay text (${columns.join(', ')}: ${first}, ${other}); write one form in the file`,
  'warning.totalRow': ({ line, text }: { line: number; text: string }) =>
    `Line ${line} looks like a total (${text}), and is read as a record; transform where leaves it out`,
  'warning.headerLooksLikeData': ({ line }: { line: number }) =>
    `Line ${line} became the header, but it looks like data; ask for header: false if the file has no header`,
  'warning.headerLooksLikeTitle': ({ line, next }: { line: number; next: number }) =>
    `Line ${line} became the header, but names one column only; if it is a title above the table, ask for header_row: ${next}`,
  'warning.headerBelow': ({ line, next }: { line: number; next: number }) =>
    `Line ${line} became the header, but line ${next} looks like it; ask for header_row: ${next} if it is`,
  'warning.expressionNames': ({ names, near }: { names: readonly string[]; near: unknown }) =>
    `The expression reads ${quoted(names)}, which nothing in the file has, so it finds nothing there${near ? `. ${near}` : ''}`,
  'warning.expressionNumbers': ({ values, names }: { values: number; names: readonly string[] }) =>
    `${counted(values, 'number is too big', 'numbers are too big')} for JSONata${names.length === 0 ? '' : ` (${quoted(names)})`} and ${values === 1 ? 'is text' : 'are text'} in the expression, so that no digit is lost; $number(…) calculates with such a text, rounded to about 16 digits`,
  'warning.expressionEmpty': 'The expression finds nothing, so the value is null; with [ ] around it, it gives a list',
  'warning.columnsDiffer': ({ path, missing, added }: { path: string; missing: readonly string[]; added: readonly string[] }) =>
    `The files have different columns: ${path}${missing.length > 0 ? ` lacks ${quoted(missing)}` : ''}${missing.length > 0 && added.length > 0 ? ' and' : ''}${added.length > 0 ? ` has ${quoted(added)}, which the first has not` : ''}; its records are sent as they are`,
  'warning.columnTypesDiffer': ({ path, name, type, before }: { path: string; name: string; type: string; before: string }) =>
    `Column '${name}' is ${type} in ${path} and ${before} in the first file; set types: {${JSON.stringify(name)}: "string"} to send the same from both`,
  'warning.readAsChosen': ({ path, options }: { path: string; options: string }) =>
    `'${path}' was read as the person chose for it (${options}); options in the call replace that`,
  'warning.nothingLeft': 'The transform leaves no record, so the list is empty',
  'warning.delimiterUnused': ({ delimiter, other }: { delimiter: string; other: string }) =>
    `No line has the delimiter ${JSON.stringify(delimiter)} that was asked for; ${JSON.stringify(other)} separates columns`,
  'warning.nullMarks': ({ columns, marks }: { columns: readonly string[]; marks: readonly string[] }) =>
    `Columns stay text only for cells that seem to mean no value (${columns.join(', ')}); ask for nulls: ${JSON.stringify(marks)} to get numbers`,
  'warning.formulaCells': ({ columns }: { columns: readonly string[] }) =>
    `Cells are written as formulas for a spreadsheet, ="…", and stay as they are (${columns.join(', ')})`,
  'warning.blankLines': ({ lines, first }: { lines: number; first: number }) =>
    `${counted(lines, 'blank line was skipped', 'blank lines were skipped')} in a file of one column (first at line ${first}); if it is a missing value, write it as "" in the file`,
  'warning.blankRows': ({ rows }: { rows: number }) =>
    `At least ${counted(rows, 'row has', 'rows have')} only empty cells, and ${rows === 1 ? 'is a record' : 'are records'} of null; transform where leaves them out`,
  'warning.headerAgain': ({ record }: { record: number }) =>
    `Record ${record} repeats the header, as if two files had been joined; transform where leaves it out`,
  'warning.markdownTable':
    'The second line is the rule of a Markdown table, which is read as a record; save the table as CSV, or ask for as: "text"',
  'warning.fixedWidth':
    'The table has one column, and its lines look like columns of fixed width, which are not told apart; save it as CSV, or ask for as: "text"',
  'warning.oneColumn': ({ separator }: { separator: string }) =>
    `The table has one column, and every line has the same number of "${separator}"; ask for delimiter: "${separator}" if that separates columns`,
  'warning.jsonRelaxed': ({ comments, commas, values }: { comments: number; commas: number; values: number }) =>
    `The file is not strict JSON and was read all the same: ${[
      ...(comments > 0 ? [`${counted(comments, 'comment', 'comments')} left out`] : []),
      ...(commas > 0 ? [`${counted(commas, 'comma', 'commas')} too many`] : []),
      ...(values > 1 ? [`${values} values one after the other, which became a list`] : []),
    ].join(', ')}`,
  'warning.jsonKeyTwice': ({ key, line, objects }: { key: string; line: number; objects: number }) =>
    `${counted(objects, 'object has', 'objects have')} a key twice (first '${key}', line ${line}); most programs keep only the last value`,
  'warning.jsonLinesWrapped':
    'The file has values over several lines, not one value per line as JSON Lines has; all of them were read',
  'warning.tagsIgnored': ({ tags }: { tags: number }) => `Tags of the YAML file (${tags}) were ignored and their values kept`,
  'warning.argumentReplaced': ({ key }: { key: string }) => `The file replaced '${key}' of tool_args`,
  'warning.headerAsRow': 'The tool takes lists of values, so the first row is the header of the table',
  'warning.formChosen': ({ key, as, said, other }: { key: string; as: string; said: string; other: string }) =>
    `The tool takes '${key}' in several forms (${said}); the file went as ${as}. as: "${other}" sends the other form`,
  'warning.argumentFilled': ({ key, value }: { key: string; value: string }) =>
    `'${key}' was not given and was filled in: ${JSON.stringify(value)}`,
  'warning.dataKeyInferred': ({ key }: { key: string }) =>
    `No data_key was given, so the file went to '${key}', the only free argument that is meant for it`,
};
