/** What stands around a table in a sheet: titles above it, totals and notes below it, another table beside it. */
import type { ConversionOptions } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { type Message, say } from '../../../shared/model/messages/message.ts';
import { AFTER_TOTAL, DATA_START, TOTAL } from '../csv/csv-opening.ts';
import { type Cell, type CellRange, columnLetters, NUMBER, noFacts, type Sheet, type SheetRow, TEXT } from './sheet.ts';

/** Rows that are looked at for titles. */
const LOOKED_AT = 20;
const MOST_TITLES = 10;
const TITLE_SHOWN = 40;

/** What to warn about. */
export interface Notice {
  readonly code: string;
  readonly about: Message;
}

interface Found {
  readonly range: CellRange;
  readonly warnings: readonly Notice[];
}

/**
 * The part of the range that begins with the header: as the caller says, else below rows of a single text, and below keys and values with an
 * empty row between. Throws INVALID_REQUEST.
 */
export async function findTable(
  sheet: Sheet,
  range: CellRange,
  { header, header_row, skip, range: asked }: ConversionOptions,
  signal?: AbortSignal,
): Promise<Found> {
  if (header_row !== undefined) return { range: await fromRow(sheet, range, header_row - 1, signal), warnings: [] };
  if (skip !== undefined) return { range: { ...range, firstRow: range.firstRow + skip }, warnings: [] };
  if (header === false || asked !== undefined || sheet.columns !== undefined) return { range, warnings: [] };
  const rows = await firstRows(sheet, range, signal);
  const titles = rows.findIndex((row) => !isTitle(row));
  const isBelowTitles = titles >= 0 && titles <= MOST_TITLES && (rows[titles]?.cells.length ?? 0) > 1;
  const first = isBelowTitles ? titles : 0;
  // Another table below the first one is for `Below`.
  const isSure = isTable(blockAt(rows, first));
  const wider = isSure ? undefined : widerHeader(rows, first);
  const at = wider ?? first;
  const [top] = rows;
  const start = rows[at];
  if (!top || !start) return { range, warnings: [] };
  const warnings: Notice[] = [];
  if (at > 0) {
    const text = top.cells[0]?.value ?? '';
    const about = {
      first: top.row + 1,
      last: (rows[at - 1] as SheetRow).row + 1,
      title: text.length > TITLE_SHOWN ? `${text.slice(0, TITLE_SHOWN)}…` : text,
    };
    warnings.push({ code: 'SHEET_TITLES', about: say('sheet.titles', about) });
  }
  const likely = isSure || wider !== undefined ? undefined : likelyHeader(rows, first);
  if (likely) {
    const about = { header: start.row + 1, row: likely.row + 1 };
    warnings.push({ code: 'SHEET_HEADER_BELOW', about: say('sheet.headerBelow', about) });
  }
  return { range: at > 0 ? { ...range, firstRow: start.row } : range, warnings };
}

const isTitle = ({ cells }: SheetRow): boolean => cells.length === 1 && cells[0]?.kind === TEXT;
const isValue = (cell: Cell | undefined): boolean => cell?.kind === NUMBER || cell?.date !== undefined;
const isName = ({ kind, date }: Cell): boolean => kind === TEXT && date === undefined;

/** Different texts side by side. */
const areNames = ({ cells }: SheetRow): boolean =>
  cells.length > 1 &&
  cells.every(isName) &&
  (cells.at(-1) as Cell).column - (cells[0] as Cell).column === cells.length - 1 &&
  new Set(cells.map(({ value }) => value)).size === cells.length;

const valueIn = ({ cells }: SheetRow, column: number): boolean => isValue(cells.find((cell) => cell.column === column));

/** Whether all of the rows, at least two, have a number or a date in a column. */
const isTyped = (rows: readonly SheetRow[], column: number): boolean =>
  rows.length > 1 && rows.every((row) => valueIn(row, column));

/** The rows from one on, up to an empty row. */
function blockAt(rows: readonly SheetRow[], at: number): readonly SheetRow[] {
  const end = rows.findIndex(({ row }, i) => i > at && row - (rows[i - 1] as SheetRow).row > 1);
  return rows.slice(at, end < 0 ? rows.length : end);
}

/**
 * The header of a table below keys and values, by the evidence that shows one in a CSV file: names after an empty row, more of them than any
 * row above has cells, over rows that are as wide.
 */
function widerHeader(rows: readonly SheetRow[], first: number): number | undefined {
  let widest = rows[first]?.cells.length ?? 0;
  for (let at = first + 1; at <= Math.min(MOST_TITLES, rows.length - 1); at++) {
    const { row, cells } = rows[at] as SheetRow;
    const isAfterBreak = row - (rows[at - 1] as SheetRow).row > 1;
    if (isAfterBreak && cells.length > widest && isHeader(rows, at)) return at;
    widest = Math.max(widest, cells.length);
  }
  return undefined;
}

