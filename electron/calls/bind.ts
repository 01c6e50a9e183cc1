/** Binds: converts each file for its place in the arguments, and puts it there. */

import path from 'node:path';
import mime from 'mime';
import { type ConversionOptions, type Warning, warning } from '../../shared/model/conversion.ts';
import { AppError } from '../../shared/model/errors.ts';
import { type AsMode, type Format, formatTable, isDocument, isOpened } from '../../shared/model/formats.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';
import { type BoundArguments, bindArguments } from '../binding/bind.ts';
import { formatDataKey, parseDataKey } from '../binding/data-key.ts';
import { idempotencyArgument, idempotencyKey } from '../binding/idempotency.ts';
import { heldPayload, recordsOf } from '../binding/payload-parts.ts';
import { type DescribedTool, type Fill, type FormEvidence, fillsBeside, formEvidence, nameBeside } from '../binding/text-form.ts';
import type { SchemaPlace } from '../engine/core/convert-types.ts';
import { isJsonObject, type JsonObject, setMember } from '../engine/core/json-object.ts';
import { type JsonStream, type Payload, textOf } from '../engine/core/payload.ts';
import { detectFormat } from '../engine/input/detect.ts';
import { placeMatters, propertyNames, schemaAt } from '../engine/schema/schema-advice.ts';
import type { StoredReceipt } from '../store/receipts.ts';
import { LONGEST_VALUE, parameterHeaders } from '../upstream/parameter-headers.ts';
import type { UpstreamTool } from '../upstream/types.ts';
import { contentHash, type PreparedPayload, preparePayload, recordCount } from './convert.ts';
import type { OpenedFiles, PlacedFiles } from './open.ts';
import type { CallDeps, FileCallRequest } from './types.ts';

/** Files of one call that are converted at the same time. */
const AT_ONCE = 8;

/** The arguments of the call with one record of the list, from 0, for calls with a record each. */
export type BindRecord = (record: Payload, index: number) => Promise<BoundArguments>;

export interface BindRun {
  readonly deps: CallDeps;
  readonly request: FileCallRequest;
  readonly tool: UpstreamTool;
  /** The receipt it goes on with. */
  readonly resumed: StoredReceipt | undefined;
  /** Names the receipt of this call. */
  readonly receiptId: string;
  readonly signal: AbortSignal;
}

export interface BoundFiles {
  readonly payloads: readonly PreparedPayload[];
  /** Of the first call, where each record gets one of its own. */
  readonly bound: BoundArguments;
  /** Idempotency keys, where the tool takes one. */
  readonly keys: CallKeys | undefined;
  /** Present where each record gets a call of its own. */
  readonly bindRecord?: BindRecord;
}

const inferredNote = (name: string): Warning =>
  warning('DATA_KEY_INFERRED', say('warning.dataKeyInferred', { key: formatDataKey([name]) }));

/**
 * Converts and binds. Where the place is only known after binding, a table is read again if the schema there types its columns.
 * `asks`: the content is sealed, so that what is shown is sent even if the file changes meanwhile.
 */
