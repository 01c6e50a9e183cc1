import { expect, it } from 'vitest';
import { fixture, isAlive, poolOf } from '../upstream/fixtures/support.ts';
import { testUpstream } from './upstream-test.ts';

it('waits for a silent server no longer than it should, and ends it', async () => {
  const script = 'console.error(process.pid); process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)';
  const result = await testUpstream('db', fixture('', { args: ['-e', script] }), (upstreams) => poolOf(upstreams), {
    patienceMs: 700,
  });
  expect(result).toMatchObject({
    ok: false,
    error: { code: 'UPSTREAM_TIMEOUT', message: expect.stringContaining('was not ready') },
  });
  expect(isAlive(Number(result.log[0]))).toBe(false);
});

it('tries one that is switched off', async () => {
  const off = fixture('plain-server.mjs', { enabled: false });
  expect(await testUpstream('db', off, (upstreams) => poolOf(upstreams))).toMatchObject({ ok: true });
});
