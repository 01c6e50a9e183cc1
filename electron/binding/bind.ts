/** Binds payloads to a tool's arguments: JSON text with slots that are filled while it is sent. */

import { type PayloadKind, type Warning, warning } from '../../shared/model/conversion.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { exactJson } from '../engine/core/exact-numbers.ts';
import { throwIfCancelled } from '../engine/core/failures.ts';
import { isJsonObject, type JsonObject, setMember } from '../engine/core/json-object.ts';
import type { JsonStream, Payload } from '../engine/core/payload.ts';
import type { ReadOptions } from '../engine/core/source.ts';
import { type ObjectOutline, scanObject } from '../engine/json/json-members.ts';
import { declarationsOf, propertyNames } from '../engine/schema/schema-advice.ts';
import { type Alternatives, typesOf, walkSchema } from '../engine/schema/schema-walk.ts';
import { type ArgumentNode, conflict, type ObjectNode, placeHole, placeKey, refuseGaps, rootNode } from './argument-tree.ts';
import { formatDataKey, parseDataKey } from './data-key.ts';
import { takesFile } from './payload-parameters.ts';
import { type PayloadSample, samplePayload } from './payload-parts.ts';
import type { DescribedTool } from './text-form.ts';

/** A payload and its data key, if given. */
export interface Placement {
  dataKey: string | undefined;
  payload: Payload;
  /** Whether it becomes a text where no other argument takes it. */
  orText?: boolean;
}

export interface BindRequest {
  toolArgs: JsonObject;
  placements: Placement[];
  onConflict: 'error' | 'overwrite';
  inputSchema: JsonObject;
  /** What the parameters are for, where several take a payload. */
  tool?: DescribedTool | undefined;
  /** Goes where neither `toolArgs` nor a payload has a value; `replace`: in place of the value in `toolArgs`. */
  key?: { path: readonly string[]; value: string; replace: boolean } | undefined;
  signal?: AbortSignal | undefined;
}

/** A tool's arguments with the payloads at their places. */
export interface BoundArguments extends JsonStream {
  /** Place of each payload, by placement; no segments: merged into the root. */
  readonly at: (string | number)[][];
  readonly warnings: Warning[];
  /** Data key of the idempotency key that was put in. */
  readonly keyAt: string | undefined;
  /** What was given for a placement. */
  placed(index: number): JsonStream;
  /** The JSON text in pieces; a number is the placement whose payload goes there. */
  readonly outline: readonly (string | number)[];
  /** The same arguments with one payload that is not merged replaced, and the idempotency key, for batches. */
  withPayload(index: number, replacement: JsonStream, key?: string): JsonStream;
  /**
   * The parsed arguments, with list payloads cut to their first records, and large strings and objects cut too;
   * `truncated` lists which placements were cut.
   */
  sample(maxRecords: number): Promise<{ value: unknown; truncated: boolean[] }>;
}

/** A payload that is merged into the root, with the offsets of its members. */
type Merges = Map<number, ObjectOutline>;

/**
 * Places every payload: at its data key; without one an object goes into the root, and other payloads at the only
 * argument that the schema leaves for them. Merging is by top-level name, and values keep their text. A name that
 * `toolArgs` also contains is refused, or replaced with a warning. Throws DATA_KEY_INVALID, BINDING_CONFLICT,
 * BINDING_AMBIGUOUS.
 */
