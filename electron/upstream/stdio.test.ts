import { afterEach, describe, expect, it, vi } from 'vitest';
import { limits } from '../../shared/lib/fixtures/limits.ts';
import { until } from '../../shared/lib/fixtures/waiting.ts';
import type { AppError } from '../../shared/model/errors.ts';
import { argumentsOf, bigArguments, fixture, isAlive, poolOf, textOf } from './fixtures/support.ts';
import type { JsonObject, UpstreamPool } from './types.ts';

let pool: UpstreamPool;
afterEach(() => {
  vi.useRealTimers();
  return pool.close();
});

/** From here on the time of calls and of idleness passes with `vi.advanceTimersByTime` alone. */
const stopTheClock = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
const callsReceived = async () => Number(textOf(await pool.callTool('db', 'count', argumentsOf({}))));
const cancellations = async () => JSON.parse(textOf(await pool.callTool('db', 'cancelled', argumentsOf({})))).length;

const plain = (...flags: string[]) => {
  const upstream = fixture('plain-server.mjs');
  if (upstream.type === 'stdio') upstream.args = [...upstream.args, ...flags];
  return upstream;
};
const failureOf = async (call: Promise<unknown>): Promise<AppError> => {
  const outcome = await call.then(
    () => new Error('it did not fail'),
    (error: unknown) => error,
  );
  return outcome as AppError;
};

describe('arguments on the way out', () => {
  it('keeps the digits of integers that a double cannot hold', async () => {
    pool = poolOf({ db: plain() });
    const text = '{"id":12345678901234567890,"name":"Zoë"}';
    const { createHash } = await import('node:crypto');
    expect(JSON.parse(textOf(await pool.callTool('db', 'hash', argumentsOf(text))))).toEqual({
      bytes: Buffer.byteLength(text),
      sha256: createHash('sha256').update(text).digest('hex'),
    });
  });

  it('writes one line at a time and byte for byte, however many calls there are', async () => {
    pool = poolOf({ db: { ...plain(), maxMessageBytes: 20_000_000 } });
    const big = bigArguments(2);
    const calls = Array.from({ length: 8 }, (_, i) =>
      i % 2 === 0 ? pool.callTool('db', 'hash', big) : pool.callTool('db', 'echo', argumentsOf({ i })),
    );
    const texts = (await Promise.all(calls)).map(textOf);
    expect(texts.filter((_, i) => i % 2 === 1)).toEqual([1, 3, 5, 7].map((i) => `{"i":${i}}`));
    for (const text of texts.filter((_, i) => i % 2 === 0)) expect(JSON.parse(text).sha256).toBe(big.sha256);
  });

  it('refuses a message above the cap before anything is sent', async () => {
    pool = poolOf({ db: { ...plain(), maxMessageBytes: 2 ** 20 } });
    const failure = await failureOf(pool.callTool('db', 'hash', { ...argumentsOf({}), bytes: 2 ** 20 + 1 }));
    expect(failure).toMatchObject({
      code: 'MESSAGE_TOO_LARGE',
      message: expect.stringContaining("1 MB that server 'db' accepts"),
    });
    expect(failure.hint).toMatch(
      /^Send less in one call: .*batch: "auto"; .* the user can raise maxMessageBytes of 'db' in Filebridge$/,
    );
    expect(textOf(await pool.callTool('db', 'count', argumentsOf({})))).toBe('1');
  });

  it('drops a small call whose file shrank, and goes on', async () => {
    pool = poolOf({ db: plain() });
    const pid = JSON.parse(textOf(await pool.callTool('db', 'whoami', argumentsOf({})))).pid;
    const failure = await failureOf(pool.callTool('db', 'echo', { ...argumentsOf({ a: 1 }), bytes: 99 }));
    expect(failure.code).toBe('FILE_CHANGED');
    expect(JSON.parse(textOf(await pool.callTool('db', 'whoami', argumentsOf({})))).pid).toBe(pid);
  });

  it('ends the server when a file fails in mid-line, and starts it again for the next call', async () => {
    pool = poolOf({ db: { ...plain(), maxMessageBytes: 20_000_000 } });
    const pid = JSON.parse(textOf(await pool.callTool('db', 'whoami', argumentsOf({})))).pid;
    const broken = {
      bytes: 5_000_000,
      async *json() {
        yield new Uint8Array(1_000_000).fill(0x20);
        throw new Error('disk error');
      },
    };
    const failure = await failureOf(pool.callTool('db', 'hash', broken));
    expect(failure.message).toContain('disk error');
    await until(() => !isAlive(pid));
    expect(textOf(await pool.callTool('db', 'echo', argumentsOf({ again: true })))).toBe('{"again":true}');
  });
});

