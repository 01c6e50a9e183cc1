/** The interface between conversions and the reader of one format: of text as a stream, or of a file as a whole. */
import type { Column, ConversionOptions, PayloadKind, Warning } from '../../../shared/model/conversion.ts';
import type { TokenSampler } from '../tokens/tokens.ts';
import type { ColumnAdvice, EngineBounds, RecordTypes } from './convert-types.ts';
import type { Document } from './document.ts';
import type { Checkpoint, ElementChunk, Value } from './payload.ts';
import type { ResumePoints } from './resume-points.ts';
import type { ByteSource, Elsewhere, ReadOptions, SecondThread, Skips } from './source.ts';

/** A file's text as valid UTF-8 without BOM, decompressed and decoded; can be read repeatedly. */
export interface Utf8Source {
  read(signal?: AbortSignal, options?: ReadOptions): AsyncIterable<Uint8Array>;
  /** The text from a byte offset on; absent if that would require reading all text before it. */
  readFrom?: ((offset: number, signal?: AbortSignal, options?: ReadOptions) => AsyncIterable<Uint8Array>) | undefined;
  /**
   * The source that contains the text unchanged, for a second thread; absent if there is none. Known once reading has
   * begun.
   */
  readonly stored?: StoredText | undefined;
}

/** Text that is stored in a source as is. */
export interface StoredText {
  readonly elsewhere: Elsewhere;
  /** Where it starts in the source. */
  readonly base: number;
  /** In bytes. */
  readonly size: number;
  /**
   * Reports text that the second thread has read and checked (UTF-8, no NUL); absent if this thread must read all of it
   * too.
   */
  readonly skips?: Skips | undefined;
}

/** The text from a checkpoint on, for texts that support seeking; without a checkpoint, all of it. */
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
  /** For formats whose values have types: the types that columns should have. */
  readonly typeOf?: RecordTypes | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The second thread, for big files. */
  readonly second?: SecondThread | undefined;
  /** The text is the beginning of a file: an incomplete last record or element is left out. */
  readonly cut?: boolean | undefined;
}

/** Size of a value's JSON text. */
export interface MeasuredText {
  /** Exact length in bytes; for an array including brackets and commas. */
  readonly bytes: number;
  /** Number of array elements; 1 for other values. */
  readonly records: number;
  /** Checkpoints at which `elements` can start. None if the text does not support seeking. */
  readonly resumePoints: ResumePoints;
  /** Was fed all of the JSON text during the scan; if absent, samples are taken at the resume points. */
  readonly sampler?: TokenSampler | undefined;
}

/** Results of reading the whole text once; everything that can fail has been checked. */
export interface FormatScan {
  readonly kind: PayloadKind;
  readonly columns: Column[] | null;
  readonly delimiter: string | null;
  readonly warnings: readonly Warning[];
  /** Present if the scan has measured the value, so that no extra pass is needed. */
  readonly measured?: MeasuredText | undefined;
  /** JSON text of a value other than an array. */
  json(signal?: AbortSignal, options?: ReadOptions): AsyncIterable<Uint8Array>;
  /** JSON text of a whole array, if that is faster than element by element; only with `measured`. */
  arrayJson?(signal?: AbortSignal, options?: ReadOptions): AsyncIterable<Uint8Array>;
  /**
   * Elements of an array; `from` must be the checkpoint of a chunk seen before. Chunks have checkpoints if the text
   * supports seeking.
   */
  elements(signal?: AbortSignal, from?: Checkpoint, options?: ReadOptions): AsyncIterable<ElementChunk>;
  /** See `Value`. */
  readonly transformedElements?: Value['transformedElements'];
  /** Line and column of a value, given as path segments from the root; undefined if unknown. */
  locate(pointer: readonly (string | number)[]): Promise<{ line: number; column?: number; columnName?: string } | undefined>;
}

/**
 * Reads a format. Throws AppError PARSE_FAILED with the message
 * `Failed to parse <FORMAT> file: <reason> at line <n>[, column <m>]` and `details.line`, `details.column`.
 */
export type FormatReader = (text: Utf8Source, context: ReaderContext) => Promise<FormatScan>;

// Readers of files that are not a stream of text.

interface WholeRequest {
  readonly options: ConversionOptions;
  readonly bounds: EngineBounds;
  readonly columnAdvice?: ColumnAdvice | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A text for people, which becomes Markdown, HTML, plain text or the records of one of its tables. */
export interface DocumentScan {
  readonly document: Document;
  readonly warnings: readonly Warning[];
  /** Files attached to it. */
  readonly entries?: string[];
  /** Its own source, where it is HTML. */
  readonly html?: string;
}

/** A reader's result: a document, or records, with the sheets of a workbook or the files of an archive. */
type WholeScan =
  | DocumentScan
  | (FormatScan & { readonly sheets?: { name: string; hidden: boolean }[]; readonly entries?: string[] });

/**
 * Reads a source out of order, as often as needed. Throws PARSE_FAILED for a broken file, FILE_TOO_LARGE for parts beyond
 * a bound, INVALID_REQUEST for options that do not fit the file, CANCELLED.
 */
export type WholeReader = (source: ByteSource, request: WholeRequest) => Promise<WholeScan>;
