/** Converts a file to a payload: detect, decompress, decode, convert, transform, measure. */

import { type ConversionReport, warning } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { type Format, foreignOptions, hasEntries, isArchive, isOpened, optionsTaken } from '../../../shared/model/formats.ts';
import { type Message, say } from '../../../shared/model/messages/message.ts';
import type { Conversion, ConvertRequest } from '../core/convert-types.ts';
import { throwIfCancelled } from '../core/failures.ts';
import { ResumePoints } from '../core/resume-points.ts';
import type { ByteSource } from '../core/source.ts';
import { type ArchiveFile, ENTRIES_LISTED, heldArchive, NAMES_SHOWN, openArchive } from '../documents/archive.ts';
import { detectFormat, type NamedFormat, unknownFormat } from '../input/detect.ts';
import { readStored, ScanProgress } from '../input/input.ts';
import { NoKernelMemory } from '../kernel/kernel.ts';
import { emptyCells, recordTypes, typesAfter, wantsRows } from '../schema/schema-advice.ts';
import { TokenSampler } from '../tokens/tokens.ts';
import { applyTransform, transformedColumns } from '../transform/apply-transform.ts';
import { headerAndRows, typedValue, withoutNulls } from '../transform/record-shapes.ts';
import { jsonLines, relaxedContent } from './json-fallbacks.ts';
import { measure } from './measure.ts';
import { sealedSource } from './sealed-source.ts';
import { binaryUnderTextName, refuseOther } from './signatures.ts';
import { type Content, contentAs, isHashed, sizeBound, type TextFormat } from './text-content.ts';
import { inTextForm } from './text-of-value.ts';
import { wholeContent } from './whole-content.ts';

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
  if (isArchive(named.format) && !verbatim) {
    const [only, ...others] = request.place ? await filesOf(source, named, request) : [];
    if (only && others.length === 0) return withOnlyFile(only.name, await convertEntry(source, request, only.name, head));
    // A tool that wants records would take the list for them.
    if (only) throw listNotSent(source.name, [only, ...others]);
  }
  refuseForeign(named.format, request);
  refuseTwoStarts(request);
  const isNotebook = named.compression === null && /\.ipynb$/i.test(source.name) && (as === 'text' || as === 'markdown');
  const whole = verbatim ? null : isOpened(named.format) ? named.format : isNotebook ? 'ipynb' : null;
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

/** The files of an archive without what Macs add. */
async function filesOf(
  source: ByteSource,
  { format, compression }: NamedFormat,
  { bounds, signal }: ConvertRequest,
): Promise<ArchiveFile[]> {
  if (!isArchive(format) || (format === 'zip' && compression !== null)) return [];
  const { files } = await openArchive(source, { format, compression }, bounds, signal);
  return files.filter(({ name }) => !/(?:^|\/)(?:__MACOSX\/|\._|\.DS_Store$)/.test(name));
}

function withOnlyFile(file: string, conversion: Conversion | null): Conversion | null {
  if (conversion === null) return null;
  const { report } = conversion;
  return {
    ...conversion,
    report: { ...report, warnings: [warning('ARCHIVE_FILE', say('archive.onlyFile', { file })), ...report.warnings] },
  };
}

function listNotSent(name: string, files: readonly ArchiveFile[]): AppError {
  const names = files.slice(0, NAMES_SHOWN).map((file) => file.name);
  return new AppError('INVALID_REQUEST', say('archive.listNotSent', { name, files: files.length }), {
    hint: say('archive.listNotSent.hint', { names, more: files.length - names.length }),
  });
}

/** Throws INVALID_REQUEST for options that would be ignored. */
function refuseForeign(format: Format | null, request: ConvertRequest): void {
  const options = foreignOptions(format, request);
  if (options.length === 0) return;
  const { as = 'auto' } = request;
  const about = { format: format ?? 'text', as, options, takes: [...optionsTaken(format, as)] };
  throw new AppError('INVALID_REQUEST', say('options.foreign', about), { hint: say('options.foreign.hint', about) });
}

