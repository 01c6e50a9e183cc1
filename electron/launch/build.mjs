/** Builds everything that is shipped; run by itself, as `npm install` does, only where it is stale and can be built. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isStale } from './stale.mjs';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');

/** Vite's exit code. */
export function build() {
  process.stdout.write('Building Filebridge…\n');
  return spawnSync(process.execPath, [vite, 'build', '--app', '--logLevel', 'warn'], { cwd: root, stdio: 'inherit' }).status ?? 1;
}

const asProgram = process.argv[1] !== undefined && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url);
// An installation without development dependencies has nothing to build with, and nothing to build.
if (asProgram && existsSync(vite) && isStale(root)) process.exitCode = build();
