/** Suggests known names for a mistyped one. */

/** Levenshtein distance: single-character edits that turn `a` into `b`. */
export function distance(a: string, b: string): number {
  let row = Uint16Array.from({ length: b.length + 1 }, (_, i) => i);
  let next = new Uint16Array(b.length + 1);
  for (let i = 1; i <= a.length; i += 1) {
    next[0] = i;
    const unit = a.charCodeAt(i - 1);
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (row[j - 1] as number) + (unit === b.charCodeAt(j - 1) ? 0 : 1);
      next[j] = Math.min(substitution, (row[j] as number) + 1, (next[j - 1] as number) + 1);
    }
    [row, next] = [next, row];
  }
  return row[b.length] as number;
}

/** A longer text is no mistyped name, and is compared with no other. */
const MAX_NAME = 256;
const COMPARED = 64;

const words = (name: string) => name.toLowerCase().split(/[^a-z0-9]+/);

/** Up to three names close to `asked`, the closest first: few edits, one inside the other, or the same words. Names that are only related are left out where one differs by a letter. */
export function nearMisses(asked: string, names: readonly string[]): string[] {
  if (asked.length > MAX_NAME) return [];
  const wanted = asked.toLowerCase();
  const wantedWords = words(wanted).sort().join(' ');
  // Of a short name, at least half has to be the same.
  const most = Math.min(Math.max(2, Math.floor(wanted.length / 3)), Math.floor(wanted.length / 2));
  const score = (name: string): number => {
    if (name.length > MAX_NAME) return Number.POSITIVE_INFINITY;
    const known = name.toLowerCase();
    if (wantedWords === words(known).sort().join(' ')) return 1;
    const [one, other] = [wanted.slice(0, COMPARED), known.slice(0, COMPARED)];
    const isPart = Math.min(wanted.length, known.length) >= 3 && (known.includes(wanted) || wanted.includes(known));
    if (!isPart && Math.abs(one.length - other.length) > most) return Number.POSITIVE_INFINITY;
    const edits = distance(one, other);
    if (isPart) return Math.min(edits, 2);
    return edits <= most ? edits : Number.POSITIVE_INFINITY;
  };
  const candidates = names
    .map((name) => ({ name, score: score(name) }))
    .filter((candidate) => candidate.score !== Number.POSITIVE_INFINITY)
    .sort((a, b) => a.score - b.score);
  const worst = (candidates[0]?.score ?? 0) <= 1 ? 1 : Number.POSITIVE_INFINITY;
  return candidates
    .filter((candidate) => candidate.score <= worst)
    .slice(0, 3)
    .map((candidate) => candidate.name);
}

/** The known name that a mistyped one stands for: letters swapped, left out or doubled, or written in another case. */
export function mistyped(asked: string, names: readonly string[]): string | undefined {
  const bare = (name: string) =>
    name
      .slice(0, MAX_NAME)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '');
  const wanted = bare(asked).slice(0, COMPARED);
  if (wanted.length < 3) return undefined;
  return names.find((name) => distance(wanted, bare(name)) <= (wanted.length < 5 ? 1 : 2));
}
