import vm from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { validate } from './validate.ts';

describe('a pattern that backtracks without end', () => {
  const schema = () => ({ type: 'object', properties: { name: { type: 'string', pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' } } });
  const hostile = { name: 'a'.repeat(200) };
  const unchecked = [{ pointer: [], rule: 'schema', message: expect.stringContaining('took too long') }];

  it('is stopped and not tried again, even if the schema comes as another object', async () => {
    const first = schema();
    expect(await validate(first, hostile)).toEqual(unchecked);
    // Other rules are not checked either, because the schema is no longer used.
    expect(await validate(first, { name: 5 })).toEqual(unchecked);
    expect(await validate(schema(), { name: 5 })).toEqual(unchecked);
    expect(await validate({ ...schema(), title: 'another' }, { name: 5 })).toMatchObject([{ rule: 'type' }]);
  });
});

it('a schema that takes too long to compile is tried once, in one dialect', async () => {
  const schema = () => ({ type: 'object', properties: { compiledSlowly: { type: 'string' } } });
  const timeout = Object.assign(new Error('timed out'), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' });
  const run = vi.spyOn(vm, 'runInNewContext').mockImplementation(() => {
    throw timeout;
  });
  try {
    expect(await validate(schema(), {})).toMatchObject([{ rule: 'schema' }]);
    expect(run).toHaveBeenCalledOnce();
    expect(await validate(schema(), {})).toMatchObject([{ rule: 'schema' }]);
    expect(run).toHaveBeenCalledOnce();
  } finally {
    run.mockRestore();
  }
});