export async function bindArguments(request: BindRequest): Promise<BoundArguments> {
  const { toolArgs, placements, inputSchema, key, signal, tool = { name: '', inputSchema } } = request;
  const overwrite = request.onConflict === 'overwrite';
  const root = rootNode(toolArgs);
  const warnings: Warning[] = [];
  const replaced = (key: string): void => {
    warnings.push(warning('ARGUMENT_REPLACED', say('warning.argumentReplaced', { key })));
  };
  const at: (string | number)[][] = placements.map(({ dataKey }) => (dataKey === undefined ? [] : parseDataKey(dataKey)));

  for (const [index, segments] of at.entries()) {
    if (segments.length === 0) continue;
    if (placeHole(root, segments, index, overwrite)) replaced(formatDataKey(segments));
  }
  refuseGaps(root);

  const unplaced = placements.flatMap(({ dataKey, payload, orText = false }, index) =>
    dataKey === undefined ? [{ payload, orText, index }] : [],
  );
  const merging = unplaced.filter(({ payload }) => payload.kind === 'object');
  const watched = new Set([...root.members.keys(), ...propertyNames(inputSchema), ...(key?.path.slice(0, 1) ?? [])]);
  const merges: Merges = new Map();
  const mergedNames = new Set<string>();
  for (const { payload, index } of merging) {
    const own = new Set<string>();
    const outline = await scanObject(payload.json(signal), (name) => {
      // Keeps only names that can clash: an object may have millions.
      if (merging.length > 1 || watched.has(name)) own.add(name);
    });
    for (const name of own) {
      if (mergedNames.has(name)) throw conflict(formatDataKey([name]), 'files');
      mergedNames.add(name);
      if (dropMember(root, name, overwrite)) replaced(formatDataKey([name]));
    }
    merges.set(index, outline);
  }

  const hasKey = key !== undefined && !mergedNames.has(key.path[0] ?? '') && placeKey(root, key.path, key.value, key.replace);

  const taken = new Set([...root.members.keys(), ...mergedNames]);
  for (const { payload, orText, index } of unplaced) {
    if (payload.kind === 'object') continue;
    const name = inferProperty(tool, payload.kind, taken, orText);
    taken.add(name);
    root.members.set(name, { kind: 'hole', placement: index });
    at[index] = [name];
    warnings.push(warning('DATA_KEY_INFERRED', say('warning.dataKeyInferred', { key: formatDataKey([name]) })));
  }
  return new Arguments({
    root,
    merges,
    payloads: placements.map(({ payload }) => payload),
    at,
    warnings,
    signal,
    keyAt: hasKey ? formatDataKey([...key.path]) : undefined,
  });
}

/** Removes arguments that a merged payload replaces. Returns whether there were any. */
function dropMember(root: ObjectNode, name: string, overwrite: boolean): boolean {
  const present = root.members.get(name);
  if (present === undefined) return false;
  // An opened or filled member means that another file was bound there.
  if (present.kind !== 'literal') throw conflict(formatDataKey([name]), 'files');
  if (!overwrite) throw conflict(formatDataKey([name]), 'tool_args');
  root.members.delete(name);
  return true;
}

/** A piece of the arguments' text: literal bytes, a payload, whole or without its braces, or the idempotency key. */
type Part = Uint8Array | { placement: number; inside?: ObjectOutline } | { key: string };

interface ArgumentParts {
  root: ObjectNode;
  merges: Merges;
  payloads: readonly Payload[];
  at: (string | number)[][];
  warnings: Warning[];
  keyAt: string | undefined;
  signal: AbortSignal | undefined;
}

class Arguments implements BoundArguments {
  readonly bytes: number;
  readonly at: (string | number)[][];
  readonly warnings: Warning[];
  readonly keyAt: string | undefined;
  readonly #from: ArgumentParts;
  readonly #parts: readonly Part[];

