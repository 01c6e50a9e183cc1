/** How the kernel is to write the records of a table, and how long they come out. */
import type { Table } from '../formats/csv.ts';

/** Bytes of a column's record, as assembly/csv-write.ts has it. */
const COLUMN_BYTES = 32;
/** What the kernel may copy past the end of a key. */
const KEY_SLACK = 32;
/** Most that a cell takes beyond its escaped text: its quotes, or null. */
const CELL_COST = 5;

const types = { string: 0, number: 1, boolean: 2 } as const;

const encoder = new TextEncoder();
const QUOTE = encoder.encode('"');

export interface WritePlan {
  /** What stands before the value of each column: `{"id":`, `,"name":`; in arrays `[` and `,`. */
  readonly keys: readonly Uint8Array[];
  /** What stands before extra cells. */
  readonly extraKey: Uint8Array;
  /** All keys of a row and its last bracket. */
  readonly keyBytes: number;
}

export function planWriting({ names, keyed }: Pick<Table, 'names' | 'keyed'>): WritePlan {
  const keys = names.names.map((name, i) => {
    if (!keyed) return encoder.encode(i === 0 ? '[' : ',');
    return encoder.encode(`${i === 0 ? '{' : ','}${JSON.stringify(name)}:`);
  });
  let keyBytes = 1;
  for (const key of keys) keyBytes += key.length;
  return { keys, extraKey: encoder.encode(keyed ? `,${JSON.stringify(names.extra)}:[` : ','), keyBytes };
}

/** Memory that the plan takes. */
export function planBytes({ keys, extraKey, keyBytes }: WritePlan): number {
  return keys.length * (COLUMN_BYTES + QUOTE.length) + keyBytes + extraKey.length + KEY_SLACK;
}

/** Most bytes that a record takes, beyond 6 for each byte of text. */
export function rowCost({ keys, extraKey, keyBytes }: WritePlan): number {
  return keyBytes + extraKey.length + CELL_COST * keys.length + KEY_SLACK;
}

/** Puts the plan down at an address that 4 divides; gives the address of the extra key. */
export function putPlan(plan: WritePlan, { plans }: Pick<Table, 'plans'>, memory: ArrayBufferLike, address: number): number {
  const bytes = new Uint8Array(memory);
  const words = new Uint32Array(memory);
  let keyAt = address + plan.keys.length * COLUMN_BYTES;
  for (const [i, key] of plan.keys.entries()) {
    const column = (address + i * COLUMN_BYTES) / 4;
    const type = types[plans.types[i] ?? 'string'];
    // The first quote of a string comes with the key.
    const start = type === types.string ? QUOTE.length : 0;
    words[column] = 4 * i;
    words[column + 1] = keyAt;
    words[column + 2] = key.length + start;
    words[column + 3] = type;
    words[column + 4] = plans.emptyAsText[i] ?? 0;
    words[column + 5] = plans.missingAsText[i] ?? 0;
    bytes.set(key, keyAt);
    bytes.set(QUOTE, keyAt + key.length);
    keyAt += key.length + start;
  }
  bytes.set(plan.extraKey, keyAt);
  return keyAt;
}
