/**
 * Cuts UTF-8 text into pieces as the pattern of o200k_base does, by hand: the language's regular expressions take three times as long, and
 * want the bytes as a string.
 *
 * The pattern's alternatives, the first of which to match wins; UPPER is `\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}`, LOWER `\p{Ll}\p{Lm}\p{Lo}\p{M}`, END
 * what contractions end with:
 *   1. `[^\r\n\p{L}\p{N}]?[UPPER]*[LOWER]+END?`
 *   2. `[^\r\n\p{L}\p{N}]?[UPPER]+[LOWER]*END?`
 *   3. `\p{N}{1,3}`
 *   4. ` ?[^\s\p{L}\p{N}]+[\r\n/]*`
 *   5. `\s*[\r\n]+`
 *   6. `\s+(?!\S)`
 *   7. `\s+`
 */

// Character classes of the pattern. NONE: beyond the text.
const NONE = 0;
const UPPER = 1;
const LOWER = 2;
/** A letter that is neither upper nor lower case, or counts as both. */
const LETTER = 3;
/** A combining mark, which the pattern treats as a letter. */
const MARK = 4;
const DIGIT = 5;
const SPACE = 6;
const LINE_END = 7;
const SIGN = 8;

/** Classes by code point, filled on demand; 0 is unknown. */
const kinds = new Uint8Array(0x110000);

function learn(code: number): number {
  const character = String.fromCodePoint(code);
  const kind = /[\r\n]/.test(character)
    ? LINE_END
    : /\s/.test(character)
      ? SPACE
      : /[\p{Lu}\p{Lt}]/u.test(character)
        ? UPPER
        : /\p{Ll}/u.test(character)
          ? LOWER
          : /\p{L}/u.test(character)
            ? LETTER
            : /\p{M}/u.test(character)
              ? MARK
              : /\p{N}/u.test(character)
                ? DIGIT
                : SIGN;
  kinds[code] = kind;
  return kind;
}

for (let code = 0; code < 0x80; code += 1) learn(code);

/** Decodes code points in sequence; `width` is the byte length of the last one. */
let width = 1;

/** Class of the character at an offset; invalid UTF-8 counts as punctuation. */
function kindAt(bytes: Uint8Array, at: number, end: number): number {
  if (at >= end) return NONE;
  const a = bytes[at] as number;
  width = 1;
  if (a < 0x80) return kinds[a] as number;
  let code = 0xfffd;
  if (a >= 0xf0 && at + 3 < end) {
    width = 4;
    code = ((a & 7) << 18) | (next(bytes, at + 1) << 12) | (next(bytes, at + 2) << 6) | next(bytes, at + 3);
    if (code > 0x10ffff) code = 0xfffd;
  } else if (a >= 0xe0 && at + 2 < end) {
    width = 3;
    code = ((a & 15) << 12) | (next(bytes, at + 1) << 6) | next(bytes, at + 2);
  } else if (a >= 0xc0 && at + 1 < end) {
    width = 2;
    code = ((a & 31) << 6) | next(bytes, at + 1);
  }
  return (kinds[code] as number) || learn(code);
}

function next(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) & 63;
}

/** End of the run of upper-case letters that `lettersFrom` found last. */
let upperEnd = 0;

/** End of `[UPPER]*[LOWER]+` at an offset; 0 if it does not match. */
function lettersFrom(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  let both = 0;
  let kind = kindAt(bytes, at, end);
  while (kind === UPPER || kind === LETTER || kind === MARK) {
    at += width;
    if (kind !== UPPER) both = at;
    kind = kindAt(bytes, at, end);
  }
  upperEnd = at;
  // Backtracks by one letter that may count as lower case too.
  if (kind !== LOWER) return both;
  do {
    at += width;
    kind = kindAt(bytes, at, end);
  } while (kind === LOWER || kind === LETTER || kind === MARK);
  return at;
}

/** End of a contraction, if there is one: 's, 'd, 'm, 't, 'll, 've, 're. */
function contractionFrom(bytes: Uint8Array, at: number, end: number): number {
  if (bytes[at] !== 0x27 || at + 1 >= end) return at;
  const first = (bytes[at + 1] as number) | 0x20;
  if (first === 0x73 || first === 0x64 || first === 0x6d || first === 0x74) return at + 2;
  if (at + 2 >= end) return at;
  const second = (bytes[at + 2] as number) | 0x20;
  const isLong = first === 0x6c ? second === 0x6c : (first === 0x76 || first === 0x72) && second === 0x65;
  return isLong ? at + 3 : at;
}

/** End of the piece that begins at `from`, at most `end`. */
export function pieceEnd(bytes: Uint8Array, from: number, end: number): number {
  const kind = kindAt(bytes, from, end);
  const second = from + width;
  if (kind === LOWER || kind === UPPER || kind === LETTER) {
    const letters = lettersFrom(bytes, from, end);
    return contractionFrom(bytes, letters === 0 ? upperEnd : letters, end);
  }
  if (kind === DIGIT) return digitsFrom(bytes, second, end);
  if (kind !== LINE_END) {
    let letters = lettersFrom(bytes, second, end);
    const behind = upperEnd;
    if (letters === 0 && kind === MARK) letters = lettersFrom(bytes, from, end);
    if (letters === 0 && behind > second) letters = behind;
    if (letters !== 0) return contractionFrom(bytes, letters, end);
    const signs = signsFrom(bytes, bytes[from] === 0x20 ? second : from, end);
    if (signs !== 0) return signs;
  }
  return spaceFrom(bytes, from, end);
}

/** End of up to two more digits. */
function digitsFrom(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  for (let more = 0; more < 2 && kindAt(bytes, at, end) === DIGIT; more += 1) at += width;
  return at;
}

/** End of punctuation and following line ends; 0 if there is none. */
function signsFrom(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  let kind = kindAt(bytes, at, end);
  if (kind !== SIGN && kind !== MARK) return 0;
  do {
    at += width;
    kind = kindAt(bytes, at, end);
  } while (kind === SIGN || kind === MARK);
  while (at < end && (bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x2f)) at += 1;
  return at;
}

/** End of white space: after its last line end, or else before its last character, which belongs to the next piece. */
function spaceFrom(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  let last = from;
  let lines = 0;
  let kind = kindAt(bytes, at, end);
  while (kind === SPACE || kind === LINE_END) {
    last = at;
    at += width;
    if (kind === LINE_END) lines = at;
    kind = kindAt(bytes, at, end);
  }
  if (lines !== 0) return lines;
  return at < end && last > from ? last : at;
}
