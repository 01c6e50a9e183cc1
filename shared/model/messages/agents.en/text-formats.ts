/** Faults of text, and of files in CSV, JSON, YAML, TOML and XML. */
import { formatBytes } from '../../../lib/bytes.ts';
import { counted, type InCompanion, inOptions, place } from '../phrases.ts';

export type Named = { article: boolean };

/** Number of rows with extra cells, and the lines of the first. */
export interface RaggedRows {
  rows: number;
  lines: readonly number[];
  more?: boolean | undefined;
}

/** What YAML needs and does not find: the character, what it closes and in which line that is, if it closes anything. */
export interface MissingCharacter {
  character: string;
  opening: string | null;
  opened: number | null;
  line: number;
}

/** What JSON expects at a place: a part of its grammar, or characters. */
export interface ExpectedJson {
  line: number;
  column: number;
  what: string;
}

const parts = { string: 'a string', array: 'an array', object: 'an object', word: 'a word', number: 'a number' };

const expected = {
  value: 'a value',
  valueOrEnd: 'a value or "]"',
  keyOrEnd: 'a key in double quotes or "}"',
  key: 'a key in double quotes',
  colon: '":"',
};

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

export const textFormats = {
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

  'text.notAsRead': 'The text is no longer what it was when it was read for the first time',

  'encoding.declared': ({ label }: { label: string }) => `The file declares the encoding '${label}', which is unknown`,
  'encoding.declared.hint': 'Name the encoding that it has, e.g. encoding: "utf-8".',
  'encoding.unknown': ({ label }: { label: string }) => `Unknown encoding '${label}'`,
  'encoding.unknown.hint':
    'Leave it out to have it detected, or name one such as utf-8, utf-16le, windows-1252, iso-8859-2, windows-1251, shift_jis, gb18030 or euc-kr.',
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

  'character.nul': ({ article }: Named) => (article ? 'a NUL character' : 'NUL character'),
  'character.tab': ({ article }: Named) => (article ? 'a tab' : 'tab'),
  'character.lineBreak': ({ article }: Named) => (article ? 'a line break' : 'line break'),
  'character.space': ({ article }: Named) => (article ? 'a space' : 'space'),
  'character.nonAscii': ({ article }: Named) => (article ? 'a non-ASCII character' : 'non-ASCII character'),
  'character.control': ({ codePoint, article }: Named & { codePoint: string }) =>
    `${article ? 'the ' : ''}control character U+${codePoint}`,

  'json.inString': ({ found }: { found: string }) => `${found} inside a string (it must be escaped)`,
  'json.inNumber': ({ found }: { found: string }) => `unexpected ${found} in a number`,
  'json.noEscape': ({ found }: { found: string }) => `\\ followed by ${found} is not an escape`,
  'json.inHexEscape': ({ found }: { found: string }) => `${found} in a \\u escape, which takes four hex digits`,
  'json.noWord': ({ found }: { found: string }) => `unexpected ${found}; only true, false and null are words`,
  'json.noComma': ({ found, closing }: { found: string; closing: string }) =>
    `unexpected ${found}; "," or ${closing} was expected`,
  'json.afterEnd': ({ found }: { found: string }) => `unexpected ${found} after the end of the value`,
  'json.notFinite.hint': 'JSON has no NaN and no Infinity: write null, or the words in quotes',
  'json.python.hint': 'It looks like Python: write it with json.dumps(…) instead of str(…) or repr(…)',
  'json.emptyFile': 'the file is empty',
  'json.emptyLine': 'the line is empty',
  'json.endsInside': ({ unit, inside }: { unit: 'file' | 'line'; inside: keyof typeof parts }) =>
    `the ${unit} ends inside ${parts[inside]}`,
  'json.endsInside.hint': ({ unit, closing, line }: { unit: 'file' | 'line'; closing: string; line: number }) =>
    unit === 'line'
      ? `Each line holds one whole value: complete line ${line}${closing === '' ? '' : ` so that it ends with ${closing}`}`
      : `It may be cut off in line ${line}: get the whole file${closing === '' ? '' : `, or complete it so that it ends with ${closing}`}`,
  'json.expected.hint': ({ line, column, what }: ExpectedJson) =>
    `Write ${Object.hasOwn(expected, what) ? expected[what as keyof typeof expected] : what} at line ${line}, column ${column}`,
  'json.wrongClosing': ({ found, closing }: { found: string; closing: string }) => `${found} where ${closing} was expected`,
  'json.unexpected': ({ found, expected: what }: { found: string; expected: keyof typeof expected }) =>
    `unexpected ${found}; ${expected[what]} was expected`,

  'csv.unknownColumn': ({ column }: { column: string }) => `types names the column '${column}', which the file does not have`,
  'csv.unknownColumn.hint': ({ columns, more }: { columns: readonly string[]; more: number }) =>
    `Its columns are: ${columns.join(', ')}${more > 0 ? `, and ${more} more` : ''}`,
  'csv.firstRow': ({ bytes, limit }: { bytes: number; limit: number }) =>
    `The first row alone has ${formatBytes(bytes)}, which exceeds the ${formatBytes(limit)} that may be held in memory`,
  'csv.firstRow.hint': 'Check that the file is CSV and has line breaks, or raise limits.maxFileBytes.',
  'csv.notAsScanned': 'The file is not as it was when it was read for the first time',
  'csv.notAsScanned.hint': 'Try again once nothing writes to it any more.',
  'csv.tooManyColumns': ({ columns, limit }: { columns: number; limit: number }) =>
    `The first row has ${columns} cells, more than the ${limit} columns that a table may have`,
  'csv.tooManyColumns.hint': 'Check the delimiter and that the file has line breaks, or raise limits.maxColumns.',
  'csv.ragged': ({ cells, columns }: { cells: number; columns: number }) =>
    `${cells} cells in a row of a table with ${counted(columns, 'column', 'columns')}`,
  'csv.ragged.hint': ({ options, rows, lines, more }: InCompanion & RaggedRows) =>
    `${rows > 1 ? `${more ? 'At least ' : ''}${rows} rows have extra cells (lines ${lines.join(', ')}${rows > lines.length ? ', …' : ''}). ` : ''}Quote cells that hold the delimiter, or ask for ragged: "keep" to get extra cells as _extra, or ragged: "cut" to drop them.${inOptions(options)}`,
  'csv.quoteOpen': 'a quote is opened and never closed',
  'csv.quoteOpenLong': 'a quote is opened and not closed within 512 MB',
  'csv.rowLong': 'a row is longer than 512 MB',
  'csv.rowLong.hint': 'Check that the file has line breaks between its records.',
  'csv.quoteClose.hint':
    'Close the quote there. A quote inside a quoted cell is written twice: "". If quotes are ordinary text in this file, ask for quote: "".',
  'csv.afterQuote': ({ found }: { found: string }) => `unexpected ${found} after a closing quote`,
  /** `opened`: the line where the cell begins, if it is an earlier one. */
  'csv.afterQuote.hint': ({ opened }: { opened: number | null }) =>
    `${opened === null ? '' : `The cell begins with a quote at line ${opened}, which may be the one that is not closed. `}A quote inside a quoted cell is written twice: "". If quotes are ordinary text in this file, ask for quote: "".`,
  'csv.misfit': ({ column, type, cell }: { column: string; type: 'number' | 'boolean'; cell: string }) =>
    `column '${column}' is not ${type === 'number' ? 'a number' : 'true or false'} (${cell})`,
  'csv.misfit.hint': ({
    decidedBy,
    decimalComma,
    options,
  }: InCompanion & { decidedBy: 'caller' | 'schema' | 'data'; decimalComma: boolean }) =>
    `${decidedBy === 'schema' ? "The tool's schema wants that type" : 'That type was asked for with types'}. ${
      decimalComma ? 'If its comma is a decimal comma, ask for decimal: ",". Else correct' : 'Correct'
    } the cell, or give the column the type string with types.${inOptions(options)}`,
  'csv.quoteOption': ({ character }: { character: string }) => `${character} cannot be used as quote or escape`,
  'csv.quoteOption.hint': 'Each is one visible ASCII character other than the delimiter.',
  'csv.delimiter': ({ delimiter }: { delimiter: string }) => `The delimiter ${delimiter} cannot be used`,
  'csv.delimiter.hint': 'A delimiter is one ASCII character other than a quote or a line break.',
  'csv.headerBlank': ({ line }: { line: number }) => `Line ${line} of the file is empty, and can't be the header`,
  'csv.headerBlank.hint': ({ next, options }: InCompanion & { next: number }) =>
    `The next line with text is line ${next}: ask for header_row: ${next} if that is the header.${inOptions(options)}`,
  'csv.pastEnd': ({ line, last }: { line: number; last: number }) =>
    `The table cannot begin at line ${line}: the last line with text is line ${last}`,
  'csv.pastEnd.hint': ({ options }: InCompanion) =>
    `header_row is the number of the header's line, from 1; skip is the number of lines above the table.${inOptions(options)}`,
  'csv.noHeader': ({ line, first }: { line: number; first: string }) =>
    `The table has no header: line ${line} (${first}) is counted on in the lines below, so it is a record`,
  'csv.noHeader.hint': ({ line, options }: InCompanion & { line: number }) =>
    `Ask for header: false to get every line, as lists, or for header: true if line ${line} holds the names all the same.${inOptions(options)}`,

  'yaml.notFinite': ({ number }: { number: string }) => `${number} is a number that JSON has no value for`,
  'yaml.notFinite.hint': 'Put it in quotes to pass it as text',
  'yaml.numbers': ({ values, name, source, json }: { values: number; name: string; source: string; json: string }) =>
    `${counted(values, 'unquoted value that may be a code was read as a number', 'unquoted values that may be codes were read as numbers')} (such as ${name}: ${source}, which became ${json}); quote it in the file, or ask for types: {"${name}": "string"}`,
  'yaml.version': ({ version }: { version: string }) =>
    `The file says that it is YAML ${version}, and was read as YAML 1.2: yes, no, on and off are texts, and 0644 is 644`,
  'yaml.fault': ({ code, character }: { code: string; character: string }) =>
    code === 'BAD_SCALAR_START'
      ? `a value that begins with ${character} needs quotes`
      : (yamlFaults[code] ?? 'this is not valid YAML'),
  'yaml.missing': ({ character, opening, opened }: MissingCharacter) =>
    `${character} is missing${opened === null ? '' : ` (it closes the ${opening} of line ${opened})`}`,
  'yaml.missing.hint': ({ character, opening, opened, line }: MissingCharacter) =>
    opened === null
      ? `Write ${character} in line ${line}, or put the whole value in quotes.`
      : `Close the ${opening} of line ${opened} with ${character}, or put the value in other quotes if its text begins with ${opening}.`,
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

  'toml.fault': ({ fault }: { fault: keyof typeof tomlFaults }) => tomlFaults[fault],
  'toml.notFinite': ({ name }: { name: string }) =>
    `Failed to parse TOML file: '${name}' is infinite or not a number, which JSON cannot say`,
  'toml.tooDeep': ({ reason }: { reason: string }) => `Failed to parse TOML file: ${reason}`,

  'xml.doctype': 'document types (DOCTYPE, DTD) that declare anything themselves are not read',
  'xml.doctype.hint': 'Remove the <!DOCTYPE …> from the file',
  'xml.ampersand': 'an ampersand (&) stands alone',
  'xml.ampersand.hint': 'Write it as &amp; in the file.',
  'xml.entity': ({ name }: { name: string }) => `the entity &${name}; is not known`,
  'xml.entity.hint': 'Write the character itself in the file, or its number, as &#160; for a no-break space.',
  'xml.mixed': ({ elements, first }: { elements: number; first: string }) =>
    `${counted(elements, 'element has', 'elements have')} text between child elements; it is joined in #text, and its order is lost (first: '${first}'). as: "text" passes the file as it is`,
  'xml.textFirst': 'there is text before the first tag',
};
