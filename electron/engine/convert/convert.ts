/** Converts a file to a payload: detect, decompress, decode, convert, transform, measure. */

import { type ConversionReport, type Format, type Warning, warning } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { isMessage, say } from '../../../shared/model/messages/message.ts';
import { openArchive } from '../archive/archive.ts';
import { ENTRIES_LISTED } from '../archive/archive-list.ts';
import { collect } from '../core/collect.ts';
import type { Conversion, ConvertRequest } from '../core/convert-types.ts';
import { throwIfCancelled } from '../core/failures.ts';
import { foreignOptions, isArchive, isOpened, isParsedWhole, type OpenedFormat, optionsTaken } from '../core/formats.ts';
import type { FormatReader, FormatScan, MeasuredText, Utf8Source } from '../core/reader.ts';
import { ResumePoints } from '../core/resume-points.ts';
import type { ByteSource } from '../core/source.ts';
import type { Value } from '../core/value.ts';
import { detectFormat, plainText } from '../input/detect.ts';
import { readStored, ScanProgress, type SizeBound } from '../input/input.ts';
import { sealedSource } from '../input/sealed-source.ts';
import { binaryUnderTextName, refuseOther } from '../input/signatures.ts';
import { NotUtf8, readText, type TextFacts, type TextRequest, Utf8Text } from '../input/text-input.ts';
import { NoKernelMemory } from '../kernel/kernel.ts';
import { columnAdvice } from '../schema/schema-advice.ts';
import { TokenSampler } from '../tokens/tokens.ts';
import { applyTransform, needsWholeFile, transformedColumns } from '../transform/apply-transform.ts';
import { measure } from './measure.ts';
import { refuseUnfit, wholeFormats } from './whole-formats.ts';

/** Formats whose content is text. */
type TextFormat = Exclude<Format, OpenedFormat>;

