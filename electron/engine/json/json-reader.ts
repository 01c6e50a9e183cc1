/** JSON and JSON Lines at speed: a kernel reads what is right, and the readers in `formats` say what is wrong. */
import { AppError } from '../../../shared/model/errors.ts';
import type { Checkpoint, ElementChunk } from '../core/payload.ts';
import { type FormatReader, type MeasuredText, type ReaderContext, textFrom, type Utf8Source } from '../core/reader.ts';
import { ResumePoints } from '../core/resume-points.ts';
import { kernelsRun } from '../kernel/kernel.ts';
import { pieces } from '../kernel/pieces.ts';
import { TokenSampler } from '../tokens/tokens.ts';
import { kindOf } from './json-grammar.ts';
import { JsonKernel, MAX_NESTING, PIECE_BYTES } from './json-kernel.ts';
import { minified } from './json-minifier.ts';
import { jsonScan, jsonScanner, readJson as readJsonSlowly } from './json-reference.ts';
import { JsonSplitter, PIECE_BYTES as SPLIT_AT_ONCE } from './json-splitter.ts';
import { jsonlElements, jsonlScan, readJsonl as readJsonlSlowly } from './jsonl-reference.ts';

const OPEN = Uint8Array.of(0x5b);
const CLOSE = Uint8Array.of(0x5d);

/** A text, and how it is read. */
interface Reading {
  readonly text: Utf8Source;
  readonly context: ReaderContext;
  /** JSON Lines: one value a line. */
  readonly asLines: boolean;
}

/** Any JSON text, as json/json-reference.ts has it. */
export const readJson: FormatReader = async (text, context) => {
  const reading = { text, context, asLines: false };
  const scan = isForKernel(context) ? await scanText(reading) : null;
  if (!scan) return readJsonSlowly(text, context);
  return jsonScan(text, {
    ...scan,
    json: (signal, options) => minified(text, false, signal, options),
    arrayJson: (signal, options) => minified(text, false, signal, options),
    elements: (signal, from) => elementsOf(reading, signal, from),
  });
};

/** JSON Lines, as json/jsonl-reference.ts has them. */
export const readJsonl: FormatReader = async (text, context) => {
  const reading = { text, context, asLines: true };
  const scan = isForKernel(context) ? await scanText(reading) : null;
  if (!scan) return readJsonlSlowly(text, context);
  return jsonlScan(scan.measured.records, {
    ...scan,
    arrayJson: (signal, options) => minified(text, true, signal, options),
    elements: (signal, from) => elementsOf(reading, signal, from),
  });
};

/** What a cut text leaves out is settled where it is worded. */
function isForKernel({ bounds, cut }: ReaderContext): boolean {
  return kernelsRun() && !cut && bounds.maxNesting <= MAX_NESTING;
}

interface TextScan {
  readonly kind: NonNullable<ReturnType<typeof kindOf>>;
  readonly measured: MeasuredText;
}

/** Throws what is wrong with a text; null where the kernel finds fault with what the slow reader may take. */
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
  // What can be sampled later need not be written now.
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
        // Whoever wants a little has it in the first piece.
        const ready: ElementChunk | undefined = splitter.ready || !begun ? splitter.take({ withCheckpoints }) : undefined;
        begun ||= ready !== undefined;
        if (ready) yield ready;
      }
    }
    if (!splitter.finish())
      throw new AppError('FILE_CHANGED', 'The text is no longer what it was when it was read for the first time');
    const last = splitter.take({ withCheckpoints });
    if (last) yield last;
  } finally {
    splitter.close();
  }
}

/** Has the slow reader go on in `piece`, or at the text's end, where the kernel has found something wrong. */
async function throwWhatIsWrong({ text, context, asLines }: Reading, kernel: JsonKernel, piece?: Uint8Array): Promise<void> {
  if (!text.readFrom) return;
  if (asLines) {
    // A line has all that is needed to say what is wrong with it.
    for await (const _ of jsonlElements(text, context, context.signal, kernel.lineCheckpoint));
    return;
  }
  const state = kernel.stateBefore;
  const scanner = jsonScanner(context, false);
  scanner.takeOver(state, await continuationsBetween(text, state.lineStart, state.offset, context.signal));
  if (piece) scanner.push(piece, 0, piece.length, null);
  else scanner.end('file');
}

/** How many bytes go on with a character that another one has begun. */
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
