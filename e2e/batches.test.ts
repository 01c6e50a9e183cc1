/** From a file into arguments: where the payload goes, what is only shown, what is cut into calls, what runs behind the answer. */
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../shared/lib/fixtures/waiting.ts';
import { openWorkspace, type Workspace } from './support/cli.ts';
import { type Diary, diaryAt } from './support/diary.ts';
import { type Filebridge, startFilebridge } from './support/filebridge.ts';
import type { Answer, McpClient } from './support/mcp-clients.ts';
import { fixtureServer } from './support/upstreams.ts';

let notes: Workspace;
let diary: Diary;
let filebridge: Filebridge;
let client: McpClient;

beforeAll(async () => {
  notes = await openWorkspace();
  diary = diaryAt(notes.at('diary.jsonl'));
  filebridge = await startFilebridge('stdio', {
    upstreams: { witness: fixtureServer('witness.mjs', [notes.at('diary.jsonl')]), echo: fixtureServer('echo-arguments.mjs') },
  });
  client = await filebridge.connect('v1');
});
afterAll(async () => {
  await filebridge?.stop();
  await notes.remove();
});

const send = (args: Record<string, unknown>): Promise<Answer> => client.call('call_tool_with_file_content', args);
const insert = (path: string, rest: Record<string, unknown> = {}): Promise<Answer> =>
  send({ server: 'witness', tool_name: 'insert', path, data_key: 'records', ...rest });
/** What the echo server was sent. */
const echoed = (answer: Answer): unknown => {
  expect(answer.isError, answer.text).toBe(false);
  return JSON.parse(answer.text.split('\nNote: ')[0] ?? '');
};
const names = (...each: string[]): string => `name\n${each.join('\n')}\n`;
/** The batches the upstream saw since the test began. */
let seen = 0;
const inserts = async () => (await diary.entries()).filter((entry) => 'insert' in entry).slice(seen);
beforeEach(async () => {
  seen = 0;
  seen = (await inserts()).length;
});

describe('where the payload goes', () => {
  it('a data key that is taken is an error, unless the file is to win', async () => {
    const request = {
      server: 'echo',
      tool_name: 'insert_records',
      path: await filebridge.file('zip.csv', 'zip\n00501\n'),
      data_key: 'records',
      tool_args: { table: 't', records: [] },
    };
    const refused = await send(request);
    expect(refused.isError).toBe(true);
    expect(refused.json()).toMatchObject({ code: 'BINDING_CONFLICT', hint: expect.stringContaining('overwrite') });
    const overwritten = await send({ ...request, on_conflict: 'overwrite', output_format: 'string' });
    expect(echoed(overwritten)).toEqual({ table: 't', records: [{ zip: '00501' }] });
    expect(overwritten.text).toMatch(/Note: .*records/);
  });

  it('an object without a data key is merged over tool_args', async () => {
    const answer = await send({
      server: 'echo',
      tool_name: 'anything',
      path: await filebridge.file('settings.yaml', 'host: db\nports: [1, 2]\n'),
      tool_args: { dry: true },
      output_format: 'string',
    });
    expect(echoed(answer)).toEqual({ dry: true, host: 'db', ports: [1, 2] });
  });

  it('a list without a data key goes where the schema leaves one place, and says so', async () => {
    const path = await filebridge.file('list.json', '[1, 2]');
    const settled = await send({
      server: 'echo',
      tool_name: 'one_list',
      path,
      tool_args: { table: 't' },
      output_format: 'string',
    });
    expect(echoed(settled)).toEqual({ table: 't', rows: [1, 2] });
    expect(settled.text).toMatch(/Note: .*rows/);
    const unsettled = await send({ server: 'echo', tool_name: 'two_lists', path });
    expect(unsettled.isError).toBe(true);
    expect(unsettled.json()).toMatchObject({ code: 'BINDING_AMBIGUOUS' });
    expect(unsettled.text).toMatch(/first/);
    expect(unsettled.text).toMatch(/second/);
  });

  it('several files go to several places, each in its own way', async () => {
    const answer = await send({
      server: 'witness',
      tool_name: 'both',
      files: [
        { path: await filebridge.file('left.csv', 'zip\n00501\n'), data_key: 'left' },
        { path: await filebridge.file('right.bin', Buffer.from([0, 255, 1])), data_key: 'right', as: 'base64' },
      ],
      output_format: 'string',
    });
    expect(echoed(answer)).toEqual({ left: [{ zip: '00501' }], right: 'AP8B' });
  });

  it('a list of paths is joined, or listed', async () => {
    const paths = [await filebridge.file('a.csv', names('a')), await filebridge.file('b.jsonl', '{"name":"b"}\n{"name":"c"}\n')];
    const request = { server: 'echo', tool_name: 'one_list', path: paths, data_key: 'rows', output_format: 'string' };
    expect(echoed(await send(request))).toEqual({ rows: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] });
    expect(echoed(await send({ ...request, combine: 'list' }))).toEqual({
      rows: [[{ name: 'a' }], [{ name: 'b' }, { name: 'c' }]],
    });
  });

  it('the schema types the columns, and a record that does not fit is named before anything is sent', async () => {
    const typed = await send({
      server: 'echo',
      tool_name: 'insert_records',
      path: await filebridge.file('typed.csv', 'zip,age\n10115,36\n'),
      data_key: 'records',
      tool_args: { table: 't' },
      output_format: 'string',
    });
    expect(echoed(typed)).toEqual({ table: 't', records: [{ zip: '10115', age: 36 }] });
    const misfit = await send({
      server: 'echo',
      tool_name: 'strict',
      path: await filebridge.file('misfit.csv', 'id,email\n1,a@b\n2,nobody\n'),
      data_key: 'records',
    });
    expect(misfit.isError).toBe(true);
    expect(misfit.json()).toMatchObject({ code: 'SCHEMA_MISMATCH' });
    expect(misfit.text).toMatch(/line 3/);
    expect(misfit.text).toMatch(/email/);
  });
});

