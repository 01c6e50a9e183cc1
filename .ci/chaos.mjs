/** `npm run chaos`: kills work at every file operation instead of a sample. CHAOS_EVERY=n tries every n-th one. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const { status } = spawnSync(
  process.execPath,
  [fileURLToPath(new URL('on-screen.mjs', import.meta.url)), 'slow', 'e2e/chaos.slow.test.ts', 'e2e/chaos-disks.slow.test.ts'],
  { stdio: 'inherit', env: { CHAOS_EVERY: '1', ...process.env } },
);
process.exitCode = status ?? 1;