describe('results on the way back', () => {
  it('passes unknown fields, unknown block types and misfitting structured content through', async () => {
    pool = poolOf({ db: plain() });
    expect(await pool.callTool('db', 'odd', argumentsOf({}))).toEqual({
      content: [
        { type: 'hologram', beam: [1, 2, 3] },
        { type: 'text', text: 'plain', flavour: 'vanilla' },
      ],
      structuredContent: ['not', 'an', 'object'],
      verdict: { unheard: 'of' },
      _meta: { 'example.com/trace': 7 },
    });
  });

  it('passes tool errors through as results', async () => {
    pool = poolOf({ db: plain() });
    expect(await pool.callTool('db', 'soft_error', argumentsOf({}))).toMatchObject({ isError: true });
  });

  it('takes an answer of 3 MB', async () => {
    pool = poolOf({ db: plain() });
    expect(textOf(await pool.callTool('db', 'huge', argumentsOf({ bytes: 3_000_000 })))).toHaveLength(3_000_000);
  });

  it('lists every page of tools, definitions untouched', async () => {
    pool = poolOf({ db: plain() });
    const tools = await pool.tools('db');
    expect(tools.length).toBeGreaterThan(10);
    expect(tools[0]).toEqual({
      name: 'hash',
      description: 'does hash',
      inputSchema: { type: 'object', 'x-vendor': { kept: true } },
      unheardOf: 'field',
    });
  });
});

