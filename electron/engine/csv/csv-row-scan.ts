/** Rows of CSV text as the kernel takes them: what the columns may be, and counts that can be added up. */
import type { Checkpoint } from '../core/payload.ts';
import { CsvKernel } from './csv-kernel.ts';

// What the kernel keeps of columns, as assembly/csv-scan.ts has it: lists with a word for each.
const POSSIBLE_LIST = 0;
const EMPTY_LIST = 1;
const QUOTED_EMPTY_LIST = 2;
const SHORT_LIST = 3;
/** Those that are counts or possibilities; the kernel has one more for itself. */
const COUNTED_LISTS = 4;
const LISTS = 5;
/** The kernel counts so many columns at once. */
const LANES = 4;
/** Of a mark, as assembly/csv-scan.ts has it. */
const MARK_BYTES = 32;

/**
 * Of each so much of the text the first record that starts in it is a checkpoint, so that checkpoints are the same wherever a scan
 * starts. Its JSON is about twice as long.
 */
const CELL_BYTES = 64 * 1024;

/** Which of those parts a place is in. */
export const cellOf = ({ offset }: Pick<Checkpoint, 'offset'>): number => Math.floor(offset / CELL_BYTES);

/** Of a longer row, ever more text is looked at, so that it is not read over and over. */
const LONG_ROW = 4 * CELL_BYTES;

/** What a column may be at first, as assembly/csv-types.ts has it. */
const ANYTHING = 15;
const DECIDED = { string: 0, number: 32, boolean: 64 } as const;
/** A column with this bit has had a cell with text. */
const HAS_TEXT = 16;
/** A number of a column with this bit has an exponent. */
export const HAS_EXPONENT = 128;
/** What a cell sets; other bits are cleared. */
const SEEN = HAS_TEXT | HAS_EXPONENT;
/** What a column may be, without the bits of a decision. */
const POSSIBLE = ANYTHING | SEEN;

/** What rows are scanned for. Plain data. */
export interface RowScanOptions {
  /** As a byte. */
  readonly delimiter: number;
  /** Of each column what it was decided to be, if it was. */
  readonly decided: readonly (keyof typeof DECIDED | undefined)[];
  readonly keepExtra: boolean;
  /** Bytes of JSON that each record has beside its cells. */
  readonly keyBytes: number;
}

/** Cells of a column: `empty` counts those written `""` too; `missing` those that rows were too short for. */
export interface ColumnCounts {
  readonly possible: number;
  readonly empty: number;
  readonly quotedEmpty: number;
  readonly missing: number;
}

/** What was found in a stretch of whole rows. Plain data; lines count from 0 at its start. */
export interface RowCounts {
  readonly records: number;
  readonly textBytes: number;
  readonly shortRows: number;
  readonly shortLine: number;
  readonly longRows: number;
  readonly longLine: number;
  readonly extraCells: number;
  readonly lines: number;
  /** The columns' lists as the kernel has them. */
  readonly columns: Uint32Array;
}

/** A record where reading can be taken up: how many come before it, and about what their JSON comes to, in bytes. */
export interface RecordCheckpoint extends Checkpoint {
  readonly record: number;
  readonly json: number;
}

/** Where rows start: `afterCr` where the byte before is a CR. */
export interface RowStart extends Checkpoint {
  readonly afterCr: boolean;
}

export class RowScan {
  readonly kernel: CsvKernel;
  private readonly options: RowScanOptions;
  private readonly onCheckpoint: (checkpoint: RecordCheckpoint) => void;
  /** Records before this offset are not withCheckpoints any more. */
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
    const { decided, keepExtra } = options;
    this.listWords = Math.ceil(decided.length / LANES) * LANES;
    this.kernel = new CsvKernel(options.delimiter, LISTS * 4 * this.listWords, 0, offset);
    const lists = this.lists();
    lists.fill(0);
    for (const [i, type] of decided.entries()) lists[i] = type === undefined ? ANYTHING : DECIDED[type];
    this.kernel.exports.startScan(this.kernel.fixedAt, 4 * this.listWords, decided.length, keepExtra, line, afterCr);
  }

  /** Where the text that was put in ends, in the whole text. */
  get fedTo(): number {
    const { kernel } = this;
    return kernel.offset + kernel.end - kernel.from;
  }

  /** Takes all whole rows that the kernel holds; false where it refuses one, which is the first that is left. Throws RowTooLong. */
  run(): boolean {
    const { kernel } = this;
    const { exports } = kernel;
    /** Text that was looked at in vain, as its row goes on. */
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
      // No row ends in the part: it goes on into another one.
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

  /** Counts the rows of a stretch that follows, where no text is held. Its checkpoints are the caller's. */
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

  /** About what the records so far come to, in bytes. */
  get json(): number {
    const { records, textBytes } = this.kernel.exports;
    return records.value * this.options.keyBytes + textBytes.value;
  }

  columnCounts(): ColumnCounts[] {
    const lists = this.lists();
    const word = (list: number, column: number) => lists[list * this.listWords + column] as number;
    let missing = 0;
    return this.options.decided.map((_, i) => {
      // Rows that end before a column lack all those after it too.
      missing += word(SHORT_LIST, i);
      return {
        possible: word(POSSIBLE_LIST, i) & POSSIBLE,
        empty: word(EMPTY_LIST, i),
        quotedEmpty: word(QUOTED_EMPTY_LIST, i),
        missing,
      };
    });
  }

  /** What was counted so far; holds until the kernel's memory grows. */
  private lists(): Uint32Array {
    const { words, fixedAt } = this.kernel;
    return words.subarray(fixedAt / 4, fixedAt / 4 + COUNTED_LISTS * this.listWords);
  }

  /** `base`: what an address lacks to its place in the whole text. */
  private takeCheckpoints(base: number): void {
    const { exports, bytes } = this.kernel;
    const count = exports.withCheckpoints.value;
    if (count === 0) return;
    const checkpoints = new DataView(bytes.buffer, exports.checkpoints.value, count * MARK_BYTES);
    for (let at = 0; at < checkpoints.byteLength; at += MARK_BYTES) {
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
