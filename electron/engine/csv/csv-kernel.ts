/** The CSV kernel with its memory laid out for one table, and the text that is fed to it. */

import { borrowKernel, type HostFunctions, type KernelExports, reserveMemory, returnKernel } from '../kernel/kernel.ts';
import { wasm } from './assembly/csv.ts?kernel';
import { printsBack } from './csv-numbers.ts';

interface Global {
  readonly value: number;
}

interface Counter {
  value: number;
}

/** What the kernel exports; addresses and sizes in bytes. assembly/csv-*.ts say what each is. */
export interface CsvExports extends KernelExports {
  placeLists(cells: number, rows: number, specials: number, quoted: number, delimiter: number): void;

  startScan(lists: number, listBytes: number, columns: number, keepExtra: boolean, line: number, afterCr: boolean): void;
  scan(from: number, end: number, partEnd: number, stride: number, checkpointFrom: number): void;
  readonly scannedPartEnd: Global;
  readonly scannedTo: Global;
  readonly refused: Global;
  readonly scannedLine: Counter;
  readonly checkpoints: Global;
  readonly withCheckpoints: Global;
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
/** A row that is longer than this is not for the kernel. */
export const MAX_ROW_BYTES = 4 * 1024 * 1024;
/** Records that are written at once, at most. */
export const MOST_RECORDS = 16 * 1024;
/** What the kernel may read or write past the end of anything. */
const SLACK = 128;

/** Memory of a kernel that is used again, at most. */
const MOST_KEPT_BYTES = 4 * 1024 * 1024;

const LF = 0x0a;

const host: HostFunctions = {
  printsBack: ({ buffer }, from, to) => (printsBack(Buffer.from(buffer, from, to - from).toString('latin1')) ? 1 : 0),
};

/** A row is longer than the kernel takes. */
export class RowTooLong extends Error {}

/**
 * Text is put in with `fill` and taken from `from` on by the kernel, which reads whole rows only; the rest stays for the next
 * time. Memory: what the host puts down at `fixedAt`, the text, lists of places in it, and the output.
 */
export class CsvKernel {
  readonly exports: CsvExports;
  readonly fixedAt: number;
  /** All memory; renewed whenever it grows. */
  bytes: Uint8Array = new Uint8Array(0);
  words: Uint32Array = new Uint32Array(0);
  /** The text that is held and not taken yet. */
  from: number;
  end: number;
  /** Place of `from` in the whole text. */
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

  /** Gives the memory back: nothing may be read from it any more. */
  release(): void {
    if (this.bytes.length <= MOST_KEPT_BYTES) returnKernel(wasm, this.exports);
  }

  get isFull(): boolean {
    return this.end - this.from === this.capacity;
  }

  get outputEnd(): number {
    return this.outputAt + this.outputBytes;
  }

  /** Puts in what there is room for; gives how much that was. */
  fill(chunk: Uint8Array, at: number): number {
    this.makeRoom();
    const count = Math.min(chunk.length - at, this.textAt + this.capacity - this.end);
    this.bytes.set(count === chunk.length ? chunk : chunk.subarray(at, at + count), this.end);
    this.end += count;
    return count;
  }

  /** Lets `read` put in what there is room for, into memory from an address on; it gives how much it has put there. */
  fillBy(read: (memory: Uint8Array, address: number, room: number) => number): number {
    this.makeRoom();
    const count = read(this.bytes, this.end, this.textAt + this.capacity - this.end);
    this.end += count;
    return count;
  }

  /** Goes on at another place of the text; what is held of it is let go. */
  goTo(offset: number): void {
    this.from = this.textAt;
    this.end = this.textAt;
    this.offset = offset;
  }

  /** Says that the text up to an address is dealt with. */
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

  /** Makes room for so much output; to be called between two calls of the kernel. */
  reserveOutput(bytes: number): void {
    if (bytes <= this.outputBytes) return;
    this.outputBytes = bytes;
    this.layOut();
  }

  /** Ends the last row, if its end was that of the text. There is always room for that. */
  endText(): void {
    if (this.end === this.from) return;
    this.bytes[this.end] = LF;
    this.end += 1;
  }

  /** What is held moves to the front where it stands at the end. */
  private makeRoom(): void {
    if (this.end < this.textAt + this.capacity) return;
    this.bytes.copyWithin(this.textAt, this.from, this.end);
    this.end -= this.from - this.textAt;
    this.from = this.textAt;
  }

  private layOut(): void {
    // Every byte of text, and the line end that may be added, can be in a list.
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
