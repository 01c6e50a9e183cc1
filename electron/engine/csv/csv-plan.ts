/** Compiles `select`, `rename` and `where` for the kernel: how it writes the records of a table, and which ones. */
import type { ColumnType, Comparison, Transform } from '../../../shared/model/conversion.ts';
import { isBigInteger } from '../transform/comparison.ts';
import type { Table } from './csv-reference.ts';

/** Bytes of a column's record; see assembly/csv-write.ts. */
const COLUMN_BYTES = 32;
/** Bytes that the kernel may copy past the end of a key. */
const KEY_SLACK = 32;
/** Maximum bytes that a cell needs beyond its escaped text: its quotes, or null. */
const CELL_COST = 5;
/** A width that no row exceeds. */
const NO_WIDTH = 0x3fffffff;

const types = { string: 0, number: 1, boolean: 2 } as const;

const encoder = new TextEncoder();
const QUOTE = encoder.encode('"');

interface WrittenColumn {
  /** Its number in the file, from 0. */
  readonly source: number;
  /** Text before its value: `{"id":`, `,"name":`; in arrays `[` or `,`. */
  readonly key: Uint8Array;
}

export interface WritePlan {
  readonly columns: readonly WrittenColumn[];
  /** Cells after this many columns are extra. */
  readonly width: number;
  /** Text before extra cells. */
  readonly extraKey: Uint8Array;
  /** All keys of a row and its closing bracket. */
  readonly keyBytes: number;
  /** Whether columns are left out or reordered. */
  readonly picks: boolean;
  /** Tests that a record must pass to be written. */
  readonly tests: readonly CellTest[];
}

/** All columns, unchanged. */
export function planWriting({ names, keyed, extra }: Pick<Table, 'names' | 'keyed' | 'extra'>): WritePlan {
  const columns = names.names.map((name, source) => ({ source, key: keyOf(keyed ? name : undefined, source) }));
  const extraKey = encoder.encode(keyed ? `,${JSON.stringify(names.extra)}:[` : ',');
  const width = extra === 'cut' || extra === 'emptyCut' ? NO_WIDTH : columns.length;
  return { columns, width, extraKey, keyBytes: keyBytesOf(columns), picks: false, tests: [] };
}

/**
 * Columns after `select` and `rename`. Undefined if these name a missing column or the same name twice: the transform's
 * own steps then report the error. `hasExtra`: some rows have extra cells.
 */
export function planSelection(
  { names, keyed, extra }: Pick<Table, 'names' | 'keyed' | 'extra'>,
  { select, rename = {} }: Transform,
  hasExtra: boolean,
): WritePlan | undefined {
  if (select === undefined && Object.keys(rename).length === 0) return planWriting({ names, keyed, extra });
  if (!keyed || select?.length === 0) return undefined;
  const sources = new Map(names.names.map((name, source) => [name, source]));
  const renames = new Map(Object.entries(rename));
  const chosen = select ?? names.names;
  const columns: WrittenColumn[] = [];
  const written = new Set<string>();
  for (const name of chosen) {
    const source = sources.get(name);
    const newName = renames.get(name) ?? name;
    if (source === undefined || written.has(newName)) return undefined;
    written.add(newName);
    columns.push({ source, key: keyOf(newName, columns.length) });
  }
  for (const name of renames.keys()) if (!sources.has(name) || !chosen.includes(name)) return undefined;
  const keepsExtra = select === undefined && hasExtra;
  if (keepsExtra && written.has(names.extra)) return undefined;
  return {
    columns,
    width: keepsExtra ? names.names.length : NO_WIDTH,
    extraKey: encoder.encode(`,${JSON.stringify(names.extra)}:[`),
    keyBytes: keyBytesOf(columns),
    picks: select !== undefined,
    tests: [],
  };
}

