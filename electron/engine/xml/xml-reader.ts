/** Reads XML with the kernel; xml-reference.ts handles all documents that the kernel does not accept. */
import { fileTooLarge, throwIfCancelled } from '../core/failures.ts';
import type { FormatReader, ReaderContext, Utf8Source } from '../core/reader.ts';
import { ResumePoints } from '../core/resume-points.ts';
import { kernelsRun, takeOut } from '../kernel/kernel.ts';
import { pieces } from '../kernel/pieces.ts';
import { TokenSampler } from '../tokens/tokens.ts';
import { MAX_NESTING, PIECE_BYTES, XmlKernel } from './xml-kernel.ts';
import { mixedWarnings } from './xml-mixed.ts';
import { readXml as readXmlSlowly, xmlScan } from './xml-reference.ts';

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
