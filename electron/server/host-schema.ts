/** Rewrites a JSON Schema so that every host accepts it: one schema that a host refuses can cost it the whole list of tools. */
import { isJsonObject, type JsonObject, setMember } from '../engine/core/json-object.ts';
import { resolveReference } from '../engine/schema/schema-walk.ts';

/** Levels of properties and items below the root; deeper values are published as values of any form. */
const MAX_DEPTH = 10;
/** A larger schema loses its deepest levels (characters of JSON). */
const MAX_CHARS = 100_000;
/** Names of parameters that the Messages API of Anthropic accepts. */
const PARAMETER_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

/**
 * Type names of other languages, by what they mean. Gemini and validators refuse unknown ones.
 */
const types: ReadonlyMap<string, string> = new Map([
  ...['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'].map((type): [string, string] => [type, type]),
  ...Object.entries({ str: 'string', text: 'string', int: 'integer', float: 'number', double: 'number', bool: 'boolean' }),
  ...Object.entries({ dict: 'object', map: 'object', list: 'array', tuple: 'array', none: 'null' }),
]);

const isText = (value: unknown) => typeof value === 'string';
const isNumber = (value: unknown) => typeof value === 'number';
const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 0;
const isFlag = (value: unknown) => typeof value === 'boolean';
const always = () => true;

function isPattern(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    // As validators compile it.
    return new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** Keywords that are kept as they are, with the values that JSON Schema 2020-12 allows, by the type that they are about. */
const kept: Readonly<Record<string, Readonly<Record<string, (value: unknown) => boolean>>>> = {
  any: {
    title: isText,
    description: isText,
    default: always,
    examples: Array.isArray,
    deprecated: isFlag,
    readOnly: isFlag,
    writeOnly: isFlag,
  },
  string: {
    minLength: isCount,
    maxLength: isCount,
    pattern: isPattern,
    format: isText,
    contentEncoding: isText,
    contentMediaType: isText,
  },
  number: {
    minimum: isNumber,
    maximum: isNumber,
    exclusiveMinimum: isNumber,
    exclusiveMaximum: isNumber,
    multipleOf: (value) => isNumber(value) && (value as number) > 0,
  },
  array: { minItems: isCount, maxItems: isCount, uniqueItems: isFlag },
  object: { minProperties: isCount, maxProperties: isCount },
};

/**
 * Keywords without a place in the published form: those that hosts refuse, those that name the document, and conditions, which a parameter for a file
 * would not meet. What a tool is called with is still checked against its own schema.
 */
const left = new Set(
  '$schema $id id $anchor $comment $dynamicAnchor $dynamicRef $recursiveAnchor $recursiveRef $vocabulary additionalItems contains contentSchema dependencies dependentRequired dependentSchemas else if maxContains minContains not nullable patternProperties propertyNames then unevaluatedItems unevaluatedProperties'.split(
    ' ',
  ),
);
/** Keywords that are rewritten. */
const rewritten = new Set(
  '$defs $ref additionalProperties allOf anyOf const definitions enum items oneOf prefixItems properties required type'.split(
    ' ',
  ),
);
const known = new Map(Object.values(kept).flatMap((keywords) => Object.entries(keywords)));

interface Form {
  /** Leaves out parameters whose names hosts refuse. */
  names: boolean;
  maxDepth: number;
}

/**
 * The schema in the subset that OpenAI, Gemini, Anthropic and their bridges accept: one type a schema, lists with items, no constants, tuples,
 * conditions or broken references. It accepts all that the given one accepts. `of`: for arguments, parameters whose names hosts refuse
 * are left out. `original`: what references lead into, if more than the schema.
 */
export function hostSchema(schema: JsonObject, of: 'arguments' | 'answers', original = schema): JsonObject & { type: 'object' } {
  let result: JsonObject = {};
  for (const maxDepth of [MAX_DEPTH, 5, 3, 2, 1]) {
    const form: Form = { names: of === 'arguments', maxDepth };
    const whole = rewrite(schema, form, 0);
    result = resolved(whole, { original, published: whole, form }, 0) as JsonObject;
    if (JSON.stringify(result).length <= MAX_CHARS) break;
  }
  if (JSON.stringify(result).length > MAX_CHARS) result = names(result);
  const { type: _, additionalProperties, ...rest } = result;
  if (!JSON.stringify(rest).includes('"$ref":')) for (const keyword of ['$defs', 'definitions']) delete rest[keyword];
  const properties = isJsonObject(rest.properties) ? rest.properties : {};
  // At the root, "anything else too" is the rule that every host assumes.
  const closed = additionalProperties === false ? { additionalProperties } : {};
  return { type: 'object', ...rest, properties, ...closed };
}

/** Of a schema that is too large in any form, the names of its parameters, as many as there is room for. */
function names({ properties, required }: JsonObject): JsonObject {
  const kept: JsonObject = {};
  let chars = 0;
  for (const name of isJsonObject(properties) ? Object.keys(properties) : []) {
    chars += name.length + 6;
    if (chars < MAX_CHARS / 2) setMember(kept, name, {});
  }
  const needed = Array.isArray(required) ? required.filter((name) => Object.hasOwn(kept, String(name))) : [];
  return { properties: kept, ...(needed.length > 0 ? { required: needed } : {}) };
}

/** The parameters at the top level that `hostSchema` leaves out. */
export const refusedParameters = ({ properties }: JsonObject): string[] =>
  isJsonObject(properties) ? Object.keys(properties).filter((name) => !PARAMETER_NAME.test(name)) : [];

function rewrite(schema: unknown, form: Form, depth: number): JsonObject {
  if (!isJsonObject(schema)) return {};
  const inside = (value: unknown, deeper = 0) => rewrite(value, form, depth + deeper);
  const common: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (left.has(keyword) || rewritten.has(keyword)) continue;
    const fits = known.get(keyword);
    if (fits === undefined || fits(value)) setMember(common, keyword, value);
  }
  const values = valuesOf(schema);
  const named = values === undefined ? namedTypes(schema) : typesOfValues(values);
  // Hosts want the type beside its keywords. Where other schemas speak of the value too, they say its type.
  if (
    named.length === 0 &&
    schema.type === undefined &&
    !['$ref', 'allOf', 'anyOf', 'oneOf'].some((keyword) => schema[keyword] !== undefined)
  ) {
    if (schema.items !== undefined || schema.prefixItems !== undefined) named.push('array');
    else if (isJsonObject(schema.properties)) named.push('object');
  }
  const alternatives = ['anyOf', 'oneOf'].flatMap((keyword) => {
    const branches = Array.isArray(schema[keyword]) ? schema[keyword].map((branch) => inside(branch)).flatMap(branchesOf) : [];
    // Without its condition, a branch such as {"required": ["a"]} says nothing.
    return branches.length > 0 && branches.every((branch) => Object.keys(branch).length > 0) ? [branches] : [];
  });
  const everyOf = Array.isArray(schema.allOf)
    ? schema.allOf.map((part) => inside(part)).filter((part) => Object.keys(part).length > 0)
    : [];
  const result: JsonObject = { ...common };
  if (typeof schema.$ref === 'string') result.$ref = schema.$ref;
  for (const keyword of ['$defs', 'definitions'])
    if (isJsonObject(schema[keyword])) result[keyword] = mapped(schema[keyword], inside);

  const [only, ...more] = named;
  if (only !== undefined && more.length === 0) Object.assign(result, ofType(only, schema, values, form, depth));
  else if (only !== undefined && alternatives.length === 0) {
    const about = new Set(Object.entries(kept).flatMap(([type, keywords]) => (type === 'any' ? [] : Object.keys(keywords))));
    const own = Object.fromEntries(Object.entries(result).filter(([keyword]) => about.has(keyword)));
    for (const keyword of Object.keys(own)) delete result[keyword];
    alternatives.push(
      named.map((type) => {
        const words = kept[type === 'integer' ? 'number' : type] ?? {};
        const part = Object.fromEntries(Object.entries(own).filter(([keyword]) => Object.hasOwn(words, keyword)));
        return { ...part, ...ofType(type, schema, values, form, depth) };
      }),
    );
  }
  if (values?.some((value) => value !== null && !isPlainText(value)) && !(values.includes(true) && values.includes(false))) {
    const list = values.map((value) => JSON.stringify(value)).join(', ');
    result.description = [result.description, `${values.length > 1 ? 'One of' : 'Always'} ${list}`].filter(isText).join('. ');
  }
  if (alternatives[0]) result.anyOf = alternatives[0];
  const parts = [...everyOf, ...alternatives.slice(1).map((anyOf) => ({ anyOf }))];
  if (parts.length > 0) result.allOf = parts;
  return result;
}

