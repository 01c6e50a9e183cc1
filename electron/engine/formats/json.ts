/** JSON: validated and passed through, whitespace aside. */
import type { PayloadKind } from '../../../shared/model/conversion.ts';
import { ElementBuilder } from '../byte-builder.ts';
import type { ElementChunk } from '../payload.ts';
import { locateInJson } from './json-locate.ts';
import { JsonScanner } from './json-scanner.ts';
import type { FormatReader, FormatScan, ReaderContext, Utf8Source } from './reader.ts';

const CHUNK_BYTES = 64 * 1024;

/** Any JSON text (RFC 8259). An element of a top-level array is held in memory as a whole while it is streamed. */
export const readJson: FormatReader = async (text, context): Promise<FormatScan> => {
  const scanner = scannerFor(context, false);
  let decodedBytes = 0;
  for await (const chunk of text.read(context.signal)) {
    decodedBytes += chunk.length;
    scanner.push(chunk, 0, chunk.length, null);
  }
  scanner.end('file');
  return {
    // A whole value has a kind.
    kind: scanner.kind as PayloadKind,
    columns: null,
    delimiter: null,
    warnings: [],
    decodedBytes,
    json: (signal) => minified(text, context, signal),
    elements: (signal) => elementsOf(text, context, signal),
    locate: (pointer) => locateInJson(text, pointer),
  };
};

function scannerFor(context: ReaderContext, spread: boolean): JsonScanner {
  return new JsonScanner({ label: 'JSON', maxNesting: context.bounds.maxNesting, spread });
}

async function* minified(text: Utf8Source, context: ReaderContext, signal?: AbortSignal): AsyncIterable<Uint8Array> {
  const scanner = scannerFor(context, false);
  const sink = new ElementBuilder();
  for await (const chunk of text.read(signal)) {
    scanner.push(chunk, 0, chunk.length, sink);
    if (sink.out.length >= CHUNK_BYTES) yield sink.out.take();
  }
  if (sink.out.length > 0) yield sink.out.take();
}

async function* elementsOf(text: Utf8Source, context: ReaderContext, signal?: AbortSignal): AsyncIterable<ElementChunk> {
  const scanner = scannerFor(context, true);
  const sink = new ElementBuilder();
  for await (const chunk of text.read(signal)) {
    scanner.push(chunk, 0, chunk.length, sink);
    const ready = sink.ready ? sink.take() : undefined;
    if (ready) yield ready;
  }
  const last = sink.take();
  if (last) yield last;
}
