/** Reads from an upstream tool's schema what applies to a payload's place: column types, list limits, encodings. */

import type { ConversionOptions, ConversionReport } from '../../../shared/model/conversion.ts';
import { isArchive } from '../../../shared/model/formats.ts';
import type { ColumnAdvice, ConvertRequest, RecordTypes, SchemaPlace } from '../core/convert-types.ts';
import { isJsonObject, type JsonObject } from '../core/json-object.ts';
import { type Alternatives, ANY_ITEM, type SchemaStep, typesOf, walkSchema } from './schema-walk.ts';

/**
 * Types of the columns of a table bound at `segments`: from the properties of its items or, for rows that are lists, from
 * their positions ("0", "1", …). Undefined for a column that may have several types besides null, or a type other than
 * string, number and boolean.
 */
export const columnAdvice = (inputSchema: JsonObject, segments: readonly (string | number)[]): ColumnAdvice =>
  adviceBelow(inputSchema, [...segments, ANY_ITEM]);

/** The same for the members of a single object bound at `segments`. */
const memberAdvice = (inputSchema: JsonObject, segments: readonly (string | number)[]): ColumnAdvice =>
  adviceBelow(inputSchema, segments);

function adviceBelow(inputSchema: JsonObject, item: readonly SchemaStep[]): ColumnAdvice {
  const known = new Map<string, ReturnType<ColumnAdvice>>();
  const advise = (column: string): ReturnType<ColumnAdvice> => {
    const named = walkSchema(inputSchema, [...item, column]);
    const found = named ?? (/^\d{1,6}$/.test(column) ? walkSchema(inputSchema, [...item, Number(column)]) : undefined);
    const types = found && typesOf(found);
    if (types === undefined) return undefined;
    types.delete('null');
    if (types.delete('integer')) types.add('number');
    const [type, ...others] = types;
    if (others.length > 0) return undefined;
    return type === 'string' || type === 'number' || type === 'boolean' ? type : undefined;
  };
  return (column) => {
    if (!known.has(column)) known.set(column, advise(column));
    return known.get(column);
  };
}

/** Whether a value at `segments` can only be a text. */
export function wantsText(inputSchema: JsonObject, segments: readonly (string | number)[]): boolean {
  const found = walkSchema(inputSchema, segments);
  const types = found && typesOf(found);
  types?.delete('null');
  return types?.size === 1 && types.has('string');
}

/** Whether the items of a list at a place can only be lists. */
export function wantsRows(place: SchemaPlace | undefined): boolean {
  // Each record is a row of its own then.
  if (place === undefined || place.isRecords) return false;
  const found = walkSchema(place.inputSchema, [...place.segments, ANY_ITEM]);
  const types = found && typesOf(found);
  types?.delete('null');
  return types?.size === 1 && types.has('array');
}

/** What an empty cell of a table bound at `segments` comes to: `absent` and `refused` where its column's schema refuses null. */
export function emptyCells(
  inputSchema: JsonObject,
  segments: readonly (string | number)[],
): (column: string) => 'absent' | 'refused' | 'null' {
  const item: SchemaStep[] = [...segments, ANY_ITEM];
  const isOptional = optionalBelow(inputSchema, item);
  return (column) => {
    const found = walkSchema(inputSchema, [...item, column]);
    const types = found && typesOf(found);
    if (types === undefined || types.has('null')) return 'null';
    return isOptional(column) ? 'absent' : 'refused';
  };
}

/** Whether a member of what is at `item` is required by none of its schemas. */
function optionalBelow(inputSchema: JsonObject, item: readonly SchemaStep[]): (member: string) => boolean {
  const required = new Set<unknown>();
  for (const conjunction of walkSchema(inputSchema, item) ?? [])
    for (const { required: names } of conjunction) if (Array.isArray(names)) for (const name of names) required.add(name);
  return (member) => !required.has(member);
}

/** The maximum number of items of a list at `segments`; undefined if there is no limit. */
export function maxItems(inputSchema: JsonObject, segments: readonly (string | number)[]): number | undefined {
  const bounds = (walkSchema(inputSchema, segments) ?? [])
    .filter((conjunction) => typesOf([conjunction])?.has('array') ?? true)
    .map((conjunction) =>
      Math.min(
        ...conjunction.map((schema) => (typeof schema.maxItems === 'number' ? schema.maxItems : Number.POSITIVE_INFINITY)),
      ),
    );
  const bound = bounds.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...bounds);
  return Number.isFinite(bound) ? bound : undefined;
}

