import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../shared/lib/fixtures/eventually.ts';
import { limits } from '../../shared/lib/fixtures/limits.ts';
import { argumentsOf, fixture, fixturePath, isAlive, poolOf, textOf } from './fixtures/support.ts';
import { rootsOf } from './roots.ts';
import type { CallHooks, UpstreamPool } from './types.ts';

let pool: UpstreamPool;
afterEach(() => pool.close());

const having = (...uris: string[]): CallHooks => ({ roots: async () => uris.map((uri) => ({ uri, name: `of ${uri}` })) });
const [ann, ben] = [having('file:///ann', 'file:///shared'), having('file:///ben')];
const rooted = () => fixture('rooted-server.mjs');
const pidFile = async () => path.join(await mkdtemp(path.join(tmpdir(), 'roots-')), 'pids');

async function where(caller: CallHooks): Promise<{ pid: number; roots: string[] }> {
  await pool.tool('rooted', 'where');
  return JSON.parse(textOf(await pool.callTool('rooted', 'where', argumentsOf({}), caller)));
}

describe('a server that asks for roots', () => {
  it('has a connection for each set of them', async () => {
    pool = poolOf({ rooted: rooted() });
    const [first, second, third, none] = await Promise.all([ann, ben, having('file:///shared', 'file:///ann'), {}].map(where));
    expect(first?.roots).toEqual(['file:///ann', 'file:///shared']);
    expect(second?.roots).toEqual(['file:///ben']);
    expect(none?.roots).toEqual([]);
    expect(third?.pid).toBe(first?.pid);
    expect(new Set([first, second, none].map((each) => each?.pid)).size).toBe(3);
    expect((await where(ann)).pid).toBe(first?.pid);
  });

  it('is started for others when its callers have left it for a while, and when it has died', async () => {
    pool = poolOf({ rooted: rooted() }, { upstreamIdleMs: 50 });
    const { pid } = await where(ann);
    await eventually(() => expect(isAlive(pid)).toBe(false));
    await eventually(() => expect(pool.status('rooted')).toMatchObject([{ state: 'idle' }]));
    const again = await where(ann);
    expect(again).toMatchObject({ roots: ['file:///ann', 'file:///shared'] });
    expect(again.pid).not.toBe(pid);
    await pool.callTool('rooted', 'die', argumentsOf({}), ben).catch(() => undefined);
    expect(await where(ben)).toMatchObject({ roots: ['file:///ben'] });
  });

  it('ends in all its processes, with other settings, a restart and the end', async () => {
    pool = poolOf({ rooted: rooted() });
    const before = await Promise.all([where(ann), where(ben)]);
    expect(pool.status('rooted')).toMatchObject([{ state: 'ready', toolCount: 2 }]);
    await pool.restart('rooted');
    expect(before.some(({ pid }) => isAlive(pid))).toBe(false);
    const then = await Promise.all([where(ann), where(ben)]);
    await pool.configure({ rooted: { ...rooted(), env: { OTHER: '1' } } as ReturnType<typeof rooted> });
    expect(then.some(({ pid }) => isAlive(pid))).toBe(false);
    const last = await Promise.all([where(ann), where(ben)]);
    await pool.close();
    expect(last.some(({ pid }) => isAlive(pid))).toBe(false);
  });

  it('is not left running by a caller who goes while it starts', async () => {
    const file = await pidFile();
    pool = poolOf({ rooted: fixture('', { args: [fixturePath('rooted-server.mjs'), file] }) }, { upstreamIdleMs: 50 });
    await where({});
    const leaving = new AbortController();
    const call = pool.callTool('rooted', 'where', argumentsOf({}), { ...ann, signal: leaving.signal });
    await eventually(() => expect(pool.log('rooted').filter(({ text }) => text.startsWith('Starting'))).toHaveLength(2));
    leaving.abort();
    await expect(call).rejects.toMatchObject({ code: 'CANCELLED' });
    const alive = async () =>
      (await readFile(file, 'utf8'))
        .trim()
        .split('\n')
        .filter((pid) => isAlive(Number(pid)));
    await eventually(async () => expect(await alive()).toEqual([]));
  });

  it('is not started again for a call that waited for its roots while it was switched off', async () => {
    pool = poolOf({ rooted: rooted() });
    const { pid } = await where({});
    let answer = (_: []) => {};
    const roots = () =>
      new Promise<[]>((resolve) => {
        answer = resolve;
      });
    const call = pool.callTool('rooted', 'where', argumentsOf({}), { roots });
    await pool.configure({ rooted: fixture('rooted-server.mjs', { enabled: false }) });
    answer([]);
    await expect(call).rejects.toMatchObject({ code: 'UPSTREAM_CLOSED' });
    expect(isAlive(pid)).toBe(false);
  });

  it('says that it cannot be started for a caller', async () => {
    pool = poolOf({ rooted: fixture('', { args: [fixturePath('rooted-server.mjs'), await pidFile(), 'once'] }) });
    await where({});
    await expect(pool.callTool('rooted', 'where', argumentsOf({}), ann)).rejects.toMatchObject({ code: 'UPSTREAM_UNREACHABLE' });
    expect(pool.status('rooted')).toMatchObject([{ error: { code: 'UPSTREAM_UNREACHABLE' } }]);
  });

  it('has a bound of connections, the unused ended first', async () => {
    pool = poolOf({ rooted: rooted() });
    const first = await where(having('file:///0'));
    for (let number = 1; number <= 8; number += 1) await where(having(`file:///${number}`));
    await eventually(() => expect(isAlive(first.pid)).toBe(false));
  });

  it('is told of none while a caller does not give them', async () => {
    pool = poolOf({ rooted: rooted() });
    await pool.tools('rooted');
    const cancelled = new AbortController();
    const never = { roots: () => new Promise<never>(() => undefined), signal: cancelled.signal };
    const waiting = pool.callTool('rooted', 'where', argumentsOf({}), never);
    cancelled.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(await where({})).toMatchObject({ roots: [] });
  });
});