function refuseTwoStarts({ header_row: row, skip }: ConvertRequest): void {
  if (row === undefined || skip === undefined) return;
  throw new AppError('INVALID_REQUEST', say('options.twoStarts', { row, skip }), { hint: say('options.twoStarts.hint', {}) });
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
  const isNamed = hasEntries(named.format);
  const format = isNamed ? named.format : (request.format ?? null);
  if (!hasEntries(format)) {
    throw new AppError('INVALID_REQUEST', say('entry.noArchive', { name: source.name }), {
      hint: say('entry.noArchive.hint', {}),
    });
  }
  const archive = isArchive(format)
    ? await openArchive(source, { format, compression: named.compression }, bounds, signal)
    : heldArchive(
        format === 'pdf'
          ? await (await import('../documents/pdf.ts')).attachedFiles(source, bounds, signal)
          : await (await import('../documents/mail.ts')).enclosedFiles(source, format, bounds, signal),
      );
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
  const types = recordTypes(content.report.format, request);
  const found = types ? typedValue(content.value, types, request) : content.value;
  const transformed = await applyTransform(found, transform, bounds, signal);
  // The columns of a table are known: another name is a mistake, as it is in select.
  const stranger = content.report.columns && transformed.warnings.find(({ code }) => code === 'EXPRESSION_NAMES');
  if (stranger)
    throw new AppError('TRANSFORM_FAILED', stranger.said?.message as Message, { hint: say('expression.failed.hint') });
  const wanted = typesAfter(request);
  const typed = wanted ? typedValue(transformed.value, wanted, request) : transformed.value;
  const columns = transformedColumns(content.report.columns, transform);
  const absent = absentColumns(columns, request);
  const filled = absent.size > 0 && typed.kind === 'array' ? withoutNulls(typed, absent) : typed;
  const isNamed = columns !== null && request.header !== false;
  const rows =
    isNamed && filled.kind === 'array' && wantsRows(request.place)
      ? headerAndRows(
          filled,
          columns.map(({ name }) => name),
        )
      : filled;
  const value = await inTextForm(rows, isNamed ? columns : null, request, content.report.format);
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
      warnings: [...content.report.warnings, ...transformed.warnings, ...(rows === filled ? [] : [headerNote()])],
      as,
      columns,
      kind: payload.kind,
      records: payload.records,
      outputBytes: payload.bytes,
      tokens,
    },
  };
}

const headerNote = () => warning('HEADER_AS_ROW', say('warning.headerAsRow'));

/** Columns with empty cells that the tool's schema lets be absent and not null. */
function absentColumns(columns: ConversionReport['columns'], { place }: ConvertRequest): ReadonlySet<string> {
  if (columns === null || place === undefined) return new Set();
  const whereEmpty = emptyCells(place.inputSchema, place.segments);
  return new Set(columns.filter(({ name, empty }) => empty > 0 && whereEmpty(name) === 'absent').map(({ name }) => name));
}

async function verbatimContent(
  source: ByteSource,
  request: ConvertRequest,
  progress: ScanProgress,
  head: number | undefined,
): Promise<Content> {
  const { base64Json, dataUriPrefix } = await import('../text/text-reader.ts');
  const { signal, bytesOnly = false } = request;
  const named = detectFormat(source.name, request.format);
  const prefix = request.as === 'data_uri' ? await dataUriPrefix(source.name) : '';
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
  if (request.as !== 'text' && request.format !== 'text') await refuseOther(source, named, request);
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
    // Neither its name nor its bytes say that it is text.
    if (error instanceof AppError && error.said.message?.code === 'encoding.none' && named.format === null)
      throw unknownFormat(source.name);
    if (!(error instanceof AppError) || error.code !== 'PARSE_FAILED' || (format !== 'json' && format !== 'jsonl')) throw error;
    const found = format === 'json' ? await jsonLines(error, source, request, head) : undefined;
    return found ?? relaxedContent(format, error, source, request, head);
  }
}

/** Whether the warning comes from a decoder that probably read binary data. */
const isSuspicious = ({ code }: { code: string }): boolean => code === 'NUL_CHARACTERS' || code === 'ENCODING_GUESSED';

function throwIf(error: AppError | undefined): void {
  if (error) throw error;
}

/** Format after `as`: `as: "text"` reads any format as text, `as: "json"` reads text as JSON. */
function formatAs(as: ConvertRequest['as'], named: Format | null): TextFormat {
  if (as === 'text' || isOpened(named)) return 'text';
  if (as === 'json' && (named === null || named === 'text')) return 'json';
  return named ?? 'text';
}
