/** A sheet as the reader of records sees it, whatever the workbook's format; cell references and ranges (ECMA-376 part 1, 18.18.7). */
import { AppError } from '../../../shared/model/errors.ts';
import type { Format } from '../../../shared/model/formats.ts';
import { type Message, say } from '../../../shared/model/messages/message.ts';

/** A sheet of a workbook. */
export interface Sheet {
  readonly name: string;
  readonly hidden: boolean;
  /** Their names, where no row is the header: then every row is a record, and there may be any number. */
  readonly columns?: readonly string[] | undefined;
  /** Rows with a value in the range, in batches; facts about them are added to `facts`. PARSE_FAILED if the sheet is broken. */
  rows(range: CellRange, facts: SheetFacts, signal?: AbortSignal): AsyncIterable<readonly SheetRow[]>;
}

/** Kinds of cell values, as bits, so that a column can have several. */
export const NUMBER = 1;
export const BOOLEAN = 2;
/** JSON text of a list or an object. */
export const JSON_VALUE = 8;
/** Dates and times become JSON strings. */
export const TEXT = 4;

export interface Cell {
  /** From 0. */
  readonly column: number;
  readonly kind: typeof NUMBER | typeof BOOLEAN | typeof TEXT | typeof JSON_VALUE;
  /** JSON text for numbers, booleans, lists and objects; the plain text for all other kinds. */
  readonly value: string;
  /** The number behind a text that its format shows, as JSON. */
  readonly number?: string | undefined;
  /** Of a date: whether it has a time of day. */
  readonly date?: 'day' | 'time' | undefined;
  /** Of a number: the currency or unit that its format shows. */
  readonly unit?: string | undefined;
}

export interface SheetRow {
  /** From 0. */
  readonly row: number;
  readonly cells: readonly Cell[];
}

/** Facts about a sheet for warnings, as far as it was read. */
export interface SheetFacts {
  errors: number;
  firstError: string;
  hiddenRows: number;
  /** By number. */
  readonly hiddenColumns: Set<number>;
  /** Merged ranges with a cell in the range that is read. */
  merged: number;
  /** Formulas without a stored result, and the first one's cell. */
  uncalculated: number;
  firstUncalculated: string;
  /** Rows of nothing but empty texts, which are left out. */
  blankRows: number;
  /** Cells with a link to an address, which is left out. */
  links: number;
  firstLink: string;
}

export const noFacts = (): SheetFacts => ({
  errors: 0,
  firstError: '',
  hiddenRows: 0,
  hiddenColumns: new Set(),
  merged: 0,
  uncalculated: 0,
  firstUncalculated: '',
  blankRows: 0,
  links: 0,
  firstLink: '',
});

/** The error for a file whose sheets cannot be read. */
export const workbookFault = (reason: Message, hint?: Message, format: Format = 'xlsx'): AppError =>
  new AppError('PARSE_FAILED', say('workbook.failed', { reason, format }), hint === undefined ? {} : { hint });

// References and ranges.

const MOST_COLUMNS = 16_384;
const MOST_ROWS = 1_048_576;

/** A part of a sheet; columns and rows count from 0, ends are inclusive. */
export interface CellRange {
  readonly firstColumn: number;
  readonly lastColumn: number;
  readonly firstRow: number;
  readonly lastRow: number;
}

export const wholeSheet: CellRange = { firstColumn: 0, lastColumn: MOST_COLUMNS - 1, firstRow: 0, lastRow: MOST_ROWS - 1 };

/** The letters of a column: `AB` for 27. */
export function columnLetters(column: number): string {
  let letters = '';
  for (let left = column + 1; left > 0; left = Math.floor((left - 1) / 26)) {
    letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters;
  }
  return letters;
}

/** The column of `B7`, from 0; -1 if there are no letters. */
export function columnOf(reference: string): number {
  let column = 0;
  for (let i = 0; i < reference.length; i++) {
    const letter = (reference.charCodeAt(i) | 0x20) - 0x60;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return column - 1;
}

/** Whether ranges have a cell in common. */
export const overlap = (one: CellRange, other: CellRange): boolean =>
  one.firstColumn <= other.lastColumn &&
  one.lastColumn >= other.firstColumn &&
  one.firstRow <= other.lastRow &&
  one.lastRow >= other.firstRow;

/** Parses `A5:Z`, `B:D`, `2:10`, `C3`: a side without column or row is open. Throws INVALID_REQUEST. */
export function parseRange(range: string): CellRange {
  const sides = range.trim().replaceAll('$', '').split(':');
  const parsed = sides.map((side) => /^([A-Za-z]{0,3})(\d{0,7})$/.exec(side.trim()));
  const [first, last = first] = parsed;
  if (sides.length > 2 || !first || !last || first[0] === '' || last[0] === '') throw badRange(range);
  const column = (letters: string | undefined, open: number) => (letters ? columnOf(letters) : open);
  const row = (digits: string | undefined, open: number) => (digits ? Number(digits) - 1 : open);
  const found = {
    firstColumn: column(first[1], 0),
    firstRow: row(first[2], 0),
    lastColumn: Math.min(column(last[1], wholeSheet.lastColumn), wholeSheet.lastColumn),
    lastRow: Math.min(row(last[2], wholeSheet.lastRow), wholeSheet.lastRow),
  };
  if (found.firstColumn > found.lastColumn || found.firstRow > found.lastRow || found.firstRow < 0) throw badRange(range);
  return found;
}

function badRange(range: string): AppError {
  return new AppError('INVALID_REQUEST', say('range.invalid', { range }), { hint: say('range.invalid.hint') });
}
