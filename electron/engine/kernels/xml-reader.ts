/** XML at speed: a kernel reads what is surely well-formed, and the reader in `formats` has the last word on all else. */
import { setImmediate } from 'node:timers/promises';
import { fileTooLarge, throwIfCancelled } from '../failures.ts';
import type { FormatReader, ReaderContext, Utf8Source } from '../formats/reader.ts';
import { readXml as readXmlSlowly, xmlScan } from '../formats/xml.ts';
import { ResumePoints } from '../resume-points.ts';
import { TokenSampler } from '../tokens.ts';
import { kernelsRun, takeOut } from './kernel.ts';
import { pieces } from './pieces.ts';
import { MAX_NESTING, PIECE_BYTES, XmlKernel } from './xml-kernel.ts';

/** A document, as formats/xml.ts has it. */
export const readXml: FormatReader = async (source, context) => {
  const { bounds } = context;
  const found = kernelsRun() && bounds.maxNesting <= MAX_NESTING ? await readDocument(source, context) : null;
  if (!found) return readXmlSlowly(source, context);
  const { decodedBytes, bytes, chunks, sampler } = found;
  return xmlScan(source, bounds, {
    decodedBytes,
    measured: { bytes, records: 1, resumePoints: new ResumePoints(), sampler },
    async *json(_, options) {
      for (const chunk of chunks) yield options?.reuse ? chunk : takeOut(chunk);
    },
  });
};

interface Found {
  readonly decodedBytes: number;
  readonly bytes: number;
  readonly chunks: readonly Uint8Array[];
  readonly sampler: TokenSampler;
}

/** Null where the document may not be well-formed, or is not for the kernel. */
async function readDocument(source: Utf8Source, context: ReaderContext): Promise<Found | null> {
  const kernel = new XmlKernel(context.bounds.maxNesting);
  try {
    return await readWith(kernel, source, context);
  } finally {
    kernel.close();
  }
}

async function readWith(kernel: XmlKernel, source: Utf8Source, { bounds, signal }: ReaderContext): Promise<Found | null> {
  let decodedBytes = 0;
  for await (const parts of pieces(source.read(signal, { reuse: true }), PIECE_BYTES, signal)) {
    for (const piece of parts) {
      decodedBytes += piece.length;
      if (decodedBytes > bounds.maxFileBytes) throw fileTooLarge(null, bounds.maxFileBytes, 'maxFileBytes');
      if (!kernel.append(piece)) return null;
    }
  }
  if (!kernel.ready() || !(await unhurried(kernel.parse(), () => undefined, signal))) return null;
  const sampler = new TokenSampler();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const keep = (chunk: Uint8Array) => {
    sampler.push(chunk);
    chunks.push(chunk);
    bytes += chunk.length;
  };
  return (await unhurried(kernel.write(), keep, signal)) ? { decodedBytes, bytes, chunks, sampler } : null;
}

/** Runs what comes step by step, with pauses in which timers, aborts and other calls get their turn. */
async function unhurried<Step>(
  steps: Generator<Step, boolean>,
  take: (step: Step) => void,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    take(step.value);
    await setImmediate();
    throwIfCancelled(signal);
  }
}
