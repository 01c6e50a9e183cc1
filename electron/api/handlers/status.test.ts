import { mkdirSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../../shared/lib/fixtures/eventually.ts';
import { upstreamSchema } from '../../../shared/model/config.ts';
import { openRuntime } from '../../app/runtime.ts';
import { type Agent, connectAgent, connectByPipes, eras } from '../fixtures/agents.ts';
import { type RunningApi, startApi } from '../fixtures/api.ts';

const plainServer = fileURLToPath(new URL('../../upstream/fixtures/plain-server.mjs', import.meta.url));
const db = { type: 'stdio', command: process.execPath, args: [plainServer] };
const echo = { server: 'db', tool_name: 'echo', tool_args: { said: 'hello' }, output_format: 'string' };

let running: RunningApi;
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  vi.unstubAllEnvs();
});

async function open(config: object = {}, listening = true): Promise<RunningApi> {
  running = await startApi({
    listening,
    config: (root) => {
      mkdirSync(path.join(root, 'files'));
      return { folders: [{ path: path.join(root, 'files') }], upstreams: { db }, ...config };
    },
  });
  ends.push(running.close);
  return running;
}

function closing(agent: Agent): Agent {
  ends.push(agent.close);
  return agent;
}

const problems = async () => (await running.ask('status.get', {})).problems;
const configText = () => readFile(running.services.runtime.config.path, 'utf8');

describe.each(eras)('pausing, for an agent of %s', (era) => {
  it('refuses calls until resumed, says so to the agent, and tells pages', async () => {
    const { ask, heard, services } = await open();
    const agent = closing(await connectAgent(services, era));
    const offered = await agent.tools();
    expect((await ask('server.pause', {})).state).toBe('paused');
    const refused = await agent.call('call_tool', echo);
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('Filebridge is paused by the user') });
    expect(await agent.tools()).toEqual(offered);
    expect((await ask('server.resume', {})).state).toBe('running');
    expect(await agent.call('call_tool', echo)).toEqual({ isError: false, text: '{"said":"hello"}' });
    const states = heard('status.changed').map(({ state }) => state);
    // Listing the tools has started the server, which is news of its own.
    const since = states.slice(states.indexOf('paused'));
    expect(since.filter((state, index) => state !== since[index - 1])).toEqual(['paused', 'running']);
    const { entries } = await ask('ledger.find', { filter: {}, offset: 0, limit: 10 });
    expect(entries.map(({ outcome, errorCode }) => [outcome, errorCode])).toEqual([
      ['ok', null],
      ['blocked', 'PAUSED'],
    ]);
  });

  it('lets running calls finish, and refuses those that wait for approval', async () => {
    const { ask, heard, services } = await open({ upstreams: { db, shy: { ...db, confirm: 'always' } } });
    const agent = closing(await connectAgent(services, era));
    const progress: number[] = [];
    const slow = { server: 'db', tool_name: 'slow', tool_args: { steps: 3, every: 150 }, output_format: 'string' };
    const runs = agent.call('call_tool', slow, { onprogress: (each) => progress.push(each.progress) });
    const waits = agent.call('call_tool', { ...echo, server: 'shy' });
    await eventually(() => expect(heard('approvals.changed')).toHaveLength(1));
    await eventually(() => expect(progress.length).toBeGreaterThan(0));
    await ask('server.pause', {});
    const [asked] = await ask('approvals.list', {});
    await ask('approvals.answer', { id: asked?.id ?? '', decision: 'once' });
    expect(await waits).toMatchObject({ isError: true, text: expect.stringContaining('paused by the user') });
    expect(await runs).toEqual({ isError: false, text: 'done' });
  });
});

describe('pausing', () => {
  it('stops a long run before its next batch, and lists what was not sent', async () => {
    const { ask, root } = await open();
    const agent = closing(await connectAgent((running as RunningApi).services));
    await writeFile(path.join(root, 'files', 'ids.json'), JSON.stringify(Array.from({ length: 500 }, (_, id) => ({ id }))));
    const progress: number[] = [];
    const run = agent.call(
      'call_tool_with_file_content',
      {
        server: 'db',
        tool_name: 'slow',
        tool_args: { steps: 1, every: 100 },
        path: path.join(root, 'files', 'ids.json'),
        data_key: 'records',
        batch: { size: 1 },
        output_format: 'string',
      },
      { onprogress: (each) => progress.push(each.progress) },
    );
    await eventually(() => expect(progress.length).toBeGreaterThan(0));
    await ask('server.pause', {});
    const { isError, text } = await run;
    expect(isError).toBe(true);
    expect(text).toContain('Filebridge is paused by the user');
    const [, accepted, start] = /(\d+) of 500 records accepted .*Not sent: records (\d+)-499\. .*"resume"/.exec(text) ?? [];
    expect(Number(accepted)).toBeLessThan(500);
    expect(start).toBe(accepted);
  });

  it('holds for agents that started a server of their own, and ends with the app', async () => {
    const { ask, services, root } = await open();
    vi.stubEnv('FILEBRIDGE_DATA', path.join(root, 'program-data'));
    const own = await openRuntime({ configPath: services.runtime.config.path, log: () => undefined });
    ends.push(own.close);
    const agent = closing(await connectByPipes(own));
    expect((await agent.call('call_tool', echo)).isError).toBe(false);
    await ask('server.pause', {});
    expect((await agent.call('call_tool', echo)).text).toContain('Filebridge is paused by the user');
    expect((await agent.tools()).length).toBeGreaterThan(5);
    await services.close();
    expect((await agent.call('call_tool', echo)).isError).toBe(false);
  });
});

