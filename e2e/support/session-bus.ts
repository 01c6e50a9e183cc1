/** A separate D-Bus session for a test, so that this machine's trays, notifications and keyrings are not used. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { until } from '../../shared/lib/fixtures/waiting.ts';
import { endProcess } from './filebridge.ts';

const run = promisify(execFile);

export interface SessionBus {
  /** Environment variables for programs that use this bus. */
  readonly env: { DBUS_SESSION_BUS_ADDRESS: string };
  close(): Promise<void>;
}

export async function startSessionBus(): Promise<SessionBus> {
  const config = fileURLToPath(new URL('session-bus.conf', import.meta.url));
  const daemon = spawn('dbus-daemon', [`--config-file=${config}`, '--nofork', '--print-address=1'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [address] = await lines(daemon, 1);
  return { env: { DBUS_SESSION_BUS_ADDRESS: address ?? '' }, close: () => endProcess(daemon) };
}

/** A keyring on the bus, unlocked, with its files in `home`. */
export async function startKeyring(bus: SessionBus, home: string): Promise<{ close(): Promise<void> }> {
  await mkdir(home, { recursive: true });
  const env = { ...process.env, ...bus.env, HOME: home, XDG_DATA_HOME: home, XDG_RUNTIME_DIR: home };
  const daemon = spawn('gnome-keyring-daemon', ['--foreground', '--unlock', '--components=secrets'], {
    env,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  daemon.stdin.end('a password\n');
  await owned(bus, 'org.freedesktop.secrets');
  await unlocked(bus);
  return { close: () => endProcess(daemon) };
}

/** Resolves once a program has claimed a name on the bus. */
async function owned({ env }: SessionBus, name: string): Promise<void> {
  const question = [
    '--session',
    '--print-reply',
    '--dest=org.freedesktop.DBus',
    '/',
    'org.freedesktop.DBus.NameHasOwner',
    `string:${name}`,
  ];
  await until(async () => {
    const { stdout } = await run('dbus-send', question, { env: { ...process.env, ...env } });
    return stdout.includes('boolean true');
  });
}

/**
 * Resolves once the keyring's default collection exists and is unlocked: a program that asks earlier waits for a password
 * dialog.
 */
async function unlocked({ env }: SessionBus): Promise<void> {
  const question = [
    '--session',
    '--print-reply',
    '--dest=org.freedesktop.secrets',
    '/org/freedesktop/secrets/aliases/default',
    'org.freedesktop.DBus.Properties.Get',
    'string:org.freedesktop.Secret.Collection',
    'string:Locked',
  ];
  await until(async () => {
    const { stdout } = await run('dbus-send', question, { env: { ...process.env, ...env } }).catch(() => ({ stdout: '' }));
    return stdout.includes('boolean false');
  });
}

/** The first lines that a program prints. */
export function lines(child: ChildProcess, count: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${child.spawnfile} ended with ${code}: ${said}`)));
    child.stdout?.on('data', function hear(chunk: Buffer) {
      said += chunk.toString('utf8');
      const found = said.split('\n');
      if (found.length <= count) return;
      child.stdout?.off('data', hear);
      // Unread output would block the program.
      child.stdout?.resume();
      resolve(found.slice(0, count));
    });
  });
}