describe('while a call runs', () => {
  it('passes progress on and lets it reset the timeout', async () => {
    pool = poolOf({ db: plain() }, { callTimeoutMs: 3000 });
    await pool.tools('db');
    stopTheClock();
    const seen: unknown[] = [];
    const onProgress = (progress: unknown) => {
      seen.push(progress);
      vi.advanceTimersByTime(2999);
    };
    expect(textOf(await pool.callTool('db', 'slow', argumentsOf({ steps: 6, every: 1 }), { onProgress }))).toBe('done');
    expect(seen).toHaveLength(6);
    expect(seen[0]).toEqual({ progress: 1, total: 6, message: 'step 1' });
  });

  it('times out with the name of the setting, and tells the upstream', async () => {
    pool = poolOf({ db: { ...plain(), timeoutMs: 2000 } });
    await pool.tools('db');
    stopTheClock();
    const call = failureOf(pool.callTool('db', 'never', argumentsOf({})));
    await expect.poll(callsReceived).toBeGreaterThan(1);
    vi.advanceTimersByTime(2000);
    const failure = await call;
    expect(failure).toMatchObject({ code: 'UPSTREAM_TIMEOUT', message: expect.stringContaining('upstreams.db.timeoutMs') });
    expect(failure.hint).toContain('background: true');
    await expect.poll(cancellations).toBe(1);
  });

  it('tells the upstream of a cancellation', async () => {
    pool = poolOf({ db: plain() });
    await pool.tools('db');
    const controller = new AbortController();
    const call = failureOf(pool.callTool('db', 'never', argumentsOf({}), { signal: controller.signal }));
    await until(async () => (await callsReceived()) > 1);
    controller.abort();
    expect((await call).code).toBe('CANCELLED');
    await until(async () => (await cancellations()) === 1);
  });

  it('finishes a line whose caller gave up in the middle, and keeps the connection', async () => {
    pool = poolOf({ db: { ...plain(), maxMessageBytes: 20_000_000 } });
    const pid = JSON.parse(textOf(await pool.callTool('db', 'whoami', argumentsOf({})))).pid;
    const controller = new AbortController();
    const args = bigArguments(4);
    let ended = false;
    const abortingHalfway = {
      bytes: args.bytes,
      async *json() {
        let sent = 0;
        for await (const chunk of args.json()) {
          sent += chunk.byteLength;
          if (sent > 2_000_000) controller.abort();
          yield chunk;
        }
        ended = true;
      },
    };
    const failure = await failureOf(pool.callTool('db', 'hash', abortingHalfway, { signal: controller.signal }));
    expect([failure.code, ended]).toEqual(['CANCELLED', true]);
    expect(JSON.parse(textOf(await pool.callTool('db', 'whoami', argumentsOf({})))).pid).toBe(pid);
  });

  /** Gives up a call of so many MB while its server reads nothing. Tells how much was read of the arguments, and whether to their end. */
  async function givenUp(megabytes: number) {
    pool = poolOf({ db: { ...plain(), maxMessageBytes: 200_000_000 } });
    const { pid } = JSON.parse(textOf(await pool.callTool('db', 'whoami', argumentsOf({}))));
    process.kill(pid, 'SIGSTOP');
    try {
      const controller = new AbortController();
      const args = bigArguments(megabytes);
      let read = 0;
      let left = false;
      const watched = {
        bytes: args.bytes,
        async *json() {
          try {
            for await (const chunk of args.json()) {
              read += chunk.byteLength;
              yield chunk;
            }
          } finally {
            left = true;
          }
        },
      };
      const call = failureOf(pool.callTool('db', 'hash', watched, { signal: controller.signal }));
      await until(() => read > 600_000);
      controller.abort();
      const { code } = await call;
      return { code, read, whole: read === args.bytes, left, pid };
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  }

  it('need not wait for a slow server to be given up, which gets the whole line all the same', async () => {
    const { pid, ...rest } = await givenUp(4);
    expect(rest).toMatchObject({ code: 'CANCELLED', whole: true, left: true });
    expect(JSON.parse(textOf(await pool.callTool('db', 'whoami', argumentsOf({})))).pid).toBe(pid);
    expect(textOf(await pool.callTool('db', 'broken', argumentsOf({})))).toBe('0');
    expect(await cancellations()).toBe(1);
  });

  it('break off where a slow server has most of them to come, and keep the connection', async () => {
    const { pid, read, ...rest } = await givenUp(12);
    expect(rest).toMatchObject({ code: 'CANCELLED', whole: false, left: true });
    expect(read).toBeLessThan(6_000_000);
    expect(JSON.parse(textOf(await pool.callTool('db', 'whoami', argumentsOf({})))).pid).toBe(pid);
    expect(textOf(await pool.callTool('db', 'broken', argumentsOf({})))).toBe('1');
  });

  it("passes the upstream's questions to the caller, and its answer back", async () => {
    pool = poolOf({ db: plain() });
    const asked: JsonObject[] = [];
    const elicit = async (params: JsonObject) => {
      asked.push(params);
      return { action: 'accept', content: { table: 'users' } };
    };
    const answer = await pool.callTool('db', 'ask_person', argumentsOf({}), { elicit });
    expect(JSON.parse(textOf(answer))).toEqual({ action: 'accept', content: { table: 'users' } });
    expect(asked).toMatchObject([{ message: 'Which table?', extra: 1 }]);
    const sample = async () => ({ role: 'assistant', content: { type: 'text', text: 'hm' }, model: 'm' });
    expect(JSON.parse(textOf(await pool.callTool('db', 'ask_model', argumentsOf({}), { sample })))).toMatchObject({ model: 'm' });
  });

  it('declines questions nobody can answer, and has no roots where the caller has none', async () => {
    pool = poolOf({ db: plain() });
    const answer = async (tool: string) => JSON.parse(textOf(await pool.callTool('db', tool, argumentsOf({}))));
    expect(await answer('ask_person')).toEqual({ action: 'decline' });
    expect(await answer('ask_model')).toMatchObject({ error: { code: -1 } });
    expect(await answer('ask_roots')).toEqual({ roots: [] });
  });

  it('does not count the time a person takes to answer', async () => {
    pool = poolOf({ db: plain() }, { callTimeoutMs: 2000 });
    await pool.tools('db');
    stopTheClock();
    const elicit = async () => {
      vi.advanceTimersByTime(3000);
      return { action: 'cancel' };
    };
    expect(textOf(await pool.callTool('db', 'ask_person', argumentsOf({}), { elicit }))).toContain('cancel');
  });

  it("passes the upstream's log on", async () => {
    pool = poolOf({ db: plain() });
    const lines: JsonObject[] = [];
    await pool.callTool('db', 'log', argumentsOf({}), { onLog: (params) => lines.push(params) });
    expect(lines).toEqual([{ level: 'warning', data: 'disk is nearly full', odd: true }]);
  });

  it('drops the list of tools when the upstream says it changed', async () => {
    pool = poolOf({ db: plain() });
    const changed: string[] = [];
    pool.onToolsChanged((name) => changed.push(name));
    expect((await pool.tools('db')).map((tool) => tool.name)).not.toContain('new_tool');
    await pool.callTool('db', 'grow', argumentsOf({}));
    await until(() => changed.length > 0);
    expect((await pool.tools('db')).map((tool) => tool.name)).toContain('new_tool');
  });
});

describe('what goes wrong', () => {
  it('tells the error of a server that ends at once, not the end of its stack trace', async () => {
    const script = 'function start() { throw new Error("DB_URL is not set"); } start()';
    pool = poolOf({ db: fixture('plain-server.mjs', { args: ['-e', script] }) });
    const failure = await failureOf(pool.tools('db'));
    expect(failure).toMatchObject({ code: 'UPSTREAM_UNREACHABLE' });
    expect(failure.text).toMatch(/It said: .*Error: DB_URL is not set$/);
  });

  it('names a command that is not there', async () => {
    pool = poolOf({ db: fixture('', { command: 'no-such-command-here', args: [] }) });
    const failure = await failureOf(pool.callTool('db', 'x', argumentsOf({})));
    expect(failure).toMatchObject({
      code: 'UPSTREAM_UNREACHABLE',
      message: "Server 'db' could not be started: command 'no-such-command-here' was not found",
    });
    expect(failure.hint).toContain('PATH');
    expect(pool.status('db')).toMatchObject([{ state: 'backoff', lastError: failure.message, lastHint: failure.hint ?? null }]);
  });

  it('names a working folder that is not there', async () => {
    pool = poolOf({ db: fixture('plain-server.mjs', { cwd: '/no/such/folder' }) });
    expect((await failureOf(pool.tools('db'))).message).toContain("working folder '/no/such/folder' does not exist");
  });

  it('repeats the last words of a server that ends at once', async () => {
    pool = poolOf({ db: plain('--crash-at-start') });
    const failure = await failureOf(pool.tools('db'));
    expect(failure).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', message: expect.stringContaining('exit code 3') });
    expect(failure.hint).toContain('file is locked');
  });

  it('says that a server does not answer its greeting', async () => {
    pool = poolOf({ db: plain('--no-greeting') }, { connectTimeoutMs: 50 });
    expect((await failureOf(pool.tools('db'))).message).toBe("Server 'db' did not finish starting within 50 ms");
  });

  it('fails the calls of a crashed server and starts it again for the next', async () => {
    pool = poolOf({ db: plain() });
    const bystander = failureOf(pool.callTool('db', 'never', argumentsOf({})));
    const failure = await failureOf(pool.callTool('db', 'crash', argumentsOf({})));
    expect(failure).toMatchObject({
      code: 'UPSTREAM_CLOSED',
      message: "Server 'db' ended while 'crash' was running (exit code 7)",
    });
    expect(failure.hint).toContain('out of memory while sorting');
    expect((await bystander).message).toContain("while 'never' was running");
    expect(pool.log('db').map((line) => line.text)).toEqual(
      expect.arrayContaining(['out of memory while sorting', 'The server ended (exit code 7)']),
    );
    expect(textOf(await pool.callTool('db', 'echo', argumentsOf({ back: 1 })))).toBe('{"back":1}');
  });

  it('survives a server killed from outside', async () => {
    pool = poolOf({ db: plain() });
    const { pid } = JSON.parse(textOf(await pool.callTool('db', 'whoami', argumentsOf({}))));
    const call = failureOf(pool.callTool('db', 'never', argumentsOf({})));
    await until(async () => (await callsReceived()) > 2);
    process.kill(pid, 'SIGKILL');
    expect((await call).message).toBe("Server 'db' ended while 'never' was running (ended by SIGKILL)");
  });

  it("gives the upstream's own reason", async () => {
    pool = poolOf({ db: plain() });
    expect(await failureOf(pool.callTool('db', 'hard_error', argumentsOf({})))).toMatchObject({
      code: 'UPSTREAM_FAILED',
      message: "Upstream tool 'hard_error' failed: table is missing",
    });
  });
});

describe('eras', () => {
  it.each([['--silent'], ['--exit-on-unknown']])('greets a server that is %s on unknown methods the 2025 way', async (flag) => {
    pool = poolOf({ db: plain(flag) }, { probeTimeoutMs: 300 });
    expect(textOf(await pool.callTool('db', 'echo', argumentsOf({ a: 1 })))).toBe('{"a":1}');
    expect(pool.status('db')).toMatchObject([{ state: 'ready', serverInfo: { name: 'plain', version: '1.2.3' } }]);
  });

  it('speaks 2026-07-28 with a server that does', async () => {
    pool = poolOf({ db: fixture('modern-server.mjs') }, { probeTimeoutMs: limits.wait });
    expect(textOf(await pool.callTool('db', 'echo', argumentsOf({ a: 1 })))).toBe('{"a":1}');
    expect(pool.status('db')).toMatchObject([{ protocolVersion: '2026-07-28' }]);
  });

  it('speaks with a 2026 server that comes up after the probe', async () => {
    pool = poolOf({ db: fixture('modern-server.mjs') }, { probeTimeoutMs: 1 });
    expect(textOf(await pool.callTool('db', 'echo', argumentsOf({ a: 1 })))).toBe('{"a":1}');
  });

  it('answers the questions of a 2026 server within their call', async () => {
    pool = poolOf({ db: fixture('modern-server.mjs') });
    const elicit = async () => ({ action: 'accept', content: { table: 'users' } });
    const result = await pool.callTool('db', 'ask', argumentsOf({ big: 1 }), { elicit });
    expect(JSON.parse(textOf(result))).toEqual({ args: { big: 1 }, answer: { action: 'accept', content: { table: 'users' } } });
  });

  it('passes odd results of a 2026 server through too', async () => {
    pool = poolOf({ db: plain('--modern') });
    const result = await pool.callTool('db', 'odd', argumentsOf({}));
    expect(pool.status('db')).toMatchObject([{ protocolVersion: '2026-07-28' }]);
    expect(result.content[0]).toEqual({ type: 'hologram', beam: [1, 2, 3] });
    expect(Object.keys(result).sort()).toEqual(['_meta', 'content', 'structuredContent', 'verdict']);
  });

  it('starts a server again that came up late and ended at the sight of the probe', async () => {
    pool = poolOf({ db: plain('--exit-on-unknown') }, { probeTimeoutMs: 1 });
    expect(textOf(await pool.callTool('db', 'echo', argumentsOf({ a: 1 })))).toBe('{"a":1}');
  });
});

describe('the end', () => {
  it.each([[['--grandchild']], [['--grandchild', '--ignore-eof']]])('leaves no process behind (%j)', async (flags) => {
    pool = poolOf({ db: plain(...flags) });
    const { pid, grandchild } = JSON.parse(textOf(await pool.callTool('db', 'whoami', argumentsOf({}))));
    expect([isAlive(pid), isAlive(grandchild)]).toEqual([true, true]);
    vi.useFakeTimers({ toFake: ['performance'] });
    let closed = false;
    void pool.close().then(() => {
      closed = true;
    });
    await until(() => {
      vi.advanceTimersByTime(500);
      return closed;
    });
    await until(() => !isAlive(pid) && !isAlive(grandchild));
  });

  it('closes an idle server, and never one with a call in flight', async () => {
    pool = poolOf({ db: plain() }, { upstreamIdleMs: 10_000 });
    const { pid } = JSON.parse(textOf(await pool.callTool('db', 'whoami', argumentsOf({}))));
    stopTheClock();
    await pool.callTool('db', 'slow', argumentsOf({ steps: 1, every: 1 }), { onProgress: () => vi.advanceTimersByTime(14_000) });
    expect(pool.status('db')).toMatchObject([{ state: 'ready' }]);
    expect(isAlive(pid)).toBe(true);
    vi.advanceTimersByTime(9_999);
    expect(pool.status('db')).toMatchObject([{ state: 'ready' }]);
    vi.advanceTimersByTime(1);
    expect(pool.status('db')).toMatchObject([{ state: 'idle', lastError: null }]);
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('gives a child the safe variables and its own, not all of ours', async () => {
    process.env.FILEBRIDGE_TEST_SECRET = 'x';
    pool = poolOf({ db: fixture('plain-server.mjs', { env: { OWN: '1' } }) });
    const { env } = JSON.parse(textOf(await pool.callTool('db', 'whoami', argumentsOf({}))));
    delete process.env.FILEBRIDGE_TEST_SECRET;
    expect(env).toContain('PATH');
    expect(env).toContain('OWN');
    expect(env).not.toContain('FILEBRIDGE_TEST_SECRET');
  });
});
