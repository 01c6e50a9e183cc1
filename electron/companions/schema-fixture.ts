/** Arbitrary tool input schemas, and values that match them, for property tests. */
import fc from 'fast-check';
import { isJsonObject, type JsonObject } from '../engine/core/json-object.ts';
import { memberSchemas, schemaNodes } from './companion-request.ts';

const name = fc.constantFrom('a', 'content_path', 'rows', '_file', 'content', 'x.y', 'data', 'data_base64');

const scalars: readonly JsonObject[] = [
  { type: 'string' },
  { type: 'string', maxLength: 5 },
  { type: ['string', 'null'] },
  { type: 'number' },
  { type: 'boolean' },
  { enum: ['u', 'v'] },
  { const: 7 },
];

/** Recursive and composed definitions, for references. */
const $defs = {
  node: {
    type: 'object',
    properties: { text: { type: 'string' }, body: { $ref: '#/$defs/node' }, 'with space': { type: 'array', items: {} } },
    required: ['text'],
    additionalProperties: false,
  },
  both: { allOf: [{ $ref: '#/$defs/node' }, { type: 'object', required: ['body'] }] },
};

const { schema: anySchema, object: objectSchema } = fc.letrec<{ schema: JsonObject; object: JsonObject }>((tie) => ({
  object: fc
    .record({
      properties: fc.dictionary(name, tie('schema'), { maxKeys: 4 }),
      all: fc.boolean(),
      rest: fc.constantFrom<JsonObject>({}, { additionalProperties: false }, { additionalProperties: { type: 'number' } }),
      patterns: fc.constantFrom<JsonObject>({}, {}, { patternProperties: { '^p_': { $ref: '#/$defs/node' } } }),
    })
    .map(({ properties, all, rest, patterns }) => ({
      type: 'object',
      properties,
      ...(all ? { required: Object.keys(properties) } : {}),
      ...rest,
      ...patterns,
    })),
  schema: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(...scalars),
    fc.constantFrom<JsonObject>({ $ref: '#/$defs/node' }, { $ref: '#/$defs/both' }, {}),
    tie('object') as fc.Arbitrary<JsonObject>,
    (tie('schema') as fc.Arbitrary<JsonObject>).map((items) => ({ type: 'array', items })),
    fc.tuple(tie('schema'), tie('schema')).map((prefixItems) => ({ type: 'array', prefixItems })),
    fc.tuple(tie('schema'), tie('schema')).map((anyOf) => ({ anyOf })),
    fc.tuple(tie('schema'), tie('schema')).map((oneOf) => ({ oneOf })),
    fc.tuple(tie('object'), tie('object')).map((allOf) => ({ allOf })),
  ),
}));

/**
 * Members that one alternative leaves open must not be described by another: the merged parameter list could not
 * distinguish them.
 */
const closed = (more: JsonObject) =>
  objectSchema.map(({ properties }) => ({
    type: 'object',
    properties: { ...(properties as JsonObject), ...more },
    additionalProperties: false,
  }));

/** Input schemas: flat, composed and recursive ones. */
export const inputSchemas: fc.Arbitrary<JsonObject> = fc
  .oneof(
    {
      weight: 4,
      arbitrary: fc
        .dictionary(name, anySchema, { maxKeys: 4 })
        .map((properties): JsonObject => ({ properties, required: Object.keys(properties) })),
    },
    fc.tuple(closed({}), closed({})).map((oneOf): JsonObject => ({ oneOf })),
    fc.tuple(objectSchema, objectSchema).map((allOf): JsonObject => ({ allOf })),
    objectSchema.map(({ properties }): JsonObject => ({ properties: { ...(properties as JsonObject), inner: { $ref: '#' } } })),
    fc.tuple(closed({ self: { $ref: '#' } }), closed({ more: { $ref: '#/anyOf/0' } })).map((anyOf): JsonObject => ({ anyOf })),
  )
  .map((root) => ({ type: 'object', ...root, $defs }));

const texts = fc.string({ maxLength: 40, unit: 'grapheme' }).filter((text) => !text.startsWith('\ufeff'));
const anything = fc.jsonValue({ maxDepth: 2 });

/** Values that usually match; for composed schemas a validator must confirm it. */
export function valuesOf(root: JsonObject, schema: unknown, depth = 0): fc.Arbitrary<unknown> {
  if (!isJsonObject(schema)) return anything;
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (typeof schema.$ref === 'string' && schema.$ref !== '#' && schema.allOf === undefined) {
    const [, target] = schemaNodes(root, schema);
    return valuesOf(root, target, depth + 1);
  }
  for (const choice of [schema.anyOf, schema.oneOf]) {
    if (Array.isArray(choice) && schema.properties === undefined) {
      return fc.oneof(...choice.map((way) => valuesOf(root, way, depth + 1)));
    }
  }
  const types = [schema.type].flat();
  if (types.includes('string')) {
    // JSON Schema counts code points.
    const { maxLength = 40 } = schema as { maxLength?: number };
    const text = fc.oneof(texts, fc.base64String({ maxLength: 40 })).map((value) => [...value].slice(0, maxLength).join(''));
    return types.includes('null') ? fc.option(text) : text;
  }
  if (types.includes('number'))
    return fc.oneof(
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    );
  if (types.includes('boolean')) return fc.boolean();
  if (types.includes('array')) {
    if (Array.isArray(schema.prefixItems)) return fc.tuple(...schema.prefixItems.map((item) => valuesOf(root, item, depth + 1)));
    return fc.array(valuesOf(root, schema.items, depth + 1), { maxLength: depth > 3 ? 0 : 3 });
  }
  const nodes = schemaNodes(root, schema);
  if (nodes.every(({ properties }) => !isJsonObject(properties))) return anything;
  const names = new Set(nodes.flatMap(({ properties }) => (isJsonObject(properties) ? Object.keys(properties) : [])));
  const required = new Set(nodes.flatMap(({ required: needed }) => (Array.isArray(needed) ? (needed as string[]) : [])));
  const members = [...names].filter((each) => depth < 5 || required.has(each));
  if (depth > 8) return fc.constant({});
  return fc.record(Object.fromEntries(members.map((each) => [each, valuesOf(root, memberSchemas(nodes, each)[0], depth + 1)])), {
    requiredKeys: members.filter((each) => required.has(each)),
  });
}
