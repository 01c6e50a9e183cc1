/** A batched call whose program is killed: what was sent is known afterwards, and the rest is sent once. */
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../shared/lib/fixtures/waiting.ts';
import { cliFile } from './support/cli.ts';
import { type Diary, diaryAt } from './support/diary.ts';
import {
  changeConfig,
  endProcess,
  type Home,
  type HttpServer,
  openHome,
  serveHttp,
  type Transport,
  transports,
} from './support/filebridge.ts';
import { type Answer, type McpClient, openClient } from './support/mcp-clients.ts';
import { isRunning } from './support/session.ts';
import { fixtureServer } from './support/upstreams.ts';

let home: Home;
let diary: Diary;
let gate: string;
let file: string;
const closing: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  home = await openHome();
  const notes = home.workspace.at('diary.jsonl');
  const second = fixtureServer('witness.mjs', [home.workspace.at('second.jsonl')]);
  await changeConfig(home, { upstreams: { witness: fixtureServer('witness.mjs', [notes]), second } });
  diary = diaryAt(notes);
  gate = home.workspace.at('gate');
  await mkdir(gate);
  file = await home.file('people.csv', 'name\na\nb\nc\nd\ne\nf\ng\nh\n');
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await home.workspace.remove();
});

/** A program with a client on it. */
async function start(transport: Transport, name?: string): Promise<{ client: McpClient; kill(): Promise<void> }> {
  const hooks = name === undefined ? {} : { name };
  let server: HttpServer | undefined;
  if (transport === 'http') {
    server = await serveHttp(home, () => undefined);
    const { child } = server;
    closing.unshift(() => endProcess(child));
  }
  const way = server ?? {
    command: process.execPath,
    args: [cliFile, 'serve', '--stdio'],
    env: home.env,
    onStderr: () => undefined,
  };
  const client = await openClient('v1', way, hooks);
  closing.unshift(() => client.close().catch(() => undefined));
  const pid = server?.child.pid ?? (client.pid as number);
  const gone = server ? new Promise((resolve) => server.child.once('exit', resolve)) : undefined;
  return {
    client,
    async kill() {
      process.kill(pid, 'SIGKILL');
      await gone;
      await until(async () => !(await isRunning(pid)));
    },
  };
}

const insert = (client: McpClient, rest: Record<string, unknown>): Promise<Answer> =>
  client.call('call_tool_with_file_content', {
    server: 'witness',
    tool_name: 'insert',
    path: file,
    data_key: 'records',
    tool_args: { wait_in: gate },
    output_format: 'structured',
    ...rest,
  });
const open = async (...names: string[]) => {
  for (const name of names) await writeFile(path.join(gate, name), '');
};
const inserted = async () => (await diary.entries()).flatMap((entry) => (entry.insert as string[] | undefined) ?? []);
const receipts = () => path.join(home.dataDirectory, 'receipts');

/** Sends two of eight records, and is killed while the next two are under way. */
async function interrupted(transport: Transport): Promise<string> {
  const { client, kill } = await start(transport);
  const { job_id } = (await insert(client, { batch: { size: 2 }, background: true })).json();
  const id = String(job_id);
  await open('a');
  await until(async () =>
    (await readFile(path.join(receipts(), `${id}.jsonl`), 'utf8').catch(() => '')).includes('["sent",2,3]'),
  );
  await kill();
  // Its server may outlive it, and must not find the gate open.
  const pids = (await diary.entries()).flatMap((entry) => (typeof entry.pid === 'number' ? [entry.pid] : []));
  for (const pid of pids) {
    if (await isRunning(pid)) process.kill(pid, 'SIGKILL');
    await until(async () => !(await isRunning(pid)));
  }
  expect(await inserted()).toEqual(['a', 'b']);
  await open('c', 'e', 'g');
  return id;
}

const receiptIn = (answer: Answer) => (answer.json() as { receipt: Record<string, unknown> }).receipt;

