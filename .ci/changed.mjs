/**
 * `npm run test:changed`: the unit tests that reach a file changed since the branch left `main`, or since the commit that is named:
 * `npm run test:changed -- HEAD~3`. Uncommitted files count.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });

const [named, ...rest] = process.argv.slice(2);
const since = ['main', 'origin/main'].map((branch) => git('merge-base', 'HEAD', branch)).find(({ status }) => status === 0);
const commit = named ?? since?.stdout.trim() ?? 'HEAD';
const args = ['run', '--project', 'unit*', '--passWithNoTests', `--changed=${commit}`, ...rest];
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, ...args], { cwd: root, stdio: 'inherit' });
process.exitCode = status ?? 1;
