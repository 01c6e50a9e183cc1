import { afterEach, expect, it, vi } from 'vitest';
import { limits } from '../../shared/lib/fixtures/limits.ts';
import type { Upstream } from '../../shared/model/config.ts';
import { fixture, isAlive, poolOf } from '../upstream/fixtures/support.ts';
import type { UpstreamPool } from '../upstream/types.ts';
import { testUpstream } from './upstream-test.ts';

afterEach(() => vi.useRealTimers());

it('waits for a silent server no longer than it should, and ends it', async () => {
  const script = 'console.error(process.pid); process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)';
  let pool: UpstreamPool | undefined;
  let result: Awaited<ReturnType<typeof testUpstream>> | undefined;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const patienceMs = limits.wait / 2;
  const open = (upstreams: Record<string, Upstream>) => {
    pool = poolOf(upstreams);
    return pool;
  };
  void testUpstream('db', fixture('', { args: ['-e', script] }), open, { patienceMs }).then((tested) => {
    result = tested;
  });
  await expect
    .poll(() => {
      if (pool?.log('db').some(({ from }) => from === 'server')) vi.advanceTimersByTime(patienceMs);
      return result;
    })
    .toMatchObject({ ok: false, error: { code: 'UPSTREAM_TIMEOUT', message: expect.stringContaining('was not ready') } });
  await expect.poll(() => isAlive(Number(result?.log[0]))).toBe(false);
});

it('tries one that is switched off', async () => {
  const off = fixture('plain-server.mjs', { enabled: false });
  expect(await testUpstream('db', off, (upstreams) => poolOf(upstreams))).toMatchObject({ ok: true });
});