  constructor(from: ArgumentParts) {
    this.at = from.at;
    this.warnings = from.warnings;
    this.keyAt = from.keyAt;
    this.#from = from;
    this.#parts = writeParts(from.root, from.merges);
    this.bytes = partsLength(this.#parts, from.payloads);
  }

  json(signal?: AbortSignal, options?: ReadOptions): AsyncIterable<Uint8Array> {
    return streamParts(this.#parts, this.#from.payloads, signal, options);
  }

  placed(index: number): JsonStream {
    return this.#from.payloads[index] as Payload;
  }

  get outline(): (string | number)[] {
    const pieces: (string | number)[] = [];
    for (const part of this.#parts) {
      if ('placement' in part) pieces.push(part.placement);
      else {
        const text = Buffer.from('key' in part ? keyText(part.key) : part).toString('utf8');
        // Neighbouring texts are one piece.
        const before = pieces.at(-1);
        if (typeof before === 'string') pieces[pieces.length - 1] = before + text;
        else pieces.push(text);
      }
    }
    return pieces;
  }

  withPayload(index: number, replacement: JsonStream, key?: string): JsonStream {
    const payloads: JsonStream[] = this.#from.payloads.map((payload, each) => (each === index ? replacement : payload));
    const parts = key === undefined ? this.#parts : this.#parts.map((part) => ('key' in part ? { key } : part));
    return { bytes: partsLength(parts, payloads), json: (signal, options) => streamParts(parts, payloads, signal, options) };
  }

  async sample(maxRecords: number): Promise<{ value: unknown; truncated: boolean[] }> {
    const { payloads, root, merges, signal } = this.#from;
    const samples: PayloadSample[] = [];
    for (const payload of payloads) samples.push(await samplePayload(payload, maxRecords, signal));
    const value = sampleValue(root, (placement) => samples[placement]?.value) as JsonObject;
    for (const index of merges.keys()) {
      const merged = samples[index]?.value;
      if (isJsonObject(merged)) for (const [name, member] of Object.entries(merged)) setMember(value, name, member);
    }
    return { value, truncated: samples.map((sample) => sample.truncated) };
  }
}

function sampleValue(node: ArgumentNode, payloadAt: (placement: number) => unknown): unknown {
  switch (node.kind) {
    case 'literal':
    case 'key':
      return node.value;
    case 'hole':
      return payloadAt(node.placement);
    case 'list':
      return itemsOf(node).map((item) => sampleValue(item, payloadAt));
    case 'object': {
      const value: JsonObject = {};
      for (const [name, member] of node.members) setMember(value, name, sampleValue(member, payloadAt));
      return value;
    }
  }
}

const itemsOf = ({ items }: Extract<ArgumentNode, { kind: 'list' }>): ArgumentNode[] =>
  [...items.entries()].sort(([a], [b]) => a - b).map(([, item]) => item);

/** The text of the arguments around the payloads. */
function writeParts(root: ObjectNode, merges: Merges): Part[] {
  const parts: Part[] = [];
  let text = '';
  const hole = (part: Part): void => {
    if (text !== '') parts.push(Buffer.from(text));
    text = '';
    parts.push(part);
  };
  const write = (node: ArgumentNode): void => {
    if (node.kind === 'literal') {
      text += exactJson(node.value);
    } else if (node.kind === 'hole') {
      hole({ placement: node.placement });
    } else if (node.kind === 'key') {
      hole({ key: node.value });
    } else if (node.kind === 'list') {
      text += '[';
      for (const [index, item] of itemsOf(node).entries()) {
        if (index > 0) text += ',';
        write(item);
      }
      text += ']';
    } else {
      text += '{';
      writeMembers(node);
      text += '}';
    }
  };
  const writeMembers = (node: ObjectNode): void => {
    let first = true;
    for (const [name, member] of node.members) {
      text += `${first ? '' : ','}${JSON.stringify(name)}:`;
      first = false;
      write(member);
    }
  };
  text += '{';
  writeMembers(root);
  let first = root.members.size === 0;
  for (const [placement, inside] of merges) {
    if (inside.members === 0) continue;
    if (!first) text += ',';
    first = false;
    hole({ placement, inside });
  }
  text += '}';
  parts.push(Buffer.from(text));
  return parts;
}

const keyText = (key: string): Uint8Array => new TextEncoder().encode(JSON.stringify(key));

function partsLength(parts: readonly Part[], payloads: readonly JsonStream[]): number {
  let bytes = 0;
  for (const part of parts) {
    if (part instanceof Uint8Array) bytes += part.length;
    else if ('key' in part) bytes += keyText(part.key).length;
    else if (part.inside !== undefined) bytes += part.inside.close - part.inside.inside;
    else bytes += payloads[part.placement]?.bytes ?? 0;
  }
  return bytes;
}

async function* streamParts(
  parts: readonly Part[],
  payloads: readonly JsonStream[],
  signal: AbortSignal | undefined,
  options: ReadOptions | undefined,
): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    throwIfCancelled(signal);
    if (part instanceof Uint8Array) {
      // A copy, because the receiver owns the chunks and the arguments may be streamed again.
      yield new Uint8Array(part);
      continue;
    }
    if ('key' in part) {
      yield keyText(part.key);
      continue;
    }
    const payload = payloads[part.placement];
    if (payload === undefined) continue;
    if (part.inside === undefined) yield* payload.json(signal, options);
    else yield* cutStream(payload.json(signal, options), part.inside.inside, part.inside.close);
  }
}