describe('a server that asks for roots in a call', () => {
  const ask = async (caller: CallHooks) =>
    JSON.parse(textOf(await pool.callTool('db', 'ask_roots', argumentsOf({}), caller))).roots.map(
      ({ uri }: { uri: string }) => uri,
    );

  it('hears those of the caller, and lists are those of a server that was told none', async () => {
    pool = poolOf({ db: fixture('plain-server.mjs') });
    const before = await pool.tools('db');
    expect(await ask(ann)).toEqual(['file:///ann', 'file:///shared']);
    expect(await pool.tools('db')).toEqual(before);
    const pidOf = async (caller: CallHooks) =>
      JSON.parse(textOf(await pool.callTool('db', 'whoami', argumentsOf({}), caller))).pid;
    expect(await pidOf({})).not.toBe(await pidOf(ann));
    expect(await ask(ben)).toEqual(['file:///ben']);
    expect(await ask({})).toEqual([]);
    expect(await ask(ann)).toEqual(['file:///ann', 'file:///shared']);
  });

  it('never hears those of another, however close the calls are', async () => {
    pool = poolOf({ db: fixture('plain-server.mjs') });
    await pool.tools('db');
    // A call that comes while the first one's client is still being asked waits, and has its own.
    let asked = () => {};
    let answer = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const slow: CallHooks = {
      async roots() {
        asked();
        await held;
        return rootsOf(ann);
      },
    };
    const first = ask(slow);
    await isAsked;
    const others = Promise.all([ask(ben), ask({})]);
    answer();
    expect(await first).toEqual(['file:///ann', 'file:///shared']);
    expect(await others).toEqual([['file:///ben'], []]);
    expect(await ask(ben)).toEqual(['file:///ben']);
  });

  it('hears none of a caller who does not say', async () => {
    pool = poolOf({ db: fixture('plain-server.mjs') });
    await pool.tools('db');
    expect(await ask({ roots: () => new Promise(() => {}) })).toEqual([]);
    expect(await ask(ben)).toEqual(['file:///ben']);
  });

  it('hears none where several call at once and it cannot be told whose they would be', async () => {
    pool = poolOf({ db: fixture('plain-server.mjs') });
    await pool.tools('db');
    const [one, other] = await Promise.all([ask(ann), ask(ben)]);
    expect([[], ['file:///ann', 'file:///shared']]).toContainEqual(one);
    expect([[], ['file:///ben']]).toContainEqual(other);
    expect(await ask({})).toEqual([]);
  });

  it('of the 2026 era asks its caller each time', async () => {
    pool = poolOf({ modern: fixture('modern-server.mjs') }, { probeTimeoutMs: limits.wait });
    const answer = async (caller: CallHooks) =>
      textOf(await pool.callTool('modern', 'ask', argumentsOf({ about: 'roots' }), caller));
    expect(await answer(ann)).toContain('file:///ann');
    expect(await answer(ben)).toContain('file:///ben');
    expect(await answer({})).not.toContain('file:');
  });
});