describe('dry run', () => {
  const numbered = Array.from({ length: 300_000 }, (_, i) => `name ${i}`);

  it('sends nothing, and shows what would be sent', async () => {
    const path = await filebridge.file('many.csv', names(...Array.from({ length: 500 }, (_, i) => `n${i}`)));
    const answer = await insert(path, { dry_run: true, tool_args: { table: 'people' } });
    expect(answer.isError, answer.text).toBe(false);
    expect(answer.json()).toMatchObject({
      dry_run: true,
      server: 'witness',
      tool: 'insert',
      payloads: [{ data_key: 'records', kind: 'array', records: 500, columns: ['name: string'] }],
      arguments: { table: 'people', records: [{ name: 'n0' }, { name: 'n1' }, { name: 'n2' }] },
      arguments_bytes: expect.any(Number),
      tokens: { count: expect.any(Number) },
      warnings: [],
    });
    expect(await inserts()).toEqual([]);
  });

  it.each([
    ['a table', 'big.csv', `name\n${numbered.join('\n')}\n`, { name: 'name 0' }],
    ['JSON', 'big.json', JSON.stringify(numbered.map((name) => ({ name }))), { name: 'name 0' }],
  ])('shows the beginning of %s that is too large to be kept in memory', async (_what, file, content, first) => {
    const path = await filebridge.file(file, content);
    for (const more of [{}, { batch: 'auto' }, { transform: { limit: 5 } }]) {
      const answer = await insert(path, { dry_run: true, tool_args: { table: 'people' }, ...more });
      expect(answer.isError, answer.text).toBe(false);
      const { arguments: shown, payloads } = answer.json() as {
        arguments: { records: unknown[] };
        payloads: { records: number }[];
      };
      expect(shown.records).toHaveLength(3);
      expect(shown.records[0]).toEqual(first);
      expect(payloads[0]?.records).toBe('transform' in more ? 5 : 300_000);
    }
    expect(await inserts()).toEqual([]);
  });
});

