/** Converts a companion's arguments to a call request. */

import path from 'node:path';
import { z } from 'zod';
import { batchSchema } from '../../shared/model/call.ts';
import type { Config } from '../../shared/model/config.ts';
import { type ConversionOptions, conversionShape } from '../../shared/model/conversion.ts';
import { AppError } from '../../shared/model/errors.ts';
import type { AsMode } from '../../shared/model/formats.ts';
import { type Message, nearNames, saidWith, say, type Text } from '../../shared/model/messages/message.ts';
import { formatDataKey, parseDataKey } from '../binding/data-key.ts';
import { takesFile } from '../binding/payload-parameters.ts';
import { type DescribedTool, formEvidence } from '../binding/text-form.ts';
import { asFor } from '../calls/bind.ts';
import type { CallService } from '../calls/service.ts';
import type { CallRequest, FileCallRequest } from '../calls/types.ts';
import { isJsonObject, type JsonObject, setMember } from '../engine/core/json-object.ts';
import { detectFormat } from '../engine/input/detect.ts';
import { declarationsOf } from '../engine/schema/schema-advice.ts';
import {
  type Alternatives,
  alternativesOf,
  everyWayDown,
  resolveReference,
  typesOf,
  walkSchema,
} from '../engine/schema/schema-walk.ts';
import { namedPath } from '../files/paths.ts';
import { checkArguments } from '../server/check-arguments.ts';
import type { UpstreamPool, UpstreamTool } from '../upstream/types.ts';
import { type CompanionNames, companionNames } from './companion-names.ts';

export type CompanionRequest = Pick<CompanionArguments, 'likePaths'> &
  ({ kind: 'files'; request: FileCallRequest } | { kind: 'plain'; request: CallRequest });

const optionsSchema = z.strictObject({
  ...conversionShape,
  batch: batchSchema.optional(),
  background: z.boolean().optional(),
  dry_run: z.boolean().optional(),
});

/** Throws INVALID_REQUEST for errors in the companion's added parameters; the tool's schema is checked during the call. */
export function companionRequest(server: string, tool: UpstreamTool, args: JsonObject): CompanionRequest {
  const { toolArgs, files, options, likePaths } = companionArguments(tool, args);
  const names = companionNames(tool.inputSchema);
  const conversion = options === undefined ? undefined : optionsOf(names, options);
  const call = { server, tool_name: tool.name, tool_args: toolArgs };
  if (files.length === 0) {
    if (conversion === undefined) return { kind: 'plain', request: call, likePaths };
    throw new AppError('INVALID_REQUEST', say('companion.optionsOnly', { parameter: names.options }), {
      hint: say('companion.optionsOnly.hint', { parameter: names.options }),
    });
  }
  const bindings = files.map(({ path: file, dataKey, declared }) => ({
    path: file,
    data_key: dataKey,
    as: conversion?.as ?? defaultForm(tool, toolArgs, dataKey, declared, file, conversion),
  }));
  return { kind: 'files', request: { ...call, ...conversion, as: undefined, files: bindings }, likePaths };
}

/**
 * A text takes the file's own text, unless the tool says another form, which the call finds: undefined then. `declared`: schemas of a parameter that
 * cannot be reached by its path, such as under patterns.
 */
function defaultForm(
  tool: UpstreamTool,
  args: JsonObject,
  dataKey: string,
  declared: readonly unknown[],
  file: string,
  options: ConversionOptions = {},
): AsMode | undefined {
  const { inputSchema } = tool;
  const segments = parseDataKey(dataKey);
  const { format } = detectFormat(path.basename(namedPath(file)), options.format);
  const reached = walkSchema(inputSchema, segments);
  const types = typesOf(reached ?? declared.flatMap((schema) => alternativesOf(inputSchema, schema)));
  types?.delete('null');
  if (types !== undefined && !types.has('string')) return 'json';
  if (types === undefined || types.has('array') || types.has('object')) return undefined;
  if (reached) return formEvidence(tool, segments, args) ? undefined : asFor('text', format, options);
  const name = String(segments.at(-1));
  const alone = { ...tool, inputSchema: { ...inputSchema, properties: { [name]: { anyOf: declared } } } };
  return asFor(formEvidence(alone, [name])?.form ?? 'text', format, options);
}

