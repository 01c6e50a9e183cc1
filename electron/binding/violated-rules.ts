/** Ajv's errors as messages: the keyword that was violated decides, with its parameters. */
import type { ErrorObject } from 'ajv';
import { type Message, say } from '../../shared/model/messages/message.ts';

const MAX_VALUES = 10;

/** The member that is missing or not allowed, for keywords about members. */
export function memberOf({ keyword, params }: ErrorObject): string | undefined {
  if (keyword === 'required' || keyword === 'dependentRequired') return String(params.missingProperty);
  if (keyword === 'additionalProperties') return String(params.additionalProperty);
  if (keyword === 'unevaluatedProperties') return String(params.unevaluatedProperty);
  return undefined;
}

/** The types that the keyword `type` allows. */
export const typesOf = ({ params }: ErrorObject): string[] => [params.type].flat().join(',').split(',');

/** What has to change, worded to follow the name of the place. */
export function violated(error: ErrorObject): Message {
  const { keyword, params } = error;
  return (rules[keyword] ?? (() => say('schema.rule', { rule: keyword })))(params, error);
}

type Rule = (params: ErrorObject['params'], error: ErrorObject) => Message;

const required: Rule = (_, error) => say('schema.required', { member: memberOf(error) ?? '' });
const requiredWith: Rule = ({ deps, property }) =>
  say('schema.requiredWith', { members: String(deps).split(', '), beside: String(property) });
const notAllowed: Rule = (_, error) => say('schema.notAllowed', { member: memberOf(error) ?? '' });
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
  type: (_, error) => say('schema.type', { types: typesOf(error) }),
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
