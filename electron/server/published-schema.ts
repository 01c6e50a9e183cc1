/** The JSON Schema of a tool's parameters, as `tools/list` publishes it: complete, and no longer than it must be. */
import { z } from 'zod';
import { conversionShape } from '../../shared/model/conversion.ts';
import type { JsonObject } from '../upstream/types.ts';

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a keyword that zod writes adds no information: any string as a key, any value, the bounds of a safe integer. */
const saysNothing = (keyword: string, value: unknown): boolean =>
  keyword === 'readOnly' ||
  (keyword === 'propertyNames' && JSON.stringify(value) === '{"type":"string"}') ||
  // Others than those listed are refused when called, by name and with the likely one.
  (keyword === 'additionalProperties' && (value === false || (isObject(value) && Object.keys(value).length === 0))) ||
  // Checked when called; no model counts characters.
  keyword === 'maxLength' ||
  keyword === 'maxItems' ||
  (keyword === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
  (keyword === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
  (value === 1 && (keyword === 'minLength' || keyword === 'minItems')) ||
  (value === 0 && (keyword === 'minimum' || keyword === 'exclusiveMinimum'));

function tidy(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(tidy);
  if (!isObject(node)) return node;
  const brief = Object.fromEntries(
    Object.entries(node).flatMap(([keyword, value]) => {
      if (saysNothing(keyword, value)) return [];
      // The keys of `properties` are names of parameters, not keywords.
      if (keyword === 'properties' && isObject(value))
        return [[keyword, Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, tidy(schema)]))]];
      return [[keyword, tidy(value)]];
    }),
  );
  return merged(evenTuple(brief));
}

/** A tuple of like items as a list of that length: the same, in fewer words. */
function evenTuple(node: JsonObject): JsonObject {
  const { prefixItems, ...rest } = node;
  if (!Array.isArray(prefixItems) || rest.items !== false || rest.minItems !== rest.maxItems) return node;
  const [first, ...others] = prefixItems.map((item) => JSON.stringify(item));
  return others.every((other) => other === first) ? { ...rest, items: prefixItems[0] } : node;
}

/** Keywords that concern values of one type only, so that those of several types can stand side by side. */
const ofOneType = new Set([
  'type',
  'items',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
]);

/** Alternatives of different types as one schema that lets pass the same: `{"type": ["string", "array"], "items": …}`. */
function merged(node: JsonObject): JsonObject {
  const { anyOf, ...rest } = node;
  if (!Array.isArray(anyOf)) return node;
  const branches = anyOf as JsonObject[];
  const types = branches.map(({ type }) => type);
  const apart = types.every((type) => typeof type === 'string') && new Set(types).size === types.length;
  // Both number and integer are bounded by the same words.
  if (!apart || (types.includes('number') && types.includes('integer'))) return node;
  if (!branches.every((branch) => Object.keys(branch).every((keyword) => ofOneType.has(keyword)))) return node;
  return { ...rest, ...Object.assign({}, ...branches), type: types };
}

/**
 * Parameters that the tool `call_tool_with_file_content` explains in full. Written out at each of the other places, they would be a
 * quarter of all that our tools cost a model. What is sent is checked against all of them everywhere.
 */
export const explainedOnce = new Set([
  ...['server', 'tool_name', 'tool_args'],
  ...Object.keys(conversionShape),
  ...['output_format', 'template', 'storage_path', 'filename', 'description', 'response_format', 'overwrite'],
]);

const typeOf = ({ type, anyOf }: JsonObject): unknown =>
  type ?? (Array.isArray(anyOf) ? [...new Set((anyOf as JsonObject[]).map((branch) => branch.type))] : undefined);

/** The properties, those parameters shortened to their types. */
function shortened(properties: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      if (!explainedOnce.has(name)) return [name, schema];
      return [name, { type: typeOf(schema as JsonObject) }];
    }),
  );
}

/** The items of `files`. Their options are those of the call, as the description of the list says: they are let pass, not listed again. */
function withoutOptions({ additionalProperties: _, ...items }: JsonObject): JsonObject {
  const own = Object.entries(items.properties as JsonObject).filter(([name]) => !explainedOnce.has(name));
  return { ...items, properties: Object.fromEntries(own) };
}

/**
 * JSON Schema 2020-12 of what a caller may send. Everything is written out in place, because several clients do not follow
 * `$ref`; only parameters that one tool explains `in full` are not, at other tools and in the list of its files.
 */
export function publishedSchema(schema: z.ZodObject, options: 'in full' | 'by reference'): JsonObject & { type: 'object' } {
  const { $schema: _, ...published } = z.toJSONSchema(schema, { io: 'input', reused: 'inline' });
  const tidied = tidy(published) as JsonObject & { properties: JsonObject };
  if (options === 'by reference') return { ...tidied, properties: shortened(tidied.properties), type: 'object' };
  const { files } = tidied.properties as Record<string, JsonObject & { items: JsonObject }>;
  if (files) files.items = withoutOptions(files.items);
  return { ...tidied, type: 'object' };
}
