/** Runs one of Vitest's projects on the built program, with a virtual screen where there is none: `node .ci/on-screen.mjs bench`. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from '../electron/launch/build.mjs';
import { installNpmPackages, testFolders } from '../electron/launch/set-up.mjs';
import { isStale } from '../electron/launch/stale.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Folders with npm packages that a project needs besides the root's. */
const neededBy = { e2e: testFolders, slow: testFolders, bench: ['e2e/servers', 'bench'] };

/** Electron needs a screen; without one it gets a virtual one. The end-to-end tests start one for each worker. */
function onScreen(project, command) {
  const virtual = process.platform === 'linux' && !process.env.DISPLAY && !['e2e', 'slow'].includes(project);
  return virtual ? ['xvfb-run', '--auto-servernum', ...command] : command;
}

const [project, ...rest] = process.argv.slice(2);
if (!installNpmPackages(root)) process.exit(1);
const needed = neededBy[project] ?? [];
if (!needed.every((folder) => installNpmPackages(path.join(root, folder)))) process.exit(1);
if (isStale(root)) build();
const vitest = path.join(root, 'node_modules', '.bin', 'vitest');
const [program, ...args] = onScreen(project, [vitest, 'run', '--project', project, ...rest]);
const { status, error } = spawnSync(program, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
if (error) process.stderr.write(`${program} could not be run: ${error.message}\n`);
process.exitCode = status ?? 1;
