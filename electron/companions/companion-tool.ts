/**
 * Builds a companion's published definition from the upstream's: the input schema gets a parameter for a file beside each one that can carry
 * a payload. Adapts its results.
 */
import { z } from 'zod';
import type { Warning } from '../../shared/model/conversion.ts';
import { takesFile } from '../binding/payload-parameters.ts';
import type { DescribedTool } from '../binding/text-form.ts';
import { noteBlocks } from '../calls/output.ts';
import { isJsonObject, type JsonObject, setMember } from '../engine/core/json-object.ts';
import { alternativesOf } from '../engine/schema/schema-walk.ts';
import { hostSchema, refusedParameters } from '../server/host-schema.ts';
import type { PublishedTool } from '../server/tool-source.ts';
import type { ToolResult, UpstreamTool } from '../upstream/types.ts';
import { type CompanionNames, companionNames, companionToolName } from './companion-names.ts';

/** The protocol's defaults for a tool without annotations; some hosts refuse tools that do not state them. */
const unsaid = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };

/** The member that replaces a structured answer that was stored or sent in parts. */
const OWN_MEMBER = '_filebridge';

const hint = z.boolean().optional();
/** Members that clients check: one of another form costs them the whole list. */
const members: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ['title', z.string()],
  ['icons', z.array(z.looseObject({ src: z.string(), mimeType: z.string().optional(), sizes: z.array(z.string()).optional() }))],
  ['_meta', z.looseObject({})],
]);
const annotationsSchema = z.looseObject({
  title: z.string().optional(),
  readOnlyHint: hint,
  destructiveHint: hint,
  idempotentHint: hint,
  openWorldHint: hint,
});

/** `servers`: all names there are. */
export function companionTool(server: string, tool: UpstreamTool, servers: readonly string[] = []): PublishedTool {
  // Calls use no MCP tasks upstream, so companions offer none.
  const { execution: _, name: __, inputSchema, outputSchema, annotations, description, ...more } = tool;
  const kept = Object.entries(more).filter(([member, value]) => members.get(member)?.safeParse(value).success ?? true);
  const output = isJsonObject(outputSchema) ? optionalOutput(outputSchema) : undefined;
  const said = boundedDescription(typeof description === 'string' ? description : '', refusedParameters(inputSchema));
  return {
    ...Object.fromEntries(kept),
    name: companionToolName(server, tool.name, servers),
    ...(said === '' ? {} : { description: said }),
    inputSchema: companionSchema(tool),
    ...(output === undefined ? {} : { outputSchema: output }),
    annotations: annotationsSchema.safeParse(annotations).success ? annotations : unsaid,
  };
}

/** Some models refuse a longer one, and all tools with it (characters). */
const MAX_DESCRIPTION = 1024;
const MORE = '… (describe_upstream_tool has the rest)';

/** The description, up to what every host takes, with the parameters that are not in the published schema. */
export function boundedDescription(description: string, refused: readonly string[] = []): string {
  const names = refused.map((name) => JSON.stringify(name)).join(', ');
  const note = refused.length > 0 ? `\nAlso takes ${names}, by call_tool` : '';
  const whole = `${description}${note}`.trim();
  if (whole.length <= MAX_DESCRIPTION) return whole;
  const end = `${MORE}${note}`.slice(0, MAX_DESCRIPTION / 2);
  const start = description.slice(0, MAX_DESCRIPTION - end.length);
  // After a whole line, sentence or word, unless that is far up.
  const cut = [/\n/g, /[.!?](?=\s)/g, /\s/g]
    .map((stop) => [...start.matchAll(stop)].at(-1))
    .map((found) => (found ? found.index + found[0].trimEnd().length : 0))
    .find((at) => at > start.length * 0.8);
  return `${start.slice(0, cut ?? start.length).replace(/[\uD800-\uDBFF]$/, '')}${end}`;
}

const KEPT = ['$defs', 'definitions', 'title', 'description', 'properties'] as const;

/**
 * The output schema for companions: clients validate every answer with it, including stored ones, so nothing is required
 * and further members are allowed. Undefined if it is not about an object.
 */
function optionalOutput(outputSchema: JsonObject): JsonObject | undefined {
  if (outputSchema.type !== undefined && outputSchema.type !== 'object') return undefined;
  const kept = KEPT.flatMap((keyword) => (outputSchema[keyword] === undefined ? [] : [[keyword, outputSchema[keyword]]]));
  return hostSchema(Object.fromEntries(kept), 'answers', outputSchema);
}

const isWarning = (value: unknown): value is Warning => isJsonObject(value) && typeof value.message === 'string';

