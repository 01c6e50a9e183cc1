/** How the kernel is to write the records of a table. */
import type { Transform } from '../../../shared/model/conversion.ts';
import type { Table } from './csv-reference.ts';
import type { CellTest } from './csv-where.ts';

/** Bytes of a column's record, as assembly/csv-write.ts has it. */
const COLUMN_BYTES = 32;
/** What the kernel may copy past the end of a key. */
const KEY_SLACK = 32;
/** Most that a cell takes beyond its escaped text: its quotes, or null. */
const CELL_COST = 5;
/** A width that no row exceeds. */
const NO_WIDTH = 0x3fffffff;

const types = { string: 0, number: 1, boolean: 2 } as const;

const encoder = new TextEncoder();
const QUOTE = encoder.encode('"');

interface WrittenColumn {
  /** Its number in the file, from 0. */
  readonly source: number;
  /** What stands before its value: `{"id":`, `,"name":`; in arrays `[` or `,`. */
  readonly key: Uint8Array;
}

export interface WritePlan {
  readonly columns: readonly WrittenColumn[];
  /** Columns after which cells are extra. */
  readonly width: number;
  /** What stands before extra cells. */
  readonly extraKey: Uint8Array;
  /** All keys of a row and its last bracket. */
  readonly keyBytes: number;
  /** Whether columns are left out, or not in the order of the file. */
  readonly picks: boolean;
  /** What a record has to pass to be written. */
  readonly tests: readonly CellTest[];
}

/** All columns as they are. */
export function planWriting({ names, keyed }: Pick<Table, 'names' | 'keyed'>): WritePlan {
  const columns = names.names.map((name, source) => ({ source, key: keyOf(keyed ? name : undefined, source) }));
  const extraKey = encoder.encode(keyed ? `,${JSON.stringify(names.extra)}:[` : ',');
  return { columns, width: columns.length, extraKey, keyBytes: keyBytesOf(columns), picks: false, tests: [] };
}

/**
 * Columns as `select` and `rename` want them; undefined where these name what is no column, or give a name twice: then
 * the transform's own steps are to be taken, which say so. `hasExtra`: there are rows with extra cells.
 */
export function planSelection(
  { names, keyed }: Pick<Table, 'names' | 'keyed'>,
  { select, rename = {} }: Transform,
  hasExtra: boolean,
): WritePlan | undefined {
  if (select === undefined && Object.keys(rename).length === 0) return planWriting({ names, keyed });
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

/** Without a name, of a list's item. */
function keyOf(name: string | undefined, index: number): Uint8Array {
  if (name === undefined) return encoder.encode(index === 0 ? '[' : ',');
  return encoder.encode(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`);
}

function keyBytesOf(columns: readonly WrittenColumn[]): number {
  let bytes = 1;
  for (const { key } of columns) bytes += key.length;
  return bytes;
}

/** Memory that the plan takes. */
export function planBytes({ columns, extraKey, keyBytes }: WritePlan): number {
  return columns.length * (COLUMN_BYTES + QUOTE.length) + keyBytes + extraKey.length + KEY_SLACK;
}

/** Most bytes that a record takes, beyond 6 for each byte of text. */
export function rowCost({ columns, extraKey, keyBytes }: WritePlan): number {
  return keyBytes + extraKey.length + CELL_COST * columns.length + KEY_SLACK;
}

/** Puts the plan down at an address that 4 divides; gives the address of the extra key. */
export function putPlan(plan: WritePlan, { plans }: Pick<Table, 'plans'>, memory: ArrayBufferLike, address: number): number {
  const bytes = new Uint8Array(memory);
  const words = new Uint32Array(memory);
  let keyAt = address + plan.columns.length * COLUMN_BYTES;
  for (const [i, { source, key }] of plan.columns.entries()) {
    const column = (address + i * COLUMN_BYTES) / 4;
    const type = types[plans.types[source] ?? 'string'];
    // The first quote of a string comes with the key.
    const start = type === types.string ? QUOTE.length : 0;
    words[column] = 4 * source;
    words[column + 1] = keyAt;
    words[column + 2] = key.length + start;
    words[column + 3] = type;
    words[column + 4] = plans.emptyAsText[source] ?? 0;
    words[column + 5] = plans.missingAsText[source] ?? 0;
    bytes.set(key, keyAt);
    bytes.set(QUOTE, keyAt + key.length);
    keyAt += key.length + start;
  }
  bytes.set(plan.extraKey, keyAt);
  return keyAt;
}