/** Format readers, loaded on first use. */
const readers: Record<TextFormat, () => Promise<FormatReader>> = {
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
interface Content {
  readonly value: Value;
  readonly report: Pick<
    ConversionReport,
    'format' | 'compression' | 'encoding' | 'delimiter' | 'columns' | 'sheets' | 'entries' | 'warnings' | 'inputBytes' | 'sha256'
  >;
  /** Measurements from the scan, if it made any. */
  readonly measured?: MeasuredText | undefined;
  /** Whether it can be read from any offset. */
  seekable(): boolean;
  /** Frees its memory. */
  close(): void;
  heldBytes(): number;
}

/**
 * Reads the source as often as needed and gives a payload that can be streamed any number of times. All errors
 * in the content are thrown here, as an AppError: FORMAT_UNKNOWN, PARSE_FAILED, ENCODING_INVALID, TRANSFORM_FAILED,
 * FILE_TOO_LARGE, INVALID_REQUEST or CANCELLED.
 *
 * `as: "base64"` and `"data_uri"` carry the bytes verbatim as they are stored: a `.gz` stays compressed, whatever
 * `format` and `encoding` say.
 */
export async function convert(source: ByteSource, request: ConvertRequest): Promise<Conversion> {
  return converted(request, () => convertSource(source, request, undefined)) as Promise<Conversion>;
}

/**
 * Converts the first `bytes` of a source (after decompression), to be shown until the whole file was read. The report
 * covers only the whole records in them, and has no hash. Null if the beginning cannot be converted alone: YAML, XML, a
 * JSON value that is not a list, an expression. Fails as `convert` does, except that the transform may name columns that
 * appear later.
 */
export async function convertHead(source: ByteSource, request: ConvertRequest, bytes: number): Promise<Conversion | null> {
  if (request.transform?.expression !== undefined) return null;
  return converted(request, () => convertSource(source, request, bytes));
}

async function converted<T>({ signal }: ConvertRequest, run: () => Promise<T>): Promise<T> {
  throwIfCancelled(signal);
  try {
    // The second run uses no kernels.
    return await run().catch((error: unknown) => {
      if (error instanceof NoKernelMemory) return run();
      throw error;
    });
  } catch (error) {
    // The source reports the reason of an abort itself.
    if (!(error instanceof AppError)) throwIfCancelled(signal);
    throw error;
  }
}

/** Null only for a `head` that cannot be converted alone. */
async function convertSource(given: ByteSource, request: ConvertRequest, head: number | undefined): Promise<Conversion | null> {
  const { as = 'auto', sealed } = request;
  const source = sealed ? sealedSource(given) : given;
  if (request.entry !== undefined) return convertEntry(source, request, request.entry, head);
  const verbatim = as === 'base64' || as === 'data_uri';
  const progress = new ScanProgress(request, source.size, 2);
  const named = detectFormat(source.name, request.format);
  refuseForeign(named.format, request);
  const whole = !verbatim && isOpened(named.format) ? named.format : null;
  if (whole !== null && head !== undefined) return null;
  const content = whole
    ? await wholeContent(whole, source, request, progress)
    : await (verbatim ? verbatimContent : textContent)(source, request, progress, head);
  if (content === null) return null;
  try {
    return await conversionOf(content, request, progress);
  } catch (error) {
    content?.close();
    throw error;
  }
}

/** Throws INVALID_REQUEST for options that would be ignored. */
function refuseForeign(format: Format | null, request: ConvertRequest): void {
  const options = foreignOptions(format, request);
  if (options.length === 0) return;
  const { as = 'auto' } = request;
  const about = { format: format ?? 'text', as, options, takes: [...optionsTaken(format, as)] };
  throw new AppError('INVALID_REQUEST', say('options.foreign', about), { hint: say('options.foreign.hint', about) });
}

/** A file of an archive, as any file; size and hash are those of the archive, which is what was opened. */
async function convertEntry(
  source: ByteSource,
  request: ConvertRequest,
  entry: string,
  head: number | undefined,
): Promise<Conversion | null> {
  const { bounds, signal } = request;
  const named = detectFormat(source.name);
  // A format names what the archive is where its name does not, and else what its file is.
  const isNamed = isArchive(named.format);
  const format = isNamed ? named.format : (request.format ?? null);
  if (!isArchive(format)) {
    throw new AppError('INVALID_REQUEST', say('entry.noArchive', { name: source.name }), {
      hint: say('entry.noArchive.hint', {}),
    });
  }
  const archive = await openArchive(source, { format, compression: named.compression }, bounds, signal);
  const file = archive.open(entry);
  const { entry: _, sealed: __, ...inner } = isNamed ? request : { ...request, format: undefined };
  const conversion = await convertSource(file, { ...inner, hashedElsewhere: true, second: undefined }, head);
  if (conversion === null) return null;
  const hashed = isHashed(request) && head === undefined;
  try {
    const { bytes, sha256 } = await readStored(
      source,
      { bound: sizeBound(request, null), progress: new ScanProgress({ bounds }, source.size, 1), signal, hashed },
      async (chunks) => {
        if (hashed) for await (const _ of chunks);
      },
    );
    const entries = archive.files.slice(0, ENTRIES_LISTED).map(({ name }) => name);
    return { ...conversion, report: { ...conversion.report, entries, sha256, inputBytes: hashed ? bytes : source.size } };
  } catch (error) {
    conversion.close();
    throw error;
  }
}

async function conversionOf(content: Content, request: ConvertRequest, progress: ScanProgress): Promise<Conversion> {
  const { as = 'auto', transform, bounds, signal, bytesOnly } = request;
  const value = await applyTransform(content.value, transform, bounds, signal);
  const { payload, tokens } = await measure(value, {
    // The scan measured another value.
    known: value === content.value ? content.measured : undefined,
    seekable: content.seekable(),
    counted: !bytesOnly,
    keptBytes: bounds.keptBytes,
    signal,
  });
  progress.finish();
  return {
    ...payload,
    locate: (pointer) => value.locate(pointer),
    close: content.close,
    heldBytes: payload.heldBytes + content.heldBytes(),
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

async function verbatimContent(
  source: ByteSource,
  request: ConvertRequest,
  progress: ScanProgress,
  head: number | undefined,
): Promise<Content> {
  const { base64Json } = await import('../text/text-reader.ts');
  const { signal, bytesOnly = false } = request;
  const named = detectFormat(source.name, request.format);
  const prefix = request.as === 'data_uri' ? await (await import('../text/base64.ts')).dataUriPrefix(source.name) : '';
  const sampler = bytesOnly ? undefined : new TokenSampler();
  const wanted = { bound: sizeBound(request, null), progress, signal, head, hashed: isHashed(request) };
  const stored = await readStored(source, wanted, async (chunks) => {
    // The length is known, so the text is only needed for token samples.
    for await (const part of sampler ? base64Json(chunks, prefix, { reuse: true }) : chunks) sampler?.push(part);
  });
  const bytes = prefix.length + 4 * Math.ceil(stored.bytes / 3) + 2;
  return {
    value: {
      kind: 'string',
      json: (again, options) => base64Json(stored.read(again), prefix, options),
      async *elements() {
        yield* [];
      },
      locate: async () => undefined,
    },
    measured: stored.cut ? undefined : { bytes, records: 1, resumePoints: new ResumePoints(), sampler },
    seekable: () => false,
    close: () => undefined,
    heldBytes: () => 0,
    report: {
      format: named.format ?? 'binary',
      compression: named.compression,
      encoding: null,
      delimiter: null,
      columns: null,
      warnings: [],
      inputBytes: stored.bytes,
      sha256: stored.cut ? '' : stored.sha256,
    },
  };
}

/**
 * A file that is read out of order, or by a library; before that it is read whole for its hash. Null for a `head`: the
 * directory of most such files is at their end.
 */
async function wholeContent(
  format: OpenedFormat,
  source: ByteSource,
  request: ConvertRequest,
  progress: ScanProgress,
): Promise<Content> {
  const { bounds, place, signal } = request;
  refuseUnfit(format, request, detectFormat(source.name, request.format).compression !== null);
  const read = await wholeFormats[format]();
  const wanted = { bound: sizeBound(request, null), progress, signal, hashed: isHashed(request) };
  const stored = await readStored(source, wanted, async (chunks) => {
    for await (const _ of chunks);
  });
  const found = await read(source, {
    options: request,
    bounds,
    columnAdvice: place && columnAdvice(place.inputSchema, place.segments),
    signal,
  });
  const { value, heldBytes } = 'text' in found ? await textValue(found.text, request) : { value: found, heldBytes: 0 };
  return {
    value,
    measured: value.measured,
    seekable: () => false,
    close: () => undefined,
    heldBytes: () => heldBytes,
    report: {
      format,
      compression: null,
      encoding: null,
      delimiter: null,
      columns: value.columns,
      sheets: 'sheets' in found ? found.sheets : undefined,
      entries: 'entries' in found ? found.entries : undefined,
      warnings: [...found.warnings],
      inputBytes: stored.bytes,
      sha256: stored.sha256,
    },
  };
}

/** A text in memory as the payload's string. */
async function textValue(
  text: string,
  { bounds, signal, ...options }: ConvertRequest,
): Promise<{ value: FormatScan; heldBytes: number }> {
  const bytes = Buffer.from(text);
  const held: Utf8Source = {
    async *read() {
      yield new Uint8Array(bytes);
    },
  };
  return { value: await (await readers.text())(held, { options, bounds, signal }), heldBytes: bytes.length };
}

async function textContent(
  source: ByteSource,
  request: ConvertRequest,
  progress: ScanProgress,
  head: number | undefined,
): Promise<Content | null> {
  if (request.as === 'html') {
    throw new AppError('INVALID_REQUEST', say('document.noHtml'), { hint: say('document.noHtml.hint', {}) });
  }
  const named = detectFormat(source.name, request.format);
  if (request.as !== 'text' && request.format !== 'text') await refuseOther(source, named, request.signal);
  const format = formatAs(request.as, named.format);
  try {
    const content = await contentAs(format, source, request, progress, head);
    const binary =
      content?.report.warnings.some(isSuspicious) && (await binaryUnderTextName(source, named, format, request.signal));
    if (!binary) return content;
    content?.close();
    throw binary;
  } catch (error) {
    if (error instanceof AppError && ['PARSE_FAILED', 'ENCODING_INVALID'].includes(error.code))
      throwIf(await binaryUnderTextName(source, named, format, request.signal));
    if (!(error instanceof AppError) || error.code !== 'PARSE_FAILED' || (format !== 'json' && format !== 'jsonl')) throw error;
    const found = format === 'json' ? await jsonLines(error, source, request, head) : undefined;
    return found ?? relaxedContent(format, error, source, request, head);
  }
}

/** Programs that write JSON Lines often call them `.json`. Undefined for another fault. */
async function jsonLines(
  error: AppError,
  source: ByteSource,
  request: ConvertRequest,
  head: number | undefined,
): Promise<Content | null | undefined> {
  if (request.format !== undefined || !isBehindALine(error)) return undefined;
  const lines = await contentAs('jsonl', source, request, new ScanProgress(request, source.size, 2), head).catch(() => undefined);
  if (lines && !(await beginsWithRecord(lines.value))) {
    lines.close();
    return undefined;
  }
  return lines && withNotice(lines, warning('JSON_LINES', say('warning.jsonLines')));
}

const withNotice = (content: Content, notice: Warning): Content => ({
  ...content,
  report: { ...content.report, warnings: [notice, ...content.report.warnings] },
});

/** A text that strict JSON refuses, if all of its values can be read; else the error, with a way out. */
async function relaxedContent(
  format: 'json' | 'jsonl',
  error: AppError,
  source: ByteSource,
  request: ConvertRequest,
  head: number | undefined,
): Promise<Content | null> {
  // The beginning alone says nothing, and a big file is no text that a person wrote.
  if (head !== undefined || source.size > request.bounds.maxFileBytes) throw error;
  const { strictText, foreignSyntax } = await import('../json/relaxed-json.ts');
  const progress = new ScanProgress(request, source.size, 2);
  const wanted = {
    named: { ...detectFormat(source.name, request.format), format },
    encoding: request.encoding,
    bound: { setting: 'maxFileBytes', limit: request.bounds.maxFileBytes },
    progress,
    signal: request.signal,
    head,
    hashed: isHashed(request),
  } as const;
  const facts = await readText(source, wanted);
  const text = Buffer.from(await collect(facts.text.read(request.signal), Number.POSITIVE_INFINITY, () => error)).toString(
    'utf8',
  );
  const strict = strictText(text);
  const isOne = strict === undefined || strict.values === 1;
  const whole = strict?.text ?? text;
  // One object of several lines is a list of it, as it would be in one line.
  const bytes = Buffer.from(format === 'jsonl' && isOne && /^\s*\{/.test(whole) ? `[${whole}]` : whole);
  const held: ByteSource = {
    name: 'text.json',
    size: bytes.length,
    async *read() {
      yield new Uint8Array(bytes);
    },
  };
  const readable = format === 'jsonl' || strict !== undefined;
  let fault = error;
  const content = readable
    ? await contentAs('json', held, { ...request, format: 'json', encoding: 'utf-8' }, progress, undefined).catch((later) => {
        // Lines are still where they were, and a comment is no fault any more.
        if (later instanceof AppError && strict?.values === 1) fault = later;
        return null;
      })
    : null;
  if (content === null || (format === 'jsonl' && content.value.kind !== 'array')) {
    content?.close();
    const foreign = foreignSyntax(text);
    if (foreign === undefined) throw fault;
    throw new AppError('PARSE_FAILED', fault.asText, { hint: say(`json.${foreign}.hint`), details: fault.details });
  }
  const notice =
    format === 'jsonl'
      ? warning('JSON_LINES_WRAPPED', say('warning.jsonLinesWrapped'))
      : warning(
          'JSON_RELAXED',
          say('warning.jsonRelaxed', {
            comments: strict?.comments ?? 0,
            commas: strict?.commas ?? 0,
            values: strict?.values ?? 1,
          }),
        );
  const { compression } = wanted.named;
  const { encoding, warnings } = facts.settled;
  return {
    ...content,
    heldBytes: () => content.heldBytes() + bytes.length,
    report: {
      ...content.report,
      format,
      compression,
      encoding,
      inputBytes: facts.bytes,
      sha256: facts.sha256,
      warnings: [notice, ...warnings, ...content.report.warnings],
    },
  };
}

/** Whether the warning comes from a decoder that probably read binary data. */
const isSuspicious = ({ code }: { code: string }): boolean => code === 'NUL_CHARACTERS' || code === 'ENCODING_GUESSED';

function throwIf(error: AppError | undefined): void {
  if (error) throw error;
}

/** A record that ends with its line, and another one after it: so JSON Lines look to a JSON parser. */
function isBehindALine(error: unknown): boolean {
  if (!(error instanceof AppError) || (error.details.line ?? 1) < 2) return false;
  const { reason } = (error.said.message?.params ?? {}) as { reason?: unknown };
  if (!isMessage(reason) || reason.code !== 'json.afterEnd') return false;
  const { found } = reason.params as { found?: unknown };
  return found === '"{"' || found === '"["';
}

/** Lines of numbers or words are rather a broken file. */
async function beginsWithRecord(value: Value): Promise<boolean> {
  for await (const { data } of value.elements()) return data[0] === 0x7b || data[0] === 0x5b;
  return false;
}

/** Null for the beginning of a text that cannot be read alone. */
async function contentAs(
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

const isHashed = ({ bytesOnly, hashedElsewhere }: ConvertRequest): boolean => !bytesOnly && !hashedElsewhere;

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
  const text = named.format === null ? plainText(source.name, input) : input;
  const read = await readers[format]();
  const { bounds, place, second, signal } = request;
  const advice = place && columnAdvice(place.inputSchema, place.segments);
  return read(text, { options: request, bounds, columnAdvice: advice, second, signal, cut });
}

/** Format after `as`: `as: "text"` reads any format as text, `as: "json"` reads text as JSON. */
function formatAs(as: ConvertRequest['as'], named: Format | null): TextFormat {
  if (as === 'text' || isOpened(named)) return 'text';
  if (as === 'json' && (named === null || named === 'text')) return 'json';
  return named ?? 'text';
}

/** YAML, XML, TOML and expressions need the whole file in memory; all other formats are streamed. */
function sizeBound(request: ConvertRequest, format: Format | null): SizeBound {
  const whole = isParsedWhole(format) || needsWholeFile(request.transform);
  const setting = whole ? 'maxFileBytes' : 'maxStreamedFileBytes';
  return { setting, limit: request.bounds[setting] };
}
