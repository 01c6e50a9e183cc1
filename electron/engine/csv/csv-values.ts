/**
 * Rewrites the values of columns: marks of missing values, decimal commas, dates. Warns about columns that need it, and about tables in which a
 * person would see something else than their cells.
 */
import { type ConversionOptions, type Warning, warning } from '../../../shared/model/conversion.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { bytesAfter } from '../core/byte-streams.ts';
import type { ReaderContext, Utf8Source } from '../core/reader.ts';
import { type Decision, decideColumns, uniqueNames } from './csv-columns.ts';
import { delimiterByte } from './csv-dialect.ts';
import { isExactNumber } from './csv-numbers.ts';
import type { Opening } from './csv-opening.ts';
import { type Cell, NULL_CELL, rewritten, usualSyntax } from './csv-rewrite.ts';
import { CsvRows } from './csv-rows.ts';

/** The text that a cell becomes; undefined if it is not of this kind. */
type Reading = (text: string) => string | undefined;

/** A kind that a column has if every cell with text is of it. In order of preference. */
interface Kind {
  readonly of: 'number' | 'date';
  readonly read: Reading;
}

/** Columns named in a warning. */
const NAMED = 5;
/** A comma that does not separate thousands. */
const DECIMAL_COMMA = /,(\d{1,2}|\d{4,})$/;
const BLANK_ENDS = /^[ \t]+|[ \t]+$/g;

/** A decimal in JSON's grammar, if a double holds it exactly and it has no leading zeros, which identifiers have. */
function exactDecimal(text: string): string | undefined {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d*)(?:\.(\d*))?$/.exec(text) ?? [];
  if (whole === '' && fraction === '') return undefined;
  const shown = `${sign}${whole || '0'}${fraction === '' ? '' : `.${fraction}`}`;
  const bytes = Buffer.from(shown, 'latin1');
  return isExactNumber(bytes, 0, bytes.length) ? shown : undefined;
}

const decimalReadings: Readonly<Record<',' | '.', Reading>> = {
  // 1.234,56 and 1234,56 and +1,5.
  ',': (text) => {
    const trimmed = text.replace(BLANK_ENDS, '');
    if (!/^[-+]?(\d{1,3}(\.\d{3})+|\d*)(,\d+)?$/.test(trimmed)) return undefined;
    if (trimmed.startsWith('+') && !trimmed.includes(',')) return undefined;
    return exactDecimal(trimmed.replace('+', '').replaceAll('.', '').replace(',', '.'));
  },
  // .5 and 1. and blanks around a number; numbers with an exponent as they are.
  '.': (text) => {
    const trimmed = text.replace(BLANK_ENDS, '');
    const bytes = Buffer.from(trimmed, 'latin1');
    if (bytes.length > 0 && isExactNumber(bytes, 0, bytes.length)) return trimmed;
    return exactDecimal(trimmed);
  },
};

const DATE_TIME = String.raw`(?:[ T](\d{1,2}):(\d\d)(?::(\d\d))?)?`;

function isoDate(year: string, month: string, day: string, [hour, minute, second]: (string | undefined)[]): string | undefined {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const known = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(known.getTime()) || known.toISOString().slice(0, 10) !== date) return undefined;
  if (hour === undefined || minute === undefined) return date;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second ?? 0) > 59) return undefined;
  return `${date}T${hour.padStart(2, '0')}:${minute}:${second ?? '00'}`;
}

/** Dates with the day first or the month first, between some separator; or with the year first. */
function dateReading(pattern: string, order: 'dmy' | 'mdy' | 'ymd'): Reading {
  const format = new RegExp(`^${pattern}${DATE_TIME}$`);
  return (text) => {
    const [, a, b, c, ...time] = format.exec(text.trim()) ?? [];
    if (a === undefined || b === undefined || c === undefined) return undefined;
    if (order === 'ymd') return isoDate(a, b, c, time);
    return order === 'dmy' ? isoDate(c, b, a, time) : isoDate(c, a, b, time);
  };
}

const dayFirstDots = dateReading(String.raw`(\d{1,2})\.(\d{1,2})\.(\d{4})`, 'dmy');
const slashes = String.raw`(\d{1,2})[/-](\d{1,2})[/-](\d{4})`;
const dates: readonly Reading[] = [
  dayFirstDots,
  dateReading(String.raw`(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})`, 'ymd'),
  dateReading(slashes, 'dmy'),
  dateReading(slashes, 'mdy'),
];

/** Which readings all of a column's cells so far allow. */
class ColumnKinds {
  private readonly possible: Kind[][];
  private readonly seen: boolean[];

  constructor(kinds: readonly Kind[], width: number) {
    this.possible = Array.from({ length: width }, () => [...kinds]);
    this.seen = new Array<boolean>(width).fill(false);
  }

  see(column: number, text: string): void {
    const possible = this.possible[column];
    if (!possible || text.trim() === '') return;
    this.seen[column] = true;
    if (possible.length > 0) this.possible[column] = possible.filter(({ read }) => read(text) !== undefined);
  }

