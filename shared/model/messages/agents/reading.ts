/** Messages about reading and converting files. */
import { contents, counted, type InCompanion, inOptions, place, quotedList } from '../phrases.ts';

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

/** By the codes of the parser's errors. */
const yamlFaults: Readonly<Record<string, string>> = {
  BLOCK_AS_IMPLICIT_KEY: 'a value holds a colon followed by a space, which begins another key',
  BAD_INDENT: 'the indentation does not fit the lines above',
  TAB_AS_INDENT: 'a tab indents, which only spaces may',
  MISSING_CHAR: 'a colon, a comma, a quote or a bracket is missing',
  MULTILINE_IMPLICIT_KEY: 'a key is on one line, with its colon',
  BAD_DQ_ESCAPE: 'an unknown escape in double quotes: single quotes keep a backslash as it is',
  BLOCK_IN_FLOW: 'a list or map by indentation cannot be inside of brackets',
  UNEXPECTED_TOKEN: 'something is here that YAML does not allow',
  DUPLICATE_KEY: 'the key is there twice',
  KEY_OVER_1024_CHARS: 'a key is longer than 1,024 characters',
};

const tomlFaults = {
  twice: 'this is defined a second time',
  leadingZero: 'a number begins with 0: a code needs quotes',
  openString: 'a string is not closed, or holds a control character',
  behindValue: 'something follows a value on its line',
  comma: 'a comma or a closing bracket is missing',
  value: 'this is no value: a text needs quotes',
  key: 'a key is not followed by =, or needs quotes',
  invalid: 'this is not valid TOML',
} as const;

/** Options that a format does not take, and those that it takes. */
export interface ForeignOptions {
  format: string;
  as: string;
  options: readonly string[];
  takes: readonly string[];
}

/** Number of rows with extra cells, and the lines of the first. */
export interface RaggedRows {
  rows: number;
  lines: readonly number[];
  more?: boolean | undefined;
}

