/**
 * Growable byte buffers for JSON text: plain, and split into the elements of an array or into chunks of elements; and escaping for the inside
 * of a JSON string.
 */
import type { Checkpoint, ElementChunk } from './payload.ts';

/** Up to this many bytes a loop is faster than creating a typed-array view. */
const SHORT_COPY = 24;

/** A growable byte buffer; its capacity doubles, so appending stays linear. */
export class ByteBuilder {
  buffer: Uint8Array;
  length = 0;

  constructor(capacity = 64 * 1024) {
    this.buffer = new Uint8Array(capacity);
  }

  /** Makes room for `more` bytes beyond `length`. */
  reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.buffer.length) return;
    const grown = new Uint8Array(Math.max(needed, this.buffer.length * 2));
    grown.set(this.buffer.subarray(0, this.length));
    this.buffer = grown;
  }

  byte(value: number): void {
    if (this.length === this.buffer.length) this.reserve(1);
    this.buffer[this.length++] = value;
  }

  bytes(source: Uint8Array, from = 0, to = source.length): void {
    const count = to - from;
    this.reserve(count);
    if (count > SHORT_COPY) {
      this.buffer.set(source.subarray(from, to), this.length);
      this.length += count;
      return;
    }
    const target = this.buffer;
    let at = this.length;
    for (let i = from; i < to; i++) target[at++] = source[i] as number;
    this.length = at;
  }

  /** Returns the bytes written so far and starts over. */
  take(): Uint8Array {
    const taken = this.buffer.slice(0, this.length);
    this.length = 0;
    return taken;
  }
}

const COMMA = 0x2c;

/** A list of unsigned 32-bit numbers that grows by doubling. */
class NumberList {
  values: Uint32Array;
  length = 0;

  constructor(capacity = 1024) {
    this.values = new Uint32Array(capacity);
  }

  push(value: number): void {
    if (this.length === this.values.length) {
      const grown = new Uint32Array(this.values.length * 2);
      grown.set(this.values);
      this.values = grown;
    }
    this.values[this.length++] = value;
  }

  take(): Uint32Array {
    const taken = this.values.slice(0, this.length);
    this.length = 0;
    return taken;
  }
}

/** Builds ElementChunks: write between `startElement` and `endElement`, then take the complete elements. */
export class ElementBuilder {
  readonly out: ByteBuilder;
  private readonly ends = new NumberList();
  private readonly lines = new NumberList();
  /** End of the last whole element in `out`. */
  private complete = 0;
  private readonly target: number;
  private readonly withCheckpoints: boolean;
  /** Source offsets of the first element and of the one started last. */
  private firstOffset = 0;
  private lastOffset = 0;

  /** `withCheckpoints`: chunks carry the checkpoint of their first element. */
  constructor({ target = 64 * 1024, withCheckpoints = false }: { target?: number; withCheckpoints?: boolean } = {}) {
    this.target = target;
    this.withCheckpoints = withCheckpoints;
    this.out = new ByteBuilder(target * 2);
  }

  /** `line`: the element's line in the source, from 1. `offset`: its offset in the text, used only for checkpoints. */
  startElement(line: number, offset = 0): void {
    if (this.ends.length > 0) this.out.byte(COMMA);
    if (this.lines.length === 0) this.firstOffset = offset;
    this.lastOffset = offset;
    this.lines.push(line);
  }

  endElement(): void {
    this.complete = this.out.length;
    this.ends.push(this.complete);
  }

  /** Whether there are enough whole elements for a chunk. */
  get ready(): boolean {
    return this.complete >= this.target;
  }

  /** The whole elements so far, without an unfinished one. Undefined if there is none. */
  take(): ElementChunk | undefined {
    const count = this.ends.length;
    if (count === 0) return undefined;
    const { out } = this;
    const data = out.buffer.slice(0, this.complete);
    const unfinished = this.lines.length > count;
    const pendingLine = unfinished ? (this.lines.values[count] as number) : 0;
    const lines = this.lines.values.slice(0, count);
    const checkpoint = this.withCheckpoints ? { offset: this.firstOffset, line: lines[0] as number } : undefined;
    this.lines.length = 0;
    // The comma before the unfinished element belongs to neither chunk.
    const rest = unfinished ? this.complete + 1 : out.length;
    out.buffer.copyWithin(0, rest, out.length);
    out.length -= rest;
    this.complete = 0;
    if (unfinished) {
      this.lines.push(pendingLine);
      this.firstOffset = this.lastOffset;
    }
    return { data, ends: this.ends.take(), lines, ...(checkpoint ? { checkpoint } : {}) };
  }
}

const HEX = new TextEncoder().encode('0123456789abcdef');

/** For each byte: 0 to copy it, else the letter after the backslash; `u` for a \u00XX escape. */
const escapeOf = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === 0x22 || byte === 0x5c) return byte;
  if (byte >= 0x20) return 0;
  const letters: Record<number, string> = { 8: 'b', 9: 't', 10: 'n', 12: 'f', 13: 'r' };
  return (letters[byte] ?? 'u').charCodeAt(0);
});

/** Appends text with JSON's escapes. Works byte by byte, so a character may be split across two calls. */
export function writeEscaped(out: ByteBuilder, bytes: Uint8Array, from = 0, to = bytes.length): void {
  let run = from;
  for (let i = from; i < to; i++) {
    const byte = bytes[i] as number;
    const letter = escapeOf[byte] as number;
    if (letter === 0) continue;
    if (i > run) out.bytes(bytes, run, i);
    run = i + 1;
    out.byte(0x5c);
    out.byte(letter);
    if (letter === 0x75) {
      out.byte(0x30);
      out.byte(0x30);
      out.byte(HEX[byte >> 4] as number);
      out.byte(HEX[byte & 15] as number);
    }
  }
  if (to > run) out.bytes(bytes, run, to);
}

/** A chunk is emitted at this size. Bytes. */
const CHUNK_BYTES = 256 * 1024;

/** Collects elements, with their lines if known, into chunks of an efficient size. */
export class ChunkWriter {
  /** Write an element's text here, between `begin` and `end`. */
  readonly out = new ByteBuilder(CHUNK_BYTES + 4096);
  readonly #ends = new NumberList();
  readonly #lines = new NumberList();
  /** Added to the next chunk. */
  checkpoint: Checkpoint | undefined;

  get isEmpty(): boolean {
    return this.#ends.length === 0;
  }

  get isFull(): boolean {
    return this.out.length >= CHUNK_BYTES;
  }

  begin(line: number | undefined): void {
    if (this.#ends.length > 0) this.out.byte(COMMA);
    if (line !== undefined) this.#lines.push(line);
  }

  end(): void {
    this.#ends.push(this.out.length);
  }

  /** The elements so far as a chunk, which the caller owns; undefined without elements. */
  take(): ElementChunk | undefined {
    if (this.#ends.length === 0) return undefined;
    const allHaveLines = this.#lines.length === this.#ends.length;
    const lines = this.#lines.take();
    const { checkpoint } = this;
    this.checkpoint = undefined;
    return {
      data: this.out.take(),
      ends: this.#ends.take(),
      ...(allHaveLines ? { lines } : {}),
      ...(checkpoint === undefined ? {} : { checkpoint }),
    };
  }
}