  /** The reading of a column; undefined if there is none, or if day and month cannot be told apart. */
  readingOf(column: number): Kind | undefined {
    const possible = this.possible[column] ?? [];
    const [first, second] = possible;
    if (!this.seen[column] || !first) return undefined;
    return second && first.of === second.of && first.of === 'date' ? undefined : first;
  }
}

interface Values {
  readonly text: Utf8Source;
  readonly warnings: readonly Warning[];
}

/** The text with values rewritten by the options, or because numbers are written as JSON does not write them. */
export async function settleValues(text: Utf8Source, context: ReaderContext, opening: Opening, label: string): Promise<Values> {
  const { options } = context;
  const { rows } = opening;
  if (options.types === 'string') return { text: nullsOnly(text, options, opening), warnings: [] };
  const plain = options.decimal === undefined && hasLooseNumbers(rows);
  const decimal = options.decimal ?? (plain ? '.' : undefined);
  const warnings = options.header === false ? [] : hints(options, opening);
  if (decimal === undefined && options.dates === undefined) return { text: nullsOnly(text, options, opening), warnings };
  const kinds: Kind[] = [
    ...(decimal === undefined ? [] : [{ of: 'number' as const, read: decimalReadings[decimal] }]),
    ...(options.dates === undefined ? [] : dates.map((read) => ({ of: 'date' as const, read }))),
  ];
  const { columns, decisions } = await columnKinds(text, context, opening, label, kinds);
  const nulls = new Set(options.nulls);
  const readings = decisions.map((decision, i) => readingFor(decision, columns.readingOf(i), decimal));
  if (nulls.size === 0 && readings.every((reading) => reading === undefined)) return { text, warnings };
  return { text: rewrittenValues(text, options, opening, nulls, readings), warnings };
}

/** A column that was asked for as a number is read cell by cell, so that the error names the cell that is none. */
function readingFor(decision: Decision | undefined, kind: Kind | undefined, decimal: ',' | '.' | undefined): Reading | undefined {
  if (!decision) return kind?.read;
  if (decision.type === 'number') return decimal && decimalReadings[decimal];
  return decision.type === 'string' && kind?.of === 'date' ? kind.read : undefined;
}

function nullsOnly(text: Utf8Source, options: ConversionOptions, opening: Opening): Utf8Source {
  return options.nulls?.length ? rewrittenValues(text, options, opening, new Set(options.nulls), []) : text;
}

function rewrittenValues(
  text: Utf8Source,
  { header }: ConversionOptions,
  { delimiter, from }: Opening,
  nulls: ReadonlySet<string>,
  readings: readonly (Reading | undefined)[],
): Utf8Source {
  const marks = new Set([...nulls].map((mark) => Buffer.from(mark).toString('latin1')));
  const change = (cell: Cell, column: number): Cell => {
    if (cell.rest !== undefined) return cell;
    if (marks.has(cell.text)) return NULL_CELL;
    const read = readings[column]?.(cell.text);
    return read === undefined ? cell : { text: read, quoted: cell.quoted };
  };
  const headers = header === false ? 0 : 1;
  return rewritten(text, { ...usualSyntax, delimiter }, from.offset, (cells, row) => (row < headers ? cells : cells.map(change)));
}

/** Reads all rows to find which columns have one kind of value throughout. */
async function columnKinds(
  text: Utf8Source,
  { options, columnAdvice, signal, cut }: ReaderContext,
  { delimiter, from }: Opening,
  label: string,
  kinds: readonly Kind[],
): Promise<{ columns: ColumnKinds; decisions: (Decision | undefined)[] }> {
  const rows = new CsvRows(delimiterByte(delimiter), label, from);
  const nulls = new Set(options.nulls);
  let columns: ColumnKinds | undefined;
  let decisions: (Decision | undefined)[] = [];
  const take = (): void => {
    while (rows.next()) {
      if (!columns) {
        columns = new ColumnKinds(kinds, rows.count);
        const names = uniqueNames(options.header === false ? [] : textsOf(rows)).names;
        const known = options.header === false ? [] : decideColumns(names, options, columnAdvice);
        decisions = Array.from({ length: rows.count }, (_, i) => known[i]);
        if (options.header !== false) continue;
      }
      for (let i = 0; i < rows.count; i++) {
        const cell = rows.text(i);
        if (!nulls.has(cell)) columns.see(i, cell);
      }
    }
  };
  try {
    for await (const chunk of bytesAfter(text.read(signal), from.offset)) {
      rows.push(new Uint8Array(chunk));
      take();
    }
    if (!cut) rows.end();
    take();
  } catch (error) {
    if (signal?.aborted) throw error;
    // A malformed row: the reader reports it.
    return { columns: new ColumnKinds(kinds, 0), decisions: [] };
  }
  return { columns: columns ?? new ColumnKinds(kinds, 0), decisions };
}

const textsOf = (rows: CsvRows): string[] => Array.from({ length: rows.count }, (_, i) => rows.text(i));

