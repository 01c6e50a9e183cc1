import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sending, Trouble } from '../../../shared/contract/shapes.ts';
import { eventually } from '../../../shared/lib/fixtures/eventually.ts';
import { until } from '../../../shared/lib/fixtures/waiting.ts';
import { personsWords } from '../../../shared/model/messages/people.ts';
import type { FileCallRequest } from '../../calls/types.ts';
import { exactJson, parseExact } from '../../engine/core/exact-numbers.ts';
import { type RunningApi, startApi } from '../fixtures/api.ts';

const tables = fileURLToPath(new URL('../../upstream/fixtures/tables.mjs', import.meta.url));

let api: RunningApi;
const at = (...names: string[]) => path.join(api.root, ...names);
beforeEach(async () => {
  const db = (root: string, more: object = {}) => ({
    type: 'stdio',
    command: process.execPath,
    args: [tables, path.join(root, 'diary')],
    confirm: 'always',
    ...more,
  });
  api = await startApi({
    config: (root) => ({
      folders: [{ path: path.join(root, 'allowed'), access: 'read' }],
      upstreams: { db: db(root), small: db(root, { maxMessageBytes: 20_000 }) },
    }),
  });
  await mkdir(at('allowed'));
});
afterEach(() => api.close());

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const full = at(name);
  await writeFile(full, content);
  return full;
}

const sending = (full: string, tool: string, more: Partial<Sending> = {}): Sending => ({
  path: full,
  options: {},
  server: 'db',
  tool,
  ...more,
});
const bind = (...given: Parameters<typeof sending>) => api.ask('preview.bind', sending(...given));
const send = (...given: Parameters<typeof sending>) => api.ask('preview.send', sending(...given));

