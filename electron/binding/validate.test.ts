import vm from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { inAgentsWords, say } from '../../shared/model/messages/message.ts';
import { validate } from './validate.ts';

describe('a pattern that backtracks without end', () => {
  const schema = () => ({ type: 'object', properties: { name: { type: 'string', pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' } } });
  const hostile = { name: 'a'.repeat(200) };
  const unchecked = [{ pointer: [], rule: 'schema', what: say('schema.unchecked', { reason: say('schema.tooSlow') }) }];

  it('is stopped and not tried again, even if the schema comes as another object', async () => {
    const first = schema();
    expect(await validate(first, hostile)).toEqual(unchecked);
    // Other rules are not checked either, because the schema is no longer used.
    expect(await validate(first, { name: 5 })).toEqual(unchecked);
    expect(await validate(schema(), { name: 5 })).toEqual(unchecked);
    expect(await validate({ ...schema(), title: 'another' }, { name: 5 })).toMatchObject([{ rule: 'type' }]);
  });
});

const timeout = Object.assign(new Error('timed out'), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' });

/** `seconds` that the process computes between two looks. */
const computing = (seconds: number) =>
  vi.spyOn(process, 'cpuUsage').mockImplementation((before) => ({ user: before ? seconds * 1e6 : 0, system: 0 }));

it('a schema whose check ran out of time on a busy machine is checked again', async () => {
  const cpu = computing(0.1);
  const run = vi.spyOn(vm.Script.prototype, 'runInContext').mockImplementationOnce(() => {
    throw timeout;
  });
  try {
    const schema = { type: 'object', properties: { onBusyMachine: { type: 'string' } } };
    expect(await validate(schema, { onBusyMachine: 5 })).toMatchObject([{ rule: 'type' }]);
    expect(await validate({ ...schema }, { onBusyMachine: 5 })).toMatchObject([{ rule: 'type' }]);
    run.mockImplementation(() => {
      throw timeout;
    });
    run.mockClear();
    expect(await validate({ ...schema, title: 'always busy' }, {})).toMatchObject([{ rule: 'schema' }]);
    expect(run).toHaveBeenCalledTimes(5);
  } finally {
    run.mockRestore();
    cpu.mockRestore();
  }
});

it('a schema that takes too long to compile is tried once, in one dialect', async () => {
  const schema = () => ({ type: 'object', properties: { compiledSlowly: { type: 'string' } } });
  const cpu = computing(2);
  const run = vi.spyOn(vm.Script.prototype, 'runInContext').mockImplementation(() => {
    throw timeout;
  });
  try {
    expect(await validate(schema(), {})).toMatchObject([{ rule: 'schema' }]);
    expect(run).toHaveBeenCalledOnce();
    expect(await validate(schema(), {})).toMatchObject([{ rule: 'schema' }]);
    expect(run).toHaveBeenCalledOnce();
  } finally {
    run.mockRestore();
    cpu.mockRestore();
  }
});

describe('what a violated rule says', () => {
  it.each([
    [{ type: ['string', 'null'] }, 5, 'must be string or null, not 5'],
    [{ type: 'string' }, { a: 1 }, 'must be string'],
    [{ type: 'string' }, null, 'must be string'],
    [{ enum: ['a', 1] }, 'b', 'must be one of "a", 1'],
    [{ const: { a: 1 } }, 'b', 'must be {"a":1}'],
    [{ minimum: 2 }, 1, 'must be >= 2'],
    [{ exclusiveMaximum: 2 }, 2, 'must be < 2'],
    [{ multipleOf: 2 }, 3, 'must be multiple of 2'],
    [{ pattern: '^"a' }, 'x', 'must match pattern "^"a"'],
    [{ format: 'email' }, 'x', 'must match format "email"'],
    [{ maxItems: 1 }, [1, 2], 'must not have more than 1 items'],
    [{ minItems: 1 }, [], 'must not have fewer than 1 items'],
    [{ prefixItems: [{}], items: false }, [1, 2], 'must not have more than 1 items'],
    [{ prefixItems: [{}], unevaluatedItems: false }, [1, 2], 'must not have more than 1 items'],
    [{ maxLength: 1 }, 'ab', 'must not have more than 1 characters'],
    [{ minLength: 2 }, 'a', 'must not have fewer than 2 characters'],
    [{ maxProperties: 0 }, { a: 1 }, 'must not have more than 0 properties'],
    [{ uniqueItems: true }, [1, 1], 'must not have duplicate items (items ## 0 and 1 are identical)'],
    [{ contains: { const: 1 } }, [2], 'must contain at least 1 valid item(s)'],
    [{ contains: { const: 1 }, maxContains: 1 }, [1, 1], 'must contain at least 1 and no more than 1 valid item(s)'],
    [{ required: ['a'] }, {}, "must have 'a'"],
    [{ dependentRequired: { a: ['b', 'c'] } }, { a: 1, b: 1 }, 'must have properties b, c when property a is present'],
    [{ unevaluatedProperties: false }, { a: 1 }, "must not have 'a'"],
    [{ properties: { table: {} }, additionalProperties: false }, { tabel: 1 }, "must not have 'tabel' (Did you mean 'table'?)"],
    [{ not: {} }, 1, 'must not be valid'],
    [{ properties: { a: false } }, { a: 1 }, 'boolean schema is false'],
  ])('%j refuses %j', async (schema, value, words) => {
    expect((await validate(schema, value)).map(({ what }) => inAgentsWords(what))).toContain(words);
  });
});
