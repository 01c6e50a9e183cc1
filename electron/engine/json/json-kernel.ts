/** The host of the kernel that checks JSON: feeds it a text in pieces, and knows what it has found. */

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

/** Places of what the kernel tells after each call, and of how things stood before the last piece. */
const WRITTEN = 0;
const STARTED = 1;
const LINE_START = 2;
const FIRST_ELEMENT = 3;
const FIRST_LINE = 4;
const LINE = 5;
const BEFORE = 6;
const TOLD = 14;

/** Bytes given to the kernel at once, so that they and what they come to stay in a core's cache. */
export const PIECE_BYTES = 64 * 1024;
/** What the kernel may read or write beyond what is meant, and more. */
const SLACK = 64;
/** One byte for each level around a value. */
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
  /** Place in the text of the piece that is read next, and of the one before. */
  private offset = 0;
  private pieceOffset = 0;
  private lineStart = 0;
  /** Where the last piece began, or the text ended. */
  private stateOffset = 0;

  /** `maxNesting` up to MAX_NESTING; `asLines`: JSON Lines, one value a line. */
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

  /** First byte of the value, after the last piece; 0 where there is none. */
  get first(): number {
    return this.tell(BEFORE + 7);
  }

  /** Elements that have begun. */
  get records(): number {
    return this.tell(STARTED);
  }

  /** Bytes that the last piece came to. */
  get written(): number {
    return this.tell(WRITTEN);
  }

  /** These bytes, if they were kept: a view, good until the next piece. */
  get output(): Uint8Array {
    return this.memory.subarray(this.out, this.out + this.written);
  }

  /** Mark of the first element that begins in the last piece. */
  get checkpoint(): Checkpoint | undefined {
    const at = this.place(FIRST_ELEMENT);
    return at < 0 ? undefined : { offset: this.pieceOffset + at, line: this.tell(FIRST_LINE) };
  }

  /** Reads at most PIECE_BYTES, which are looked at only or, with `keep`, written. False where something is wrong with them. */
  read(piece: Uint8Array, keep: boolean): boolean {
    this.load(piece);
    return this.kernel.read(this.input, this.input + piece.length, this.out, Number(keep)) !== 0;
  }

  /** After the last piece: whether the text was whole. */
  finish(): boolean {
    this.lineStart = this.lineCheckpoint.offset;
    this.stateOffset = this.offset;
    return this.kernel.finish() !== 0;
  }

  /** Ends its use: others may take it over. */
  close(): void {
    returnKernel(wasm, this.kernel);
  }

  /** Where things stood before the last piece, or stand at the end of the text. */
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

  /** The start of the line that is read. */
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

  /** The same of what may be -1. */
  private place(what: number): number {
    return this.told[what] as number;
  }
}
