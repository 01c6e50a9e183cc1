import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Approval } from '../../../shared/contract/approvals.ts';
import { type Agent, connectAgent, type Era, eras } from '../fixtures/agents.ts';
import { type RunningApi, startApi } from '../fixtures/api.ts';
import { consoleHost, type HostPort } from '../host.ts';

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
  await vi.waitFor(async () => expect(await waiting()).toHaveLength(count), 10_000);
  return (await waiting()) as [Approval, ...Approval[]];
}

describe.each(eras)('a call that needs a word, of an agent of %s', (era) => {
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
      paths: [file('users.csv')],
      records: 2,
      firstRecords: ['{"name":"Ann","zip":"00501"}', '{"name":"Bob","zip":"10001"}'],
    });
    expect(Date.parse(asked.expires) - Date.parse(asked.asked)).toBe(120_000);
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

  it('leaves the queue when it is cancelled, and can no longer be allowed', async () => {
    const { ask } = await open();
    const agent = await connect(era);
    const ended = new AbortController();
    const gone = agent.call('call_tool', echo, { signal: ended.signal }).catch(() => 'cancelled');
    const [{ id }] = await questions();
    ended.abort();
    expect(await gone).toBe('cancelled');
    await vi.waitFor(async () => expect(await waiting()).toEqual([]), 10_000);
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
    await vi.waitFor(async () => expect(await waiting()).toEqual([other]), 10_000);
    await answer(other?.id ?? '', 'once');
    expect((await kept).isError).toBe(false);
  });

  it('is never asked of the agent itself, also while no page of the console is open', async () => {
    await open({ config: { limits: { approvalTimeoutMs: 300 }, approvals: { throughClient: 'always' } }, listening: false });
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
    const { heard, ask } = await open({ config: { limits: { approvalTimeoutMs: 1_000 } }, listening });
    const asked: string[] = [];
    const agent = await connect('2025', {
      onQuestion: (message) => {
        asked.push(message);
        return { confirm: true };
      },
    });
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, said) =>
        agent.call('call_tool', { ...echo, tool_args: { said, big: 'x'.repeat(10_000) } }),
      ),
    );
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

describe('a call that needs a word', () => {
  it('is asked once for all of its batches, from the record on that is sent first', async () => {
    await open();
    const agent = await connect('2025');
    const batched = fileCall('users.csv', { batch: { size: 1, start: 1 } });
    const answered = agent.call('call_tool_with_file_content', batched);
    const [asked] = await questions();
    expect(asked).toMatchObject({ records: 1, firstRecords: ['{"name":"Bob","zip":"10001"}'] });
    await answer(asked.id, 'once');
    expect((await answered).isError).toBe(false);
    const whole = agent.call('call_tool_with_file_content', fileCall('users.csv', { batch: { size: 1 } }));
    const [next] = await questions();
    await answer(next.id, 'once');
    expect((await whole).text).toContain('2 of 2 records accepted by db:echo in 2 batches');
  });

  it('shows the digits that are sent', async () => {
    await open();
    const agent = await connect('2025');
    const answered = agent.call('call_tool_with_file_content', fileCall('ids.json'));
    const [asked] = await questions();
    expect(asked.firstRecords).toEqual(['{"id":12345678901234567890}', '{"id":2}']);
    await answer(asked.id, 'refuse');
    await answered;
  });

  it('shows the arguments that an agent typed, shortened but readable', async () => {
    await open();
    const agent = await connect('2025');
    const call = { ...echo, tool_args: { said: 'hello', letter: 'ü'.repeat(50_000), to: 'Ann' } };
    const answered = agent.call('call_tool', call);
    const [{ id, paths, firstRecords, bytes }] = await questions();
    expect(paths).toEqual([]);
    expect(bytes).toBeGreaterThan(100_000);
    expect(firstRecords).toHaveLength(1);
    expect(firstRecords[0]?.length).toBeLessThan(1000);
    const shown = JSON.parse(firstRecords[0] ?? '');
    expect(shown).toEqual({ said: 'hello', letter: expect.stringMatching(/^ü+…$/), to: 'Ann' });
    await answer(id, 'refuse');
    await answered;
  });

  it('waits beside others, each for its own answer', async () => {
    await open();
    const agent = await connect('2025');
    const calls = [1, 2, 3].map((said) => agent.call('call_tool', { ...echo, tool_args: { said } }));
    const asked = await questions(3);
    const idOf = (said: number) => asked.find(({ firstRecords }) => firstRecords[0] === `{"said":${said}}`)?.id ?? '';
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
    await open({ config: { limits: { approvalTimeoutMs: 300 } }, host: desktop, listening: false });
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
