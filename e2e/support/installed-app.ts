/** The app installed with Debian's tools and started as a user other than root. Changes the system it runs on. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright';
import { repository } from './cli.ts';
import { electronRuntime } from './electron-runtime.ts';

const run = promisify(execFile);

export const PACKAGE = 'filebridge';
export const FOLDER = '/opt/Filebridge';
const TEST_VERSION = /test.runtime/;
const USER = 'filebridge-e2e';

/** Version of the installed package; undefined if there is none. */
export async function installedVersion(): Promise<string | undefined> {
  const { stdout } = await run('dpkg-query', ['-W', '-f', '${db:Status-Status} ${Version}', PACKAGE]).catch(() => ({
    stdout: '',
  }));
  return /^installed (\S+)/.exec(stdout)?.[1];
}

/** Why a package cannot be installed and tried here; undefined if it can. */
export async function whyNotInstall(): Promise<string | undefined> {
  if (process.platform !== 'linux' || !existsSync('/etc/debian_version'))
    return 'a .deb is installed on Debian and its like only';
  if (process.getuid?.() !== 0) return 'only root may install packages';
  for (const program of ['apt-get', 'dpkg-deb', 'setpriv', 'useradd', 'xvfb-run']) {
    if (!['/usr/bin', '/usr/sbin'].some((folder) => existsSync(path.join(folder, program)))) return `${program} is not installed`;
  }
  const version = await installedVersion();
  if (version !== undefined && !TEST_VERSION.test(version)) return `Filebridge ${version} is installed here and in use`;
  return undefined;
}

export interface Finished {
  code: number;
  output: string;
}

/** Runs `npm run dist`'s script with a runtime until it exits. */
export async function dist(args: readonly string[], runtime: string): Promise<Finished> {
  const env = {
    ...process.env,
    ELECTRON_OVERRIDE_DIST_PATH: runtime,
    CUSTOM_FPM_PATH: path.join(repository, 'e2e', 'support', 'fpm.mjs'),
  };
  const script = path.join(repository, 'electron', 'package', 'dist.mjs');
  return run(process.execPath, [script, ...args], { env, maxBuffer: 16 * 1024 * 1024 }).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({ code: error.code, output: error.stdout + error.stderr }),
  );
}

/** Builds the package and returns its file. */
export async function buildPackage(): Promise<string> {
  const folder = path.join(repository, 'release', 'test-runtime');
  await rm(folder, { recursive: true, force: true });
  const { code, output } = await dist(['--test-runtime', '--linux', 'deb'], await electronRuntime());
  const built = code === 0 ? (await readdir(folder)).find((name) => name.endsWith('.deb')) : undefined;
  if (built === undefined) throw new Error(`No package was built:\n${output}`);
  return path.join(folder, built);
}

export async function apt(...args: string[]): Promise<string> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { stdout } = await run('apt-get', ['-y', '-q', ...args], { env, maxBuffer: 16 * 1024 * 1024 });
  return stdout;
}

/** An ordinary user of the system. */
export interface OrdinaryUser {
  home: string;
  /** The command line that runs a program as this user, with these variables and few others. */
  as(command: string, args: readonly string[], env?: Readonly<Record<string, string>>): [string, ...string[]];
  /** Makes this user the owner of everything in the home. */
  ownHome(): Promise<void>;
  remove(): Promise<void>;
}

export async function addUser(): Promise<OrdinaryUser> {
  const entry = () => run('getent', ['passwd', USER]).then(({ stdout }) => stdout.trim().split(':'));
  const known = await entry().catch(() => undefined);
  if (!known) await run('useradd', ['--system', '--create-home', '--shell', '/usr/sbin/nologin', USER]);
  const [, , uid = '', gid = '', , home = ''] = known ?? (await entry());
  return {
    home,
    as: (command, args, env = {}) => {
      const variables = { HOME: home, PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', ...env };
      return [
        ...(['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'] as const),
        ...['env', '--ignore-environment', `--chdir=${home}`],
        ...Object.entries(variables).map(([name, value]) => `${name}=${value}`),
        ...[command, ...args],
      ];
    },
    ownHome: async () => void (await run('chown', ['-R', `${uid}:${gid}`, home])),
    remove: async () => void (await run('userdel', ['--force', '--remove', USER])),
  };
}

export interface InstalledApp {
  page: Page;
  output(): string;
  /** Process ids of its pages. */
  renderers(): Promise<number[]>;
  /** Asks it to exit, as at the end of a session, and resolves with its exit code. */
  close(): Promise<number | null>;
}

/**
 * Opens the window as the launcher would, on a separate screen. The app's fuses allow access only through Chromium's
 * debugger.
 */
export async function openInstalled(user: OrdinaryUser, env: Readonly<Record<string, string>>): Promise<InstalledApp> {
  const launcher = await readFile(`/usr/share/applications/${PACKAGE}.desktop`, 'utf8');
  const command = /^Exec=(\S+)/m.exec(launcher)?.[1];
  if (command === undefined) throw new Error(`The launcher starts nothing:\n${launcher}`);
  const [program, ...args] = user.as('xvfb-run', ['--auto-servernum', command, '--remote-debugging-port=0'], env);
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let output = '';
  const address = await new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      output += chunk.toString('utf8');
      const found = /DevTools listening on (ws:\S+)/.exec(output)?.[1];
      if (found) resolve(found);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', (code) => reject(new Error(`The app ended with ${code}: ${output}`)));
  });
  try {
    const browser = await chromium.connectOverCDP(address, { isLocal: true, noDefaults: true });
    const page = await firstPage(browser);
    return {
      page,
      output: () => output,
      renderers: async () =>
        (await processesOf(command)).filter(({ args }) => args.includes('--type=renderer')).map(({ pid }) => pid),
      async close() {
        const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
        const main = (await processesOf(command)).find(({ args }) => !args.some((argument) => argument.startsWith('--type=')));
        if (main) process.kill(main.pid, 'SIGTERM');
        const code = await ended;
        await browser.close();
        return code;
      },
    };
  } catch (error) {
    endGroup(child);
    throw new Error(`No window was reached. The app said: ${output}`, { cause: error });
  }
}

async function firstPage(browser: Browser): Promise<Page> {
  const [context] = browser.contexts();
  if (!context) throw new Error('There is no browser context');
  return context.pages()[0] ?? context.waitForEvent('page');
}

/** Ends everything that this child started. */
function endGroup(child: ChildProcess): void {
  if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
}

/** Running processes of this program, with their arguments. */
export async function processesOf(program: string): Promise<{ pid: number; args: string[] }[]> {
  const found = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)) {
    const executable = await readlink(`/proc/${pid}/exe`).catch(() => undefined);
    if (executable !== program) continue;
    const args = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
    // Chromium's children write their arguments as a single text.
    found.push({ pid, args: args.flatMap((argument) => argument.split(' ')) });
  }
  return found;
}