describe('batches', () => {
  const receiptOf = (answer: Answer) => answer.json().receipt as Record<string, unknown>;

  it('stop at the first that fails, say where to go on, and go on there', async () => {
    const path = await filebridge.file('stop.csv', names('a', 'b', 'bad', 'd', 'e', 'f', 'g'));
    const stopped = await insert(path, { batch: { size: 2 }, output_format: 'structured' });
    expect(stopped.isError).toBe(true);
    expect(receiptOf(stopped)).toMatchObject({
      recordsRead: 7,
      recordsAccepted: 2,
      recordsFailed: 2,
      resumeFrom: 2,
      batches: [
        { index: 0, start: 0, records: 2, ok: true },
        { index: 1, start: 2, records: 2, ok: false, message: 'record 0 is bad' },
      ],
    });
    expect(receiptOf(stopped).ranges).toEqual({ accepted: [[0, 1]], refused: [[2, 3]], not_sent: [[4, 6]], unknown: [] });
    expect(stopped.text).toContain('make the same call with batch: {\\"resume\\": ');
    expect(await inserts()).toEqual([
      { insert: ['a', 'b'], refused: false },
      { insert: ['bad', 'd'], refused: true },
    ]);

    await filebridge.file('stop.csv', names('a', 'b', 'c', 'd', 'e', 'f', 'g'));
    const resumed = await insert(path, { batch: { size: 2, ranges: [[2, 6]] }, output_format: 'structured' });
    expect(resumed.isError, resumed.text).toBe(false);
    expect(receiptOf(resumed)).toMatchObject({ recordsRead: 7, recordsAccepted: 5, recordsFailed: 0, resumeFrom: null });
    expect((await inserts()).slice(2)).toEqual([
      { insert: ['c', 'd'], refused: false },
      { insert: ['e', 'f'], refused: false },
      { insert: ['g'], refused: false },
    ]);
  });

  it('that are all refused by a protocol error leave a receipt with ranges and a way to go on', async () => {
    const file = await filebridge.file('broken.csv', names('broken', 'b', 'c', 'd'));
    const answer = await insert(file, { batch: { size: 2 }, output_format: 'structured' });
    expect(answer.isError).toBe(true);
    const receipt = receiptOf(answer);
    expect(receipt).toMatchObject({
      recordsAccepted: 0,
      ranges: { accepted: [], refused: [[0, 1]], not_sent: [[2, 3]], unknown: [] },
    });
    expect(answer.text).toContain('a record is broken');

    const resumed = await insert(file, { batch: { resume: receipt.id }, output_format: 'structured' });
    expect(receiptOf(resumed)).toMatchObject({ id: receipt.id, ranges: { refused: [[0, 1]], not_sent: [[2, 3]] } });
    const rest = await insert(file, { batch: { ranges: [[2, 3]] } });
    expect(rest.isError, rest.text).toBe(false);
  });

  it('go on past one that fails where that is asked for', async () => {
    const path = await filebridge.file('continue.csv', names('a', 'bad', 'c', 'd', 'e'));
    const answer = await insert(path, { batch: { size: 2, on_error: 'continue' }, output_format: 'structured' });
    expect(answer.isError).toBe(true);
    expect(receiptOf(answer)).toMatchObject({ recordsRead: 5, recordsAccepted: 3, recordsFailed: 2, resumeFrom: null });
    expect((await inserts()).map(({ refused }) => refused)).toEqual([true, false, false]);
  });

  it('never exceed what the schema takes at once', async () => {
    const path = await filebridge.file('seven.jsonl', '1\n2\n3\n4\n5\n6\n7\n');
    const answer = await send({
      server: 'echo',
      tool_name: 'at_most_three',
      path,
      data_key: 'records',
      batch: 'auto',
      output_format: 'string',
    });
    expect(answer.text).toBe('7 of 7 records accepted by echo:at_most_three in 3 batches.');
    const whole = await send({ server: 'echo', tool_name: 'at_most_three', path, data_key: 'records' });
    expect(whole.isError).toBe(true);
    expect(whole.text).toMatch(/batch/);
  });

  // Each batch is held back until the report on the one before was heard; the last report may be overtaken by the answer.
  it('report progress after each', async () => {
    const path = await filebridge.file('progress.csv', names('a', 'b', 'c', 'd', 'e'));
    const reported: unknown[] = [];
    const release = (first: string) => writeFileSync(notes.at(first), '');
    release('a');
    await client.call(
      'call_tool_with_file_content',
      {
        server: 'witness',
        tool_name: 'insert',
        path,
        data_key: 'records',
        tool_args: { wait_in: notes.root },
        batch: { size: 2 },
      },
      {
        onprogress: (progress) => {
          reported.push(progress);
          if (reported.length < 3) release(reported.length === 1 ? 'c' : 'e');
        },
      },
    );
    expect(reported.slice(0, 2)).toEqual([
      { progress: 2, total: 5, message: '2 of 5 records' },
      { progress: 4, total: 5, message: '4 of 5 records' },
    ]);
  });
});

