/** A sheet as the reader of records sees it, whatever the workbook's format. */
import type { CellRange } from './cells.ts';

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