/** The schema of the value at `segments`, with references resolved; undefined if the schema does not describe it. */
export function schemaAt(inputSchema: JsonObject, segments: readonly (string | number)[]): JsonObject | undefined {
  const found = walkSchema(inputSchema, segments);
  if (found === undefined) return undefined;
  const schemas = found.map((conjunction): JsonObject => {
    const [only = {}, ...others] = conjunction;
    return others.length === 0 ? only : { allOf: [...conjunction] };
  });
  const [only = {}, ...others] = schemas;
  return others.length === 0 ? only : { anyOf: schemas };
}

/** Names of the properties that the arguments may have, through all compositions, in the schema's order. */
export const propertyNames = (inputSchema: JsonObject): string[] => namesIn(walkSchema(inputSchema, []) ?? []);

/** Every schema that declares a property of these under its name. */
export const declarationsOf = (schemas: readonly JsonObject[], name: string): unknown[] =>
  schemas.flatMap(({ properties }) => (isJsonObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : []));

/** Names of the properties that a value may have, in the schema's order. */
export function namesIn(alternatives: Alternatives): string[] {
  const names = new Set<string>();
  for (const conjunction of alternatives) {
    for (const { properties } of conjunction) {
      if (isJsonObject(properties)) for (const name of Object.keys(properties)) names.add(name);
    }
  }
  return [...names];
}

// Types of records' columns where the file's format gives its values types of their own.

type FileFormat = ConversionReport['format'];

/** Formats in which a value that should be a text is often written without quotes. */
const unquoted: readonly FileFormat[] = ['yaml', 'toml'];
/** Whether a schema makes texts of values of the format. */
const isTypedByValue = (format: FileFormat): boolean => unquoted.includes(format);
/** Whether what a place in a schema makes of a file can be told from its conversion without one: from its columns. */
export const isToldByColumns = (
  { format, kind }: Pick<ConversionReport, 'format' | 'kind'>,
  { transform }: ConversionOptions,
): boolean =>
  // Bytes and texts are the same at every place.
  kind === 'string' || (!isTypedByValue(format) && !isArchive(format) && transform?.expression === undefined);
const typedFormats: readonly FileFormat[] = ['json', 'jsonl', ...unquoted];

/**
 * By the caller's `types`, else a text where the schema wants one; columns go by their names in the file. Undefined where no column has a type.
 * An expression makes new values: the schema sees these, by `typesAfter`.
 */
export function recordTypes(format: FileFormat, { types, transform, place }: ConvertRequest): RecordTypes | undefined {
  if (!typedFormats.includes(format)) return undefined;
  if (types === 'string') return () => 'string';
  const asked = typeof types === 'object' ? new Map(Object.entries(types)) : undefined;
  const advise = isTypedByValue(format) && transform?.expression === undefined ? textColumns(place) : undefined;
  if (asked === undefined && advise === undefined) return undefined;
  return (column) => asked?.get(column) ?? advise?.(transform?.rename?.[column] ?? column);
}

/** Whether the file converted at this place is another payload than without a place, as far as a report without one tells. */
export function placeMatters(report: ConversionReport, options: ConversionOptions, place: SchemaPlace): boolean {
  const { inputSchema, segments } = place;
  if (!isToldByColumns(report, options)) return true;
  if (options.as === 'json' && wantsText(inputSchema, segments)) return true;
  if (wantsRows(place)) return true;
  const advice = columnAdvice(inputSchema, segments);
  const whereEmpty = emptyCells(inputSchema, segments);
  return (report.columns ?? []).some(
    ({ name, empty }) => advice(name) !== undefined || (empty > 0 && whereEmpty(name) === 'absent'),
  );
}

/** What the schema wants of the records that an expression makes. */
export const typesAfter = ({ transform, place }: ConvertRequest): RecordTypes | undefined =>
  transform?.expression === undefined ? undefined : textColumns(place);

function textColumns(place: ConvertRequest['place']): RecordTypes | undefined {
  if (place === undefined) return undefined;
  const { inputSchema, segments } = place;
  const ofRecords = columnAdvice(inputSchema, segments);
  // A file that is one object is a record itself.
  const ofObject = memberAdvice(inputSchema, segments);
  return (column) => {
    const advice = ofRecords(column) ?? ofObject(column);
    return advice === 'string' ? 'string' : undefined;
  };
}
