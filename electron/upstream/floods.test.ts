import { afterEach, describe, expect, it, vi } from 'vitest';
import { argumentsOf, fixture, poolOf, textOf } from './fixtures/support.ts';
import type { UpstreamPool } from './types.ts';

let pool: UpstreamPool;
afterEach(() => {
  vi.useRealTimers();
  return pool.close();
});

const flood = (kind: string, count: number, bytes = 0) => argumentsOf({ kind, count, bytes });
const listings = async () => Number(textOf(await pool.callTool('wild', 'listings', argumentsOf({}))));

function open(log?: (line: string) => void): void {
  const wild = fixture('flooding-server.mjs');
  pool = poolOf({ wild, calm: wild }, log ? { log } : {});
}

describe('a server that sends without end', () => {
  it.each([
    ['progress', 3_000, 0],
    ['tokens', 3_000, 0],
    ['log', 3_000, 100],
    ['answers', 3_000, 100],
    ['changes', 3_000, 0],
    ['junk', 3_000, 100],
    ['answers', 5, 900_000],
  ])('holds up nobody else, and fills no log: %s', async (kind, count, bytes) => {
    const lines: string[] = [];
    open((line) => lines.push(line));
    let done = false;
    const call = pool.callTool('wild', 'flood', flood(kind, count, bytes), { onProgress: () => {}, onLog: () => {} });
    const end = call.then(() => {
      done = true;
    });
    await pool.tools('calm');
    for (let n = 0; !done && n < 50; n += 1) {
      expect(textOf(await pool.callTool('calm', 'echo', argumentsOf({ said: n })))).toBe(String(n));
    }
    await end;
    expect(textOf(await call)).toBe('done');
    expect(lines.length).toBeLessThan(1_000);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(3_000);
  });

  it('is not read faster than what it sends is handled', async () => {
    open();
    let handled = 0;
    let mostAhead = 0;
    const onLog = () => {
      handled += 1;
      if (handled % 100 > 0) return;
      const last = pool.log('wild').findLast(({ text }) => text.startsWith('written '))?.text;
      mostAhead = Math.max(mostAhead, Number(last?.slice('written '.length) ?? 0) - handled);
    };
    await pool.callTool('wild', 'flood', flood('log', 10_000), { onLog });
    expect(handled).toBe(10_000);
    // What the pipe and one chunk hold: about a thousand each.
    expect(mostAhead).toBeLessThan(5_000);
  });

  it('is not listed again for each change that it announces', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    open();
    await pool.tools('wild');
    pool.onToolsChanged((name) => void pool.tools(name));
    // Calls look for their tool meanwhile.
    for (let halfSeconds = 0; halfSeconds < 30; halfSeconds += 1) {
      await pool.callTool('wild', 'flood', flood('changes', 3));
      await pool.tool('wild', 'echo');
      vi.advanceTimersByTime(500);
    }
    const listed = await listings();
    // The first list, a burst of five, then one in five seconds.
    expect(listed).toBeGreaterThanOrEqual(1 + 5);
    expect(listed).toBeLessThanOrEqual(1 + 6 + 15 / 5);
  });
});
