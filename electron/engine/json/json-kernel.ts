/** Hosts the kernel that checks JSON: feeds it a text in pieces and reads its results. */

import type { Checkpoint } from '../core/payload.ts';
import { borrowKernel, type KernelExports, reserveMemory, returnKernel } from '../kernel/kernel.ts';
import { wasm } from './assembly/json.ts?kernel';
import type { ScannerState } from './json-scanner.ts';

interface JsonExports extends KernelExports {
  readonly told: { readonly value: number };
  begin(nesting: number, asLines: number, stack: number, stackBefore: number): void;
  read(from: number, to: number, out: number, keep: number): number;
  finish(): number;
}

/** Positions of the kernel's results and of the state before the last piece. */
const WRITTEN = 0;
const STARTED = 1;
const LINE_START = 2;
const FIRST_ELEMENT = 3;
const FIRST_LINE = 4;
const LINE = 5;
const BEFORE = 6;
const TOLD = 14;

/** Bytes given to the kernel at once, so that input and output stay in a core's cache. */
export const PIECE_BYTES = 64 * 1024;
/** Bytes that the kernel may read or write past the end of any area. */
const SLACK = 64;
/** One byte for each nesting level. */
const STACK_BYTES = 64 * 1024;
export const MAX_NESTING = STACK_BYTES - SLACK;

/** Reads one text from its start. */
export class JsonKernel {
  private readonly kernel: JsonExports;
  private readonly memory: Uint8Array;
  private readonly told: Int32Array;
  private readonly stack: number;
  private readonly input: number;
  private readonly out: number;
  /** Offset in the text of the next piece and of the last one. */
  private offset = 0;
  private pieceOffset = 0;
  private lineStart = 0;
  /** Where the last piece began, or the end of the text. */
  private stateOffset = 0;

  /** `maxNesting` up to MAX_NESTING; `asLines`: JSON Lines, one value per line. */
  constructor(maxNesting: number, asLines: boolean) {
    this.kernel = borrowKernel<JsonExports>(wasm);
    this.stack = Math.ceil(this.kernel.heapBase.value / SLACK) * SLACK;
    this.input = this.stack + 2 * STACK_BYTES;
    this.out = this.input + PIECE_BYTES + SLACK;
    const { memory } = this.kernel;
    reserveMemory(memory, this.out + PIECE_BYTES + SLACK);
    this.memory = new Uint8Array(memory.buffer);
    this.told = new Int32Array(memory.buffer, this.kernel.told.value, TOLD);
    this.kernel.begin(maxNesting, Number(asLines), this.stack, this.stack + STACK_BYTES);
  }

  /** First byte of the value, after the last piece; 0 if there is no value. */
  get first(): number {
    return this.tell(BEFORE + 7);
  }

  /** Elements that have begun. */
  get records(): number {
    return this.tell(STARTED);
  }

  /** Output bytes of the last piece. */
  get written(): number {
    return this.tell(WRITTEN);
  }

  /** The output, if it was kept: a view, valid until the next piece. */
  get output(): Uint8Array {
    return this.memory.subarray(this.out, this.out + this.written);
  }

  /** Checkpoint of the first element that begins in the last piece. */
  get checkpoint(): Checkpoint | undefined {
    const at = this.place(FIRST_ELEMENT);
    return at < 0 ? undefined : { offset: this.pieceOffset + at, line: this.tell(FIRST_LINE) };
  }

  /** Reads at most PIECE_BYTES: checks them only or, with `keep`, also writes them. False if something is wrong with them. */
  read(piece: Uint8Array, keep: boolean): boolean {
    this.load(piece);
    return this.kernel.read(this.input, this.input + piece.length, this.out, Number(keep)) !== 0;
  }

  /** After the last piece: whether the text was complete. */
  finish(): boolean {
    this.lineStart = this.lineCheckpoint.offset;
    this.stateOffset = this.offset;
    return this.kernel.finish() !== 0;
  }

  /** Returns the kernel to the pool. */
  close(): void {
    returnKernel(wasm, this.kernel);
  }

  /** The scan state before the last piece, or at the end of the text. */
  get stateBefore(): ScannerState {
    const before = (what: number) => this.tell(BEFORE + what);
    const containers = this.stack + STACK_BYTES + 1;
    return {
      state: before(0),
      containers: this.memory.slice(containers, containers + before(1)),
      inKey: before(2) !== 0,
      word: before(3),
      step: before(4),
      line: before(5),
      lastWasCr: before(6) !== 0,
      first: before(7),
      offset: this.stateOffset,
      lineStart: this.lineStart,
    };
  }

  /** The start of the current line. */
  get lineCheckpoint(): Checkpoint {
    const inPiece = this.place(LINE_START);
    return { offset: inPiece < 0 ? this.lineStart : this.pieceOffset + inPiece, line: this.tell(LINE) };
  }

  private load(piece: Uint8Array): void {
    this.lineStart = this.lineCheckpoint.offset;
    this.pieceOffset = this.offset;
    this.stateOffset = this.offset;
    this.offset += piece.length;
    this.memory.set(piece, this.input);
    this.memory.fill(0, this.input + piece.length, this.input + piece.length + SLACK);
  }

  private tell(what: number): number {
    return this.place(what) >>> 0;
  }

  /** The same for a value that may be -1. */
  private place(what: number): number {
    return this.told[what] as number;
  }
}
