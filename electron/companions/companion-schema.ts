/** Rewrites a tool's input schema: each parameter that can carry a payload gets one beside it that takes a file. */

import { takesFile } from '../binding/payload-parameters.ts';
import type { DescribedTool } from '../binding/text-form.ts';
import { isJsonObject, type JsonObject, setMember } from '../engine/core/json-object.ts';
import { alternativesOf } from '../engine/schema/schema-walk.ts';
import { hostSchema } from '../server/host-schema.ts';
import { type CompanionNames, companionNames } from './companion-names.ts';

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
export function companionSchema(given: DescribedTool): JsonObject & { type: 'object' } {
  const { inputSchema } = given;
  const source = flatRoot(inputSchema);
  const tool = { ...given, inputSchema: source };
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
