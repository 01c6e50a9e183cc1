/** Hosts the kernel that splits checked JSON into elements: feeds it pieces and takes whole elements. */
import type { Checkpoint, ElementChunk } from '../core/payload.ts';
import { borrowKernel, type KernelExports, reserveMemory, returnKernel, takeOut } from '../kernel/kernel.ts';
import { wasm } from './assembly/json-splitter.ts?kernel';

interface SplitterExports extends KernelExports {
  readonly told: { readonly value: number };
  begin(asLines: number, resumed: number, line: number, ends: number, lines: number): void;
  restart(unfinished: number): void;
  write(from: number, to: number, out: number, before: number): void;
  finish(at: number): number;
}

/** Positions of the kernel's results. */
const WRITTEN = 0;
const STARTED = 1;
const ENDED = 2;
const FIRST_ELEMENT = 3;
const LAST_ELEMENT = 4;
const TOLD = 5;

/** Maximum bytes given to the kernel at once, so that input and output stay in a core's cache. */
export const PIECE_BYTES = 64 * 1024;
/** Bytes that the kernel may read or write past the end of any area. */
const SLACK = 128;
/** Amount of output that is worth a chunk. */
const CHUNK_BYTES = 128 * 1024;
const OUT_BYTES = CHUNK_BYTES + 2 * PIECE_BYTES;
/** Four bytes per element; each element has at least one byte of text. */
const LIST_BYTES = OUT_BYTES * 4 + SLACK;

/** Splits one text, from its start or from an element whose checkpoint was seen before. */
export class JsonSplitter {
  /** Whether there is enough output for a chunk, which must then be taken. */
  ready = false;
  private readonly kernel: SplitterExports;
  private readonly memory: Uint8Array;
  private readonly told: Uint32Array;
  private readonly input: number;
  private readonly out: number;
  private readonly ends: Uint32Array;
  private readonly lines: Uint32Array;
  /** Output that was not taken. Bytes. */
  private pending = 0;
  /** The start of an element that is larger than the output area. */
  private parts: Uint8Array[] = [];
  private partBytes = 0;
  /** Offset in the text of the next piece. */
  private offset: number;
  /** Offsets in the text of the first element in the output and of the one that started last. */
  private firstOffset = 0;
  private lastOffset = 0;

  /** `asLines`: JSON Lines, one element per line. */
  constructor(asLines: boolean, from?: Checkpoint) {
    this.kernel = borrowKernel<SplitterExports>(wasm);
    this.offset = from?.offset ?? 0;
    this.input = Math.ceil(this.kernel.heapBase.value / SLACK) * SLACK;
    this.out = this.input + PIECE_BYTES + SLACK;
    const ends = this.out + OUT_BYTES + SLACK;
    const lines = ends + LIST_BYTES;
    const { memory } = this.kernel;
    reserveMemory(memory, lines + LIST_BYTES);
    this.memory = new Uint8Array(memory.buffer);
    this.told = new Uint32Array(memory.buffer, this.kernel.told.value, TOLD);
    this.ends = new Uint32Array(memory.buffer, ends, LIST_BYTES / 4);
    this.lines = new Uint32Array(memory.buffer, lines, LIST_BYTES / 4);
    this.kernel.begin(Number(asLines), Number(from !== undefined), from?.line ?? 1, ends, lines);
  }

  /** Adds a piece, from which whole elements can then be taken. */
  add(piece: Uint8Array): void {
    const begun = this.tell(STARTED);
    if (this.pending + piece.length > OUT_BYTES) this.putAside();
    this.put(piece, this.pending);
    this.pending = this.tell(WRITTEN);
    const first = this.tell(FIRST_ELEMENT);
    if (first !== NONE) {
      const pieceOffset = this.offset - piece.length;
      if (begun === 0) this.firstOffset = pieceOffset + first;
      this.lastOffset = pieceOffset + this.tell(LAST_ELEMENT);
    }
    const ended = this.tell(ENDED);
    this.ready = ended > 0 && (this.pending > OUT_BYTES - PIECE_BYTES || (this.ends[ended - 1] as number) >= CHUNK_BYTES);
  }

  /** After the last piece: whether the text was complete. */
  finish(): boolean {
    return this.kernel.finish(this.pending) !== 0;
  }

  /** The whole elements in the output, without an unfinished one. Undefined if there is none. */
  take({ withCheckpoints }: { withCheckpoints: boolean }): ElementChunk | undefined {
    const { partBytes } = this;
    const count = this.tell(ENDED);
    if (count === 0) return undefined;
    const complete = this.ends[count - 1] as number;
    const ends = this.ends.slice(0, count);
    let data = takeOut(this.memory.subarray(this.out, this.out + complete));
    if (partBytes > 0) {
      data = joined([...this.parts, data], partBytes + complete);
      for (let i = 0; i < count; i += 1) ends[i] = (ends[i] as number) + partBytes;
      this.parts = [];
      this.partBytes = 0;
    }
    const lines = this.lines.slice(0, count);
    const checkpoint = withCheckpoints ? { offset: this.firstOffset, line: lines[0] as number } : undefined;
    const unfinished = this.tell(STARTED) > count;
    if (unfinished) {
      this.lines[0] = this.lines[count] as number;
      this.firstOffset = this.lastOffset;
      // The unfinished element follows a comma that belongs to neither chunk.
      this.memory.copyWithin(this.out, this.out + complete + 1, this.out + this.pending);
      this.pending -= complete + 1;
    } else this.pending = 0;
    this.kernel.restart(Number(unfinished));
    this.ready = false;
    return { data, ends, lines, ...(checkpoint ? { checkpoint } : {}) };
  }

  /** Returns the kernel to the pool. */
  close(): void {
    returnKernel(wasm, this.kernel);
  }

  private put(piece: Uint8Array, before: number): void {
    this.offset += piece.length;
    this.memory.set(piece, this.input);
    this.memory.fill(0, this.input + piece.length, this.input + piece.length + SLACK);
    this.kernel.write(this.input, this.input + piece.length, this.out, before);
  }

  /** Makes room: the output is the start of a single element. */
  private putAside(): void {
    this.parts.push(takeOut(this.memory.subarray(this.out, this.out + this.pending)));
    this.partBytes += this.pending;
    this.pending = 0;
  }

  private tell(what: number): number {
    return this.told[what] as number;
  }
}

/** The kernel's value for an element that does not exist. */
const NONE = 0xffffffff;

function joined(parts: readonly Uint8Array[], bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
