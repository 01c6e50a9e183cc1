/** First pass over CSV rows: narrows down each column's type and adds up the length of the JSON text. */

import { BACKSLASH, CR, LF, QUOTE } from '../../kernel/assembly/shared';
import { cellsFrom, closingQuote, isBlank, malformed, quotedFrom, rowsFrom, rowsTo, specialsFrom } from './csv-cells';
import {
  ANYTHING,
  BOOLEAN,
  booleanCase,
  DECIDED,
  fits,
  HAS_EXPONENT,
  HAS_TEXT,
  isLongDecimal,
  isShortDecimal,
  NUMBER,
  rareNumber,
} from './csv-types';

const CHECKPOINT_BYTES: i32 = 32;
/** More than the number of parts in the text that is held at once. */
const MAX_CHECKPOINTS: i32 = 128;

// Five lists with one word per column: possible types; empty cells; empty cells written as ""; rows that end before the column.
let states: usize = 0;
let empties: usize = 0;
let quotedEmpties: usize = 0;
let shorts: usize = 0;
/** Columns whose cells still need to be read, in no particular order. Everything is known about the others. */
let openFrom: usize = 0;
let openTo: usize = 0;

/** Number of columns, times 4. */
let width: usize = 0;
// What happens to cells after the last column; the numbers of `extraCells` in csv/csv-extra.ts.
const REFUSED: u32 = 0;
const KEPT: u32 = 1;
const EMPTY_CUT: u32 = 3;
let extra: u32 = REFUSED;

/** Address of the first row that was not counted. */
export let rest: usize = 0;
/** Whether that row is malformed or does not fit a type given in advance. */
export let refused: bool = false;
/** Line on which that row starts. */
export let line: f64 = 1;
export let records: f64 = 0;
/** Length of all cells as JSON strings, without their quotes. Bytes. */
export let textBytes: f64 = 0;
export let shortRows: f64 = 0;
export let shortLine: f64 = 0;
export let longRows: f64 = 0;
export let longLine: f64 = 0;
export let extraCells: f64 = 0;
/** Checkpoints, 32 bytes each: records before it, bytes of their text, and its line, as f64; its address. */
export const checkpoints: usize = memory.data(MAX_CHECKPOINTS * CHECKPOINT_BYTES, 16);
export let checkpointCount: u32 = 0;
/** The next record that starts at or after this address becomes a checkpoint. */
let checkpointFrom: usize = 0;
/** Length of the parts of the text whose first record becomes a checkpoint. */
let stride: usize = 0;
/** Whether the byte before the text is a CR. */
let afterCr: bool = false;

/** `listsAt`: address of five lists of `listBytes` each, a multiple of 16 with room for one word per column. */
export function startScan(
  listsAt: usize,
  listBytes: usize,
  columnCount: u32,
  extraRule: u32,
  firstLine: f64,
  crBefore: bool,
): void {
  states = listsAt;
  empties = states + listBytes;
  quotedEmpties = empties + listBytes;
  shorts = quotedEmpties + listBytes;
  openFrom = shorts + listBytes;
  openTo = openFrom;
  width = (<usize>columnCount) << 2;
  for (let column: usize = 0; column < width; column += 4) {
    if (isSettled(load<u32>(states + column))) continue;
    store<u32>(openTo, <u32>column);
    openTo += 4;
  }
  extra = extraRule;
  line = firstLine;
  afterCr = crBefore;
  records = textBytes = shortRows = shortLine = longRows = longLine = extraCells = 0;
}

function isSettled(state: u32): bool {
  return (state & (ANYTHING | DECIDED)) === 0;
}

/** Whether a row has one more cell than there are columns, and nothing in it. */
function endsInEmpty(cell: usize, cells: usize): bool {
  return cells === width + 4 && load<u32>(cell + width) - load<u32>(cell + width - 4) === 1;
}

function count(list: usize, column: usize): void {
  store<u32>(list + column, load<u32>(list + column) + 1);
}

/** Whether an empty row is the LF of a CRLF and not a line. */
export function isSecondHalf(at: usize, crBefore: bool): bool {
  return load<u8>(at) === LF && crBefore;
}

/** Counts the bytes that escaping adds before `end` and the line ends there, and moves past those list entries. */
let special: usize = 0;
let linesEnded: u32 = 0;

function costOfSpecials(end: u32): u32 {
  let cost: u32 = 0;
  let lines: u32 = 0;
  for (; load<u32>(special) < end << 1; special += 4) {
    const entry = load<u32>(special);
    const at = entry >> 1;
    const byte = load<u8>(at);
    if (byte === QUOTE) cost += entry & 1;
    else if (byte === LF) {
      cost++;
      if (load<u8>(at - 1) !== CR) lines++;
    } else if (byte === CR) {
      cost++;
      lines++;
    } else cost += byte === BACKSLASH || byte === 8 || byte === 9 || byte === 12 ? 1 : 5;
  }
  linesEnded = lines;
  return cost;
}

export function beginScan(firstCheckpoint: usize, partLength: usize): void {
  checkpointCount = 0;
  checkpointFrom = firstCheckpoint;
  stride = partLength;
}

