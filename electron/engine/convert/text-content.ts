/** The content of a text file, in one pass where it is UTF-8 and in order, else with its encoding found first. */

import type { ConversionReport } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { type Format, isParsedWhole, type OpenedFormat } from '../../../shared/model/formats.ts';
import type { ConvertRequest } from '../core/convert-types.ts';
import { throwIfCancelled } from '../core/failures.ts';
import type { Value } from '../core/payload.ts';
import type { FormatReader, FormatScan, MeasuredText, Utf8Source } from '../core/reader.ts';
import type { ByteSource } from '../core/source.ts';
import { detectFormat, plainText } from '../input/detect.ts';
import type { ScanProgress, SizeBound } from '../input/input.ts';
import { NotUtf8, readText, type TextFacts, type TextRequest, Utf8Text } from '../input/text-input.ts';
import { columnAdvice, recordTypes } from '../schema/schema-advice.ts';
import { needsWholeFile } from '../transform/apply-transform.ts';

/** Formats whose content is text. */
export type TextFormat = Exclude<Format, OpenedFormat>;

/** Format readers, loaded on first use. */
export const readers: Record<TextFormat, () => Promise<FormatReader>> = {
  json: async () => (await import('../json/json-reader.ts')).readJson,
  jsonl: async () => (await import('../json/json-reader.ts')).readJsonl,
  csv: async () => (await import('../csv/csv-reader.ts')).readCsv,
  tsv: async () => (await import('../csv/csv-reader.ts')).readTsv,
  yaml: async () => (await import('../yaml/yaml-reader.ts')).readYaml,
  toml: async () => (await import('../toml/toml-reader.ts')).readToml,
  xml: async () => (await import('../xml/xml-reader.ts')).readXml,
  text: async () => (await import('../text/text-reader.ts')).readText,
};

/** The content of a file, before any transform. */
export interface Content {
  readonly value: Value;
  readonly report: Pick<
    ConversionReport,
    | 'format'
    | 'compression'
    | 'encoding'
    | 'delimiter'
    | 'columns'
    | 'sheets'
    | 'entries'
    | 'outline'
    | 'warnings'
    | 'inputBytes'
    | 'sha256'
  >;
  /** Measurements from the scan, if it made any. */
  readonly measured?: MeasuredText | undefined;
  /** Whether it can be read from any offset. */
  seekable(): boolean;
  /** Frees its memory. */
  close(): void;
  heldBytes(): number;
}

/** Null for the beginning of a text that cannot be read alone. */
export async function contentAs(
  format: TextFormat,
  source: ByteSource,
  request: ConvertRequest,
  progress: ScanProgress,
  head: number | undefined,
): Promise<Content | null> {
  const { signal } = request;
  const detected = detectFormat(source.name, request.format);
  const named = format === 'jsonl' ? { ...detected, format } : detected;
  const wanted = {
    named,
    encoding: request.encoding,
    bound: sizeBound(request, format),
    progress,
    signal,
    head,
    hashed: isHashed(request),
  };
  const scanned =
    (head === undefined ? await scanAsUtf8(source, request, wanted, format) : undefined) ??
    (await scanSettled(source, request, wanted, format));
  if (scanned === null) return null;
  const { facts, scan, text, close, heldBytes } = scanned;
  progress.nextPass();
  return {
    value: scan,
    measured: scan.measured,
    seekable: () => text.readFrom !== undefined,
    close,
    // These formats hold all of their JSON in memory.
    heldBytes: () => heldBytes() + (isParsedWhole(format) ? facts.bytes : 0),
    report: {
      format,
      compression: named.compression,
      encoding: facts.settled.encoding,
      delimiter: scan.delimiter,
      columns: scan.columns,
      warnings: [...facts.settled.warnings, ...scan.warnings],
      inputBytes: facts.bytes,
      sha256: facts.cut ? '' : facts.sha256,
    },
  };
}

export const isHashed = ({ bytesOnly, hashedElsewhere }: ConvertRequest): boolean => !bytesOnly && !hashedElsewhere;

/** A text and the format's results for it. */
interface ScannedText {
  readonly facts: TextFacts;
  readonly text: Utf8Source;
  readonly scan: FormatScan;
  close(): void;
  heldBytes(): number;
}

/** One pass for most files; undefined if the slower path is needed, which also reports all errors. */
async function scanAsUtf8(
  source: ByteSource,
  request: ConvertRequest,
  wanted: TextRequest,
  format: TextFormat,
): Promise<ScannedText | undefined> {
  const input = new Utf8Text(source, wanted);
  try {
    const scan = await scanText(source, request, wanted, format, input.text, false);
    if (input.facts)
      return { facts: input.facts, text: input.text, scan, close: () => input.close(), heldBytes: () => input.heldBytes };
  } catch (error) {
    throwIfCancelled(request.signal);
    // Encoding errors take precedence over format errors; size errors do not depend on the encoding.
    if (error instanceof AppError ? error.code === 'FILE_TOO_LARGE' : !(error instanceof NotUtf8)) throw error;
  }
  input.close();
  wanted.progress.restart(4);
  return undefined;
}

/** Detects the encoding first, then the format. Null only for a `head` that cannot be converted alone. */
async function scanSettled(
  source: ByteSource,
  request: ConvertRequest,
  wanted: TextRequest,
  format: TextFormat,
): Promise<ScannedText | null> {
  const facts = await readText(source, wanted);
  const { cut, text } = facts;
  if (cut && isParsedWhole(format)) return null;
  const scan = await scanText(source, request, wanted, format, text, cut);
  if (cut && format === 'json' && scan.kind !== 'array') return null;
  return { facts, text, scan, close: () => undefined, heldBytes: () => 0 };
}

async function scanText(
  source: ByteSource,
  request: ConvertRequest,
  { named }: TextRequest,
  format: TextFormat,
  input: Utf8Source,
  cut: boolean,
): Promise<FormatScan> {
  // Neither the name nor the caller says that this is text, so its characters must confirm it.
  const text = named.format === null ? plainText(source.name, input, request.encoding) : input;
  const read = await readers[format]();
  const { bounds, place, second, signal } = request;
  const advice = place && columnAdvice(place.inputSchema, place.segments);
  return read(text, {
    options: request,
    bounds,
    columnAdvice: advice,
    typeOf: recordTypes(format, request),
    second,
    signal,
    cut,
  });
}

/** YAML, XML, TOML and expressions need the whole file in memory; all other formats are streamed. */
export function sizeBound(request: ConvertRequest, format: Format | null): SizeBound {
  const whole = isParsedWhole(format) || needsWholeFile(request.transform);
  const setting = whole ? 'maxFileBytes' : 'maxStreamedFileBytes';
  return { setting, limit: request.bounds[setting] };
}