/** The options, validated under the name that the caller used. */
const optionsOf = (names: CompanionNames, options: unknown): z.infer<typeof optionsSchema> =>
  checkArguments(z.strictObject({ [names.options]: optionsSchema }), { [names.options]: options })[names.options] as z.infer<
    typeof optionsSchema
  >;

/** Hints name parameters of the general tools; a companion has them inside its options. */
export function companionHint({ inputSchema }: UpstreamTool): (error: AppError) => Text | undefined {
  const { options } = companionNames(inputSchema);
  return ({ code, said, details: { format, line, column } }) => {
    // Content without a recognizable name or format is read as JSON, and is none from its first character on.
    if (code === 'PARSE_FAILED' && format === 'JSON' && line === 1 && column === 1) return say('companion.formats', { options });
    return said.hint === undefined ? undefined : saidWith(said.hint, { options });
  };
}

/** Lets `call_tool` and `call_tool_and_store` take files for parameters, as companions do. */
export function withCompanions(service: CallService, upstreams: UpstreamPool, expose: () => Config['expose']): CallService {
  const through =
    (plain: CallService['callAndStore']): CallService['callAndStore'] =>
    async (request, caller) => {
      const { server, tool_name, tool_args } = request;
      if (tool_args === undefined || expose().upstreamTools === 'none') return plain(request, caller);
      let tool: UpstreamTool;
      try {
        tool = await upstreams.tool(server, tool_name, { signal: caller.signal });
      } catch {
        // The call itself reports the error, in the caller's format.
        return plain(request, caller);
      }
      let made: CompanionRequest;
      try {
        made = companionRequest(server, tool, tool_args);
      } catch (error) {
        return service.refuse({ server, tool: tool_name }, error, caller, request.output_format);
      }
      if (made.kind === 'plain') return plain(request, caller);
      const { server: _s, tool_name: _n, tool_args: _a, ...output } = request;
      return service.callWithFile({ ...output, ...made.request }, { ...caller, hintFor: companionHint(tool) });
    };
  return { ...service, call: through(service.call), callAndStore: through(service.callAndStore) };
}

// The arguments of the tool and its files

type Segments = readonly (string | number)[];

export interface CompanionArguments {
  /** The tool's arguments without those that come from files. */
  toolArgs: JsonObject;
  /** `declared`: the schemas of the parameter. */
  files: { path: string; dataKey: string; declared: readonly unknown[] }[];
  /** Conversion options, unchecked. */
  options: unknown;
  /** Values that look like a file's path in a parameter that takes content: the parameter, and the one that takes a path. */
  likePaths: { parameter: string; companion: string }[];
}

const LIKE_A_PATH = /^(~?[/\\]|[a-z]:[/\\])[^\r\n]{1,1000}$/i;

/** Nothing but the address of a file, as other products take it in place of content. */
const FILE_ADDRESS = /^file:\/\/\S{1,2000}$/i;
/** Whether a parameter's own description speaks of addresses, which the server then reads itself. */
const takesAddresses = (nodes: readonly JsonObject[], name: string): boolean =>
  declarationsOf(nodes, name).some((schema) =>
    /\b(?:ur[il]s?|address|file:)/i.test(JSON.stringify(schema ?? '').slice(0, 2_000)),
  );

/** Deeper values are passed through unchanged: no supported place is nested that deep. */
const MAX_DEPTH = 512;

/**
 * Throws INVALID_REQUEST for a parameter that was given twice, or is required and missing; the error names it and, in a
 * list, the item.
 */
