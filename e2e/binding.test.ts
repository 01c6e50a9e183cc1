/**
 * Where a payload goes in the arguments, seen by a real client and a real upstream that echoes what it was given: one way through each rule.
 * All forms of keys, conflicts and candidates are in `electron/binding`.
 */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { zipOf } from '../electron/engine/input/zip-fixture.ts';
import { openWorkspace, type Workspace } from './support/cli.ts';
import { type Answer, fixtureUpstream, openSession, type Session } from './support/session.ts';

let workspace: Workspace;
let session: Session;
let callsFile: string;
let callsBefore = 0;
const path: Record<string, string> = {};

beforeAll(async () => {
  workspace = await openWorkspace();
  callsFile = workspace.at('calls.ndjson');
  session = await openSession(workspace, {
    folders: [{ path: workspace.at('files') }],
    upstreams: {
      echo: fixtureUpstream('echo-arguments.mjs', { env: { CALLS_FILE: callsFile } }),
      narrow: fixtureUpstream('echo-arguments.mjs', { maxMessageBytes: 20_000 }),
    },
  });
  const files = {
    people: ['people.csv', 'zip,age,member,note\n00501,31,true,x\n10115,7,false,\n'],
    list: ['list.json', '[1,2,3]'],
    more: ['more.json', '[4]'],
    object: ['object.json', '{"table":"from file","extra":1}'],
    text: ['readme.md', '# Hi\n'],
    seven: ['seven.jsonl', '1\n2\n3\n4\n5\n6\n7\n'],
    mail: ['mail.csv', 'id,email,role\n1,a@b.example,admin\n2,nobody,user\n3,c@d.example,user\n'],
    long: ['long.csv', `n,text\n${Array.from({ length: 1000 }, (_, i) => `${i},some text to fill the row with\n`).join('')}`],
  } as const;
  for (const [key, [name, content]] of Object.entries(files)) path[key] = await workspace.file(`files/${name}`, content);
});
afterAll(async () => {
  await session?.close();
  await workspace.remove();
});

async function sentCalls(): Promise<number> {
  return (await readFile(callsFile, 'utf8').catch(() => '')).split('\n').length - 1;
}
beforeEach(async () => {
  callsBefore = await sentCalls();
});

/** Calls the echo and returns the arguments it was given. */
async function arrived(tool_name: string, request: Record<string, unknown>): Promise<unknown> {
  const answer = await session.send({ server: 'echo', tool_name, output_format: 'string', ...request });
  expect(answer.isError, answer.text).toBe(false);
  return JSON.parse(answer.blocks[0]?.text ?? '');
}

/** Makes a call that must be refused before anything is sent. */
async function refused(tool_name: string, request: Record<string, unknown>): Promise<Answer & { message: string }> {
  const answer = await session.send({ server: 'echo', tool_name, ...request });
  expect(answer.isError, answer.text).toBe(true);
  expect(await sentCalls()).toBe(callsBefore);
  const { error, hint } = answer.json();
  expect(answer.json()).toMatchObject({ tool: expect.stringContaining(':'), timestamp: expect.stringMatching(/^\d{4}-.*Z$/) });
  return { ...answer, message: hint === undefined ? String(error) : `${error}. ${hint}` };
}

