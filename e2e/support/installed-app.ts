/** The app installed with Debian's tools and started as a user other than root, in a root of its own: this system stays as it is. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright';
import { repository } from './cli.ts';
import { electronRuntime } from './electron-runtime.ts';
import { endProcess } from './filebridge.ts';
import type { ProjectCopy } from './project-copy.ts';
import { lines } from './session-bus.ts';

const run = promisify(execFile);

export const PACKAGE = 'filebridge';
export const FOLDER = '/opt/Filebridge';
const USER = 'filebridge-e2e';

/** A copy of this system, in which packages are installed and users added without a trace. */
export interface System {
  /** Where a file of it is seen from here. */
  at(...names: string[]): string;
  /** The command line that runs a program in it. */
  within(command: string, args: readonly string[]): [string, ...string[]];
  close(): Promise<void>;
}

/** An overlay of this system's files, as the root of a mount namespace of its own. Only root may make one. */
export async function openSystem(): Promise<System> {
  const layers = await mkdtemp(path.join(os.tmpdir(), 'filebridge-system-'));
  const script = `
    cd "$1" && mkdir upper work root && mount -t tmpfs tmpfs "$1/upper" && mkdir upper/files upper/work &&
    mount -t overlay overlay -o lowerdir=/,upperdir="$1/upper/files",workdir="$1/upper/work" root &&
    for name in proc sys dev tmp; do mount --rbind /$name root/$name; done &&
    cd root && mkdir -p old && pivot_root . old && cd / && umount -l /old && rmdir /old && echo ready && exec sleep infinity`;
  const holder = spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', script, 'sh', layers], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await lines(holder, 1);
  return {
    at: (...names) => path.join(`/proc/${holder.pid}/root`, ...names),
    within: (command, args) => ['nsenter', `--target=${holder.pid}`, '--mount', '--', command, ...args],
    async close() {
      await endProcess(holder);
      await rm(layers, { recursive: true, force: true });
    },
  };
}

/** Runs a program in the system until it exits. */
export async function runIn(system: System, command: string, args: readonly string[]): Promise<string> {
  const [program, ...rest] = system.within(command, args);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { stdout } = await run(program, rest, { env, maxBuffer: 16 * 1024 * 1024 });
  return stdout;
}

/** Version of the installed package; undefined if there is none. */
export async function installedVersion(system: System): Promise<string | undefined> {
  const stdout = await runIn(system, 'dpkg-query', ['-W', '-f', '${db:Status-Status} ${Version}', PACKAGE]).catch(() => '');
  return /^installed (\S+)/.exec(stdout)?.[1];
}

/** Why a package cannot be installed and tried here; undefined if it can. */
export async function whyNotInstall(): Promise<string | undefined> {
  if (process.platform !== 'linux' || !existsSync('/etc/debian_version'))
    return 'a .deb is installed on Debian and its like only';
  if (process.getuid?.() !== 0) return 'only root may install packages';
  for (const program of ['apt-get', 'dpkg-deb', 'nsenter', 'setpriv', 'unshare', 'useradd', 'xvfb-run']) {
    if (!['/usr/bin', '/usr/sbin'].some((folder) => existsSync(path.join(folder, program)))) return `${program} is not installed`;
  }
  return existsSync(FOLDER) ? `Filebridge is installed here, in ${FOLDER}` : undefined;
}

export interface Finished {
  code: number;
  output: string;
}

/** Runs `npm run dist`'s script with a runtime until it exits. */
export async function dist(args: readonly string[], runtime: string, root = repository): Promise<Finished> {
  const env = {
    ...process.env,
    ELECTRON_OVERRIDE_DIST_PATH: runtime,
    CUSTOM_FPM_PATH: path.join(repository, 'e2e', 'support', 'fpm.mjs'),
  };
  const script = path.join(root, 'electron', 'package', 'dist.mjs');
  return run(process.execPath, [script, ...args], { env, maxBuffer: 16 * 1024 * 1024 }).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({ code: error.code, output: error.stdout + error.stderr }),
  );
}

/** Builds the package in a copy of the project, and returns its file. */
export async function buildPackage({ root }: ProjectCopy): Promise<string> {
  const folder = path.join(root, 'release', 'test-runtime');
  const { code, output } = await dist(['--test-runtime', '--linux', 'deb'], await electronRuntime(), root);
  const built = code === 0 ? (await readdir(folder)).find((name) => name.endsWith('.deb')) : undefined;
  if (built === undefined) throw new Error(`No package was built:\n${output}`);
  return path.join(folder, built);
}

export const apt = (system: System, ...args: string[]): Promise<string> => runIn(system, 'apt-get', ['-y', '-q', ...args]);

/** An ordinary user of that system. */
export interface OrdinaryUser {
  home: string;
  /** The command line that runs a program as this user, with these variables and few others. */
  as(command: string, args: readonly string[], env?: Readonly<Record<string, string>>): [string, ...string[]];
  /** Makes this user the owner of everything in the home. */
  ownHome(): Promise<void>;
}

export async function addUser(system: System): Promise<OrdinaryUser> {
  await runIn(system, 'useradd', ['--system', '--create-home', '--shell', '/usr/sbin/nologin', USER]);
  const [, , uid = '', gid = '', , home = ''] = (await runIn(system, 'getent', ['passwd', USER])).trim().split(':');
  return {
    home,
    as: (command, args, env = {}) => {
      const variables = { HOME: home, PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', ...env };
      return system.within('setpriv', [
        ...[`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'],
        ...['env', '--ignore-environment', `--chdir=${home}`],
        ...Object.entries(variables).map(([name, value]) => `${name}=${value}`),
        ...[command, ...args],
      ]);
    },
    ownHome: async () => void (await runIn(system, 'chown', ['-R', `${uid}:${gid}`, home])),
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
export async function openInstalled(
  system: System,
  user: OrdinaryUser,
  env: Readonly<Record<string, string>>,
): Promise<InstalledApp> {
  const launcher = await readFile(system.at(`/usr/share/applications/${PACKAGE}.desktop`), 'utf8');
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
