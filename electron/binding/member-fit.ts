/** Compares the members of records with those that a tool's schema knows and requires. */
import type { PayloadKind } from '../../shared/model/conversion.ts';
import { isJsonObject, type JsonObject } from '../engine/core/json-object.ts';
import { ANY_ITEM, type SchemaStep, walkSchema } from '../engine/schema/schema-walk.ts';

export interface MemberFit {
  /** Present, but not in the schema. */
  readonly unknown: readonly string[];
  /** Required by the schema, but not present. */
  readonly missing: readonly string[];
}

const NOTHING: MemberFit = { unknown: [], missing: [] };

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
  return {
    unknown: knowsAll ? [] : names.filter((name) => !known.has(name)),
    missing: [...first].filter((name) => !present.has(name) && others.every((each) => each.has(name))),
  };
}