describe('data_key says where', () => {
  it('at the top, beside tool_args', async () => {
    expect(await arrived('anything', { path: path.list, data_key: 'records', tool_args: { table: 't', n: 1 } })).toEqual({
      table: 't',
      n: 1,
      records: [1, 2, 3],
    });
  });

  it('deep inside, making what is not there', async () => {
    expect(await arrived('set_config', { path: path.people, data_key: 'config.database.users' })).toEqual({
      config: {
        database: {
          users: [
            { zip: '00501', age: 31, member: true, note: 'x' },
            { zip: '10115', age: 7, member: false, note: null },
          ],
        },
      },
    });
  });

  it('in an item of an array', async () => {
    const tool_args = { branch: 'main', files: [{ path: 'README.md' }] };
    expect(await arrived('push_files', { path: path.text, data_key: 'files[0].content', tool_args })).toEqual({
      branch: 'main',
      files: [{ path: 'README.md', content: '# Hi\n' }],
    });
  });

  it.each(['__proto__', 'list[0].__proto__'])('segments such as those of %s are refused', async (data_key) => {
    expect((await refused('anything', { path: path.list, data_key })).json()).toMatchObject({ code: 'DATA_KEY_INVALID' });
  });

  it("lists the tool's parameters when the key is not one of them", async () => {
    const { message } = await refused('strict', { path: path.mail, data_key: 'rows' });
    expect(message).toMatch(/'rows' is no parameter of strict, which has: records\. Set data_key/);
  });

  it.each(['', 'a[x]'])('%j is no path', async (data_key) => {
    expect((await refused('anything', { path: path.list, data_key })).json()).toMatchObject({ code: 'DATA_KEY_INVALID' });
  });
});

describe('what is already there', () => {
  const request = { data_key: 'records', tool_args: { records: ['typed'] } };

  it('is an error', async () => {
    const { message, json } = await refused('anything', { path: path.list, ...request });
    expect(json()).toMatchObject({ code: 'BINDING_CONFLICT' });
    expect(message).toMatch(/records.*on_conflict/s);
  });

  it('is overwritten when that is asked for, and the result says so', async () => {
    const answer = await session.send({
      server: 'echo',
      tool_name: 'anything',
      path: path.list,
      ...request,
      on_conflict: 'overwrite',
      output_format: 'structured',
    });
    expect(answer.isError).toBe(false);
    expect(answer.json().warnings).toMatchObject([{ message: expect.stringMatching(/records/) }]);
    expect(await arrived('anything', { path: path.list, ...request, on_conflict: 'overwrite' })).toEqual({ records: [1, 2, 3] });
  });
});

describe('without data_key', () => {
  it('an object is merged over tool_args', async () => {
    expect(await arrived('anything', { path: path.object, tool_args: { mode: 'x' } })).toEqual({
      mode: 'x',
      table: 'from file',
      extra: 1,
    });
  });

  it('a list goes where exactly one parameter takes it, and the result says so', async () => {
    const request = { server: 'echo', tool_name: 'one_list', path: path.list, tool_args: { table: 't' } };
    expect(await arrived('one_list', request)).toEqual({ table: 't', rows: [1, 2, 3] });
    const answer = await session.send({ ...request, output_format: 'structured' });
    expect(answer.json().warnings).toMatchObject([{ message: expect.stringMatching(/rows/) }]);
  });

  it('two candidates are listed', async () => {
    const { message, json } = await refused('two_lists', { path: path.list });
    expect(json()).toMatchObject({ code: 'BINDING_AMBIGUOUS' });
    expect(message).toMatch(/first.*second/s);
  });

  it('no candidate is an error that says what is there', async () => {
    const { message, json } = await refused('no_list', { path: path.list });
    expect(json()).toMatchObject({ code: 'BINDING_AMBIGUOUS' });
    expect(message).toMatch(/data_key/);
  });

  it('the schema of the place that was found types the columns', async () => {
    expect(await arrived('insert_records', { path: path.people, tool_args: { table: 't' } })).toMatchObject({
      records: [{ zip: '00501' }, { zip: '10115' }],
    });
  });

  it.each([
    ['YAML', 'people.yaml', '- zip: 00501\n- zip: 10115\n'],
    ['the only file of an archive', 'people.zip', zipOf([{ name: 'people.csv', content: 'zip\n00501\n10115\n' }])],
  ])('so it does for %s', async (_, name, content) => {
    const request = { path: await workspace.file(`files/${name}`, content), tool_args: { table: 't' } };
    expect(await arrived('insert_records', request)).toEqual({ table: 't', records: [{ zip: '00501' }, { zip: '10115' }] });
  });

  it('the list of the files of an archive goes nowhere', async () => {
    const archive = zipOf(['a.csv', 'b.csv'].map((name) => ({ name, content: 'zip\n00501\n' })));
    const request = { path: await workspace.file('files/two.zip', archive), tool_args: { table: 't' } };
    expect((await refused('insert_records', request)).message).toMatch(/archive of 2 files.*entry: "a\.csv"/);
    expect(await arrived('insert_records', { ...request, entry: 'b.csv' })).toEqual({ table: 't', records: [{ zip: '00501' }] });
  });
});

