import { realpathSync } from 'node:fs';
import os from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { until } from '../../shared/lib/fixtures/waiting.ts';
import { listen } from './fixtures/http-servers.ts';
import { argumentsOf, fixture, fixturePath, isAlive, poolOf, remote, textOf } from './fixtures/support.ts';
import type { UpstreamPool } from './types.ts';

let pool: UpstreamPool;
afterEach(() => {
  vi.useRealTimers();
  return pool.close();
});

const plain = (...flags: string[]) => fixture('', { args: [fixturePath('plain-server.mjs'), ...flags] });
const who = async (name = 'db'): Promise<{ pid: number; cwd: string }> =>
  JSON.parse(textOf(await pool.callTool(name, 'whoami', argumentsOf({}))));
const stateOf = (name = 'db') => pool.status(name)[0]?.state;
const texts = (name = 'db') => pool.log(name).map((line) => line.text);

/** Every state that listeners could have seen, without repetitions. */
function watchStates(name = 'db') {
  const states = [stateOf(name)];
  pool.onStatusChanged((changed) => {
    const now = pool.names().includes(changed) ? stateOf(name) : undefined;
    if (now !== states.at(-1)) states.push(now);
  });
  return states;
}

describe('status events', () => {
  it('tell of connecting, idling and tools', async () => {
    pool = poolOf({ db: plain() }, { upstreamIdleMs: 50 });
    const states = watchStates();
    let counted: number | null = null;
    pool.onStatusChanged(() => {
      counted = pool.status('db')[0]?.toolCount ?? counted;
    });
    await pool.tools('db');
    await until(() => stateOf() === 'idle');
    expect(states).toEqual(['idle', 'connecting', 'ready', 'idle']);
    expect(counted).toBeGreaterThan(5);
  });

  it('tell of a failure and of the end of the wait after it', async () => {
    pool = poolOf({ db: fixture('', { command: 'no-such-command-here', args: [] }) });
    const states = watchStates();
    await pool.tools('db').catch(() => undefined);
    await until(() => states.at(-1) === 'failed');
    expect(states).toEqual(['idle', 'connecting', 'backoff', 'failed']);
  });

  it('end a wait in its time when the clock is set back meanwhile', async () => {
    pool = poolOf({ db: fixture('', { command: 'no-such-command-here', args: [] }) });
    await pool.tools('db').catch(() => undefined);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 86_400_000 });
    try {
      await until(() => stateOf() === 'failed');
    } finally {
      vi.useRealTimers();
    }
  });

  it('tell of a server that dies unasked', async () => {
    pool = poolOf({ db: plain() });
    const { pid } = await who();
    const states = watchStates();
    process.kill(pid, 'SIGKILL');
    await until(() => states.at(-1) === 'idle');
    expect(texts().at(-1)).toBe('The server ended (ended by SIGKILL)');
  });

  it('tell of changed settings, which restart nothing that need not be', async () => {
    pool = poolOf({ db: plain() });
    const { pid } = await who();
    const before = pool.status('db')[0]?.toolCount ?? 0;
    await pool.tools('db');
    const changed: string[] = [];
    pool.onStatusChanged((name) => changed.push(name));
    await pool.configure({
      db: { ...plain(), tools: { deny: ['echo'] }, confirm: 'always', confirmExcept: ['hash'], timeoutMs: 9_000 },
    });
    expect(changed).toEqual(['db']);
    expect((await who()).pid).toBe(pid);
    expect(pool.config('db')).toMatchObject({ confirm: 'always' });
    expect((await pool.tools('db')).map((tool) => tool.name)).not.toContain('echo');
    expect((await pool.tools('db', { all: true })).map((tool) => tool.name)).toContain('echo');
    expect(pool.status('db')[0]?.toolCount).toBeGreaterThan(before);
    await pool.configure({ db: { ...plain(), enabled: false } });
    expect([stateOf(), isAlive(pid)]).toEqual(['disabled', false]);
  });
});