function isHeader(rows: readonly SheetRow[], at: number): boolean {
  const header = rows[at] as SheetRow;
  const [from, to] = [header.cells[0]?.column ?? 0, header.cells.at(-1)?.column ?? 0];
  const isInside = ({ cells }: SheetRow) => (cells[0]?.column ?? 0) >= from && (cells.at(-1)?.column ?? 0) <= to;
  const [, ...below] = blockAt(rows, at);
  return (
    areNames(header) && below.some(({ cells }) => cells.length === header.cells.length) && rows.slice(at + 1).every(isInside)
  );
}

/** Whether a name is above at least two numbers or dates. */
function isTable([header, ...below]: readonly SheetRow[]): boolean {
  return header?.cells.some((cell) => isName(cell) && isTyped(below, cell.column)) ?? false;
}

/**
 * The row of names below the first row that would make a number or date column text, where the first row is no row of names, or has fewer. A
 * row of units begins further right.
 */
function likelyHeader(rows: readonly SheetRow[], first: number): SheetRow | undefined {
  const top = rows[first];
  if (!top) return undefined;
  const hasValues = top.cells.some((cell) => isValue(cell) || DATA_START.test(cell.value));
  const begin = top.cells[0]?.column ?? 0;
  return rows.slice(0, MOST_TITLES + 1).find((row, at) => {
    if (at <= first || !areNames(row) || (row.cells[0] as Cell).column > begin) return false;
    if (!hasValues && top.cells.length >= row.cells.length) return false;
    const above = rows.slice(first + 1, at);
    const [, ...below] = blockAt(rows, at);
    return row.cells.some(({ column }) => isTyped(below, column) && !above.some((other) => valueIn(other, column)));
  });
}

async function fromRow(sheet: Sheet, range: CellRange, row: number, signal?: AbortSignal): Promise<CellRange> {
  const found = { ...range, firstRow: row };
  const [first] = await firstRows(sheet, { ...found, lastRow: row }, signal);
  if (row >= range.firstRow && row <= range.lastRow && first) return found;
  throw new AppError('INVALID_REQUEST', say('sheet.noHeaderRow', { row: row + 1, sheet: sheet.name }), {
    hint: say('sheet.noHeaderRow.hint', {}),
  });
}

async function firstRows(sheet: Sheet, range: CellRange, signal?: AbortSignal): Promise<SheetRow[]> {
  const found: SheetRow[] = [];
  for await (const rows of sheet.rows(range, noFacts(), signal)) {
    found.push(...rows.slice(0, LOOKED_AT - found.length));
    if (found.length >= LOOKED_AT) break;
  }
  return found;
}

/** Watches a table's records for what looks like none. */
export class Below {
  private last = -1;
  private total: { row: number; text: string; records: number } | undefined;
  private gap: { row: number; single: boolean; texts: boolean } | undefined;
  private records = 0;

  see({ row, cells }: SheetRow): void {
    this.records++;
    if (this.last >= 0 && row - this.last > 1 && !this.gap) {
      this.gap = { row, single: cells.length === 1, texts: cells.every(({ kind }) => kind === TEXT) };
    }
    this.last = row;
    const first = cells[0];
    if (first?.kind === TEXT && TOTAL.test(first.value))
      this.total = { row, text: first.value.slice(0, TITLE_SHOWN), records: this.records };
  }

  /** `kinds` are those of the table's columns. */
  notices(kinds: readonly number[]): Notice[] {
    const { total, gap } = this;
    const found: Notice[] = [];
    if (total && total.records > 1 && this.records - total.records <= AFTER_TOTAL) {
      found.push({ code: 'SHEET_TOTAL', about: say('sheet.total', { row: total.row + 1, text: total.text }) });
    }
    const isOther = gap && ((gap.single && kinds.length > 1) || (gap.texts && kinds.some((kind) => (kind & NUMBER) !== 0)));
    if (isOther) found.push({ code: 'SHEET_BELOW', about: say('sheet.below', { row: gap.row + 1 }) });
    return found;
  }
}

/** Two tables beside each other have an empty column between them. `used` are the columns with values, in order. */
export function besideNotices(used: readonly number[]): Notice[] {
  const gap = used.findIndex((column, i) => i > 0 && column - (used[i - 1] as number) > 1);
  if (gap < 0) return [];
  const letters = (from: number, to: number) => `${columnLetters(used[from] as number)}:${columnLetters(used[to] as number)}`;
  return [
    { code: 'SHEET_BESIDE', about: say('sheet.beside', { left: letters(0, gap - 1), right: letters(gap, used.length - 1) }) },
  ];
}
