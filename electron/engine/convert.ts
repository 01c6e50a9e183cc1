/** Turns a file into a payload: detect, decompress, decode, convert, transform, measure. */
import type { ConversionReport, Format } from '../../shared/model/conversion.ts';
import { AppError } from '../../shared/model/errors.ts';
import { applyTransform, needsWholeFile, transformedColumns } from './apply-transform.ts';
import type { Conversion, ConvertRequest } from './convert-types.ts';
import { detectFormat, plainText } from './detect.ts';
import { throwIfCancelled } from './failures.ts';
import type { FormatReader } from './formats/reader.ts';
import { readStored, readText, ScanProgress, type SizeBound } from './input.ts';
import { measure } from './measure.ts';
import type { ByteSource } from './source.ts';
import type { Value } from './value.ts';

/** Readers by format, loaded when first needed. */
const readers: Record<Format, () => Promise<FormatReader>> = {
  json: async () => (await import('./formats/json.ts')).readJson,
  jsonl: async () => (await import('./formats/jsonl.ts')).readJsonl,
  csv: async () => (await import('./formats/csv.ts')).readCsv,
  tsv: async () => (await import('./formats/csv.ts')).readTsv,
  yaml: async () => (await import('./formats/yaml.ts')).readYaml,
  xml: async () => (await import('./formats/xml.ts')).readXml,
  text: async () => (await import('./formats/text.ts')).readText,
};

/** What a file was read as, before any transform. */
interface Content {
  readonly value: Value;
  readonly report: Pick<
    ConversionReport,
    'format' | 'compression' | 'encoding' | 'delimiter' | 'columns' | 'warnings' | 'inputBytes' | 'sha256'
  >;
}

/**
 * Reads the source as often as needed and gives a payload that can be streamed any number of times. Whatever is wrong
 * with the content fails here, as an AppError: FORMAT_UNKNOWN, PARSE_FAILED, ENCODING_INVALID, TRANSFORM_FAILED,
 * FILE_TOO_LARGE, INVALID_REQUEST or CANCELLED.
 *
 * `as: "base64"` and `"data_uri"` carry the bytes verbatim as they are stored: a `.gz` stays compressed, whatever
 * `format` and `encoding` say.
 */
export async function convert(source: ByteSource, request: ConvertRequest): Promise<Conversion> {
  throwIfCancelled(request.signal);
  try {
    return await convertSource(source, request);
  } catch (error) {
    // A source that is aborted fails in its own words.
    if (!(error instanceof AppError)) throwIfCancelled(request.signal);
    throw error;
  }
}

async function convertSource(source: ByteSource, request: ConvertRequest): Promise<Conversion> {
  const { as = 'auto', transform, bounds, signal } = request;
  const verbatim = as === 'base64' || as === 'data_uri';
  const progress = new ScanProgress(request, source.size, verbatim ? 2 : 3);
  const content = await (verbatim ? verbatimContent(source, request, progress) : textContent(source, request, progress));
  const value = await applyTransform(content.value, transform, bounds, signal);
  const { payload, tokens } = await measure(value, signal);
  progress.finish();
  return {
    ...payload,
    locate: (pointer) => value.locate(pointer),
    report: {
      ...content.report,
      as,
      columns: transformedColumns(content.report.columns, transform),
      kind: payload.kind,
      records: payload.records,
      outputBytes: payload.bytes,
      tokens,
    },
  };
}

async function verbatimContent(source: ByteSource, request: ConvertRequest, progress: ScanProgress): Promise<Content> {
  const { base64Json, dataUriPrefix } = await import('./formats/base64.ts');
  const named = detectFormat(source.name, request.format);
  const stored = await readStored(source, sizeBound(request, null), progress, request.signal);
  const prefix = request.as === 'data_uri' ? await dataUriPrefix(source.name) : '';
  return {
    value: {
      kind: 'string',
      json: (signal) => base64Json(stored.read(signal), prefix),
      async *elements() {
        yield* [];
      },
      locate: async () => undefined,
    },
    report: {
      format: named.format ?? 'binary',
      compression: named.compression,
      encoding: null,
      delimiter: null,
      columns: null,
      warnings: [],
      inputBytes: stored.bytes,
      sha256: stored.sha256,
    },
  };
}

async function textContent(source: ByteSource, request: ConvertRequest, progress: ScanProgress): Promise<Content> {
  const { signal } = request;
  const named = detectFormat(source.name, request.format);
  const format = formatAs(request.as, named.format);
  const input = await readText(source, named, request.encoding, sizeBound(request, format), progress, signal);
  // What neither the name nor the caller calls text has to look like it.
  const text = named.format === null ? plainText(source.name, input.text) : input.text;
  const read = await readers[format]();
  const scan = await read(text, { options: request, bounds: request.bounds, columnAdvice: request.columnAdvice, signal });
  progress.nextPass();
  return {
    value: scan,
    report: {
      format,
      compression: named.compression,
      encoding: input.settled.encoding,
      delimiter: scan.delimiter,
      columns: scan.columns,
      warnings: [...input.settled.warnings, ...scan.warnings],
      inputBytes: input.bytes,
      sha256: input.sha256,
    },
  };
}

/** What the text is read as: `as: "text"` takes any format for text, `as: "json"` takes text for JSON. */
function formatAs(as: ConvertRequest['as'], named: Format | null): Format {
  if (as === 'text') return 'text';
  if (as === 'json' && (named === null || named === 'text')) return 'json';
  return named ?? 'text';
}

/** YAML, XML and expressions need the whole file in memory; all else is streamed. */
function sizeBound(request: ConvertRequest, format: Format | null): SizeBound {
  const whole = format === 'yaml' || format === 'xml' || needsWholeFile(request.transform);
  const setting = whole ? 'maxFileBytes' : 'maxStreamedFileBytes';
  return { setting, limit: request.bounds[setting] };
}
