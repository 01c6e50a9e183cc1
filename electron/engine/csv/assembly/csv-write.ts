/** Second pass over CSV rows: writes them as elements of a JSON array, using the column types of the first pass. */

import { BACKSLASH, COMMA, CR, LF, QUOTE } from '../../kernel/assembly/shared';
import { cellsFrom, closingQuote, isBlank, rowsFrom, rowsTo, specialsFrom } from './csv-cells';
import { passes } from './csv-where';

// A column's record, 32 bytes: 4 times its number in the file; address and length of its key text, including a string's
// opening quote; its type; whether its empty cells are "" and not null.
const COLUMN: usize = 32;
const KEY: usize = 4;
const KEY_LENGTH: usize = 8;
const TYPE: usize = 12;
const EMPTY_AS_TEXT: usize = 16;

const STRING: u32 = 0;
const NUMBER: u32 = 1;

const NULL: u32 = 0x6c6c756e;
const TRUE: u64 = 0x65757274;
const FALSE: u64 = 0x65736c6166;

let columns: usize = 0;
let columnsTo: usize = 0;
/** Cells of a row in the file, times 4. */
let width: usize = 0;
/** Text before and after extra cells and at the end of a row, with lengths. */
let extraKey: usize = 0;
let extraKeyLength: u32 = 0;
let extraClose: u8 = 0;
let rowClose: u8 = 0;
/** Maximum number of bytes that a row adds to its text. */
let rowCost: u32 = 0;
/** Whether columns are left out or reordered. */
let picks: bool = false;
/** Records to skip before the first one is written. */
let passing: u32 = 0;

// The write position.
let row: usize = 0;
let cell: usize = 0;
let special: usize = 0;
let crBefore: bool = false;

/** Address of the first row that was not written. */
export let rest: usize = 0;
/** Line on which that row starts. */
export let line: f64 = 1;
/** Records written in this call, and their length including the commas between them. */
export let written: u32 = 0;
export let writtenBytes: u32 = 0;
/** Line and address of the first of them. */
export let firstLine: f64 = 0;
export let firstAt: usize = 0;
/** Bytes of output that the next row may need, if it did not fit. */
export let wanted: u32 = 0;

export function startWriting(
  columnsAt: usize,
  columnCount: u32,
  fileWidth: u32,
  extraKeyAt: usize,
  extraKeyBytes: u32,
  keyed: bool,
  cost: u32,
  startLine: f64,
  picksColumns: bool,
  pass: u32,
): void {
  columns = columnsAt;
  columnsTo = columnsAt + <usize>columnCount * COLUMN;
  width = (<usize>fileWidth) << 2;
  extraKey = extraKeyAt;
  extraKeyLength = extraKeyBytes;
  extraClose = keyed ? 0x5d : 0;
  rowClose = keyed ? 0x7d : 0x5d;
  rowCost = cost;
  line = startLine;
  crBefore = false;
  picks = picksColumns;
  passing = pass;
}

/** Starts writing at the rows that were found from `from` on. */
export function beginRows(from: usize): void {
  row = rowsFrom;
  cell = cellsFrom;
  special = specialsFrom;
  rest = from;
}

function copy(to: usize, from: usize, length: u32): usize {
  v128.store(to, v128.load(from));
  if (length > 16) {
    for (let at: usize = 16; at < <usize>length; at += 16) v128.store(to + at, v128.load(from + at));
  }
  return to + length;
}

const HEX = memory.data<u8>([0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66]);

/** Writes text that needs escaping and moves past its list entries. */
function escaped(to: usize, from: usize, end: usize): usize {
  let out = to;
  let at = from;
  for (; load<u32>(special) < (<u32>end) << 1; special += 4) {
    const entry = load<u32>(special);
    const place: usize = entry >> 1;
    out = copy(out, at, <u32>(place - at));
    at = place + 1;
    const byte = load<u8>(place);
    if (byte === QUOTE && (entry & 1) === 0) {
      // The first half of a doubled quote was copied already; it becomes the backslash.
      store<u8>(out - 1, BACKSLASH);
      store<u8>(out++, QUOTE);
      continue;
    }
    store<u8>(out, BACKSLASH);
    let letter: u8 = byte;
    if (byte === LF) letter = 0x6e;
    else if (byte === CR) letter = 0x72;
    else if (byte === 9) letter = 0x74;
    else if (byte === 8) letter = 0x62;
    else if (byte === 12) letter = 0x66;
    else if (byte < 0x20) {
      store<u32>(out, 0x3030755c);
      store<u8>(out, load<u8>(HEX + (byte >> 4)), 4);
      store<u8>(out, load<u8>(HEX + (byte & 15)), 5);
      out += 6;
      continue;
    }
    store<u8>(out, letter, 1);
    out += 2;
  }
  return copy(out, at, <u32>(end - at));
}

/** List position after the special characters of a row. */
let specialsEnd: usize = 0;

/** Counts line ends in quoted cells of a row that ends at `end`, and finds the end of its special characters. */
function lineEnds(end: u32): u32 {
  let lines: u32 = 0;
  let at = special;
  for (; load<u32>(at) < end << 1; at += 4) {
    const place: usize = load<u32>(at) >> 1;
    const byte = load<u8>(place);
    if (byte === CR || (byte === LF && load<u8>(place - 1) !== CR)) lines++;
  }
  specialsEnd = at;
  return lines;
}

/** Moves to the first special character at or after `from`; `first` is the position for the start of the row. */
function seekSpecial(first: usize, from: u32): void {
  let low = first;
  let high = specialsEnd;
  while (low < high) {
    const middle = low + (((high - low) >> 3) << 2);
    if (load<u32>(middle) < from << 1) low = middle + 4;
    else high = middle;
  }
  special = low;
}

