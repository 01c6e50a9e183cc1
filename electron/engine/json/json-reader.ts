/** Reads JSON and JSON Lines with kernels; the reference readers report the errors. */
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { pieces } from '../core/byte-streams.ts';
import type { Checkpoint, ElementChunk } from '../core/payload.ts';
import { type FormatReader, type MeasuredText, type ReaderContext, textFrom, type Utf8Source } from '../core/reader.ts';
import { ResumePoints } from '../core/resume-points.ts';
import type { ReadOptions } from '../core/source.ts';
import { borrowKernel, type KernelExports, kernelsRun, reserveMemory, returnKernel, takeOut } from '../kernel/kernel.ts';
import { TokenSampler } from '../tokens/tokens.ts';
import { wasm } from './assembly/json-minifier.ts?kernel';
import { kindOf } from './json-grammar.ts';
import { JsonKernel, MAX_NESTING, PIECE_BYTES } from './json-kernel.ts';
import {
  jsonlElements,
  jsonlScan,
  jsonScan,
  jsonScanner,
  readJsonl as readJsonlSlowly,
  readJson as readJsonSlowly,
} from './json-reference.ts';
import { JsonSplitter, PIECE_BYTES as SPLIT_AT_ONCE } from './json-splitter.ts';

const OPEN = Uint8Array.of(0x5b);
const CLOSE = Uint8Array.of(0x5d);

/** A text, and how it is read. */
interface Reading {
  readonly text: Utf8Source;
  readonly context: ReaderContext;
  /** JSON Lines: one value per line. */
  readonly asLines: boolean;
}

/** Any JSON text, with the results of json-reference.ts. */
export const readJson: FormatReader = async (text, context) => {
  const reading = { text, context, asLines: false };
  const scan = isForKernel(context) ? await scanText(reading) : null;
  if (!scan) return readJsonSlowly(text, context);
  return jsonScan(text, context, {
    ...scan,
    json: (signal, options) => minified(text, false, signal, options),
    arrayJson: (signal, options) => minified(text, false, signal, options),
    elements: (signal, from) => elementsOf(reading, signal, from),
  });
};

/** JSON Lines, with the results of json-reference.ts. */
export const readJsonl: FormatReader = async (text, context) => {
  const reading = { text, context, asLines: true };
  const scan = isForKernel(context) ? await scanText(reading) : null;
  if (!scan) return readJsonlSlowly(text, context);
  return jsonlScan(text, context, scan.measured.records, {
    ...scan,
    arrayJson: (signal, options) => minified(text, true, signal, options),
    elements: (signal, from) => elementsOf(reading, signal, from),
  });
};

/** The reference reader decides what to leave out of a cut-off text. */
function isForKernel({ bounds, cut }: ReaderContext): boolean {
  return kernelsRun() && !cut && bounds.maxNesting <= MAX_NESTING;
}

interface TextScan {
  readonly kind: NonNullable<ReturnType<typeof kindOf>>;
  readonly measured: MeasuredText;
}

/** Throws the text's error; null if the kernel refuses a text that the reference reader may accept. */
async function scanText(reading: Reading): Promise<TextScan | null> {
  const kernel = new JsonKernel(reading.context.bounds.maxNesting, reading.asLines);
  try {
    return await scanWith(kernel, reading);
  } finally {
    kernel.close();
  }
}

async function scanWith(kernel: JsonKernel, reading: Reading): Promise<TextScan | null> {
  const { text, asLines } = reading;
  const { signal } = reading.context;
  const resumePoints = new ResumePoints();
  let bytes = asLines ? 2 : 0;
  // Values that can be sampled later are not written now.
  let sampler: TokenSampler | undefined = asLines && text.readFrom ? undefined : new TokenSampler();
  if (asLines) sampler?.push(OPEN);
  for await (const parts of pieces(text.read(signal, { reuse: true }), PIECE_BYTES, signal)) {
    for (const piece of parts) {
      const { records } = kernel;
      if (!kernel.read(piece, sampler !== undefined)) {
        await throwWhatIsWrong(reading, kernel, piece);
        return null;
      }
      bytes += kernel.written;
      sampler?.push(kernel.output);
      const checkpoint = text.readFrom && kernel.checkpoint;
      if (checkpoint) {
        resumePoints.add(records, checkpoint, kernel.written);
        sampler = undefined;
      }
    }
  }
  if (!kernel.finish()) {
    await throwWhatIsWrong(reading, kernel);
    return null;
  }
  if (asLines) sampler?.push(CLOSE);
  const kind = asLines ? 'array' : kindOf(kernel.first);
  if (!kind) return null;
  const records = kind === 'array' ? kernel.records : 1;
  return { kind, measured: { bytes, records, resumePoints, ...(sampler ? { sampler } : {}) } };
}

