import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../shared/lib/fixtures/eventually.ts';
import { limits } from '../../shared/lib/fixtures/limits.ts';
import { argumentsOf, fixture, isAlive, poolOf, textOf } from './fixtures/support.ts';
import type { CallHooks, UpstreamPool } from './types.ts';

let pool: UpstreamPool;
afterEach(() => pool.close());

const having = (...uris: string[]): CallHooks => ({ roots: async () => uris.map((uri) => ({ uri, name: `of ${uri}` })) });
const [ann, ben] = [having('file:///ann', 'file:///shared'), having('file:///ben')];
const rooted = () => fixture('rooted-server.mjs');

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

  it('hears those of the caller', async () => {
    pool = poolOf({ db: fixture('plain-server.mjs') });
    expect(await ask(ann)).toEqual(['file:///ann', 'file:///shared']);
    expect(await ask(ben)).toEqual(['file:///ben']);
    expect(await ask({})).toEqual([]);
    expect(await ask(ann)).toEqual(['file:///ann', 'file:///shared']);
  });

  it('hears none where it cannot be told whose they would be', async () => {
    pool = poolOf({ db: fixture('plain-server.mjs') });
    await pool.tools('db');
    // Only one of the two can be asked about; neither gets those of the other.
    const [one, other] = await Promise.all([ask(ann), ask(ben)]);
    expect([[], ['file:///ann', 'file:///shared']]).toContainEqual(one);
    expect([[], ['file:///ben']]).toContainEqual(other);
    expect(await ask(ben)).toEqual(['file:///ben']);
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
