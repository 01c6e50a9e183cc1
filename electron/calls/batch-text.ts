/** The text of batches in memory that is used again, so that a long run needs no more than that of those under way. */
import { type JsonStream, jsonStreamOf } from '../engine/core/payload.ts';

const BLOCK_BYTES = 256 * 1024;
const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');

/** Blocks that nobody uses, of all batches of one run. */
export class Blocks {
  private readonly free: Uint8Array[] = [];

  take(): Uint8Array {
    return this.free.pop() ?? new Uint8Array(Buffer.allocUnsafeSlow(BLOCK_BYTES).buffer);
  }

  giveBack(blocks: readonly Uint8Array[]): void {
    this.free.push(...blocks);
  }
}

/** A text that is put together from copies. */
export class BatchText {
  private readonly memory: Blocks;
  private readonly blocks: Uint8Array[] = [];
  /** Bytes in the last block. */
  private filled = BLOCK_BYTES;

  constructor(memory: Blocks) {
    this.memory = memory;
  }

  add(text: Uint8Array): void {
    for (let at = 0; at < text.length; ) {
      if (this.filled === BLOCK_BYTES) {
        this.blocks.push(this.memory.take());
        this.filled = 0;
      }
      const part = text.subarray(at, at + BLOCK_BYTES - this.filled);
      this.blocks.at(-1)?.set(part, this.filled);
      this.filled += part.length;
      at += part.length;
    }
  }

  /** The text between brackets, until it is released. */
  array(): JsonStream {
    return jsonStreamOf(OPEN, ...this.parts(), CLOSE);
  }

  /** The text in memory of its own. */
  copy(): Uint8Array {
    return Buffer.concat(this.parts());
  }

  private parts(): Uint8Array[] {
    const last = this.blocks.length - 1;
    return this.blocks.map((block, index) => (index === last ? block.subarray(0, this.filled) : block));
  }

  /** Its memory may hold another text. */
  release(): void {
    this.memory.giveBack(this.blocks.splice(0));
  }
}
