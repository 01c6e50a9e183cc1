/** The host of the JSON kernel: feeds it a text in pieces, and takes from it what the text comes to. */
import type { ScannerState } from '../formats/json-scanner.ts';
import type { ElementChunk, SourceMark } from '../payload.ts';
import { wasm } from './assembly/json.ts?kernel';
import { borrowKernel, type KernelExports, reserveMemory, returnKernel, takeOut } from './kernel.ts';

interface JsonExports extends KernelExports {
  readonly told: { readonly value: number };
  begin(
    nesting: number,
    asLines: number,
    spreading: number,
    stack: number,
    stackBefore: number,
    ends: number,
    lines: number,
  ): void;
  resume(line: number): void;
  restart(unfinished: number): void;
  read(from: number, to: number, out: number, before: number, keep: number): number;
  finish(at: number): number;
}

/** Places of what the kernel tells after each call, and of how things stood before the last piece. */
const WRITTEN = 0;
const STARTED = 1;
const ENDED = 2;
const LINE_START = 3;
const FIRST_ELEMENT = 4;
const FIRST_LINE = 5;
const LAST_ELEMENT = 6;
const LINE = 7;
const BEFORE = 8;
const TOLD = 16;

/** Bytes given to the kernel at once, so that they and what they come to stay in a core's cache. */
export const PIECE_BYTES = 64 * 1024;
/** What the kernel may read or write beyond what is meant, and more. */
const SLACK = 64;
/** Output from which on it is handed over. */
const CHUNK_BYTES = 128 * 1024;
const OUT_BYTES = CHUNK_BYTES + 2 * PIECE_BYTES;
/** Four bytes for each element in there, which comes to two at least, one of them a comma. */
const LIST_BYTES = OUT_BYTES * 2 + SLACK;
/** One byte for each level around a value. */
const STACK_BYTES = 64 * 1024;
export const MAX_NESTING = STACK_BYTES - SLACK;

export interface JsonKernelOptions {
  /** Up to MAX_NESTING. */
  readonly maxNesting: number;
  /** JSON Lines: one value a line. */
  readonly asLines: boolean;
  /** Whether a list is written element by element, without its brackets. */
  readonly spread: boolean;
}

/** Reads one text, from its start or from a mark on. */
export class JsonKernel {
  /** Whether there is enough output to be worth a chunk: then it has to be taken. */
  ready = false;
  private readonly kernel: JsonExports;
  private readonly memory: Uint8Array;
  private readonly stack: number;
  private readonly input: number;
  private readonly out: number;
  private readonly ends: Uint32Array;
  private readonly lines: Uint32Array;
  /** Output that was not taken. Bytes. */
  private pending = 0;
  /** The start of an element that is bigger than the room for output. */
  private parts: Uint8Array[] = [];
  private partBytes = 0;
  /** Place in the text of the piece that is read next, and of the one before. */
  private offset = 0;
  private pieceOffset = 0;
  private lineStart = 0;
  /** Where the first element of the output, and the one that started last, begin in the text. */
  private firstOffset = 0;
  private lastOffset = 0;
  /** Where the last piece began, or the text ended. */
  private stateOffset = 0;
  private readonly told: Int32Array;

  constructor({ maxNesting, asLines, spread }: JsonKernelOptions) {
    this.kernel = borrowKernel<JsonExports>(wasm);
    this.stack = Math.ceil(this.kernel.heapBase.value / SLACK) * SLACK;
    this.input = this.stack + 2 * STACK_BYTES;
    this.out = this.input + PIECE_BYTES + SLACK;
    const ends = this.out + OUT_BYTES + SLACK;
    const lines = ends + LIST_BYTES;
    const { memory } = this.kernel;
    reserveMemory(memory, lines + LIST_BYTES);
    this.memory = new Uint8Array(memory.buffer);
    this.ends = new Uint32Array(memory.buffer, ends, LIST_BYTES / 4);
    this.lines = new Uint32Array(memory.buffer, lines, LIST_BYTES / 4);
    this.told = new Int32Array(memory.buffer, this.kernel.told.value, TOLD);
    const before = this.stack + STACK_BYTES;
    this.kernel.begin(maxNesting, Number(asLines), Number(spread), this.stack, before, spread ? ends : 0, spread ? lines : 0);
  }

