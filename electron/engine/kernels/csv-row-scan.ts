/** Rows of CSV text as the kernel takes them: what the columns may be, and counts that can be added up. */
import type { SourceMark } from '../payload.ts';
import { CsvKernel } from './csv-kernel.ts';

/** Bytes of a column's record, as assembly/csv-scan.ts has it. */
const COLUMN_BYTES = 16;
const COLUMN_WORDS = COLUMN_BYTES / 4;
/**
 * Of each so much of the text the first record that starts in it is marked, so that marks are the same wherever a scan
 * starts. Its JSON is about twice as long.
 */
const CELL_BYTES = 32 * 1024;

/** Which of those parts a place is in. */
export const cellOf = ({ offset }: Pick<SourceMark, 'offset'>): number => Math.floor(offset / CELL_BYTES);

/** Of a longer row, ever more text is looked at; cells that end with it may get no mark. */
const LONG_ROW = 4 * CELL_BYTES;

/** What a column may be at first, as assembly/csv-types.ts has it. */
const ANYTHING = 15;
const DECIDED = { string: 0, number: 32, boolean: 64 } as const;
/** A column with this bit has had a cell with text. */
const HAS_TEXT = 16;
/** What a column may be, without the bits of a decision. */
const POSSIBLE = ANYTHING | HAS_TEXT;

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
  /** The columns' records as the kernel has them. */
  readonly columns: Uint32Array;
}

/** A record where reading can be taken up: how many come before it, and about what their JSON comes to, in bytes. */
export interface RecordMark extends SourceMark {
  readonly record: number;
  readonly json: number;
}

/** Where rows start: `afterCr` where the byte before is a CR. */
export interface RowStart extends SourceMark {
  readonly afterCr: boolean;
}

export class RowScan {
  readonly kernel: CsvKernel;
  private readonly options: RowScanOptions;
  private readonly onMark: (mark: RecordMark) => void;
  /** Records before this offset are not marked any more. */
  private markFrom = 0;

  constructor(options: RowScanOptions, { offset, line, afterCr }: RowStart, onMark: (mark: RecordMark) => void) {
    this.options = options;
    this.onMark = onMark;
    const { decided, keepExtra } = options;
    this.kernel = new CsvKernel(options.delimiter, decided.length * COLUMN_BYTES, 0, offset);
    const { words, fixedAt, exports } = this.kernel;
    const at = fixedAt / 4;
    words.fill(0, at, at + decided.length * COLUMN_WORDS);
    for (const [i, type] of decided.entries()) words[at + i * COLUMN_WORDS] = type === undefined ? ANYTHING : DECIDED[type];
    exports.startScan(fixedAt, decided.length, keepExtra, line, afterCr);
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
      const { offset } = kernel;
      const cellEnd = (cellOf({ offset: offset + (vain < LONG_ROW ? vain : 2 * vain) }) + 1) * CELL_BYTES;
      const until = Math.min(kernel.from + cellEnd - offset, kernel.end);
      exports.scan(kernel.from, until, kernel.from + Math.max(0, this.markFrom - offset));
      if (exports.scannedFirstAt.value > 0) {
        const at = offset + exports.scannedFirstAt.value - kernel.from;
        this.mark(exports.scannedFirstRecord.value, at, exports.scannedFirstLine.value, exports.scannedFirstText.value);
      }
      const rest = exports.scannedTo.value;
      const isStuck = rest === kernel.from;
      kernel.takeTo(rest);
      if (exports.refused.value) return false;
      if (!isStuck) {
        vain = 0;
        continue;
      }
      if (until === kernel.end && !kernel.isFull) break;
      // Its row goes on into another cell, which may have a first one of its own.
      if (offset >= this.markFrom) this.mark(exports.records.value, offset, exports.scannedLine.value, exports.textBytes.value);
      if (until === kernel.end) {
        kernel.widen();
        break;
      }
      vain = until - kernel.from;
    }
    return true;
  }

  counts(): RowCounts {
    const { words, fixedAt, exports } = this.kernel;
    const at = fixedAt / 4;
    return {
      records: exports.records.value,
      textBytes: exports.textBytes.value,
      shortRows: exports.shortRows.value,
      shortLine: exports.shortLine.value,
      longRows: exports.longRows.value,
      longLine: exports.longLine.value,
      extraCells: exports.extraCells.value,
      lines: exports.scannedLine.value,
      columns: words.slice(at, at + this.options.decided.length * COLUMN_WORDS),
    };
  }

  /** Counts the rows of a stretch that follows, where no text is held. Its marks are the caller's. */
  add(found: RowCounts): void {
    const { words, fixedAt, exports } = this.kernel;
    const line = exports.scannedLine.value;
    if (exports.shortRows.value === 0) exports.shortLine.value = line + found.shortLine;
    if (exports.longRows.value === 0) exports.longLine.value = line + found.longLine;
    exports.records.value += found.records;
    exports.textBytes.value += found.textBytes;
    exports.shortRows.value += found.shortRows;
    exports.longRows.value += found.longRows;
    exports.extraCells.value += found.extraCells;
    exports.scannedLine.value += found.lines;
    const at = fixedAt / 4;
    for (let i = 0; i < found.columns.length; i += COLUMN_WORDS) {
      const here = words[at + i] as number;
      const there = found.columns[i] as number;
      words[at + i] = (here & there & ~HAS_TEXT) | ((here | there) & HAS_TEXT);
      for (let j = 1; j < COLUMN_WORDS; j++) words[at + i + j] = (words[at + i + j] as number) + (found.columns[i + j] as number);
    }
  }

  /** About what the records so far come to, in bytes. */
  get json(): number {
    const { records, textBytes } = this.kernel.exports;
    return records.value * this.options.keyBytes + textBytes.value;
  }

  columnCounts(): ColumnCounts[] {
    const { words, fixedAt } = this.kernel;
    let missing = 0;
    return this.options.decided.map((_, i) => {
      const at = fixedAt / 4 + i * COLUMN_WORDS;
      // Rows that end before a column lack all those after it too.
      missing += words[at + 3] as number;
      return {
        possible: (words[at] as number) & POSSIBLE,
        empty: words[at + 1] as number,
        quotedEmpty: words[at + 2] as number,
        missing,
      };
    });
  }

  private mark(record: number, offset: number, line: number, textBytes: number): void {
    this.markFrom = (cellOf({ offset }) + 1) * CELL_BYTES;
    this.onMark({ record, offset, line, json: record * this.options.keyBytes + textBytes });
  }
}
