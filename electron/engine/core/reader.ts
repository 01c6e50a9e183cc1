/** The contract between the conversion core and one format. */
import type { Column, ConversionOptions, PayloadKind, Warning } from '../../../shared/model/conversion.ts';
import type { TokenSampler } from '../tokens/tokens.ts';
import type { ColumnAdvice, EngineBounds } from './convert-types.ts';
import type { Checkpoint, ElementChunk } from './payload.ts';
import type { ResumePoints } from './resume-points.ts';
import type { SecondThread } from './second-thread.ts';
import type { Elsewhere, ReadOptions, Skips } from './source.ts';
import type { Value } from './value.ts';

/** A file's text as valid UTF-8 without BOM, decompressed and decoded, re-readable from the start. */
export interface Utf8Source {
  read(signal?: AbortSignal, options?: ReadOptions): AsyncIterable<Uint8Array>;
  /** The text from a byte offset on; absent where all that comes before would have to be read. */
  readFrom?: ((offset: number, signal?: AbortSignal, options?: ReadOptions) => AsyncIterable<Uint8Array>) | undefined;
  /** The source that has the text as it is, for a second thread; absent where there is none. Known once reading has begun. */
  readonly stored?: StoredText | undefined;
}

/** A text that is a source's bytes. */
export interface StoredText {
  readonly elsewhere: Elsewhere;
  /** Where it starts in the source. */
  readonly base: number;
  /** In bytes. */
  readonly size: number;
  /** For what the second thread has read, and found to be UTF-8 without NUL; absent where all has to be read here too. */
  readonly skips?: Skips | undefined;
}

/** The text from a mark on, which only texts that can be read from any place have; without one, all of it. */
export function textFrom(
  text: Utf8Source,
  signal?: AbortSignal,
  from?: Checkpoint,
  options?: ReadOptions,
): AsyncIterable<Uint8Array> {
  return from && text.readFrom ? text.readFrom(from.offset, signal, options) : text.read(signal, options);
}

export interface ReaderContext {
  readonly options: ConversionOptions;
  readonly bounds: EngineBounds;
  readonly columnAdvice?: ColumnAdvice | undefined;
  readonly signal?: AbortSignal | undefined;
  /** For big files that two threads may share. */
  readonly second?: SecondThread | undefined;
  /** The text is a beginning: what is unfinished at its end, in that of a table or list the last record, is left out. */
  readonly cut?: boolean | undefined;
}

/** What the JSON text of a value comes to. */
export interface MeasuredText {
  /** Exact length in bytes; of an array with its brackets and commas. */
  readonly bytes: number;
  /** Elements of an array; 1 of anything else. */
  readonly records: number;
  /** Where an array can be taken up: checkpoints for `elements`. None where the text cannot be read from any place. */
  readonly resumePoints: ResumePoints;
  /** Fed with all of the JSON text, where the scan wrote it; else samples are taken at the resume points. */
  readonly sampler?: TokenSampler | undefined;
}

/** What a format has settled after reading the whole text once; everything that can fail has been checked. */
export interface FormatScan {
  readonly kind: PayloadKind;
  readonly columns: Column[] | null;
  readonly delimiter: string | null;
  readonly warnings: readonly Warning[];
  /** Present where the scan has found it out: then nothing has to be run only to measure it. */
  readonly measured?: MeasuredText | undefined;
  /** JSON text of anything but an array. */
  json(signal?: AbortSignal, options?: ReadOptions): AsyncIterable<Uint8Array>;
  /** JSON text of an array, brackets and all, where that takes less than its elements one by one; with `measured` only. */
  arrayJson?(signal?: AbortSignal, options?: ReadOptions): AsyncIterable<Uint8Array>;
  /**
   * Elements of an array; those from `from` on, which must be the checkpoint of a chunk seen before. Chunks have checkpoints where
   * the text can be read from any place.
   */
  elements(signal?: AbortSignal, from?: Checkpoint, options?: ReadOptions): AsyncIterable<ElementChunk>;
  /** What `Value` says of it. */
  readonly transformedElements?: Value['transformedElements'];
  /** Line and column of a value, given as path segments from the root; undefined where unknown. */
  locate(pointer: readonly (string | number)[]): Promise<{ line: number; column?: number; columnName?: string } | undefined>;
}

/**
 * Reads a format. Throws AppError PARSE_FAILED with the message
 * `Failed to parse <FORMAT> file: <reason> at line <n>[, column <m>]` and `details.line`, `details.column`.
 */
export type FormatReader = (text: Utf8Source, context: ReaderContext) => Promise<FormatScan>;