  /** Goes on at an element whose mark was seen before. */
  resume({ offset, line }: SourceMark): void {
    this.offset = offset;
    this.lineStart = offset;
    this.kernel.resume(line);
  }

  /** First byte of the value, after the last piece; 0 where there is none. */
  get first(): number {
    return this.tell(BEFORE + 7);
  }

  /** Elements that have begun, in a text whose output is not taken. */
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
  get mark(): SourceMark | undefined {
    const at = this.place(FIRST_ELEMENT);
    return at < 0 ? undefined : { offset: this.pieceOffset + at, line: this.tell(FIRST_LINE) };
  }

  /** Reads at most PIECE_BYTES, which are looked at only or, with `keep`, written. False where something is wrong with them. */
  read(piece: Uint8Array, keep: boolean): boolean {
    this.load(piece);
    return this.kernel.read(this.input, this.input + piece.length, this.out, 0, Number(keep)) !== 0;
  }

  /** Reads at most PIECE_BYTES, and adds to the output, of which whole elements can be taken. */
  write(piece: Uint8Array): boolean {
    const { kernel } = this;
    const begun = this.tell(STARTED);
    if (this.pending + piece.length > OUT_BYTES) this.putAside();
    this.load(piece);
    if (kernel.read(this.input, this.input + piece.length, this.out, this.pending, 1) === 0) return false;
    this.pending = this.tell(WRITTEN);
    if (this.place(FIRST_ELEMENT) >= 0) {
      if (begun === 0) this.firstOffset = this.pieceOffset + this.place(FIRST_ELEMENT);
      this.lastOffset = this.pieceOffset + this.place(LAST_ELEMENT);
    }
    const ended = this.tell(ENDED);
    this.ready = ended > 0 && (this.pending > OUT_BYTES - PIECE_BYTES || (this.ends[ended - 1] as number) >= CHUNK_BYTES);
    return true;
  }

  /** After the last piece: whether the text was whole. */
  finish(): boolean {
    this.lineStart = this.lineMark.offset;
    this.stateOffset = this.offset;
    return this.kernel.finish(this.pending) !== 0;
  }

  /** The whole elements of the output; one that goes on stays behind. Undefined when there is none. */
  take({ marked }: { marked: boolean }): ElementChunk | undefined {
    const { kernel, partBytes } = this;
    const count = this.tell(ENDED);
    if (count === 0) return undefined;
    const complete = this.ends[count - 1] as number;
    const ends = this.ends.slice(0, count);
    let data: Uint8Array = takeOut(this.memory.subarray(this.out, this.out + complete));
    if (partBytes > 0) {
      data = joined([...this.parts, data], partBytes + complete);
      for (let i = 0; i < count; i += 1) ends[i] = (ends[i] as number) + partBytes;
      this.parts = [];
      this.partBytes = 0;
    }
    const lines = this.lines.slice(0, count);
    const mark = marked ? { offset: this.firstOffset, line: lines[0] as number } : undefined;
    const unfinished = this.tell(STARTED) > count;
    if (unfinished) {
      this.lines[0] = this.lines[count] as number;
      this.firstOffset = this.lastOffset;
      // It follows a comma that belongs to neither chunk.
      this.memory.copyWithin(this.out, this.out + complete + 1, this.out + this.pending);
      this.pending -= complete + 1;
    } else this.pending = 0;
    kernel.restart(Number(unfinished));
    this.ready = false;
    return { data, ends, lines, ...(mark ? { mark } : {}) };
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
  get lineMark(): SourceMark {
    const inPiece = this.place(LINE_START);
    return { offset: inPiece < 0 ? this.lineStart : this.pieceOffset + inPiece, line: this.tell(LINE) };
  }

  private load(piece: Uint8Array): void {
    this.lineStart = this.lineMark.offset;
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

  /** Makes room: what is there is the start of one element. */
  private putAside(): void {
    this.parts.push(takeOut(this.memory.subarray(this.out, this.out + this.pending)));
    this.partBytes += this.pending;
    this.pending = 0;
  }
}

function joined(parts: readonly Uint8Array[], bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