export async function bindFiles(
  { deps, request, tool, resumed, receiptId, signal }: BindRun,
  opened: OpenedFiles,
  asks: boolean,
): Promise<BoundFiles> {
  const each = sendsEach(request, resumed);
  const limits = deps.config().limits;
  const sealed = asks || undefined;
  const { inputSchema } = tool;
  const schemaPlace = (segments: readonly (string | number)[], combine: string): SchemaPlace => {
    // A file of a list of files is a record itself.
    if (combine === 'list') return { inputSchema, segments: each ? segments : [...segments, 0] };
    return each ? placeOfEach(inputSchema, segments) : { inputSchema, segments };
  };
  const fills = new Map<OpenedFiles['placed'][number], readonly Fill[]>();
  /** Where files went that are no text, and had no data key. */
  const inferred = new Map<OpenedFiles['placed'][number], string>();
  const keyOf = (place: OpenedFiles['placed'][number]) => place.spec.dataKey ?? inferred.get(place);
  const prepareAt = async (place: OpenedFiles['placed'][number], segments: (string | number)[]): Promise<PreparedPayload> => {
    const at = schemaPlace(segments, place.spec.combine);
    const convert = (spec: PlacedFiles) => preparePayload(opened, { ...place, spec }, limits, { sealed, place: at, signal });
    // Records of their own calls are no content of a text.
    const form = each ? undefined : chosenForm(tool, at.segments, request.tool_args, place.spec);
    let spec = form?.spec ?? place.spec;
    const { otherwise } = form ?? {};
    const payload = await convert(spec).catch((error: unknown) => {
      if (otherwise === undefined || !isNoText(error)) throw error;
      spec = otherwise;
      return convert(otherwise);
    });
    fills.set(place, place.spec.combine === 'list' || each ? [] : filledBeside(tool, segments, request.tool_args, spec));
    return { ...payload, notes: [...(payload.notes ?? []), ...formNotes(formatDataKey(segments), form, spec)] };
  };
  const prepare = (place: OpenedFiles['placed'][number]) => {
    const { dataKey } = place.spec;
    if (dataKey !== undefined) return prepareAt(place, parseDataKey(dataKey));
    return preparePayload(opened, place, limits, { sealed, place: undefined, signal }).catch((error: unknown) => {
      // What is no text can only be meant for the parameter that takes bytes.
      const name = opened.placed.length === 1 && !each && isNoText(error) ? bytesParameter(tool, request.tool_args) : undefined;
      if (name === undefined) throw error;
      inferred.set(place, formatDataKey([name]));
      return prepareAt(place, [name]).then((payload) => ({ ...payload, notes: [inferredNote(name), ...(payload.notes ?? [])] }));
    });
  };
  const payloads: PreparedPayload[] = [];
  for (let from = 0; from < opened.placed.length; from += AT_ONCE) {
    payloads.push(...(await Promise.all(opened.placed.slice(from, from + AT_ONCE).map(prepare))));
  }
  const keysFor = callKeys(deps, request, tool, receiptId, resumed);
  const filled = () =>
    agreed(
      opened.placed.map((place) => fills.get(place) ?? []),
      request.tool_args ?? {},
      opened.placed.flatMap((place) => [keyOf(place) ?? []].flat().map(parseDataKey)),
    );
  const bindAll = (placed: readonly Payload[], first: number, last: number) => {
    const keys = keysFor?.(payloads);
    return bindArguments({
      toolArgs: withFills(request.tool_args ?? {}, filled()),
      placements: placed.map((payload, index) => {
        const place = opened.placed[index] as OpenedFiles['placed'][number];
        const { sources } = place.spec;
        return { dataKey: keyOf(place), payload, orText: sources.every(({ options }) => options.as === 'json') };
      }),
      onConflict: request.on_conflict ?? 'error',
      inputSchema,
      tool,
      key: keys && { path: keys.path, value: keys.of(first, last), replace: keys.given },
      signal,
    });
  };
  const bindRecord = (record: Payload, index: number) =>
    bindAll([record], index, index).catch((error: unknown) => {
      throw error instanceof AppError ? inRecord(error, index) : error;
    });
  const bind = async () => {
    const [list, ...others] = payloads;
    if (!each || list?.kind !== 'array' || others.length > 0) return bindAll(payloads, 0, Math.max(0, recordCount(payloads) - 1));
    for await (const { record } of recordsOf(list, Number.POSITIVE_INFINITY, signal)) return bindRecord(record, 0);
    return bindRecord(heldPayload(Buffer.from('{}')), 0);
  };
  let bound = await bind();
  let again = false;
  for (const [index, place] of opened.placed.entries()) {
    const at = bound.at[index];
    if (keyOf(place) !== undefined || at === undefined) continue;
    const found = schemaPlace(at, place.spec.combine);
    const options = place.spec.sources.map((source) => source.options);
    const isFormed = !each && at.length > 0 && chosenForm(tool, found.segments, request.tool_args, place.spec) !== undefined;
    if (!isFormed && !payloads[index]?.reports.some((report, i) => placeMatters(report, options[i] ?? {}, found))) continue;
    payloads[index] = await prepareAt(place, at);
    again = true;
  }
  if (again) bound = await bind();
  bound.warnings.push(...fillNotes(filled()));
  const keys = bound.keyAt === undefined ? undefined : keysFor?.(payloads);
  return { payloads, bound, keys, ...(each ? { bindRecord } : {}) };
}

