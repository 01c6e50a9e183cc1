/** Data keys: paths that name the place of a payload in a tool's arguments. Parses and formats them, and lists the places that a tool has. */
import { AppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';
import type { JsonObject } from '../engine/core/json-object.ts';
import { namesIn } from '../engine/schema/schema-advice.ts';
import { type Alternatives, ANY_ITEM, type SchemaStep, typesOf, walkSchema } from '../engine/schema/schema-walk.ts';

/** A longer list must be filled from a file, not item by item. */
const MAX_INDEX = 10_000;
const REFUSED = new Set(['__proto__', 'constructor', 'prototype']);
const ESCAPED = new Set(['.', '[', ']', '\\']);

/**
 * Parses `records`, `config.database.users`, `files[0].content`. A literal dot, bracket or backslash in a name is escaped
 * with a backslash. Throws DATA_KEY_INVALID with the position of the character, from 1.
 */
export function parseDataKey(key: string): (string | number)[] {
  const fail = (reason: Message, at: number): never => {
    const character = at + 1;
    throw new AppError('DATA_KEY_INVALID', say('dataKey.invalid', { key, reason, character }), {
      hint: say('dataKey.invalid.hint'),
      details: { dataKey: key, character },
    });
  };
  const segments: (string | number)[] = [];
  let at = 0;

  const readName = (): string => {
    const start = at;
    let name = '';
    while (at < key.length && key[at] !== '.' && key[at] !== '[') {
      const char = key[at] as string;
      if (char === ']') fail(say('dataKey.strayClosing'), at);
      if (char === '\\') {
        const next = key[at + 1];
        if (next === undefined || !ESCAPED.has(next)) fail(say('dataKey.escape'), at);
        name += next;
        at += 2;
      } else {
        name += char;
        at += 1;
      }
    }
    if (name === '') fail(say('dataKey.emptyName'), start);
    if (REFUSED.has(name)) fail(say('dataKey.nameRefused', { name }), start);
    return name;
  };

  const readIndex = (): number => {
    const start = at + 1;
    const close = key.indexOf(']', start);
    if (close < 0) fail(say('dataKey.noClosing'), at);
    const digits = key.slice(start, close);
    if (!/^\d+$/.test(digits)) fail(say('dataKey.indexNotWhole'), start);
    if (digits.length > 1 && digits.startsWith('0')) fail(say('dataKey.indexZero'), start);
    const index = Number(digits);
    if (index > MAX_INDEX) fail(say('dataKey.indexHigh', { most: MAX_INDEX }), start);
    at = close + 1;
    return index;
  };

  segments.push(key[0] === '[' ? readIndex() : readName());
  while (at < key.length) {
    if (key[at] === '[') {
      segments.push(readIndex());
    } else if (key[at] === '.') {
      at += 1;
      segments.push(readName());
    } else {
      fail(say('dataKey.afterClosing'), at);
    }
  }
  return segments;
}

/** Formats segments as a data key: the inverse of `parseDataKey`. No segments give an empty text. */
export function formatDataKey(segments: readonly (string | number)[]): string {
  return segments.reduce<string>((key, segment) => {
    if (typeof segment === 'number') return `${key}[${segment}]`;
    const name = segment.replace(/[.[\]\\]/g, '\\$&');
    return key === '' ? name : `${key}.${name}`;
  }, '');
}

// Places

/** Maximum number of places, because schemas can nest without end. */
const MAX_DEPTH = 5;
const MAX_PLACES = 100;

/** Strings limited to this length are too short for a file's content. Characters. */
const SHORT_TEXT = 100;

/** String formats of short values: JSON Schema's own, OpenAPI's `password`, and `url`. */
export const valueFormats: ReadonlySet<string> = new Set([
  'date',
  'date-time',
  'duration',
  'email',
  'hostname',
  'idn-email',
  'idn-hostname',
  'ipv4',
  'ipv6',
  'iri',
  'iri-reference',
  'json-pointer',
  'password',
  'regex',
  'relative-json-pointer',
  'time',
  'uri',
  'uri-reference',
  'uri-template',
  'url',
  'uuid',
]);

const refusedNames = new Set(['__proto__', 'constructor', 'prototype']);

export interface Parameter {
  name: string;
  /** `string`, `array of object`, `string or null`, `any`. */
  type: string;
  required: boolean;
}

/** The tool's arguments, in the schema's order. */
export function parametersOf(inputSchema: JsonObject): Parameter[] {
  const root = walkSchema(inputSchema, []) ?? [];
  return namesIn(root).map((name) => ({
    name,
    type: typeText(inputSchema, [name]),
    required:
      root.length > 0 &&
      root.every((conjunction) => conjunction.some(({ required }) => Array.isArray(required) && required.includes(name))),
  }));
}

/** Data keys of the places that can take a file: lists, objects, texts and values without a type, outer ones first. */
export function payloadPlaces(inputSchema: JsonObject): string[] {
  const places: string[] = [];
  const visit = (steps: readonly SchemaStep[]): void => {
    if (places.length >= MAX_PLACES) return;
    const alternatives = walkSchema(inputSchema, steps);
    if (alternatives === undefined || alternatives.length === 0) return;
    const last = steps.at(-1);
    // A list item counts only for the places inside it: a file goes to the list itself.
    if (typeof last === 'string' && takesPayload(alternatives)) places.push(keyOf(steps));
    const depth = steps.filter((step) => typeof step === 'string').length;
    if (depth >= MAX_DEPTH) return;
    for (const name of namesIn(alternatives)) if (!refusedNames.has(name)) visit([...steps, name]);
    if (typeof last === 'string' && typesOf(alternatives)?.has('array')) visit([...steps, ANY_ITEM]);
  };
  visit([]);
  return places;
}

const keyOf = (steps: readonly SchemaStep[]) => formatDataKey(steps.map((step) => (step === ANY_ITEM ? 0 : step)));

function takesPayload(alternatives: Alternatives): boolean {
  return alternatives.some((conjunction) => {
    if (conjunction.some((schema) => Array.isArray(schema.enum) || Object.hasOwn(schema, 'const'))) return false;
    const types = typesOf([conjunction]);
    if (types === undefined || types.has('array') || types.has('object')) return true;
    return types.has('string') && !conjunction.some(isShortText);
  });
}

const isShortText = ({ format, maxLength, pattern }: JsonObject): boolean =>
  (typeof format === 'string' && valueFormats.has(format)) ||
  (typeof maxLength === 'number' && maxLength < SHORT_TEXT) ||
  typeof pattern === 'string';

/** The types that the schema allows at a place, as people read them: `string or null`, `array of object`. */
export function typeText(inputSchema: JsonObject, steps: readonly SchemaStep[]): string {
  const alternatives = walkSchema(inputSchema, steps) ?? [];
  const types = typesOf(alternatives);
  if (types === undefined) return 'any';
  return [...types]
    .map((type) => {
      if (type !== 'array') return type;
      const items = typesOf(walkSchema(inputSchema, [...steps, ANY_ITEM]) ?? [[]]);
      return items === undefined || items.size === 0 ? type : `array of ${[...items].join(' or ')}`;
    })
    .join(' or ');
}
