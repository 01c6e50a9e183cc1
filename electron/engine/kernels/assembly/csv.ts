/** CSV to JSON: finds the rows of a piece of text, and scans or writes them. */
import { findCells } from './csv-cells';
import { scanRows } from './csv-scan';
import { beginRows } from './csv-write';

export { placeLists } from './csv-cells';
export {
  extraCells,
  firstAt as scannedFirstAt,
  firstLine as scannedFirstLine,
  firstRecord as scannedFirstRecord,
  firstText as scannedFirstText,
  line as scannedLine,
  longLine,
  longRows,
  records,
  refused,
  rest as scannedTo,
  shortLine,
  shortRows,
  startScan,
  textBytes,
} from './csv-scan';
export { startJudging } from './csv-where';
export {
  firstAt as writtenFirstAt,
  firstLine as writtenFirstLine,
  rest as writtenTo,
  startWriting,
  wanted,
  writeRows,
  written,
  writtenBytes,
} from './csv-write';
export { heapBase } from './shared';

/** Takes the whole rows between two addresses, and notes the first record that starts at `firstFrom` or later. */
export function scan(from: usize, end: usize, firstFrom: usize): void {
  findCells(from, end);
  scanRows(from, firstFrom);
}

/** Finds the whole rows between two addresses, for `writeRows`. */
export function find(from: usize, end: usize): void {
  findCells(from, end);
  beginRows(from);
}
