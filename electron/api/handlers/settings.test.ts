import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../shared/lib/fixtures/eventually.ts';
import { configSchema } from '../../../shared/model/config.ts';
import type { HostPort } from '../../app/host.ts';
import { type Agent, connectAgent, eras } from '../fixtures/agents.ts';
import { type RunningApi, sealingHost, startApi } from '../fixtures/api.ts';

const plainServer = fileURLToPath(new URL('../../upstream/fixtures/plain-server.mjs', import.meta.url));
const db = { type: 'stdio', command: process.execPath, args: [plainServer] };
const echo = { server: 'db', tool_name: 'echo', tool_args: { said: 'hello' }, output_format: 'string' };

let running: RunningApi;
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function open(config: object = {}, host?: HostPort): Promise<RunningApi> {
  running = await startApi({
    ...(host ? { host } : {}),
    config: (root) => {
      mkdirSync(path.join(root, 'files'));
      writeFileSync(path.join(root, 'files', 'users.csv'), 'name\nAnn\n');
      return { folders: [{ path: path.join(root, 'files') }], upstreams: { db }, ...config };
    },
  });
  ends.push(running.close);
  return running;
}

async function connect(era?: Parameters<typeof connectAgent>[1]): Promise<Agent> {
  const agent = await connectAgent(running.services, era);
  ends.push(() => agent.close().catch(() => undefined));
  return agent;
}

const onDisk = async () => JSON.parse(await readFile(running.services.runtime.config.path, 'utf8'));
const at = (...parts: string[]) => path.join(running.root, ...parts);

/** A port with another program on it, and how that program goes. */
async function takenPort(): Promise<{ port: number; free(): Promise<void> }> {
  const blocker: Server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => blocker.once('listening', resolve));
  const free = () => new Promise<void>((resolve) => blocker.close(() => resolve()));
  ends.push(free);
  return { port: (blocker.address() as { port: number }).port, free };
}