describe('a call per record', () => {
  let added = 0;
  const adds = async () =>
    (await diary.entries())
      .filter((entry): entry is { add: unknown } => 'add' in entry)
      .map(({ add }) => add)
      .slice(added);
  beforeEach(async () => {
    added = 0;
    added = (await adds()).length;
  });
  const add = (path: string, rest: Record<string, unknown> = {}): Promise<Answer> =>
    send({ server: 'witness', tool_name: 'add', path, batch: { each: true }, ...rest });
  const people = 'name,zip,age\nAda,01067,36\nBo,,\nCy,10115,41\n';

  it('gives it over as the arguments, typed by their schema, with empty cells left out', async () => {
    const answer = await add(await filebridge.file('each.csv', people), {
      tool_args: { list: 'friends' },
      output_format: 'string',
    });
    expect(answer.isError, answer.text).toBe(false);
    expect(answer.text).toContain('3 of 3 records accepted by witness:add in 3 calls.');
    expect(await adds()).toEqual([
      { list: 'friends', name: 'Ada', zip: '01067', age: 36, idempotency_key: expect.any(String) },
      { list: 'friends', name: 'Bo', idempotency_key: expect.any(String) },
      { list: 'friends', name: 'Cy', zip: '10115', age: 41, idempotency_key: expect.any(String) },
    ]);
    const keys = (await adds()).map((each) => (each as { idempotency_key: string }).idempotency_key);
    expect(new Set(keys).size).toBe(3);
  });

  it('gives it to one argument, by its name or found by the schema', async () => {
    const table = await filebridge.file('each-person.yaml', '- {name: Ada, zip: 01067}\n- {name: Bo, zip: 00501}\n');
    const answer = await add(table, { tool_name: 'add_person', data_key: 'person' });
    expect(answer.isError, answer.text).toBe(false);
    const texts = await filebridge.file('each-name.json', '["Cy", "Di"]');
    expect((await add(texts, { tool_name: 'add_name' })).isError).toBe(false);
    expect(await adds()).toEqual([{ name: 'Ada', zip: '01067' }, { name: 'Bo', zip: '00501' }, 'Cy', 'Di']);
  });

  it('stops at the one that is refused, and goes on from its receipt', async () => {
    const path = await filebridge.file('each-bad.csv', 'name\na\nbad\nc\n');
    const stopped = await add(path, { output_format: 'structured' });
    expect(stopped.isError).toBe(true);
    const receipt = stopped.json().receipt as { id: string };
    expect(receipt).toMatchObject({ recordsAccepted: 1, ranges: { accepted: [[0, 0]], refused: [[1, 1]], not_sent: [[2, 2]] } });
    const rest = await add(path, { batch: { resume: receipt.id, on_error: 'continue' }, output_format: 'structured' });
    expect(rest.json().receipt).toMatchObject({
      recordsAccepted: 2,
      ranges: {
        accepted: [
          [0, 0],
          [2, 2],
        ],
        refused: [[1, 1]],
      },
    });
    expect((await adds()).map((each) => (each as { name: string }).name)).toEqual(['a', 'bad', 'bad', 'c']);
  });

  it('checks every record first, and names the one that does not fit by its line', async () => {
    const path = await filebridge.file('each-empty.csv', 'name,zip\nAda,1\n,2\n');
    const answer = await add(path);
    expect(answer.json()).toMatchObject({ code: 'SCHEMA_MISMATCH', line: 3 });
    expect(answer.text).toContain("record 1: name is an empty cell, but must be string (rule: type) at line 3, column 'name'");
    expect(await adds()).toEqual([]);
  });

  it('checks and sends only the records that are asked for', async () => {
    const path = await filebridge.file('each-some.csv', 'name,zip\nAda,1\nBo,2\n,3\nCy,4\n');
    const dry = await add(path, {
      batch: {
        each: true,
        ranges: [
          [0, 0],
          [3, 3],
        ],
      },
      dry_run: true,
    });
    expect(dry.json()).toMatchObject({ calls: 2 });
    const answer = await add(path, {
      batch: {
        each: true,
        ranges: [
          [0, 1],
          [3, 3],
        ],
      },
      output_format: 'string',
    });
    expect(answer.text).toContain('3 of the 3 records asked for accepted');
    expect((await adds()).map((each) => (each as { name: string }).name)).toEqual(['Ada', 'Bo', 'Cy']);
  });

  it('refuses a record that fits nowhere, behind those that are checked too, and goes on from there', async () => {
    const records = Array.from({ length: 1200 }, (_, i) => (i === 1100 ? null : { name: `n${i}` }));
    const path = await filebridge.file('each-late.json', JSON.stringify(records));
    const answer = await add(path, { batch: { each: true, on_error: 'continue' }, output_format: 'structured' });
    expect(answer.json().receipt).toMatchObject({ recordsAccepted: 1199, ranges: { refused: [[1100, 1100]], not_sent: [] } });
    expect(answer.text).toContain('in 1199 calls');
  });

  it('is told where it goes if one argument takes it', async () => {
    const path = await filebridge.file('each-where.csv', 'name,zip\nAda,01067\n');
    const answer = await add(path, { tool_name: 'add_person' });
    expect(answer.json().hint).toContain('data_key: "person"');
  });

  it('says what a record has in common with tool_args', async () => {
    const path = await filebridge.file('each-both.csv', people);
    const answer = await add(path, { tool_args: { name: 'x' } });
    expect(answer.json()).toMatchObject({ code: 'BINDING_CONFLICT' });
    expect(answer.text).toContain("Record 0: Both the file and tool_args give 'name'");
  });

  it('is shown by a dry run, with the number of calls', async () => {
    const answer = await add(await filebridge.file('each-dry.csv', people), { dry_run: true });
    expect(answer.json()).toMatchObject({ calls: 3, arguments: { name: 'Ada', zip: '01067', age: 36 } });
    expect(await adds()).toEqual([]);
  });

  it('is named where a list does not fit a tool that takes one record', async () => {
    const path = await filebridge.file('each-named.csv', people);
    for (const request of [{ tool_name: 'add' }, { tool_name: 'add_person', data_key: 'person' }]) {
      const answer = await add(path, { ...request, batch: undefined });
      expect(answer.json().hint).toContain('batch: {"each": true}');
    }
  });

  it('makes no call for no record, and needs a list', async () => {
    const none = await add(await filebridge.file('each-none.csv', 'name\n'));
    expect(none.text).toContain('0 of 0 records accepted by witness:add in 0 calls.');
    const one = await add(await filebridge.file('each-one.json', '{"name":"Ada"}'));
    expect(one.json()).toMatchObject({ code: 'BATCH_INVALID' });
    const sized = await add(await filebridge.file('each-sized.csv', people), { batch: { each: true, size: 2 } });
    expect(sized.json()).toMatchObject({ code: 'BATCH_INVALID' });
    expect(await adds()).toEqual([]);
  });
});

