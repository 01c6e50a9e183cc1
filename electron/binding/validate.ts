/** Validates a value with an untrusted JSON Schema, within a time limit. */
import { createHash } from 'node:crypto';
import type { ErrorObject, Options, ValidateFunction } from 'ajv';
import { type Message, nearNames, say, type Text } from '../../shared/model/messages/message.ts';
import { exactJson } from '../engine/core/exact-numbers.ts';
import type { JsonObject } from '../engine/core/json-object.ts';
import { TooSlow, withinTime } from '../engine/core/time-limit.ts';

/** One place at which a value violates a schema. */
export interface SchemaFinding {
  /** Path segments from the root. */
  pointer: (string | number)[];
  rule: string;
  /** Follows the name of the place: "must be number". */
  what: Message;
  /** For the rule `type`: the allowed types. */
  types?: string[];
  /** The member that is missing or not allowed, for such rules. */
  columnName?: string;
}

/**
 * Schemas come from upstreams: a `pattern` may backtrack forever. The check blocks the thread, so a schema that took too
 * long is not tried again.
 */
const COMPILE_MS = 2_000;
const CHECK_MS = 500;
const TOO_SLOW = say('schema.tooSlow');

/** Hashes of schemas that took too long. Hashes, because a server may publish the same schema repeatedly as new objects. */
const slow = new Set<string>();
const MOST_SLOW = 10_000;

type Compiled = { validator: ValidateFunction } | { fault: Text };
const compiled = new WeakMap<JsonObject, Promise<Compiled>>();

/**
 * All violations of the schema in `value`, in document order. An unusable schema gives one violation with the rule
 * `schema`. Each schema object is compiled once.
 */
export async function validate(schema: JsonObject, value: unknown): Promise<SchemaFinding[]> {
  let pending = compiled.get(schema);
  if (pending === undefined) {
    pending = slow.size > 0 && slow.has(hashOf(schema)) ? Promise.resolve({ fault: TOO_SLOW }) : compile(schema);
    compiled.set(schema, pending);
  }
  const result = await pending;
  if ('fault' in result) return [unchecked(result.fault)];
  const { validator } = result;
  try {
    const valid = withinTime(CHECK_MS, () => validator(value));
    // A schema with `$async` validates asynchronously, which MCP never uses.
    if (typeof valid !== 'boolean') {
      Promise.resolve(valid).catch(() => undefined);
      return [unchecked(say('schema.asynchronous'))];
    }
    return valid ? [] : findings(validator.errors ?? [], value);
  } catch (error) {
    const fault = reasonOf(error);
    if (fault === TOO_SLOW) {
      compiled.set(schema, Promise.resolve({ fault }));
      rememberSlow(schema);
    }
    return [unchecked(fault)];
  }
}

const hashOf = (schema: JsonObject): string => createHash('sha256').update(JSON.stringify(schema)).digest('base64');

function rememberSlow(schema: JsonObject): void {
  if (slow.size < MOST_SLOW) slow.add(hashOf(schema));
}

const unchecked = (reason: Text): SchemaFinding => ({
  pointer: [],
  rule: 'schema',
  what: say('schema.unchecked', { reason }),
});

/** `TOO_SLOW`, or the compiler's own words. */
function reasonOf(error: unknown): Text {
  return error instanceof TooSlow ? TOO_SLOW : String((error as { message?: unknown }).message ?? error);
}

async function compile(schema: JsonObject): Promise<Compiled> {
  const { default: addFormats } = await import('ajv-formats');
  const dialects = dialectsOf(schema);
  let fault: Text = '';
  for (const dialect of dialects) {
    const Ajv = await dialect();
    try {
      // Removes `$schema` before compiling: an unknown meta-schema must not prevent the check.
      const { $schema: _, ...plain } = schema;
      return { validator: withinTime(COMPILE_MS, () => addFormats.default(new Ajv(ajvOptions)).compile(plain)) };
    } catch (error) {
      fault ||= reasonOf(error);
      if (reasonOf(error) !== TOO_SLOW) continue;
      // Another dialect would take as long.
      rememberSlow(schema);
      return { fault: TOO_SLOW };
    }
  }
  return { fault };
}

