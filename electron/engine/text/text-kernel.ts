/** Hosts the kernel that writes bytes into JSON strings. */

import { borrowKernel, type KernelExports, reserveMemory, returnKernel } from '../kernel/kernel.ts';
import { wasm } from './assembly/text.ts?kernel';

interface TextExports extends KernelExports {
  escapeText(from: number, to: number, out: number): number;
  base64(from: number, to: number, out: number): number;
}

/** Maximum bytes given to the kernel at once; a multiple of three. */
export const PIECE_BYTES = 96 * 1024;
/** Length of the longest escape, `\u00XX`. */
const MOST_ESCAPED = 6;
/** Bytes that the kernel may read or write past the end of any area. */
const SLACK = 64;

export class TextKernel {
  private readonly kernel: TextExports;
  private readonly memory: Uint8Array;
  private readonly input: number;
  private readonly out: number;

  constructor() {
    this.kernel = borrowKernel<TextExports>(wasm);
    this.input = this.kernel.heapBase.value;
    this.out = this.input + PIECE_BYTES + SLACK;
    const { memory } = this.kernel;
    reserveMemory(memory, this.out + MOST_ESCAPED * PIECE_BYTES + SLACK);
    this.memory = new Uint8Array(memory.buffer);
  }

  /** Escaped text; may end within a character. A view, valid until the next call. */
  escape(piece: Uint8Array): Uint8Array {
    this.memory.set(piece, this.input);
    return this.memory.subarray(this.out, this.kernel.escapeText(this.input, this.input + piece.length, this.out));
  }

  /** Base64 of a multiple of three bytes. A view, valid until the next call. */
  base64(piece: Uint8Array): Uint8Array {
    this.memory.set(piece, this.input);
    return this.memory.subarray(this.out, this.kernel.base64(this.input, this.input + piece.length, this.out));
  }

  /** Returns the kernel to the pool. */
  close(): void {
    returnKernel(wasm, this.kernel);
  }
}
