/** `npm test`: installs what is missing, then runs every check in turn, all of them even when one fails, and ends with a summary line. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installNpmPackages, installSystemPackages, testFolders, testPackages } from '../electron/launch/set-up.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (name) => path.join(root, 'node_modules', '.bin', name);

const checks = [
  { name: 'types', command: () => [bin('tsc'), '-b'] },
  { name: 'lint', command: () => [bin('biome'), 'ci'] },
  { name: 'boundaries', command: () => [process.execPath, path.join(root, '.ci', 'boundaries.mjs')] },
  { name: 'waits in tests', command: () => [process.execPath, path.join(root, '.ci', 'waits.mjs')] },
  { name: 'unused code', command: () => [bin('knip')] },
  { name: 'unit tests', command: () => [bin('vitest'), 'run', '--project', 'unit'] },
  { name: 'build', command: () => [bin('vite'), 'build', '--app', '--logLevel', 'warn'] },
  { name: 'end-to-end tests', needsPackages: true, command: () => [bin('vitest'), 'run', '--project', 'e2e'] },
];

const say = (line) => process.stdout.write(`${line}\n`);
const failed = [];
const started = Date.now();

if (!['.', ...testFolders].every((folder) => installNpmPackages(path.join(root, folder)))) {
  say('The npm packages could not be installed: see the messages above, then run npm install.');
  process.exit(1);
}
const hasPackages = installSystemPackages(root, testPackages);

for (const { name, command, needsPackages } of checks) {
  say(`\n── ${name}`);
  if (needsPackages && !hasPackages) {
    say('Not run: this machine lacks Debian packages, named above with the command that installs them.');
    failed.push(`${name} (not run)`);
    continue;
  }
  const [program, ...args] = command();
  const { status, error } = spawnSync(program, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (error) say(`${program} could not be run: ${error.message}`);
  if (status !== 0) failed.push(name);
}

const seconds = Math.round((Date.now() - started) / 1000);
say(
  failed.length === 0
    ? `\nAll ${checks.length} checks passed in ${seconds} s.`
    : `\n${failed.length} of ${checks.length} checks failed in ${seconds} s: ${failed.join(', ')}.`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
