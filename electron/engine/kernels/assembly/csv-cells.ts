/** Finds where the cells and rows of CSV text end, 64 bytes at a time. */
import { BACKSLASH, CR, LF, QUOTE, SPACE, TAB } from './shared';

/** Where each cell ends: the address of its delimiter or line end. The entry before the first stands for the byte before the text. */
export let cellsFrom: usize = 0;
/** For each row, the address after the entry of its last cell. The LF of a CRLF makes a row of its own, as a blank line does. */
export let rowsFrom: usize = 0;
export let rowsTo: usize = 0;
/**
 * What a JSON string cannot have as it is: addresses times 2, plus 1 for a quote in an unquoted cell. Of a doubled quote,
 * the second. The last entry is above all addresses.
 */
export let specialsFrom: usize = 0;
/** Start of the first row that is malformed; 0 where there is none. */
export let malformed: usize = 0;

let delimiter: u8 = 0;
// Where a row that was read byte by byte left the lists.
let cellsTo: usize = 0;
let specialsTo: usize = 0;

/** Lists hold as many entries as there are bytes of text, and 64 more. */
export function placeLists(cells: usize, rows: usize, specials: usize, between: u8): void {
  cellsFrom = cells + 4;
  rowsFrom = rows;
  specialsFrom = specials;
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
  return v128.or(i8x16.eq(vector, i8x16.splat(BACKSLASH)), i8x16.lt_u(vector, i8x16.splat(SPACE)));
}

/** Each bit becomes the parity of itself and those below. */
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
  store<u32>(cell - 4, from - 1);
  malformed = 0;
  // All ones inside a quoted cell.
  let inside: u64 = 0;
  // 1 where the byte before was a stop or a closing quote, and where it was a closing quote.
  let afterStop: u64 = 1;
  let afterClosing: u64 = 0;
  for (let at = from; at < end; ) {
    const a = v128.load(at);
    const b = v128.load(at, 16);
    const c = v128.load(at, 32);
    const d = v128.load(at, 48);
    let quotes = equal(a, b, c, d, i8x16.splat(QUOTE));
    let lines = bits(isLineEnd(a), isLineEnd(b), isLineEnd(c), isLineEnd(d));
    let stops = equal(a, b, c, d, between) | lines;
    let specials = bits(isSpecial(a), isSpecial(b), isSpecial(c), isSpecial(d));
    let valid = u64.MAX_VALUE;
    if (end - at < 64) {
      valid = ((<u64>1) << (end - at)) - 1;
      quotes &= valid;
      lines &= valid;
      stops &= valid;
      specials &= valid;
    }
    let bad: u64 = 0;
    if ((quotes | inside | afterClosing) !== 0) {
      const quoted = parity(quotes) ^ inside;
      const opening = quotes & quoted;
      const closing = quotes & ~quoted;
      stops &= ~quoted;
      lines &= ~quoted;
      const mayOpen = ((stops | closing) << 1) | afterStop;
      const closedBefore = (closing << 1) | afterClosing;
      // A quote in an unquoted cell, or something other than a stop after a closing one.
      bad = ((opening & ~mayOpen) | (closedBefore & ~(stops | opening))) & valid;
      specials = (specials & ~stops) | (opening & closedBefore);
      inside = <u64>(<i64>quoted >> 63);
      afterClosing = closing >> 63;
      afterStop = (stops | closing) >> 63;
      if (bad !== 0) {
        const good = (bad & (0 - bad)) - 1;
        stops &= good;
        lines &= good;
        specials &= good;
      }
    } else {
      specials &= ~stops;
      afterStop = stops >> 63;
    }
    while (lines !== 0) {
      const before = (lines & (0 - lines)) - 1;
      store<u32>(row, cell + ((<usize>popcnt(stops & before) + 1) << 2));
      row += 4;
      lines &= lines - 1;
    }
    while (specials !== 0) {
      store<u32>(special, (at + <usize>ctz(specials)) << 1);
      special += 4;
      specials &= specials - 1;
    }
    const next = cell + ((<usize>popcnt(stops)) << 2);
    while (cell < next) {
      // Four at a time; those too many are written over.
      store<u32>(cell, at + <usize>ctz(stops));
      stops &= stops - 1;
      store<u32>(cell, at + <usize>ctz(stops), 4);
      stops &= stops - 1;
      store<u32>(cell, at + <usize>ctz(stops), 8);
      stops &= stops - 1;
      store<u32>(cell, at + <usize>ctz(stops), 12);
      stops &= stops - 1;
      cell += 16;
    }
    cell = next;
    if (bad === 0) {
      at += 64;
      continue;
    }
    // The row it is in is read again, byte by byte.
    cell = row === rowsFrom ? cellsFrom : load<u32>(row - 4);
    const start = load<u32>(cell - 4) + 1;
    while (special > specialsFrom && load<u32>(special - 4) >> 1 >= start) special -= 4;
    at = readRow(start, end, cell, special);
    if (at === 0) break;
    cell = cellsTo;
    special = specialsTo;
    store<u32>(row, cell);
    row += 4;
    inside = 0;
    afterStop = 1;
    afterClosing = 0;
  }
  rowsTo = row;
  store<u32>(special, u32.MAX_VALUE);
}

/** Reads one row, and gives the address after it; 0 where it is malformed or does not end. */
function readRow(start: usize, end: usize, firstCell: usize, firstSpecial: usize): usize {
  let cell = firstCell;
  let special = firstSpecial;
  let at = start;
  while (at < end) {
    let byte = load<u8>(at);
    if (byte === QUOTE) {
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
      return at;
    }
  }
  return 0;
}

function isStop(byte: u8): bool {
  return byte === delimiter || byte === LF || byte === CR;
}
