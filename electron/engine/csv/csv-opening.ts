/**
 * Finds where the table of a CSV file starts and ends, and its delimiter: skips `sep=;`, titles, comments and blank lines above it, and totals
 * and notes below it.
 */
import { type ConversionOptions, type Warning, warning } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { bytesAfter } from '../core/byte-streams.ts';
import type { Checkpoint } from '../core/payload.ts';
import type { Utf8Source } from '../core/reader.ts';
import { candidates, delimiterByte, fittingDelimiter, readSample, type Sample, SEPARATOR_LINE } from './csv-dialect.ts';
import { CsvRows } from './csv-rows.ts';

export interface Opening {
  readonly delimiter: string;
  /** Where the header is, or the first record of a table without a header. */
  readonly from: Checkpoint;
  /** Whether the rows end with a delimiter and the header does not. */
  readonly trailing: boolean;
  /** The first rows, beginning with the header. */
  readonly rows: readonly (readonly string[])[];
  /** Where lines below the table begin that are no records. */
  readonly to?: number | undefined;
  readonly warnings: readonly Warning[];
}

const START: Checkpoint = { offset: 0, line: 1 };
const LF = 0x0a;
const CR = 0x0d;

/** A first row that is as wide as more than this share of the sample is the header, whatever it contains. */
const HEADER_FIT = 0.5;
/** Rows searched for a header, and rows that confirm it. */
const MOST_TITLES = 40;
/** Rows that show whether the first one is data. */
const FIRST_ROWS = 20;
const FIRST_SHOWN = 60;
/** Rows of equal width, including the header, that prove a table: after a blank line or comment, and without one. */
const ROWS_AFTER_BREAK = 2;
const ROWS_WITHOUT_BREAK = 3;

/** `usual`: the delimiter of the format, if it has one. `sampled`: the beginning of the text, if it has been read. */
export async function openTable(
  text: Utf8Source,
  options: ConversionOptions,
  usual: string | undefined,
  signal?: AbortSignal,
  sampled?: Sample & { isCut?: boolean },
): Promise<Opening> {
  const { skip, header_row: headerRow } = options;
  const sample = sampled ?? (await readSample(text.read(signal)));
  const separator = separatorOf(sample);
  const given = options.delimiter ?? separator?.delimiter ?? usual;
  const lines = headerRow === undefined ? skip : headerRow - 1;
  const unused = options.delimiter === undefined ? [] : unusedWarnings(sample, options.delimiter);
  const afterSeparator = separator?.end ?? START;
  if (lines === undefined && options.header !== false) {
    const delimiters = given === undefined ? candidates : [given];
    const rest = sampleFrom(sample, afterSeparator.offset);
    const best = fittingDelimiter(rest, delimiters);
    const isFitting = best.fit > HEADER_FIT && !isPadded(sampledRows(sample, afterSeparator, best.delimiter, 1)[0]);
    const found = isFitting ? undefined : findHeader(sample, afterSeparator, delimiters);
    if (found) return withRows({ ...found, warnings: [...unused, ...found.warnings] }, sample, options, sampled?.isCut);
    const delimiter = given ?? best.delimiter;
    const warnings = options.header === undefined ? firstRowWarnings(sample, afterSeparator, delimiter) : [];
    return withRows({ delimiter, from: afterSeparator, warnings: [...unused, ...warnings] }, sample, options, sampled?.isCut);
  }
  const skipped = lines ? await afterLines(text, lines, signal) : START;
  const from = skipped.offset > afterSeparator.offset ? skipped : afterSeparator;
  const rest = from.offset === 0 ? sample : await readSample(bytesAfter(text.read(signal), from.offset));
  const delimiter = given ?? fittingDelimiter(rest).delimiter;
  const top = sampledRows(rest, { ...from, offset: 0 }, delimiter, 1)[0];
  if (headerRow !== undefined && top && top.line > headerRow && from.line === headerRow)
    throw new AppError('INVALID_REQUEST', say('csv.headerBlank', { line: headerRow }), {
      hint: say('csv.headerBlank.hint', { next: top.line }),
      details: { line: headerRow },
    });
  if (lines && top === undefined && rest.whole && sampled?.isCut !== true) {
    const last = await lastLineWithText(text, signal);
    if (last > 0)
      throw new AppError('INVALID_REQUEST', say('csv.pastEnd', { line: lines + 1, last }), {
        hint: say('csv.pastEnd.hint', {}),
        details: { line: lines + 1 },
      });
  }
  const opened = withRows({ delimiter, from: { ...from, offset: 0 }, warnings: unused }, rest, options, sampled?.isCut);
  return { ...opened, from, to: opened.to === undefined ? undefined : opened.to + from.offset };
}

