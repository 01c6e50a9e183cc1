/** `npm run soak`: the soak test for an hour, or for SOAK_MINUTES. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const { status } = spawnSync(
  process.execPath,
  [fileURLToPath(new URL('on-screen.mjs', import.meta.url)), 'slow', 'e2e/soak.slow.test.ts'],
  { stdio: 'inherit', env: { SOAK_MINUTES: '60', ...process.env } },
);
process.exitCode = status ?? 1;
