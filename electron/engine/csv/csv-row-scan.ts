/** Scans rows of CSV text with the kernel: possible column types, and counts that can be added up. */
import type { Checkpoint } from '../core/payload.ts';
import { CsvKernel } from './csv-kernel.ts';
import { type ExtraCells, extraCells } from './csv-rows.ts';

// The kernel's lists with one word per column; see assembly/csv-scan.ts.
const POSSIBLE_LIST = 0;
const EMPTY_LIST = 1;
const QUOTED_EMPTY_LIST = 2;
const SHORT_LIST = 3;
/** Lists that hold counts or possible types; the kernel has one more for internal use. */
const COUNTED_LISTS = 4;
const LISTS = 5;
/** The kernel counts this many columns at once. */
const LANES = 4;
/** Bytes of a checkpoint; see assembly/csv-scan.ts. */
const CHECKPOINT_BYTES = 32;

/**
 * The first record that starts in each part of this many bytes becomes a checkpoint, so that checkpoints do not depend on
 * where a scan starts. The JSON of a part is about twice as long.
 */
const CELL_BYTES = 64 * 1024;

/** The part in which an offset lies. */
export const cellOf = ({ offset }: Pick<Checkpoint, 'offset'>): number => Math.floor(offset / CELL_BYTES);

/** For a longer row, the scan looks at ever more text at a time, to avoid reading it over and over. */
const LONG_ROW = 4 * CELL_BYTES;

/** Types that a column may have at first; see assembly/csv-types.ts. */
const ANYTHING = 15;
const DECIDED = { string: 0, number: 32, boolean: 64 } as const;
/** Set if a column has a cell with text. */
const HAS_TEXT = 16;
/** Set if a number in the column has an exponent. */
export const HAS_EXPONENT = 128;
/** Bits that a cell sets; cells clear all others. */
const SEEN = HAS_TEXT | HAS_EXPONENT;
/** Possible types of a column, without the bits of a type given in advance. */
const POSSIBLE = ANYTHING | SEEN;

/** Options of a row scan. Plain data. */
export interface RowScanOptions {
  /** As a byte. */
  readonly delimiter: number;
  /** The type given in advance for each column, if any. */
  readonly decided: readonly (keyof typeof DECIDED | undefined)[];
  readonly extra: ExtraCells;
  /** Bytes of JSON that each record has in addition to its cells. */
  readonly keyBytes: number;
}

/** Cells of a column: `empty` includes those written `""`; `missing` counts those that short rows lack. */
export interface ColumnCounts {
  readonly possible: number;
  readonly empty: number;
  readonly quotedEmpty: number;
  readonly missing: number;
}

/** Results for a range of whole rows. Plain data; lines count from 0 at its start. */
export interface RowCounts {
  readonly records: number;
  readonly textBytes: number;
  readonly shortRows: number;
  readonly shortLine: number;
  readonly longRows: number;
  readonly longLine: number;
  readonly extraCells: number;
  readonly lines: number;
  /** The kernel's lists of the columns. */
  readonly columns: Uint32Array;
}

/** A record at which reading can resume: records before it, and the approximate length of their JSON in bytes. */
export interface RecordCheckpoint extends Checkpoint {
  readonly record: number;
  readonly json: number;
}

/** Where rows start; `afterCr`: the byte before is a CR. */
export interface RowStart extends Checkpoint {
  readonly afterCr: boolean;
}

export class RowScan {
  readonly kernel: CsvKernel;
  private readonly options: RowScanOptions;
  private readonly onCheckpoint: (checkpoint: RecordCheckpoint) => void;
  /** Records before this offset do not become checkpoints. */
  private checkpointFrom = 0;
  /** Words of a list. */
  private readonly listWords: number;

  constructor(
    options: RowScanOptions,
    { offset, line, afterCr }: RowStart,
    onCheckpoint: (checkpoint: RecordCheckpoint) => void,
  ) {
    this.options = options;
    this.onCheckpoint = onCheckpoint;
    const { decided, extra } = options;
    this.listWords = Math.ceil(decided.length / LANES) * LANES;
    this.kernel = new CsvKernel(options.delimiter, LISTS * 4 * this.listWords, 0, offset);
    const lists = this.lists();
    lists.fill(0);
    for (const [i, type] of decided.entries()) lists[i] = type === undefined ? ANYTHING : DECIDED[type];
    this.kernel.exports.startScan(this.kernel.fixedAt, 4 * this.listWords, decided.length, extraCells[extra], line, afterCr);
  }

  /** End offset, in the whole text, of the text that was put in. */
  get fedTo(): number {
    const { kernel } = this;
    return kernel.offset + kernel.end - kernel.from;
  }