async function* elementsOf({ text, asLines }: Reading, signal?: AbortSignal, from?: Checkpoint): AsyncIterable<ElementChunk> {
  const withCheckpoints = text.readFrom !== undefined;
  const splitter = new JsonSplitter(asLines, withCheckpoints ? from : undefined);
  let begun = false;
  try {
    for await (const parts of pieces(textFrom(text, signal, from, { reuse: true }), SPLIT_AT_ONCE, signal)) {
      for (const piece of parts) {
        splitter.add(piece);
        // The first piece is enough for a reader that wants few elements.
        const ready: ElementChunk | undefined = splitter.ready || !begun ? splitter.take({ withCheckpoints }) : undefined;
        begun ||= ready !== undefined;
        if (ready) yield ready;
      }
    }
    if (!splitter.finish()) throw new AppError('FILE_CHANGED', say('text.notAsRead'));
    const last = splitter.take({ withCheckpoints });
    if (last) yield last;
  } finally {
    splitter.close();
  }
}

/** Lets the reference scanner continue in `piece`, or at the end of the text, after the kernel has found an error. */
async function throwWhatIsWrong({ text, context, asLines }: Reading, kernel: JsonKernel, piece?: Uint8Array): Promise<void> {
  if (!text.readFrom) return;
  if (asLines) {
    // One line is enough to report its error.
    for await (const _ of jsonlElements(text, context, context.signal, kernel.lineCheckpoint));
    return;
  }
  const state = kernel.stateBefore;
  const scanner = jsonScanner(context, false);
  scanner.takeOver(state, await continuationsBetween(text, state.lineStart, state.offset, context.signal));
  if (piece) scanner.push(piece, 0, piece.length, null);
  else scanner.end('file');
}

/** Number of leading bytes that continue a character from the bytes before. */
async function continuationsBetween(text: Utf8Source, from: number, to: number, signal?: AbortSignal): Promise<number> {
  let count = 0;
  let left = to - from;
  if (left === 0) return 0;
  for await (const chunk of textFrom(text, signal, { offset: from, line: 1 })) {
    const part = chunk.subarray(0, left);
    for (const byte of part) if ((byte & 0xc0) === 0x80) count += 1;
    left -= part.length;
    if (left === 0) break;
  }
  return count;
}

// Minifying JSON text that a scan has already checked: several times as fast as checking it again.

interface MinifierExports extends KernelExports {
  beginMinify(lines: boolean): void;
  minify(from: number, to: number, out: number): number;
}

/** Bytes that the kernel processes together. */
const BLOCK = 64;
const MINIFIED_AT_ONCE = 128 * 1024;
/** Bytes that the kernel may read or write past the end of any area. */
const SLACK = 128;
const SPACE = 0x20;

/** `asLines`: JSON Lines, whose values become the elements of a list. */
export async function* minified(
  text: Utf8Source,
  asLines: boolean,
  signal?: AbortSignal,
  options?: ReadOptions,
): AsyncIterable<Uint8Array> {
  const kernel = borrowKernel<MinifierExports>(wasm);
  const input = kernel.heapBase.value;
  const out = input + MINIFIED_AT_ONCE + BLOCK + SLACK;
  reserveMemory(kernel.memory, out + MINIFIED_AT_ONCE + BLOCK + SLACK);
  const memory = new Uint8Array(kernel.memory.buffer);
  /** Bytes of an incomplete block that wait for the rest of it. */
  let waiting = 0;
  const minify = (): Uint8Array => {
    const whole = waiting - (waiting % BLOCK);
    const end = kernel.minify(input, input + whole, out);
    memory.copyWithin(input, input + whole, input + waiting);
    waiting -= whole;
    return memory.subarray(out, end);
  };
  const handOut = (view: Uint8Array) => (options?.reuse ? view : takeOut(view));
  try {
    kernel.beginMinify(asLines);
    if (asLines) yield Uint8Array.of(0x5b);
    for await (const parts of pieces(text.read(signal, { reuse: true }), MINIFIED_AT_ONCE, signal)) {
      for (const piece of parts) {
        memory.set(piece, input + waiting);
        waiting += piece.length;
        const view = minify();
        if (view.length > 0) yield handOut(view);
      }
    }
    memory.fill(SPACE, input + waiting, input + BLOCK);
    waiting = BLOCK;
    const view = minify();
    if (view.length > 0) yield handOut(view);
    if (asLines) yield Uint8Array.of(0x5d);
  } finally {
    returnKernel(wasm, kernel);
  }
}
