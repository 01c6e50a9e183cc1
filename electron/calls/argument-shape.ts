/** The shape of a call's arguments for its ledger line: names, kinds and sizes, no values. */
import type { LedgerEntry } from '../../shared/model/call.ts';

export type ArgumentShape = NonNullable<LedgerEntry['shape']>;

/** Arguments that are listed. */
const LISTED = 20;
/** Length limit of a name. UTF-16 code units. */
const MAX_NAME = 60;

export function argumentShape(args: Readonly<Record<string, unknown>>): ArgumentShape {
  return Object.entries(args)
    .slice(0, LISTED)
    .map(([name, value]) => ({ name: name.slice(0, MAX_NAME), ...shapeOf(value) }));
}

function shapeOf(value: unknown): Omit<ArgumentShape[number], 'name'> {
  if (typeof value === 'string') return { kind: 'text', size: value.length };
  if (Array.isArray(value)) return { kind: 'list', size: value.length };
  if (typeof value === 'object' && value !== null) return { kind: 'object', size: Object.keys(value).length };
  if (typeof value === 'number') return { kind: 'number', size: null };
  return { kind: typeof value === 'boolean' ? 'boolean' : 'null', size: null };
}
