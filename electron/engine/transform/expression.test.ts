import type * as childProcess from 'node:child_process';
import { describe, expect, it, vi } from 'vitest';
import { limits } from '../../../shared/lib/fixtures/limits.ts';
import { AppError } from '../../../shared/model/errors.ts';
import type { EngineBounds } from '../core/convert-types.ts';
import { failureOf } from '../fixtures/conversion-fixture.ts';
import { evaluateExpression } from './expression.ts';

/** Called when the process that evaluates has started. */
const evaluator = vi.hoisted(() => ({ onStart: (): void => undefined }));
vi.mock('node:child_process', async (original) => {
  const real = await original<typeof childProcess>();
  const spawn = (...given: Parameters<typeof real.spawn>) => real.spawn(...given).once('spawn', () => evaluator.onStart());
  return { ...real, spawn };
});

const MIB = 1024 * 1024;
const bounds: EngineBounds = {
  maxFileBytes: MIB,
  maxStreamedFileBytes: MIB,
  maxNesting: 512,
  maxColumns: 200_000,
  expressionTimeoutMs: limits.wait,
  expressionMemoryBytes: 32 * MIB,
};

async function evaluate(json: string, expression: string, overrides: Partial<EngineBounds> = {}): Promise<string> {
  const result = await evaluateExpression(Buffer.from(json), expression, { ...bounds, ...overrides });
  return Buffer.from(result.json).toString('utf8');
}