export function companionArguments(tool: DescribedTool, args: JsonObject): CompanionArguments {
  const { inputSchema } = tool;
  const names = companionNames(inputSchema);
  const { [names.options]: options, ...rest } = args;
  const files: CompanionArguments['files'] = [];
  const likePaths: CompanionArguments['likePaths'] = [];

  const nodesOf = (schemas: readonly unknown[]) => [...new Set(schemas.flatMap((schema) => schemaNodes(inputSchema, schema)))];
  // Uses the same schemas as the published one, so both accept the same parameters.
  const carries = (nodes: readonly JsonObject[], name: string): boolean => {
    const declared = declarationsOf(nodes, name);
    if (declared.some((schema) => takesFile(tool, name, schema))) return true;
    // A composed root is listed flat: what several schemas say of a parameter is one there.
    return declared.length > 1 && takesFile(tool, name, { anyOf: declared });
  };

  const take = (value: unknown, nodes: readonly JsonObject[], ways: Alternatives, segments: Segments): unknown => {
    if (nodes.length === 0 || segments.length > MAX_DEPTH) return value;
    const waysTo = (step: string | number) => everyWayDown(inputSchema, ways, step);
    if (Array.isArray(value)) {
      const inner = nodesOf(itemSchemas(nodes));
      return value.map((item, index) => take(item, inner, waysTo(index), [...segments, index]));
    }
    if (!isJsonObject(value)) return value;
    const kept: JsonObject = {};
    // Hosts that make models fill in every parameter send null for unused ones.
    const isSet = (name: string) => Object.hasOwn(value, name) && value[name] !== null;
    const byFile = new Map<string, string>();
    for (const key of Object.keys(value)) {
      const owner = names.ownerOf(key);
      if (owner === undefined) continue;
      if (carries(nodes, owner)) byFile.set(key, owner);
      else if (declarationsOf(nodes, owner).length > 0) {
        const hint = say('companion.takesNoFile.hint', { parameter: owner });
        throw wrong(say('companion.takesNoFile', { parameter: owner, key }), value, segments, owner, hint);
      }
    }
    const fromFiles = new Set([...byFile].flatMap(([key, owner]) => (isSet(key) ? [owner] : [])));
    for (const [key, member] of Object.entries(value)) {
      const owner = byFile.get(key);
      if (owner === undefined) {
        if (fromFiles.has(key) && member === null) continue;
        if (typeof member === 'string' && FILE_ADDRESS.test(member) && carries(nodes, key) && !takesAddresses(nodes, key)) {
          const about = { parameter: key, key: names.pathOf(key) };
          throw wrong(say('companion.addressAsValue', about), value, segments, key, say('companion.addressAsValue.hint', about));
        }
        if (typeof member === 'string' && LIKE_A_PATH.test(member) && carries(nodes, key)) {
          const here = (name: string) => formatDataKey([...segments, name]);
          likePaths.push({ parameter: here(key), companion: here(names.pathOf(key)) });
        }
        setMember(kept, key, take(member, nodesOf(memberSchemas(nodes, key)), waysTo(key), [...segments, key]));
        continue;
      }
      if (member === null) continue;
      if (isSet(owner)) throw wrong(say('companion.notBoth', { parameter: owner, key }), value, segments, owner);
      if (typeof member !== 'string' || member === '') {
        throw wrong(say('companion.pathOfFile', { key }), value, segments, owner);
      }
      files.push({ path: member, dataKey: formatDataKey([...segments, owner]), declared: declarationsOf(nodes, owner) });
    }
    for (const name of neededNames(ways)) {
      const path = names.pathOf(name);
      if (Object.hasOwn(value, name) || isSet(path) || !carries(nodes, name)) continue;
      const isStray = (key: string) => [key, names.ownerOf(key) ?? key].every((each) => declarationsOf(nodes, each).length === 0);
      const stray = Object.keys(value).find((key) => isStray(key) && nearNames(key, [path, name]) !== undefined);
      const hint = stray === undefined ? undefined : nearNames(stray, [path, name]);
      throw wrong(say('companion.either', { parameter: name, key: path }), value, segments, name, hint);
    }
    return kept;
  };

  const toolArgs = take(rest, schemaNodes(inputSchema, inputSchema), alternativesOf(inputSchema, inputSchema), []) as JsonObject;
  return { toolArgs, files, options: options ?? undefined, likePaths };
}