  /**
   * Scans all whole rows that the kernel holds. False if it refuses a row, which is then the first unread one. Throws
   * RowTooLong.
   */
  run(): boolean {
    const { kernel } = this;
    const { exports } = kernel;
    /** Text searched without finding the end of its row. */
    let vain = 0;
    while (kernel.from < kernel.end) {
      const { offset, from, end } = kernel;
      const partEnd = (cellOf({ offset: offset + (vain < LONG_ROW ? vain : 2 * vain) }) + 1) * CELL_BYTES;
      exports.scan(from, end, from + partEnd - offset, CELL_BYTES, from + Math.max(0, this.checkpointFrom - offset));
      this.takeCheckpoints(offset - from);
      kernel.takeTo(exports.scannedTo.value);
      if (exports.refused.value) return false;
      const scannedEnd = exports.scannedPartEnd.value;
      if (kernel.from === end || (scannedEnd === end && !kernel.isFull)) break;
      // No row ends in this part: the row continues into the next one.
      if (scannedEnd === end) {
        kernel.widen();
        break;
      }
      vain = scannedEnd - kernel.from;
    }
    return true;
  }

  counts(): RowCounts {
    const { exports } = this.kernel;
    return {
      records: exports.records.value,
      textBytes: exports.textBytes.value,
      shortRows: exports.shortRows.value,
      shortLine: exports.shortLine.value,
      longRows: exports.longRows.value,
      longLine: exports.longLine.value,
      extraCells: exports.extraCells.value,
      lines: exports.scannedLine.value,
      columns: this.lists().slice(),
    };
  }

  /** Adds the counts of the following range of rows while no text is held. The caller handles its checkpoints. */
  add(found: RowCounts): void {
    const { exports } = this.kernel;
    const line = exports.scannedLine.value;
    if (exports.shortRows.value === 0) exports.shortLine.value = line + found.shortLine;
    if (exports.longRows.value === 0) exports.longLine.value = line + found.longLine;
    exports.records.value += found.records;
    exports.textBytes.value += found.textBytes;
    exports.shortRows.value += found.shortRows;
    exports.longRows.value += found.longRows;
    exports.extraCells.value += found.extraCells;
    exports.scannedLine.value += found.lines;
    const lists = this.lists();
    for (let i = 0; i < lists.length; i++) {
      const here = lists[i] as number;
      const there = found.columns[i] as number;
      lists[i] = i < this.listWords ? (here & there & ~SEEN) | ((here | there) & SEEN) : here + there;
    }
  }

  /** Approximate length of the JSON of the records so far, in bytes. */
  get json(): number {
    const { records, textBytes } = this.kernel.exports;
    return records.value * this.options.keyBytes + textBytes.value;
  }

  columnCounts(): ColumnCounts[] {
    const lists = this.lists();
    const word = (list: number, column: number) => lists[list * this.listWords + column] as number;
    let missing = 0;
    return this.options.decided.map((_, i) => {
      // Rows that end before a column also lack all columns after it.
      missing += word(SHORT_LIST, i);
      return {
        possible: word(POSSIBLE_LIST, i) & POSSIBLE,
        empty: word(EMPTY_LIST, i),
        quotedEmpty: word(QUOTED_EMPTY_LIST, i),
        missing,
      };
    });
  }

  /** The counts so far; valid until the kernel's memory grows. */
  private lists(): Uint32Array {
    const { words, fixedAt } = this.kernel;
    return words.subarray(fixedAt / 4, fixedAt / 4 + COUNTED_LISTS * this.listWords);
  }

  /** `base`: difference between an address and its offset in the whole text. */
  private takeCheckpoints(base: number): void {
    const { exports, bytes } = this.kernel;
    const count = exports.checkpointCount.value;
    if (count === 0) return;
    const checkpoints = new DataView(bytes.buffer, exports.checkpoints.value, count * CHECKPOINT_BYTES);
    for (let at = 0; at < checkpoints.byteLength; at += CHECKPOINT_BYTES) {
      const offset = base + checkpoints.getUint32(at + 24, true);
      this.checkpoint(
        checkpoints.getFloat64(at, true),
        offset,
        checkpoints.getFloat64(at + 16, true),
        checkpoints.getFloat64(at + 8, true),
      );
    }
  }

  private checkpoint(record: number, offset: number, line: number, textBytes: number): void {
    this.checkpointFrom = (cellOf({ offset }) + 1) * CELL_BYTES;
    this.onCheckpoint({ record, offset, line, json: record * this.options.keyBytes + textBytes });
  }
}
