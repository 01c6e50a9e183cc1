/** Finds where the cells and rows of CSV text end, 64 bytes at a time. */
import { BACKSLASH, CR, LF, QUOTE, SPACE, TAB } from '../../kernel/assembly/shared';

const CTRL_Z: u8 = 0x1a;

/** End of each cell: the address of its delimiter or line end. The first entry is the byte before the text. */
export let cellsFrom: usize = 0;
/**
 * For each row, the address after the entry of its last cell. The LF of a CRLF counts as an extra row, as a blank line
 * does.
 */
export let rowsFrom: usize = 0;
export let rowsTo: usize = 0;
/**
 * Characters that a JSON string must escape: the address times 2, plus 1 for a quote in an unquoted cell. For a doubled
 * quote, the second one. The last entry is a sentinel above all addresses.
 */
export let specialsFrom: usize = 0;
/** Ends of cells that start with a quote. The last entry is a sentinel above all addresses. */
export let quotedFrom: usize = 0;
/** Start of the first malformed row; 0 if there is none. */
export let malformed: usize = 0;

let delimiter: u8 = 0;
// State of the lists after a row was read byte by byte.
let cellsTo: usize = 0;
let specialsTo: usize = 0;
let quotedTo: usize = 0;

/** Each list has room for one entry per byte of text, plus 64. */
export function placeLists(cells: usize, rows: usize, specials: usize, quoted: usize, between: u8): void {
  cellsFrom = cells + 4;
  rowsFrom = rows;
  specialsFrom = specials;
  quotedFrom = quoted;
  delimiter = between;
}

function bits(a: v128, b: v128, c: v128, d: v128): u64 {
  return (
    <u64>i8x16.bitmask(a) | ((<u64>i8x16.bitmask(b)) << 16) | ((<u64>i8x16.bitmask(c)) << 32) | ((<u64>i8x16.bitmask(d)) << 48)
  );
}

function equal(a: v128, b: v128, c: v128, d: v128, byte: v128): u64 {
  return bits(i8x16.eq(a, byte), i8x16.eq(b, byte), i8x16.eq(c, byte), i8x16.eq(d, byte));
}

function isLineEnd(vector: v128): v128 {
  return v128.or(i8x16.eq(vector, i8x16.splat(LF)), i8x16.eq(vector, i8x16.splat(CR)));
}

function isSpecial(vector: v128): v128 {
  return v128.or(i8x16.eq(vector, i8x16.splat(BACKSLASH)), i8x16.le_u(vector, i8x16.splat(SPACE - 1)));
}

/** Handles what few cells contain: quotes and characters that JSON must escape. */
function isRare(vector: v128, lineEnds: v128): v128 {
  return v128.or(i8x16.eq(vector, i8x16.splat(QUOTE)), v128.andnot(isSpecial(vector), lineEnds));
}

/** Prefix parity: each bit becomes the XOR of itself and all lower bits. */
function parity(bitsOfQuotes: u64): u64 {
  let x = bitsOfQuotes;
  x ^= x << 1;
  x ^= x << 2;
  x ^= x << 4;
  x ^= x << 8;
  x ^= x << 16;
  return x ^ (x << 32);
}

