/** The argument by which a tool recognizes a repeated call: found in its schema, filled in where the caller left it out. */
import { createHash } from 'node:crypto';
import type { JsonObject } from '../engine/core/json-object.ts';
import { propertyNames, schemaAt } from '../engine/schema/schema-advice.ts';
import { typesOf, walkSchema } from '../engine/schema/schema-walk.ts';

/** `idempotency_key`, `Idempotency-Key`, `x-idempotency-key`, `idempotencyToken`, … without separators, in lower case. */
const NAMES = /^x?idempotency(key|token|id)$/;
/** Names that mean it only where the description says so: `client_token`, `ClientRequestToken`, `request_id`, `dedupe_key`, … */
const NAMES_IF_DESCRIBED = /(key|token|id|uuid)$/;
const DESCRIBED = /idempoten/i;
/** Length of a UUID as text. */
const KEY_LENGTH = 36;

/** Name of the top-level argument for an idempotency key that a UUID fits; undefined if the schema has none, or several. */
export function idempotencyArgument(inputSchema: JsonObject): string | undefined {
  const found = propertyNames(inputSchema).filter((name) => isKey(inputSchema, name));
  return found.length === 1 ? found[0] : undefined;
}

function isKey(inputSchema: JsonObject, name: string): boolean {
  const plain = name.toLowerCase().replace(/[-_. ]/g, '');
  const byName = NAMES.test(plain);
  if (!byName && !NAMES_IF_DESCRIBED.test(plain)) return false;
  const schema = schemaAt(inputSchema, [name]) ?? {};
  if (!byName && !(typeof schema.description === 'string' && DESCRIBED.test(schema.description))) return false;
  const alternatives = walkSchema(inputSchema, [name]) ?? [];
  if (typesOf(alternatives)?.has('string') === false) return false;
  return alternatives.every((conjunction) => conjunction.every(fitsKey));
}

function fitsKey({ maxLength, minLength, pattern, enum: values, const: value, format }: JsonObject): boolean {
  if (typeof maxLength === 'number' && maxLength < KEY_LENGTH) return false;
  if (typeof minLength === 'number' && minLength > KEY_LENGTH) return false;
  return pattern === undefined && values === undefined && value === undefined && (format === undefined || format === 'uuid');
}

/** Namespace of the keys: a random UUID. */
const NAMESPACE = Buffer.from('5d0c8f0e7a5b4c1e9d3f2b6a84e1c770', 'hex');

/** A UUID of version 5 (RFC 9562, section 5.5): the same one for the same parts. */
export function idempotencyKey(...parts: readonly (string | number)[]): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(JSON.stringify(parts)).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
