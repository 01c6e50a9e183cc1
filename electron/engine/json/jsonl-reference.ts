/** Reference reader of JSON Lines: an array of the lines' values. */
import { warning } from '../../../shared/model/conversion.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { ElementBuilder } from '../core/byte-builder.ts';
import type { Place } from '../core/failures.ts';
import type { Checkpoint, ElementChunk } from '../core/payload.ts';
import { type FormatReader, type FormatScan, type ReaderContext, textFrom, type Utf8Source } from '../core/reader.ts';
import { JsonScanner } from './json-scanner.ts';

const LF = 0x0a;

/** One JSON value per line (https://jsonlines.org); blank lines are skipped. Locates elements by line. */
export const readJsonl: FormatReader = async (text, context): Promise<FormatScan> => {
  const reader = new LineReader(context, null);
  for await (const chunk of text.read(context.signal)) reader.push(chunk);
  if (!context.cut) reader.end();
  return jsonlScan(context.cut ? null : reader.records, {
    elements: (signal, from) => jsonlElements(text, context, signal, from),
  });
};

/** Results that every JSON Lines reader returns; `records` is null for a cut-off text. */
export function jsonlScan(records: number | null, found: Pick<FormatScan, 'measured' | 'elements' | 'arrayJson'>): FormatScan {
  return {
    ...found,
    kind: 'array',
    columns: null,
    delimiter: null,
    warnings: records === 0 ? [warning('EMPTY_FILE', say('warning.noRecords'))] : [],
    async *json() {
      yield* [];
    },
    locate: ([index]) => lineOf(found.elements(), index),
  };
}

/** The lines' values, optionally from a checkpoint (the start of a line); PARSE_FAILED if a line is wrong. */
export async function* jsonlElements(
  text: Utf8Source,
  context: ReaderContext,
  signal?: AbortSignal,
  from?: Checkpoint,
): AsyncIterable<ElementChunk> {
  const sink = new ElementBuilder({ withCheckpoints: text.readFrom !== undefined });
  const reader = new LineReader(context, sink, from);
  for await (const chunk of textFrom(text, signal, from)) {
    reader.push(chunk);
    const ready = sink.ready ? sink.take() : undefined;
    if (ready) yield ready;
  }
  if (!context.cut) reader.end();
  const last = sink.take();
  if (last) yield last;
}

async function lineOf(elements: AsyncIterable<ElementChunk>, index: string | number | undefined): Promise<Place | undefined> {
  if (typeof index !== 'number') return undefined;
  let before = 0;
  for await (const chunk of elements) {
    const line = chunk.lines?.[index - before];
    if (line !== undefined) return { line };
    before += chunk.ends.length;
  }
  return undefined;
}

/** Feeds the lines to the scanner one by one. */
class LineReader {
  records = 0;
  private line: number;
  /** Offset of the current chunk in the whole text. */
  private offset: number;
  private readonly scanner: JsonScanner;
  private readonly sink: ElementBuilder | null;
  /** Whether this line's element has been started. */
  private started = false;

  constructor(context: ReaderContext, sink: ElementBuilder | null, from: Checkpoint = { offset: 0, line: 1 }) {
    this.line = from.line;
    this.offset = from.offset;
    this.scanner = new JsonScanner({ label: 'JSONL', maxNesting: context.bounds.maxNesting, spread: false });
    this.scanner.restart(from.line);
    this.sink = sink;
  }

  push(chunk: Uint8Array): void {
    let from = 0;
    while (from < chunk.length) {
      const found = chunk.indexOf(LF, from);
      const to = found < 0 ? chunk.length : found;
      if (to > from) this.part(chunk, from, to);
      if (found < 0) break;
      this.endLine();
      this.line++;
      this.scanner.restart(this.line);
      from = found + 1;
    }
    this.offset += chunk.length;
  }

  end(): void {
    this.endLine();
  }

  private part(chunk: Uint8Array, from: number, to: number): void {
    let start = from;
    if (!this.started) {
      while (start < to && isBlank(chunk[start] as number)) start++;
      if (start > from) this.scanner.push(chunk, from, start, null);
      if (start === to) return;
      this.started = true;
      this.sink?.startElement(this.line, this.offset + start);
    }
    this.scanner.push(chunk, start, to, this.sink);
  }

  private endLine(): void {
    if (!this.started) return;
    this.scanner.end('line');
    this.sink?.endElement();
    this.started = false;
    this.records++;
  }
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}
