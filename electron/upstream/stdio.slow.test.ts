/** The memory that long arguments take, measured in a process that does nothing else. */
import { afterEach, expect, it } from 'vitest';
import { argumentsOf, bigArguments, fixture, poolOf, textOf } from './fixtures/support.ts';
import type { UpstreamPool } from './types.ts';

let pool: UpstreamPool;
afterEach(() => pool.close());

it('streams 200 MB byte for byte in less memory than they have', async () => {
  pool = poolOf({ db: { ...fixture('plain-server.mjs'), maxMessageBytes: 400_000_000 } });
  const args = bigArguments(200);
  await pool.callTool('db', 'hash', argumentsOf({}));
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  const result = await pool.callTool('db', 'hash', args);
  clearInterval(watch);
  expect(JSON.parse(textOf(result))).toEqual({ bytes: args.bytes, sha256: args.sha256 });
  expect(peak - before).toBeLessThan(args.bytes);
});
