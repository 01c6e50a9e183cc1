/** `npm run attacks`: runs every attack with every tool over every transport, and prints a table of results. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const { status } = spawnSync(
  process.execPath,
  [fileURLToPath(new URL('on-screen.mjs', import.meta.url)), 'slow', 'e2e/attacks.slow.test.ts'],
  { stdio: 'inherit', env: { ATTACKS: 'all', ...process.env } },
);
process.exitCode = status ?? 1;
