/** Decides which parameters of a tool can carry a payload; used by companions and by the audit. */

import { formatDataKey } from '../binding/data-key.ts';
import { valueFormats } from '../binding/payload-places.ts';
import { isJsonObject, type JsonObject } from '../engine/core/json-object.ts';
import { stringEncodingAt } from '../engine/schema/schema-advice.ts';
import {
  ANY_ITEM,
  alternativesOf,
  type Conjunction,
  type SchemaStep,
  type SchemaType,
  typesOf,
  walkSchema,
} from '../engine/schema/schema-walk.ts';
import { companionNames } from './companion-names.ts';

/** A value of this length is typed as fast as a path. Characters. */
const SHORT_CHARS = 1024;
const SCALAR_CHARS = 32;
const FORMATTED_CHARS = 256;
/** Last words of names whose text is a location, a name or another short value, and not content. */
const SHORT_BY_NAME = new Set(
  'path id uuid guid uri url href filename directory dir folder name title type kind mode format encoding language locale version timezone email cursor pattern glob cwd root branch sha destination dest dst src from to selector color colour palette repo repository owner namespace device username hostname host slug identifier currency country city timestamp date'.split(
    ' ',
  ),
);

/** Checks the name's last word: `repo_path`, `baseURL`, `entityType`. A source is a location if there is also a destination. */
function isShortByName(root: JsonObject, name: string): boolean {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  const last = words.split(/[^a-z0-9]+/).at(-1) ?? '';
  return SHORT_BY_NAME.has(last) || (name === 'source' && isJsonObject(root.properties) && 'destination' in root.properties);
}

/** Names that data keys cannot contain. */
const REFUSED = new Set(['__proto__', 'constructor', 'prototype', '']);

const lengths = new WeakMap<JsonObject, WeakMap<JsonObject, number>>();

/** Maximum length of a value of the schema, in characters of JSON; Infinity if unlimited. */
function longestValue(root: JsonObject, schema: unknown): number {
  const known = lengths.get(root) ?? new WeakMap<JsonObject, number>();
  lengths.set(root, known);
  if (isJsonObject(schema)) {
    // References can share a schema in more ways than can be walked.
    const remembered = known.get(schema);
    if (remembered !== undefined) return remembered;
    // A recursive schema is unlimited.
    known.set(schema, Number.POSITIVE_INFINITY);
  }
  const longest = Math.max(0, ...alternativesOf(root, schema).map((conjunction) => longestOf(root, conjunction)));
  if (isJsonObject(schema)) known.set(schema, longest);
  return longest;
}

function longestOf(root: JsonObject, conjunction: Conjunction): number {
  for (const schema of conjunction) {
    if (Array.isArray(schema.enum)) return Math.max(0, ...schema.enum.map((value) => JSON.stringify(value)?.length ?? 0));
    if (Object.hasOwn(schema, 'const')) return JSON.stringify(schema.const)?.length ?? 0;
  }
  const types = typesOf([conjunction]);
  if (types === undefined) return Number.POSITIVE_INFINITY;
  return Math.max(0, ...[...types].map((type) => longestOfType(root, conjunction, type)));
}

const smallest = (conjunction: Conjunction, keyword: string): number =>
  Math.min(
    Number.POSITIVE_INFINITY,
    ...conjunction.map((schema) => schema[keyword]).filter((value): value is number => typeof value === 'number'),
  );

function longestOfType(root: JsonObject, conjunction: Conjunction, type: SchemaType): number {
  if (type === 'string') {
    const short = conjunction.some(({ format }) => typeof format === 'string' && valueFormats.has(format));
    return Math.min(smallest(conjunction, 'maxLength'), short ? FORMATTED_CHARS : Number.POSITIVE_INFINITY);
  }
  if (type === 'array') {
    const items = smallest(conjunction, 'maxItems');
    if (items === 0) return 0;
    const item = Math.min(
      Number.POSITIVE_INFINITY,
      ...conjunction.flatMap((schema) => (isJsonObject(schema.items) ? [longestValue(root, schema.items)] : [])),
    );
    return items * (item + 1);
  }
  if (type === 'object') {
    const properties = conjunction.flatMap((schema) =>
      isJsonObject(schema.properties) ? Object.entries(schema.properties) : [],
    );
    const open = conjunction.some(
      ({ additionalProperties, patternProperties }) =>
        additionalProperties === true || isJsonObject(additionalProperties) || patternProperties !== undefined,
    );
    const closed = conjunction.some(({ additionalProperties }) => additionalProperties === false);
    if (open || (properties.length === 0 && !closed)) return Number.POSITIVE_INFINITY;
    return properties.reduce((sum, [name, schema]) => sum + name.length + 4 + longestValue(root, schema), 0);
  }
  return SCALAR_CHARS;
}