/** Alternatives of alternatives are alternatives. */
const branchesOf = (branch: JsonObject): JsonObject[] =>
  Array.isArray(branch.anyOf) && Object.keys(branch).length === 1 ? (branch.anyOf as JsonObject[]) : [branch];

const isPlainText = (value: unknown) => typeof value === 'string' && value !== '';

/** The values that `enum` or `const` allow; undefined without them. */
function valuesOf(schema: JsonObject): readonly unknown[] | undefined {
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return schema.enum;
  return Object.hasOwn(schema, 'const') ? [schema.const] : undefined;
}

function typesOfValues(values: readonly unknown[]): string[] {
  const typeOf = (value: unknown) =>
    value === null ? 'null' : Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value;
  const found = new Set(values.map(typeOf));
  if (found.has('number')) found.delete('integer');
  return [...found];
}

const namedTypes = ({ type, nullable }: JsonObject): string[] => {
  const named = [type].flat().flatMap((name) => (typeof name === 'string' ? (types.get(name.toLowerCase()) ?? []) : []));
  // A type that nobody knows may be any.
  if ([type].flat().some((name) => name !== undefined && !(typeof name === 'string' && types.has(name.toLowerCase())))) return [];
  // `nullable` is OpenAPI 3.0's null.
  return [...new Set(nullable === true && named.length > 0 ? [...named, 'null'] : named)];
};

