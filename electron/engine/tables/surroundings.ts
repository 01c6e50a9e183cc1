/** What stands around a table in a sheet: titles above it, totals and notes below it, another table beside it. */
import type { ConversionOptions } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { type Message, say } from '../../../shared/model/messages/message.ts';
import { type CellRange, columnLetters, NUMBER, noFacts, type Sheet, type SheetRow, TEXT } from './sheet.ts';

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

/** The part of the range that begins with the header: as the caller says, else below rows of a single text. Throws INVALID_REQUEST. */
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
  const [top] = rows;
  const below = rows[titles];
  if (titles <= 0 || titles > MOST_TITLES || !top || !below || below.cells.length < 2) return { range, warnings: [] };
  const text = top.cells[0]?.value ?? '';
  const about = {
    first: top.row + 1,
    last: (rows[titles - 1] as SheetRow).row + 1,
    title: text.length > TITLE_SHOWN ? `${text.slice(0, TITLE_SHOWN)}…` : text,
  };
  return { range: { ...range, firstRow: below.row }, warnings: [{ code: 'SHEET_TITLES', about: say('sheet.titles', about) }] };
}

const isTitle = ({ cells }: SheetRow): boolean => cells.length === 1 && cells[0]?.kind === TEXT;

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

/** In the languages of most workbooks that people send; a total in another language is a record. */
const TOTAL =
  /^\s*(?:(?:(?:(?:sub|grand)[\s-]*)?totals?|totaux|sum(?:me)?|summen|(?:gesamt|zwischen)(?:summe)?|insgesamt|somme|suma|totale|subtotale|totaal|общ(?:ий|ая|ее)|итого|всего)(?![\p{L}\p{N}])|合計|総計|小計|合计|总计)/iu;
/** Records that may follow a total, such as notes. */
const AFTER_TOTAL = 3;

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
