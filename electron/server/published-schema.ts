/** The JSON Schema of a tool's parameters, as `tools/list` publishes it: complete, and no longer than it must be. */
import { z } from 'zod';
import { conversionShape } from '../../shared/model/conversion.ts';
import { isJsonObject, type JsonObject } from '../engine/core/json-object.ts';
import { hostSchema } from './host-schema.ts';

/** Whether a keyword that zod writes adds no information: any string as a key, any value, the bounds of a safe integer. */
const saysNothing = (keyword: string, value: unknown): boolean =>
  keyword === 'readOnly' ||
  (keyword === 'default' && (value === false || (Array.isArray(value) && value.length === 0))) ||
  (keyword === 'propertyNames' && JSON.stringify(value) === '{"type":"string"}') ||
  // Others than those listed are refused when called, by name and with the likely one.
  (keyword === 'additionalProperties' && (value === false || (isJsonObject(value) && Object.keys(value).length === 0))) ||
  // Checked when called; no model counts characters.
  keyword === 'maxLength' ||
  keyword === 'maxItems' ||
  keyword === 'maximum' ||
  (keyword === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
  keyword === 'minItems' ||
  (value === 1 && (keyword === 'minLength' || keyword === 'minimum')) ||
  (value === 0 && (keyword === 'minimum' || keyword === 'exclusiveMinimum'));

function tidy(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(tidy);
  if (!isJsonObject(node)) return node;
  const brief = Object.fromEntries(
    Object.entries(node).flatMap(([keyword, value]) => {
      if (saysNothing(keyword, value)) return [];
      // The keys of `properties` are names of parameters, not keywords.
      if (keyword === 'properties' && isJsonObject(value))
        return [[keyword, Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, tidy(schema)]))]];
      return [[keyword, tidy(value)]];
    }),
  );
  // A flag that may only be true is left out otherwise.
  if (brief.const === true) delete brief.const;
  if (Array.isArray(brief.type)) brief.type = brief.type.filter((type) => type !== 'null');
  // What is null may as well be absent.
  if (Array.isArray(brief.anyOf)) brief.anyOf = brief.anyOf.filter((branch) => (branch as JsonObject).type !== 'null');
  return brief;
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

/** Only the types of a value, without descriptions, choices and members. */
function bare({ type, anyOf, items }: JsonObject): JsonObject {
  if (Array.isArray(anyOf)) return { anyOf: anyOf.map((branch) => bare(branch as JsonObject)) };
  if (type === 'object') return { type, additionalProperties: true };
  return type === 'array' ? { type, items: bare(items as JsonObject) } : { type };
}

/** The properties, those parameters shortened to their types. */
const shortened = (properties: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, explainedOnce.has(name) ? bare(schema as JsonObject) : schema]),
  );

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
  const tidied = hostSchema(tidy(published) as JsonObject, 'arguments') as JsonObject & {
    type: 'object';
    properties: JsonObject;
  };
  if (options === 'by reference') return { ...tidied, properties: shortened(tidied.properties) };
  const { files, types } = tidied.properties as Record<string, JsonObject & { items: JsonObject }>;
  if (files) files.items = withoutOptions(files.items);
  if (types) Object.assign(types, bare(types));
  return tidied;
}
