/** Parses cell references, ranges and dates of workbooks (ECMA-376 part 1, 18.18.7 and 18.17.4). */

import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';

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

/** How a number format displays a number. */
export type DateStyle = 'date' | 'time' | 'elapsed' | undefined;

/** Numbers of the built-in date and time formats, which files do not define. */
const builtIn = new Map<number, DateStyle>([
  ...[14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58].map((id) => [id, 'date'] as const),
  ...[18, 19, 20, 21, 32, 33, 45, 47].map((id) => [id, 'time'] as const),
  [46, 'elapsed'],
]);

/** Kind of a number format, by its code or by its built-in number. */
export function dateStyleOf(id: number, code: string | undefined): DateStyle {
  if (code === undefined) return builtIn.get(id);
  const sections = code
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    .toLowerCase()
    .split(';');
  // With conditions, the first section may be for a few values only.
  const isConditional = /\[[<=>]/.test(code);
  for (const section of isConditional ? sections : sections.slice(0, 1)) {
    const style = sectionStyle(section);
    if (style !== undefined) return style;
  }
  return undefined;
}

function sectionStyle(positive: string): DateStyle {
  if (/\[(?:h+|m+|s+)\]/.test(positive)) return 'elapsed';
  const plain = positive.replace(/\[[^[\]]*\]/g, '').replace(/general|am\/pm|a\/p/g, '');
  if (/[yd]/.test(plain)) return 'date';
  if (/[hs]/.test(plain)) return 'time';
  return plain.includes('m') ? 'date' : undefined;
}

const DAY_MS = 86_400_000;
/** 1970-01-01 as a day number in each calendar. */
const EPOCH_1900 = 25_569;
const EPOCH_1904 = 24_107;
/** 9999-12-31, the last supported day. */
const LAST_DAY_1900 = 2_958_465;
/** The 1900 calendar contains a 29 February that did not exist, so earlier days are off by one. */
const LEAP_DAY = 60;

const padded = (value: number, digits = 2): string => String(value).padStart(digits, '0');

/** A day number as ISO 8601 without zone; undefined if it is out of range. */
export function isoOf(serial: number, style: Exclude<DateStyle, undefined>, date1904: boolean): string | undefined {
  if (!Number.isFinite(serial) || serial < 0) return undefined;
  if (style === 'elapsed') return timeText(Math.round(serial * DAY_MS));
  if (style === 'time' && serial < 1) return timeText(Math.round(serial * DAY_MS) % DAY_MS);
  const days = date1904 ? serial - EPOCH_1904 : serial - EPOCH_1900 + (serial < LEAP_DAY ? 1 : 0);
  if (days >= LAST_DAY_1900 - EPOCH_1900 + 1) return undefined;
  const ms = Math.round(days * DAY_MS);
  const [date = '', time = ''] = new Date(ms).toISOString().slice(0, -1).split('T');
  if (style === 'date' && time === '00:00:00.000') return date;
  return `${date}T${time.replace(/\.000$/, '')}`;
}

/** Durations: hours may exceed 24. */
function timeText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const rest = ms % 1000;
  const clock = `${padded(Math.floor(seconds / 3600))}:${padded(Math.floor(seconds / 60) % 60)}:${padded(seconds % 60)}`;
  return rest === 0 ? clock : `${clock}.${padded(rest, 3)}`;
}