/** Text before a list item, which has no name. */
function keyOf(name: string | undefined, index: number): Uint8Array {
  if (name === undefined) return encoder.encode(index === 0 ? '[' : ',');
  return encoder.encode(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`);
}

function keyBytesOf(columns: readonly WrittenColumn[]): number {
  let bytes = 1;
  for (const { key } of columns) bytes += key.length;
  return bytes;
}

/** Memory that the plan needs. */
export function planBytes({ columns, extraKey, keyBytes }: WritePlan): number {
  return columns.length * (COLUMN_BYTES + QUOTE.length) + keyBytes + extraKey.length + KEY_SLACK;
}

/** Maximum bytes that a record needs beyond 6 for each byte of text. */
export function rowCost({ columns, extraKey, keyBytes }: WritePlan): number {
  return keyBytes + extraKey.length + CELL_COST * columns.length + KEY_SLACK;
}

/** Writes the plan at a 4-byte aligned address; returns the address of the extra key. */
export function putPlan(plan: WritePlan, { plans }: Pick<Table, 'plans'>, memory: ArrayBufferLike, address: number): number {
  const bytes = new Uint8Array(memory);
  const words = new Uint32Array(memory);
  let keyAt = address + plan.columns.length * COLUMN_BYTES;
  for (const [i, { source, key }] of plan.columns.entries()) {
    const column = (address + i * COLUMN_BYTES) / 4;
    const type = types[plans.types[source] ?? 'string'];
    // The key text includes a string's opening quote.
    const start = type === types.string ? QUOTE.length : 0;
    words[column] = 4 * source;
    words[column + 1] = keyAt;
    words[column + 2] = key.length + start;
    words[column + 3] = type;
    words[column + 4] = plans.emptyAsText[source] ?? 0;
    bytes.set(key, keyAt);
    bytes.set(QUOTE, keyAt + key.length);
    keyAt += key.length + start;
  }
  bytes.set(plan.extraKey, keyAt);
  return keyAt;
}

// `where`: comparisons of columns with known types, with operands as bytes.

/** Bytes of a test's record and of an operand's; see assembly/csv-where.ts. */
const TEST_BYTES = 32;
const OPERAND_BYTES = 8;

const AS_STRING = 0;
const AS_NUMBER = 1;
const AS_BOOLEAN = 2;
const AS_PREFIX = 3;
const AS_PART = 4;

/** Outcomes of a comparison that match. */
const BELOW = 1;
const EQUAL = 2;
const ABOVE = 4;

/** Searching for a longer text in a long cell could block the kernel for too long. Bytes. */
const LONGEST_PART = 64;
const LONGEST_OPERANDS = 64 * 1024;

interface CellTest {
  readonly source: number;
  readonly compare: number;
  readonly hits: number;
  readonly negated: boolean;
  readonly nullPasses: boolean;
  readonly operands: readonly Uint8Array[];
}

/**
 * The tests; undefined if the kernel cannot do them, or if the comparison is an error to report. `isExact` tells whether
 * a column's numbers are plain decimals.
 */
export function planTests(
  where: readonly Comparison[],
  { names, plans }: Pick<Table, 'names' | 'plans'>,
  isExact: (source: number) => boolean,
): CellTest[] | undefined {
  const tests: CellTest[] = [];
  let bytes = 0;
  for (const comparison of where) {
    const source = names.names.indexOf(comparison.column);
    const type = plans.types[source];
    if (type === undefined || (type === 'number' && !isExact(source))) return undefined;
    const test = planTest(comparison, type);
    if (!test) return undefined;
    for (const operand of test.operands) bytes += operand.length + OPERAND_BYTES;
    tests.push({ source, ...test });
  }
  return bytes > LONGEST_OPERANDS ? undefined : tests;
}

function planTest({ op, value }: Comparison, type: ColumnType): Omit<CellTest, 'source'> | undefined {
  const compare = { string: AS_STRING, number: AS_NUMBER, boolean: AS_BOOLEAN }[type];
  const nothing = { compare, hits: 0, negated: false, nullPasses: false, operands: [] };
  if (op === 'is_null') return { ...nothing, nullPasses: true };
  if (op === 'not_null') return { ...nothing, negated: true };
  if (value === undefined || Array.isArray(value) !== (op === 'in')) return undefined;
  const values = Array.isArray(value) ? value : [value];
  const given = values.flatMap((each) => operandFor(type, each) ?? []);
  // The empty text equals null.
  const hasNull = values.includes(null) || values.includes('');
  switch (op) {
    case '=':
    case '!=':
    case 'in': {
      // Values that are all of other types are an error, unless no cell has a value.
      if (values.length > 0 && given.length === 0 && !hasNull) return undefined;
      const negated = op === '!=';
      return { compare, hits: EQUAL, negated, nullPasses: hasNull !== negated, operands: given };
    }
    case 'starts_with':
    case 'contains': {
      if (type !== 'string' || given.length === 0) return undefined;
      if (op === 'starts_with') return { ...nothing, compare: AS_PREFIX, operands: given };
      return (given[0]?.length ?? 0) > LONGEST_PART ? undefined : { ...nothing, compare: AS_PART, operands: given };
    }
    default: {
      if (type === 'boolean' || given.length === 0) return undefined;
      const hits = { '<': BELOW, '<=': BELOW | EQUAL, '>': ABOVE, '>=': ABOVE | EQUAL }[op];
      return { ...nothing, hits, operands: given };
    }
  }
}

/** The bytes to compare a column's cells with; undefined if no such cell can equal or compare with the value. */
function operandFor(type: ColumnType, value: unknown): Uint8Array | undefined {
  if (type === 'boolean') return typeof value === 'boolean' ? encoder.encode(String(value)) : undefined;
  if (type === 'string') return typeof value === 'string' && !/\p{Surrogate}/u.test(value) ? encoder.encode(value) : undefined;
  if (typeof value === 'number') return encoder.encode(plainDecimal(value));
  return typeof value === 'string' && isBigInteger(value) ? encoder.encode(value) : undefined;
}

/** A number without an exponent. */
function plainDecimal(value: number): string {
  const [, minus = '', whole = '', fraction = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  if (exponent === undefined) return String(value);
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${minus}0.${'0'.repeat(-point)}${digits}`;
  return `${minus}${digits.padEnd(point, '0')}`;
}

/** Memory that the tests need. */
export function testBytes(tests: readonly CellTest[]): number {
  let bytes = TEST_BYTES * tests.length;
  for (const { operands } of tests) for (const operand of operands) bytes += OPERAND_BYTES + operand.length;
  return bytes;
}

/** Writes the tests at a 4-byte aligned address. */
export function putTests(
  tests: readonly CellTest[],
  { plans }: Pick<Table, 'plans'>,
  memory: ArrayBufferLike,
  address: number,
): void {
  const words = new Uint32Array(memory);
  const bytes = new Uint8Array(memory);
  let operandAt = address + TEST_BYTES * tests.length;
  let textAt = operandAt + OPERAND_BYTES * tests.reduce((count, { operands }) => count + operands.length, 0);
  for (const [i, { source, compare, hits, negated, nullPasses, operands }] of tests.entries()) {
    const asText = plans.emptyAsText[source] ?? 0;
    const operandsTo = operandAt + OPERAND_BYTES * operands.length;
    const record = [4 * source, compare, hits, negated ? 1 : 0, nullPasses ? 1 : 0, asText, operandAt, operandsTo];
    words.set(record, (address + i * TEST_BYTES) / 4);
    for (const operand of operands) {
      words.set([textAt, operand.length], operandAt / 4);
      bytes.set(operand, textAt);
      textAt += operand.length;
      operandAt += OPERAND_BYTES;
    }
  }
}
