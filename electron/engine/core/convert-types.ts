/** The engine's face in types: what `convert` takes and gives. */
import type { ColumnType, ConversionOptions, ConversionReport } from '../../../shared/model/conversion.ts';
import type { JsonObject } from './json-object.ts';
import type { Payload } from './payload.ts';
import type { SecondThread } from './second-thread.ts';

/** Bounds in bytes, levels and milliseconds; an error caused by one names it. */
export interface EngineBounds {
  readonly maxFileBytes: number;
  readonly maxStreamedFileBytes: number;
  readonly maxNesting: number;
  readonly expressionTimeoutMs: number;
  readonly expressionMemoryBytes: number;
}

/** What an upstream tool's schema says of a column; asked by the column's name after `rename`. */
export type ColumnAdvice = (column: string) => { type: ColumnType; nullable: boolean } | undefined;

/** Where in the arguments of an upstream's tool the payload goes. Plain data, so that it reaches another thread. */
export interface SchemaPlace {
  readonly inputSchema: JsonObject;
  readonly segments: readonly (string | number)[];
}

export interface ConvertRequest extends ConversionOptions {
  readonly bounds: EngineBounds;
  /** Schema-directed typing: the columns of a table are what the schema at this place says; `types` given by the caller wins over it. */
  readonly place?: SchemaPlace | undefined;
  /** Only the JSON is wanted: the report has no hash (`sha256` is empty), and its tokens are a guess by the size. */
  readonly bytesOnly?: boolean | undefined;
  /** Somebody else takes the hash: `sha256` is empty. */
  readonly hashedElsewhere?: boolean | undefined;
  /** Every reading of the source gives the bytes of the first one, or fails with FILE_CHANGED. Read by one thread only. */
  readonly sealed?: boolean | undefined;
  /** Big tables are converted by two threads where this is given. */
  readonly second?: SecondThread | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called now and then during the scan with the source bytes read so far. */
  readonly onProgress?: ((bytesRead: number, totalBytes: number) => void) | undefined;
}

/** A converted file: its report, its bytes, and where in the source a value came from. */
export interface Conversion extends Payload {
  readonly report: ConversionReport;
  /** Frees what is held for it, in this thread or another; then it can no longer be read. May be called again. */
  close(): void;
  /** Memory that it holds until it is closed, beside what its format has settled. Bytes. */
  readonly heldBytes: number;
  /**
   * Whether `elements` gets to any `start` without reading what comes before: true of what is small, and of CSV, TSV,
   * JSONL and JSON lists in UTF-8 that are not compressed.
   */
  readonly seeks: boolean;
  /**
   * Where the value at `pointer` (JSON path segments from the payload's root) stands in the source.
   * Undefined where the format has no lines, or a transform has moved the value.
   */
  locate(pointer: readonly (string | number)[]): Promise<{ line: number; column?: number; columnName?: string } | undefined>;
}