export const reading = {
  'parse.failed': ({
    format,
    reason,
    line,
    column,
  }: {
    format: string;
    reason: string;
    line: number;
    column?: number | undefined;
  }) => `Failed to parse ${format} file: ${reason} at ${place(line, column, 'line', 'column')}`,
  'parse.maxNesting': 'This is bounded by limits.maxNesting',
  'parse.maxNestingSetting': 'The setting limits.maxNesting bounds the depth.',
  'parse.tooDeep': ({ levels }: { levels: number }) => `values are nested more than ${levels} levels deep`,
  'parse.elementsTooDeep': ({ levels }: { levels: number }) => `elements are nested more than ${levels} levels deep`,

  'csv.ragged': ({ cells, columns }: { cells: number; columns: number }) =>
    `${cells} cells in a row of a table with ${counted(columns, 'column', 'columns')}`,
  'csv.ragged.hint': ({ options, rows, lines, more }: InCompanion & RaggedRows) =>
    `${rows > 1 ? `${more ? 'At least ' : ''}${rows} rows have extra cells (lines ${lines.join(', ')}${rows > lines.length ? ', …' : ''}). ` : ''}Quote cells that hold the delimiter, or ask for ragged: "keep" to get extra cells as _extra, or ragged: "cut" to drop them.${inOptions(options)}`,
  'csv.quoteOpen': 'a quote is opened and never closed',
  'csv.quoteOpenLong': 'a quote is opened and not closed within 512 MB',
  'csv.rowLong': 'a row is longer than 512 MB',
  'csv.rowLong.hint': 'Check that the file has line breaks between its records.',
  'csv.quoteClose.hint': 'Close the quote there. A quote inside a quoted cell is written twice: "".',
  'csv.afterQuote': ({ found }: { found: string }) => `unexpected ${found} after a closing quote`,
  'csv.afterQuote.hint': 'A quote inside a quoted cell is written twice: "".',
  'csv.misfit': ({ column, type, cell }: { column: string; type: 'number' | 'boolean'; cell: string }) =>
    `column '${column}' is not ${type === 'number' ? 'a number' : 'true or false'} (${cell})`,
  'csv.misfit.hint': ({ decidedBy, options }: InCompanion & { decidedBy: 'caller' | 'schema' | 'data' }) =>
    decidedBy === 'schema'
      ? `The tool's schema wants that type. Correct the cell, or give the column the type string with types.${inOptions(options)}`
      : `That type was asked for with types. Correct the cell, or give the column the type string with types.${inOptions(options)}`,
  'csv.quoteOption': ({ character }: { character: string }) => `${character} cannot be used as quote or escape`,
  'csv.quoteOption.hint': 'Each is one visible ASCII character other than the delimiter.',
  'csv.delimiter': ({ delimiter }: { delimiter: string }) => `The delimiter ${delimiter} cannot be used`,
  'csv.delimiter.hint': 'A delimiter is one ASCII character other than a quote or a line break.',

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
  'yaml.numbers': ({ values, name, source, json }: { values: number; name: string; source: string; json: string }) =>
    `${counted(values, 'unquoted value that may be a code was read as a number', 'unquoted values that may be codes were read as numbers')} (the first is ${name}: ${source}, which became ${json}); quote it in the file, or ask for types: {"${name}": "string"}`,
  'yaml.version': ({ version }: { version: string }) =>
    `The file says that it is YAML ${version}, and was read as YAML 1.2: yes, no, on and off are texts, and 0644 is 644`,
  'yaml.fault': ({ code, character }: { code: string; character: string }) =>
    code === 'BAD_SCALAR_START'
      ? `a value that begins with ${character} needs quotes`
      : (yamlFaults[code] ?? 'this is not valid YAML'),
  'yaml.colon.hint': 'Put the value in quotes: key: "a: b".',
  'yaml.tooManyValues': 'it holds more values than there is memory for',
  'yaml.tooManyValues.hint': 'Split the file, or convert it to JSON, which is read in pieces.',
  'yaml.aliasUnknown': ({ alias }: { alias: string }) => `the alias *${alias} names no anchor before it`,
  'yaml.aliasInside': ({ alias }: { alias: string }) => `the alias *${alias} lies inside what it stands for`,
  'yaml.unprintable': ({ codePoint }: { codePoint: string }) =>
    `the character U+${codePoint} has to be written as an escape in quotes`,
  'yaml.keyTwice': ({ key }: { key: string }) => `the key '${key}' is there twice`,
  'yaml.mergeKey': "the merge key '<<' takes a map or a list of maps",
  'yaml.keyPlain': 'a key must be a plain value, not a map or a list',

  'xml.doctype': 'document types (DOCTYPE, DTD) that declare anything themselves are not read',
  'xml.doctype.hint': 'Remove the <!DOCTYPE …> from the file',
  'xml.ampersand': 'an ampersand (&) stands alone',
  'xml.ampersand.hint': 'Write it as &amp; in the file.',
  'xml.entity': ({ name }: { name: string }) => `the entity &${name}; is not known`,
  'xml.entity.hint': 'Write the character itself in the file, or its number, as &#160; for a no-break space.',
  'xml.mixed': ({ elements, first }: { elements: number; first: string }) =>
    `${counted(elements, 'element has', 'elements have')} text between child elements; it is joined in #text, and its order is lost (first: '${first}'). as: "text" passes the file as it is`,
  'parquet.notText': ({ columns }: { columns: readonly string[] }) =>
    `Texts hold bytes that are no UTF-8, given as \ufffd (${columns.join(', ')})`,
  'parquet.bytes': ({ columns }: { columns: readonly string[] }) => `Binary values are given as base64 (${columns.join(', ')})`,
  'xml.textFirst': 'there is text before the first tag',

  'encoding.notUtf8': ({ offset }: { offset: number }) => `The file is not valid UTF-8: bad byte at offset ${offset}`,
  'encoding.notUtf8.hint': ({ options }: InCompanion) =>
    `Leave encoding out to have it detected, or name the right one, such as windows-1252.${inOptions(options)}`,
  'encoding.mixed': ({ offset, word }: { offset: number; word: string }) =>
    `The file mixes two encodings: '${word}' is UTF-8, and the byte at offset ${offset} is not`,
  'encoding.mixed.hint': ({ options }: InCompanion) =>
    `Save all of it as UTF-8, as with the program that each part comes from. encoding: "windows-1252" reads it with wrong letters in the UTF-8 part.${inOptions(options)}`,
  'encoding.unsure': ({ offset, readings }: { offset: number; readings: readonly { encoding: string; word: string }[] }) =>
    `The file is not UTF-8 (first bad byte at offset ${offset}), and which encoding it has is not sure: ${readings
      .map(({ encoding, word }) => `${encoding} reads '${word}'`)
      .join(', ')}`,
  'encoding.none': ({ offset }: { offset: number }) =>
    `The file is not UTF-8 (first bad byte at offset ${offset}), and reads as a text in no other encoding that is known`,
  'encoding.jis': 'The text is in ISO-2022-JP, which writes Japanese in the bytes of ASCII',
  'encoding.jis.hint': ({ options }: InCompanion) => `Ask for encoding: "iso-2022-jp".${inOptions(options)}`,
  'encoding.none.hint': ({ options }: InCompanion) =>
    `If it is no text, ask for as: "base64"; else save it as UTF-8 with the program that wrote it, or name its encoding.${inOptions(options)}`,
  'encoding.unsure.hint': ({ encoding, options }: InCompanion & { encoding: string }) =>
    `Name the one that reads right, as with encoding: "${encoding}". If it is no text, ask for as: "base64".${inOptions(options)}`,
  'encoding.utf32': 'The file is in UTF-32, which is not supported',
  'encoding.utf32.hint': 'Save it as UTF-8.',
  'encoding.between': ({ encoding, from, to }: { encoding: string; from: number; to: number }) =>
    `The file is not valid ${encoding}: bad bytes between offsets ${from} and ${to}`,
  'encoding.cutOff': ({ encoding }: { encoding: string }) =>
    `The file is not valid ${encoding}: bad bytes at its end, which is cut off`,
  'encoding.invalid.hint': ({ options }: InCompanion) =>
    `Leave encoding out to have it detected, or name the right one.${inOptions(options)}`,

  'format.binaryPlist': ({ name }: { name: string }) => `'${name}' is a binary property list, which is not read`,
  'format.binaryPlist.hint': ({ options }: InCompanion) =>
    `Write it as XML first (plutil -convert xml1 FILE), or pass its bytes with as: "base64"${inOptions(options)}.`,
  'format.spreadsheet': ({ name }: { name: string }) =>
    `'${name}' is a spreadsheet of a kind that is not read: save it as .xlsx or CSV`,
  'format.spreadsheet.hint': ({ options }: InCompanion) =>
    `Name that file then. To send the bytes of the spreadsheet to a tool that wants them, ask for as: "base64".${inOptions(options)}`,
  'format.binary': ({ name, format, kind }: { name: string; format: string; kind: keyof typeof binaryKinds }) =>
    `'${name}' is not ${format}: it is ${binaryKinds[kind].what}`,
  'format.binary.hint': ({ kind }: { kind: keyof typeof binaryKinds }) =>
    `${binaryKinds[kind].advice}. To send its bytes as they are, ask for as: "base64"`,
  'format.unknown': ({ name }: { name: string }) => `The format of '${name}' is not known, and its content is not text`,
  'format.unknown.hint': ({ options }: InCompanion) =>
    `To send its bytes as they are, ask for as: "base64" (or "data_uri"). If it is text after all, name it: format: "text", with the encoding.${inOptions(options)}`,
  'workbook.misfit': ({
    column,
    type,
    cell,
    place: at,
    sheet,
    format,
  }: {
    column: string;
    type: 'number' | 'boolean';
    cell: string;
    place: string;
    sheet: string;
    format: string;
  }) =>
    `Failed to parse ${format.toUpperCase()} file: column '${column}' is not ${type === 'number' ? 'a number' : 'true or false'} (${cell}) at cell ${at} of sheet '${sheet}'`,
  'options.foreign': ({ format, as, options }: ForeignOptions) =>
    `${options.map((option) => `'${option}'`).join(', ')} ${options.length === 1 ? 'does' : 'do'} not apply to ${
      as === 'base64' || as === 'data_uri' ? `bytes that are passed as they are (as: "${as}")` : `${format.toUpperCase()} files`
    }`,
  'options.foreign.hint': ({ takes, options }: ForeignOptions) =>
    `Leave ${options.length === 1 ? 'it' : 'them'} out${takes.length === 0 ? '' : `. What applies: ${takes.join(', ')}`}${
      options.some((option) => option === 'table' || option === 'query') ? ". The tool's own arguments go into tool_args" : ''
    }`,
  'workbook.compressed': 'A compressed workbook or database is not read',
  'workbook.compressed.hint': 'Unpack it first, and name the file itself.',
  'workbook.noText': 'A workbook has records and no text',
  'workbook.noText.hint': ({ options }: InCompanion) =>
    `A parameter for a list or object takes its records, without "as". For a parameter that takes text, ask for as: "csv", "markdown" or "json", or send the bytes with as: "base64"${inOptions(options)}`,

  'toml.fault': ({ fault }: { fault: keyof typeof tomlFaults }) => tomlFaults[fault],
  'toml.notFinite': ({ name }: { name: string }) =>
    `Failed to parse TOML file: '${name}' is infinite or not a number, which JSON cannot say`,
  'toml.tooDeep': ({ reason }: { reason: string }) => `Failed to parse TOML file: ${reason}`,

  'document.failed': ({ format, reason }: { format: string; reason: string }) =>
    `Failed to parse ${format.toUpperCase()} file: ${reason}`,
  'document.empty': 'it is empty',
  'document.protected': ({ format }: { format: string }) =>
    `it is protected with a password, or an old Office document by another name; only .${format} is read`,
  'document.protected.hint': ({ format }: { format: string }) =>
    `Open it in the program that made it, and save it as .${format} without a password.`,
  'document.damaged': ({ format }: { format: string }) => `it is damaged, or not a .${format} file`,
  'document.broken.hint': ({ format }: { format: string }) =>
    `Open it in the program that made it, and save it again as .${format}.`,
  'document.missingPart': ({ part: name }: { part: string }) => `its part '${name}' is missing`,
  'document.nesting': 'its parts are nested too deep',
  'document.compressed': 'A compressed document is not read',
  'document.compressed.hint': 'Unpack it first, and name the document itself.',
  'table.noList': ({ as, kind }: { as: string; kind: keyof typeof contents }) =>
    `as: "${as}" needs a list of records, but the file holds ${contents[kind]}`,
  'table.tooWide': ({ as, most }: { as: string; most: number }) =>
    `as: "${as}" writes a table of at most ${most} columns, and these records have more names, or share too few`,
  'table.isText.hint': ({ options }: InCompanion) => `Leave as out to pass the text${inOptions(options)}`,
  'table.noList.hint': ({ options }: InCompanion) =>
    `Ask for as: "json" to pass the value as JSON text, or as: "text" for the file as it is${inOptions(options)}`,
  'document.noRecords': 'A document has text and no records',
  'document.noRecords.hint': ({ options }: InCompanion) =>
    `Leave "as" out for its text as Markdown, or ask for as: "text" or "html".${inOptions(options)}`,
  'document.noHtml': 'Only documents are read as HTML',
  'document.noHtml.hint': ({ options }: InCompanion) =>
    `Leave "as" out, or ask for as: "text" to pass the file as it is.${inOptions(options)}`,
  'document.images': ({ images }: { images: number }) =>
    `The document has ${images} ${images === 1 ? 'image, which is' : 'images, which are'} left out`,
  'document.drawings': ({ drawings }: { drawings: number }) =>
    `The document has ${drawings} ${drawings === 1 ? 'chart or diagram, which is' : 'charts or diagrams, which are'} left out`,
  'document.hiddenSlides': ({ slides }: { slides: number }) =>
    `The text has ${slides} hidden ${slides === 1 ? 'slide' : 'slides'} too`,
  'document.noText': 'The document has no text',
  'document.noTextInPages': ({ pages }: { pages: number }) =>
    pages === 1
      ? 'The page has no text: it may be a scanned image, which needs OCR'
      : 'The pages have no text: they may be scanned images, which need OCR',
  'document.pagesWithoutText': ({ pages, ranges }: { pages: number; ranges: string }) =>
    `${pages === 1 ? 'Page' : 'Pages'} ${ranges} ${pages === 1 ? 'has' : 'have'} no text (perhaps scanned images, which need OCR)`,
  'document.pagesMisread': ({ pages }: { pages: string }) => `pages: "${pages}" is no choice of pages`,
  'document.pagesBeyond': ({ pages, count }: { pages: string; count: number }) =>
    `pages: "${pages}" lies beyond the end: the document has ${counted(count, 'page', 'pages')}`,
  'document.pagesMisread.hint': ({ options }: InCompanion) =>
    `Give numbers and ranges, such as "3", "3-5", "7-" or "1,4-6".${inOptions(options)}`,
  'document.password': 'it is protected with a password',
  'document.password.hint': 'Open it in a PDF program, and save or print it to a PDF without a password.',
  'document.slow': ({ seconds }: { seconds: number }) => `reading it took more than ${seconds} seconds`,
  'document.slow.hint': 'Open it in a PDF program, and print the pages you need to a new PDF.',

  'archive.failed': ({ compression, reason }: { compression: string; reason: string }) =>
    `Failed to decompress ${compression} file: ${reason}`,
  'archive.failed.hint': 'Get a good copy of the file, or give it the extension that fits its content.',
  'archive.broken.hint': 'Get a good copy of the archive, or give the format that fits its content.',
  'archive.noText': 'An archive has files and no text',
  'archive.noText.hint': ({ options }: InCompanion) => `Name one of them with entry.${inOptions(options)}`,
  'archive.noFiles': 'The archive has no files',
  'archive.list': ({ files, first }: { files: number; first: string }) =>
    `This is the list of the archive's ${counted(files, 'file', 'files')}; entry: ${JSON.stringify(first)} reads one of them`,
  'archive.onlyFile': ({ file }: { file: string }) => `The archive's only file was read: ${file}`,
  'archive.listNotSent': ({ name, files }: { name: string; files: number }) =>
    `'${name}' is an archive of ${counted(files, 'file', 'files')}, and a tool gets one of them, not their list`,
  'archive.listNotSent.hint': ({ names, more, options }: InCompanion & { names: readonly string[]; more: number }) =>
    `Name one with entry, as entry: ${JSON.stringify(names[0])}. It has ${names.map((name) => `'${name}'`).join(', ')}${more > 0 ? ` and ${more} more` : ''}.${inOptions(options)}`,
  'entry.noArchive': ({ name }: { name: string }) => `'${name}' is no archive, so it has no entries`,
  'entry.noArchive.hint': ({ options }: InCompanion) =>
    `Leave entry out, or give format: "zip" or "tar" if the name misleads.${inOptions(options)}`,
  'entry.absent': ({ entry }: { entry: string }) => `The archive has no file '${entry}'`,
  'entry.several': ({ entry }: { entry: string }) => `Several files of the archive are called '${entry}'`,
  'entry.names': ({ names, more }: { names: readonly string[]; more: number }) =>
    names.length === 0
      ? 'It has no files'
      : `It has ${names.map((name) => `'${name}'`).join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
  'tar.none': 'it is no tar archive',
  'tar.damaged': 'it is damaged',
  'archive.empty': 'it is empty',
  'archive.cutOff': 'it ends too early, as after a broken download',
  'archive.trailing': 'other data follows after its end',
  'archive.other': ({ compression }: { compression: string }) => `its content is not ${compression} data`,
  'archive.damaged': ({ reason }: { reason: string }) => `it is damaged (${reason})`,

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
  'csv.noHeader': ({ line, first }: { line: number; first: string }) =>
    `The table has no header: line ${line} (${first}) is counted on in the lines below, so it is a record`,
  'csv.noHeader.hint': ({ line, options }: InCompanion & { line: number }) =>
    `Ask for header: false to get every line, as lists, or for header: true if line ${line} holds the names all the same.${inOptions(options)}`,
  'warning.headerLooksLikeData': ({ line }: { line: number }) =>
    `Line ${line} became the header, but it looks like data; ask for header: false if the file has no header`,
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

  'sheet.warning': ({ sheet, warning }: { sheet: string; warning: string }) => `Sheet '${sheet}': ${warning}`,
  'sheet.errors': ({ cells, first }: { cells: number; first: string }) =>
    `${counted(cells, 'cell holds an error', 'cells hold errors')} and became null; the first is ${first}`,
  'sheet.merged': ({ ranges }: { ranges: number }) =>
    `${counted(ranges, 'range is', 'ranges are')} merged; the value stands in the first cell, the others are null`,
  'sheet.hiddenRows': ({ rows }: { rows: number }) =>
    `${counted(rows, 'row is', 'rows are')} hidden in the workbook, and read all the same`,
  'sheet.hiddenColumns': ({ names }: { names: readonly string[] }) =>
    `columns are hidden in the workbook, and read all the same: ${names.join(', ')}`,
  'sheet.uncalculated': ({ cells, first }: { cells: number; first: string }) =>
    `${counted(cells, 'formula has', 'formulas have')} no stored result and became null; the first is ${first}. Open the workbook in Excel and save it`,
  'sheet.blankRows': ({ rows }: { rows: number }) =>
    `${counted(rows, 'row', 'rows')} of nothing but empty cells ${rows === 1 ? 'was' : 'were'} left out`,
  'sheet.links': ({ cells, first }: { cells: number; first: string }) =>
    `${counted(cells, 'cell has a link', 'cells have links')}, of which the text is given and not the address; the first is ${first}`,
  'sheet.units': ({ column, units }: { column: string; units: readonly string[] }) =>
    `numbers of column '${column}' are shown with different currencies or units (${units.join(', ')}), which the numbers do not tell`,
  'sheet.titles': ({ first, last, title }: { first: number; last: number; title: string }) =>
    `${first === last ? `row ${first} above the header was` : `rows ${first} to ${last} above the header were`} skipped${title.trim() === '' ? '' : ` (${title})`}; ask for skip: 0 to read every row`,
  'sheet.total': ({ row, text }: { row: number; text: string }) =>
    `row ${row} looks like a total (${text}), and is read as a record; a range leaves it out`,
  'sheet.below': ({ row }: { row: number }) =>
    `row ${row} stands below an empty row and looks like a note or another table; a range reads one table`,
  'sheet.beside': ({ left, right }: { left: string; right: string }) =>
    `an empty column stands between ${left} and ${right}, which may be two tables; range: "${left}" reads one`,
  'sheet.noHeaderRow': ({ row, sheet }: { row: number; sheet: string }) =>
    `Row ${row} of sheet '${sheet}' is empty or outside of the range`,
  'sheet.noHeaderRow.hint': ({ options }: InCompanion) =>
    `header_row is the number of the row as the sheet shows it.${inOptions(options)}`,
  'sheet.columnNames': ({ names }: { names: readonly string[] }) =>
    `columns without a name, or with one that stands there twice, are called ${names.join(', ')}`,
  'sheet.headerOnly': 'it has a header and no records',
  'sheet.empty': 'it is empty',
  'table.others': ({
    read,
    sheets,
    more,
  }: {
    read: string;
    sheets: readonly { name: string; hidden: boolean }[];
    more: number;
  }) =>
    `Table '${read}' was read. The database has ${counted(sheets.length + more, 'other table', 'other tables')}: ${quotedList(sheets, 'hidden')}${more > 0 ? ` and ${more} more` : ''}; table names the one to read`,
  'sheet.others': ({
    read,
    sheets,
    more,
  }: {
    read: string;
    sheets: readonly { name: string; hidden: boolean }[];
    more: number;
  }) =>
    `Sheet '${read}' was read. The workbook has ${counted(sheets.length + more, 'other sheet', 'other sheets')}: ${quotedList(sheets, 'hidden')}${more > 0 ? ` and ${more} more` : ''}`,
};
