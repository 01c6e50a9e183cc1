/** Checks bound arguments against the upstream tool's schema before anything is sent. */
import type { PayloadKind } from '../../shared/model/conversion.ts';
import { AppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';
import { isJsonObject, type JsonObject } from '../engine/core/json-object.ts';
import { maxItems } from '../engine/schema/schema-advice.ts';
import { ANY_ITEM, type SchemaStep, walkSchema } from '../engine/schema/schema-walk.ts';
import { formatDataKey, type Parameter, typeText } from './data-key.ts';
import { type SchemaFinding, validate } from './validate.ts';

type Segments = readonly (string | number)[];

/** A place at which the arguments violate the schema. Lines and columns are the file's and count from 1. */
export interface SchemaProblem {
  /** Path segments from the root of the arguments. */
  pointer: (string | number)[];
  /** The violated keyword; `schema` if the schema itself is unusable, which does not stop a call. */
  rule: string;
  /** Follows the name of the place. */
  what: Message;
  /** For the rule `type`: the allowed types. */
  types?: string[];
  line?: number;
  column?: number;
  columnName?: string;
  /** The column whose empty cell it is about. */
  emptyIn?: string;
  /** The record that it is about, from 0, where each gets a call of its own. */
  record?: number;
}

/** The parts of a payload that the check needs. */
export interface CheckedPayload {
  kind: PayloadKind;
  records: number;
  /** Index of a record of a list that gets a call of its own. */
  record?: number;
  /** Whether null is what an empty cell became. */
  isTable?: boolean;
  locate?: ((pointer: Segments) => Promise<{ line: number; column?: number; columnName?: string } | undefined>) | undefined;
}

export interface CheckRequest {
  inputSchema: JsonObject;
  sample: { value: unknown; truncated: boolean[] };
  /** Place of each payload, by placement. */
  at: readonly Segments[];
  payloads: readonly CheckedPayload[];
}

export const MAX_PROBLEMS = 100;
/** Finding a line may require reading the file again up to it. */
export const MAX_LOCATED = 20;
const LISTED = 5;

/** Keywords that a sample cannot decide for a list, string or object that was cut. */
const WHOLE_RULES: Partial<Record<PayloadKind, ReadonlySet<string>>> = {
  array: new Set(['minItems', 'contains', 'minContains', 'maxContains', 'uniqueItems']),
  string: new Set(['minLength', 'maxLength', 'pattern', 'format', 'enum', 'const', 'contentEncoding', 'contentMediaType']),
  object: new Set(['required', 'minProperties', 'maxProperties', 'dependentRequired', 'dependencies', 'if']),
};

/**
 * Checks the sample against the schema: 2020-12, 2019-09 or draft 7, by `$schema`, with 2020-12 as the default. Values
 * that were cut from the sample cause no problem; the length of a list is checked by its real count. A schema that is
 * broken or takes too long to check gives one problem with the rule `schema`.
 */
export async function checkArguments(request: CheckRequest): Promise<SchemaProblem[]> {
  const { inputSchema, sample, at, payloads } = request;
  const findings = await validate(inputSchema, sample.value);
  const problems = findings
    .filter((finding) => !isAboutWhole(finding, request))
    .slice(0, MAX_PROBLEMS)
    .map((finding): SchemaProblem => ({ ...finding, ...ofEmptyCell(finding, request) }));
  for (const [index, payload] of payloads.entries()) {
    const segments = at[index];
    if (payload.kind !== 'array' || segments === undefined || segments.length === 0) continue;
    const bound = maxItems(inputSchema, segments);
    if (bound === undefined || payload.records <= bound) continue;
    problems.push({
      pointer: [...segments],
      rule: 'maxItems',
      what: say('schema.tooManyInFile', { most: bound, given: payload.records }),
    });
  }
  // Only problems that are shown get a line number.
  for (const problem of listedOf(problems, MAX_LOCATED)) await locate(problem, request);
  return problems;
}

const startsWith = (pointer: Segments, prefix: Segments): boolean =>
  prefix.length <= pointer.length && prefix.every((segment, index) => pointer[index] === segment);

function isAboutWhole({ pointer, rule }: SchemaFinding, { sample, at, payloads }: CheckRequest): boolean {
  return at.some((segments, index) => {
    const payload = payloads[index];
    if (payload === undefined || pointer.length !== segments.length || !startsWith(pointer, segments)) return false;
    // The real count is checked separately, because a batch sends only some of the records.
    if (payload.kind === 'array' && segments.length > 0 && rule === 'maxItems') return true;
    return sample.truncated[index] === true && (WHOLE_RULES[payload.kind]?.has(rule) ?? false);
  });
}

/** The place of a problem in a payload, from its root. */
function inPayload({ pointer }: Pick<SchemaProblem, 'pointer'>, at: Segments, { record }: CheckedPayload): Segments | undefined {
  if (!startsWith(pointer, at)) return undefined;
  const rest = pointer.slice(at.length);
  return record === undefined ? rest : [record, ...rest];
}

/** What is wrong with an empty cell: that it is empty. */
function ofEmptyCell(
  finding: SchemaFinding,
  { sample, at, payloads }: CheckRequest,
): Pick<SchemaProblem, 'what' | 'emptyIn'> | undefined {
  const value = valueAt(sample.value, finding.pointer);
  if (finding.rule === 'required' || (value !== null && value !== '')) return undefined;
  const isCell = at.some((segments, index) => {
    const payload = payloads[index];
    return payload?.isTable === true && (inPayload(finding, segments, payload)?.length ?? 0) > 1;
  });
  return isCell ? { what: say('schema.emptyCell', { what: finding.what }), emptyIn: String(finding.pointer.at(-1)) } : undefined;
}

function valueAt(value: unknown, pointer: Segments): unknown {
  let at = value;
  for (const segment of pointer) at = (at as Record<string | number, unknown> | null | undefined)?.[segment];
  return at;
}

async function locate(problem: SchemaProblem, { at, payloads }: CheckRequest): Promise<void> {
  for (const [index, segments] of at.entries()) {
    const payload = payloads[index];
    const rest = payload && inPayload(problem, segments, payload);
    // A problem of a whole list has no line.
    if (rest === undefined || rest.length === 0) continue;
    if (payload?.record !== undefined) problem.record = payload.record;
    const place = await payload?.locate?.(rest);
    if (place === undefined) continue;
    problem.line = place.line;
    if (place.column !== undefined) problem.column = place.column;
    const name = place.columnName ?? problem.columnName;
    if (name !== undefined) problem.columnName = name;
    return;
  }
}

/** Up to `most` problems in order, covering as many different rules as possible. */
export function listedOf(problems: readonly SchemaProblem[], most: number): SchemaProblem[] {
  const sorts = new Map<string, SchemaProblem[]>();
  for (const problem of problems) {
    const { pointer, rule, what } = problem;
    // Uses neither the position in the file, which not all problems have, nor the value that is there.
    const told = rule === 'required' ? what : what.code;
    const sort = JSON.stringify([pointer.map((segment) => (typeof segment === 'number' ? 0 : segment)), rule, told]);
    sorts.set(sort, [...(sorts.get(sort) ?? []), problem]);
  }
  const first = [...sorts.values()].flatMap((alike) => alike.slice(0, 1));
  const others = [...sorts.values()].flatMap((alike) => alike.slice(1));
  const chosen = new Set([...first, ...others].slice(0, most));
  return problems.filter((problem) => chosen.has(problem));
}

/** The error that stops a call: up to five problems, and the number of further ones. */
export function schemaMismatch(problems: readonly SchemaProblem[]): AppError {
  const listed = listedOf(problems, LISTED);
  const more = problems.length - listed.length;
  const [{ line, column } = {}] = listed;
  return new AppError(
    'SCHEMA_MISMATCH',
    say('schema.mismatch', { problems: listed.map(placedText), more, atLeast: problems.length >= MAX_PROBLEMS }),
    {
      hint: problems.every(({ rule }) => rule === 'maxItems')
        ? say('arguments.batchOrLimit', {})
        : say('arguments.correctFile', {}),
      details: { ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }), problems: listed },
    },
  );
}