/** A warning if the first row, which becomes the header, looks like data. INVALID_REQUEST where it is a record beyond doubt. */
function firstRowWarnings(sample: Sample, from: Checkpoint, delimiter: string): Warning[] {
  const rows = sampledRows(sample, from, delimiter, FIRST_ROWS);
  if (countsOn(rows.map(({ cells }) => cells))) {
    const [{ line, cells }] = rows as [SampledRow];
    const text = cells.join(delimiter);
    const first = text.length > FIRST_SHOWN ? `${text.slice(0, FIRST_SHOWN)}…` : text;
    throw new AppError('INVALID_REQUEST', say('csv.noHeader', { line, first }), {
      hint: say('csv.noHeader.hint', { line }),
      details: { line },
    });
  }
  const [top, next] = rows;
  if (next && isPadded(top))
    return [warning('HEADER_LOOKS_LIKE_TITLE', say('warning.headerLooksLikeTitle', { line: top.line, next: next.line }))];
  if (top && next && isBelowGroups(rows.map(({ cells }) => cells)))
    return [warning('HEADER_LOOKS_LIKE_TITLE', say('warning.headerBelow', { line: top.line, next: next.line }))];
  if (!looksLikeData(rows.map(({ cells }) => cells))) return [];
  return [warning('HEADER_LOOKS_LIKE_DATA', say('warning.headerLooksLikeData', { line: rows[0]?.line ?? from.line }))];
}

/** A delimiter that was asked for and is in no line, where another one separates columns. */
function unusedWarnings(sample: Sample, delimiter: string): Warning[] {
  if (sample.bytes.includes(delimiterByte(delimiter))) return [];
  const other = fittingDelimiter(sample);
  if (other.fit <= FITS || other.width < 2) return [];
  return [warning('DELIMITER_UNUSED', say('warning.delimiterUnused', { delimiter, other: other.delimiter }))];
}

/** Share of lines that another delimiter separates alike. */
const FITS = 0.9;

type Start = Pick<Opening, 'delimiter' | 'from' | 'warnings'>;

/** Analyses the rows from a start line on. If `ragged` is set, no footer is searched. */
function withRows(start: Start, sample: Sample, { header, ragged }: ConversionOptions, isCut = false): Opening {
  const { delimiter, from, warnings } = start;
  const keyed = header !== false;
  const isWhole = sample.whole && !isCut;
  const all = sampledRows(sample, from, delimiter, keyed && isWhole ? Number.POSITIVE_INFINITY : JUDGED_ROWS);
  const footer = keyed && isWhole && ragged === undefined ? findFooter(all, delimiter) : undefined;
  const records = all.filter(({ offset }) => footer === undefined || offset < footer.to);
  const table = records.slice(0, JUDGED_ROWS);
  const below = footer ? [footer.warning] : keyed && isWhole ? totalWarnings(records) : [];
  return {
    ...start,
    trailing: keyed && endsInDelimiters(table),
    rows: table.map(({ cells }) => cells),
    to: footer?.to,
    warnings: [...warnings, ...below, ...blankLines(records)],
  };
}

/** In a file of one column a blank line may be a record without a value. */
function blankLines(rows: readonly SampledRow[]): Warning[] {
  if (rows.some(({ cells }) => cells.length !== 1)) return [];
  const gaps = rows
    .slice(1)
    .map(({ line }, i) => ({ first: rows[i]?.nextLine ?? line, lines: line - (rows[i]?.nextLine ?? line) }));
  const lines = gaps.reduce((sum, gap) => sum + gap.lines, 0);
  const first = gaps.find((gap) => gap.lines > 0)?.first;
  return first === undefined ? [] : [warning('BLANK_LINES', say('warning.blankLines', { lines, first }))];
}

/** Whether every row below the header has one cell more than it, with nothing in it; short rows aside. */
function endsInDelimiters([header, ...rows]: readonly SampledRow[]): boolean {
  const width = header?.cells.length ?? 0;
  const full = rows.filter(({ cells }) => cells.length >= width);
  return full.length > 0 && full.every(({ cells }) => cells.length === width + 1 && cells[width] === '');
}

function sampleFrom({ bytes, whole }: Sample, offset: number): Sample {
  return { bytes: bytes.subarray(offset), whole };
}

function separatorOf({ bytes }: Sample): { delimiter: string; end: Checkpoint } | undefined {
  const [line, delimiter] = SEPARATOR_LINE.exec(Buffer.from(bytes.subarray(0, 16)).toString('latin1')) ?? [];
  if (line === undefined || delimiter === undefined || delimiter > '\u007f') return undefined;
  return { delimiter, end: { offset: line.length, line: 2 } };
}

