/** Finds where a sequence occurs in another, in linear time whatever they contain (Knuth, Morris and Pratt, 1977). */
export function* occurrences(text: ArrayLike<number>, wanted: ArrayLike<number>, overlapping: boolean): Generator<number> {
  if (wanted.length === 0 || wanted.length > text.length) return;
  /** Length of the longest proper prefix of `wanted` that ends at each place. */
  const borders = new Int32Array(wanted.length);
  for (let at = 1, border = 0; at < wanted.length; at += 1) {
    while (border > 0 && wanted[at] !== wanted[border]) border = borders[border - 1] as number;
    if (wanted[at] === wanted[border]) border += 1;
    borders[at] = border;
  }
  let matched = 0;
  for (let at = 0; at < text.length; at += 1) {
    while (matched > 0 && text[at] !== wanted[matched]) matched = borders[matched - 1] as number;
    if (text[at] === wanted[matched]) matched += 1;
    if (matched < wanted.length) continue;
    yield at + 1 - matched;
    matched = overlapping ? (borders[matched - 1] as number) : 0;
  }
}

/** Up to this many comparisons, the built-in search is faster in any case. */
const FEW_COMPARISONS = 200_000_000;
/** The built-in search is linear for shorter texts. */
const SHORT = 200;

/** Offsets of a text in another. */
export function* textOccurrences(text: string, wanted: string, overlapping: boolean): Generator<number> {
  if (wanted.length > SHORT && wanted.length * text.length > FEW_COMPARISONS) {
    yield* occurrences(unitsOf(text), unitsOf(wanted), overlapping);
    return;
  }
  const step = overlapping ? 1 : wanted.length;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + step)) yield at;
}

function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at += 1) units[at] = text.charCodeAt(at);
  return units;
}