/** The cells with text of each column below the header. */
function filledCells([header = [], ...below]: readonly (readonly string[])[]): { name: string; cells: string[] }[] {
  return header.map((name, i) => ({ name, cells: below.map((row) => row[i] ?? '').filter((cell) => cell.trim() !== '') }));
}

const isNumber = (text: string): boolean => {
  const bytes = Buffer.from(text, 'latin1');
  return bytes.length > 0 && isExactNumber(bytes, 0, bytes.length);
};

/** Whether a column's numbers in the beginning are all exact, but some written as `.5`, `1.` or with blanks around. */
function hasLooseNumbers(rows: Opening['rows']): boolean {
  if (!rows.some((row) => row.some((cell) => /^[ \t]*-?\.\d|\d\.[ \t]*$|^[ \t]+[-\d]|\d[ \t]+$/.test(cell)))) return false;
  return filledCells(rows).some(
    ({ cells }) =>
      cells.some((cell) => !isNumber(cell)) &&
      cells.length > 0 &&
      cells.every((cell) => decimalReadings['.'](cell) !== undefined),
  );
}

/** Warnings that name the option for columns whose values may be meant otherwise, or stay text, only for the way they are written. */
function hints(options: ConversionOptions, { rows, delimiter }: Opening): Warning[] {
  const columns = filledCells(rows).filter(({ cells }) => cells.length > 0);
  const found: Warning[] = tableHints(rows, columns, options, isNumber);
  const nulls = new Set(options.nulls);
  const valued = columns
    .map(({ name, cells }) => ({ name, cells: cells.filter((cell) => !nulls.has(cell)) }))
    .filter(({ cells }) => cells.length > 0);
  const named = (some: readonly Column[]) => some.map(({ name }) => name).slice(0, NAMED);
  const dotted = valued.filter(({ cells }) => cells.every((cell) => dayFirstDots(cell) !== undefined));
  if (options.decimal === undefined) {
    const commas = valued.filter(
      ({ cells }) =>
        cells.some((cell) => DECIMAL_COMMA.test(cell)) && cells.every((cell) => decimalReadings[','](cell) !== undefined),
    );
    if (commas.length > 0) found.push(warning('DECIMAL_COMMA', say('warning.decimalComma', { columns: named(commas) })));
    const thousands = delimiter === ';' || dotted.length > 0 ? thousandsIn(valued, options) : [];
    const asNumbers = thousands.find(({ cells }) => cells.every(isNumber));
    const example = (asNumbers ?? thousands[0])?.cells.find((cell) => THOUSANDS.test(cell));
    if (example !== undefined) {
      const readAs = asNumbers ? Number(example) : null;
      const meant = Number(example.replace('.', ''));
      found.push(
        warning('MAYBE_THOUSANDS', say('warning.maybeThousands', { columns: named(thousands), example, readAs, meant })),
      );
    }
  }
  if (options.dates === undefined && dotted.length > 0)
    found.push(warning('DATES_AS_TEXT', say('warning.datesAsText', { columns: named(dotted) })));
  const mixed = valued.filter(({ cells }) => mixedDates(cells) !== undefined);
  const forms = mixed[0] && mixedDates(mixed[0].cells);
  if (forms) found.push(warning('MIXED_DATES', say('warning.mixedDates', { columns: named(mixed), ...forms })));
  return found;
}

const THOUSANDS = /^-?[1-9]\d{0,2}\.\d{3}$/;
const GROUPED = /^-?(0|[1-9]\d{0,2}(\.\d{3})*)$/;

/** Columns of numbers that may be German thousands: 980, 1.234, 1.234.567. None if a column has a point that cannot separate thousands: 0.5, 1234.567. */
function thousandsIn(columns: readonly Column[], { types }: ConversionOptions): readonly Column[] {
  const found = columns.filter(
    ({ name, cells }) =>
      (typeof types !== 'object' || types[name] !== 'string') &&
      cells.some((cell) => THOUSANDS.test(cell)) &&
      cells.every((cell) => GROUPED.test(cell)),
  );
  const hasPoint = ({ cells }: Column) =>
    cells.some((cell) => cell.includes('.') && !THOUSANDS.test(cell)) && cells.every(isNumber);
  return found.length > 0 && columns.some(hasPoint) ? [] : found;
}

/** A column in which every cell is a date, but no form is that of all; an example of the first form, and of another. */
function mixedDates(cells: readonly string[]): { first: string; other: string } | undefined {
  if (cells.some((cell) => dates.every((read) => read(cell) === undefined))) return undefined;
  const [first = ''] = cells;
  const forms = dates.filter((read) => read(first) !== undefined);
  const others = forms.map((read) => cells.find((cell) => read(cell) === undefined));
  const [other] = others;
  return other === undefined || others.includes(undefined) ? undefined : { first, other };
}

// Warnings about tables that are read as they are, by their first rows.

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
function tableHints(
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

/** Whether all cells are numbers, except those that mark a missing value. */
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
