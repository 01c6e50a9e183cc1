/** The memory that long arguments take on their way over HTTP, measured in a process that does nothing else. */
import { expect, it } from 'vitest';
import { hashingServer } from './fixtures/http-servers.ts';
import { argumentsOf, bigArguments, poolOf, remote, textOf } from './fixtures/support.ts';

it('streams 200 MB in less memory than they have', async () => {
  const server = await hashingServer();
  const pool = poolOf({ web: remote('http', server.url, { maxMessageBytes: 400_000_000 }) });
  const args = bigArguments(200);
  await pool.callTool('web', 'hash', argumentsOf({}));
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  const { bytes, announced } = JSON.parse(textOf(await pool.callTool('web', 'hash', args)));
  clearInterval(watch);
  expect(announced).toBe(bytes);
  // The receiver runs in this very process, so both ends count.
  expect(peak - before).toBeLessThan(args.bytes);
  await pool.close();
  await server.close();
});