/** Offset after the given number of lines, or the end of the text. */
async function afterLines(text: Utf8Source, lines: number, signal?: AbortSignal): Promise<Checkpoint> {
  let offset = 0;
  let line = 1;
  let afterCr = false;
  for await (const chunk of text.read(signal)) {
    for (const byte of chunk) {
      if (line > lines && !(afterCr && byte === LF)) return { offset, line };
      offset++;
      if (byte === CR || (byte === LF && !afterCr)) line++;
      afterCr = byte === CR;
    }
  }
  return { offset, line };
}

/** The number of the last line that is not blank; 0 if all are. */
async function lastLineWithText(text: Utf8Source, signal?: AbortSignal): Promise<number> {
  let line = 1;
  let last = 0;
  let afterCr = false;
  for await (const chunk of text.read(signal)) {
    for (const byte of chunk) {
      if (byte === CR || (byte === LF && !afterCr)) line++;
      else if (byte > 0x20) last = line;
      afterCr = byte === CR;
    }
  }
  return last;
}

/** The header below title lines, if the evidence is clear for one of the delimiters. */
function findHeader(sample: Sample, start: Checkpoint, delimiters: readonly string[]): Start | undefined {
  let best: { header: SampledRow; delimiter: string; titles: readonly SampledRow[]; run: number } | undefined;
  for (const delimiter of delimiters) {
    const rows = sampledRows(sample, start, delimiter);
    const at = headerAt(rows, start.line);
    const header = rows[at];
    if (!header) continue;
    const run = runOf(rows, at);
    const better = best ? run - best.run || header.cells.length - best.header.cells.length : 1;
    if (better > 0) best = { header, delimiter, titles: rows.slice(0, at), run };
  }
  if (!best) return undefined;
  const { header, delimiter, titles } = best;
  const last = header.line - 1;
  const [first] = titles;
  const title = first ? JSON.stringify(titleOf(first, delimiter).slice(0, TITLE_CHARACTERS)) : null;
  const skipped = warning('LINES_SKIPPED', say('warning.linesSkipped', { first: start.line, last, title }));
  const from = { offset: header.offset, line: header.line };
  return { delimiter, from, warnings: [skipped] };
}

/** Whether only the first of several cells has text, as in a title that a spreadsheet program filled up with delimiters. */
function isPadded(row: SampledRow | undefined): row is SampledRow {
  return row !== undefined && row.cells.length > 1 && row.cells[0]?.trim() !== '' && filled(row) === 1;
}

/** Cells of a row; of one that is filled up with delimiters, those before them. */
function filled({ cells }: SampledRow): number {
  return cells.slice(1).some((cell) => cell.trim() !== '') ? cells.length : 1;
}

function titleOf(row: SampledRow, delimiter: string): string {
  return row.cells.slice(0, filled(row)).join(delimiter);
}

/** Number of consecutive rows, starting at one, that have as many cells as it. */
function runOf(rows: readonly SampledRow[], at: number): number {
  const width = rows[at]?.cells.length;
  let to = at;
  while (rows[to]?.cells.length === width) to++;
  return to - at;
}

/** Index of the header among the rows; -1 if the first row may be the header. */
function headerAt(rows: readonly SampledRow[], firstLine: number): number {
  let widest = rows[0] ? filled(rows[0]) : 0;
  for (let at = 1; at < Math.min(rows.length, MOST_TITLES); at++) {
    const width = filled(rows[at] as SampledRow);
    if (width > widest && width > 1 && isHeader(rows, at, hasBreak(rows, at, firstLine))) return at;
    widest = Math.max(widest, width);
  }
  return -1;
}

/** Whether the lines above a row include a blank line, with delimiters or without, or a comment. */
function hasBreak(rows: readonly SampledRow[], at: number, firstLine: number): boolean {
  const above = rows.slice(0, at);
  return (rows[at]?.line ?? 0) - firstLine > at || above.some((row) => COMMENT.test(row.cells[0] ?? '') || isBlank(row));
}

function isHeader(rows: readonly SampledRow[], at: number, isAfterBreak: boolean): boolean {
  const header = (rows[at] as SampledRow).cells;
  const names = header.at(-1) === '' ? header.slice(0, -1) : header;
  if (new Set(names).size < names.length || names.some((name) => name.trim() === '' || DATA_START.test(name))) return false;
  const run = runOf(rows, at);
  // A narrower row after the rows of equal width may be a footer.
  if (rows.slice(at + run).some(({ cells }) => cells.length >= header.length)) return false;
  if (isAfterBreak) return run >= ROWS_AFTER_BREAK;
  if (run < ROWS_WITHOUT_BREAK || rows.slice(0, at).some((row) => filled(row) > 1)) return false;
  const data = rows.slice(at + 1, at + run);
  return header.some((_, i) => data.every(({ cells }) => DATA_START.test(cells[i] ?? '')));
}