/** The bytes of a stream from `start` up to `end`. */
async function* cutStream(chunks: AsyncIterable<Uint8Array>, start: number, end: number): AsyncGenerator<Uint8Array> {
  let offset = 0;
  for await (const chunk of chunks) {
    const from = Math.max(0, start - offset);
    const to = Math.min(chunk.length, end - offset);
    if (to > from) yield chunk.subarray(from, to);
    offset += chunk.length;
    if (offset >= end) return;
  }
}

/** A parameter with fixed values does not take a file's content. */
const isFixed = (alternatives: Alternatives): boolean =>
  alternatives.length > 0 &&
  alternatives.every((conjunction) => conjunction.some((schema) => Array.isArray(schema.enum) || Object.hasOwn(schema, 'const')));

function accepts(alternatives: Alternatives, kind: PayloadKind): boolean {
  if (alternatives.length === 0 || isFixed(alternatives)) return false;
  const types = typesOf(alternatives);
  return types === undefined || types.has(kind) || (kind === 'number' && types.has('integer'));
}

/**
 * The schema's only property outside `taken` that accepts a payload of this kind, or, with `orText`, a text; of several, the only one that is meant
 * for content. Throws BINDING_AMBIGUOUS with the candidates.
 */
function inferProperty(tool: DescribedTool, kind: PayloadKind, taken: ReadonlySet<string>, orText = false): string {
  const { inputSchema } = tool;
  const free = propertyNames(inputSchema)
    .filter((name) => !taken.has(name))
    .map((name) => {
      const alternatives = walkSchema(inputSchema, [name]) ?? [];
      const types = typesOf(alternatives);
      const fits = accepts(alternatives, kind);
      return { name, types: types === undefined ? null : [...types], fits, takesText: accepts(alternatives, 'string') };
    });
  const own = free.filter((candidate) => candidate.fits);
  const fitting = own.length > 0 || !orText ? own : free.filter((candidate) => candidate.takesText);
  const root = (walkSchema(inputSchema, []) ?? []).flat();
  const likely = fitting.filter(({ name }) => declarationsOf(root, name).some((schema) => takesFile(tool, name, schema)));
  const [only] = likely.length === 1 ? likely : fitting;
  if (only !== undefined && (likely.length === 1 || fitting.length === 1)) return only.name;
  const candidates = (fitting.length > 0 ? fitting : free).map(({ name, types }) => ({ key: formatDataKey([name]), types }));
  const message =
    fitting.length > 1
      ? say('binding.several', { holds: kind, candidates })
      : free.length > 0
        ? say('binding.noneFits', { holds: kind, candidates })
        : say('binding.noneFree', { holds: kind });
  throw new AppError('BINDING_AMBIGUOUS', message, {
    hint:
      kind === 'array' && fitting.length === 0
        ? say('binding.list.hint', { text: free.some(({ takesText }) => takesText) })
        : say('binding.ambiguous.hint'),
    details: { candidates: (fitting.length > 0 ? fitting : free).map(({ name }) => name) },
  });
}
