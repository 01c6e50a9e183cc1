import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../shared/lib/fixtures/waiting.ts';
import type { Upstream } from '../../shared/model/config.ts';
import type { AppError } from '../../shared/model/errors.ts';
import { argumentsOf, fixture, isAlive, poolOf, remote, repository, textOf } from './fixtures/support.ts';
import type { UpstreamPool } from './types.ts';

const npx = (...args: string[]) => fixture('', { command: 'npx', args: ['--no-install', ...args], cwd: repository });
const plain = () => fixture('plain-server.mjs');

let pool: UpstreamPool;
afterEach(() => pool.close());
const failureOf = async (call: Promise<unknown>): Promise<AppError> => {
  const outcome = await call.then(
    () => new Error('it did not fail'),
    (error: unknown) => error,
  );
  return outcome as AppError;
};
const pidOf = async (name: string): Promise<number> =>
  JSON.parse(textOf(await pool.callTool(name, 'whoami', argumentsOf({})))).pid;

describe('servers from npm', () => {
  it('server-everything is listed, called and heard', async () => {
    pool = poolOf({ everything: npx('mcp-server-everything') });
    const tools = await pool.tools('everything');
    expect(tools.map((tool) => tool.name)).toContain('echo');
    expect(textOf(await pool.callTool('everything', 'echo', argumentsOf({ message: 'hello' })))).toBe('Echo: hello');
    const progress: number[] = [];
    await pool.callTool('everything', 'trigger-long-running-operation', argumentsOf({ duration: 0.2, steps: 2 }), {
      onProgress: (step) => progress.push(step.progress),
    });
    expect(progress).toEqual([1, 2]);
    expect(pool.status()).toMatchObject([{ name: 'everything', state: 'ready', lastError: null, toolCount: tools.length }]);
  });

  it('server-filesystem writes what it is sent', async () => {
    const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'filebridge-upstream-')));
    try {
      pool = poolOf({ files: npx('mcp-server-filesystem', folder) });
      const file = path.join(folder, 'a.txt');
      await writeFile(file, 'grüße\n');
      expect(textOf(await pool.callTool('files', 'read_text_file', argumentsOf({ path: file })))).toBe('grüße\n');
      expect(await pool.callTool('files', 'read_text_file', argumentsOf({ path: '/etc/hosts' }))).toMatchObject({
        isError: true,
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('connections', () => {
  it('are opened once for calls that come together, and kept', async () => {
    pool = poolOf({ db: plain() });
    const pids = await Promise.all([pidOf('db'), pidOf('db'), pidOf('db')]);
    expect(new Set([...pids, await pidOf('db')]).size).toBe(1);
  });

  it('are not opened by asking for names or status', () => {
    pool = poolOf({ db: plain(), off: { ...plain(), enabled: false } });
    expect(pool.names()).toEqual(['db', 'off']);
    expect(pool.status().map((status) => status.state)).toEqual(['idle', 'disabled']);
  });

  it('that failed are remembered by a list and tried again by a call', async () => {
    const logged: string[] = [];
    pool = poolOf({ db: fixture('plain-server.mjs', { args: ['/no/such/server.mjs'] }) }, { log: (line) => logged.push(line) });
    const failure = await failureOf(pool.tools('db'));
    const attempts = logged.length;
    expect(await failureOf(pool.tools('db'))).toBe(failure);
    expect(logged).toHaveLength(attempts);
    await failureOf(pool.callTool('db', 'echo', argumentsOf({})));
    expect(logged.length).toBeGreaterThan(attempts);
  });

  it('are replaced when their entry changes, and only then', async () => {
    pool = poolOf({ db: plain(), other: plain() });
    const before = [await pidOf('db'), await pidOf('other')];
    const changed: string[] = [];
    pool.onToolsChanged((name) => changed.push(name));
    await pool.configure({ db: fixture('plain-server.mjs', { env: { A: '1' } }), other: plain() });
    expect(changed).toEqual(['db']);
    expect(before.map(isAlive)).toEqual([false, true]);
    expect(await pidOf('other')).toBe(before[1]);
    await pool.configure({ other: plain() });
    expect(pool.names()).toEqual(['other']);
    expect((await failureOf(pool.tools('db'))).code).toBe('UPSTREAM_UNKNOWN');
  });

  it('are shown where they really go once they are connected, secrets masked', async () => {
    const own = plain();
    if (own.type !== 'stdio') throw new Error('it is a program');
    const values: Record<string, string> = { PLACE: 'staging', API_KEY: 'hunter2hunter2' };
    const fill = (text: string) => text.replace(/\$\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
    pool = poolOf(
      { db: { ...own, args: [...own.args, '${PLACE}', '--key=${API_KEY}'] } },
      { resolveSecrets: (_name, each) => (each.type === 'stdio' ? { ...each, args: each.args.map(fill) } : each) },
    );
    expect(pool.target('db').target).toContain('${PLACE}');
    await pool.tools('db');
    expect(pool.target('db').target).toMatch(/ staging --key=•••$/);
    expect(pool.used('db')).toMatchObject({ args: [...own.args, 'staging', '--key=hunter2hunter2'] });
    expect(pool.config('db')).toMatchObject({ args: [...own.args, '${PLACE}', '--key=${API_KEY}'] });
  });

  it('tells staging from production by all that decides where calls go, and not by what only we use', () => {
    const stdio = (more: object = {}): Upstream => ({ ...plain(), ...more }) as Upstream;
    const web = (headers: Record<string, string>): Upstream =>
      ({ ...remote('http', 'https://a.example/mcp'), headers }) as Upstream;
    const hashOf = (upstream: Upstream, value = 'staging') => {
      const made = poolOf(
        { db: upstream },
        {
          resolveSecrets: (_name, each) =>
            each.type === 'stdio' && each.env.DB ? { ...each, env: { ...each.env, DB: value } } : each,
        },
      );
      const hash = made.settingsHash('db');
      void made.close();
      return hash;
    };
    const db = stdio({ env: { DB: 'of the environment' } });
    expect(hashOf(db)).toBe(hashOf(stdio({ env: { DB: 'of the environment' }, timeoutMs: 5, confirm: 'always' })));
    const others = [
      hashOf(db, 'production'),
      hashOf(stdio({ env: {} })),
      hashOf(stdio({ args: ['--production'] })),
      hashOf(web({})),
      hashOf(web({ 'x-tenant': 'b' })),
    ];
    expect(new Set([hashOf(db), ...others]).size).toBe(6);
  });

  it('take secrets that are resolved just before', async () => {
    pool = poolOf(
      { db: fixture('plain-server.mjs', { env: { KEY: 'sealed' } }) },
      { resolveSecrets: (_name, upstream) => (upstream.type === 'stdio' ? { ...upstream, env: { OPENED: '1' } } : upstream) },
    );
    expect(textOf(await pool.callTool('db', 'whoami', argumentsOf({})))).toContain('OPENED');
    expect(pool.config('db')).toMatchObject({ env: { KEY: 'sealed' } });
  });

  it('let one caller leave without disturbing the others', async () => {
    pool = poolOf({ db: plain() });
    const controller = new AbortController();
    const leaving = failureOf(pool.tools('db', { signal: controller.signal }));
    const staying = pool.tools('db');
    controller.abort();
    expect((await leaving).code).toBe('CANCELLED');
    expect((await staying).length).toBeGreaterThan(0);
  });
});

describe('the list of tools', () => {
  it('is kept while the server is closed for idleness', async () => {
    pool = poolOf({ db: plain() }, { upstreamIdleMs: 50 });
    const tools = await pool.tools('db');
    await until(() => pool.status('db')[0]?.state === 'idle');
    expect(await pool.tools('db')).toEqual(tools);
    expect(pool.status('db')).toMatchObject([{ state: 'idle', toolCount: tools.length }]);
  });

  it('shows and calls only what the lists allow', async () => {
    pool = poolOf({
      some: { ...plain(), tools: { allow: ['echo', 'hash'], deny: ['hash'] } },
      most: { ...plain(), tools: { deny: ['crash'] } },
    });
    expect((await pool.tools('some')).map((tool) => tool.name)).toEqual(['echo']);
    expect((await pool.tools('most')).map((tool) => tool.name)).not.toContain('crash');
    expect((await failureOf(pool.tool('most', 'crash'))).code).toBe('UPSTREAM_DISABLED');
    expect((await failureOf(pool.callTool('some', 'hash', argumentsOf({})))).code).toBe('UPSTREAM_DISABLED');
  });

  it('suggests what a mistyped tool may have meant', async () => {
    pool = poolOf({ db: plain() });
    expect(await failureOf(pool.tool('db', 'ehco'))).toMatchObject({
      code: 'TOOL_UNKNOWN',
      message: "Server 'db' has no tool 'ehco'",
      hint: "Did you mean 'echo'?",
    });
    expect((await failureOf(pool.tool('db', 'zzzzzz'))).hint).toContain("It offers: 'hash'");
  });

  it('names the upstreams there are', async () => {
    pool = poolOf({ database: plain(), web: { ...plain(), enabled: false } });
    expect(await failureOf(pool.tools('databse'))).toMatchObject({
      code: 'UPSTREAM_UNKNOWN',
      hint: "Did you mean 'database'? Configured: 'database', 'web'",
    });
    expect((await failureOf(pool.tools('web'))).code).toBe('UPSTREAM_DISABLED');
  });

  it('tells the message cap, from the entry or by type', () => {
    pool = poolOf({ db: plain(), big: { ...plain(), maxMessageBytes: 5 } });
    expect([pool.maxMessageBytes('db'), pool.maxMessageBytes('big')]).toEqual([10 * 1024 * 1024, 5]);
  });
});