const DATE = /^(\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4})(?!\d)/;
const NUMBER = /^[-+]?\d+(?:[.,]\d+)*$/;
const YEAR = /^(1[5-9]|2[01])\d\d$/;

function kindOf(cell: string): 'date' | 'number' | undefined {
  const text = cell.trim();
  if (DATE.test(text)) return 'date';
  return NUMBER.test(text) ? 'number' : undefined;
}

/** Numbers that often name columns: a year, or values in ascending order beside each other, such as years, months and wavelengths. */
function areNames(first: readonly string[]): boolean {
  const at = first.flatMap((cell, i) => (kindOf(cell) === 'number' ? [i] : []));
  const numbers = at.map((i) => first[i] as string);
  if (numbers.length === 1) return YEAR.test(numbers[0]?.trim() ?? '');
  const areBeside = at.every((i, n) => n === 0 || i === (at[n - 1] as number) + 1);
  return areBeside && numbers.every((cell, i) => i === 0 || Number(cell) > Number(numbers[i - 1]));
}

/** Whether the second row has the names, below names of groups: a first row with gaps or repeated cells. */
function isBelowGroups([groups = [], names = [], ...data]: readonly (readonly string[])[]): boolean {
  const areDistinct = (cells: readonly string[]) =>
    new Set(cells).size === cells.length && cells.every((cell) => cell.trim() !== '');
  return (
    data.length > 1 &&
    !areDistinct(groups) &&
    areDistinct(names) &&
    !names.some((name) => DATA_START.test(name)) &&
    names.some((_, i) => data.every((cells) => DATA_START.test(cells[i] ?? '')))
  );
}

/**
 * Whether the first column counts up by one from the first row on, beside something else than numbers in that row: `1,Ann`, `2,Bob`. Such a
 * row is a record.
 */
function countsOn([first = [], ...below]: readonly (readonly string[])[]): boolean {
  const [start = '', ...others] = first;
  const isCounted = (cells: readonly string[], i: number) => cells[0]?.trim() === String(Number(start) + 1 + i);
  return (
    /^\s*\d{1,9}\s*$/.test(start) &&
    below.length > 0 &&
    below.every(isCounted) &&
    others.some((cell) => cell.trim() !== '' && !/^\s*\d+\s*$/.test(cell))
  );
}

/** Whether a cell of the first row is a date or number, above cells that are all dates or numbers too. */
function looksLikeData([first = [], ...below]: readonly (readonly string[])[]): boolean {
  const named = areNames(first);
  return first.some((cell, i) => {
    const kind = kindOf(cell);
    if (!kind || (kind === 'number' && named)) return false;
    const filled = below.map((cells) => cells[i] ?? '').filter((each) => each.trim() !== '');
    return filled.length > 0 && filled.every((each) => kindOf(each) === kind);
  });
}

// The first rows.

