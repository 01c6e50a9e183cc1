/** The columns of a CSV file: their names, and their types by the data, by the caller, or by the upstream tool's schema. */
import type { Column, ColumnType, ConversionOptions } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import type { ColumnAdvice } from '../core/convert-types.ts';
import { parseFailure } from '../core/failures.ts';
import { isExactNumber, isJsonNumber } from './csv-numbers.ts';
import { type CsvRows, PLAIN } from './csv-rows.ts';

/** Maximum number of names in a warning. */
const INVENTED_SHOWN = 10;

export interface ColumnNames {
  readonly names: readonly string[];
  /** The first generated names, for columns whose header is empty or repeated. */
  readonly invented: readonly string[];
  /** Key for cells beyond the header. */
  readonly extra: string;
}

/** Names for a table whose first row is data: `column_1`, `column_2`, … */
export function numberedColumns(count: number): ColumnNames {
  return uniqueNames(new Array<string>(count).fill(''));
}

/**
 * Unique names from a header row. The first column with a name keeps it, whatever comes before: in `a,a,a_2` the second
 * column becomes `a_3`. An empty third name becomes `column_3`.
 */
export function uniqueNames(header: readonly string[]): ColumnNames {
  const given = new Set(header);
  // Only looked up if it can matter, so that millions of empty names need no look-ups.
  const hasNumbered = [...given].some((name) => name.startsWith('column_'));
  const seen = new Set<string>();
  const made = new Set<string>();
  const isTaken = (name: string): boolean => given.has(name) || made.has(name) || isNumberOfEmpty(name, header);
  /** Last suffix tried for a name, so that a thousand equal names are numbered in one pass. */
  const tried = new Map<string, number>();
  const numbered = (base: string): string => {
    let n = tried.get(base) ?? 1;
    let name: string;
    do name = `${base}_${++n}`;
    while (isTaken(name));
    tried.set(base, n);
    made.add(name);
    return name;
  };
  const invented: string[] = [];
  const names = header.map((name, i) => {
    if (name !== '' && !seen.has(name)) {
      seen.add(name);
      return name;
    }
    const plain = `column_${i + 1}`;
    const unique = name !== '' ? numbered(name) : hasNumbered && given.has(plain) ? numbered(plain) : plain;
    if (invented.length < INVENTED_SHOWN) invented.push(unique);
    return unique;
  });
  return { names, invented, extra: isTaken('_extra') ? numbered('_extra') : '_extra' };
}

/** Whether an empty column gets this name. Computed from the name, so that millions of them need no set. */
function isNumberOfEmpty(name: string, header: readonly string[]): boolean {
  const number = /^column_([1-9]\d*)$/.exec(name)?.[1];
  return number !== undefined && header[Number(number) - 1] === '';
}

// Types.

// Types that a column may still have, as bits; each cell clears those that it rules out.
const NUMBER = 1;
const LOWER = 2;
const TITLE = 4;
const UPPER = 8;
const BOOLEAN = LOWER | TITLE | UPPER;
const ANYTHING = NUMBER | BOOLEAN;
/** Set when a cell has text: a column without any text is a string column. */
const HAS_TEXT = 16;

/** `1,50`, `1.234,50`. */
const DECIMAL_COMMA = /^[-+]?(?:\d+|\d{1,3}(?:[. ]\d{3})+),\d+$/;

/** How cells become JSON: one entry per column. */
export interface ColumnPlans {
  readonly names: readonly string[];
  readonly types: readonly ColumnType[];
  /** 1 if empty unquoted cells are `""` and not null. */
  readonly emptyAsText: Uint8Array;
}

export interface Decision {
  readonly type: ColumnType;
  readonly decidedBy: 'caller' | 'schema';
}

/** In a column that the caller wants as text an empty cell is `""`, in any other it is null; a cell that a short row lacks is null. */
export const emptyIsText = (decision: Decision | undefined): boolean =>
  decision?.type === 'string' && decision.decidedBy === 'caller';

/**
 * Fed every row once, tells every column's type. Rules for `types: "auto"`:
 * - number: every cell with text is a number whose value a double gives back (csv-numbers.ts; csv-values.ts rewrites `.5` and padded ones). `007`, `+44`, `1e5` and
 *   20-digit identifiers stay strings; `1.10`, `-0` and `1e+05` are numbers, and keep their digits. A cell `""` is null;
 * - boolean: every cell with text is true or false, in one letter case, and none is `""`;
 * - string: all else, and columns without any text. A cell `""` is an empty string.
 * A cell in quotes counts by its text like any other. White space is text.
 */
export class ColumnTypes {
  private readonly names: readonly string[];
  private readonly decisions: (Decision | undefined)[];
  private readonly possible: Uint8Array;
  private readonly empty: Float64Array;
  private readonly label: string;

  constructor(names: readonly string[], decisions: (Decision | undefined)[], label: string) {
    this.names = names;
    this.decisions = decisions;
    this.label = label;
    this.possible = new Uint8Array(names.length).fill(ANYTHING);
    this.empty = new Float64Array(names.length);
  }