describe.each(transports)('over %s', (transport) => {
  it('a killed call tells how far it came, and goes on without sending a record twice', async () => {
    const id = await interrupted(transport);
    const { client } = await start(transport);
    const told = (await client.call('job_status', { job_id: id })).json();
    expect(told).toMatchObject({
      state: 'stopped',
      recordsAccepted: 2,
      ranges: { accepted: [[0, 1]], refused: [], not_sent: [[4, 7]], unknown: [[2, 3]] },
    });
    expect(told.hint).toContain(`"resume": "${id}"`);

    const resumed = await insert(client, { batch: { resume: id } });
    expect(receiptIn(resumed)).toMatchObject({
      id,
      recordsAccepted: 6,
      recordsUnknown: 2,
      ranges: { accepted: [[0, 1], [4, 7]], refused: [], not_sent: [], unknown: [[2, 3]] }, // biome-ignore format: one line reads better
    });
    expect(await inserted()).toEqual(['a', 'b', 'e', 'f', 'g', 'h']);

    const rest = await insert(client, { batch: { resume: id, resend_unknown: true } });
    expect(rest.isError, rest.text).toBe(false);
    expect(receiptIn(rest)).toMatchObject({ recordsAccepted: 8, recordsUnknown: 0, ranges: { accepted: [[0, 7]] } });
    expect((await inserted()).sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);

    const nothing = await insert(client, { batch: { resume: id, resend_unknown: true } });
    expect(nothing.isError, nothing.text).toBe(false);
    expect(await inserted()).toHaveLength(8);
  });

  it('other content, another server, another tool or other arguments are refused', async () => {
    const id = await interrupted(transport);
    const { client } = await start(transport);
    const batch = { resume: id };
    const refusals = [
      [{ server: 'second' }, 'is for witness:insert, not for second:insert'],
      [{ tool_name: 'both' }, 'is for witness:insert, not for witness:both'],
      [{ tool_args: { wait_in: gate, table: 't' } }, 'differs from that of receipt'],
      [{ transform: { offset: 1 } }, 'differs from that of receipt'],
      [{ batch: { resume: '00000000' } }, "no receipt with the id '00000000'"],
      [{ batch: { resume: '../tokens' } }, 'no receipt with the id'],
      [{ batch: { resume: id, start: 4 } }, 'excludes batch.start, batch.ranges and batch.again'],
    ] as const;
    for (const [change, message] of refusals) {
      const answer = await insert(client, { batch, ...change });
      expect(answer.isError).toBe(true);
      expect(answer.text).toContain(message);
    }
    await home.file('people.csv', 'name\na\nb\nc\nd\ne\nf\ng\nx\n');
    expect((await insert(client, { batch })).text).toContain('has not the content of receipt');
    expect(await inserted()).toEqual(['a', 'b']);
  });
});

it('a receipt belongs to its client', async () => {
  const id = await interrupted('stdio');
  const { client } = await start('stdio', 'another');
  expect((await insert(client, { batch: { resume: id } })).text).toContain(`no receipt with the id '${id}'`);
  expect((await client.call('job_status', { job_id: id })).text).toContain('JOB_UNKNOWN');
});

it('the log tells how far a killed call came, once', async () => {
  const id = await interrupted('stdio');
  const lines = async () =>
    (await readFile(path.join(home.dataDirectory, 'ledger.jsonl'), 'utf8').catch(() => ''))
      .split('\n')
      .filter((line) => line.includes('INTERRUPTED'));
  for (let starts = 0; starts < 2; starts += 1) {
    const { client } = await start('stdio');
    await until(async () => (await lines()).length > 0);
    await client.close();
  }
  const told = (await lines()).map((line) => JSON.parse(line));
  expect(told).toMatchObject([
    {
      tool: 'insert',
      outcome: 'unknown',
      records: 8,
      receipt: { recordsAccepted: 2, recordsUnknown: 2, recordsNotSent: 4, batches: 2 },
    },
  ]);
  expect(await readFile(path.join(receipts(), `${id}.jsonl`), 'utf8')).toContain('["noted"]');
});

it.skipIf(process.platform === 'win32')('receipts are readable by their user only', async () => {
  await interrupted('stdio');
  expect((await stat(receipts())).mode & 0o777).toBe(0o700);
  const names = await readdir(receipts());
  expect(names.some((name) => name.endsWith('.jsonl'))).toBe(true);
  for (const name of names) expect((await stat(path.join(receipts(), name))).mode & 0o777).toBe(0o600);
});