describe('several files', () => {
  it('each to its own place, each in its own way', async () => {
    const files = [
      { path: path.list, data_key: 'records' },
      { path: path.text, data_key: 'files[0].content', as: 'base64' },
      { path: path.people, data_key: 'people', types: 'string', transform: { limit: 1, select: ['age'] } },
    ];
    expect(await arrived('anything', { files, tool_args: { n: 1 } })).toEqual({
      n: 1,
      records: [1, 2, 3],
      files: [{ content: Buffer.from('# Hi\n').toString('base64') }],
      people: [{ age: '31' }],
    });
  });

  it('two for one place are refused', async () => {
    const files = [
      { path: path.list, data_key: 'a' },
      { path: path.more, data_key: 'a' },
    ];
    expect((await refused('anything', { files })).json()).toMatchObject({ code: 'BINDING_CONFLICT' });
  });

  it('a list of paths is joined', async () => {
    expect(await arrived('anything', { path: [path.list, path.more, path.list], data_key: 'all' })).toEqual({
      all: [1, 2, 3, 4, 1, 2, 3],
    });
  });

  it.each([
    ['a column is missing', 'other.csv', 'zip,age,member\n1,2,true\n', "lacks 'note'"],
    ['a column is too many', 'wide.csv', 'zip,age,member,note,mail\n02,2,true,x,y\n', "has 'mail', which the first has not"],
    [
      'a type is another',
      'typed.csv',
      'zip,age,member,note\n10115,2,true,x\n',
      "Column 'zip' is number in .*typed.csv and string",
    ],
  ])('with a word where %s', async (_name, name, content, pattern) => {
    const other = await workspace.file(`files/${name}`, content);
    const answer = await session.send({
      server: 'echo',
      tool_name: 'anything',
      path: [path.people, other],
      data_key: 'all',
      dry_run: true,
    });
    expect(answer.text).toMatch(new RegExp(pattern));
  });

  it('or listed', async () => {
    expect(await arrived('anything', { path: [path.list, path.text], data_key: 'all', combine: 'list' })).toEqual({
      all: [[1, 2, 3], '# Hi\n'],
    });
  });

  it('what is no list cannot be joined', async () => {
    const { message } = await refused('anything', { path: [path.list, path.text], data_key: 'all' });
    expect(message).toMatch(/readme\.md.*combine|combine.*readme\.md/s);
  });

  it('file_path is another name for path', async () => {
    expect(await arrived('anything', { file_path: path.list, data_key: 'a' })).toEqual({ a: [1, 2, 3] });
  });

  it.each([
    ['no file', {}],
    ['path and files', { path: 'a.csv', files: [{ path: 'b.csv' }] }],
    ['path and another file_path', { path: 'a.csv', file_path: 'b.csv' }],
    ['an empty list', { path: [] }],
  ])('%s is refused', async (_name, request) => {
    expect((await refused('anything', { data_key: 'a', ...request })).json()).toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('a parameter nobody knows is named', async () => {
    expect((await refused('anything', { path: path.list, data_key: 'a', datakey: 'b' })).message).toMatch(/datakey/);
  });
});

describe("the upstream's schema decides what a column is", () => {
  const csv = 'zip,age,member,note\n00501,31,true,1\n501,7,false,2\n';

  it('a zip of digits only keeps its zeros and stays a string', async () => {
    const file = await workspace.file('files/zips.csv', csv.replaceAll('00501', '10501'));
    expect(await arrived('insert_records', { path: file, data_key: 'records', tool_args: { table: 't' } })).toEqual({
      table: 't',
      records: [
        { zip: '10501', age: 31, member: true, note: '1' },
        { zip: '501', age: 7, member: false, note: '2' },
      ],
    });
    // Where no schema says so, the column is what its cells are.
    expect(await arrived('anything', { path: file, data_key: 'records' })).toMatchObject({
      records: [{ zip: 10501, note: 1 }, {}],
    });
  });

  it('a cell that does not fit is an error with line and column', async () => {
    const file = await workspace.file('files/ages.csv', csv.replace(',7,', ',seven,'));
    const { message } = await refused('insert_records', { path: file, data_key: 'records', tool_args: { table: 't' } });
    expect(message).toMatch(/age/);
    expect(message).toMatch(/line 3/);
  });
});

describe('the arguments are checked before anything is sent', () => {
  it('a rule of a column: line, column and rule', async () => {
    const { message, json } = await refused('strict', { path: path.mail, data_key: 'records' });
    expect(json()).toMatchObject({ code: 'SCHEMA_MISMATCH' });
    expect(message).toMatch(/line 3/);
    expect(message).toMatch(/email/);
    expect(message).toMatch(/pattern/);
  });

  it('a column that is missing', async () => {
    const file = await workspace.file('files/no-mail.csv', 'id\n1\n');
    const { message } = await refused('strict', { path: file, data_key: 'records' });
    expect(message).toMatch(/email/);
    expect(message).toMatch(/required/);
  });

  it('a column too many', async () => {
    const file = await workspace.file('files/too-many.csv', 'id,email,shoe\n1,a@b.example,44\n');
    expect((await refused('strict', { path: file, data_key: 'records' })).message).toMatch(/shoe/);
  });

  it('a value outside of a list or a range', async () => {
    const file = await workspace.file('files/range.csv', 'id,email,role\n0,a@b.example,user\n');
    expect((await refused('strict', { path: file, data_key: 'records' })).message).toMatch(/line 2.*(id|minimum|>= 1)/s);
    const role = await workspace.file('files/role.csv', 'id,email,role\n1,a@b.example,king\n');
    expect((await refused('strict', { path: role, data_key: 'records' })).message).toMatch(/role/);
  });

  it('an argument that is missing beside the file', async () => {
    expect((await refused('insert_records', { path: path.people, data_key: 'records' })).message).toMatch(/table/);
  });

  it('lines of JSON lines are named too', async () => {
    const file = await workspace.file('files/bad.jsonl', '{"id":1,"email":"a@b.example"}\n\n{"id":"x","email":"a@b.example"}\n');
    const { message } = await refused('strict', { path: file, data_key: 'records' });
    expect(message).toMatch(/line 3/);
    expect(message).toMatch(/id/);
  });

  it('more records than maxItems, with batch as the way out', async () => {
    const { message } = await refused('at_most_three', { path: path.seven, data_key: 'records' });
    expect(message).toMatch(/3/);
    expect(message).toMatch(/batch/);
  });

  it('a schema that is broken itself does not stop the call; the result says that nothing was checked', async () => {
    const answer = await session.send({
      server: 'echo',
      tool_name: 'broken_schema',
      path: path.list,
      data_key: 'records',
      output_format: 'structured',
    });
    expect(answer.isError).toBe(false);
    expect(answer.json().warnings).toMatchObject([{ message: expect.stringMatching(/schema/i) }]);
  });

  it("an upstream's own refusal is kept, and called by its name", async () => {
    const answer = await session.send({ server: 'echo', tool_name: 'picky', path: path.list, data_key: 'records' });
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain('record 2 is a duplicate');
  });
});

describe('batches', () => {
  interface Receipt {
    sha256: string;
    recordsRead: number;
    recordsAccepted: number;
    recordsFailed: number;
    batches: { start: number; records: number; ok: boolean; message?: string }[];
    resumeFrom: number | null;
  }
  async function receipt(tool_name: string, request: Record<string, unknown>): Promise<{ receipt: Receipt; isError: boolean }> {
    const answer = await session.send({
      server: 'echo',
      tool_name,
      data_key: 'records',
      output_format: 'structured',
      ...request,
    });
    const told = answer.json() as { receipt?: Receipt };
    expect(told.receipt, answer.text).toBeDefined();
    return { receipt: told.receipt as Receipt, isError: answer.isError };
  }

  it('auto never sends more than maxItems', async () => {
    const { receipt: told } = await receipt('at_most_three', { path: path.seven, batch: 'auto' });
    expect(told).toMatchObject({ recordsRead: 7, recordsAccepted: 7, recordsFailed: 0, resumeFrom: null });
    expect(told.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(told.batches.map(({ start, records, ok }) => [start, records, ok])).toEqual([
      [0, 3, true],
      [3, 3, true],
      [6, 1, true],
    ]);
    const calls = (await readFile(callsFile, 'utf8'))
      .trim()
      .split('\n')
      .slice(-3)
      .map((line) => JSON.parse(line).arguments.records);
    expect(calls).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
  });

  it('by size, from a record on', async () => {
    const { receipt: told } = await receipt('anything', { path: path.seven, batch: { size: 2, start: 3 } });
    expect(told.batches.map(({ start, records }) => [start, records])).toEqual([
      [3, 2],
      [5, 2],
    ]);
    expect(told).toMatchObject({ recordsRead: 7, recordsAccepted: 4, resumeFrom: null });
  });

  it('a stopped run says from which record to go on', async () => {
    const { receipt: told, isError } = await receipt('picky', { path: path.seven, batch: { size: 3 } });
    expect(isError).toBe(true);
    expect(told).toMatchObject({ recordsAccepted: 0, recordsFailed: 3, resumeFrom: 0 });
    expect(told.batches).toMatchObject([{ ok: false, message: expect.stringContaining('duplicate') }]);
  });

  it('or continues to the end when asked to', async () => {
    const { receipt: told } = await receipt('picky', { path: path.seven, batch: { size: 3, on_error: 'continue' } });
    expect(told).toMatchObject({ recordsAccepted: 0, recordsFailed: 7 });
    // The server said the same of each.
    expect(told.batches).toMatchObject([{ ok: false, records: 7, batches: 3, message: expect.stringContaining('duplicate') }]);
  });

  it('a size over maxItems is refused', async () => {
    const { message } = await refused('at_most_three', { path: path.seven, data_key: 'records', batch: { size: 4 } });
    expect(message).toMatch(/4.*3/);
  });

  it('a payload that is no list cannot be cut', async () => {
    expect((await refused('anything', { path: path.text, data_key: 'a', batch: 'auto' })).json()).toMatchObject({
      code: 'BATCH_INVALID',
    });
  });

  it('a call over the message cap is refused before it is sent, and batch is offered', async () => {
    const whole = { server: 'narrow', tool_name: 'anything', path: path.long, data_key: 'records' };
    const answer = await session.send(whole);
    expect(answer.isError).toBe(true);
    expect(answer.json()).toMatchObject({
      code: 'MESSAGE_TOO_LARGE',
      hint: expect.stringMatching(/^Set batch: "auto" .*; .* the user can raise maxMessageBytes of 'narrow' in Filebridge$/),
    });
    const batched = await session.send({ ...whole, batch: 'auto', output_format: 'structured' });
    expect(batched.isError, batched.text).toBe(false);
    expect(batched.json()).toMatchObject({ receipt: { recordsAccepted: 1000, recordsFailed: 0 } });
  });
});

describe('a dry run', () => {
  it('sends nothing and shows shape, size, tokens and first records', async () => {
    const answer = await session.send({
      server: 'echo',
      tool_name: 'insert_records',
      path: path.people,
      data_key: 'records',
      tool_args: { table: 't' },
      dry_run: true,
    });
    expect(answer.isError).toBe(false);
    expect(await sentCalls()).toBe(callsBefore);
    expect(answer.json()).toMatchObject({
      dry_run: true,
      payloads: [{ data_key: 'records', records: 2 }],
      tokens: { method: 'measured' },
    });
    expect(answer.text).toContain('00501');
  });

  it('refuses what the call would refuse', async () => {
    expect((await refused('strict', { path: path.mail, data_key: 'records', dry_run: true })).json()).toMatchObject({
      code: 'SCHEMA_MISMATCH',
    });
  });
});