  /** Looks at one row. PARSE_FAILED if a cell does not fit a type given in advance. */
  see(row: CsvRows): void {
    const { possible, empty } = this;
    const { bytes, starts, ends, kinds } = row;
    const width = possible.length;
    const cells = Math.min(row.count, width);
    for (let i = 0; i < cells; i++) {
      const start = starts[i] as number;
      const end = ends[i] as number;
      if (start === end) {
        empty[i] = (empty[i] as number) + 1;
        if (kinds[i] !== PLAIN) possible[i] = (possible[i] as number) & ~BOOLEAN;
        continue;
      }
      const decision = this.decisions[i];
      if (decision) {
        if (decision.type !== 'string' && !fits(bytes, start, end, decision.type)) throw this.misfit(row, i, decision);
        continue;
      }
      const before = possible[i] as number;
      if ((before & ANYTHING) === 0) continue;
      possible[i] = (before & possibleTypes(bytes, start, end)) | HAS_TEXT;
    }
    for (let i = cells; i < width; i++) empty[i] = (empty[i] as number) + 1;
  }

  /** Adds a kernel's counts for a column: the bits above, and how many cells are empty or missing. */
  take(i: number, possible: number, empty: number): void {
    this.possible[i] = possible;
    this.empty[i] = empty;
  }

  plans(): ColumnPlans {
    const { names, decisions } = this;
    return {
      names,
      types: names.map((_, i) => decisions[i]?.type ?? this.typeByData(i)),
      emptyAsText: Uint8Array.from(names, (_, i) => (emptyIsText(decisions[i]) ? 1 : 0)),
    };
  }

  columns({ names, types }: ColumnPlans): Column[] {
    return names.map((name, i) => ({
      name,
      type: types[i] as ColumnType,
      decidedBy: this.decisions[i]?.decidedBy ?? 'data',
      empty: this.empty[i] as number,
    }));
  }

  private typeByData(i: number): ColumnType {
    const possible = this.possible[i] as number;
    if ((possible & HAS_TEXT) === 0) return 'string';
    if (possible & NUMBER) return 'number';
    return possible & BOOLEAN ? 'boolean' : 'string';
  }

  private misfit(row: CsvRows, i: number, { type, decidedBy }: Decision): AppError {
    const text = row.text(i);
    const shown = JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
    return parseFailure(
      this.label,
      say('csv.misfit', {
        column: this.names[i] as string,
        type: type === 'number' ? 'number' : 'boolean',
        cell: shown,
      }),
      { line: row.lineOf(i), column: i + 1 },
      {
        hint: say('csv.misfit.hint', { decidedBy, decimalComma: type === 'number' && DECIMAL_COMMA.test(text) }),
        details: { columnName: this.names[i], decidedBy },
      },
    );
  }
}

/**
 * Which columns have a type in advance: by the caller's `types`, else by the schema, which is asked by the column's name
 * in the payload. No entry means that the data decides. Empty cells, quoted or not, of such a number or boolean column
 * are null.
 */
export function decideColumns(
  names: readonly string[],
  { types, transform, header }: ConversionOptions,
  advice: ColumnAdvice | undefined,
): (Decision | undefined)[] {
  // The usual case; it makes a file of a million columns cheap here.
  if ((types === undefined || types === 'auto') && !advice) return [];
  if (types === 'string') return names.map(() => ({ type: 'string', decidedBy: 'caller' }));
  const asked = new Map(Object.entries(typeof types === 'object' ? types : {}));
  const known = new Set(names);
  for (const name of asked.keys()) if (!known.has(name)) throw unknownColumn(name, names);
  const renames = new Map(Object.entries(transform?.rename ?? {}));
  const selected = transform?.select && new Set(transform.select);
  // An expression builds new values, and rows without header have no names.
  const advise = transform?.expression === undefined && header !== false ? advice : undefined;
  return names.map((name) => {
    const type = asked.get(name);
    if (type) return { type, decidedBy: 'caller' };
    const advised = selected && !selected.has(name) ? undefined : advise?.(renames.get(name) ?? name);
    return advised && { type: advised, decidedBy: 'schema' };
  });
}

function unknownColumn(name: string, names: readonly string[]): AppError {
  const columns = names.slice(0, 30);
  return new AppError('INVALID_REQUEST', say('csv.unknownColumn', { column: name }), {
    hint: say('csv.unknownColumn.hint', { columns, more: names.length - columns.length }),
  });
}

/** Type bits for a cell with text, if no type is given. */
function possibleTypes(bytes: Uint8Array, start: number, end: number): number {
  const first = bytes[start] as number;
  if ((first >= 0x30 && first <= 0x39) || first === 0x2d) return isExactNumber(bytes, start, end) ? NUMBER : 0;
  return booleanCase(bytes, start, end);
}

function fits(bytes: Uint8Array, start: number, end: number, type: 'number' | 'boolean'): boolean {
  return type === 'number' ? isJsonNumber(bytes, start, end) : booleanCase(bytes, start, end) !== 0;
}

const booleans: { bytes: Uint8Array; letterCase: number }[] = [
  ['true', LOWER],
  ['false', LOWER],
  ['True', TITLE],
  ['False', TITLE],
  ['TRUE', UPPER],
  ['FALSE', UPPER],
].map(([word, letterCase]) => ({ bytes: new TextEncoder().encode(String(word)), letterCase: Number(letterCase) }));

/** The letter case in which a cell is a boolean; 0 if it is not a boolean. */
function booleanCase(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  if (length !== 4 && length !== 5) return 0;
  for (const word of booleans) {
    if (word.bytes.length === length && word.bytes.every((byte, i) => byte === bytes[start + i])) return word.letterCase;
  }
  return 0;
}
