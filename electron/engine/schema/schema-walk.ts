/** Finds the subschema for the value at a path, through references, compositions and alternatives. */
import { isJsonObject, type JsonObject } from '../core/json-object.ts';

/** Schemas that must all match a value. */
export type Conjunction = readonly JsonObject[];
/** Alternatives, one of which must match a value. Empty: no value matches. */
export type Alternatives = readonly Conjunction[];

/** Path segment for "any item" of a list. */
export const ANY_ITEM = Symbol('any item');
export type SchemaStep = string | number | typeof ANY_ITEM;

/** Limit on alternatives, which compositions multiply; a schema beyond it says too little about one value. */
const MAX_ALTERNATIVES = 64;
const MAX_DEPTH = 256;
const ANYTHING: Alternatives = [[]];

const COMPOSED = new Set(['$ref', 'allOf', 'anyOf', 'oneOf']);

/** The schema that `#/…` names; undefined if it is missing or in another document. */
export function resolveReference(root: JsonObject, reference: string): unknown {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let at: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const name = unescapePointer(part);
    if (typeof at !== 'object' || at === null || name === undefined || !Object.hasOwn(at, name)) return undefined;
    at = (at as JsonObject)[name];
  }
  return at;
}

/** RFC 6901, inside a URI fragment. */
function unescapePointer(part: string): string | undefined {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined;
  }
}

function both(left: Alternatives, right: Alternatives): Alternatives {
  if (left.length * right.length > MAX_ALTERNATIVES) return left;
  return left.flatMap((one) => right.map((other) => [...new Set([...one, ...other])]));
}

/** Results per schema of a document, so that shared or circular references are resolved once. */
const walked = new WeakMap<JsonObject, Map<JsonObject, Alternatives>>();

/**
 * The schema as alternatives of conjunctions, without `$ref`, `allOf`, `anyOf` and `oneOf`. A reference that leads back
 * to itself or out of the document allows any value.
 */
export function alternativesOf(root: JsonObject, schema: unknown, depth = 0): Alternatives {
  if (schema === false) return [];
  if (!isJsonObject(schema) || depth > MAX_DEPTH) return ANYTHING;
  let memory = walked.get(root);
  if (memory === undefined) {
    memory = new Map();
    walked.set(root, memory);
  }
  const remembered = memory.get(schema);
  if (remembered !== undefined) return remembered;
  memory.set(schema, ANYTHING);
  const result = flatten(root, schema, depth);
  memory.set(schema, result);
  return result;
}

function flatten(root: JsonObject, schema: JsonObject, depth: number): Alternatives {
  const plain = Object.fromEntries(Object.entries(schema).filter(([key]) => !COMPOSED.has(key)));
  let result: Alternatives = [Object.keys(plain).length > 0 ? [plain] : []];
  if (typeof schema.$ref === 'string') {
    result = both(result, alternativesOf(root, resolveReference(root, schema.$ref), depth + 1));
  }
  if (Array.isArray(schema.allOf)) {
    for (const part of schema.allOf) result = both(result, alternativesOf(root, part, depth + 1));
  }
  for (const choice of [schema.anyOf, schema.oneOf]) {
    if (!Array.isArray(choice) || choice.length === 0) continue;
    const options = choice.slice(0, MAX_ALTERNATIVES).flatMap((part) => alternativesOf(root, part, depth + 1));
    result = both(result, options);
  }
  return result;
}

const own = (object: unknown, key: string): unknown =>
  isJsonObject(object) && Object.hasOwn(object, key) ? object[key] : undefined;

/** The subschema of one plain schema for a member or item; undefined if it has none. */
function childSchema(schema: JsonObject, step: SchemaStep): unknown {
  if (typeof step === 'string') {
    const property = own(schema.properties, step);
    if (property !== undefined) return property;
    // `additionalProperties: false` is ignored here: the argument check decides whether a name is allowed.
    return isJsonObject(schema.additionalProperties) ? schema.additionalProperties : undefined;
  }
  const index = step === ANY_ITEM ? 0 : step;
  // Draft 7 and before: a list under `items` is today's `prefixItems`.
  const tuple = Array.isArray(schema.prefixItems) ? schema.prefixItems : Array.isArray(schema.items) ? schema.items : [];
  if (index < tuple.length) return tuple[index];
  const rest = Array.isArray(schema.items) ? schema.additionalItems : schema.items;
  return isJsonObject(rest) ? rest : undefined;
}

/** One step down; an alternative without a subschema for the step yields `silent`. */
function stepsDown(root: JsonObject, from: Alternatives, step: SchemaStep, silent: Alternatives): Alternatives {
  return from.flatMap((conjunction) => {
    const children = conjunction.map((schema) => childSchema(schema, step)).filter((child) => child !== undefined);
    if (children.length === 0) return silent;
    return children.map((child) => alternativesOf(root, child)).reduce(both);
  });
}

/** One step down. Alternatives without a subschema for the step are dropped; undefined if none is left. */
function stepDown(root: JsonObject, from: Alternatives, step: SchemaStep): Alternatives | undefined {
  const found = stepsDown(root, from, step, []);
  return found.length > 0 ? found : undefined;
}

/** One step down; an alternative without a subschema for the step allows anything. */
export const everyWayDown = (root: JsonObject, from: Alternatives, step: SchemaStep): Alternatives =>
  stepsDown(root, from, step, ANYTHING);

/** The schema of the value at a path; undefined if there is none. */
export function walkSchema(root: JsonObject, steps: readonly SchemaStep[]): Alternatives | undefined {
  let at: Alternatives | undefined = alternativesOf(root, root);
  for (const step of steps) {
    if (at === undefined) return undefined;
    at = stepDown(root, at, step);
  }
  return at;
}

const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'] as const;
export type SchemaType = (typeof TYPES)[number];

function typeOfConstant(value: unknown): SchemaType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as SchemaType;
}

/** Types that one plain schema gives by `type`, `const` or `enum`; undefined if it leaves the type open. */
function namedTypes(schema: JsonObject): Set<SchemaType> | undefined {
  if (Array.isArray(schema.enum)) return new Set(schema.enum.map(typeOfConstant));
  if (Object.hasOwn(schema, 'const')) return new Set([typeOfConstant(schema.const)]);
  const named = typeof schema.type === 'string' ? [schema.type] : Array.isArray(schema.type) ? schema.type : undefined;
  if (named !== undefined) {
    const types = new Set(TYPES.filter((type) => named.includes(type)));
    // OpenAPI 3.0's `nullable`, which servers generated from it still publish.
    if (schema.nullable === true) types.add('null');
    return types;
  }
  return undefined;
}

function typesOfConjunction(conjunction: Conjunction): Set<SchemaType> | undefined {
  let types: Set<SchemaType> | undefined;
  for (const schema of conjunction) {
    const named = namedTypes(schema);
    if (named === undefined) continue;
    if (types === undefined) {
      types = named;
      continue;
    }
    const before: Set<SchemaType> = types;
    types = new Set([...named].filter((type) => before.has(type) || (type === 'integer' && before.has('number'))));
    if (before.has('integer') && named.has('number')) types.add('integer');
  }
  return types;
}

/** All types that a value may have; undefined if at least one alternative leaves it open. */
export function typesOf(alternatives: Alternatives): Set<SchemaType> | undefined {
  const all = new Set<SchemaType>();
  for (const conjunction of alternatives) {
    const types = typesOfConjunction(conjunction);
    if (types === undefined) return undefined;
    for (const type of types) all.add(type);
  }
  return all;
}