/**
 * Whether a parameter may be given as a file. Short values and texts that are locations or names (`path`, `url`,
 * `…_name`) may not.
 */
export function carriesPayload(root: JsonObject, name: string, schema: unknown): boolean {
  return !REFUSED.has(name) && alternativesOf(root, schema).some((conjunction) => mayBeLong(root, name, conjunction));
}

/** Checks a single alternative: a parameter carries a payload if one of its alternatives does. */
function mayBeLong(root: JsonObject, name: string, conjunction: Conjunction): boolean {
  const types = typesOf([conjunction]);
  types?.delete('null');
  if (types?.size === 1 && types.has('string') && isShortByName(root, name)) return false;
  return longestOf(root, conjunction) > SHORT_CHARS;
}

/** How a file becomes the value of a parameter. */
export type PayloadReading = 'text' | 'base64' | 'json' | 'auto';

/**
 * By the schema at `segments`: strings as text or base64, lists and objects as JSON; if both fit, by the file's format.
 * `declared`: schemas that describe the parameter, for places that cannot be reached by path, such as under patterns.
 */
export function readingAt(
  inputSchema: JsonObject,
  segments: readonly (string | number)[],
  declared: readonly unknown[] = [],
): PayloadReading {
  const found = walkSchema(inputSchema, segments) ?? declared.flatMap((schema) => alternativesOf(inputSchema, schema));
  const types = typesOf(found);
  if (types === undefined) return 'auto';
  if (!types.has('string')) return 'json';
  if (types.has('array') || types.has('object')) return 'auto';
  return stringEncodingAt(inputSchema, segments) ?? 'text';
}

/** A parameter as the audit reports it. */
export interface PayloadParameter {
  /** Data key of the parameter, `[]` for any item: `files[].content`. */
  parameter: string;
  /** Data key of the companion's file parameter; null if there is none, as for names and locations. */
  companion: string | null;
  reading: PayloadReading;
  /** Maximum length of the value, in characters of JSON; null if unlimited. */
  longest: number | null;
}

/** Longer values are worth giving as a file. Characters. */
export const AUDITED_CHARS = 10_000;
const MAX_LISTED_DEPTH = 10;
/** Maximum number of reported parameters: schemas with many shared parts have an enormous number of places. */
const MAX_VISITS = 2_000;

interface Visit {
  schema: unknown;
  steps: readonly SchemaStep[];
  trail: ReadonlySet<unknown>;
}

/**
 * Every parameter, nested ones included, whose value can be longer than `over` characters. Recursive schemas are followed
 * once.
 */
export function longParameters(inputSchema: JsonObject, over = AUDITED_CHARS): PayloadParameter[] {
  const names = companionNames(inputSchema);
  const listed = new Map<string, PayloadParameter & { top: SchemaStep | undefined }>();
  // Outer parameters come first, so that the limit omits none of them.
  const waiting: Visit[] = [{ schema: inputSchema, steps: [], trail: new Set() }];
  for (let at = 0; at < waiting.length && at < MAX_VISITS; at += 1) {
    const { schema, steps, trail } = waiting[at] as Visit;
    if (steps.length > MAX_LISTED_DEPTH) continue;
    const parts = new Set(alternativesOf(inputSchema, schema).flat());
    const inner = new Set([...trail, ...parts]);
    for (const part of parts) {
      if (trail.has(part)) continue;
      for (const items of [part.items, part.prefixItems].flat())
        if (isJsonObject(items)) waiting.push({ schema: items, steps: [...steps, ANY_ITEM], trail: inner });
      if (!isJsonObject(part.properties)) continue;
      for (const [name, property] of Object.entries(part.properties)) {
        const here = [...steps, name];
        const key = keyOf(here);
        const longest = longestValue(inputSchema, property);
        const byFile = carriesPayload(inputSchema, name, property);
        const known = listed.get(key);
        if (longest > over && (known === undefined || (byFile && known.companion === null))) {
          listed.set(key, {
            parameter: key,
            companion: byFile ? keyOf([...steps, names.pathOf(name)]) : null,
            reading: readingAt(
              inputSchema,
              here.map((step) => (typeof step === 'symbol' ? 0 : step)),
            ),
            longest: Number.isFinite(longest) ? longest : null,
            top: here[0],
          });
        }
        waiting.push({ schema: property, steps: here, trail: inner });
      }
    }
  }
  const byTop = new Map<SchemaStep | undefined, PayloadParameter[]>();
  for (const { top, ...found } of listed.values()) {
    const together = byTop.get(top);
    if (together) together.push(found);
    else byTop.set(top, [found]);
  }
  return [...byTop.values()].flat();
}

const keyOf = (steps: readonly SchemaStep[]): string =>
  formatDataKey(steps.map((step) => (typeof step === 'symbol' ? 0 : step))).replaceAll('[0]', '[]');