const draft7 = async () => (await import('ajv')).Ajv;
const draft2019 = async () => (await import('ajv/dist/2019.js')).Ajv2019;
const draft2020 = async () => (await import('ajv/dist/2020.js')).Ajv2020;

function dialectsOf({ $schema }: JsonObject) {
  if (typeof $schema !== 'string') return [draft2020, draft7];
  if (/draft-0[3-7]/.test($schema)) return [draft7];
  if ($schema.includes('2019-09')) return [draft2019];
  return [draft2020];
}

const ajvOptions: Options = {
  strict: false,
  allErrors: true,
  verbose: true,
  validateSchema: false,
  logger: false,
  code: { regExp: Object.assign(tolerantPattern, { code: 'RegExp' }) },
};

/**
 * Many published patterns are invalid with the `u` flag that JSON Schema requires, and some with any flag: those match
 * everything.
 */
function tolerantPattern(pattern: string, flags: string): { test(text: string): boolean } {
  for (const each of [flags, '']) {
    try {
      return new RegExp(pattern, each);
    } catch {
      // Tries the next, more tolerant flags.
    }
  }
  return { test: () => true };
}

/** More errors are not useful. */
const MAX_FINDINGS = 2_000;

function findings(errors: readonly ErrorObject[], value: unknown): SchemaFinding[] {
  return withoutBranches(errors.slice(0, MAX_FINDINGS)).map((error) => {
    const columnName = memberOf(error);
    return {
      pointer: segmentsOf(error.instancePath, value),
      rule: error.keyword,
      what: violated(error),
      ...(error.keyword === 'type' ? { types: typesOf(error) } : {}),
      ...(columnName === undefined ? {} : { columnName }),
    };
  });
}

/** Splits a JSON pointer (RFC 6901), with numbers for list indices. */
function segmentsOf(pointer: string, root: unknown): (string | number)[] {
  let at = root;
  return pointer
    .split('/')
    .slice(1)
    .map((part) => {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
      const segment = Array.isArray(at) ? Number(name) : name;
      at = (at as Record<string | number, unknown> | null | undefined)?.[segment];
      return segment;
    });
}

/**
 * Drops most errors from branches of an `anyOf` or `oneOf`: type errors are joined to one choice, and other errors are
 * kept only if they are deeper, which shows that the branch was the intended one.
 */
function withoutBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const kept: ErrorObject[] = [];
  for (const error of errors) {
    if (error.keyword === 'contains') {
      // Errors of single items for `contains` are not useful.
      takeBranches(kept, error);
      kept.push(error);
      continue;
    }
    if (error.keyword !== 'anyOf' && error.keyword !== 'oneOf') {
      // `if` only reports that `then` or `else` failed, which has a separate error.
      if (error.keyword !== 'if') kept.push(error);
      continue;
    }
    const branches = takeBranches(kept, error);
    const deeper = branches.filter((branch) => branch.instancePath.length > error.instancePath.length);
    if (deeper.length > 0) kept.push(...deeper);
    else if (branches.length > 0 && branches.every((branch) => branch.keyword === 'type')) {
      const types = new Set(branches.flatMap((branch) => branch.params.type as string | string[]));
      kept.push({ ...error, keyword: 'type', params: { type: [...types] } });
    } else kept.push(branches.length === 1 ? (branches[0] as ErrorObject) : error);
  }
  return kept;
}

/** Removes the errors of the branches of `choice` from the end of `kept`; Ajv reports them right before it. */
function takeBranches(kept: ErrorObject[], choice: ErrorObject): ErrorObject[] {
  const references = Array.isArray(choice.schema)
    ? choice.schema.flatMap((branch: unknown) => ((branch as JsonObject | null)?.$ref as string | undefined) ?? [])
    : [];
  const isBranch = (error: ErrorObject): boolean =>
    error.instancePath.startsWith(choice.instancePath) &&
    (error.schemaPath.startsWith(`${choice.schemaPath}/`) || references.some((ref) => error.schemaPath.startsWith(`${ref}/`)));
  let from = kept.length;
  while (from > 0 && isBranch(kept[from - 1] as ErrorObject)) from -= 1;
  return kept.splice(from);
}

// Ajv's errors as messages: the keyword that was violated decides, with its parameters.