describe('records into a parameter that takes text', () => {
  const said = async (rest: Record<string, unknown>): Promise<unknown> => {
    const answer = await send({ server: 'witness', tool_name: 'add_name', output_format: 'raw', ...rest });
    expect(answer.isError, answer.text).toBe(false);
    return answer.text.replace(/^added /, '');
  };

  it('go as CSV, as a Markdown table or as JSON, with or without a data key', async () => {
    const path = await filebridge.file('as-text.csv', 'id;zip\n1;007\n2;\n');
    for (const place of [{ data_key: 'name' }, {}]) {
      expect(await said({ path, as: 'csv', ...place })).toBe('id,zip\n1,007\n2,\n');
      expect(await said({ path, as: 'markdown', ...place })).toBe('| id | zip |\n| --- | --- |\n| 1 | 007 |\n| 2 |  |\n');
      expect(await said({ path, as: 'json', ...place })).toBe('[{"id":1,"zip":"007"},{"id":2,"zip":null}]');
      expect(await said({ path, as: 'text', ...place })).toBe('id;zip\n1;007\n2;\n');
    }
  });

  it('are named by the error that refuses a list there', async () => {
    const path = await filebridge.file('as-hint.csv', 'id\n1\n');
    for (const place of [{ data_key: 'name' }, {}]) {
      const answer = await send({ server: 'witness', tool_name: 'add_name', path, ...place });
      expect(answer.json().hint).toContain('as: "json", "csv" or "markdown"');
    }
  });
});

