/** Describes to the kernel how to write the records of a table. */
import type { Transform } from '../../../shared/model/conversion.ts';
import type { Table } from './csv-reference.ts';
import type { CellTest } from './csv-where.ts';

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
