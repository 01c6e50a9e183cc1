import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { Approval } from '../../../shared/contract/approvals.ts';
import { eventually } from '../../../shared/lib/fixtures/eventually.ts';
import { consoleHost, type HostPort } from '../../app/host.ts';
import { type Agent, connectAgent, type Era, eras } from '../fixtures/agents.ts';
import { type RunningApi, startApi } from '../fixtures/api.ts';

const plainServer = fileURLToPath(new URL('../../upstream/fixtures/plain-server.mjs', import.meta.url));
const db = { type: 'stdio', command: process.execPath, args: [plainServer], confirm: 'always' };
const echo = { server: 'db', tool_name: 'echo', tool_args: { said: 'hello' }, output_format: 'string' };
const silent = 'nobody answered within';

let running: RunningApi;
let agents: Agent[] = [];
afterEach(async () => {
  for (const agent of agents) await agent.close().catch(() => undefined);
  agents = [];
  await running.close();
});

type Options = { config?: object; host?: HostPort; listening?: boolean; upstreamsFile?: string };

async function open({ config = {}, ...options }: Options = {}): Promise<RunningApi> {
  running = await startApi({
    ...options,
    config: (root) => {
      const files = path.join(root, 'files');
      mkdirSync(files);
      writeFileSync(path.join(files, 'users.csv'), 'name,zip\nAnn,00501\nBob,10001\n');
      writeFileSync(path.join(files, 'ids.json'), '[{"id":12345678901234567890},{"id":2}]');
      return { folders: [{ path: files }], upstreams: { db }, ...config };
    },
  });
  return running;
}

async function connect(era: Era, options?: Parameters<typeof connectAgent>[2]): Promise<Agent> {
  const agent = await connectAgent(running.services, era, options);
  agents.push(agent);
  return agent;
}

const file = (name: string) => path.join(running.root, 'files', name);
const fileCall = (name: string, more: object = {}) => ({
  server: 'db',
  tool_name: 'echo',
  path: file(name),
  data_key: 'rows',
  output_format: 'string',
  ...more,
});
const waiting = () => running.ask('approvals.list', {});
const answer = (id: string, decision: 'once' | 'always' | 'refuse') => running.ask('approvals.answer', { id, decision });

/** Waits until so many questions are open; gives them, oldest first. */
async function questions(count = 1): Promise<[Approval, ...Approval[]]> {
  await eventually(async () => expect(await waiting()).toHaveLength(count));
  return (await waiting()) as [Approval, ...Approval[]];
}