/** Whether each record gets a call of its own, as it is asked for or was in the call that is gone on with. */
export const sendsEach = ({ batch }: Pick<FileCallRequest, 'batch'>, resumed: Pick<StoredReceipt, 'head'> | undefined): boolean =>
  (typeof batch === 'object' && batch.each === true) || resumed?.head.batch.each === true;

/** Says which record of several an error is about. */
export const inRecord = (error: AppError, record: number): AppError =>
  new AppError(error.code, say('batch.inRecord', { error: error.asText, record }), {
    ...(error.hintAsText === undefined ? {} : { hint: error.hintAsText }),
    details: error.details,
    cause: error,
  });

/** A name that no tool has. */
const RECORDS = '\u0000records';

/** The place of a list whose records each go to `segments`: that of a list of such records. */
export function placeOfEach(inputSchema: JsonObject, segments: readonly (string | number)[]): SchemaPlace {
  const items = schemaAt(inputSchema, segments) ?? {};
  const properties = {
    ...(isJsonObject(inputSchema.properties) ? inputSchema.properties : {}),
    [RECORDS]: { type: 'array', items },
  };
  return { inputSchema: { ...inputSchema, properties }, segments: [RECORDS], isRecords: true };
}

// Idempotency keys: one for each message, the same again when the same records are sent again.

export interface CallKeys {
  /** Names from the root of the arguments to the key. */
  readonly path: readonly string[];
  /** Whether the caller gave a key, which each batch replaces with one derived from it. */
  readonly given: boolean;
  /** The key of the message with these records. */
  of(first: number, last: number): string;
}

/**
 * Undefined for a tool without such an argument, and where the caller's own key is sent as it is. In batches, one key for all of them would
 * make the server take the second for a repetition of the first.
 *
 * A batch whose outcome is unknown is repeated with its key. One that the server refused gets a new key, because servers answer a
 * known key with the outcome they stored.
 */
export function callKeys(
  { upstreams }: Pick<CallDeps, 'upstreams'>,
  request: Pick<FileCallRequest, 'server' | 'tool_name' | 'tool_args' | 'batch'>,
  tool: Pick<UpstreamTool, 'inputSchema'>,
  receiptId: string,
  resumed: Pick<StoredReceipt, 'events'> | undefined,
): ((payloads: readonly PreparedPayload[]) => CallKeys) | undefined {
  const set = upstreams.config(request.server)?.idempotencyKeys ?? {};
  const named = Object.hasOwn(set, request.tool_name) ? set[request.tool_name] : idempotencyArgument(tool.inputSchema);
  if (named === undefined || named === null) return undefined;
  const path = Object.hasOwn(set, request.tool_name) ? named.split('.') : [named];
  const own = memberAt(request.tool_args ?? {}, path);
  if (own !== undefined && (request.batch === undefined || typeof own !== 'string')) return undefined;
  const refusals = resumed?.events.filter(([event]) => event === 'refused') ?? [];
  return (payloads) => {
    const sha256 = contentHash(payloads);
    return {
      path,
      given: own !== undefined,
      of(first, last) {
        const refused = refusals.filter((event) => event[1] <= last && event[2] >= first).length;
        return idempotencyKey(own ?? receiptId, sha256, first, last, refused);
      },
    };
  };
}

