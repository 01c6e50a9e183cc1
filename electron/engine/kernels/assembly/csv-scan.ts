/** First pass over CSV rows: settles what each column can be and what the JSON text comes to. */
import { cellsFrom, malformed, rowsFrom, rowsTo, specialsFrom } from './csv-cells';
import { ANYTHING, booleanCase, DECIDED, fits, HAS_TEXT, isLongDecimal, isShortDecimal, NUMBER } from './csv-types';
import { BACKSLASH, CR, LF, QUOTE } from './shared';

// A column's record, 16 bytes: what it may be; its empty cells; those of them written ""; rows that end before it.
const COLUMN: usize = 16;
const EMPTY: usize = 4;
const QUOTED_EMPTY: usize = 8;
const SHORT: usize = 12;

let columns: usize = 0;
let width: u32 = 0;
let keepsExtra: bool = false;

/** Address of the first row that was not taken. */
export let rest: usize = 0;
/** Whether that row is malformed, or does not fit what was decided. */
export let refused: bool = false;
/** Line on which it starts. */
export let line: f64 = 1;
export let records: f64 = 0;
/** Bytes of text in all cells, without the quotes around them, as JSON strings write them. */
export let textBytes: f64 = 0;
export let shortRows: f64 = 0;
export let shortLine: f64 = 0;
export let longRows: f64 = 0;
export let longLine: f64 = 0;
export let extraCells: f64 = 0;
/** Address and line of the first record taken in this call that starts where one is wanted or later; 0 where there was none. */
export let firstAt: usize = 0;
export let firstLine: f64 = 0;
/** Records before that one, and bytes of their text. */
export let firstRecord: f64 = 0;
export let firstText: f64 = 0;
/** Whether the byte before the text is a CR. */
let afterCr: bool = false;

export function startScan(columnsAt: usize, columnCount: u32, keepExtra: bool, firstLine: f64, crBefore: bool): void {
  columns = columnsAt;
  width = columnCount;
  keepsExtra = keepExtra;
  line = firstLine;
  afterCr = crBefore;
  records = textBytes = shortRows = shortLine = longRows = longLine = extraCells = 0;
}

/** Whether a row that is an empty line is no line, but the LF of a CRLF. */
export function isSecondHalf(at: usize, crBefore: bool): bool {
  return load<u8>(at) === LF && crBefore;
}

/** Bytes that special characters before `end` add, and lines that they end; leaves the lists after them. */
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

/** Takes the rows that were found from an address on, and notes the first record that starts at `firstFrom` or later. */
export function scanRows(from: usize, firstFrom: usize): void {
  let cell = cellsFrom;
  let start: u32 = <u32>from;
  let crBefore = afterCr;
  let text: u64 = 0;
  let count: u32 = 0;
  let at: f64 = line;
  special = specialsFrom;
  refused = false;
  firstAt = 0;
  for (let row = rowsFrom; row < rowsTo; row += 4) {
    const rowEnd: usize = load<u32>(row);
    const last = load<u32>(rowEnd - 4);
    const cells: u32 = <u32>(rowEnd - cell) >> 2;
    if (cells === 1 && last === start) {
      if (!isSecondHalf(last, crBefore)) at++;
    } else {
      let rowText: u32 = last - start - (cells - 1);
      let knownEnd = rowEnd;
      const lineOfRow = at;
      if (cells !== width) {
        if (cells < width) {
          const column = columns + <usize>cells * COLUMN;
          store<u32>(column, load<u32>(column, SHORT) + 1, SHORT);
          if (shortRows === 0) shortLine = at;
          shortRows++;
        } else {
          if (!keepsExtra) {
            refused = true;
            break;
          }
          if (longRows === 0) longLine = at;
          longRows++;
          extraCells += cells - width;
          knownEnd = cell + ((<usize>width) << 2);
        }
      }
      let cellStart = start;
      for (let column = columns; cell < knownEnd; column += COLUMN) {
        const cellEnd = load<u32>(cell);
        if (cellEnd === cellStart) store<u32>(column, load<u32>(column, EMPTY) + 1, EMPTY);
        else {
          let state = load<u32>(column);
          let textStart = cellStart;
          let textEnd = cellEnd;
          if (load<u8>(textStart) === QUOTE) {
            textStart++;
            do textEnd--;
            while (load<u8>(textEnd) !== QUOTE);
            rowText -= cellEnd - textEnd + 1;
            if (textStart === textEnd) {
              store<u32>(column, load<u32>(column, EMPTY) + 1, EMPTY);
              store<u32>(column, load<u32>(column, QUOTED_EMPTY) + 1, QUOTED_EMPTY);
              store<u32>(column, state & ~ANYTHING);
              state = 0;
            }
          }
          if (state & NUMBER) {
            const isDecimal =
              textEnd - textStart <= 16 ? isShortDecimal(textStart, textEnd - textStart) : isLongDecimal(textStart, textEnd);
            if (!isDecimal) store<u32>(column, (state & booleanCase(textStart, textEnd)) | HAS_TEXT);
            else if (state !== (NUMBER | HAS_TEXT)) store<u32>(column, NUMBER | HAS_TEXT);
          } else if (state & ANYTHING) store<u32>(column, (state & booleanCase(textStart, textEnd)) | HAS_TEXT);
          else if (state & DECIDED && !fits(textStart, textEnd, state)) {
            refused = true;
            break;
          }
        }
        cellStart = cellEnd + 1;
        cell += 4;
      }
      if (refused) break;
      for (; cell < rowEnd; cell += 4) {
        let textEnd = load<u32>(cell);
        if (load<u8>(cellStart) === QUOTE && textEnd > cellStart) {
          const cellEnd = textEnd;
          do textEnd--;
          while (load<u8>(textEnd) !== QUOTE);
          rowText -= cellEnd - textEnd + 1;
        }
        cellStart = load<u32>(cell) + 1;
      }
      if (load<u32>(special) < last << 1) {
        rowText += costOfSpecials(last);
        at += linesEnded;
      }
      if (firstAt === 0 && <usize>start >= firstFrom) {
        firstAt = start;
        firstLine = lineOfRow;
        firstRecord = records + <f64>count;
        firstText = textBytes + <f64>text;
      }
      text += rowText;
      count++;
      at++;
    }
    crBefore = load<u8>(last) === CR;
    start = last + 1;
    cell = rowEnd;
  }
  rest = start;
  line = at;
  afterCr = crBefore;
  records += count;
  textBytes += <f64>text;
  // A malformed row shows once all before it are taken.
  if (<usize>start === malformed) refused = true;
}
