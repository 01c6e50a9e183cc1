/** Reads XML with the kernel; xml-reference.ts handles all documents that the kernel does not accept. */
import { randomBytes } from 'node:crypto';
import { pieces } from '../core/byte-streams.ts';
import { fileTooLarge, throwIfCancelled } from '../core/failures.ts';
import type { FormatReader, ReaderContext, Utf8Source } from '../core/reader.ts';
import { ResumePoints } from '../core/resume-points.ts';
import { borrowKernel, type KernelExports, kernelsRun, reserveMemory, returnKernel, takeOut } from '../kernel/kernel.ts';
import { TokenSampler } from '../tokens/tokens.ts';
import { wasm } from './assembly/xml.ts?kernel';
import { mixedWarnings, readXml as readXmlSlowly, xmlScan } from './xml-reference.ts';

const CHUNK_BYTES = 128 * 1024;

/** A document, with the results of xml-reference.ts. */
export const readXml: FormatReader = async (source, context) => {
  const { bounds } = context;
  const json = kernelsRun() && bounds.maxNesting <= MAX_NESTING ? await readDocument(source, context) : null;
  if (!json) return readXmlSlowly(source, context);
  const sampler = new TokenSampler();
  sampler.push(json);
  return xmlScan(source, bounds, {
    warnings: mixedWarnings(json),
    measured: { bytes: json.length, records: 1, resumePoints: new ResumePoints(), sampler },
    async *json(_, options) {
      for (let at = 0; at < json.length; at += CHUNK_BYTES) {
        const chunk = json.subarray(at, at + CHUNK_BYTES);
        yield options?.reuse ? chunk : takeOut(chunk);
      }
    },
  });
};

/** Its JSON text; null if the document may be malformed or the kernel cannot handle it. */
async function readDocument(source: Utf8Source, { bounds, signal }: ReaderContext): Promise<Uint8Array | null> {
  const kernel = new XmlKernel(bounds.maxNesting);
  try {
    let bytes = 0;
    for await (const parts of pieces(source.read(signal, { reuse: true }), PIECE_BYTES, signal)) {
      throwIfCancelled(signal);
      for (const piece of parts) {
        bytes += piece.length;
        if (bytes > bounds.maxFileBytes) throw fileTooLarge(null, bounds.maxFileBytes, 'maxFileBytes');
        if (!kernel.read(piece)) return null;
      }
    }
    return kernel.finish() ? kernel.takeJson() : null;
  } finally {
    kernel.close();
  }
}

// The kernel's host.

/** A variable that the kernel exports. */
interface Register {
  readonly value: number;
}

interface XmlExports extends KernelExports {
  readonly place: Register;
  readonly end: Register;
  readonly json: Register;
  readonly written: Register;
  begin(nesting: number, from: number, seed: bigint): number;
  append(from: number, to: number): number;
  skip(bytes: number): void;
  read(all: number): number;
}

/** Maximum bytes added at once. */
const PIECE_BYTES = 64 * 1024;
/** Bytes that the kernel may read past the end of any area. */
const SLACK = 64;
const MAX_NESTING = 5000;
const COPIED_BYTES = 1024 * 1024;
/** Instances with more memory are not returned to the pool. */
const KEPT_BYTES = 8 * 1024 * 1024;

/** Random, so that a document cannot be built to make names collide. */
const seed = randomBytes(8).readBigUInt64LE();

/**
 * The only XML declaration that the kernel path accepts: first in the file, complete, and version 1.0. Other declarations
 * may be valid too.
 */
const DECLARATION =
  /^<\?xml[ \t\n]+version[ \t\n]*=[ \t\n]*(?:"1\.0"|'1\.0')(?:[ \t\n]+encoding[ \t\n]*=[ \t\n]*(?:"[A-Za-z][\w.-]*"|'[A-Za-z][\w.-]*'))?(?:[ \t\n]+standalone[ \t\n]*=[ \t\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\n]*\?>/;

const DECLARATION_BYTES = 1024;

/** Reads one document from its start. */
export class XmlKernel {
  private readonly kernel: XmlExports;
  private readonly input: number;
  private memory: Uint8Array;
  private begun = false;
  private fits: boolean;
  private isGiven = false;

  /** `maxNesting` up to MAX_NESTING. */
  constructor(maxNesting: number) {
    this.kernel = borrowKernel<XmlExports>(wasm);
    this.input = Math.ceil(this.kernel.heapBase.value / SLACK) * SLACK;
    const free = this.input + PIECE_BYTES + SLACK;
    reserveMemory(this.kernel.memory, free);
    this.fits = this.kernel.begin(maxNesting, free, seed) !== 0;
    this.memory = new Uint8Array(this.kernel.memory.buffer);
  }

  /** Reads at most PIECE_BYTES more. False if the kernel cannot handle the document. */
  read(piece: Uint8Array): boolean {
    if (!this.fits) return false;
    this.view().set(piece, this.input);
    this.fits = this.kernel.append(this.input, this.input + piece.length) !== 0 && this.goOn(false);
    return this.fits;
  }

  /** After the last piece: whether the document is well-formed. */
  finish(): boolean {
    return this.fits && this.goOn(true);
  }

  /** The JSON, after the end. A large one is not copied: the receiver takes over the memory. */
  takeJson(): Uint8Array {
    const json = this.view().subarray(this.kernel.json.value >>> 0, this.kernel.written.value >>> 0);
    if (json.length <= COPIED_BYTES) return takeOut(json);
    this.isGiven = true;
    return json;
  }

  /** Returns the kernel to the pool, unless its memory is too large. */
  close(): void {
    if (!this.isGiven && this.kernel.memory.buffer.byteLength <= KEPT_BYTES) returnKernel(wasm, this.kernel);
  }

  private goOn(all: boolean): boolean {
    if (!this.begun) {
      const head = this.head;
      const isOpen = head.length < 5 || (head.startsWith('<?xml') && !head.includes('?>'));
      if (isOpen && head.length < DECLARATION_BYTES && !all) return true;
      this.begun = true;
      this.kernel.skip(DECLARATION.exec(head)?.[0].length ?? 0);
    }
    return this.kernel.read(Number(all)) !== 0;
  }

  /** The beginning of the text, while nothing was read. */
  private get head(): string {
    const from = this.kernel.place.value >>> 0;
    const to = Math.min(this.kernel.end.value >>> 0, from + DECLARATION_BYTES);
    return Buffer.from(this.view().subarray(from, to)).toString('latin1');
  }

  /** Views are detached when the memory grows. */
  private view(): Uint8Array {
    if (this.memory.length === 0) this.memory = new Uint8Array(this.kernel.memory.buffer);
    return this.memory;
  }
}