/** The keywords of one type. */
function ofType(type: string, schema: JsonObject, values: readonly unknown[] | undefined, form: Form, depth: number): JsonObject {
  if (type === 'string') {
    const texts = values?.filter((value) => typeof value === 'string');
    return texts?.every(isPlainText) ? { type, enum: texts } : { type };
  }
  if (type === 'array') return { type, ...itemsOf(schema, form, depth) };
  if (type === 'object') return { type, ...membersOf(schema, form, depth) };
  return { type };
}

function itemsOf({ items, prefixItems, additionalItems, maxItems }: JsonObject, form: Form, depth: number): JsonObject {
  if (depth >= form.maxDepth) return { items: {} };
  const tuple = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : undefined;
  if (tuple === undefined) return { items: rewrite(items, form, depth + 1) };
  const rest = Array.isArray(prefixItems) ? items : additionalItems;
  // Further items of any form.
  const isOpen = (rest === undefined || rest === true) && !(typeof maxItems === 'number' && maxItems <= tuple.length);
  if (isOpen) return { items: {} };
  const kinds = new Map(
    [...tuple, ...(isJsonObject(rest) ? [rest] : [])].map((item) => {
      const kind = rewrite(item, form, depth + 1);
      return [JSON.stringify(kind), kind];
    }),
  );
  const [only = {}, ...more] = kinds.values();
  const length = rest === false && maxItems === undefined ? { maxItems: tuple.length } : {};
  return { ...length, items: more.length === 0 ? only : { anyOf: [...kinds.values()].flatMap(branchesOf) } };
}

function membersOf(schema: JsonObject, form: Form, depth: number): JsonObject {
  const { additionalProperties } = schema;
  const given = isJsonObject(schema.properties) ? schema.properties : {};
  const names = Object.keys(given).filter((name) => (!form.names || PARAMETER_NAME.test(name)) && given[name] !== false);
  if (depth >= form.maxDepth || names.length === 0) {
    const isClosed = additionalProperties === false && !isJsonObject(schema.patternProperties);
    if (isClosed && depth < form.maxDepth && Object.keys(given).length === 0)
      return { properties: {}, additionalProperties: false };
    const isMap = depth < form.maxDepth && Object.keys(given).length === 0;
    const rest = isMap ? rewrite(mapOf(schema), form, depth + 1) : {};
    return { additionalProperties: Object.keys(rest).length > 0 ? rest : true };
  }
  const properties: JsonObject = {};
  for (const name of names) setMember(properties, name, rewrite(given[name], form, depth + 1));
  const required = Array.isArray(schema.required)
    ? [...new Set(schema.required)].filter((name) => typeof name === 'string' && Object.hasOwn(properties, name))
    : [];
  const complete = names.length === Object.keys(given).length;
  // Without their patterns, other names may have any value.
  const others = isJsonObject(schema.patternProperties) || !complete ? undefined : additionalProperties;
  const rest = isJsonObject(others)
    ? { additionalProperties: rewrite(others, form, depth + 1) }
    : others === true || others === false
      ? { additionalProperties: others }
      : {};
  return { properties, ...(required.length > 0 ? { required } : {}), ...rest };
}

/** The schema of the values of an object with any names; undefined if they may be anything. */
function mapOf({ additionalProperties, patternProperties }: JsonObject): unknown {
  if (!isJsonObject(patternProperties)) return additionalProperties;
  const patterns = Object.values(patternProperties);
  if (additionalProperties !== false) return undefined;
  return patterns.length === 1 ? patterns[0] : { anyOf: patterns };
}

function mapped(map: JsonObject, each: (value: unknown) => unknown): JsonObject {
  const result: JsonObject = {};
  for (const [name, value] of Object.entries(map)) setMember(result, name, each(value));
  return result;
}

interface References {
  original: JsonObject;
  published: JsonObject;
  form: Form;
}

/** Keywords whose values are no schemas, and those whose members are names. */
const values = new Set(['default', 'enum', 'examples']);
const maps = new Set(['properties', '$defs', 'definitions']);

/** References that lead nowhere are replaced: by what they led to before the rewriting, or by any value. `named`: the members are names, not keywords. */
function resolved(at: unknown, references: References, depth: number, named = false): unknown {
  if (Array.isArray(at)) return at.map((each) => resolved(each, references, depth));
  if (!isJsonObject(at)) return at;
  const result: JsonObject = {};
  for (const [name, value] of Object.entries(at))
    setMember(result, name, !named && values.has(name) ? value : resolved(value, references, depth, !named && maps.has(name)));
  if (named || typeof at.$ref !== 'string' || isJsonObject(resolveReference(references.published, at.$ref))) return result;
  const { $ref, ...rest } = result;
  const target = resolveReference(references.original, at.$ref);
  if (!isJsonObject(target) || depth >= 2) return rest;
  const copy = rewrite(target, references.form, Math.max(0, references.form.maxDepth - 3));
  return { ...(resolved(copy, references, depth + 1) as JsonObject), ...rest };
}