describe('settings', () => {
  it('keep a change, leave the rest as it was, and tell pages', async () => {
    const { ask, heard } = await open();
    const before = await ask('settings.get', {});
    const changes = { app: { appearance: 'dark' }, limits: { maxFileBytes: 1000 }, expose: { fileTools: false } } as const;
    const after = await ask('settings.update', { changes });
    expect(after).toEqual({
      ...before,
      app: { ...before.app, appearance: 'dark' },
      limits: { ...before.limits, maxFileBytes: 1000 },
      expose: { ...before.expose, fileTools: false },
    });
    expect(await ask('settings.get', {})).toEqual(after);
    expect(heard('settings.changed').length).toBeGreaterThan(0);
  });

  it('bound the next call', async () => {
    const { ask } = await open();
    const agent = await connect();
    const send = {
      server: 'db',
      tool_name: 'echo',
      path: at('files', 'users.csv'),
      data_key: 'rows',
      transform: { expression: '$' },
    };
    expect((await agent.call('call_tool_with_file_content', send)).isError).toBe(false);
    await ask('settings.update', { changes: { limits: { maxFileBytes: 4 } } });
    expect((await agent.call('call_tool_with_file_content', send)).text).toContain('exceeds maximum allowed size of 4 bytes');
  });

  it('say where stored answers go from the next one on', async () => {
    const { ask } = await open();
    const agent = await connect();
    const { defaultResponsesFolder } = await ask('settings.get', {});
    const store = () => agent.call('call_tool_and_store', echo);
    expect((await store()).isError).toBe(false);
    expect(await readdir(defaultResponsesFolder)).toHaveLength(1);
    const folder = at('answers', 'of', 'tools');
    expect((await ask('settings.update', { changes: { responses: { folder } } })).responses.folder).toBe(folder);
    const stored = await store();
    expect(stored.isError, stored.text).toBe(false);
    expect(await readdir(folder)).toHaveLength(1);
  });

  it.each([
    ['a file', () => at('files', 'users.csv'), 'it is not a folder'],
    ['inside a file', () => at('files', 'users.csv', 'answers'), 'cannot be made'],
    ['no full path', () => 'answers', 'it is not a full path'],
  ])('refuse a place for answers that is %s', async (_what, place, reason) => {
    const { ask } = await open();
    const changed = ask('settings.update', { changes: { responses: { folder: place() } } });
    await expect(changed).rejects.toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining(reason) });
    expect((await ask('settings.get', {})).responses.folder).toBeNull();
  });

  it.each([
    ['the whole home', () => os.homedir(), 'home folder'],
    ['what Filebridge keeps for itself', () => at('program-data'), 'belongs to Filebridge itself'],
    ['a folder in it', () => at('program-data', 'mine'), 'belongs to Filebridge itself'],
  ])('refuse %s as the place for answers, which agents may read and write', async (_what, place, reason) => {
    const { ask, services } = await open();
    const folder = place();
    const changed = ask('settings.update', { changes: { responses: { folder } } });
    await expect(changed).rejects.toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining(reason) });
    expect(services.runtime.effective().responses.folder).toBeNull();
  });

  it.each([
    ['the whole home', () => os.homedir()],
    ['what Filebridge keeps for itself', (root: string) => path.join(root, 'program-data')],
    ['a link to it', (root: string) => path.join(root, 'link')],
  ])('give agents nothing of %s when a hand wrote it into the file, and say so', async (_what, place) => {
    const { ask, services, root } = await open();
    symlinkSync(at('program-data'), at('link'));
    const folder = place(root);
    writeFileSync(services.runtime.config.path, JSON.stringify({ ...(await onDisk()), responses: { folder } }));
    const { problems } = await eventually(async () => {
      const status = await ask('status.get', {});
      expect(status.problems).toContainEqual(expect.objectContaining({ id: 'answers' }));
      return status;
    });
    expect(problems.find(({ id }) => id === 'answers')).toMatchObject({
      message: expect.stringContaining(folder),
      folder,
      remedies: ['open_settings'],
    });
    const agent = await connect();
    const filename = 'note-of-a-filebridge-test.txt';
    const stored = await agent.call('call_tool_and_store', { ...echo, storage_path: folder, filename });
    expect(stored).toMatchObject({ isError: true });
    await expect(stat(path.join(folder, filename))).rejects.toThrow();
    expect(await agent.call('preview_file', { path: at('program-data', 'tokens.json') })).toMatchObject({ isError: true });
    // An answer finds its place all the same.
    expect((await agent.call('call_tool_and_store', echo)).isError).toBe(false);
    expect(await readdir(services.runtime.responsesDirectory)).toHaveLength(1);
    await ask('settings.update', { changes: { responses: { folder: at('answers') } } });
    expect((await ask('status.get', {})).problems).toEqual([]);
  });

  it('refuse what no configuration may hold, by its key', async () => {
    const { ask } = await open();
    const changed = ask('settings.update', { changes: { limits: { maxFileBytes: -1 } } });
    await expect(changed).rejects.toMatchObject({ message: expect.stringContaining('maxFileBytes') });
  });
});