/** The place and what must be otherwise there. */
export const problemText = ({ pointer, what }: SchemaProblem): Message =>
  say('schema.at', { place: formatDataKey(pointer), what });

function placedText(problem: SchemaProblem): Message {
  const { rule, line = null, column = null, columnName = null, record } = problem;
  return say('schema.problem', { problem: problemText(problem), rule, line, column, columnName, record });
}

// Members of records, compared with those that the tool's schema knows and requires

export interface MemberFit {
  /** Present, but not in the schema. */
  readonly unknown: readonly string[];
  /** Required by the schema, but not present. */
  readonly missing: readonly string[];
  /** Those that the schema names for the members of records, in its order. */
  readonly wanted: readonly Parameter[];
}

const NOTHING: MemberFit = { unknown: [], missing: [], wanted: [] };

/**
 * Compares the members `names` of a payload's records, or of an object payload, with the schema at its place. A schema
 * that names no members, or describes them by patterns, knows them all.
 */
export function memberFit(
  inputSchema: JsonObject,
  segments: readonly (string | number)[],
  kind: PayloadKind,
  names: readonly string[],
): MemberFit {
  if (kind !== 'array' && kind !== 'object') return NOTHING;
  const steps: SchemaStep[] = kind === 'array' ? [...segments, ANY_ITEM] : [...segments];
  const schemas = walkSchema(inputSchema, steps) ?? [];
  if (schemas.length === 0) return NOTHING;
  const known = new Set<string>();
  let knowsAll = false;
  for (const conjunction of schemas) {
    const named = conjunction.filter(({ properties }) => isJsonObject(properties));
    if (named.length === 0 || conjunction.some(({ patternProperties }) => isJsonObject(patternProperties))) knowsAll = true;
    for (const { properties } of named) for (const name of Object.keys(properties as JsonObject)) known.add(name);
  }
  // A member that one of several alternatives does not need is not required.
  const demanded = schemas.map(
    (conjunction) =>
      new Set(
        conjunction.flatMap(({ required }) =>
          Array.isArray(required) ? required.filter((name): name is string => typeof name === 'string') : [],
        ),
      ),
  );
  const [first = new Set<string>(), ...others] = demanded;
  const present = new Set(names);
  const required = new Set([...first].filter((name) => others.every((each) => each.has(name))));
  return {
    unknown: knowsAll ? [] : names.filter((name) => !known.has(name)),
    missing: [...required].filter((name) => !present.has(name)),
    // Only columns of records can be renamed.
    wanted:
      kind === 'object'
        ? []
        : [...new Set([...known, ...required])].map((name) => ({
            name,
            type: typeText(inputSchema, [...steps, name]),
            required: required.has(name),
          })),
  };
}
