/** Error texts of the newest failed calls, kept in memory only because they may contain data. */

const KEPT = 500;
const LONGEST = 2_000;

export interface LastWords {
  keep(entryId: string, message: string): void;
  of(entryId: string): string | undefined;
}

export function createLastWords(): LastWords {
  const words = new Map<string, string>();
  return {
    keep(entryId, message) {
      words.set(entryId, message.length > LONGEST ? `${message.slice(0, LONGEST)}…` : message);
      const [oldest] = words.keys();
      if (words.size > KEPT && oldest !== undefined) words.delete(oldest);
    },
    of: (entryId) => words.get(entryId),
  };
}
