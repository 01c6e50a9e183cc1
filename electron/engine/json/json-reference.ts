/** Reference reader of JSON: validates and minifies the text, and otherwise passes it through. */
import { ElementBuilder } from '../core/byte-builder.ts';
import type { Checkpoint, ElementChunk } from '../core/payload.ts';
import { type FormatReader, type FormatScan, type ReaderContext, textFrom, type Utf8Source } from '../core/reader.ts';
import { locateInJson } from './json-locate.ts';
import { JsonScanner } from './json-scanner.ts';

const CHUNK_BYTES = 64 * 1024;

/** Any JSON text (RFC 8259). While it is streamed, one element of a top-level array is in memory at a time. */
export const readJson: FormatReader = async (text, context): Promise<FormatScan> => {
  const scanner = jsonScanner(context, false);
  for await (const chunk of text.read(context.signal)) scanner.push(chunk, 0, chunk.length, null);
  if (!context.cut) scanner.end('file');
  return jsonScan(text, {
    // A complete value has a kind; a cut-off text of only whitespace has none.
    kind: scanner.kind ?? 'null',
    json: (signal) => minified(text, context, signal),
    elements: (signal, from) => elementsOf(text, context, signal, from),
  });
};

/** Results that every JSON reader returns. */
export function jsonScan(
  text: Utf8Source,
  found: Pick<FormatScan, 'kind' | 'measured' | 'json' | 'arrayJson' | 'elements'>,
): FormatScan {
  return { ...found, columns: null, delimiter: null, warnings: [], locate: (pointer) => locateInJson(text, pointer) };
}

export function jsonScanner(context: ReaderContext, spread: boolean): JsonScanner {
  return new JsonScanner({ label: 'JSON', maxNesting: context.bounds.maxNesting, spread });
}

async function* minified(text: Utf8Source, context: ReaderContext, signal?: AbortSignal): AsyncIterable<Uint8Array> {
  const scanner = jsonScanner(context, false);
  const sink = new ElementBuilder();
  for await (const chunk of text.read(signal)) {
    scanner.push(chunk, 0, chunk.length, sink);
    if (sink.out.length >= CHUNK_BYTES) yield sink.out.take();
  }
  if (sink.out.length > 0) yield sink.out.take();
}

async function* elementsOf(
  text: Utf8Source,
  context: ReaderContext,
  signal?: AbortSignal,
  from?: Checkpoint,
): AsyncIterable<ElementChunk> {
  const scanner = jsonScanner(context, true);
  if (from) scanner.resumeInList(from);
  const sink = new ElementBuilder({ withCheckpoints: text.readFrom !== undefined });
  for await (const chunk of textFrom(text, signal, from)) {
    scanner.push(chunk, 0, chunk.length, sink);
    const ready = sink.ready ? sink.take() : undefined;
    if (ready) yield ready;
  }
  const last = sink.take();
  if (last) yield last;
}