/** The upstream's result, unchanged. A substitute gets the structure that the output schema makes clients expect. */
export function companionResult(tool: UpstreamTool, result: ToolResult, batched: boolean): ToolResult {
  const said = isJsonObject(result._meta) ? result._meta['filebridge/warnings'] : undefined;
  // The server may use that member's name for anything.
  const warnings = Array.isArray(said) ? said.filter(isWarning) : [];
  const shown = warnings.length > 0 ? { ...result, content: [...(result.content ?? []), ...noteBlocks(warnings)] } : result;
  if (!isJsonObject(tool.outputSchema) || result.isError) return shown;
  if (batched && result.structuredContent !== undefined) {
    return { ...shown, structuredContent: { [OWN_MEMBER]: { receipt: result.structuredContent } } };
  }
  if (result.structuredContent !== undefined) return shown;
  const stored = (result.content ?? []).flatMap(({ type, uri }) => (type === 'resource_link' ? [uri] : []));
  return { ...shown, structuredContent: { [OWN_MEMBER]: stored.length > 0 ? { stored } : {} } };
}

// The input schema

const MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions']);
/** Keywords that make several schemas describe one value. */
const COMPOSITIONS = ['$ref', 'allOf', 'anyOf', 'oneOf'];
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const SINGLES = new Set(['items', 'additionalItems', 'additionalProperties']);
/**
 * One of the options, because some hosts want one, and where all are explained: at each tool they would cost more tokens than the tools. Those that
 * are not listed may be given, too.
 */
const options = {
  type: 'object',
  description: 'As in call_tool_with_file_content',
  properties: { as: { type: 'string' } },
};

interface Rewriting {
  tool: DescribedTool;
  names: CompanionNames;
  /** Parameters that take a file in at least one place; `required` may name one far from its `properties`. */
  byFile: Set<string>;
}

/**
 * References stay, because their targets are rewritten in place: recursive schemas are processed once. Every call that
 * fits the tool's schema also fits this one, with any of its payloads as a file.
 */
export function companionSchema(described: DescribedTool): JsonObject & { type: 'object' } {
  const { inputSchema } = described;
  const source = flatRoot(inputSchema);
  const tool = { ...described, inputSchema: source };
  const names = companionNames(inputSchema);
  const rewriting: Rewriting = {
    tool,
    names,
    byFile: payloadNames(tool),
  };
  const rewritten = rewrite(rewriting, source);
  const properties: JsonObject = {};
  if (isJsonObject(rewritten.properties)) {
    for (const [name, property] of Object.entries(rewritten.properties)) setMember(properties, name, property);
  }
  if (rewriting.byFile.size > 0) properties[names.options] = options;
  return hostSchema({ ...rewritten, properties }, 'arguments');
}

/**
 * Hosts refuse `oneOf`, `anyOf` and `allOf` at the top level, so its parameters are merged into one list, required if
 * every alternative requires them. References to the root point to a copy, because the root gains parameters that belong
 * only there.
 */
function flatRoot(original: JsonObject): JsonObject {
  const references = referencesIn(original);
  const composed = COMPOSITIONS.some((keyword) => original[keyword] !== undefined);
  if (!composed) return references.includes('#') ? withCopyOfRoot(original) : original;
  const root = references.some(leadsIntoRoot) ? withCopyOfRoot(original) : original;
  const alternatives = alternativesOf(root, root);
  const found = new Map<string, Set<unknown>>();
  for (const { properties } of alternatives.flat()) {
    if (!isJsonObject(properties)) continue;
    for (const [name, schema] of Object.entries(properties)) found.set(name, (found.get(name) ?? new Set()).add(schema));
  }
  const properties: JsonObject = {};
  for (const [name, schemas] of found)
    setMember(properties, name, schemas.size === 1 ? [...schemas][0] : { anyOf: [...schemas] });
  const needed = alternatives.map(
    (conjunction) => new Set<unknown>(conjunction.flatMap(({ required }) => (Array.isArray(required) ? required : []))),
  );
  const required = [...(needed[0] ?? [])].filter((name) => needed.every((names) => names.has(name)));
  const { $schema, $id, $defs, definitions, description } = root;
  const kept = Object.entries({ $schema, $id, $defs, definitions, description }).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(kept), type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}

const leadsIntoRoot = (reference: string): boolean => /^#($|\/(?!\$defs\/|definitions\/))/.test(reference);