/** Counts the rows that were found, starting at an address. The current part of the text ends at `partEnd`. */
export function scanRows(from: usize, partEnd: usize): void {
  let cell = cellsFrom;
  let start: u32 = <u32>from;
  let crBefore = afterCr;
  let text: u64 = 0;
  let taken: u32 = 0;
  let at: f64 = line;
  special = specialsFrom;
  refused = false;
  let quoted = quotedFrom;
  for (let row = rowsFrom; row < rowsTo; row += 4) {
    const rowEnd: usize = load<u32>(row);
    const last = load<u32>(rowEnd - 4);
    // Times 4.
    const cells = rowEnd - cell;
    if (cells === 4 && isBlank(start, last)) {
      if (last > start || !isSecondHalf(last, crBefore)) at++;
      while (load<u32>(special) < last << 1) special += 4;
    } else {
      let rowText: u32 = last - start - (<u32>(cells >> 2) - 1);
      const lineOfRow = at;
      let known = width;
      // The end of the cells that are written.
      let textTo = last;
      if (cells === width) {
        // Four cells at a time. Counts for positions beyond the last column are never read.
        for (let column: usize = 0; column < width; column += 16) {
          const lengths = i32x4.sub(v128.load(cell + column), v128.load(cell + column - 4));
          const list = empties + column;
          v128.store(list, i32x4.sub(v128.load(list), i32x4.eq(lengths, i32x4.splat(1))));
        }
      } else {
        if (cells < width) {
          count(shorts, cells);
          if (shortRows === 0) shortLine = at;
          shortRows++;
          known = cells;
        } else {
          if (extra === REFUSED || (extra === EMPTY_CUT && !endsInEmpty(cell, cells))) {
            refused = true;
            break;
          }
          if (longRows === 0) longLine = at;
          longRows++;
          if (extra === KEPT) extraCells += <u32>(cells - width) >> 2;
          else {
            textTo = load<u32>(cell + width - 4);
            rowText = textTo - start - (<u32>(width >> 2) - 1);
          }
        }
        for (let column: usize = 0; column < known; column += 4) {
          if (load<u32>(cell + column) - load<u32>(cell + column - 4) === 1) count(empties, column);
        }
      }
      for (; <usize>load<u32>(quoted) < rowEnd; quoted += 4) {
        const entry: usize = load<u32>(quoted);
        const cellEnd: usize = load<u32>(entry);
        if (<u32>cellEnd > textTo) continue;
        const textEnd = closingQuote(cellEnd);
        rowText -= <u32>(cellEnd - textEnd) + 1;
        const column = entry - cell;
        if (column < known && textEnd === <usize>load<u32>(entry - 4) + 2) {
          count(empties, column);
          count(quotedEmpties, column);
          store<u32>(states + column, load<u32>(states + column) & ~BOOLEAN);
        }
      }
      for (let open = openFrom; open < openTo; open += 4) {
        const column: usize = load<u32>(open);
        if (column >= known) continue;
        let textStart: usize = load<u32>(cell + column - 4) + 1;
        let textEnd: usize = load<u32>(cell + column);
        if (textStart === textEnd) continue;
        if (load<u8>(textStart) === QUOTE) {
          textStart++;
          textEnd = closingQuote(textEnd);
          if (textStart === textEnd) continue;
        }
        const state = load<u32>(states + column);
        if (state & NUMBER) {
          const isDecimal =
            textEnd - textStart <= 16 ? isShortDecimal(textStart, <u32>(textEnd - textStart)) : isLongDecimal(textStart, textEnd);
          if (isDecimal) {
            if (state !== (NUMBER | HAS_TEXT)) store<u32>(states + column, NUMBER | HAS_TEXT | (state & HAS_EXPONENT));
            continue;
          }
          const rare = rareNumber(textStart, textEnd);
          if (rare !== 0) {
            store<u32>(states + column, HAS_TEXT | (state & HAS_EXPONENT) | rare);
            continue;
          }
        } else if (state & DECIDED) {
          if (fits(textStart, textEnd, state)) continue;
          refused = true;
          break;
        }
        const left = (state & booleanCase(textStart, textEnd)) | HAS_TEXT;
        store<u32>(states + column, left);
        if (!isSettled(left)) continue;
        openTo -= 4;
        store<u32>(open, load<u32>(openTo));
        open -= 4;
      }
      if (refused) break;
      if (load<u32>(special) < last << 1) {
        rowText += costOfSpecials(textTo);
        at += linesEnded;
        if (textTo < last) {
          costOfSpecials(last);
          at += linesEnded;
        }
      }
      if (<usize>start >= checkpointFrom) {
        const checkpoint = checkpoints + <usize>(checkpointCount * CHECKPOINT_BYTES);
        store<f64>(checkpoint, records + <f64>taken);
        store<f64>(checkpoint, textBytes + <f64>text, 8);
        store<f64>(checkpoint, lineOfRow, 16);
        store<u32>(checkpoint, start, 24);
        checkpointCount++;
        checkpointFrom = partEnd - ((partEnd - 1 - start) / stride) * stride;
      }
      text += rowText;
      taken++;
      at++;
    }
    crBefore = load<u8>(last) === CR;
    start = last + 1;
    cell = rowEnd;
  }
  rest = start;
  line = at;
  afterCr = crBefore;
  records += taken;
  textBytes += <f64>text;
  // A malformed row is reported only after all rows before it were counted.
  if (<usize>start === malformed) refused = true;
}
