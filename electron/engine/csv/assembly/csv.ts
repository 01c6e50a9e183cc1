/** Entry points of the CSV kernel: find the rows in a block of text, then scan or write them. */
import { findCells } from './csv-cells';
import { beginScan, refused, rest, scanRows } from './csv-scan';
import { beginRows } from './csv-write';

export { heapBase } from '../../kernel/assembly/shared';
export { placeLists } from './csv-cells';
export {
  checkpointCount,
  checkpoints,
  extraCells,
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

/** Where the last part of the text that was processed ends. */
export let scannedPartEnd: usize = 0;

/**
 * Scans the whole rows between two addresses, part by part: the first part ends at `partEnd`, each further one `stride`
 * bytes later. The first record of each part becomes a checkpoint if it starts at `checkpointFrom` or later. Stops early
 * at a part in which no row ends.
 */
export function scan(from: usize, end: usize, partEnd: usize, stride: usize, checkpointFrom: usize): void {
  let at = from;
  let next = partEnd;
  beginScan(checkpointFrom, stride);
  do {
    scannedPartEnd = min(next, end);
    findCells(at, scannedPartEnd);
    scanRows(at, next);
    if (refused || rest === at) return;
    at = rest;
    while (next <= at) next += stride;
  } while (at < end);
}

/** Finds the whole rows between two addresses, for `writeRows`. */
export function find(from: usize, end: usize): void {
  findCells(from, end);
  beginRows(from);
}