function withCopyOfRoot(original: JsonObject): JsonObject {
  const taken = isJsonObject(original.$defs) ? Object.keys(original.$defs) : [];
  let name = 'root';
  while (taken.includes(name)) name = `_${name}`;
  const led = (at: unknown): unknown => {
    if (Array.isArray(at)) return at.map(led);
    if (!isJsonObject(at)) return at;
    const copy: JsonObject = {};
    for (const [key, value] of Object.entries(at)) {
      const leads = key === '$ref' && typeof value === 'string' && leadsIntoRoot(value);
      setMember(copy, key, leads ? `#/$defs/${name}${(value as string).slice(1)}` : led(value));
    }
    return copy;
  };
  const { $schema, $id, $defs, definitions, ...top } = led(original) as JsonObject;
  const kept = Object.entries({ $schema, $id, definitions }).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(kept), ...top, $defs: { ...(isJsonObject($defs) ? $defs : {}), [name]: top } };
}

function referencesIn(at: unknown, seen = new Set<unknown>()): string[] {
  if (typeof at !== 'object' || at === null || seen.has(at)) return [];
  seen.add(at);
  const own = isJsonObject(at) && typeof at.$ref === 'string' ? [at.$ref] : [];
  return [...own, ...Object.values(at).flatMap((inside) => referencesIn(inside, seen))];
}

function payloadNames(tool: DescribedTool): Set<string> {
  const names = new Set<string>();
  const visit = (schema: unknown): void => {
    if (!isJsonObject(schema)) return;
    if (isJsonObject(schema.properties)) {
      for (const [name, property] of Object.entries(schema.properties)) if (takesFile(tool, name, property)) names.add(name);
    }
    for (const inside of subschemas(schema)) visit(inside);
  };
  visit(tool.inputSchema);
  return names;
}

/** The direct subschemas of a schema. */
function* subschemas(schema: JsonObject): Generator<unknown> {
  for (const [keyword, value] of Object.entries(schema)) {
    if (MAPS.has(keyword) && isJsonObject(value)) yield* Object.values(value);
    else if ((LISTS.has(keyword) || keyword === 'items') && Array.isArray(value)) yield* value;
    else if (SINGLES.has(keyword)) yield value;
  }
}

/** `combined`: other schemas describe the same value, in a composition or by reference. */
function rewrite(rewriting: Rewriting, schema: JsonObject, combined = false): JsonObject {
  const result: JsonObject = {};
  const isCombined = combined || COMPOSITIONS.some((keyword) => schema[keyword] !== undefined);
  const inside = (value: unknown, alone: boolean): unknown => (isJsonObject(value) ? rewrite(rewriting, value, !alone) : value);
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'properties' && isJsonObject(value)) result.properties = withFiles(rewriting, schema, value);
    else if (MAPS.has(keyword) && isJsonObject(value)) {
      const map: JsonObject = {};
      for (const [name, member] of Object.entries(value)) setMember(map, name, inside(member, keyword === 'patternProperties'));
      result[keyword] = map;
    } else if ((LISTS.has(keyword) || keyword === 'items') && Array.isArray(value))
      result[keyword] = value.map((each) => inside(each, keyword === 'items' || keyword === 'prefixItems'));
    else if (SINGLES.has(keyword)) result[keyword] = inside(value, true);
    else if (keyword === 'required' && Array.isArray(value)) {
      const required = value.filter((name) => !isOptional(rewriting, schema, name, isCombined));
      if (required.length > 0) result.required = required;
    } else setMember(result, keyword, value);
  }
  if (result.additionalProperties === false && isJsonObject(schema.properties)) {
    // In a composition, another schema may offer a file for a parameter that is short in this one.
    const elsewhere = Object.entries(schema.properties).some(
      ([name, property]) => rewriting.byFile.has(name) && !takesFile(rewriting.tool, name, property),
    );
    if (elsewhere) delete result.additionalProperties;
  }
  // In a composition, a rule for all other names would also apply to a file parameter that another schema offers.
  if (isCombined && rewriting.byFile.size > 0 && isJsonObject(schema.additionalProperties)) delete result.additionalProperties;
  return result;
}

function isOptional(rewriting: Rewriting, schema: JsonObject, name: unknown, isCombined: boolean): boolean {
  if (typeof name !== 'string') return false;
  // Another schema may offer a file for a parameter that is short in this one.
  if (isCombined) return rewriting.byFile.has(name);
  const own = isJsonObject(schema.properties) && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
  return own === undefined ? rewriting.byFile.has(name) : takesFile(rewriting.tool, name, own);
}

function withFiles(rewriting: Rewriting, schema: JsonObject, properties: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const [name, property] of Object.entries(properties)) {
    setMember(result, name, isJsonObject(property) ? rewrite(rewriting, property) : property);
    if (!takesFile(rewriting.tool, name, property)) continue;
    const path = rewriting.names.pathOf(name);
    const needed = Array.isArray(schema.required) && schema.required.includes(name);
    const description = needed ? `File instead of ${name}; give exactly one` : `File instead of ${name}`;
    setMember(result, path, { type: 'string', description });
  }
  return result;
}