it('a resumed call can run in the background, under the same id', async () => {
  const id = await interrupted('stdio');
  const { client } = await start('stdio');
  const started = (await insert(client, { batch: { resume: id, resend_unknown: true }, background: true })).json();
  expect(started.job_id).toBe(id);
  await until(async () => (await client.call('job_status', { job_id: id })).json().state === 'done');
  expect((await inserted()).sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
});

it('content that went to the same tool before is noticed, under any path, after a kill too', async () => {
  const id = await interrupted('stdio');
  const { client } = await start('stdio');
  expect((await client.call('cancel_job', { job_id: id })).json()).toMatchObject({
    code: 'JOB_UNKNOWN',
    error: `No job '${id}' is running: its call has ended`,
  });
  const copy = await home.file('copy.csv', await readFile(file, 'utf8'));
  const shown = (await insert(client, { path: copy, dry_run: true })).json() as Record<string, unknown>;
  const sentBefore = 'was sent to this tool before';
  expect(String(shown.warnings)).toMatch(new RegExp(`'${copy}' ${sentBefore} as '${file}'.*${id}`));
  for (const other of [{ server: 'second' }, { path: await home.file('other.csv', 'name\nz\n') }])
    expect((await insert(client, { ...other, dry_run: true })).text).not.toContain(sentBefore);

  // Some of it arrived: all of it is not sent again by mistake.
  const before = await inserted();
  const refused = await insert(client, { path: copy, batch: { size: 2 } });
  expect(refused.isError).toBe(true);
  expect(refused.json()).toMatchObject({
    code: 'PARTLY_SENT',
    error: `Nothing was sent: of '${copy}', 2 of 8 records were accepted by this tool before, and 2 are unknown`,
    hint: `batch: {"resume": "${id}"} sends the rest without the unknown ones; batch: {"again": true} sends all`,
  });
  expect(await inserted()).toEqual(before);
  expect(shown).toMatchObject({ calls: 1, would_be_refused: expect.stringContaining('2 of 8 records were accepted') });
  const left = (await insert(client, { batch: { resume: id }, dry_run: true })).json();
  expect(left).toMatchObject({ resumes: id, calls: expect.anything(), records_left: 4, ranges_left: [[4, 7]] });

  // A receipt that goes on is not the same content once more.
  expect(receiptIn(await insert(client, { batch: { resume: id } }))).not.toHaveProperty('sentBefore');
  await open('b', 'd', 'f', 'h');
  const again = await insert(client, { path: copy, batch: { size: 2, again: true } });
  expect(receiptIn(again)).toMatchObject({ recordsAccepted: 8, sentBefore: [{ path: copy, receipt: id }] });
  expect(again.text).toContain(`receipt ${id}`);

  const { client: stranger } = await start('stdio', 'another');
  // Another agent is not told by whom, and gets no receipt of it.
  const told = (await insert(stranger, { dry_run: true })).json().warnings;
  expect(told).toEqual([expect.stringContaining(`'${file}' ${sentBefore}`)]);
  expect(String(told)).not.toContain(id);
});

it('an interrupted call is not made again by mistake, however it is written, or after the file was corrected', async () => {
  await changeConfig(home, { expose: { upstreamTools: 'companions' } });
  const id = await interrupted('stdio');
  const { client } = await start('stdio');
  const before = await inserted();
  const ways: Record<string, () => Promise<Answer>> = {
    'with another form': () => insert(client, { as: 'json', batch: { size: 2 } }),
    'without its place': () => insert(client, { data_key: undefined, batch: { size: 2 } }),
    'by the companion': () =>
      client.call('witness__insert', { records_path: file, wait_in: gate, _file: { batch: { size: 2 } } }),
    'in one call': () => insert(client, { batch: undefined }),
  };
  for (const [way, call] of Object.entries(ways)) {
    const refused = (await call()).json();
    expect(refused, way).toMatchObject({ code: 'PARTLY_SENT', hint: expect.stringContaining(`batch: {"resume": "${id}"}`) });
  }
  expect((await insert(client, { transform: { rename: { name: 'nom' } }, batch: { size: 2 } })).json()).toMatchObject({
    code: 'PARTLY_SENT',
    hint: expect.stringContaining('converted or placed otherwise then'),
  });
  expect((await insert(client, { tool_args: { wait_in: gate, table: 'x' }, batch: { resume: id } })).json().error).toContain(
    'in tool_args',
  );

  await writeFile(file, 'name\na\nb\nc\nd\ne\nF\ng\nh\n');
  expect((await insert(client, { batch: { size: 2 } })).json()).toMatchObject({
    code: 'PARTLY_SENT',
    error: `Nothing was sent: of '${file}', as it was before it changed, 2 of 8 records were accepted by this tool before, and 2 are unknown`,
    hint: 'batch: {"ranges": [[4,7]]} sends the records that are left, without the unknown ones, as they are in the file now; batch: {"again": true} sends all',
  });
  const corrected = await home.file('corrected.csv', await readFile(file, 'utf8'));
  expect(String((await insert(client, { path: corrected, dry_run: true })).json().warnings)).toContain(
    `A call with the same arguments stopped before: 2 of 8 records of '${file}' were accepted (receipt ${id}); if this file holds them too, batch: {"ranges": [[4,7]]} sends those that are left`,
  );
  expect((await insert(client, { path: corrected, tool_args: {}, dry_run: true })).text).not.toContain('stopped before');
  expect(await inserted()).toEqual(before);
  await open('e', 'g');
  expect(receiptIn(await insert(client, { batch: { size: 2, ranges: [[4, 7]] } }))).toMatchObject({ recordsAccepted: 4 });
  expect((await inserted()).slice(-4)).toEqual(['e', 'F', 'g', 'h']);
});

it('a call in one message whose end nobody heard, or that still runs, is not made again by mistake', async () => {
  const { client } = await start('stdio');
  const whole = { batch: undefined, output_format: undefined };
  const [first, second] = [insert(client, whole), insert(client, whole)];
  const refused = await Promise.race([first, second]);
  expect(refused.json()).toMatchObject({
    code: 'PARTLY_SENT',
    error: expect.stringMatching(
      /^Nothing was sent: the same call with '.*people\.csv' was made before \(.*, receipt \w{8}\) and still runs, or nobody heard what became of it$/,
    ),
    hint: 'Check on the server whether it was carried out; batch: {"again": true} makes it once more',
  });
  expect((await insert(client, whole)).json()).toMatchObject({ code: 'PARTLY_SENT' });
  const [pid] = (await diary.entries()).flatMap((entry) => (typeof entry.pid === 'number' ? [entry.pid] : []));
  process.kill(pid as number, 'SIGKILL');
  expect((await Promise.all([first, second])).every(({ isError }) => isError)).toBe(true);
  await open('a');
  expect(String((await insert(client, { ...whole, dry_run: true })).json().would_be_refused)).toContain('was made before');
  expect((await insert(client, whole)).json()).toMatchObject({ code: 'PARTLY_SENT' });
  expect((await insert(client, { ...whole, path: await home.file('one.csv', 'name\na\n') })).isError).toBe(false);
  expect(await inserted()).toEqual(['a']);

  expect((await insert(client, { ...whole, batch: { again: true } })).isError).toBe(false);
  expect(await inserted()).toHaveLength(9);
  // A text is no list, and goes once more in one message.
  const both = { ...whole, tool_name: 'both', data_key: 'right', as: 'text', tool_args: {} };
  for (const batch of [undefined, { again: true }]) expect((await insert(client, { ...both, batch })).isError).toBe(false);
  const told = (await insert(client, both)).text;
  expect(told).toMatch(/Note: The content of '.*people\.csv' was sent to this tool before: .*, receipt \w{8}\.$/);
});

it('what arrived of a file counts through its corrections; for other records and among other files, no numbers are given', async () => {
  await interrupted('stdio');
  const { client } = await start('stdio');
  const hint = async (rest: Record<string, unknown> = {}) =>
    String((await insert(client, { batch: { size: 2 }, ...rest })).json().hint);
  await writeFile(file, 'name\na\nb\nc\nd\nE\nf\ng\nh\n');
  await open('E');
  expect((await insert(client, { batch: { size: 2, ranges: [[4, 5]] } })).isError).toBe(false);
  await writeFile(file, 'name\na\nb\nc\nd\nE\nf\nG\nh\n');
  expect(await hint()).toContain('batch: {"ranges": [[6,7]]}');
  await writeFile(file, 'name\nx\na\nb\nc\nd\nE\nf\nG\nh\n');
  expect(await hint()).toContain('It had another number of records then: look on the server for those that arrived');
  const among = [await home.file('new.csv', 'name\nn\n'), file];
  expect((await insert(client, { path: among, combine: 'concat', batch: { size: 2 } })).text).not.toContain('"ranges');
});

it('an interrupted call is not forgotten for calls that were made since', async () => {
  const id = await interrupted('stdio');
  const { client } = await start('stdio');
  const elsewhere = { wait_in: gate, table: 'other' };
  await open('a', 'b', 'd', 'f', 'h');
  expect((await insert(client, { tool_args: elsewhere, batch: { size: 2 } })).isError).toBe(false);
  const refused = async (rest: Record<string, unknown> = {}) => (await insert(client, { batch: { size: 2 }, ...rest })).json();
  expect(await refused()).toMatchObject({ code: 'PARTLY_SENT', hint: expect.stringContaining(`batch: {"resume": "${id}"}`) });

  // A part of what was left, under a receipt of its own.
  expect((await insert(client, { batch: { size: 2, ranges: [[4, 5]] } })).isError).toBe(false);
  expect(await refused()).toMatchObject({
    code: 'PARTLY_SENT',
    error: expect.stringContaining('4 of 8 records were accepted by this tool before, and 2 are unknown'),
    hint: expect.stringContaining('batch: {"ranges": [[6,7]]} sends the records that are left, without the unknown ones'),
  });
  // Two calls together sent all of it: a note, as for one call.
  expect((await insert(client, { batch: { size: 2, ranges: [[2, 3], [6, 7]] } })).isError).toBe(false); // biome-ignore format: one line reads better
  const shown = (await insert(client, { batch: { size: 2 }, dry_run: true })).json() as Record<string, unknown>;
  expect(shown).not.toHaveProperty('would_be_refused');
  expect(String(shown.warnings)).toContain('was sent to this tool before');
});

it('answers that count fewer records than were sent are told, afterwards too', async () => {
  const { client, kill } = await start('stdio');
  file = await home.file('twins.csv', 'name\na\ntwin\nc\nd\ntwin\ntwin\n');
  const answer = await insert(client, { tool_args: {}, batch: { size: 2 }, output_format: undefined });
  expect(answer.text).toContain('6 of 6 records accepted by witness:insert in 3 batches.');
  expect(answer.text).toContain('The server answered 2 times without an error, but tells of failures: inserted 1');
  const [, id] = /Receipt: (\w+)/.exec(answer.text) ?? [];
  await kill();
  const { client: next } = await start('stdio');
  const told = (await next.call('job_status', { job_id: id })).json();
  expect(told).toMatchObject({ state: 'done', recordsAccepted: 6, accepted_with_failures: [[0, 1], [4, 5]] }); // biome-ignore format: one line reads better
});

it('content that a server refused counts as not sent', async () => {
  const { client } = await start('stdio');
  file = await home.file('bad.csv', 'name\nbad\n');
  expect((await insert(client, { tool_args: {} })).isError).toBe(true);
  expect((await insert(client, { dry_run: true })).text).not.toContain('sent to this tool before');
});

describe('a tool that takes an idempotency key', () => {
  interface Message {
    key: string;
    names: string[];
    refused: boolean;
  }
  const messages = async () => (await diary.entries()).filter((entry) => 'key' in entry) as unknown as Message[];
  const keyOf = async (name: string) => (await messages()).filter(({ names }) => names[0] === name).map(({ key }) => key);
  const once = (client: McpClient, rest: Record<string, unknown>) => insert(client, { tool_name: 'insert_once', ...rest });

  it('gets one for each batch: the same again for an unknown outcome, another after a refusal', async () => {
    file = await home.file('keyed.csv', 'name\na\nb\nbad\nd\ne\nf\n');
    const { client, kill } = await start('stdio');
    await open('a', 'bad');
    const { job_id } = (await once(client, { batch: { size: 2, on_error: 'continue' }, background: true })).json();
    await until(async () => (await keyOf('e')).length > 0);
    await kill();
    const pids = (await diary.entries()).flatMap((entry) => (typeof entry.pid === 'number' ? [entry.pid] : []));
    for (const pid of pids) if (await isRunning(pid)) process.kill(pid, 'SIGKILL');
    const first = await messages();
    expect(first.map(({ names, refused }) => [names[0], refused])).toEqual([['a', false], ['bad', true], ['e', false]]); // biome-ignore format: one line reads better
    expect(new Set(first.map(({ key }) => key)).size).toBe(3);
    for (const { key } of first) expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);

    await open('e', 'allowed');
    const { client: next } = await start('stdio');
    const rest = await once(next, { batch: { resume: String(job_id), resend_unknown: true } });
    expect(receiptIn(rest)).toMatchObject({ recordsAccepted: 6, idempotencyArgument: 'idempotency_key' });
    expect(await keyOf('a')).toHaveLength(1);
    const [refused, repeated] = await keyOf('bad');
    expect(repeated).toBeDefined();
    expect(repeated).not.toBe(refused);
    const [unknown, resent] = await keyOf('e');
    expect(resent).toBe(unknown);
  });

  it('gets the key of the caller in a single call, and keys derived from it in batches', async () => {
    const { client } = await start('stdio');
    await open('a', 'c', 'e', 'g');
    const tool_args = { wait_in: gate, idempotency_key: 'b6f3c1de-58a7-4c53-9a0e-4d1f0a6c2b11' };
    expect((await once(client, { tool_args })).isError).toBe(false);
    expect((await messages()).map(({ key }) => key)).toEqual([tool_args.idempotency_key]);
    for (let times = 0; times < 2; times += 1)
      expect((await once(client, { tool_args, batch: { size: 2 } })).isError).toBe(false);
    const keys = (await messages()).slice(1).map(({ key }) => key);
    expect(new Set(keys).size).toBe(4);
    expect(keys.slice(4)).toEqual(keys.slice(0, 4));
    expect(keys).not.toContain(tool_args.idempotency_key);
  });

  it('is announced in the dry run, and the error after which the work may have been done gives the key', async () => {
    const { client } = await start('stdio');
    const shown = (await once(client, { dry_run: true })).json() as Record<string, unknown>;
    expect(shown.idempotency_key).toContain('Each call gets a key in idempotency_key');
    const calling = once(client, {});
    await until(async () => (await messages()).length > 0);
    const [pid] = (await diary.entries()).flatMap((entry) => (typeof entry.pid === 'number' ? [entry.pid] : []));
    process.kill(pid as number, 'SIGKILL');
    const failed = await calling;
    expect(failed.isError).toBe(true);
    const [{ key } = { key: '' }] = await messages();
    expect(failed.text).toContain(`set idempotency_key in tool_args to ${key}`);
    await open('a');
    expect((await once(client, { tool_args: { wait_in: gate, idempotency_key: key } })).isError).toBe(false);
    expect(await keyOf('a')).toEqual([key, key]);
  });

  it("is named by the server's entry where its schema does not say so, and left out where the entry says so", async () => {
    const notes = home.workspace.at('diary.jsonl');
    const idempotencyKeys = { both: 'options.request', insert_once: null };
    await changeConfig(home, { upstreams: { witness: { ...fixtureServer('witness.mjs', [notes]), idempotencyKeys } } });
    const { client } = await start('stdio');
    const sent = await insert(client, { tool_name: 'both', data_key: 'left', tool_args: {}, output_format: 'string' });
    expect(sent.text).toMatch(/"options":\{"request":"[0-9a-f]{8}-/);
    expect((await once(client, {})).text).toContain('idempotency_key');
    expect(await messages()).toEqual([]);
  });
});
