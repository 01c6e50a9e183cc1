/** Where persons read other words than those of agents.en/text-formats.ts. */
import { formatBytes } from '../../../lib/bytes.ts';
import type { textFormats as agents } from '../agents.en/text-formats.ts';
import type { Table } from '../message.ts';
import { counted, place } from '../phrases.ts';
import { limitName } from './phrases.ts';

const noText = 'If it is no text, pass on its bytes (Base64)';

export const textFormats = {
  'parse.failed': ({ format, reason, line, column }) =>
    `The ${format} file is broken at ${place(line, column, 'line', 'column')}: ${reason}`,
  'parse.maxNesting': 'Deeper values are not read',
  'parse.maxNestingSetting': 'Deeper values are not read.',

  'encoding.declared.hint': 'Choose the encoding that it has, such as UTF-8.',
  'encoding.unknown.hint':
    'Have it detected, or choose one such as utf-8, utf-16le, windows-1252, iso-8859-2, windows-1251, gb18030 or euc-kr.',
  'encoding.notUtf8.hint': () => 'Have the encoding detected, or choose the right one, such as windows-1252.',
  'encoding.mixed.hint': () => 'Save all of it as UTF-8. With the encoding windows-1252, letters in the UTF-8 part are wrong.',
  'encoding.jis.hint': () => 'Choose ISO-2022-JP as the encoding.',
  'encoding.none.hint': () => `${noText}; else save it as UTF-8 with the program that wrote it, or choose its encoding.`,
  'encoding.unsure.hint': ({ encoding }) => `Choose the encoding that reads right, such as ${encoding}. ${noText}.`,
  'encoding.invalid.hint': () => 'Have the encoding detected, or choose the right one.',

  'csv.unknownColumn': ({ column }) => `A type is chosen for the column '${column}', which the file does not have`,
  'csv.firstRow': ({ bytes, limit }) =>
    `The first row alone has ${formatBytes(bytes)}, and ${formatBytes(limit)} may be held in memory`,
  'csv.firstRow.hint': `Check that the file is CSV and has line breaks, or raise “${limitName('maxFileBytes')}” in Settings.`,
  'csv.tooManyColumns.hint': 'Check the separator, and that the file has line breaks.',
  'csv.ragged.hint': ({ rows, lines, more }) =>
    `${rows > 1 ? `${more ? 'At least ' : ''}${rows} rows have extra cells (lines ${lines.join(', ')}${rows > lines.length ? ', …' : ''}). ` : ''}Put quotes around cells that hold the separator, or choose to keep or drop the extra cells.`,
  'csv.quoteClose.hint':
    'Close the quote there. A quote inside a quoted cell is written twice: "". If quotes are ordinary characters in this file, read them so.',
  'csv.afterQuote.hint': ({ opened }) =>
    `${opened === null ? '' : `The cell begins with a quote at line ${opened}, which may be the one that is not closed. `}A quote inside a quoted cell is written twice: "". If quotes are ordinary characters in this file, read them so.`,
  'csv.misfit.hint': ({ decidedBy, decimalComma }) =>
    `${decidedBy === 'schema' ? 'The tool wants that type' : 'That type is chosen for the column'}. ${
      decimalComma ? 'If its comma is a decimal comma, choose “Numbers have a decimal comma”. Else correct' : 'Correct'
    } the cell, or read the column as text.`,
  'csv.delimiter': ({ delimiter }) => `The separator ${delimiter} cannot be used`,
  'csv.delimiter.hint': 'A separator is one ASCII character other than a quote or a line break.',
  'csv.quoteOption.hint': 'Each is one visible ASCII character other than the separator.',
  'csv.headerBlank.hint': ({ next }) =>
    `The next line with text is line ${next}: choose it as the header row if it is the header.`,
  'csv.pastEnd.hint': () =>
    'The header row is the number of the header’s line, from 1; the lines to skip are those above the table.',
  'csv.noHeader.hint': ({ line }) =>
    `Choose “There is no header” to get every line, or “The first line is the header” if line ${line} holds the names all the same.`,

  'yaml.notFinite.hint': 'Put it in quotes to pass it on as text',
  'yaml.numbers': ({ values, name, source, json }) =>
    `${counted(values, 'unquoted value that may be a code was read as a number', 'unquoted values that may be codes were read as numbers')} (such as ${name} with ${source}, which became ${json}). Put it in quotes in the file, or choose Text as the type of the column`,
  'yaml.colon.hint': 'Put the whole value in quotes.',

  'xml.mixed': ({ elements, first }) =>
    `${counted(elements, 'element has', 'elements have')} text between the elements in it; it is joined in #text, and its order is lost (first: '${first}'). As plain text, the file is passed on as it is`,
} satisfies Partial<Table<typeof agents>>;
