/** CSV to JSON: finds the rows of a piece of text, and scans or writes them. */
import { findCells } from './csv-cells';
import { beginScan, refused, rest, scanRows } from './csv-scan';
import { beginRows } from './csv-write';

export { heapBase } from '../../kernel/assembly/shared';
export { placeLists } from './csv-cells';
export {
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
  withCheckpoints,
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

/** Where the part of the text ended that was looked at last. */
export let scannedPartEnd: usize = 0;

/**
 * Takes the whole rows between two addresses, part by part: the first ends at `partEnd`, and each after it `stride` bytes later.
 * Of each part the first record is a checkpoint, if that starts at `checkpointFrom` or later. Ends early where no row ends in a part.
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