/** Fills the lists with the whole rows between two addresses. 64 bytes after `end` must be readable. */
export function findCells(from: usize, end: usize): void {
  const between = i8x16.splat(delimiter);
  let cell = cellsFrom;
  let row = rowsFrom;
  let special = specialsFrom;
  let quotedCell = quotedFrom;
  store<u32>(cell - 4, from - 1);
  malformed = 0;
  // All ones inside a quoted cell.
  let inside: u64 = 0;
  // Carried from the previous byte: 1 if it was a delimiter, line end or closing quote; and 1 if it was a closing quote.
  let afterStop: u64 = 1;
  let afterClosing: u64 = 0;
  for (let at = from; at < end; ) {
    const a = v128.load(at);
    const b = v128.load(at, 16);
    const c = v128.load(at, 32);
    const d = v128.load(at, 48);
    const lineA = isLineEnd(a);
    const lineB = isLineEnd(b);
    const lineC = isLineEnd(c);
    const lineD = isLineEnd(d);
    let lines = bits(lineA, lineB, lineC, lineD);
    let stops = equal(a, b, c, d, between) | lines;
    let valid = u64.MAX_VALUE;
    if (end - at < 64) {
      valid = ((<u64>1) << (end - at)) - 1;
      lines &= valid;
      stops &= valid;
    }
    let specials: u64 = 0;
    let bad: u64 = 0;
    const rare = v128.or(v128.or(isRare(a, lineA), isRare(b, lineB)), v128.or(isRare(c, lineC), isRare(d, lineD)));
    if (v128.any_true(rare) || (inside | afterClosing) !== 0) {
      const quotes = equal(a, b, c, d, i8x16.splat(QUOTE)) & valid;
      specials = bits(isSpecial(a), isSpecial(b), isSpecial(c), isSpecial(d)) & valid;
      const quoted = parity(quotes) ^ inside;
      const opening = quotes & quoted;
      const closing = quotes & ~quoted;
      stops &= ~quoted;
      lines &= ~quoted;
      const mayOpen = ((stops | closing) << 1) | afterStop;
      const closedBefore = (closing << 1) | afterClosing;
      // A quote in an unquoted cell, or text after a closing quote.
      bad = ((opening & ~mayOpen) | (closedBefore & ~(stops | opening))) & valid;
      specials = (specials & ~stops) | (opening & closedBefore);
      let starts = opening & ~closedBefore;
      inside = <u64>(<i64>quoted >> 63);
      afterClosing = closing >> 63;
      afterStop = (stops | closing) >> 63;
      if (bad !== 0) {
        const good = (bad & (0 - bad)) - 1;
        stops &= good;
        lines &= good;
        specials &= good;
        starts &= good;
      }
      while (specials !== 0) {
        store<u32>(special, (at + <usize>ctz(specials)) << 1);
        special += 4;
        specials &= specials - 1;
      }
      while (starts !== 0) {
        const before = (starts & (0 - starts)) - 1;
        store<u32>(quotedCell, cell + ((<usize>popcnt(stops & before)) << 2));
        quotedCell += 4;
        starts &= starts - 1;
      }
    } else {
      afterStop = stops >> 63;
    }
    // Usually at most one row ends here: its entry is written without a branch and kept only if a row ends.
    store<u32>(row, cell + ((<usize>popcnt(stops & ((lines & (0 - lines)) - 1)) + 1) << 2));
    row += (<usize>(lines !== 0)) << 2;
    lines &= lines - 1;
    while (lines !== 0) {
      const before = (lines & (0 - lines)) - 1;
      store<u32>(row, cell + ((<usize>popcnt(stops & before) + 1) << 2));
      row += 4;
      lines &= lines - 1;
    }
    // Writes eight entries at a time; the next write overwrites the surplus.
    const next = cell + ((<usize>popcnt(stops)) << 2);
    do {
      store<u32>(cell, at + <usize>ctz(stops));
      stops &= stops - 1;
      store<u32>(cell, at + <usize>ctz(stops), 4);
      stops &= stops - 1;
      store<u32>(cell, at + <usize>ctz(stops), 8);
      stops &= stops - 1;
      store<u32>(cell, at + <usize>ctz(stops), 12);
      stops &= stops - 1;
      store<u32>(cell, at + <usize>ctz(stops), 16);
      stops &= stops - 1;
      store<u32>(cell, at + <usize>ctz(stops), 20);
      stops &= stops - 1;
      store<u32>(cell, at + <usize>ctz(stops), 24);
      stops &= stops - 1;
      store<u32>(cell, at + <usize>ctz(stops), 28);
      stops &= stops - 1;
      cell += 32;
    } while (cell < next);
    cell = next;
    if (bad === 0) {
      at += 64;
      continue;
    }
    // Reads the row again, byte by byte.
    cell = row === rowsFrom ? cellsFrom : load<u32>(row - 4);
    const start = load<u32>(cell - 4) + 1;
    while (special > specialsFrom && load<u32>(special - 4) >> 1 >= start) special -= 4;
    while (quotedCell > quotedFrom && <usize>load<u32>(quotedCell - 4) >= cell) quotedCell -= 4;
    at = readRow(start, end, cell, special, quotedCell);
    if (at === 0) break;
    cell = cellsTo;
    special = specialsTo;
    quotedCell = quotedTo;
    store<u32>(row, cell);
    row += 4;
    inside = 0;
    afterStop = 1;
    afterClosing = 0;
  }
  rowsTo = row;
  store<u32>(special, u32.MAX_VALUE);
  store<u32>(quotedCell, u32.MAX_VALUE);
}

/** The closing quote of a quoted cell; blanks may follow it. */
export function closingQuote(cellEnd: usize): usize {
  let at = cellEnd - 1;
  while (load<u8>(at) !== QUOTE) at--;
  return at;
}

/** Whether a one-cell row is empty: only blanks, Ctrl-Z and NUL. The first byte decides in most cases. */
export function isBlank(start: usize, end: usize): bool {
  for (let at = start; at < end; at++) {
    const byte = load<u8>(at);
    if (byte > SPACE || (byte !== SPACE && byte !== TAB && byte !== CTRL_Z && byte !== 0)) return false;
  }
  return true;
}

/** Reads one row byte by byte. Returns the address after it; 0 if the row is malformed or incomplete. */
function readRow(start: usize, end: usize, firstCell: usize, firstSpecial: usize, firstQuoted: usize): usize {
  let cell = firstCell;
  let special = firstSpecial;
  let quotedCell = firstQuoted;
  let at = start;
  while (at < end) {
    let byte = load<u8>(at);
    if (byte === QUOTE) {
      store<u32>(quotedCell, cell);
      quotedCell += 4;
      for (at++; ; at++) {
        if (at >= end) return 0;
        byte = load<u8>(at);
        if (byte === QUOTE) {
          if (++at >= end) return 0;
          byte = load<u8>(at);
          if (byte !== QUOTE) break;
        }
        if (byte < SPACE || byte === BACKSLASH || byte === QUOTE) {
          store<u32>(special, at << 1);
          special += 4;
        }
      }
      while (!isStop(byte)) {
        if (byte !== SPACE && byte !== TAB) {
          malformed = start;
          return 0;
        }
        if (++at >= end) return 0;
        byte = load<u8>(at);
      }
    } else {
      while (!isStop(byte)) {
        if (byte < SPACE || byte === BACKSLASH || byte === QUOTE) {
          store<u32>(special, (at << 1) | (byte === QUOTE ? 1 : 0));
          special += 4;
        }
        if (++at >= end) return 0;
        byte = load<u8>(at);
      }
    }
    store<u32>(cell, at);
    cell += 4;
    at++;
    if (byte !== delimiter) {
      cellsTo = cell;
      specialsTo = special;
      quotedTo = quotedCell;
      return at;
    }
  }
  return 0;
}

function isStop(byte: u8): bool {
  return byte === delimiter || byte === LF || byte === CR;
}
