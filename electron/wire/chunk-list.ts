/** Chunks of a message in memory. A message that arrives byte by byte takes little more memory than its bytes. */

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
