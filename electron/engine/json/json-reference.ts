/** Reference readers of JSON and JSON Lines: they validate the text and otherwise pass it through, and find the place of a value. */
import { warning } from '../../../shared/model/conversion.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { ElementBuilder } from '../core/byte-builder.ts';
import type { Place } from '../core/failures.ts';
import type { Checkpoint, ElementChunk } from '../core/payload.ts';
import { type FormatReader, type FormatScan, type ReaderContext, textFrom, type Utf8Source } from '../core/reader.ts';
import { decodeInside } from './json-members.ts';
import { JsonScanner } from './json-scanner.ts';
import { CLOSE_LIST, CLOSE_OBJECT, COLON, COMMA, JsonTokens, MORE, OPEN_LIST, OPEN_OBJECT, STRING } from './json-tokens.ts';
import { repeatedKeys } from './repeated-keys.ts';

const CHUNK_BYTES = 64 * 1024;

/** Any JSON text (RFC 8259). While it is streamed, one element of a top-level array is in memory at a time. */
export const readJson: FormatReader = async (text, context): Promise<FormatScan> => {
  const scanner = jsonScanner(context, false);
  for await (const chunk of text.read(context.signal)) scanner.push(chunk, 0, chunk.length, null);
  if (!context.cut) scanner.end('file');
  return jsonScan(text, context, {
    // A complete value has a kind; a cut-off text of only whitespace has none.
    kind: scanner.kind ?? 'null',
    json: (signal) => minified(text, context, signal),
    elements: (signal, from) => elementsOf(text, context, signal, from),
  });
};

/** Results that every JSON reader returns. */
export async function jsonScan(
  text: Utf8Source,
  { signal }: ReaderContext,
  found: Pick<FormatScan, 'kind' | 'measured' | 'json' | 'arrayJson' | 'elements'>,
): Promise<FormatScan> {
  const warnings = await repeatedKeys(text, signal);
  return { ...found, columns: null, delimiter: null, warnings, locate: (pointer) => locateInJson(text, pointer) };
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

// Places in a JSON text.

type Pointer = readonly (string | number)[];

/**
 * Start of the value at `pointer`; for duplicate keys the last one, as in JSON.parse. Undefined if there is no such
 * value. The text must have been validated before.
 */
async function locateInJson(text: Utf8Source, pointer: Pointer): Promise<Place | undefined> {
  const tokens = new JsonTokens();
  const search = new PointerSearch(pointer.map(String));
  const position = new Position();
  let found: Place | undefined;
  for await (const chunk of text.read()) {
    tokens.load(chunk);
    position.load(chunk);
    for (let token = tokens.next(search.depth); token !== MORE; token = tokens.next(search.depth)) {
      const step = search.take(token, tokens, chunk);
      if (step === 'passed') return found;
      if (step === 'again') found = undefined;
      if (step === 'found') found = position.at(token === STRING ? tokens.from - 1 : tokens.from);
    }
    position.at(chunk.length);
  }
  return found;
}

class PointerSearch {
  readonly #path: readonly string[];
  /** For each list or object that the path has led into: index of the list's current element, OBJECT for an object. */
  readonly #indexes: number[] = [];
  #nameDue = false;
  #name: Uint8Array[] = [];
  /** Whether the object's current member has the wanted name. */
  #isNamed = false;

  constructor(path: readonly string[]) {
    this.#path = path;
  }

  /** Deeper tokens are of no interest. */
  get depth(): number {
    return this.#indexes.length;
  }

  /** `again`: the path leads here another time, perhaps not to its end. `passed`: nothing that follows can be meant. */
  take(token: number, { depth, from, to, begins }: JsonTokens, chunk: Uint8Array): 'found' | 'again' | 'passed' | undefined {
    const indexes = this.#indexes;
    const open = indexes.length;
    const index = indexes[open - 1] ?? OBJECT;
    const wanted = this.#path[open - 1] as string;
    if (depth < open) {
      indexes.pop();
      return undefined;
    }
    if (token === COMMA) {
      this.#isNamed = false;
      this.#nameDue = index === OBJECT;
      if (index !== OBJECT) indexes[open - 1] = index + 1;
      return open === 1 && index + 1 > Number(wanted) ? 'passed' : undefined;
    }
    if (token === COLON) {
      this.#nameDue = false;
      this.#isNamed = decodeInside(Buffer.concat(this.#name)) === wanted;
      this.#name = [];
      return undefined;
    }
    if (token === STRING && this.#nameDue) this.#name.push(chunk.slice(from, to));
    const isValue = begins && !this.#nameDue && token !== CLOSE_LIST && token !== CLOSE_OBJECT;
    if (!isValue || !(open === 0 || (index === OBJECT ? this.#isNamed : String(index) === wanted))) return undefined;
    if (open === this.#path.length) return 'found';
    if (token === OPEN_LIST) indexes.push(0);
    if (token === OPEN_OBJECT) indexes.push(OBJECT);
    this.#nameDue = token === OPEN_OBJECT;
    return 'again';
  }
}

const OBJECT = -1;

/** Counts lines, which end with LF, CR or both, and characters. */
class Position {
  #chunk: Uint8Array = new Uint8Array(0);
  #read = 0;
  #line = 1;
  #column = 0;
  #afterCr = false;

  load(chunk: Uint8Array): void {
    this.#chunk = chunk;
    this.#read = 0;
  }

  /** The place of the byte at this offset of the chunk. Offsets must not decrease. */
  at(offset: number): Place {
    for (; this.#read < offset; this.#read += 1) {
      const byte = this.#chunk[this.#read] as number;
      const isCr = byte === 0x0d;
      if (isCr || byte === 0x0a) {
        if (isCr || !this.#afterCr) this.#line += 1;
        this.#column = 0;
      } else if (byte < 0x80 || byte >= 0xc0) this.#column += 1;
      this.#afterCr = isCr;
    }
    return { line: this.#line, column: this.#column + 1 };
  }
}

// JSON Lines.

const LF = 0x0a;

/** One JSON value per line (https://jsonlines.org); blank lines are skipped. Locates elements by line. */
export const readJsonl: FormatReader = async (text, context): Promise<FormatScan> => {
  const reader = new LineReader(context, null);
  for await (const chunk of text.read(context.signal)) reader.push(chunk);
  if (!context.cut) reader.end();
  return jsonlScan(text, context, context.cut ? null : reader.records, {
    elements: (signal, from) => jsonlElements(text, context, signal, from),
  });
};

/** Results that every JSON Lines reader returns; `records` is null for a cut-off text. */
export async function jsonlScan(
  text: Utf8Source,
  { signal }: ReaderContext,
  records: number | null,
  found: Pick<FormatScan, 'measured' | 'elements' | 'arrayJson'>,
): Promise<FormatScan> {
  const warnings = await repeatedKeys(text, signal);
  return {
    ...found,
    kind: 'array',
    columns: null,
    delimiter: null,
    warnings: records === 0 ? [warning('EMPTY_FILE', say('warning.noRecords'))] : warnings,
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