describe.each(eras)('a call that needs approval, of an agent of %s', (era) => {
  it('shows who would send what where, and goes through once', async () => {
    const { heard } = await open();
    const agent = await connect(era);
    const answered = agent.call('call_tool_with_file_content', fileCall('users.csv'));
    const [asked] = await questions();
    expect(asked).toMatchObject({
      client: `host-of-${era}`,
      server: 'db',
      target: expect.stringContaining('plain-server.mjs'),
      tool: 'echo',
      folder: os.homedir(),
      description: expect.any(String),
      paths: [file('users.csv')],
      records: 2,
      calls: { count: 1, exact: true },
      arguments: ['{"rows":', 0, '}'],
      payloads: [
        {
          place: 'rows',
          list: true,
          records: 2,
          bytes: 59,
          files: [{ path: file('users.csv'), bytes: 29, records: 2 }],
          first: ['{"name":"Ann","zip":"00501"}', '{"name":"Bob","zip":"10001"}'],
          last: [],
        },
      ],
    });
    expect(asked.leftMs).toBeGreaterThan(0);
    expect(asked.leftMs).toBeLessThanOrEqual(120_000);
    await answer(asked.id, 'once');
    expect(await answered).toEqual({
      isError: false,
      text: '{"rows":[{"name":"Ann","zip":"00501"},{"name":"Bob","zip":"10001"}]}',
    });
    const { id } = asked;
    expect(heard('approvals.changed')).toEqual([
      { id, change: 'asked' },
      { id, change: 'closed' },
    ]);

    const second = agent.call('call_tool_with_file_content', fileCall('users.csv'));
    const [again] = await questions();
    await answer(again.id, 'refuse');
    expect(await second).toMatchObject({ isError: true, text: expect.stringContaining('was refused by the user') });
  });

  it('gives any of its records until it is answered, and names the call by its ledger entry', async () => {
    const { ask } = await open();
    const agent = await connect(era);
    writeFileSync(file('many.csv'), `n\n${Array.from({ length: 40 }, (_, n) => `${n}\n`).join('')}`);
    const answered = agent.call('call_tool_with_file_content', fileCall('many.csv'));
    const [asked] = await questions();
    const { id, payloads, call } = asked;
    expect([payloads[0]?.first.length, payloads[0]?.last.length]).toEqual([5, 5]);
    const records = (from: number, count: number) => ask('approvals.records', { id, payload: 0, from, count });
    expect(await records(5, 2)).toEqual(['{"n":5}', '{"n":6}']);
    expect(await records(38, 50)).toEqual(['{"n":38}', '{"n":39}']);
    expect(await ask('approvals.records', { id, payload: 7, from: 0, count: 1 })).toEqual([]);
    await answer(id, 'once');
    expect((await answered).isError).toBe(false);
    await expect(records(5, 2)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect((await ask('ledger.get', { id: call ?? '' })).entry).toMatchObject({ tool: 'echo', outcome: 'ok' });
  });

  it('leaves the queue when it is cancelled, and can no longer be allowed', async () => {
    const { ask } = await open();
    const agent = await connect(era);
    const ended = new AbortController();
    const gone = agent.call('call_tool', echo, { signal: ended.signal }).catch(() => 'cancelled');
    const [{ id }] = await questions();
    ended.abort();
    expect(await gone).toBe('cancelled');
    await eventually(async () => expect(await waiting()).toEqual([]));
    await expect(answer(id, 'once')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    const { entries } = await ask('ledger.find', { filter: {}, offset: 0, limit: 1 });
    expect(entries).toMatchObject([{ outcome: 'cancelled', calls: 0 }]);
  });

  it('leaves the queue with its agent, and the questions of others stay', async () => {
    await open();
    const [leaving, staying] = [await connect(era), await connect(era)];
    leaving.call('call_tool', echo).catch(() => undefined);
    await questions(1);
    const kept = staying.call('call_tool', echo);
    const [, other] = await questions(2);
    await leaving.close();
    await eventually(async () => expect(await waiting()).toEqual([{ ...other, leftMs: expect.any(Number) }]));
    await answer(other?.id ?? '', 'once');
    expect((await kept).isError).toBe(false);
  });

  it('is never asked of the agent itself, also while no page of the console is open', async () => {
    await open({ config: { limits: { approvalTimeoutMs: 20 }, approvals: { throughClient: 'always' } }, listening: false });
    const asked: string[] = [];
    const able = await connect(era, {
      onQuestion: (message) => {
        asked.push(message);
        return { confirm: true };
      },
    });
    expect(await able.call('call_tool', echo)).toMatchObject({ isError: true, text: expect.stringContaining(silent) });
    expect(asked).toEqual([]);
  });
});

describe('a flood of calls that need approval', () => {
  it.each([true, false])('makes none of them without a person (page open: %s)', async (listening) => {
    const { heard, ask } = await open({ config: { limits: { approvalTimeoutMs: 20 } }, listening });
    const asked: string[] = [];
    const agent = await connect('2025', {
      onQuestion: (message) => {
        asked.push(message);
        return { confirm: true };
      },
    });
    const big = 'x'.repeat(10_000);
    const answers: Awaited<ReturnType<Agent['call']>>[] = [];
    while (answers.length < 80) {
      const wave = Array.from({ length: 40 }, (_, said) => agent.call('call_tool', { ...echo, tool_args: { said, big } }));
      answers.push(...(await Promise.all(wave)));
    }
    expect(answers.filter(({ isError }) => !isError)).toEqual([]);
    expect(asked).toEqual([]);
    const { entries } = await ask('ledger.find', { filter: {}, offset: 0, limit: 200 });
    expect(new Set(entries.map(({ outcome, calls }) => `${outcome} ${calls}`))).toEqual(new Set(['refused 0']));
    if (!listening) return;
    const changes = heard('approvals.changed');
    const of = (wanted: string) => changes.filter(({ change }) => change === wanted).map(({ id }) => id);
    expect(of('asked').length).toBeGreaterThanOrEqual(20);
    expect(of('closed').sort()).toEqual(of('asked').sort());
    expect(JSON.stringify(changes).length).toBeLessThan(150 * changes.length);
  });
});

describe('a call that needs approval', () => {
  it('is asked once for all of its batches, from the record on that is sent first', async () => {
    await open();
    const agent = await connect('2025');
    const batched = fileCall('users.csv', { batch: { size: 1, start: 1 } });
    const answered = agent.call('call_tool_with_file_content', batched);
    const [asked] = await questions();
    expect(asked).toMatchObject({ records: 1, payloads: [{ first: ['{"name":"Bob","zip":"10001"}'], last: [] }] });
    await answer(asked.id, 'once');
    expect((await answered).isError).toBe(false);
    const whole = agent.call('call_tool_with_file_content', fileCall('users.csv', { batch: { size: 1, again: true } }));
    const [next] = await questions();
    await answer(next.id, 'once');
    expect((await whole).text).toContain('2 of 2 records accepted by db:echo in 2 batches');
  });

  it('shows the digits that are sent', async () => {
    await open();
    const agent = await connect('2025');
    const answered = agent.call('call_tool_with_file_content', fileCall('ids.json'));
    const [asked] = await questions();
    expect(asked.payloads[0]?.first).toEqual(['{"id":12345678901234567890}', '{"id":2}']);
    await answer(asked.id, 'refuse');
    await answered;
  });

  it('shows the arguments that an agent typed in full, whatever their length', async () => {
    await open();
    const agent = await connect('2025');
    for (const length of [500, 50_000, 520_000]) {
      const typed = { said: 'hello', letter: `${'ü'.repeat(length)}; DROP TABLE users`, to: 'Ann' };
      const answered = agent.call('call_tool', { ...echo, tool_args: typed });
      const [{ id, paths, bytes, ...shown }] = await questions();
      expect(paths).toEqual([]);
      expect(bytes).toBeGreaterThan(2 * length);
      expect(shown.arguments.join('')).toBe(JSON.stringify(typed));
      await answer(id, 'refuse');
      await answered;
    }
  });

  it('is refused where its arguments are too long to be read, with a way that works', async () => {
    await open();
    const agent = await connect('2025');
    const refused = await agent.call('call_tool', { ...echo, tool_args: { said: 'x'.repeat(1024 * 1024) } });
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringMatching(/more than a person can be asked to read.*into a file/s),
    });
    const beside = { tool_args: { sql: 'x'.repeat(1024 * 1024) } };
    const sent = await agent.call('call_tool_with_file_content', fileCall('users.csv', beside));
    expect(sent).toMatchObject({ isError: true, text: expect.stringContaining('more than a person can be asked to read') });
    expect(await waiting()).toEqual([]);
  });

  it('shows what goes beside the files in full, and where each file goes', async () => {
    await open();
    const agent = await connect('2025');
    const files = [
      { path: file('users.csv'), data_key: 'rows' },
      { path: file('ids.json'), data_key: 'more.ids' },
    ];
    const sql = `SELECT 1;${' '.repeat(5_000)}DROP TABLE users`;
    const call = { server: 'db', tool_name: 'echo', files, tool_args: { sql, more: { on: true } } };
    const answered = agent.call('call_tool_with_file_content', call);
    const [asked] = await questions();
    expect(asked.arguments).toEqual([`{"sql":${JSON.stringify(sql)},"more":{"on":true,"ids":`, 1, '},"rows":', 0, '}']);
    expect(asked.payloads).toMatchObject([
      { place: 'rows', records: 2, files: [{ path: file('users.csv') }] },
      { place: 'more.ids', records: 2, files: [{ path: file('ids.json') }] },
    ]);
    await answer(asked.id, 'refuse');
    await answered;
  });

  it('shows the first and the last records, and how many calls a batch makes', async () => {
    await open();
    writeFileSync(file('many.csv'), `n\n${Array.from({ length: 40 }, (_, n) => `${n}\n`).join('')}`);
    const agent = await connect('2025');
    const ends = (from: number) => Array.from({ length: 5 }, (_, n) => `{"n":${from + n}}`);
    for (const [batch, calls, from] of [
      [{ size: 7 }, 6, 0],
      [{ size: 7, start: 20 }, 3, 20],
      [{ max_bytes: 100 }, 4, 0],
      ['auto', 1, 0],
    ] as const) {
      const answered = agent.call('call_tool_with_file_content', fileCall('many.csv', { batch }));
      const [asked] = await questions();
      expect(asked.payloads).toMatchObject([{ first: ends(from), last: ends(35), records: 40 - from }]);
      await answer(asked.id, 'once');
      const said = (await answered).text;
      expect(said).toContain(`in ${asked.calls.count} ${asked.calls.count === 1 ? 'batch' : 'batches'}`);
      expect(asked.calls).toEqual({ count: calls, exact: true });
    }
  });

  it('shows a text whole, or its beginning and its end', async () => {
    await open();
    writeFileSync(file('short.txt'), 'a short text');
    writeFileSync(file('long.txt'), `begins${'ä'.repeat(50_000)}ends`);
    const agent = await connect('2025');
    for (const [name, shown] of [
      ['short.txt', { first: ['"a short text"'], last: [] }],
      ['long.txt', { first: [expect.stringMatching(/^"beginsä+…$/)], last: [expect.stringMatching(/^…ä+ends"$/)] }],
    ] as const) {
      const answered = agent.call('call_tool_with_file_content', fileCall(name, { as: 'text' }));
      const [asked] = await questions();
      expect(asked.payloads).toMatchObject([{ list: false, ...shown }]);
      await answer(asked.id, 'refuse');
      await answered;
    }
  });

  it('waits beside others, each for its own answer', async () => {
    await open();
    const agent = await connect('2025');
    const calls = [1, 2, 3].map((said) => agent.call('call_tool', { ...echo, tool_args: { said } }));
    const asked = await questions(3);
    const idOf = (said: number) => asked.find((each) => each.arguments[0] === `{"said":${said}}`)?.id ?? '';
    await answer(idOf(3), 'once');
    await answer(idOf(1), 'refuse');
    expect((await calls[2])?.text).toBe('{"said":3}');
    expect((await calls[0])?.text).toContain('refused by the user');
    await answer(idOf(2), 'once');
    expect((await calls[1])?.text).toBe('{"said":2}');
  });

  it('is not asked about again once it is always allowed, nor are those like it that wait', async () => {
    const { config, ask } = await open();
    const agent = await connect('2025');
    const calls = [1, 2].map((said) => agent.call('call_tool', { ...echo, tool_args: { said } }));
    const [first] = await questions(2);
    await answer(first.id, 'always');
    expect((await Promise.all(calls)).map(({ isError }) => isError)).toEqual([false, false]);
    expect(config().upstreams.db?.confirmExcept).toEqual(['echo']);
    expect((await agent.call('call_tool', echo)).isError).toBe(false);
    const other = agent.call('call_tool', { ...echo, tool_name: 'whoami', tool_args: {} });
    const [asked] = await questions();
    await answer(asked.id, 'refuse');
    expect((await other).isError).toBe(true);
    await ask('upstreams.askAgain', { name: 'db', tool: 'echo' });
    const again = agent.call('call_tool', echo);
    const [back] = await questions();
    await answer(back.id, 'once');
    expect((await again).isError).toBe(false);
  });

  it('is asked about once more where “always” was kept without what the tool was then', async () => {
    const { config } = await open({ config: { upstreams: { db: { ...db, confirmExcept: ['echo'] } } } });
    const agent = await connect('2025');
    const call = agent.call('call_tool', echo);
    const [asked] = await questions();
    expect(asked.lapsed).toEqual(['unrecorded']);
    expect(asked.changes).toEqual([]);
    await answer(asked.id, 'always');
    expect((await call).isError).toBe(false);
    expect((await agent.call('call_tool', echo)).isError).toBe(false);
    expect(config().upstreams.db?.confirmExcept).toEqual(['echo']);
  });

  it('is asked about again once the entry of an always allowed tool has changed, and says so', async () => {
    const { services } = await open();
    const agent = await connect('2025');
    const first = agent.call('call_tool', echo);
    const [{ id, lapsed }] = await questions();
    expect(lapsed).toEqual([]);
    await answer(id, 'always');
    expect((await first).isError).toBe(false);
    await services.runtime.config.update((config) => {
      const { db } = config.upstreams;
      if (db?.type !== 'stdio') throw new Error('there is no such server');
      return { ...config, upstreams: { db: { ...db, env: { NEW_NAME: 'value' } } } };
    });
    const second = agent.call('call_tool', echo);
    const [asked] = await questions();
    expect(asked.lapsed).toEqual(['entry']);
    const [change] = asked.changes;
    expect(asked.changes).toEqual([{ part: 'entry', before: change?.before, after: `${change?.before}\nNEW_NAME` }]);
    expect(change?.before).toContain(asked.target);
    await answer(asked.id, 'refuse');
    expect((await second).isError).toBe(true);
  });

  it('is asked about with the values of its placeholders, and again once they lead elsewhere', async () => {
    try {
      process.env.FILEBRIDGE_TEST_PLACE = 'staging';
      await open({ config: { upstreams: { db: { ...db, args: [plainServer, '${FILEBRIDGE_TEST_PLACE}'] } } } });
      const agent = await connect('2025');
      const first = agent.call('call_tool', echo);
      const [asked] = await questions();
      expect(asked.target).toMatch(/plain-server\.mjs staging$/);
      await answer(asked.id, 'always');
      expect((await first).isError).toBe(false);
      process.env.FILEBRIDGE_TEST_PLACE = 'production';
      await running.ask('upstreams.restart', { name: 'db' });
      const second = agent.call('call_tool', echo);
      const [again] = await questions();
      expect(again.target).toMatch(/plain-server\.mjs production$/);
      expect(again.lapsed).toEqual(['entry']);
      await answer(again.id, 'refuse');
      expect((await second).isError).toBe(true);
    } finally {
      delete process.env.FILEBRIDGE_TEST_PLACE;
    }
  });

  it('is asked about again, too, for a server of the command line, which no configuration holds', async () => {
    const directory = await mkdtemp(path.join(os.tmpdir(), 'servers-'));
    const upstreamsFile = path.join(directory, 'servers.json');
    writeFileSync(upstreamsFile, JSON.stringify({ mcpServers: { db } }));
    await open({ upstreamsFile });
    const agent = await connect('2025');
    const call = agent.call('call_tool', echo);
    await answer((await questions())[0].id, 'always');
    expect((await call).isError).toBe(false);
    expect((await agent.call('call_tool', echo)).isError).toBe(false);
    await running.ask('upstreams.askAgain', { name: 'db', tool: 'echo' });
    const again = agent.call('call_tool', echo);
    await answer((await questions())[0].id, 'refuse');
    expect((await again).isError).toBe(true);
    await rm(directory, { recursive: true });
  });

  it('is refused when nobody answers in time, with words that say so', async () => {
    const told: string[] = [];
    const desktop: HostPort = { ...consoleHost, kind: 'desktop', approvalAsked: ({ tool }) => told.push(tool) };
    await open({ config: { limits: { approvalTimeoutMs: 20 } }, host: desktop, listening: false });
    const refused = await (await connect('2025')).call('call_tool', echo);
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining(`${silent} 1 second in the Filebridge app`) });
    expect(told).toEqual(['echo']);
    expect(await waiting()).toEqual([]);
  });

  it('goes with its background job', async () => {
    await open();
    const agent = await connect('2025');
    const started = await agent.call('call_tool_with_file_content', fileCall('users.csv', { background: true }));
    const { job_id } = JSON.parse(started.text) as { job_id: string };
    await questions();
    expect((await agent.call('cancel_job', { job_id })).text).toContain('"cancelled"');
    expect(await waiting()).toEqual([]);
  });
});
