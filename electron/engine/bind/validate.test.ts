import { describe, expect, it } from 'vitest';
import { validate } from './validate.ts';

describe('a pattern that backtracks without end', () => {
  const schema = () => ({ type: 'object', properties: { name: { type: 'string', pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' } } });
  const hostile = { name: 'a'.repeat(200) };
  const unchecked = [{ pointer: [], rule: 'schema', message: expect.stringContaining('took too long') }];

  it('is given up, and not tried again, also where the schema comes as another object', async () => {
    const first = schema();
    expect(await validate(first, hostile)).toEqual(unchecked);
    // What would be checked at once is not checked either: the pattern is not run any more.
    expect(await validate(first, { name: 5 })).toEqual(unchecked);
    expect(await validate(schema(), { name: 5 })).toEqual(unchecked);
    expect(await validate({ ...schema(), title: 'another' }, { name: 5 })).toMatchObject([{ rule: 'type' }]);
  });
});
