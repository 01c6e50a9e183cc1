/** Hosts the CSV kernel: lays out its memory for one table and feeds it text. */

import { borrowKernel, type HostFunctions, type KernelExports, reserveMemory, returnKernel } from '../kernel/kernel.ts';
import { wasm } from './assembly/csv.ts?kernel';
import { printsBack } from './csv-numbers.ts';

interface Global {
  readonly value: number;
}

interface Counter {
  value: number;
}

/** The kernel's exports; addresses and sizes in bytes. assembly/csv-*.ts documents each. */
export interface CsvExports extends KernelExports {
  placeLists(cells: number, rows: number, specials: number, quoted: number, delimiter: number): void;

  startScan(lists: number, listBytes: number, columns: number, extra: number, line: number, afterCr: boolean): void;
  scan(from: number, end: number, partEnd: number, stride: number, checkpointFrom: number): void;
  readonly scannedPartEnd: Global;
  readonly scannedTo: Global;
  readonly refused: Global;
  readonly scannedLine: Counter;
  readonly checkpoints: Global;
  readonly checkpointCount: Global;
  readonly records: Counter;
  readonly textBytes: Counter;
  readonly shortRows: Counter;
  readonly shortLine: Counter;
  readonly longRows: Counter;
  readonly longLine: Counter;
  readonly extraCells: Counter;

  startWriting(
    columns: number,
    count: number,
    width: number,
    extraKey: number,
    extraKeyLength: number,
    keyed: boolean,
    rowCost: number,
    line: number,
    picks: boolean,
    pass: number,
  ): void;
  startJudging(tests: number, count: number): void;
  find(from: number, end: number): void;
  writeRows(out: number, outEnd: number, ends: number, lines: number, most: number): boolean;
  readonly writtenTo: Global;
  readonly written: Global;
  readonly writtenBytes: Global;
  readonly writtenFirstAt: Global;
  readonly writtenFirstLine: Global;
  readonly wanted: Global;
}

/** Text that a kernel holds at once, unless a row is longer. */
export const TEXT_BYTES = 128 * 1024;
/** The kernel refuses longer rows. */
export const MAX_ROW_BYTES = 4 * 1024 * 1024;
/** Maximum number of records written in one call. */
export const MOST_RECORDS = 16 * 1024;
/** Bytes that the kernel may read or write past the end of any area. */
const SLACK = 128;

/** Memory limit of a kernel that is returned to the pool. */
const MOST_KEPT_BYTES = 4 * 1024 * 1024;

const LF = 0x0a;

const host: HostFunctions = {
  printsBack: ({ buffer }, from, to) => (printsBack(Buffer.from(buffer, from, to - from).toString('latin1')) ? 1 : 0),
};

/** Thrown if a row is longer than the kernel accepts. */
export class RowTooLong extends Error {}

/**
 * Text is put in with `fill` and taken from `from` on by the kernel, which reads whole rows only; the rest stays for the next
 * time. Memory: what the host puts down at `fixedAt`, the text, lists of places in it, and the output.
 */
export class CsvKernel {
  readonly exports: CsvExports;
  readonly fixedAt: number;
  /** All memory; replaced when it grows. */
  bytes: Uint8Array = new Uint8Array(0);
  words: Uint32Array = new Uint32Array(0);
  /** Text that is held and not processed yet. */
  from: number;
  end: number;
  /** Offset of `from` in the whole text. */
  offset: number;
  endsAt = 0;
  linesAt = 0;
  outputAt = 0;

  private readonly delimiter: number;
  private readonly textAt: number;
  private capacity = TEXT_BYTES;
  private outputBytes: number;

  constructor(delimiter: number, fixedBytes: number, outputBytes: number, offset: number) {
    this.exports = borrowKernel<CsvExports>(wasm, 'csv-types', host);
    this.delimiter = delimiter;
    this.fixedAt = aligned(this.exports.heapBase.value);
    this.textAt = aligned(this.fixedAt + fixedBytes + SLACK);
    this.from = this.textAt;
    this.end = this.textAt;
    this.offset = offset;
    this.outputBytes = outputBytes;
    this.layOut();
  }

  /** Returns the kernel to the pool: nothing may be read from its memory afterwards. */
  release(): void {
    if (this.bytes.length <= MOST_KEPT_BYTES) returnKernel(wasm, this.exports);
  }

  get isFull(): boolean {
    return this.end - this.from === this.capacity;
  }

  get outputEnd(): number {
    return this.outputAt + this.outputBytes;
  }

  /** Copies in as many bytes as there is room for, and returns that number. */
  fill(chunk: Uint8Array, at: number): number {
    this.makeRoom();
    const count = Math.min(chunk.length - at, this.textAt + this.capacity - this.end);
    this.bytes.set(count === chunk.length ? chunk : chunk.subarray(at, at + count), this.end);
    this.end += count;
    return count;
  }

  /** Calls `read` with a free memory area, as large as there is room for; `read` returns the number of bytes it filled. */
  fillBy(read: (memory: Uint8Array, address: number, room: number) => number): number {
    this.makeRoom();
    const count = read(this.bytes, this.end, this.textAt + this.capacity - this.end);
    this.end += count;
    return count;
  }

  /** Continues at another offset of the text; drops the text that is held. */
  goTo(offset: number): void {
    this.from = this.textAt;
    this.end = this.textAt;
    this.offset = offset;
  }

  /** Marks the text up to an address as processed. */
  takeTo(address: number): void {
    this.offset += address - this.from;
    this.from = address;
  }

  /** Makes room for a longer row. Throws RowTooLong. */
  widen(): void {
    if (this.capacity * 2 > MAX_ROW_BYTES) throw new RowTooLong();
    this.capacity *= 2;
    this.layOut();
  }

  /** Makes room for output. Call it only between two kernel calls. */
  reserveOutput(bytes: number): void {
    if (bytes <= this.outputBytes) return;
    this.outputBytes = bytes;
    this.layOut();
  }

  /** Adds a line end if the last row ends with the text. There is always room for it. */
  endText(): void {
    if (this.end === this.from) return;
    this.bytes[this.end] = LF;
    this.end += 1;
  }

  /** Moves the held text to the front when it reaches the end of the buffer. */
  private makeRoom(): void {
    if (this.end < this.textAt + this.capacity) return;
    this.bytes.copyWithin(this.textAt, this.from, this.end);
    this.end -= this.from - this.textAt;
    this.from = this.textAt;
  }

  private layOut(): void {
    // Each byte of text, and the line end that may be added, can be a list entry.
    const list = aligned(4 * (this.capacity + SLACK));
    const cells = aligned(this.textAt + this.capacity + SLACK);
    const rows = cells + list;
    const specials = rows + list;
    const quoted = specials + list;
    this.endsAt = quoted + list;
    this.linesAt = this.endsAt + 4 * MOST_RECORDS;
    this.outputAt = this.linesAt + 4 * MOST_RECORDS;
    const { memory } = this.exports;
    reserveMemory(memory, this.outputEnd + SLACK);
    this.bytes = new Uint8Array(memory.buffer);
    this.words = new Uint32Array(memory.buffer);
    this.exports.placeLists(cells, rows, specials, quoted, this.delimiter);
  }
}

function aligned(address: number): number {
  return Math.ceil(address / 64) * 64;
}
