/** Checks that two converters found the same records, and lists values for which they chose different types. */
import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';

type Cell = unknown;
type Records = Record<string, Cell>[];

/** Allowed differences: a rival may type each cell separately, or know types that JSON lacks. */
const readings: Readonly<Record<string, (ours: Cell, theirs: Cell) => boolean>> = {
  'empty cells as empty strings or not at all': (ours, theirs) => ours === null && (theirs === '' || theirs === undefined),
  'empty strings as null': (ours, theirs) => ours === '' && theirs === null,
  'texts as numbers': (ours, theirs) => typeof ours === 'string' && typeof theirs === 'number' && Number(ours) === theirs,
  'numbers as texts': (ours, theirs) => typeof ours === 'number' && typeof theirs === 'string' && Number(theirs) === ours,
  'booleans as texts': (ours, theirs) => typeof ours === 'boolean' && String(ours) === theirs,
  'dates in another notation': (ours, theirs) =>
    typeof ours === 'string' &&
    typeof theirs === 'string' &&
    /^\d{4}-\d\d-\d\d/.test(theirs) &&
    instant(ours) === instant(theirs),
};

/** Times without a zone count as UTC. */
const instant = (text: string) => Date.parse(/[Z+]|^[^ T]*$/.test(text) ? text : `${text.replace(' ', 'T')}Z`);

/**
 * Compares record by record, column by column. Returns the differences by kind with their columns; throws at the first
 * one that is none of `readings`.
 */
export async function differences(oursFile: string, theirsFile: string): Promise<string[]> {
  const [ours, theirs] = (await Promise.all(
    [oursFile, theirsFile].map(async (file) => JSON.parse(await readFile(file, 'utf8'))),
  )) as [Records, Records];
  if (ours.length !== theirs.length) throw new Error(`${ours.length} records here, ${theirs.length} there`);
  const found = new Map<string, Set<string>>();
  ours.forEach((record, i) => {
    const other = theirs[i] ?? {};
    for (const column of new Set([...Object.keys(record), ...Object.keys(other)])) {
      if (record[column] === other[column]) continue;
      const kind = Object.keys(readings).find((name) => readings[name]?.(record[column], other[column]));
      if (kind === undefined) {
        throw new Error(
          `Record ${i}, '${column}': ${JSON.stringify(record[column])} here, ${JSON.stringify(other[column])} there`,
        );
      }
      found.set(kind, (found.get(kind) ?? new Set()).add(column));
    }
  });
  return [...found].map(([kind, columns]) => `${kind} (${[...columns].join(', ')})`);
}

/** The first difference between two values; undefined if there is none. Ignores the order of members. */
function firstDifference(ours: unknown, theirs: unknown, place = '$'): string | undefined {
  if (isDeepStrictEqual(ours, theirs)) return undefined;
  if (typeof ours !== 'object' || typeof theirs !== 'object' || ours === null || theirs === null) {
    return `${place}: ${JSON.stringify(ours)} here, ${JSON.stringify(theirs)} there`;
  }
  const keys = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
  for (const key of keys) {
    const found = firstDifference(
      (ours as Record<string, unknown>)[key],
      (theirs as Record<string, unknown>)[key],
      `${place}.${key}`,
    );
    if (found !== undefined) return found;
  }
  return `${place}: a list here, an object there, or the other way round`;
}

/** Throws at the first difference between two JSON files. */
export async function assertSame(oursFile: string, theirsFile: string): Promise<void> {
  const [ours, theirs] = await Promise.all([oursFile, theirsFile].map(async (file) => JSON.parse(await readFile(file, 'utf8'))));
  const found = firstDifference(ours, theirs);
  if (found !== undefined) throw new Error(found);
}