/** What the server got, call by call. */
async function received(): Promise<{ name: string; args: Record<string, unknown> }[]> {
  const text = await readFile(at('diary'), 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

const people = 'id,zip,name\n1,01067,Ada\n2,80331,\n';
const bigTable = (rows: number) =>
  `id,zip,name\n${Array.from({ length: rows }, (_, i) => `${i},0${1000 + (i % 9000)},n${i}`).join('\n')}\n`;

describe('a file in the Preview page', () => {
  it('is opened, followed, scrolled through and closed', async () => {
    const full = await file('users.csv', bigTable(200_000));
    const { id, ...opened } = await api.ask('preview.open', { id: randomUUID(), path: full, options: {} });
    expect(opened).toMatchObject({ state: 'reading', path: full, error: null, report: { format: 'csv', sha256: '' } });
    await until(() => api.heard('preview.changed').at(-1)?.state === 'done');
    const done = await api.ask('preview.get', { id });
    expect(api.heard('preview.changed').at(-1)).toEqual(done);
    expect(done).toMatchObject({ rows: 200_000, report: { records: 200_000 } });
    const { rows } = await api.ask('preview.rows', { id, start: 199_998, count: 500 });
    expect(rows).toEqual(['{"id":199998,"zip":"02998","name":"n199998"}', '{"id":199999,"zip":"02999","name":"n199999"}']);
    expect(await api.ask('preview.json', { id, maxBytes: 30 })).toEqual({
      text: '[{"id":0,"zip":"01000","name":',
      complete: false,
    });
    await api.ask('preview.close', { id });
    await expect(api.ask('preview.rows', { id, start: 0, count: 1 })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    await expect(api.ask('preview.get', { id: 'unknown' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    await expect(api.ask('preview.rows', { id, start: 0, count: 501 })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('says in words what is wrong with it', async () => {
    await expect(api.ask('preview.open', { id: randomUUID(), path: at('absent.csv'), options: {} })).rejects.toMatchObject({
      code: 'FILE_NOT_FOUND',
    });
    await expect(api.ask('preview.open', { id: randomUUID(), path: api.root, options: {} })).rejects.toMatchObject({
      code: 'FILE_NOT_REGULAR',
    });
    await expect(
      api.ask('preview.open', { id: randomUUID(), path: at('config', 'config.json'), options: {} }),
    ).rejects.toMatchObject({
      code: 'FILE_SENSITIVE',
    });
    const { state, error } = await api.ask('preview.open', { id: randomUUID(), path: await file('a.csv', 'a\n"b'), options: {} });
    expect({ state, error }).toMatchObject({
      state: 'failed',
      error: {
        code: 'PARSE_FAILED',
        message: expect.stringMatching(/never closed at line 2/),
        hint: expect.stringContaining('Close'),
      },
    });
  });

  it('is let go of when the program closes', async () => {
    const full = await file('users.csv', bigTable(500_000));
    await api.ask('preview.open', { id: randomUUID(), path: full, options: {} });
    const sendingIt = send(full, 'insert_users', { toolArgs: '{"table":"t"}' });
    await api.services.close();
    expect((await sendingIt).ok).toBe(false);
    if (process.platform === 'linux') {
      const held = await Promise.all(
        (await readdir('/proc/self/fd')).map((link) => realpath(`/proc/self/fd/${link}`).catch(() => '')),
      );
      expect(held.filter((place) => place.startsWith(full))).toEqual([]);
    }
  });
});

describe('a file tried on a tool', () => {
  it('shows the arguments, what they cost, and the call for an agent', async () => {
    const full = await file('allowed/users.csv', people);
    const bound = await bind(full, 'insert_users', { toolArgs: '{"table": "users"}' });
    expect(bound).toMatchObject({
      ok: true,
      error: null,
      dataKey: 'users',
      candidates: [],
      mismatches: [],
      unknownColumns: [],
      missingColumns: [],
      warnings: [],
      needsBatches: false,
    });
    // The schema's types, not those of the data: no zero is lost, and an empty name may be null.
    const args = {
      table: 'users',
      users: [
        { id: 1, zip: '01067', name: 'Ada' },
        { id: 2, zip: '80331', name: null },
      ],
    };
    expect(JSON.parse(bound.arguments)).toEqual(args);
    expect(bound.bytes).toBe(Buffer.byteLength(JSON.stringify(args)));
    expect(bound.tokens).toBeGreaterThan(20);
    expect(JSON.parse(bound.call)).toEqual({
      server: 'db',
      tool_name: 'insert_users',
      path: full,
      tool_args: { table: 'users' },
    });
    expect(await received()).toEqual([]);
    expect(await api.ask('ledger.recent', { limit: 10 })).toEqual([]);
  });

  it('is the call that its text says, word for word', async () => {
    const full = await file('allowed/users.csv', people);
    const options: Sending['options'] = { types: { name: 'string' }, transform: { select: ['id', 'zip'] } };
    const bound = await bind(full, 'compare', { dataKey: 'left', options, toolArgs: '{"right": []}' });
    const caller = { signal: new AbortController().signal, client: null, progress: () => undefined, log: () => undefined };
    const { runtime } = api.services;
    await runtime.config.update((config) => ({
      ...config,
      upstreams: { ...config.upstreams, db: { ...config.upstreams.db, confirm: 'never' } as never },
    }));
    const called = await runtime.calls.callWithFile(JSON.parse(bound.call), caller);
    expect(called.isError).toBeUndefined();
    expect((await received())[0]?.args).toEqual(JSON.parse(bound.arguments));
  });

  it('is read for agents as the person keeps it, until the call says otherwise or it is forgotten', async () => {
    const { runtime } = api.services;
    const caller = { signal: new AbortController().signal, client: null, progress: () => undefined, log: () => undefined };
    const full = await file('allowed/prices.csv', 'id;zip;name\n1;01067;1.200\n2;80331;3,50\n');
    const link = at('allowed', 'link.csv');
    await symlink(full, link);
    const call = async (more: Partial<FileCallRequest>) =>
      exactJson(
        await runtime.calls.callWithFile(
          { server: 'db', tool_name: 'compare', data_key: 'left', dry_run: true, tool_args: { right: [] }, ...more },
          caller,
        ),
      );
    const shown = async (path: string) => exactJson(await runtime.calls.preview({ path }, caller));
    const kept = /was read as the person chose for it \(\{.+decimal.+\}\); options in the call replace that/;

    expect(await api.ask('preview.reading', { path: full })).toEqual({ options: {} });
    expect(await shown(full)).not.toMatch(kept);
    await api.ask('preview.keepReading', { path: link, options: { decimal: ',' } });
    expect(await api.ask('preview.reading', { path: full })).toEqual({ options: { decimal: ',' } });
    expect(JSON.parse(await readFile(at('config', 'config.json'), 'utf8')).readings).toEqual({
      [await realpath(full)]: { decimal: ',' },
    });

    for (const path of [full, link]) {
      expect(await shown(path)).toMatch(kept);
      expect(await shown(path)).toContain(String.raw`\"name\":1200}`);
      const told = await call({ path });
      expect(told).toMatch(kept);
      expect(told).toContain('1200');
    }
    expect(await call({ path: full, transform: { limit: 1 } })).toContain('1200');
    for (const own of [{ decimal: '.' }, { types: 'string' }] as const) {
      expect(await call({ path: full, ...own })).not.toMatch(kept);
      expect(await call({ path: full, ...own })).toContain('1.200');
    }
    // Of several files, only that one.
    const other = await file('allowed/other.csv', 'id;zip;name\n3;01067;4,50\n');
    expect((await call({ path: [full, other] })).match(/was read as the person chose/g)).toHaveLength(1);
    // The person's own call carries what they chose.
    expect((await bind(full, 'compare', { dataKey: 'left', toolArgs: '{"right": []}' })).arguments).toContain('"1.200"');

    await api.ask('preview.keepReading', { path: full, options: {} });
    expect(await shown(full)).not.toMatch(kept);
    expect(JSON.parse(await readFile(at('config', 'config.json'), 'utf8')).readings).toEqual({});
  });

  it('is checked with the numbers that agents write, digit for digit', async () => {
    const { runtime } = api.services;
    const caller = { signal: new AbortController().signal, client: null, progress: () => undefined, log: () => undefined };
    const full = await file('allowed/users.csv', people);
    const told = async (toolArgs: string) => {
      const asked = `{"server":"db","tool_name":"compare_at","path":${JSON.stringify(full)},"data_key":"left","dry_run":true,"tool_args":${toolArgs}}`;
      return exactJson(await runtime.calls.callWithFile(parseExact(asked) as FileCallRequest, caller));
    };
    expect(await told('{"at":12345678901234567890}')).toContain(String.raw`\"at\":12345678901234567890,`);
    expect(await told('{"at":1,"label":12345678901234567890}')).toContain('SCHEMA_MISMATCH');
  });

  it('tells columns that are too many, too few, or do not fit', async () => {
    const full = await file('users.csv', 'id,plz,name\n1,01067,Ada\nzwei,80331,Bo\n');
    const bound = await bind(full, 'insert_users', { toolArgs: '{"table": "users"}' });
    expect(bound).toMatchObject({
      ok: false,
      unknownColumns: ['plz'],
      missingColumns: ['zip'],
      missingArguments: [],
      error: { code: 'PARSE_FAILED', message: expect.stringMatching(/column 'id' is not a number \("zwei"\) at line 3/) },
    });
    expect(bound.mismatches).toEqual([
      {
        column: 'id',
        line: null,
        record: null,
        message: expect.stringMatching(/"zwei".* at line 3, column 1/),
        said: expect.anything(),
      },
    ]);
    // The conversion stopped at that cell.
    expect(bound.found).toEqual({ count: 1, mayBeMore: true });
    expect(JSON.parse(bound.arguments).users).toHaveLength(2);
  });

  it('tells each problem by itself, with its place in the file, and counts those it does not show', async () => {
    const toolArgs = '{"table": "users"}';
    const rows = Array.from({ length: 60 }, (_, i) => JSON.stringify({ id: `${i}`, zip: i === 40 ? 1067 : '01067' }));
    const bound = await bind(await file('users.jsonl', rows.join('\n')), 'insert_users', { toolArgs });
    expect(bound.found).toEqual({ count: 61, mayBeMore: false });
    expect(bound.mismatches).toHaveLength(20);
    expect(bound.mismatches[0]).toMatchObject({ column: 'id', line: 1, record: 1, message: 'must be integer, not "0"' });
    // The only one of its sort, far from the beginning, is shown all the same.
    expect(bound.mismatches.at(-1)).toMatchObject({ column: 'zip', line: 41, record: 41 });
    const many = await file('many.jsonl', '{"id":"x","zip":"1"}\n'.repeat(1_500));
    expect((await bind(many, 'insert_users', { toolArgs })).found).toEqual({ count: 100, mayBeMore: true });
  });

  it('does the same for lists of objects that are no table', async () => {
    const full = await file('users.json', '[{"id": 1, "zip": 1067}, {"id": "2", "zip": "80331", "more": [1]}]');
    const bound = await bind(full, 'insert_users', { toolArgs: '{"table": "users"}' });
    expect(bound).toMatchObject({ ok: false, unknownColumns: ['more'], missingColumns: [], error: { code: 'SCHEMA_MISMATCH' } });
    expect(bound.mismatches.map(({ column }) => column)).toEqual(['zip', 'id']);
  });

  it('names the places that could take it, and those that must be filled besides', async () => {
    const full = await file('users.csv', people);
    expect(await bind(full, 'compare')).toMatchObject({
      ok: false,
      dataKey: null,
      candidates: ['left', 'right'],
      error: { code: 'BINDING_AMBIGUOUS' },
    });
    expect(await bind(full, 'compare', { dataKey: 'right' })).toMatchObject({ ok: true, dataKey: 'right' });
    expect(await bind(full, 'insert_users')).toMatchObject({
      ok: false,
      missingArguments: ['table'],
      mismatches: [],
      found: { count: 0, mayBeMore: false },
    });
    expect(await bind(full, 'insert_users', { toolArgs: '{"table": ' })).toMatchObject({ error: { code: 'INVALID_REQUEST' } });
    expect(await bind(full, 'insert_users', { toolArgs: '[]' })).toMatchObject({ error: { code: 'INVALID_REQUEST' } });
    expect(await bind(full, 'no_tool')).toMatchObject({ error: { code: 'TOOL_UNKNOWN' } });
    expect(await bind(full, 'compare', { server: 'none' })).toMatchObject({ error: { code: 'UPSTREAM_UNKNOWN' } });
    expect(await bind(at('absent.csv'), 'compare')).toMatchObject({ error: { code: 'FILE_NOT_FOUND' } });
  });

  it('needs batches where one message or the schema cannot take it', async () => {
    const three = await file('three.csv', `${people}3,1,x\n`);
    const few = await bind(three, 'insert_few');
    expect(few).toMatchObject({ ok: true, needsBatches: true });
    expect(JSON.parse(few.call)).toMatchObject({ batch: 'auto' });
    const many = await file('many.csv', bigTable(2_000));
    expect(await bind(many, 'insert_users', { server: 'small', toolArgs: '{"table":"t"}' })).toMatchObject({
      ok: true,
      needsBatches: true,
    });
    const text = await file('long.txt', 'x'.repeat(30_000));
    expect(await bind(text, 'keep_text', { server: 'small' })).toMatchObject({
      ok: false,
      needsBatches: false,
      error: { code: 'MESSAGE_TOO_LARGE', hint: expect.stringContaining('split the file') },
    });
  });

  it('says when an agent could not make the call', async () => {
    const outside = await bind(await file('users.csv', people), 'compare', { dataKey: 'left' });
    expect(outside).toMatchObject({
      ok: true,
      warnings: [{ message: expect.stringMatching(/^An agent cannot.*not within allowed directories/) }],
    });
    const inside = await bind(await file('allowed/users.csv', people), 'compare', { dataKey: 'left' });
    expect(inside.warnings).toEqual([]);
  });

  it('is tried again and again without being read again', async () => {
    const full = await file('users.csv', bigTable(150_000));
    const { id } = await api.ask('preview.open', { id: randomUUID(), path: full, options: {} });
    await until(async () => (await api.ask('preview.get', { id })).state === 'done');
    const { converter } = api.services.runtime;
    let conversions = 0;
    const { convert } = converter;
    converter.convert = (...given) => {
      conversions += 1;
      return convert(...given);
    };
    for (const name of ['t', 'ta', 'tab']) {
      expect(await bind(full, 'insert_users', { toolArgs: `{"table":"${name}"}` })).toMatchObject({ ok: true });
    }
    // The data has the very types that the schema wants.
    expect(conversions).toBe(0);
    for (const dataKey of ['left', 'right']) await bind(full, 'compare', { dataKey });
    expect(conversions).toBe(0);
    converter.convert = convert;
  });
});

describe('a file that is sent', () => {
  it('arrives whole, is asked about by nobody, and leaves a receipt and a line in the ledger', async () => {
    const full = await file('users.csv', people);
    const sent = await send(full, 'insert_users', { toolArgs: '{"table":"users"}' });
    expect(sent).toMatchObject({
      ok: true,
      error: null,
      answer: 'took 3',
      receipt: { recordsRead: 2, recordsAccepted: 2, recordsFailed: 0, resumeFrom: null },
      savings: { arguments: { method: 'measured' } },
    });
    expect((await received())[0]).toEqual({
      name: 'insert_users',
      args: {
        table: 'users',
        users: [
          { id: 1, zip: '01067', name: 'Ada' },
          { id: 2, zip: '80331', name: null },
        ],
      },
    });
    const [entry] = await api.ask('ledger.recent', { limit: 1 });
    expect(entry).toMatchObject({
      id: sent.entryId,
      client: 'Filebridge app',
      kind: 'file_call',
      server: 'db',
      tool: 'insert_users',
      paths: [full],
      records: 2,
      outcome: 'ok',
      savings: sent.savings,
    });
    expect(api.heard('ledger.appended').at(-1)).toEqual(entry);
  });

  it('is known the next time, before it goes and after', async () => {
    const once = await file('users.csv', people);
    expect((await bind(once, 'compare', { dataKey: 'left' })).sentBefore).toEqual([]);
    expect((await send(once, 'compare', { dataKey: 'left' })).receipt?.sentBefore).toBeUndefined();
    const copy = await file('copy.csv', people);
    const before = { path: copy, earlierPath: once, client: 'Filebridge app', receipt: expect.any(String) };
    expect((await bind(copy, 'compare', { dataKey: 'left' })).sentBefore).toMatchObject([before]);
    expect((await send(copy, 'compare', { dataKey: 'left' })).receipt?.sentBefore).toMatchObject([before]);
    expect((await bind(copy, 'insert_users', { toolArgs: '{"table":"t"}' })).sentBefore).toEqual([]);
  });

  it('goes in batches where it must, each with its share', async () => {
    const full = await file('many.csv', bigTable(2_001));
    const sent = await send(full, 'insert_users', { server: 'small', toolArgs: '{"table":"t"}' });
    expect(sent).toMatchObject({ ok: true, receipt: { recordsRead: 2_001, recordsAccepted: 2_001 } });
    const calls = await received();
    expect(calls.length).toBeGreaterThan(3);
    const rows = calls.flatMap(({ args }) => args.users as { id: number }[]);
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 2_001 }, (_, i) => i));
    const three = await send(await file('three.csv', `${people}3,1,x\n`), 'insert_few');
    expect(three.receipt?.batches.map(({ records }) => records)).toEqual([2, 1]);
  });

  it('goes although agents are paused', async () => {
    await api.ask('server.pause', {});
    expect(await send(await file('users.csv', people), 'compare', { dataKey: 'left' })).toMatchObject({ ok: true });
  });

  it('says why it was not taken', async () => {
    const full = await file('users.csv', people);
    const refused = await send(full, 'refuse');
    expect(refused).toMatchObject({
      ok: false,
      error: { code: 'UPSTREAM_FAILED', message: expect.stringMatching(/the table is locked/) },
    });
    const [entry] = await api.ask('ledger.recent', { limit: 1 });
    expect(entry).toMatchObject({ id: refused.entryId, outcome: 'tool_error' });
    const missing = await send(full, 'insert_users');
    expect(missing).toMatchObject({
      ok: false,
      receipt: null,
      error: { code: 'SCHEMA_MISMATCH', hint: expect.stringMatching(/tool_args/) },
    });
    expect(personsWords(missing.error as Trouble, 'de').hint).toContain('Argument');
    const [failed] = await api.ask('ledger.recent', { limit: 1 });
    expect(failed).toMatchObject({ id: missing.entryId, outcome: 'failed', errorCode: 'SCHEMA_MISMATCH' });
    expect(await send(at('absent.csv'), 'refuse')).toMatchObject({ ok: false, entryId: null, error: { code: 'FILE_NOT_FOUND' } });
  });

  it('is read anew when it changed since it was shown', async () => {
    const full = await file('users.csv', people);
    const { id } = await api.ask('preview.open', { id: randomUUID(), path: full, options: {} });
    await appendFile(full, '3,10115,Cy\n');
    expect(await send(full, 'compare', { dataKey: 'left' })).toMatchObject({ ok: true, receipt: { recordsRead: 3 } });
    expect(await api.ask('preview.get', { id })).toMatchObject({ state: 'failed', error: { code: 'FILE_CHANGED' } });
  });

  it('arrives although the page that sent it was left', async () => {
    const full = await file('many.csv', bigTable(60_000));
    const { id } = await api.ask('preview.open', { id: randomUUID(), path: full, options: {} });
    const sent = send(full, 'insert_users', { toolArgs: '{"table":"t"}' });
    await api.ask('preview.close', { id });
    expect(await sent).toMatchObject({ ok: true, receipt: { recordsAccepted: 60_000 } });
  });

  it('gives a long answer shortened', async () => {
    const sent = await send(await file('users.csv', people), 'say_much');
    expect(sent.ok).toBe(true);
    expect(sent.answer).toMatch(/^word word/);
    expect(sent.answer.length).toBeLessThan(4_100);
    await rm(at('data'), { recursive: true, force: true });
  });
});

describe('a page that leaves', () => {
  let other: RunningApi;
  const listen = () => other.services.api.subscribe(() => undefined);
  beforeEach(async () => {
    other = await startApi({ listening: false });
  });
  afterEach(() => other.close());
  const openFile = async (): Promise<() => Promise<unknown>> => {
    const full = await file('users.csv', bigTable(200_000));
    const { id } = await other.ask('preview.open', { id: randomUUID(), path: full, options: {} });
    return () => other.ask('preview.get', { id });
  };
  const gone = { code: 'INVALID_REQUEST' };

  it('lets go of its files: at once, or after a moment in which it may come back', async () => {
    const [first, second] = [listen(), listen()];
    const look = await openFile();
    first(true);
    // The other one may be looking at it.
    await look();
    second(true);
    await expect(look()).rejects.toMatchObject(gone);

    const cutOff = listen();
    const lookAgain = await openFile();
    cutOff();
    const back = listen();
    await lookAgain();
    back();
    await lookAgain();
    await eventually(() => expect(lookAgain()).rejects.toMatchObject(gone));
  });

  it('that was loaded anew leaves its files at once, and what it opened by then is its own', async () => {
    const { subscribe } = other.services.api;
    const leave = subscribe(() => undefined, { id: 'one' });
    const old = await openFile();
    leave();
    const own = await openFile();
    subscribe(() => undefined, { id: 'two' });
    await expect(old()).rejects.toMatchObject(gone);
    await own();
  });

  it('leaves them to nobody but pages', async () => {
    const page = listen();
    other.services.api.subscribe(() => undefined, { page: false });
    const look = await openFile();
    page(true);
    await expect(look()).rejects.toMatchObject(gone);
  });
});
