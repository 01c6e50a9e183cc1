/** Suggests known names for a mistyped one. */

/** Levenshtein distance: single-character edits that turn `a` into `b`. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

const words = (name: string) => name.toLowerCase().split(/[^a-z0-9]+/);

/** Up to three names close to `asked`, the closest first: few edits, one inside the other, or the same words. Names that are only related are left out where one differs by a letter. */
export function nearMisses(asked: string, names: readonly string[]): string[] {
  const wanted = asked.toLowerCase();
  const score = (name: string): number => {
    const known = name.toLowerCase();
    if (words(wanted).sort().join(' ') === words(known).sort().join(' ')) return 1;
    const edits = distance(wanted.slice(0, 64), known.slice(0, 64));
    if (wanted.length >= 3 && (known.includes(wanted) || wanted.includes(known))) return Math.min(edits, 2);
    return edits <= Math.max(2, Math.floor(wanted.length / 3)) ? edits : Number.POSITIVE_INFINITY;
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
  const bare = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const wanted = bare(asked).slice(0, 64);
  if (wanted.length < 3) return undefined;
  return names.find((name) => distance(wanted, bare(name)) <= (wanted.length < 5 ? 1 : 2));
}
