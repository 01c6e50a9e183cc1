/** The JSON Schema of a tool's parameters, as `tools/list` publishes it: complete, and no longer than it must be. */
import { z } from 'zod';
import type { JsonObject } from '../upstream/types.ts';

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What zod writes although it says nothing: any string as a key, any value as a value, the bounds of a safe integer. */
const saysNothing = (keyword: string, value: unknown): boolean =>
  (keyword === 'propertyNames' && JSON.stringify(value) === '{"type":"string"}') ||
  (keyword === 'additionalProperties' && isObject(value) && Object.keys(value).length === 0) ||
  (keyword === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
  (keyword === 'minimum' && value === Number.MIN_SAFE_INTEGER);

function tidy(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(tidy);
  if (!isObject(node)) return node;
  return Object.fromEntries(
    Object.entries(node).flatMap(([keyword, value]) => {
      if (saysNothing(keyword, value)) return [];
      // The keys of `properties` are names of parameters, not keywords.
      if (keyword === 'properties' && isObject(value))
        return [[keyword, Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, tidy(schema)]))]];
      return [[keyword, tidy(value)]];
    }),
  );
}

/**
 * A transform where it is not written out: it would be a tenth of all that our tools cost a model, at each of three places.
 * What is sent is checked against all of it everywhere.
 */
const transformByExample: JsonObject = {
  type: 'object',
  description: 'As transform of call_tool_with_file_content, e.g. {"select":["id"],"limit":9}',
};

function byExample(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(byExample);
  if (!isObject(node)) return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [name, name === 'transform' ? transformByExample : byExample(value)]),
  );
}

/**
 * JSON Schema 2020-12 of what a caller may send. Everything is written out in place, because several clients do not follow
 * `$ref`; only a transform is not, save among the parameters of a tool that has it `in full`.
 */
export function publishedSchema(schema: z.ZodObject, transform: 'in full' | 'by example'): JsonObject & { type: 'object' } {
  const { $schema: _, ...published } = z.toJSONSchema(schema, { io: 'input', reused: 'inline' });
  const tidied = tidy(published) as JsonObject & { properties: JsonObject };
  const brief = byExample(tidied) as typeof tidied;
  if (transform === 'in full') brief.properties.transform = tidied.properties.transform;
  return { ...brief, type: 'object' };
}
