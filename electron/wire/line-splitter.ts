/** Splits a byte stream into lines in linear time. Of a line that is too long, only its beginning and its end are kept. */

const NEWLINE = 0x0a;
/** Beginning and end of a line that is too long: where JSON-RPC messages have their ids. */
const KEPT_BYTES = 1024;

/** A line over the bound, at its end. */
export class LongLine {
  bytes = 0;
  head: Buffer = Buffer.alloc(0);
  tail: Buffer = Buffer.alloc(0);

  push(part: Buffer): void {
    this.bytes += part.length;
    if (this.head.length < KEPT_BYTES) this.head = Buffer.concat([this.head, part.subarray(0, KEPT_BYTES - this.head.length)]);
    this.tail = Buffer.concat([this.tail, part.subarray(-KEPT_BYTES)]).subarray(-KEPT_BYTES);
  }
}

export class LineSplitter {
  readonly #maxBytes: () => number;
  #held = new ChunkList<Buffer>();
  #long: LongLine | null = null;

  /** `maxBytes`: of a line; asked while one arrives. */
  constructor(maxBytes: () => number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of the line that has not ended yet. */
  get unended(): number {
    return this.#long?.bytes ?? this.#held.bytes;
  }

  /** The bound, while the line that arrives is over it. */
  get excess(): number | undefined {
    return this.#long ? this.#maxBytes() : undefined;
  }

  /** Returns the lines completed by `chunk`, without their line feeds. */
  push(chunk: Buffer): (Buffer | LongLine)[] {
    const lines: (Buffer | LongLine)[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      if (this.#held.bytes === 0 && !this.#long && end - start <= this.#maxBytes()) lines.push(chunk.subarray(start, end));
      else {
        this.#hold(chunk.subarray(start, end));
        lines.push(this.#long ?? this.#held.joined());
        this.#held = new ChunkList();
        this.#long = null;
      }
      start = end + 1;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
    return lines;
  }

  #hold(part: Buffer): void {
    if (!this.#long && this.#held.bytes + part.length > this.#maxBytes()) {
      this.#long = new LongLine();
      for (const each of this.#held.parts) this.#long.push(each);
      this.#held = new ChunkList();
    }
    if (this.#long) this.#long.push(part);
    else this.#held.push(part);
  }
}

/** Chunks after which the last ones are joined, if they are small: their objects take more memory than their bytes. */
const RUN = 1024;
const SMALL_RUN_BYTES = 1024 * 1024;

export class ChunkList<Chunk extends Uint8Array = Uint8Array> {
  readonly parts: (Chunk | Buffer)[] = [];
  bytes = 0;
  #runStart = 0;
  #runBytes = 0;

  push(chunk: Chunk): void {
    this.parts.push(chunk);
    this.bytes += chunk.length;
    this.#runBytes += chunk.length;
    if (this.parts.length - this.#runStart < RUN) return;
    if (this.#runBytes < SMALL_RUN_BYTES) this.parts.push(Buffer.concat(this.parts.splice(this.#runStart), this.#runBytes));
    this.#runStart = this.parts.length;
    this.#runBytes = 0;
  }

  joined(): Buffer {
    const [only] = this.parts;
    return this.parts.length === 1 && Buffer.isBuffer(only) ? only : Buffer.concat(this.parts, this.bytes);
  }
}