describe('the port', () => {
  it('moves the server, or leaves it and the configuration as they were', async () => {
    const { ask, services, config } = await open({ server: { port: 0 } });
    const old = services.server.state();
    const { port, free } = await takenPort();
    await expect(ask('settings.update', { changes: { port } })).rejects.toThrow(String(port));
    expect(services.server.state()).toEqual(old);
    expect(config().server.port).toBe(0);
    await free();
    expect((await ask('settings.update', { changes: { port } })).port).toBe(port);
    expect((await ask('status.get', {})).port).toBe(port);
    expect((await (await connect()).call('call_tool', echo)).isError).toBe(false);
    await expect(fetch(old.url ?? '')).rejects.toThrow();
  });

  it('is moved to once, however often the same is asked for at the same moment', async () => {
    const { ask, services } = await open({ server: { port: 0 } });
    const { port, free } = await takenPort();
    await free();
    const moved = await Promise.all([1, 2, 3].map(() => ask('settings.update', { changes: { port } })));
    expect(moved.map((settings) => settings.port)).toEqual([port, port, port]);
    expect(services.server.state()).toMatchObject({ port, problem: null });
  });

  it('goes back where its number cannot be kept', async () => {
    const { ask, services } = await open({ server: { port: 0 } });
    const old = services.server.state();
    const { port, free } = await takenPort();
    await free();
    writeFileSync(services.runtime.config.path, '{ "version": 1, "folders": [');
    await expect(ask('settings.update', { changes: { port } })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    expect(services.server.state()).toEqual(old);
  });

  it('is tried again when it is set to what it was', async () => {
    const { port, free } = await takenPort();
    const { ask } = await open({ server: { port } });
    expect((await ask('status.get', {})).state).toBe('stopped');
    await free();
    await ask('settings.update', { changes: { port } });
    expect(await ask('status.get', {})).toMatchObject({ state: 'running', port, problems: [] });
  });
});

describe.each(eras)('a token that is renewed, for an agent of %s', (era) => {
  it('opens nothing any more, and what it opened ends', async () => {
    const { ask, services } = await open();
    const agent = await connect(era);
    expect((await agent.call('call_tool', echo)).isError).toBe(false);
    const told: number[] = [];
    const steady = { server: 'db', tool_name: 'slow', tool_args: { steps: 1000, every: 50 } };
    agent.call('call_tool', steady, { onprogress: ({ progress }) => told.push(progress) }).catch(() => undefined);
    await eventually(() => expect(told.length).toBeGreaterThan(0));
    const token = await services.server.tokens.issue('default');
    const before = await ask('settings.get', {});
    const { tokens } = await ask('tokens.rotate', { client: 'default' });
    expect(tokens).toHaveLength(before.tokens.length);
    expect(tokens[0]?.shown).not.toBe(before.tokens[0]?.shown);
    expect(JSON.stringify(tokens)).not.toContain(token);
    await expect(agent.call('call_tool', echo)).rejects.toThrow();
    await eventually(async () => {
      const { entries } = await ask('ledger.find', { filter: { outcomes: ['cancelled'] }, offset: 0, limit: 1 });
      expect(entries).toMatchObject([{ tool: 'slow' }]);
    });
    expect((await (await connect(era)).call('call_tool', echo)).isError).toBe(false);
    await expect(ask('tokens.rotate', { client: 'nobody' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });
});

describe('starting at login', () => {
  it('is set where the host can, and explained where it cannot', async () => {
    const { ask } = await open();
    await expect(ask('settings.setStartAtLogin', { enabled: true })).rejects.toMatchObject({
      message: expect.stringContaining('desktop app'),
      hint: expect.any(String),
    });
    await running.close();
    ends.length = 0;
    let enabled = false;
    const startAtLogin = {
      get: async () => enabled,
      set: async (to: boolean) => {
        enabled = to;
      },
    };
    const able = await open({}, { ...sealingHost, startAtLogin });
    expect((await able.ask('settings.get', {})).startAtLogin).toBe(false);
    expect((await able.ask('settings.setStartAtLogin', { enabled: true })).startAtLogin).toBe(true);
    await able.ask('settings.reset', { everything: false });
    expect(enabled).toBe(true);
    await able.ask('settings.reset', { everything: true });
    expect(enabled).toBe(false);
  });
});

describe('resetting', () => {
  it('goes back to defaults and keeps folders, servers and the ledger', async () => {
    const { ask, config } = await open();
    await (await connect()).call('call_tool', echo);
    await ask('settings.update', { changes: { app: { language: 'de', welcomed: true }, limits: { maxFileBytes: 9 } } });
    const reset = await ask('settings.reset', { everything: false });
    expect(reset).toMatchObject({ app: { language: 'system', welcomed: true }, limits: { maxFileBytes: 10 * 1024 * 1024 } });
    expect(config().folders).toHaveLength(1);
    expect(Object.keys(config().upstreams)).toEqual(['db']);
    expect((await ask('ledger.totals', {})).all.calls).toBe(1);
    expect(configSchema.parse(await onDisk())).toEqual(config());
  });

  it('forgets everything when told to, secrets and ledger too', async () => {
    const { ask, config } = await open({}, sealingHost);
    const draft = {
      name: 'sealed',
      type: 'stdio' as const,
      command: process.execPath,
      args: [plainServer],
      cwd: null,
      url: '',
      variables: [{ name: 'TOKEN', secret: true, value: 'hunter2' }],
      confirm: 'never' as const,
      timeoutMs: null,
      maxMessageBytes: null,
    };
    await ask('upstreams.save', { draft, previousName: null });
    await (await connect()).call('call_tool', echo);
    const sealed = async () => Object.keys(JSON.parse(await readFile(at('program-data', 'secrets.json'), 'utf8')).secrets);
    expect(await sealed()).toHaveLength(1);
    const gone = await ask('settings.reset', { everything: true });
    expect(gone.app.welcomed).toBe(false);
    expect(config()).toMatchObject({ folders: [], upstreams: {} });
    expect(await sealed()).toEqual([]);
    expect((await ask('ledger.totals', {})).all.calls).toBe(0);
    expect(await ask('ledger.find', { filter: {}, offset: 0, limit: 10 })).toEqual({ entries: [], total: 0 });
    expect((await stat(at('files', 'users.csv'))).isFile()).toBe(true);
  });
});
