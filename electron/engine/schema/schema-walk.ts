/** Walks a JSON Schema to what it says of the value at a path, through references, compositions and alternatives. */
import { isJsonObject, type JsonObject } from '../core/json-object.ts';

/** Schemas that all hold of a value. */
export type Conjunction = readonly JsonObject[];
/** Ways in which a value may fit; it needs to fit one. None: no value fits. */
export type Alternatives = readonly Conjunction[];

/** Stands for "any item" where a path segment would be an index. */
export const ANY_ITEM = Symbol('any item');
export type SchemaStep = string | number | typeof ANY_ITEM;

/** Compositions multiply; a schema past this says too little about one value to be worth following. */
const MAX_ALTERNATIVES = 64;
const MAX_DEPTH = 256;
const ANYTHING: Alternatives = [[]];

const COMPOSED = new Set(['$ref', 'allOf', 'anyOf', 'oneOf']);

/** What `#/…` names in the root schema; undefined for anything that is not there or not in this document. */
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

/** What was found of each schema of a document, so that references shared or circular cost their size once. */
const walked = new WeakMap<JsonObject, Map<JsonObject, Alternatives>>();

/**
 * The schema as alternatives of conjunctions, free of `$ref`, `allOf`, `anyOf` and `oneOf`. A reference that
 * leads back to itself or out of the document says nothing, so it allows anything.
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

/** The subschema that one plain schema has for a member or item; undefined where it says nothing of it. */
function childSchema(schema: JsonObject, step: SchemaStep): unknown {
  if (typeof step === 'string') {
    const property = own(schema.properties, step);
    if (property !== undefined) return property;
    // `additionalProperties: false` stays out: whether a name is allowed is the check's business, not the walk's.
    return isJsonObject(schema.additionalProperties) ? schema.additionalProperties : undefined;
  }
  const index = step === ANY_ITEM ? 0 : step;
  // Draft 7 and before: a list under `items` is what `prefixItems` is now.
  const tuple = Array.isArray(schema.prefixItems) ? schema.prefixItems : Array.isArray(schema.items) ? schema.items : [];
  if (index < tuple.length) return tuple[index];
  const rest = Array.isArray(schema.items) ? schema.additionalItems : schema.items;
  return isJsonObject(rest) ? rest : undefined;
}

/** One step down; of an alternative that says nothing of the step comes `silent`. */
function stepsDown(root: JsonObject, from: Alternatives, step: SchemaStep, silent: Alternatives): Alternatives {
  return from.flatMap((conjunction) => {
    const children = conjunction.map((schema) => childSchema(schema, step)).filter((child) => child !== undefined);
    if (children.length === 0) return silent;
    return children.map((child) => alternativesOf(root, child)).reduce(both);
  });
}

/** One step down. Alternatives that say nothing of the step fall away; undefined if that leaves none. */
function stepDown(root: JsonObject, from: Alternatives, step: SchemaStep): Alternatives | undefined {
  const found = stepsDown(root, from, step, []);
  return found.length > 0 ? found : undefined;
}

/** One step down to all that may hold there: where an alternative says nothing of the step, anything. */
export const everyWayDown = (root: JsonObject, from: Alternatives, step: SchemaStep): Alternatives =>
  stepsDown(root, from, step, ANYTHING);

/** What the schema says of the value at a path; undefined where it says nothing. */
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

/** Types one plain schema names, by `type`, `const` or `enum`; undefined where it leaves the type open. */
function namedTypes(schema: JsonObject): Set<SchemaType> | undefined {
  if (Array.isArray(schema.enum)) return new Set(schema.enum.map(typeOfConstant));
  if (Object.hasOwn(schema, 'const')) return new Set([typeOfConstant(schema.const)]);
  const named = typeof schema.type === 'string' ? [schema.type] : Array.isArray(schema.type) ? schema.type : undefined;
  if (named !== undefined) {
    const types = new Set(TYPES.filter((type) => named.includes(type)));
    // OpenAPI 3.0's spelling, which servers generated from it still publish.
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

/** All types a value may have; undefined where at least one alternative leaves it open. */
export function typesOf(alternatives: Alternatives): Set<SchemaType> | undefined {
  const all = new Set<SchemaType>();
  for (const conjunction of alternatives) {
    const types = typesOfConjunction(conjunction);
    if (types === undefined) return undefined;
    for (const type of types) all.add(type);
  }
  return all;
}
