/** Compiles `where` for the CSV kernel: comparisons of columns with known types, with operands as bytes. */
import type { ColumnType, Comparison } from '../../../shared/model/conversion.ts';
import { isBigInteger } from '../transform/comparison.ts';
import type { Table } from './csv-reference.ts';

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

const encoder = new TextEncoder();

export interface CellTest {
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
  const hasNull = values.includes(null);
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
