import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../shared/lib/fixtures/eventually.ts';
import { pause } from '../../shared/lib/fixtures/waiting.ts';
import { argumentsOf, fixture, fixturePath, poolOf, textOf } from './fixtures/support.ts';
import type { UpstreamPool } from './types.ts';

let pool: UpstreamPool;
afterEach(() => pool.close());

const changing = (...args: string[]) => fixture('', { args: [fixturePath('changing-resource.mjs'), ...args] });
const touch = async () => textOf(await pool.callTool('memo', 'touch', argumentsOf({})));

describe('a subscription to a resource', () => {
  it('hears of its changes until it ends', async () => {
    pool = poolOf({ memo: changing() });
    let [one, other] = [0, 0];
    const end = await pool.subscribe('memo', 'memo://one', () => {
      one += 1;
    });
    const endOther = await pool.subscribe('memo', 'memo://one', () => {
      other += 1;
    });
    expect(await touch()).toBe('1');
    await eventually(() => expect([one, other]).toEqual([1, 1]));
    end();
    expect(await touch()).toBe('1');
    await eventually(() => expect([one, other]).toEqual([1, 2]));
    endOther();
    await eventually(async () => expect(await touch()).toBe('0'));
    expect([one, other]).toEqual([1, 2]);
  });

  it('keeps its server from being ended for idleness', async () => {
    pool = poolOf({ memo: changing() }, { upstreamIdleMs: 30 });
    const end = await pool.subscribe('memo', 'memo://one', () => undefined);
    await pause(120, 'longer than a server may be idle');
    expect(pool.status('memo')).toMatchObject([{ state: 'ready' }]);
    end();
    await eventually(() => expect(pool.status('memo')).toMatchObject([{ state: 'idle' }]));
  });

  it('is made again after a new start, and tells that something may have changed', async () => {
    pool = poolOf({ memo: changing() });
    let heard = 0;
    await pool.subscribe('memo', 'memo://one', () => {
      heard += 1;
    });
    await pool.callTool('memo', 'die', argumentsOf({})).catch(() => undefined);
    await pool.tools('memo', { refresh: true });
    await eventually(() => expect(heard).toBe(1));
    expect(await touch()).toBe('1');
    await eventually(() => expect(heard).toBe(2));
    await pool.restart('memo');
    await eventually(() => expect(heard).toBe(3));
  });

  it('is refused in words by a server that announces nothing', async () => {
    pool = poolOf({ memo: changing('mute') });
    await expect(pool.subscribe('memo', 'memo://one', () => undefined)).rejects.toThrow('does not announce changes of resources');
  });
});
