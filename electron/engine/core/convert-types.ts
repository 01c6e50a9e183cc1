/** The engine's public types: what `convert` takes and returns. */
import type { ColumnType, ConversionOptions, ConversionReport } from '../../../shared/model/conversion.ts';
import type { JsonObject } from './json-object.ts';
import type { Locate, Payload } from './payload.ts';
import type { SecondThread } from './source.ts';

/** Limits in bytes, levels and milliseconds; an error names the limit that caused it. */
export interface EngineBounds {
  readonly maxFileBytes: number;
  readonly maxStreamedFileBytes: number;
  readonly maxNesting: number;
  /** Columns of a CSV table. */
  readonly maxColumns: number;
  readonly expressionTimeoutMs: number;
  readonly expressionMemoryBytes: number;
  /** JSON up to this size is kept, so that the file is not read again. Default: 4 MiB. */
  readonly keptBytes?: number | undefined;
}

/** The type that an upstream tool's schema gives a column, by the column's name after `rename`. */
export type ColumnAdvice = (column: string) => ColumnType | undefined;

/** The type that a column should have, by its name in the file; undefined where the file decides. */
export type RecordTypes = (column: string) => ColumnType | undefined;

/** Where the payload goes in an upstream tool's arguments. Plain data, so that it can be sent to another thread. */
export interface SchemaPlace {
  readonly inputSchema: JsonObject;
  readonly segments: readonly (string | number)[];
  /** Whether it stands for the places of single records, each of which gets a call of its own. */
  readonly isRecords?: boolean;
}

export interface ConvertRequest extends ConversionOptions {
  readonly bounds: EngineBounds;
  /** Schema-directed typing: the schema at this place gives the column types; the caller's `types` take precedence. */
  readonly place?: SchemaPlace | undefined;
  /** Only the JSON is needed: the report has no hash (`sha256` is empty), and its tokens are estimated by size. */
  readonly bytesOnly?: boolean | undefined;
  /** The caller computes the hash: `sha256` is empty. */
  readonly hashedElsewhere?: boolean | undefined;
  /** Each reading of the source yields the bytes of the first one, or fails with FILE_CHANGED. Read by one thread only. */
  readonly sealed?: boolean | undefined;
  /** If given, big tables are converted by two threads. */
  readonly second?: SecondThread | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called now and then during the scan with the number of source bytes read. */
  readonly onProgress?: ((bytesRead: number, totalBytes: number) => void) | undefined;
}

/** A converted file: its report, its bytes, and the source position of its values. */
export interface Conversion extends Payload {
  readonly report: ConversionReport;
  /** Frees its memory, in this thread or another; it cannot be read afterwards. Can be called repeatedly. */
  close(): void;
  /** Memory that it holds until it is closed, not counting the format reader's results. Bytes. */
  readonly heldBytes: number;
  /**
   * Whether `elements` can start at any element without reading the earlier ones: true for small payloads, and for CSV,
   * TSV, JSONL and JSON lists in uncompressed UTF-8.
   */
  readonly seeks: boolean;
  /** Undefined if the format has no lines, or a transform has moved the value. */
  readonly locate: Locate;
}