const MAX_VALUES = 10;

/** The member that is missing or not allowed, for keywords about members. */
function memberOf({ keyword, params }: ErrorObject): string | undefined {
  if (keyword === 'required' || keyword === 'dependentRequired') return String(params.missingProperty);
  if (keyword === 'additionalProperties') return String(params.additionalProperty);
  if (keyword === 'unevaluatedProperties') return String(params.unevaluatedProperty);
  return undefined;
}

/** The types that the keyword `type` allows. */
const typesOf = ({ params }: ErrorObject): string[] => [params.type].flat().join(',').split(',');

/** What has to change, worded to follow the name of the place. */
function violated(error: ErrorObject): Message {
  const { keyword, params } = error;
  return (rules[keyword] ?? (() => say('schema.rule', { rule: keyword })))(params, error);
}

type Rule = (params: ErrorObject['params'], error: ErrorObject) => Message;

const required: Rule = (_, error) => say('schema.required', { member: memberOf(error) ?? '' });
const requiredWith: Rule = ({ deps, property }) =>
  say('schema.requiredWith', { members: String(deps).split(', '), beside: String(property) });
const notAllowed: Rule = (_, error) => {
  const member = memberOf(error) ?? '';
  const { properties } = (error.parentSchema ?? {}) as { properties?: object };
  return say('schema.notAllowed', { member, near: nearNames(member, Object.keys(properties ?? {})) ?? null });
};

const SHOWN_CHARS = 40;

/** A plain value as JSON; null for others, and for long ones. */
function shownValue(value: unknown): string | null {
  if (typeof value === 'object' || value === undefined) return null;
  const text = exactJson(value);
  return text.length <= SHOWN_CHARS ? text : null;
}

const bound: Rule = ({ comparison, limit }) => say('schema.bound', { comparison: String(comparison), limit: Number(limit) });
const tooMany =
  (of: 'items' | 'characters' | 'properties'): Rule =>
  ({ limit, len }) =>
    say('schema.tooMany', { of, limit: Number(limit ?? len) });
const tooFew =
  (of: 'items' | 'characters' | 'properties'): Rule =>
  ({ limit }) =>
    say('schema.tooFew', { of, limit: Number(limit) });
const contains: Rule = ({ minContains, maxContains }) =>
  say('schema.contains', { least: Number(minContains), most: maxContains === undefined ? null : Number(maxContains) });

const rules: Readonly<Record<string, Rule>> = {
  type: (_, error) => say('schema.type', { types: typesOf(error), given: shownValue(error.data) }),
  required,
  dependentRequired: requiredWith,
  dependencies: requiredWith,
  additionalProperties: notAllowed,
  unevaluatedProperties: notAllowed,
  propertyNames: () => say('schema.memberName'),
  enum: ({ allowedValues }) => {
    const values = (allowedValues as unknown[]).map((allowed) => JSON.stringify(allowed));
    return say('schema.enum', { values: values.slice(0, MAX_VALUES), more: values.length > MAX_VALUES });
  },
  const: ({ allowedValue }) => say('schema.const', { value: JSON.stringify(allowedValue) }),
  minimum: bound,
  maximum: bound,
  exclusiveMinimum: bound,
  exclusiveMaximum: bound,
  multipleOf: ({ multipleOf }) => say('schema.multipleOf', { factor: Number(multipleOf) }),
  pattern: ({ pattern }) => say('schema.pattern', { pattern: String(pattern) }),
  format: ({ format }) => say('schema.format', { format: String(format) }),
  maxItems: tooMany('items'),
  items: tooMany('items'),
  additionalItems: tooMany('items'),
  unevaluatedItems: tooMany('items'),
  maxLength: tooMany('characters'),
  maxProperties: tooMany('properties'),
  minItems: tooFew('items'),
  minLength: tooFew('characters'),
  minProperties: tooFew('properties'),
  uniqueItems: ({ i, j }) => say('schema.duplicates', { first: Number(j), second: Number(i) }),
  contains,
  anyOf: () => say('schema.anyOf'),
  oneOf: () => say('schema.oneOf'),
  not: () => say('schema.not'),
  'false schema': () => say('schema.never'),
};
