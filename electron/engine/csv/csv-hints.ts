/** Warnings about tables that are read as they stand, and in which a person would see something else; from the first rows. */
import type { ConversionOptions, Warning } from '../../../shared/model/conversion.ts';
import { warning } from '../../../shared/model/conversion.ts';
import { say } from '../../../shared/model/messages/message.ts';

/** Texts that mean that there is no value, in the files of statistics programs, databases and spreadsheets. */
const NO_VALUE = new Set([
  'NA',
  'N/A',
  '#N/A',
  'n/a',
  'na',
  'NULL',
  'null',
  'Null',
  'None',
  'NaN',
  'nan',
  '\\N',
  '-',
  '--',
  '.',
  '?',
]);
const NAMED = 5;
/** What no usual delimiter is and separates columns all the same. */
const SEPARATORS = /[\^~#*!:/\\§¬¦]/g;
const RULE = /^\s*:?-{2,}:?\s*$/;
const MARK = /^\u00ef\u00bb\u00bf/;

type Rows = readonly (readonly string[])[];

interface Column {
  readonly name: string;
  /** Those that are not blank. */
  readonly cells: readonly string[];
}

/** `columns` are those of the rows, below the header; `isNumber` tells which texts a column of numbers may have. */
export function tableHints(
  rows: Rows,
  columns: readonly Column[],
  { nulls, skip, header_row }: ConversionOptions,
  isNumber: (text: string) => boolean,
): Warning[] {
  const [header = [], ...below] = rows;
  const named = (some: readonly Column[]) => some.map(({ name }) => name).slice(0, NAMED);
  const found: Warning[] = [];

  const marked = columns.filter(({ cells }) => isNumbersBut(cells, isNumber));
  const marks = [...new Set(marked.flatMap(({ cells }) => cells.filter((cell) => NO_VALUE.has(cell) && !nulls?.includes(cell))))];
  if (marks.length > 0) found.push(warning('NULL_MARKS', say('warning.nullMarks', { columns: named(marked), marks })));

  const formulas = columns.filter(({ cells }) => cells.some((cell) => /^="[^"]*"$/.test(cell)));
  if (formulas.length > 0) found.push(warning('FORMULA_CELLS', say('warning.formulaCells', { columns: named(formulas) })));

  // Line numbers differ from those of the rows where cells have several lines.
  const blank = below.filter((row) => row.length > 1 && row.every((cell) => cell === '')).length;
  if (blank > 0) found.push(warning('BLANK_ROWS', say('warning.blankRows', { rows: blank })));

  const again = below.findIndex((row) => isSame(row, header));
  if (again >= 0 && header.length > 1) found.push(warning('HEADER_AGAIN', say('warning.headerAgain', { record: again + 1 })));

  const [rule] = below;
  const isRule = rule?.some((cell) => RULE.test(cell)) && rule.every((cell) => cell.trim() === '' || RULE.test(cell));
  if (isRule && skip === undefined && header_row === undefined)
    found.push(warning('MARKDOWN_TABLE', say('warning.markdownTable')));

  const lines = header.length === 1 ? rows.map(([cell = '']) => cell) : [];
  const separator = separatorOf(lines);
  if (separator !== undefined) found.push(warning('ONE_COLUMN', say('warning.oneColumn', { separator })));
  else if (isFixedWidth(lines)) found.push(warning('FIXED_WIDTH', say('warning.fixedWidth')));
  return found;
}

/** Whether all cells are numbers but some that mean that there is none. */
function isNumbersBut(cells: readonly string[], isNumber: (text: string) => boolean): boolean {
  const values = cells.filter((cell) => !NO_VALUE.has(cell));
  return values.length > 0 && values.length < cells.length && values.every(isNumber);
}

/** A header that comes again, behind a byte order mark too, is that of a second file. */
const isSame = (row: readonly string[], header: readonly string[]): boolean =>
  row.length === header.length && row.every((cell, i) => cell.replace(MARK, '').trim() === header[i]?.replace(MARK, '').trim());

/** Lines that say something about widths. */
const LINES_OF_WIDTH = 3;

/** Whether columns are told by where they begin: all lines are blank at a place where most go on behind it, and all have blanks side by side. */
function isFixedWidth(lines: readonly string[]): boolean {
  if (lines.length < LINES_OF_WIDTH || !lines.every((line) => /\S {2,}\S/.test(line))) return false;
  const [first = ''] = lines;
  for (let at = 1; at < first.length - 1; at++) {
    const isGap = lines.every((line) => (line[at] ?? ' ') === ' ');
    if (isGap && 2 * lines.filter((line) => (line[at + 1] ?? ' ') !== ' ').length > lines.length) return true;
  }
  return false;
}

/** A character that every line has equally often. */
function separatorOf(lines: readonly string[]): string | undefined {
  const [first = '', ...rest] = lines;
  if (rest.length === 0) return undefined;
  const count = (line: string, char: string) => line.split(char).length;
  return [...new Set(first.match(SEPARATORS))].find((char) => rest.every((line) => count(line, char) === count(first, char)));
}