describe('restarting', () => {
  it('ends the process, fails its calls and starts another', async () => {
    pool = poolOf({ db: plain() });
    const { pid } = await who();
    const call = pool.callTool('db', 'never', argumentsOf({})).catch((error: unknown) => error);
    await until(async () => Number(textOf(await pool.callTool('db', 'count', argumentsOf({})))) > 2);
    await pool.restart('db');
    expect(await call).toMatchObject({ code: 'UPSTREAM_CLOSED' });
    expect([stateOf(), isAlive(pid)]).toEqual(['ready', false]);
    expect((await who()).pid).not.toBe(pid);
    expect(texts()).toContain('Restarting');
  });

  it('does not wait for the time after a failure, nor for an attempt that hangs', async () => {
    pool = poolOf({ db: plain('--no-greeting', '--say-key') }, { connectTimeoutMs: 60_000 });
    const attempt = pool.tools('db').catch((error: unknown) => error);
    await until(() => texts().includes('using the key undefined'));
    const again = pool.restart('db').catch((error: unknown) => error);
    expect(await attempt).toMatchObject({ code: 'UPSTREAM_CLOSED', message: expect.stringContaining('changed or removed') });
    await until(() => texts().filter((text) => text.startsWith('using')).length === 2);
    await pool.configure({});
    expect(await again).toMatchObject({ code: 'UPSTREAM_CLOSED' });
  });

  it('leaves an attempt over HTTP behind as well', async () => {
    const silent = await listen(() => new Promise(() => {}));
    pool = poolOf({ web: remote('http', silent.url), events: remote('sse', silent.url) }, { connectTimeoutMs: 60_000 });
    const attempts = ['web', 'events'].map((name) => pool.tools(name).catch((error: unknown) => error));
    await until(() => silent.requests.length >= 2);
    await pool.configure({});
    expect(await Promise.all(attempts)).toMatchObject([{ code: 'UPSTREAM_CLOSED' }, { code: 'UPSTREAM_CLOSED' }]);
    await silent.close();
  });
});

describe('a stubborn server', () => {
  it('is gone soon enough for a host that waits four seconds', async () => {
    pool = poolOf({ db: plain('--ignore-eof', '--grandchild') });
    const { pid } = await who();
    vi.useFakeTimers({ toFake: ['performance'] });
    const began = performance.now();
    let took: number | undefined;
    void pool.close().then(() => {
      took = performance.now() - began;
    });
    await until(() => {
      vi.advanceTimersByTime(100);
      return took !== undefined;
    });
    expect(took).toBeLessThan(3_500);
    await until(() => !isAlive(pid));
  });
});

describe('the log', () => {
  it("tells the server's words and its connection's fate, without secrets", async () => {
    const secret = 's3cret"value';
    pool = poolOf(
      { db: fixture('', { args: [fixturePath('plain-server.mjs'), '--say-key'], env: { KEY: '${secret:ab}' } }) },
      { resolveSecrets: (_name, upstream) => ({ ...upstream, env: { KEY: secret } }) as typeof upstream },
    );
    await pool.tools('db');
    await until(() => texts().some((text) => text.startsWith('using')));
    await pool.configure({ db: plain() });
    const lines = pool.log('db');
    expect(lines.map((line) => line.text)).toEqual([
      expect.stringMatching(/^Starting .*plain-server\.mjs --say-key$/),
      ...[expect.any(String), expect.any(String)],
      'Ended: its settings were changed',
    ]);
    expect(texts()).toEqual(expect.arrayContaining(['using the key •••', 'Connected: plain 1.2.3 (MCP 2025-11-25)']));
    expect(lines.find((line) => line.text.startsWith('using'))?.from).toBe('server');
    expect(lines.every((line) => !Number.isNaN(Date.parse(line.time)))).toBe(true);
  });

  it('is bounded, line by line and in all', async () => {
    const script = `for (let i = 0; i < 3000; i++) console.error('line ' + i); process.stderr.write('x'.repeat(100000)); setTimeout(() => {}, 200)`;
    pool = poolOf({ db: fixture('', { args: ['-e', script] }) });
    await pool.tools('db').catch(() => undefined);
    expect(texts().length).toBeLessThanOrEqual(500);
    expect(texts()).toContain('line 2999');
    expect(Math.max(...texts().map((text) => text.length))).toBeLessThan(2_100);
  });

  it('masks what a server says of a secret in its errors', async () => {
    const script = 'console.error("Error: bad password " + process.env.PASSWORD); process.exit(1)';
    pool = poolOf({ db: fixture('', { args: ['-e', script], env: { PASSWORD: 'hunter2' } }) });
    const failure = await pool.tools('db').catch((error: unknown) => error);
    expect(failure).toMatchObject({ hint: expect.stringContaining('bad password •••') });
  });
});

describe('the working folder', () => {
  it("is the entry's, else the program's choice", async () => {
    const home = realpathSync(os.homedir());
    const temporary = realpathSync(os.tmpdir());
    pool = poolOf({ db: plain(), other: fixture('plain-server.mjs', { cwd: temporary }) }, { workingDirectory: home });
    expect([(await who()).cwd, (await who('other')).cwd]).toEqual([home, temporary]);
  });
});