function memberAt(args: JsonObject, path: readonly string[]): unknown {
  let value: unknown = args;
  for (const name of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** How an agent repeats a single call so that the server can recognize the repetition. */
export const repeatHint = (argument: string, key: string): Message => say('idempotency.repeat', { argument, key });

// Arguments that go in HTTP headers as well. Only tools that declare such parameters cost anything.

/** Longer arguments are not read for headers. Bytes. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Arguments that go in HTTP headers as well; undefined for a tool without such arguments. */
export type ParameterHeaders = Record<string, string> | undefined;

export function headersOf(tool: UpstreamTool, args: JsonStream): Promise<ParameterHeaders> {
  return parameterHeaders(tool, async () => (args.bytes > MOST_BYTES ? Buffer.from('{}') : await textOf(args)));
}

/** As null stands what is too long for a header. */
export function headersOfBound(
  tool: UpstreamTool,
  bound: BoundArguments,
  payloads: readonly PreparedPayload[],
): Promise<ParameterHeaders> {
  return parameterHeaders(tool, async () => {
    const parts = bound.outline.map(async (part) => {
      if (typeof part === 'string') return Buffer.from(part);
      const payload = payloads[part];
      const asMembers = bound.at[part]?.length === 0;
      if (payload === undefined || payload.bytes > LONGEST_VALUE) return Buffer.from(asMembers ? '"":null' : 'null');
      const text = await textOf(payload);
      return asMembers ? Buffer.from(text.toString().trim().slice(1, -1)) : text;
    });
    return Buffer.concat(await Promise.all(parts));
  });
}

// The form in which a file goes to a parameter for text, where the caller does not say: as the tool asks for.

type Segments = readonly (string | number)[];

export interface ChosenForm {
  /** The files, with the form of each. */
  spec: PlacedFiles;
  /** The same in the other form, for a file that turns out not to be text. */
  otherwise: PlacedFiles | undefined;
  evidence: FormEvidence;
}

/** Undefined where the caller says the form, or the tool says nothing. */
export function chosenForm(tool: DescribedTool, segments: Segments, args: unknown, spec: PlacedFiles): ChosenForm | undefined {
  if (spec.sources.some(({ options }) => options.as !== undefined)) return undefined;
  const evidence = formEvidence(tool, segments, args) ?? pageEvidence(tool, segments, args, spec);
  if (evidence === undefined) return undefined;
  const given = (asOf: (format: Format | null, options: ConversionOptions) => AsMode): PlacedFiles => ({
    ...spec,
    sources: spec.sources.map(({ path: file, options }) => ({
      path: file,
      options: { ...options, as: asOf(formatOf(file, options.format), options) },
    })),
  });
  const { form } = evidence;
  if (!evidence.orText) return { spec: given((format, options) => asFor(form, format, options)), otherwise: undefined, evidence };
  const whole = given(() => asFor(form, null));
  const first = evidence.orValue ? 'auto' : 'text';
  if (spec.sources.every(isPage)) return { spec: given(() => 'html'), otherwise: undefined, evidence };
  if (spec.sources.some(({ path: file, options }) => isOpened(formatOf(file, options.format))))
    return evidence.orValue ? undefined : { spec: whole, otherwise: undefined, evidence };
  const ofText = (format: Format | null, options: ConversionOptions) => asFor('text', format, options);
  return { spec: given(first === 'auto' ? () => first : ofText), otherwise: whole, evidence };
}

/** A web page goes as its source where a parameter beside it names the file, and else as what it says. */
function pageEvidence(tool: DescribedTool, segments: Segments, args: unknown, spec: PlacedFiles): FormEvidence | undefined {
  const said = spec.sources.every(isPage) ? nameBeside(tool, segments, args, /\.x?html?$/i) : undefined;
  return said === undefined ? undefined : { form: 'html', orText: false, said };
}

const isPage = ({ path: file, options }: PlacedFiles['sources'][number]): boolean => formatOf(file, options.format) === 'html';

const formatOf = (file: string, asked: Format | undefined): Format | null => detectFormat(path.basename(file), asked).format;

/** How a file of the format becomes a text of the form: what a transform makes of it is no longer the file's own text. */
export function asFor(form: FormEvidence['form'], format: Format | null, { transform }: ConversionOptions = {}): AsMode {
  if (form === 'base64' || form === 'data_uri') return form;
  if (isDocument(format)) return form === 'html' ? 'html' : 'auto';
  const kind = format === null ? 'text' : formatTable[format].kind;
  if (form === 'markdown' && kind === 'records') return 'markdown';
  if (form === 'csv' && kind === 'records' && format !== 'csv') return 'csv';
  if (form === 'json' && (kind === 'records' || kind === 'value') && format !== 'json') return 'json';
  if (transform === undefined || (kind !== 'records' && kind !== 'value')) return 'text';
  return kind === 'records' && transform.expression === undefined ? 'csv' : 'json';
}

/** Whether a file turned out to hold no text. */
export const isNoText = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'FORMAT_UNKNOWN' || error.code === 'ENCODING_INVALID');

/** The only free parameter that takes bytes as text. */
export function bytesParameter(tool: DescribedTool, args: JsonObject = {}): string | undefined {
  const names = propertyNames(tool.inputSchema).filter((name) => {
    const form = Object.hasOwn(args, name) ? undefined : formEvidence(tool, [name], args)?.form;
    return form === 'base64' || form === 'data_uri';
  });
  return names.length === 1 ? names[0] : undefined;
}

const isBytes = (as: AsMode | undefined): boolean => as === 'base64' || as === 'data_uri';

/** Says which form was chosen, where the tool takes several or the file's own text was changed. */
export function formNotes(key: string, form: ChosenForm | undefined, spec: PlacedFiles): Warning[] {
  if (form === undefined) return [];
  const { said, form: asked, orText, orValue } = form.evidence;
  const as = spec.sources[0]?.options.as ?? 'text';
  // A page as its own source is no other form of it.
  if (as === 'html' && spec.sources.every(isPage)) return [];
  if (as === 'auto' || (orValue && !isBytes(as))) return [];
  const isChanged = as !== 'text' && !isBytes(as);
  if (!orText && !isChanged) return [];
  return [warning('FORM_CHOSEN', say('warning.formChosen', { key, as, said, other: as === 'text' ? asked : 'text' }))];
}

export const fillNotes = (fills: readonly Fill[]): Warning[] =>
  fills.map(({ segments, value }) =>
    warning('ARGUMENT_FILLED', say('warning.argumentFilled', { key: formatDataKey(segments), value: String(value) })),
  );

/** Those of each file that can be filled in: that no other file describes otherwise or goes to, and that replace nothing of the caller's. */
export function agreed(fills: readonly (readonly Fill[])[], args: JsonObject, taken: readonly Segments[]): Fill[] {
  const keyed = fills.flat().map((fill) => ({ fill, key: formatDataKey(fill.segments) }));
  const places = new Set(taken.map((segments) => formatDataKey(segments)));
  return keyed
    .filter(({ fill, key }, at) => {
      if (places.has(key) || keyed.findIndex((other) => other.key === key) !== at) return false;
      return keyed.every((other) => other.key !== key || other.fill.value === fill.value) && isFree(args, fill.segments);
    })
    .map(({ fill }) => fill);
}

/** Whether every container on the way is there as it must be, or absent. */
function isFree(container: unknown, [step, ...rest]: Segments): boolean {
  if (step === undefined) return container === undefined || container === null;
  if (container === undefined) return typeof step === 'string';
  if (typeof step === 'number') return Array.isArray(container) && step < container.length && isFree(container[step], rest);
  return isJsonObject(container) && isFree(Object.hasOwn(container, step) ? container[step] : undefined, rest);
}

/** What describes the file beside its parameter, where the caller gives none. */
export function filledBeside(tool: DescribedTool, segments: Segments, args: unknown, spec: PlacedFiles): Fill[] {
  const [file, ...others] = spec.sources;
  if (file === undefined || others.length > 0) return [];
  const name = path.basename(file.path);
  return fillsBeside(tool, segments, args, {
    name,
    mediaType: mime.getType(name) ?? undefined,
    isBytes: isBytes(file.options.as),
    fill: isBytes(file.options.as) ? formEvidence(tool, segments, args)?.fill : undefined,
  });
}

/** The arguments with what was filled in; containers on the way are made. */
export function withFills(args: JsonObject, fills: readonly Fill[]): JsonObject {
  return fills.reduce((given, { segments, value }) => set(given, segments, value) as JsonObject, args);
}

function set(container: unknown, [step, ...rest]: Segments, value: Fill['value']): unknown {
  if (step === undefined) return value;
  if (typeof step === 'number') {
    const list = Array.isArray(container) ? [...container] : [];
    list[step] = set(list[step], rest, value);
    return list;
  }
  const object: JsonObject = isJsonObject(container) ? { ...container } : {};
  setMember(object, step, set(Object.hasOwn(object, step) ? object[step] : undefined, rest, value));
  return object;
}
