import { describe, expect, it } from 'vitest';
import { idempotencyArgument, idempotencyKey } from './idempotency.ts';

const tool = (properties: Record<string, unknown>) => ({ type: 'object', properties });

describe('idempotencyArgument', () => {
  it.each(['idempotency_key', 'idempotencyKey', 'Idempotency-Key', 'x-idempotency-key', 'idempotency_token', 'idempotencyId'])(
    'finds %s by its name',
    (name) => {
      expect(idempotencyArgument(tool({ rows: { type: 'array' }, [name]: { type: 'string' } }))).toBe(name);
      expect(idempotencyArgument(tool({ [name]: {} }))).toBe(name);
      expect(idempotencyArgument(tool({ [name]: { type: ['string', 'null'], format: 'uuid', maxLength: 64 } }))).toBe(name);
      expect(idempotencyArgument({ $defs: { key: { type: 'string' } }, ...tool({ [name]: { $ref: '#/$defs/key' } }) })).toBe(
        name,
      );
    },
  );

  it.each(['client_token', 'ClientRequestToken', 'requestId', 'dedupe_key', 'uuid'])('finds %s by its description', (name) => {
    const described = { type: 'string', description: 'Makes the request idempotent' };
    expect(idempotencyArgument(tool({ [name]: described }))).toBe(name);
    expect(idempotencyArgument(tool({ [name]: { type: 'string' } }))).toBeUndefined();
  });

  it.each([
    { idempotency_key: { type: 'integer' } },
    { idempotency_key: { type: 'string', maxLength: 32 } },
    { idempotency_key: { type: 'string', minLength: 40 } },
    { idempotency_key: { type: 'string', pattern: '^op-' } },
    { idempotency_key: { enum: ['a'] } },
    { idempotency_key: { const: 'a' } },
    { idempotency_key: { type: 'string', format: 'date' } },
    { idempotent: { type: 'boolean' } },
    { note: { type: 'string', description: 'idempotency' } },
    { idempotency_key: { type: 'string' }, idempotency_token: { type: 'string' } },
    {},
  ])('takes none of %j', (properties) => {
    expect(idempotencyArgument(tool(properties))).toBeUndefined();
  });
});

it('a key is a UUID of version 5, the same for the same parts only', () => {
  const key = idempotencyKey('a', 1);
  expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(idempotencyKey('a', 1)).toBe(key);
  expect(new Set([key, idempotencyKey('a', 2), idempotencyKey('a1'), idempotencyKey('a', '1')]).size).toBe(4);
});