/** Writes a cell as the inside of a JSON string. */
function inside(to: usize, cellStart: usize, cellEnd: usize): usize {
  let from = cellStart;
  let end = cellEnd;
  if (from < end && load<u8>(from) === QUOTE) {
    from++;
    end = closingQuote(end);
  }
  return load<u32>(special) < (<u32>end) << 1 ? escaped(to, from, end) : copy(to, from, <u32>(end - from));
}

/** Writes null or an empty string. The key text of a string column includes the opening quote. */
function nothing(to: usize, type: u32, asText: u32): usize {
  if (type !== STRING) {
    store<u32>(to, NULL);
    return to + 4;
  }
  if (asText) {
    store<u8>(to, QUOTE);
    return to + 1;
  }
  store<u32>(to - 1, NULL);
  return to + 3;
}

/**
 * Writes rows until all are written, the next one might not fit, or `most` rows are written. `ends` and `lines` need room
 * for `most` entries. Returns whether all rows are written.
 */
export function writeRows(out: usize, outEnd: usize, ends: usize, lines: usize, most: u32): bool {
  let to = out;
  let count: u32 = 0;
  let end = ends;
  let lineAt = lines;
  wanted = 0;
  written = 0;
  writtenBytes = 0;
  for (; row < rowsTo; row += 4) {
    const start = rest;
    const rowEnd: usize = load<u32>(row);
    const last: usize = load<u32>(rowEnd - 4);
    if (rowEnd - cell === 4 && isBlank(start, last)) {
      if (last > start || !(load<u8>(last) === LF && crBefore)) line++;
      while (load<u32>(special) < (<u32>last) << 1) special += 4;
    } else if (passing > 0 || !passes(cell, rowEnd)) {
      if (passing > 0 && passes(cell, rowEnd)) passing--;
      if (load<u32>(special) < (<u32>last) << 1) {
        line += lineEnds(<u32>last);
        special = specialsEnd;
      }
      line++;
    } else {
      const most6 = <u32>(last - start) * 6 + rowCost;
      if (count === most) break;
      if (to + most6 > outEnd) {
        wanted = most6;
        break;
      }
      if (count === 0) {
        firstLine = line;
        firstAt = start;
      } else store<u8>(to++, COMMA);
      const cellCount = rowEnd - cell;
      store<u32>(lineAt, <u32>line);
      lineAt += 4;
      const hasSpecials = load<u32>(special) < (<u32>last) << 1;
      const firstSpecial = special;
      if (hasSpecials) line += lineEnds(<u32>last);
      line++;
      for (let column = columns; column < columnsTo; column += COLUMN) {
        const key: usize = load<u32>(column, KEY);
        const keyLength: usize = load<u32>(column, KEY_LENGTH);
        v128.store(to, v128.load(key));
        v128.store(to, v128.load(key, 16), 16);
        for (let at: usize = 32; at < keyLength; at += 16) v128.store(to + at, v128.load(key + at));
        to += keyLength;
        const type = load<u32>(column, TYPE);
        const source: usize = load<u32>(column);
        if (source >= cellCount) {
          to = nothing(to, type, 0);
          continue;
        }
        const cellEnd: usize = load<u32>(cell + source);
        const cellStart: usize = load<u32>(cell + source - 4) + 1;
        if (cellStart === cellEnd) to = nothing(to, type, load<u32>(column, EMPTY_AS_TEXT));
        else if (type === STRING) {
          // The key text includes the opening quote.
          if (load<u8>(cellStart) === QUOTE || hasSpecials) {
            if (hasSpecials && picks) seekSpecial(firstSpecial, <u32>cellStart);
            to = inside(to, cellStart, cellEnd);
          } else {
            const length = cellEnd - cellStart;
            v128.store(to, v128.load(cellStart));
            v128.store(to, v128.load(cellStart, 16), 16);
            for (let at: usize = 32; at < length; at += 16) v128.store(to + at, v128.load(cellStart + at));
            to += length;
          }
          store<u8>(to++, QUOTE);
        } else {
          let from = cellStart;
          let textEnd = cellEnd;
          if (load<u8>(from) === QUOTE) {
            from++;
            textEnd = closingQuote(textEnd);
          }
          const length = textEnd - from;
          if (length === 0) to = nothing(to, type, 0);
          else if (type === NUMBER) {
            v128.store(to, v128.load(from));
            for (let at: usize = 16; at < length; at += 16) v128.store(to + at, v128.load(from + at));
            to += length;
          } else {
            store<u64>(to, length === 4 ? TRUE : FALSE);
            to += length;
          }
        }
      }
      if (cellCount > width) {
        to = copy(to, extraKey, extraKeyLength);
        for (let extra = cell + width; extra < rowEnd; extra += 4) {
          if (extra > cell + width) store<u8>(to++, COMMA);
          store<u8>(to++, QUOTE);
          to = inside(to, load<u32>(extra - 4) + 1, load<u32>(extra));
          store<u8>(to++, QUOTE);
        }
        if (extraClose) store<u8>(to++, extraClose);
      }
      store<u8>(to++, rowClose);
      store<u32>(end, <u32>(to - out));
      end += 4;
      count++;
      if (hasSpecials) special = specialsEnd;
    }
    crBefore = load<u8>(last) === CR;
    rest = last + 1;
    cell = rowEnd;
  }
  written = count;
  writtenBytes = <u32>(to - out);
  return row >= rowsTo;
}
