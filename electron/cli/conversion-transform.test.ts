/** Transforms, seen from outside: each step by itself, all of them in their order, and their bounds. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limitsConfig, openWorkspace, type Workspace } from '../../shared/lib/fixtures/workspace.ts';
import { examples, expectRefusal, refusals, runHere } from './fixtures/examples.ts';

const people = 'name,age,city\nAnn,31,Berlin\nBob,7,\nCid,19,Bern\nDee,,Rome\n';
const names = (...found: string[]) => `[${found.map((name) => `{"name":"${name}"}`).join(',')}]`;
const where = (...comparisons: object[]) => ['--transform', JSON.stringify({ where: comparisons, select: ['name'] })];
const transform = (steps: object) => ['--transform', JSON.stringify(steps)];

examples('where keeps the records that pass', {
  '=': { file: 'a.csv', input: people, args: where({ column: 'age', op: '=', value: 7 }), json: names('Bob') },
  '= on text': { file: 'a.csv', input: people, args: where({ column: 'city', op: '=', value: 'Rome' }), json: names('Dee') },
  '<': { file: 'a.csv', input: people, args: where({ column: 'age', op: '<', value: 19 }), json: names('Bob') },
  '<=': { file: 'a.csv', input: people, args: where({ column: 'age', op: '<=', value: 19 }), json: names('Bob', 'Cid') },
  '>, by number and not by letter': {
    file: 'a.csv',
    input: people,
    args: where({ column: 'age', op: '>', value: 8 }),
    json: names('Ann', 'Cid'),
  },
  '>=': { file: 'a.csv', input: people, args: where({ column: 'age', op: '>=', value: 31 }), json: names('Ann') },
  in: { file: 'a.csv', input: people, args: where({ column: 'age', op: 'in', value: [7, 31] }), json: names('Ann', 'Bob') },
  contains: {
    file: 'a.csv',
    input: people,
    args: where({ column: 'city', op: 'contains', value: 'er' }),
    json: names('Ann', 'Cid'),
  },
  starts_with: {
    file: 'a.csv',
    input: people,
    args: where({ column: 'city', op: 'starts_with', value: 'Ber' }),
    json: names('Ann', 'Cid'),
  },
  is_null: { file: 'a.csv', input: people, args: where({ column: 'city', op: 'is_null' }), json: names('Bob') },
  not_null: { file: 'a.csv', input: people, args: where({ column: 'age', op: 'not_null' }), json: names('Ann', 'Bob', 'Cid') },
  'several: all must pass': {
    file: 'a.csv',
    input: people,
    args: where({ column: 'age', op: '>', value: 10 }, { column: 'city', op: '!=', value: 'Bern' }),
    json: names('Ann'),
  },
  'nothing passes': { file: 'a.csv', input: people, args: where({ column: 'name', op: '=', value: 'Eve' }), json: '[]' },
  'on JSON': {
    file: 'a.json',
    input: '[{"id":12345678901234567890,"k":"a"},{"id":2,"k":"b"}]',
    args: transform({ where: [{ column: 'k', op: '=', value: 'a' }] }),
    json: '[{"id":12345678901234567890,"k":"a"}]',
  },
  'on JSON lines': {
    file: 'a.jsonl',
    input: '{"n":1}\n{"n":2}\n{"n":3}\n',
    args: transform({ where: [{ column: 'n', op: '>=', value: 2 }] }),
    json: '[{"n":2},{"n":3}]',
  },
});

examples('select, rename, offset and limit', {
  'select keeps columns, in the order asked for': {
    file: 'a.csv',
    input: 'a,b,c\n1,2,3\n',
    args: transform({ select: ['c', 'a'] }),
    json: '[{"c":3,"a":1}]',
  },
  'rename keeps values and order': {
    file: 'a.csv',
    input: 'a,b,c\n1,2,3\n',
    args: transform({ rename: { b: 'x y' } }),
    json: '[{"a":1,"x y":2,"c":3}]',
  },
  'names may be exchanged': {
    file: 'a.csv',
    input: 'a,b\n1,2\n',
    args: transform({ rename: { a: 'b', b: 'a' } }),
    json: '[{"b":1,"a":2}]',
  },
  offset: { file: 'a.csv', input: 'a\n1\n2\n3\n', args: transform({ offset: 1 }), json: '[{"a":2},{"a":3}]' },
  limit: { file: 'a.csv', input: 'a\n1\n2\n3\n', args: transform({ limit: 2 }), json: '[{"a":1},{"a":2}]' },
  'a limit of none': { file: 'a.csv', input: 'a\n1\n', args: transform({ limit: 0 }), json: '[]' },
  'an offset past the end': { file: 'a.csv', input: 'a\n1\n', args: transform({ offset: 5 }), json: '[]' },
  'offset and limit': { file: 'a.jsonl', input: '1\n2\n3\n4\n', args: transform({ offset: 1, limit: 2 }), json: '[2,3]' },
  'types are of the whole file, whatever is kept': {
    file: 'a.csv',
    input: 'a\n1\nx\n',
    args: transform({ limit: 1 }),
    json: '[{"a":"1"}]',
  },
});

examples('an expression sees the whole value', {
  'a sum': { file: 'a.csv', input: 'n\n1\n2\n3\n', args: transform({ expression: '$sum(n)' }), json: '6' },
  'another shape': {
    file: 'a.json',
    input: '{"users":[{"n":"Ann"},{"n":"Bob"}]}',
    args: transform({ expression: '{"names": users.n}' }),
    json: '{"names":["Ann","Bob"]}',
  },
  'over YAML': {
    file: 'a.yaml',
    input: 'a:\n  - x: 1\n  - x: 2\n',
    args: transform({ expression: 'a[x > 1]' }),
    json: '{"x":2}',
  },
  'whole numbers beyond 2^53 come to it as strings, digit for digit': {
    file: 'a.json',
    input: '[{"id":12345678901234567890}]',
    args: transform({ expression: '$[0].id' }),
    warning: /1 number is too big for JSONata \('id'\)/,
    json: '"12345678901234567890"',
  },
  'over text': { file: 'a.txt', input: 'one two', args: transform({ expression: '$split($, " ")' }), json: '["one","two"]' },
});

examples('the steps come in their order, not in that of the request', {
  'all of them': {
    file: 'a.csv',
    input: people,
    args: transform({
      expression: '$map($, function($p){ $uppercase($p.who) })',
      limit: 2,
      offset: 1,
      rename: { name: 'who' },
      select: ['name'],
      where: [{ column: 'city', op: 'not_null' }],
    }),
    json: '["CID","DEE"]',
  },
  'where sees columns that select drops': {
    file: 'a.csv',
    input: people,
    args: transform({ select: ['name'], where: [{ column: 'age', op: '=', value: 7 }] }),
    json: names('Bob'),
  },
  'limit counts the records that passed': {
    file: 'a.csv',
    input: people,
    args: transform({ limit: 1, where: [{ column: 'age', op: '>', value: 1 }], select: ['name'], offset: 2 }),
    json: names('Cid'),
  },
});

refusals('transforms that cannot be', {
  'a column that is not there, and those that are': {
    file: 'a.csv',
    input: 'name,age\nAnn,31\n',
    args: transform({ select: ['nmae'] }),
    says: /nmae.*name/,
  },
  'a column to compare that is not there': {
    file: 'a.csv',
    input: 'name,age\nAnn,31\n',
    args: transform({ where: [{ column: 'ages', op: '=', value: 1 }] }),
    says: /ages/,
  },
  'two columns renamed to one': { file: 'a.csv', input: 'a,b\n1,2\n', args: transform({ rename: { a: 'b' } }), says: /'?b'?/ },
  'columns of something that has none': {
    file: 'a.txt',
    input: 'text',
    args: transform({ select: ['a'] }),
    says: /select|list|records/,
  },
  'an expression that does not parse': {
    file: 'a.csv',
    input: 'a\n1\n',
    args: transform({ expression: '$sum(' }),
    says: /expression/,
  },
  'an expression that fails': {
    file: 'a.csv',
    input: 'a\n1\n',
    args: transform({ expression: '$nosuch(1)' }),
    says: /expression/,
  },
  'a step nobody knows': { file: 'a.csv', input: 'a\n1\n', args: transform({ filter: [] }), says: /filter/, code: 2 },
  'an operator nobody knows': {
    file: 'a.csv',
    input: 'a\n1\n',
    args: transform({ where: [{ column: 'a', op: '~', value: 1 }] }),
    says: /op|transform/,
    code: 2,
  },
  'no JSON': { file: 'a.csv', input: 'a\n1\n', args: ['--transform', '{where'], says: '--transform must be JSON', code: 2 },
});

describe('an expression is bounded', () => {
  let workspace: Workspace;
  let config: string;
  let file: string;
  beforeAll(async () => {
    workspace = await openWorkspace();
    config = await limitsConfig(workspace, 'config.json', { expressionTimeoutMs: 700, expressionMemoryBytes: 64 * 1024 * 1024 });
    file = await workspace.file('a.csv', 'a\n1\n2\n');
  });
  afterAll(() => workspace.remove());

  it('in time', async () => {
    const args = transform({ expression: '($f := function($n){ $f($n + 1) }; $f(0))' });
    expectRefusal(await runHere(['convert', file, '--config', config, ...args]), { says: /expressionTimeoutMs/ });
  });

  it('in memory', async () => {
    const roomy = await limitsConfig(workspace, 'roomy.json', {
      expressionTimeoutMs: 300_000,
      expressionMemoryBytes: 64 * 1024 * 1024,
    });
    const args = transform({ expression: '$reduce([1..40], function($list, $i){ $append($list, $list) }, ["a", "b", "c"])' });
    expectRefusal(await runHere(['convert', file, '--config', roomy, ...args]), { says: /expressionMemoryBytes/ });
  });

  it('in reach: nothing of the program can be got at', async () => {
    const args = transform({ expression: '"".constructor.constructor("return process")()' });
    const run = await runHere(['convert', file, '--config', config, ...args]);
    expect(run.code === 0 ? run.stdout.toString('utf8') : run.stderr).not.toMatch(/process|\[native code\]|version/);
  });
});