async function refusal(json: string, expression: string, overrides: Partial<EngineBounds> = {}): Promise<AppError> {
  const error = await evaluate(json, expression, overrides).then(
    (result) => expect.fail(`gave ${result}`),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(AppError);
  return error as AppError;
}

describe('what an expression does not find', () => {
  const said = async (json: string, expression: string) =>
    (await evaluateExpression(Buffer.from(json), expression, bounds)).warnings.map(({ code, message }) => `${code} ${message}`);
  const records = '[{"Amount":1,"place":{"city":"Oslo"}},{"Amount":2}]';

  it.each([
    ['$sum(Amuont)', "EXPRESSION_NAMES The expression reads 'Amuont', which nothing in the file has.*Did you mean 'Amount'"],
    ['$count($[amount > 1])', "'amount'.*'Amount'"],
    ['$.{"a": Amount, "b": place.`town hall`}', "'town hall', which nothing in the file has, so it finds nothing there$"],
    ['$[Amount > 5]', 'EXPRESSION_EMPTY The expression finds nothing, so the value is null; with \\[ \\]'],
  ])('is a warning: %s', async (expression, pattern) => {
    expect(await said(records, expression)).toEqual([expect.stringMatching(new RegExp(pattern))]);
  });

  it.each([
    '$sum(Amount)',
    '[$[Amount > 5]]',
    '[$[Amount = 2]]',
    '$[Amount >= 1]',
    '$[Amount = 2]',
    '{"total": $sum(Amount)}',
    '$.{"total": Amount}.total',
    '$map($, function($r) { $merge([$r, {"city": $r.place.city}]) })',
    '$[0].Amount',
    'null',
  ])('is none where it finds what it asks for: %s', async (expression) => {
    expect(await said(records, expression)).toEqual([]);
  });

  it('gives a list in [ ], as the warnings say', async () => {
    expect(await evaluate(records, '[$[Amount > 5]]')).toBe('[]');
    expect(await evaluate(records, '[$[Amount = 2]]')).toBe('[{"Amount":2}]');
    expect(await evaluate(records, '[$[Amount > 0].Amount]')).toBe('[1,2]');
  });
});

describe('numbers that JSONata cannot hold', () => {
  const records = '[{"id":9007199254740993,"a":{"k\\u0031":-12345678901234567890}},{"id":12345678901234567890,"n":1}]';

  it('are text in the expression, which a warning says', async () => {
    const { json, warnings } = await evaluateExpression(Buffer.from(records), 'id', bounds);
    expect(Buffer.from(json).toString()).toBe('["9007199254740993","12345678901234567890"]');
    expect(warnings).toMatchObject([{ code: 'EXPRESSION_NUMBERS' }]);
    expect(warnings[0]?.message).toMatch(/^3 numbers are too big for JSONata \('id', 'k1'\) and are text .* \$number\(…\)/);
    expect((await evaluateExpression(Buffer.from('[{"id":9007199254740991}]'), 'id', bounds)).warnings).toEqual([]);
  });

  it('are the hint where the expression fails', async () => {
    expect((await refusal(records, '$sum(id)')).hint).toContain('3 numbers are too big');
    expect(await evaluate(records, '$sum(id.$number($)) > 12e18')).toBe('true');
  });
});

describe('an expression that fails', () => {
  it.each([
    ['a product', '[{"id":1,"price":2},{"id":2,"price":null},{"id":3,"price":null}]', '$map($, function($r) { $r.price * 2 })'],
    ['a sum', '[{"id":1,"price":2},{"id":2,"price":null}]', '$sum(price)'],
    ['a filter', '[{"id":1,"price":2},{"id":2,"price":null}]', '$[price > 1]'],
  ])('names the record and what is null in it: %s', async (_name, json, expression) => {
    const error = await refusal(json, expression);
    expect(error.message).toContain(', with record 1, in which price is null');
    expect(error.hint).toContain('{"column": "price", "op": "not_null"}');
  });

  it('is found among many, and only what the expression reads is called null', async () => {
    const records = Array.from({ length: 20_000 }, (_, i) => ({ 'unit price': i === 19_990 ? null : 2, age: null }));
    const error = await refusal(JSON.stringify(records), '$map($, function($r) { $r.`unit price` * 2 })');
    expect(error.message).toContain('with record 19990, in which unit price is null');
    expect(error.hint).toContain('`unit price` = null ?');
    expect((await refusal('[{"a":"1","b":null},{"a":"x","b":null}]', '$.{"n": $number(a)}')).message).toMatch(/with record 1$/);
  });

  it('names its line', async () => {
    const transform = { expression: '$.{"double": price * 2}' };
    const error = await failureOf('a.csv', 'id,price\n1,2\n\n2,\n', { transform });
    expect(error.message).toContain('with record 1 (line 4), in which price is null');
    expect(error.details.line).toBe(4);
  });

  it('names no record where all of them fail, or it is wrong itself', async () => {
    expect((await refusal('[{"a":"x"},{"a":"y"}]', '$map($, function($r) { $r.a * 2 })')).message).not.toContain('with record');
    expect((await refusal('[{"a":1}]', '$map(')).message).not.toContain('with record');
  });
});

describe('an expression', () => {
  it.each([
    ['the whole value', '[{"a":1},{"a":2}]', '$', '[{"a":1},{"a":2}]'],
    ['a sequence as a plain list', '[{"a":1},{"a":2}]', 'a', '[1,2]'],
    ['a sequence of one as its item', '[{"a":1}]', 'a', '1'],
    ['an empty list', '[]', '$', '[]'],
    ['another shape', '{"u":[{"n":"A"},{"n":"B"}]}', '{"names": u.n}', '{"names":["A","B"]}'],
    ['nothing, as null', '{}', 'nothing', 'null'],
    [
      'text of any sort',
      '["\u2028\\u2029 é😀 \\" \\\\ </script> `${x}`"]',
      '$[0]',
      '"\u2028\u2029 é😀 \\" \\\\ </script> `${x}`"',
    ],
    [
      'integers beyond 2^53, and numbers out of range, as strings',
      '[9007199254740991,9007199254740993,-12345678901234567890,1e999,1.5,"9007199254740993"]',
      '$',
      '[9007199254740991,"9007199254740993","-12345678901234567890","1e999",1.5,"9007199254740993"]',
    ],
    ['a key that JavaScript finds special', '{"__proto__":{"x":1},"a":2}', 'a', '2'],
  ])('gives %s', async (_name, json, expression, result) => {
    expect(await evaluate(json, expression)).toBe(result);
  });

  it.each([
    ['that does not parse', '$sum(', /character \d+/],
    ['that calls what is not there', '$nosuch(1)', /character \d+/],
    ['that adds a text', '"a" + 1', /number.*character 5/],
    ['whose result is a function', '$sum', /function/],
    ['whose result holds a function', '{"f": function($x){$x}}', /function/],
    ['whose result is not finite', '1/0', /not finite/],
  ])('%s is refused', async (_name, expression, says) => {
    const error = await refusal('{}', expression);
    expect(error.code).toBe('TRANSFORM_FAILED');
    expect(error.message).toMatch(/^The expression failed: /);
    expect(error.message).toMatch(says);
  });
});

describe('its bounds', () => {
  it('in time, named', async () => {
    const error = await refusal('{}', '($f := function($x){ $f($x) }; $f(1))', { expressionTimeoutMs: 100 });
    expect(error.text).toMatch(/took longer than 0\.1 s.*limits\.expressionTimeoutMs/);
  });

  it.each([
    ['bit by bit', '($f := function($x){ 1 + $f($x) }; $f(1))'],
    ['in one step', '[1..9999999]'],
    ['in one text', '$length($reduce([1..28], function($text, $i){ $text & $text }, "x"))'],
  ])('in memory, asked for %s, named, and this process lives on', async (_name, expression) => {
    const error = await refusal('{}', expression);
    expect(error.text).toMatch(/needed more than 32 MB.*limits\.expressionMemoryBytes/);
  });

  it('in input, named', async () => {
    const error = await refusal(JSON.stringify('x'.repeat(2000)), '$', { maxFileBytes: 1000 });
    expect(error.code).toBe('FILE_TOO_LARGE');
    expect(error.text).toContain('limits.maxFileBytes');
  });

  it('and the caller may cancel', async () => {
    const caller = new AbortController();
    evaluator.onStart = () => caller.abort();
    const running = evaluateExpression(Buffer.from('{}'), '($f := function($x){ $f($x) }; $f(1))', bounds, {
      signal: caller.signal,
    });
    await expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
    evaluator.onStart = () => undefined;
    await expect(evaluateExpression(Buffer.from('{}'), '1', bounds, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'CANCELLED',
    });
  });
});

describe('its reach', () => {
  it.each([
    '$.constructor',
    '$.constructor.constructor("return process")()',
    '"".constructor.constructor("return process")()',
    '$lookup($lookup($, "constructor"), "constructor")',
    '$string.constructor("return process")()',
    '$map([1], $.constructor)',
    '$.__proto__.constructor',
    '($ ~> |$|{"__proto__": {"polluted": 1}}|; {}.polluted)',
    '$each({"a": 1}, function($v, $k, $o){ $o.constructor })',
    '$eval("$.constructor.constructor")',
    'process',
    'require',
    '$require("fs")',
    'globalThis.process',
  ])('%s gets at nothing of the program', async (expression) => {
    const result = await evaluate('{"a":1}', expression).catch((error: AppError) => error.message);
    expect(result).toMatch(/^(null|\[\]|\{\}|\{"a":1\}|The expression failed: .*)$/);
    expect(result).not.toMatch(/native code|versions/);
  });
});