describe('an empty cell of a required column', () => {
  const strict = (path: string, rest: Record<string, unknown> = {}) =>
    send({ server: 'echo', tool_name: 'strict', path, data_key: 'records', ...rest });

  it('is an error with its line and column, also behind the records that are checked, and names the ways on', async () => {
    const path = await filebridge.file('empty-cell.csv', 'id,email\n1,a@b.de\n2,\n');
    const answer = await strict(path);
    expect(answer.json()).toMatchObject({ code: 'SCHEMA_MISMATCH', line: 3, column: 2 });
    expect(answer.text).toContain("is an empty cell, but must be string (rule: type) at line 3, column 'email'");
    expect(answer.json().hint).toContain('types: {"email": "string"}');
    expect((await strict(path, { transform: { where: [{ column: 'email', op: 'not_null' }] } })).isError).toBe(false);

    const rows = Array.from({ length: 3000 }, (_, i) => `${i + 1},${i === 2500 ? '' : 'a@b.de'}`);
    const late = await strict(await filebridge.file('late-cell.csv', `id,email\n${rows.join('\n')}\n`));
    expect(late.json()).toMatchObject({ code: 'SCHEMA_MISMATCH', line: 2502, column: 2 });
    expect(late.text).toContain('records[2500].email is an empty cell');
  });
});

describe('background jobs', () => {
  const status = (job_id: unknown) => client.call('job_status', { job_id });

  it('answer at once, and their answer is fetched later', async () => {
    const path = await filebridge.file('job.csv', names('a', 'b', 'c'));
    const started = await insert(path, { batch: { size: 1 }, background: true, output_format: 'string' });
    expect(started.json()).toMatchObject({ job_id: expect.any(String), state: 'running' });
    const { job_id } = started.json();
    await until(async () => (await status(job_id)).json().state !== 'running');
    const done = await status(job_id);
    expect(done.json()).toMatchObject({
      state: 'done',
      server: 'witness',
      tool: 'insert',
      progress: { records: 3, total: 3, batches: 3 },
    });
    expect(done.text).toContain('3 of 3 records accepted by witness:insert in 3 batches.');
    expect((await inserts()).map((entry) => entry.insert)).toEqual([['a'], ['b'], ['c']]);
  });

  it('are cancelled, and so is what they had asked of the upstream', async () => {
    const path = await filebridge.file('endless.json', '[1]');
    const started = await send({ server: 'witness', tool_name: 'slow', path, data_key: 'records', background: true });
    await diary.waitFor({ slow: 'started' });
    const cancelled = await client.call('cancel_job', { job_id: started.json().job_id });
    expect(cancelled.json()).toMatchObject({ state: 'cancelled' });
    await diary.waitFor({ slow: 'cancelled' });
    expect((await status(started.json().job_id)).json()).toMatchObject({ state: 'cancelled' });
  });

  it('that cannot start are refused at once', async () => {
    const missing = await insert(filebridge.at('nowhere.csv'), { background: true });
    expect(missing.isError).toBe(true);
    expect(missing.json()).toMatchObject({
      error: `File '${filebridge.at('nowhere.csv')}' does not exist or is not readable`,
      code: 'FILE_NOT_FOUND',
    });
  });

  it.each([
    [{ start: 3 }, 'start'],
    [{ resend_unknown: true }, 'batch.resend_unknown goes with batch.resume'],
  ])('with %j send nothing', async (batch, words) => {
    const before = (await inserts()).length;
    const path = await filebridge.file('three.csv', 'name\na\nb\nc\n');
    const refused = await insert(path, { batch });
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain(words);
    expect((await inserts()).length).toBe(before);
  });

  it('of another name are unknown', async () => {
    const unknown = await status('no-such-job');
    expect(unknown.isError).toBe(true);
    expect(unknown.json()).toMatchObject({ code: 'JOB_UNKNOWN' });
  });
});
