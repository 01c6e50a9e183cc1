/** The host of the XML kernel: holds one document in its memory, and takes the JSON from there. */
import { randomBytes } from 'node:crypto';
import { wasm } from './assembly/xml.ts?kernel';
import { borrowKernel, type KernelExports, reserveMemory, returnKernel, takeOut } from './kernel.ts';

/** A number that the kernel keeps. */
interface Register {
  readonly value: number;
}

interface XmlExports extends KernelExports {
  readonly end: Register;
  readonly place: Register;
  readonly json: Register;
  readonly written: Register;
  begin(nesting: number, stack: number, text: number, seed: bigint): void;
  append(from: number, to: number): number;
  ready(skipped: number): number;
  parse(until: number): number;
  beginWriting(): number;
  write(bytes: number): number;
}

/** Most bytes that are added at once. */
export const PIECE_BYTES = 64 * 1024;
/** What the kernel may read or write beyond what is meant, and more. */
const SLACK = 64;
/** 12 bytes for each level, and some more. */
const STACK_BYTES = 64 * 1024;
export const MAX_NESTING = 5000;
/** Text that is parsed at once, in a few milliseconds. */
const SLICE_BYTES = 512 * 1024;
const CHUNK_BYTES = 128 * 1024;
/** With more memory than this an instance is not kept for others. */
const KEPT_BYTES = 4 * 1024 * 1024;

const WRONG = 0;
const MORE = 1;

/** Nobody who writes a document may foresee where its names go. */
const seed = randomBytes(8).readBigUInt64LE();

/**
 * The only declaration that is taken: it comes first, is whole and in order, and says 1.0. Others may be right, too.
 */
const DECLARATION =
  /^<\?xml[ \t\n]+version[ \t\n]*=[ \t\n]*(?:"1\.0"|'1\.0')(?:[ \t\n]+encoding[ \t\n]*=[ \t\n]*(?:"[A-Za-z][\w.-]*"|'[A-Za-z][\w.-]*'))?(?:[ \t\n]+standalone[ \t\n]*=[ \t\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\n]*\?>/;

const DECLARATION_BYTES = 1024;

export class XmlKernel {
  private readonly kernel: XmlExports;
  private readonly input: number;
  private readonly text: number;
  private memory: Uint8Array;

  /** `maxNesting` up to MAX_NESTING. */
  constructor(maxNesting: number) {
    this.kernel = borrowKernel<XmlExports>(wasm);
    const stack = Math.ceil(this.kernel.heapBase.value / SLACK) * SLACK;
    this.input = stack + STACK_BYTES;
    this.text = this.input + PIECE_BYTES + SLACK;
    reserveMemory(this.kernel.memory, this.text + SLACK);
    this.memory = new Uint8Array(this.kernel.memory.buffer);
    this.kernel.begin(maxNesting, stack, this.text, seed);
  }

  /** Adds at most PIECE_BYTES of the text. False where the document is not for this kernel, as with all steps. */
  append(piece: Uint8Array): boolean {
    this.view();
    this.memory.set(piece, this.input);
    return this.kernel.append(this.input, this.input + piece.length) !== 0;
  }

  /** After the last piece. */
  ready(): boolean {
    this.view();
    const end = this.kernel.end.value >>> 0;
    const head = Buffer.from(this.memory.subarray(this.text, Math.min(end, this.text + DECLARATION_BYTES))).toString('latin1');
    const declaration = DECLARATION.exec(head)?.[0].length ?? 0;
    return this.kernel.ready(declaration) !== 0;
  }

  /** Reads the document, a slice each time; gives whether it is well-formed in the end. */
  *parse(): Generator<void, boolean> {
    const end = this.kernel.end.value >>> 0;
    for (;;) {
      const answer = this.kernel.parse(Math.min((this.kernel.place.value >>> 0) + SLICE_BYTES, end));
      if (answer !== MORE) return answer !== WRONG;
      yield;
    }
  }

  /** The JSON, a chunk each time; gives whether all of it could be written. */
  *write(): Generator<Uint8Array, boolean> {
    const { kernel } = this;
    if (kernel.beginWriting() === 0) return false;
    for (;;) {
      const answer = kernel.write(CHUNK_BYTES);
      if (answer === WRONG) return false;
      this.view();
      yield takeOut(this.memory.subarray(kernel.json.value >>> 0, kernel.written.value >>> 0));
      if (answer !== MORE) return true;
    }
  }

  /** Ends its use: others may take it over. */
  close(): void {
    if (this.kernel.memory.buffer.byteLength <= KEPT_BYTES) returnKernel(wasm, this.kernel);
  }

  /** Memory that grew is elsewhere. */
  private view(): void {
    if (this.memory.length === 0) this.memory = new Uint8Array(this.kernel.memory.buffer);
  }
}
