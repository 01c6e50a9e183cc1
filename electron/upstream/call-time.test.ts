import { afterEach, describe, expect, it, vi } from 'vitest';
import { limits } from '../../shared/lib/fixtures/limits.ts';
import { until } from '../../shared/lib/fixtures/waiting.ts';
import type { AppError } from '../../shared/model/errors.ts';
import { Silence } from './call-time.ts';
import { argumentsOf, fixture, poolOf, textOf } from './fixtures/support.ts';
import type { UpstreamPool } from './types.ts';

let pool: UpstreamPool | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await pool?.close();
  pool = undefined;
});

/** A server whose tool `stop` runs the given code. */
function server(code: string) {
  const greeting = `{ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'db', version: '1' } }`;
  const script = `const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
    const text = (id, text) => send({ id, result: { content: [{ type: 'text', text: String(text) }] } });
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      if (method === 'initialize') send({ id, result: ${greeting} });
      else if (method === 'tools/call' && params.name === 'stop') { ${code} }
      else if (method === 'tools/call' && params.name === 'pid') text(id, process.pid);
      else if (method === 'tools/call' && params.name === 'wait') {}
      else if (method === 'ping') send({ id, result: {} });
      else if (id !== undefined) send({ id, error: { code: -32601, message: 'unknown' } });
    });`;
  return { ...fixture('', { args: ['-e', script] }), timeoutMs: limits.wait };
}

const call = (tool: string) => (pool as UpstreamPool).callTool('db', tool, argumentsOf({}));
const failureOf = (tool: string): Promise<AppError> =>
  call(tool).then(
    () => expect.fail('it answered'),
    (error) => error,
  );

/** The failure of a call whose time runs out at once. Real time goes on for all but the limits of calls. */
async function timedOut(tool: string): Promise<AppError> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const failure = failureOf(tool);
  // The limit is set in the same turn as the call is sent.
  await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(0);
  vi.advanceTimersByTime(limits.wait);
  return failure.finally(() => vi.useRealTimers());
}

describe('a server over standard input and output', () => {
  it('that answers nothing any more is ended at the second call, and the next call starts it again', async () => {
    pool = poolOf({ db: server('for (;;);') });
    const before = textOf(await call('pid'));
    expect((await timedOut('stop')).hint).toContain('timeoutMs');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let second: AppError | undefined;
    void failureOf('pid').then((failure) => {
      second = failure;
    });
    // First the call, then the ping.
    await expect
      .poll(() => {
        vi.advanceTimersByTime(limits.wait);
        return second;
      })
      .toBeDefined();
    vi.useRealTimers();
    expect(second).toMatchObject({ code: 'UPSTREAM_TIMEOUT', message: expect.stringContaining('has stopped answering at all') });
    expect(second?.hint).toContain('the next call starts it again');
    expect(textOf(await call('pid'))).not.toBe(before);
  });

  it('whose calls take long is left alone while it gives signs of life', async () => {
    pool = poolOf({ db: server('') });
    const before = textOf(await call('pid'));
    for (let i = 0; i < 3; i++) expect((await timedOut('wait')).hint).toContain('timeoutMs');
    expect(textOf(await call('pid'))).toBe(before);
  });

  it('that closes its output is ended', async () => {
    pool = poolOf({ db: server('require("node:fs").closeSync(1); setInterval(() => {}, 1000);') });
    const before = textOf(await call('pid'));
    expect((await failureOf('stop')).code).toBe('UPSTREAM_CLOSED');
    await until(async () => textOf(await call('pid')) !== before);
  });

  it('whose answer is nested too deep for anybody to read gets an error for it', async () => {
    const deep = `process.stdout.write('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',"result":{"content":[],"structuredContent":{"a":' + '['.repeat(20000) + ']'.repeat(20000) + '}}}\\n')`;
    pool = poolOf({ db: server(deep) });
    expect(await failureOf('stop')).toMatchObject({
      code: 'UPSTREAM_FAILED',
      message: expect.stringContaining('nested over 1000 levels deep'),
    });
    expect(textOf(await call('pid'))).toMatch(/^\d+$/);
  });

  it.each([
    ['a line of 3 MB that is no message', `for (let i = 0; i < 3; i++) process.stdout.write('x'.repeat(1e6)); console.log();`],
    ['answers to calls nobody made', `for (const id of [-1, 999999, 'x', null, {}]) text(id, 'nobody asked');`],
    ['the same answer twice', `text(id, 'first');`],
    ['half a line before the answer', `process.stdout.write('{"jsonrpc":"2.0","id":'); console.log();`],
    [
      'a message that is a list, a number or nothing',
      `console.log('[]'); console.log('5'); console.log('null'); console.log('{}');`,
    ],
  ])('that sends %s is still of use', async (_, code) => {
    pool = poolOf({ db: server(`${code} text(id, 'answered');`) });
    const before = textOf(await call('pid'));
    expect(['answered', 'first']).toContain(textOf(await call('stop')));
    expect(textOf(await call('pid'))).toBe(before);
  });

  it('whose answer holds half a character is answered', async () => {
    const half = String.raw`process.stdout.write('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',"result":{"content":[{"type":"text","text":"a\ud800b"}]}}\n');`;
    pool = poolOf({ db: server(half) });
    expect(textOf(await call('stop'))).toMatch(/^a.b$/s);
  });

  it('that ends in the middle of a line fails that call, and the next call starts it again', async () => {
    const half = `process.stdout.write('{"jsonrpc":"2.0","id":', () => process.exit(3));`;
    pool = poolOf({ db: server(half) });
    const before = textOf(await call('pid'));
    expect((await failureOf('stop')).code).toBe('UPSTREAM_CLOSED');
    expect(textOf(await call('pid'))).not.toBe(before);
  });
});

describe('silence', () => {
  it('counts calls one after another, not those at the same time', () => {
    const silence = new Silence();
    const [one, two] = [silence.begin(5), silence.begin(5)];
    expect([one.lasts(5), two.lasts(5)]).toEqual([false, false]);
    expect(silence.begin(5).lasts(5)).toBe(true);
  });

  it('ends with whatever comes', () => {
    const silence = new Silence();
    expect(silence.begin(5).lasts(5)).toBe(false);
    expect(silence.begin(5).lasts(6)).toBe(false);
    expect(silence.begin(6).lasts(6)).toBe(false);
    expect(silence.begin(6).lasts(6)).toBe(true);
  });
});