/** Rows that confirm a header. */
const JUDGED_ROWS = 80;
/** First character of data that a header does not start with: a digit, a sign, a decimal point. */
export const DATA_START = /^[-+.,]?\d/;
const COMMENT = /^(#|\/\/|%)/;
/** Characters of a skipped line that a warning shows. */
const TITLE_CHARACTERS = 40;

interface SampledRow extends Checkpoint {
  /** The line after it. */
  readonly nextLine: number;
  readonly cells: readonly string[];
}

function sampledRows({ bytes, whole }: Sample, from: Checkpoint, delimiter: string, most = JUDGED_ROWS): SampledRow[] {
  const found: SampledRow[] = [];
  const rows = new CsvRows(delimiterByte(delimiter), 'CSV', from);
  try {
    rows.push(bytes.subarray(from.offset));
    if (whole) rows.end();
    while (found.length < most && rows.next()) {
      const cells = Array.from({ length: rows.count }, (_, i) => rows.text(i));
      found.push({ offset: rows.offset, line: rows.line, nextLine: rows.nextLine, cells });
    }
  } catch {
    // Quotes do not fit this delimiter from here on.
  }
  return found;
}

// Lines below the table.

/** Rows of the table, including the header, that must stand above. */
const ROWS_ABOVE = 3;

interface Footer {
  /** Where the table ends. */
  readonly to: number;
  readonly warning: Warning;
}

/** In the languages of most tables that people send; a total in another language is a record. */
export const TOTAL =
  /^\s*(?:(?:(?:(?:sub|grand)[\s-]*)?totals?|totaux|sum(?:me)?|summen|(?:gesamt|zwischen)(?:summe)?|insgesamt|somme|suma|totale|subtotale|totaal|общ(?:ий|ая|ее)|итого|всего)(?![\p{L}\p{N}])|合計|総計|小計|合计|总计)/iu;
/** Records that may follow a total, such as notes. */
export const AFTER_TOTAL = 3;

const isBlank = ({ cells }: SampledRow): boolean => cells.every((cell) => cell.trim() === '');

/** A total has no value in some column that has one in each row above, or text over which a column has numbers only. */
function isTotal(rows: readonly SampledRow[], at: number): boolean {
  const { cells } = rows[at] as SampledRow;
  // Rows that are narrower have a warning.
  if (cells.length !== rows[0]?.cells.length || !TOTAL.test(cells.find((cell) => cell.trim() !== '') ?? '')) return false;
  const above = rows.slice(1, at).filter((row) => !isBlank(row) && !TOTAL.test(row.cells[0] ?? ''));
  return (
    above.length > 0 &&
    cells.some((cell, i) => {
      const values = above.map((row) => row.cells[i]?.trim() ?? '');
      return cell.trim() === ''
        ? values.every((value) => value !== '')
        : TOTAL.test(cell) && values.every((value) => DATA_START.test(value));
    })
  );
}

/** A total that is read as a record. */
function totalWarnings(rows: readonly SampledRow[]): Warning[] {
  const from = Math.max(2, rows.length - 1 - AFTER_TOTAL);
  const at = rows.findIndex((_, i) => i >= from && isTotal(rows, i));
  const total = rows[at];
  if (!total) return [];
  const text = total.cells.find((cell) => cell.trim() !== '')?.slice(0, TITLE_CHARACTERS) ?? '';
  return [warning('TOTAL_ROW', say('warning.totalRow', { line: total.line, text }))];
}

/** Where totals below an empty line begin, before other lines from `end` on; `end` if there are none. */
function totalsBelow(rows: readonly SampledRow[], end: number): number {
  let at = end;
  while (at > 0 && end - at <= AFTER_TOTAL && isTotal(rows, at - 1)) at--;
  const [before, first] = [rows[at - 1], rows[at]];
  if (at === end || !before || !first) return end;
  if (isBlank(before)) return at - 1;
  return first.line > before.nextLine ? at : end;
}

/**
 * The footer of a table, by the evidence that shows titles above one: rows narrower than the table at its end, after a blank line or a
 * comment, or totals after one; or rows of one cell below a column in which all values, and no footer, start as numbers do. `rows`: all of the
 * table.
 */
function findFooter(rows: readonly SampledRow[], delimiter: string): Footer | undefined {
  const width = rows[0]?.cells.length ?? 0;
  let at = rows.length;
  while (at > 0 && (rows[at - 1] as SampledRow).cells.length < width) at--;
  at = totalsBelow(rows, at);
  const footer = rows.slice(at);
  const [first] = footer;
  const above = rows.slice(0, at);
  if (!first || width < 2 || above.length < ROWS_ABOVE || above.some(({ cells }) => cells.length !== width)) return undefined;
  const last = above.at(-1) as SampledRow;
  const isAfterBreak = first.line > last.nextLine || footer.some((row) => isBlank(row) || COMMENT.test(row.cells[0] ?? ''));
  const isNoData =
    footer.every(({ cells }) => cells.length === 1 && !DATA_START.test(cells[0] ?? '')) &&
    above.slice(1).every(({ cells }) => DATA_START.test(cells[0] ?? ''));
  if (!isAfterBreak && !isNoData) return undefined;
  const shown = footer.find((row) => !isBlank(row)) ?? first;
  const text = JSON.stringify(shown.cells.join(delimiter).slice(0, TITLE_CHARACTERS));
  const lines = { first: first.line, last: (footer.at(-1) as SampledRow).line, text };
  return { to: first.offset, warning: warning('FOOTER_SKIPPED', say('warning.footerSkipped', lines)) };
}

/** The text up to an offset. */
export function textBefore(text: Utf8Source, end: number): Utf8Source {
  return {
    async *read(signal, options) {
      let left = end;
      for await (const chunk of text.read(signal, options)) {
        yield chunk.length <= left ? chunk : chunk.subarray(0, left);
        left -= chunk.length;
        if (left <= 0) return;
      }
    },
  };
}
