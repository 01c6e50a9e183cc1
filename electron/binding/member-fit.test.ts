import { describe, expect, it } from 'vitest';
import { memberFit } from './member-fit.ts';

const user = { type: 'object', properties: { id: {}, name: {}, zip: {} }, required: ['id', 'zip'] };
const list = (items: object, more: object = {}) => ({
  type: 'object',
  properties: { records: { type: 'array', items } },
  ...more,
});

describe('the members of records, beside those a schema knows', () => {
  it('are compared by name', () => {
    expect(memberFit(list(user), ['records'], 'array', ['id', 'name', 'Ort'])).toEqual({ unknown: ['Ort'], missing: ['zip'] });
    expect(memberFit(list(user), ['records'], 'array', ['zip', 'id'])).toEqual({ unknown: [], missing: [] });
  });

  it('are found through references and compositions', () => {
    const schema = {
      ...list({ allOf: [{ $ref: '#/$defs/user' }, { properties: { city: {} }, required: ['city'] }] }),
      $defs: { user },
    };
    expect(memberFit(schema, ['records'], 'array', ['id', 'zip', 'street'])).toEqual({ unknown: ['street'], missing: ['city'] });
    const either = list({ anyOf: [user, { properties: { key: {} }, required: ['key', 'id'] }] });
    expect(memberFit(either, ['records'], 'array', ['key', 'x'])).toEqual({ unknown: ['x'], missing: ['id'] });
  });

  it('are all known if the schema names none, or names patterns', () => {
    for (const items of [{}, { type: 'object' }, { ...user, patternProperties: { '^x-': {} }, required: [] }]) {
      expect(memberFit(list(items), ['records'], 'array', ['anything'])).toEqual({ unknown: [], missing: [] });
    }
    expect(memberFit(list(user), ['elsewhere'], 'array', ['id'])).toEqual({ unknown: [], missing: [] });
  });

  it('are not required under names that are no text', () => {
    const items = { ...user, required: ['id', { toString: 'x' }, 1] };
    expect(memberFit(list(items), ['records'], 'array', ['name'])).toEqual({ unknown: [], missing: ['id'] });
  });

  it('can be those of one object, merged into the arguments or at a place', () => {
    const schema = { type: 'object', properties: { table: {}, user }, required: ['table'] };
    expect(memberFit(schema, ['user'], 'object', ['id', 'x'])).toEqual({ unknown: ['x'], missing: ['zip'] });
    expect(memberFit(schema, [], 'object', ['user', 'y'])).toEqual({ unknown: ['y'], missing: ['table'] });
    expect(memberFit(schema, ['user'], 'string', ['id'])).toEqual({ unknown: [], missing: [] });
  });
});