describe('the place the program runs in', () => {
  it('says what it can do', async () => {
    const { ask } = await open();
    expect(await ask('host.get', {})).toMatchObject({
      kind: 'console',
      nativeDialogs: false,
      canStartAtLogin: false,
      secrets: { available: false, reason: expect.stringContaining('desktop app') },
    });
  });
});

async function takenPort(): Promise<{ port: number; blocker: Server }> {
  const blocker = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => blocker.once('listening', resolve));
  ends.push(async () => void blocker.close());
  return { port: (blocker.address() as { port: number }).port, blocker };
}

describe('problems', () => {
  it('reports a taken port, and takes the next free one', async () => {
    const { port } = await takenPort();
    const { ask, services, config } = await open({ server: { port } });
    expect(await ask('status.get', {})).toMatchObject({
      state: 'stopped',
      url: null,
      problems: [{ id: 'port', message: expect.stringContaining(String(port)), hint: expect.any(String) }],
    });
    const fixed = await ask('problems.fix', { id: 'port', remedy: 'use_free_port' });
    expect(fixed).toMatchObject({ state: 'running', problems: [] });
    expect(fixed.port).toBeGreaterThan(port);
    expect(config().server.port).toBe(fixed.port);
    expect((await closing(await connectAgent(services)).call('call_tool', echo)).isError).toBe(false);
  });

  it('reports by itself a folder that vanished, and creates it or removes it from the list', async () => {
    const { ask, heard, root, config } = await open();
    const folder = path.join(root, 'files');
    const id = `folder:${folder}`;
    const seen = () => heard('status.changed').map((status) => status.problems.map((problem) => problem.id));
    await rm(folder, { recursive: true });
    await eventually(() => expect(seen()).toContainEqual([id]));
    expect((await ask('problems.fix', { id, remedy: 'create_folder' })).problems).toEqual([]);
    await expect(ask('problems.fix', { id, remedy: 'create_folder' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    await rm(folder, { recursive: true });
    expect((await ask('problems.fix', { id, remedy: 'remove_folder' })).problems).toEqual([]);
    expect(config().folders).toEqual([]);
  });

  it('reports by itself that a folder came back', async () => {
    const { heard, root } = await open();
    const last = () => heard('status.changed').at(-1)?.problems.length;
    await rm(path.join(root, 'files'), { recursive: true });
    await eventually(() => expect(last()).toBe(1));
    mkdirSync(path.join(root, 'files'));
    await eventually(() => expect(last()).toBe(0));
  });

  it('looks after folders all the time only while somebody sees what it tells', async () => {
    // Its own steps, so that nothing is waited for.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    try {
      const { ask, services, root } = await open({}, false);
      const heard: string[] = [];
      let seen = false;
      services.api.subscribe(() => undefined, { page: false });
      services.api.subscribe(({ name }) => heard.push(name), { seen: () => seen });
      await rm(path.join(root, 'files'), { recursive: true });
      vi.advanceTimersByTime(30_000);
      // Answered after a look that had begun.
      for (let round = 0; round < 3; round += 1) expect((await ask('status.get', {})).problems).toHaveLength(1);
      expect(heard).toEqual([]);
      vi.advanceTimersByTime(40_000);
      await eventually(() => expect(heard).toEqual(['folders.changed', 'status.changed']));
      mkdirSync(path.join(root, 'files'));
      seen = true;
      vi.advanceTimersByTime(3_000);
      await eventually(() => expect(heard.filter((name) => name === 'status.changed')).toHaveLength(2));
    } finally {
      vi.useRealTimers();
    }
  });

  it('reports an edit it cannot apply, and overwrites it with the active settings', async () => {
    const { ask, heard, services, root } = await open();
    const { path: file } = services.runtime.config;
    await writeFile(file, '{ "version": 1, "folders": [');
    await eventually(() => expect(heard('status.changed').at(-1)?.problems).toHaveLength(1));
    expect(await problems()).toMatchObject([
      { id: 'config:ignored', message: expect.stringContaining('a closing ] is missing'), kind: 'config', file },
    ]);
    const fixed = await ask('problems.fix', { id: 'config:ignored', remedy: 'reset_config' });
    expect(fixed.problems).toEqual([]);
    // As it was written before: the default access was not.
    expect(JSON.parse(await configText()).folders).toEqual([{ path: path.join(root, 'files') }]);
  });

  it('reads an edit again, and says what is still wrong with it', async () => {
    const { ask, services } = await open();
    const { path: file } = services.runtime.config;
    await writeFile(file, '{ "version": 1, "folders": [');
    await eventually(async () => expect(await problems()).toHaveLength(1));
    await writeFile(file, '{ "version": 1, "folders": [], "limits": { "maxFileBytes": "big" } }');
    const [still] = (await ask('problems.fix', { id: 'config:ignored', remedy: 'reload_config' })).problems;
    expect(still).toMatchObject({
      id: 'config:entry:limits.maxFileBytes',
      message: expect.stringContaining('limits.maxFileBytes is a text'),
    });
    await writeFile(file, '{ "version": 1, "folders": [], "limits": { "maxFileBytes": 1000 } }');
    const { problems: none } = await ask('problems.fix', { id: still?.id ?? '', remedy: 'reload_config' });
    expect(none).toEqual([]);
    expect((await ask('settings.get', {})).limits.maxFileBytes).toBe(1000);
  });

  it('reports an entry that is not active, and which one', async () => {
    const { ask } = await open({ upstreams: { db, web: { type: 'web' } } });
    const [problem] = await problems();
    expect(problem).toMatchObject({
      id: 'config:entry:upstreams.web',
      message: expect.stringContaining('\'upstreams.web\' in the configuration is disabled: upstreams.web.type is "web"'),
      remedies: ['reload_config', 'reset_config'],
    });
    expect((await ask('upstreams.list', {})).map(({ name }) => name)).toEqual(['db']);
    expect((await ask('problems.fix', { id: problem?.id ?? '', remedy: 'reset_config' })).problems).toEqual([]);
  });

  it('reports a configuration that was set aside, and starts a new one on request', async () => {
    running = await startApi({ listening: true, config: () => '[]' });
    ends.push(running.close);
    const { ask, services } = running;
    const [problem] = await problems();
    expect(problem).toMatchObject({ id: 'config:set_aside', remedies: ['reload_config', 'reset_config'] });
    expect(problem?.message).toMatch(/config\.broken-.*not an object/);
    expect((await ask('problems.fix', { id: 'config:set_aside', remedy: 'reset_config' })).problems).toEqual([]);
    expect(JSON.parse(await readFile(services.runtime.config.path, 'utf8')).folders).toEqual([]);
  });

  it('reports a server that does not work, until a restart shows that it does', async () => {
    const { ask, root } = await open();
    const script = path.join(root, 'server.mjs');
    await running.services.runtime.config.update((config) => ({
      ...config,
      upstreams: { late: upstreamSchema.parse({ ...db, args: [script] }) },
    }));
    await ask('upstreams.check', { name: 'late' });
    const id = 'upstream:late';
    expect(await problems()).toMatchObject([{ id, server: 'late', remedies: ['restart_upstream', 'edit_upstream'] }]);
    const still = await ask('problems.fix', { id, remedy: 'restart_upstream' });
    expect(still.problems).toMatchObject([{ id, hint: expect.stringContaining('server.mjs') }]);
    await writeFile(script, `import ${JSON.stringify(plainServer)};\n`);
    expect((await ask('problems.fix', { id, remedy: 'restart_upstream' })).problems).toEqual([]);
  });

  it('reports a missing secret before the server is needed, and none of a server that is switched off', async () => {
    const needy = { ...db, env: { TOKEN: '${FILEBRIDGE_TEST_TOKEN}' } };
    const sealed = { ...db, env: { TOKEN: '${secret:nowhere}' } };
    const { ask } = await open({ upstreams: { needy, sealed, off: { ...needy, enabled: false } } });
    expect(await problems()).toMatchObject([
      {
        id: 'secret:needy',
        message: expect.stringContaining('FILEBRIDGE_TEST_TOKEN'),
        server: 'needy',
        remedies: ['edit_upstream'],
      },
      { id: 'secret:sealed', message: expect.stringContaining("env 'TOKEN'"), hint: expect.any(String) },
    ]);
    vi.stubEnv('FILEBRIDGE_TEST_TOKEN', 'there');
    expect((await problems()).map(({ id }) => id)).toEqual(['secret:sealed']);
    await expect(ask('problems.fix', { id: 'secret:sealed', remedy: 'restart_upstream' })).rejects.toThrow(
      'does not fix this problem',
    );
  });
});
