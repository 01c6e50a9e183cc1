/** A tool's input schema in which every parameter that can carry a payload has one beside it that takes a file. */

import { isJsonObject, type JsonObject, setMember } from '../engine/core/json-object.ts';
import { alternativesOf } from '../engine/schema/schema-walk.ts';
import { type CompanionNames, companionNames } from './companion-names.ts';
import { carriesPayload } from './payload-parameters.ts';

const MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions']);
/** What makes several schemas speak of one value. */
const COMPOSITIONS = ['$ref', 'allOf', 'anyOf', 'oneOf'];
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const SINGLES = new Set([
  'items',
  'additionalItems',
  'additionalProperties',
  'contains',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
/**
 * Conditions on which parameters are there, which a file in the place of one would break. They are left out of what is
 * published, never of the check: the arguments are held to the upstream's own schema once the files are in them.
 */
const CONDITIONS = new Set([
  'not',
  'if',
  'then',
  'else',
  'dependencies',
  'dependentRequired',
  'dependentSchemas',
  'propertyNames',
  'maxProperties',
]);

interface Rewriting {
  root: JsonObject;
  names: CompanionNames;
  /** Parameters that take a file at least somewhere; `required` may name one far from its `properties`. */
  byFile: Set<string>;
  /** `oneOf` stays where a reference leads through it. */
  keepsOneOf: boolean;
}

/**
 * References stay as they are, since what they lead to is rewritten in its place: recursive schemas cost their size once.
 * Every call that fits the tool's schema fits this one, with any of its payloads as a file.
 */
export function companionSchema(inputSchema: JsonObject): JsonObject & { type: 'object' } {
  const source = flatRoot(inputSchema);
  const names = companionNames(inputSchema);
  const rewriting: Rewriting = {
    root: source,
    names,
    byFile: payloadNames(source),
    keepsOneOf: referencesIn(source).some((reference) => reference.includes('/oneOf/')),
  };
  const rewritten = rewrite(rewriting, source);
  const properties: JsonObject = {};
  if (isJsonObject(rewritten.properties)) {
    for (const [name, property] of Object.entries(rewritten.properties)) setMember(properties, name, property);
  }
  if (rewriting.byFile.size > 0) {
    // Written out, the options would cost more than the tool: they are those of our own tool, which every client sees.
    const description = 'How files are read, as in call_tool_with_file_content: {"types":"string","batch":"auto"}';
    properties[names.options] = { type: 'object', description };
  }
  properties[names.saveAs] = { anyOf: [{ type: 'string' }, { type: 'object' }], description: 'File for the answer' };
  return { ...rewritten, type: 'object', properties };
}

/**
 * Hosts refuse `oneOf`, `anyOf` and `allOf` at the top: its parameters are listed flat, needed where every way needs them. What refers to
 * the top, which gains parameters that belong nowhere else, is led to a copy.
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

function payloadNames(root: JsonObject): Set<string> {
  const names = new Set<string>();
  const visit = (schema: unknown): void => {
    if (!isJsonObject(schema)) return;
    if (isJsonObject(schema.properties)) {
      for (const [name, property] of Object.entries(schema.properties)) if (carriesPayload(root, name, property)) names.add(name);
    }
    for (const inside of subschemas(schema)) visit(inside);
  };
  visit(root);
  return names;
}

/** The schemas right inside a schema. */
function* subschemas(schema: JsonObject): Generator<unknown> {
  for (const [keyword, value] of Object.entries(schema)) {
    if (MAPS.has(keyword) && isJsonObject(value)) yield* Object.values(value);
    else if ((LISTS.has(keyword) || keyword === 'items') && Array.isArray(value)) yield* value;
    else if (SINGLES.has(keyword)) yield value;
  }
}

/** `combined`: what it describes is described by others too, in a composition or by reference. */
function rewrite(rewriting: Rewriting, schema: JsonObject, combined = false): JsonObject {
  const result: JsonObject = {};
  const isCombined = combined || COMPOSITIONS.some((keyword) => schema[keyword] !== undefined);
  const inside = (value: unknown, alone: boolean): unknown => (isJsonObject(value) ? rewrite(rewriting, value, !alone) : value);
  for (const [keyword, value] of Object.entries(schema)) {
    // What only a condition names would count as unevaluated without it.
    if (CONDITIONS.has(keyword) || (keyword === 'unevaluatedProperties' && value === false)) continue;
    if (keyword === 'properties' && isJsonObject(value)) result.properties = withFiles(rewriting, schema, value);
    else if (MAPS.has(keyword) && isJsonObject(value)) {
      const map: JsonObject = {};
      for (const [name, member] of Object.entries(value)) setMember(map, name, inside(member, keyword === 'patternProperties'));
      result[keyword] = map;
    } else if ((LISTS.has(keyword) || keyword === 'items') && Array.isArray(value))
      result[keyword] = value.map((each) => inside(each, keyword === 'items' || keyword === 'prefixItems'));
    else if (SINGLES.has(keyword)) result[keyword] = inside(value, true);
    else if (keyword === 'required' && Array.isArray(value)) {
      const required = value.filter((name) => !takesFile(rewriting, schema, name, isCombined));
      if (required.length > 0) result.required = required;
    } else setMember(result, keyword, value);
  }
  // Without its conditions, a value may fit several ways at once.
  if (Array.isArray(result.oneOf) && !rewriting.keepsOneOf) {
    if (result.anyOf === undefined) result.anyOf = result.oneOf;
    else result.allOf = [...(Array.isArray(result.allOf) ? result.allOf : []), { anyOf: result.oneOf }];
    delete result.oneOf;
  }
  if (result.additionalProperties === false && isJsonObject(schema.properties)) {
    // Where schemas are combined, another may give a file to what this one knows as short.
    const elsewhere = Object.entries(schema.properties).some(
      ([name, property]) => rewriting.byFile.has(name) && !carriesPayload(rewriting.root, name, property),
    );
    if (elsewhere) delete result.additionalProperties;
  }
  // A pattern, or a rule for all other names, may forbid the name of a file's parameter.
  if (isJsonObject(schema.properties) && schema.patternProperties !== undefined) {
    delete result.patternProperties;
    delete result.additionalProperties;
  }
  return result;
}

function takesFile(rewriting: Rewriting, schema: JsonObject, name: unknown, isCombined: boolean): boolean {
  if (typeof name !== 'string') return false;
  // What this one knows as short, another may give a file to.
  if (isCombined) return rewriting.byFile.has(name);
  const own = isJsonObject(schema.properties) && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
  return own === undefined ? rewriting.byFile.has(name) : carriesPayload(rewriting.root, name, own);
}

function withFiles(rewriting: Rewriting, schema: JsonObject, properties: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const [name, property] of Object.entries(properties)) {
    setMember(result, name, isJsonObject(property) ? rewrite(rewriting, property) : property);
    if (!carriesPayload(rewriting.root, name, property)) continue;
    const path = rewriting.names.pathOf(name);
    const needed = Array.isArray(schema.required) && schema.required.includes(name);
    const description = needed ? `File instead of ${name}; give exactly one` : `File instead of ${name}`;
    setMember(result, path, { type: 'string', description });
  }
  return result;
}
