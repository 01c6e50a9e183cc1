/** Filters over the rows of a ledger index. Most questions are answered by counts of tags, without the rows. */
import type { LedgerEntry } from '../../shared/model/call.ts';
import type { Columns, Tag } from './ledger-index.ts';

/** Which entries pass; what is absent passes all. */
export interface LedgerFilter {
  /** Words, all of which stand in server, tool, client, file name or error code; case does not matter. */
  text?: string | undefined;
  outcomes?: readonly LedgerEntry['outcome'][] | undefined;
  servers?: readonly string[] | undefined;
  clients?: readonly string[] | undefined;
}

export interface RowFilter {
  count(tags: readonly Tag[], columns: () => Promise<Columns>): Promise<number>;
  /** Rows that pass, newest first, without the first `skip`, at most `limit`. */
  rows(tags: readonly Tag[], columns: Columns, skip: number, limit: number): number[];
}

/** Whether a row passes, by the numbers of its tag and name. */
type Passes = (tag: number, name: number) => boolean;

export function compileFilter({ text, outcomes, servers, clients }: LedgerFilter): RowFilter {
  const words = [...new Set(text?.toLowerCase().split(/\s+/).filter(Boolean))];
  const among = <T>(list: readonly T[] | undefined, value: T) => list === undefined || list.includes(value);
  const allowed = (tag: Tag) =>
    among(outcomes, tag.outcome) && among<string | null>(servers, tag.server) && among<string | null>(clients, tag.client);
  const withAllWords = (tag: Tag) => words.every((word) => tag.words.includes(word));

  /** Words in the tag need not be looked for in names: only tags that lack some depend on the row's name. */
  function passes(tags: readonly Tag[], names: readonly string[]): Passes {
    const byTag = tags.map((tag) => {
      if (!allowed(tag)) return undefined;
      return words.filter((word) => !tag.words.includes(word));
    });
    const inNames = new Map<string, Uint8Array>();
    for (const word of new Set(byTag.flatMap((missing) => missing ?? [])))
      inNames.set(
        word,
        Uint8Array.from(names, (name) => (name.includes(word) ? 1 : 0)),
      );
    const needed = byTag.map((missing) => missing?.map((word) => inNames.get(word) ?? new Uint8Array(0)));
    return (tag, name) => {
      const missing = needed[tag];
      if (missing === undefined) return false;
      for (const found of missing) if (found[name] !== 1) return false;
      return true;
    };
  }

  return {
    async count(tags, columns) {
      const candidates = tags.filter(allowed);
      if (candidates.every(withAllWords)) return candidates.reduce((sum, { count }) => sum + count, 0);
      const { tag, name, names } = await columns();
      const pass = passes(tags, names);
      let count = 0;
      for (let row = 0; row < tag.length; row += 1) if (pass(tag[row] ?? 0, name[row] ?? 0)) count += 1;
      return count;
    },
    rows(tags, { tag, name, names }, skip, limit) {
      const pass = passes(tags, names);
      const rows: number[] = [];
      let skipped = 0;
      for (let row = tag.length - 1; row >= 0 && rows.length < limit; row -= 1) {
        if (!pass(tag[row] ?? 0, name[row] ?? 0)) continue;
        if (skipped < skip) skipped += 1;
        else rows.push(row);
      }
      return rows;
    },
  };
}
