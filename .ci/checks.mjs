/** `npm test`: every check in turn, all of them even when one fails, and a plain summary line at the end. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { onScreen } from './on-screen.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (name) => path.join(root, 'node_modules', '.bin', name);

/** Programs the end-to-end tests drive on Linux, and the Debian package that brings each. */
const programs = [
  { package: 'xvfb', anyOf: ['/usr/bin/Xvfb'], unless: () => Boolean(process.env.DISPLAY) },
  { package: 'xauth', anyOf: ['/usr/bin/xauth'], unless: () => Boolean(process.env.DISPLAY) },
  { package: 'chromium', anyOf: ['/usr/bin/chromium', '/usr/bin/google-chrome'] },
  { package: 'libgtk-3-0', anyOf: ['/usr/lib/x86_64-linux-gnu/libgtk-3.so.0', '/usr/lib/aarch64-linux-gnu/libgtk-3.so.0'] },
  { package: 'dbus', anyOf: ['/usr/bin/dbus-daemon'] },
  { package: 'python3-gi', anyOf: ['/usr/lib/python3/dist-packages/gi/__init__.py'] },
  { package: 'gnome-keyring', anyOf: ['/usr/bin/gnome-keyring-daemon'] },
  {
    package: 'libnotify4',
    anyOf: ['/usr/lib/x86_64-linux-gnu/libnotify.so.4', '/usr/lib/aarch64-linux-gnu/libnotify.so.4'],
  },
  { package: 'libnss3', anyOf: ['/usr/lib/x86_64-linux-gnu/libnss3.so', '/usr/lib/aarch64-linux-gnu/libnss3.so'] },
];

function missingPackages() {
  if (process.platform !== 'linux') return [];
  return programs
    .filter(({ anyOf, unless }) => !unless?.() && !anyOf.some((file) => existsSync(file)))
    .map((program) => program.package);
}

const checks = [
  { name: 'types', command: () => [bin('tsc'), '-b'] },
  { name: 'lint', command: () => [bin('biome'), 'ci'] },
  { name: 'unused code', command: () => [bin('knip')] },
  { name: 'unit tests', command: () => [bin('vitest'), 'run', '--project', 'unit'] },
  { name: 'build', command: () => [bin('vite'), 'build', '--app', '--logLevel', 'warn'] },
  { name: 'end-to-end tests', needsPackages: true, command: () => onScreen([bin('vitest'), 'run', '--project', 'e2e']) },
];

const say = (line) => process.stdout.write(`${line}\n`);
const failed = [];
const started = Date.now();

for (const { name, command, needsPackages } of checks) {
  say(`\n── ${name}`);
  const missing = needsPackages ? missingPackages() : [];
  if (missing.length > 0) {
    say(`Not run: this machine lacks ${missing.join(', ')}. Install with: apt-get install -y ${missing.join(' ')}`);
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