/** Names that every alternative of an object's schema requires. */
function neededNames(found: Alternatives): string[] {
  const objects = found.filter((conjunction) => typesOf([conjunction])?.has('object') ?? true);
  const needed = objects.map(
    (conjunction) => new Set<unknown>(conjunction.flatMap(({ required }) => (Array.isArray(required) ? required : []))),
  );
  return [...(needed[0] ?? [])].filter(
    (name): name is string => typeof name === 'string' && needed.every((names) => names.has(name)),
  );
}

const LABELS = ['path', 'name', 'filename', 'file', 'title', 'id', 'key'];

function wrong(what: Message, value: JsonObject, segments: Segments, parameter: string, hint?: Message): AppError {
  const label = LABELS.map((name) => value[name]).find((text): text is string => typeof text === 'string' && text.length <= 200);
  const item = typeof segments.at(-1) === 'number' && label !== undefined ? label : null;
  const message = segments.length === 0 ? what : say('companion.at', { place: formatDataKey(segments), item, what });
  return new AppError('INVALID_REQUEST', message, {
    hint: hint ?? say('companion.valueOrFile.hint', { parameter }),
    details: { dataKey: formatDataKey([...segments, parameter]) },
  });
}

// Schemas that may describe a nested value, whichever alternative applies

/** Far more than any tool needs; a limit for hostile schemas. */
const MAX_NODES = 256;

const closures = new WeakMap<JsonObject, WeakMap<JsonObject, readonly JsonObject[]>>();

/** The schema itself and all schemas reached through `$ref`, `allOf`, `anyOf` and `oneOf`, each once. */
export function schemaNodes(root: JsonObject, schema: unknown): readonly JsonObject[] {
  if (!isJsonObject(schema)) return [];
  let known = closures.get(root);
  if (known === undefined) {
    known = new WeakMap();
    closures.set(root, known);
  }
  const remembered = known.get(schema);
  if (remembered !== undefined) return remembered;
  const found = new Set<JsonObject>();
  const waiting: unknown[] = [schema];
  while (waiting.length > 0 && found.size < MAX_NODES) {
    const node = waiting.pop();
    if (!isJsonObject(node) || found.has(node)) continue;
    found.add(node);
    if (typeof node.$ref === 'string') waiting.push(resolveReference(root, node.$ref));
    for (const choice of [node.allOf, node.anyOf, node.oneOf]) if (Array.isArray(choice)) waiting.push(...choice);
  }
  const nodes = [...found];
  known.set(schema, nodes);
  return nodes;
}

/** Schemas that may describe the member `name` of a value described by `nodes`. A pattern is assumed to match every name. */
export function memberSchemas(nodes: readonly JsonObject[], name: string): unknown[] {
  return nodes.flatMap(({ properties, patternProperties, additionalProperties, unevaluatedProperties }) => {
    if (isJsonObject(properties) && Object.hasOwn(properties, name)) return [properties[name]];
    const patterns = isJsonObject(patternProperties) ? Object.values(patternProperties) : [];
    return [...patterns, additionalProperties, unevaluatedProperties].filter(isJsonObject);
  });
}

/** The same for the items of a list, at any index. */
export function itemSchemas(nodes: readonly JsonObject[]): unknown[] {
  return nodes.flatMap(({ items, prefixItems, additionalItems, contains, unevaluatedItems }) =>
    [items, prefixItems, additionalItems, contains, unevaluatedItems].flat().filter(isJsonObject),
  );
}
