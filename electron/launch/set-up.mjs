/** Installs what is missing before `npm start` and `npm test`: npm packages, and Debian packages where this user may. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const say = (line) => process.stdout.write(`${line}\n`);

function run(root, [command, ...args], env = {}) {
  const { status } = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  return status === 0;
}

/** The packages of a lock file, by folder; undefined if there is none. */
function packagesOf(lockFile) {
  if (!existsSync(lockFile)) return undefined;
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
}

/** Whether `node_modules` lacks a package of the lock file, or has another version of it. Optional packages may be absent. */
export function lacksNpmPackages(root) {
  const installed = packagesOf(path.join(root, 'node_modules', '.package-lock.json'));
  if (installed === undefined) return true;
  const wanted = packagesOf(path.join(root, 'package-lock.json')) ?? {};
  return Object.entries(wanted).some(([folder, { version, optional, devOptional, peer }]) => {
    if (folder === '') return false;
    const found = installed[folder];
    return found === undefined ? !(optional || devOptional || peer) : found.version !== version;
  });
}

/** Folders with npm packages that the end-to-end tests need besides the root's: servers they call, what makes the installers, and the kernels' compiler. */
export const testFolders = ['e2e/servers', 'installers', 'kernel-compiler'];

/** Whether all npm packages are there now. */
export function installNpmPackages(root) {
  if (!lacksNpmPackages(root)) return true;
  say('Installing npm packages…');
  const quiet = ['--no-audit', '--no-fund'];
  // Other versions of npm may refuse a lock file that the one here accepts; `npm install` takes the same versions from it.
  return run(root, ['npm', 'ci', ...quiet]) || run(root, ['npm', 'install', '--no-save', ...quiet]);
}

const libraries = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu'];
const library = (name) => () => libraries.some((folder) => existsSync(path.join(folder, name)));
const file =
  (...names) =>
  () =>
    names.some((name) => existsSync(name));

/** What Electron's window needs on Linux: a Debian package each, and whether it is there. */
export const windowPackages = {
  'libgtk-3-0': library('libgtk-3.so.0'),
  libnss3: library('libnss3.so'),
  libasound2: library('libasound.so.2'),
  libgbm1: library('libgbm.so.1'),
  libxss1: library('libXss.so.1'),
  'libsecret-1-0': library('libsecret-1.so.0'),
  libnotify4: library('libnotify.so.4'),
};

/** What the tests need besides. */
export const testPackages = {
  ...windowPackages,
  xvfb: file('/usr/bin/Xvfb'),
  xauth: file('/usr/bin/xauth'),
  dbus: file('/usr/bin/dbus-daemon'),
  procps: file('/usr/bin/ps'),
  chromium: file('/usr/bin/chromium', '/usr/bin/google-chrome'),
  postgresql: () => existsSync('/usr/lib/postgresql'),
  'xdg-utils': file('/usr/bin/xdg-open'),
  'gnome-keyring': file('/usr/bin/gnome-keyring-daemon'),
};

/** The names of the packages that this Linux machine lacks; none on other systems. */
export function lackingPackages(packages) {
  if (process.platform !== 'linux') return [];
  return Object.entries(packages)
    .filter(([, present]) => !present())
    .map(([name]) => name);
}

/** The command that installs Debian packages, as a person types it. */
export const installCommand = (names) => `sudo apt-get install -y ${names.join(' ')}`;

/** Installs Debian packages as root, or by sudo where that asks for no password; says which command to run where it cannot. */
export function installSystemPackages(root, packages) {
  const lacking = lackingPackages(packages);
  if (lacking.length === 0) return true;
  const isRoot = process.getuid?.() === 0;
  const maySudo = () => spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0;
  if (existsSync('/usr/bin/apt-get') && (isRoot || maySudo())) {
    say(`Installing ${lacking.join(', ')}…`);
    const sudo = isRoot ? [] : ['sudo', '-n'];
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    run(root, [...sudo, 'apt-get', 'update', '-q'], env);
    run(root, [...sudo, 'apt-get', 'install', '-y', '-q', '--no-install-recommends', ...lacking], env);
  }
  const left = lackingPackages(packages);
  if (left.length > 0) say(`This machine lacks ${left.join(', ')}. Install with: ${installCommand(left)}`);
  return left.length === 0;
}
