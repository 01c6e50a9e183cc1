/** The interface between conversions and readers of files that are not a stream of text. */
import type { ConversionOptions, Warning } from '../../../shared/model/conversion.ts';
import type { ColumnAdvice, EngineBounds } from './convert-types.ts';
import type { FormatScan } from './reader.ts';
import type { ByteSource } from './source.ts';

export interface WholeRequest {
  readonly options: ConversionOptions;
  readonly bounds: EngineBounds;
  readonly columnAdvice?: ColumnAdvice | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A document's text, as Markdown, HTML or plain text. */
export interface DocumentText {
  readonly text: string;
  readonly warnings: readonly Warning[];
}

/** A reader's result: text, or records, with the sheets of a workbook or the files of an archive. */
export type WholeScan =
  | DocumentText
  | (FormatScan & { readonly sheets?: { name: string; hidden: boolean }[]; readonly entries?: string[] });

/**
 * Reads a source out of order, as often as needed. Throws PARSE_FAILED for a broken file, FILE_TOO_LARGE for parts beyond
 * a bound, INVALID_REQUEST for options that do not fit the file, CANCELLED.
 */
export type WholeReader = (source: ByteSource, request: WholeRequest) => Promise<WholeScan>;
