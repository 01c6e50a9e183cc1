/** Lists a tool's parameters and the places in them that can take a file, from its input schema. */

import type { JsonObject } from '../engine/core/json-object.ts';
import { namesIn } from '../engine/schema/schema-advice.ts';
import { type Alternatives, ANY_ITEM, type SchemaStep, typesOf, walkSchema } from '../engine/schema/schema-walk.ts';
import { formatDataKey } from './data-key.ts';

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

function typeText(inputSchema: JsonObject, steps: readonly SchemaStep[]): string {
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
