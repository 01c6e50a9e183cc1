/** Starts a separate PostgreSQL: Debian's server in a temporary directory, on a free port of 127.0.0.1. */
import { execFile, spawn } from 'node:child_process';
import { chmod, chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Debian keeps each major version in a separate folder. */
const versions = '/usr/lib/postgresql';

export interface Postgres {
  /** `postgresql://…` of its only database. */
  url: string;
  /** Runs SQL with psql and returns the rows, columns separated by `|`. */
  psql(sql: string): Promise<string>;
  stop(): Promise<void>;
}

/** Folder of the newest server's programs, or undefined. */
async function binariesFolder(): Promise<string | undefined> {
  const found = (await readdir(versions).catch(() => [])).map(Number).filter((version) => version >= 13);
  return found.length === 0 ? undefined : path.join(versions, String(Math.max(...found)), 'bin');
}

/** Why no PostgreSQL can be started, or undefined. */
export async function missingPostgres(): Promise<string | undefined> {
  const there = (await binariesFolder()) !== undefined;
  return there ? undefined : `PostgreSQL is not installed under ${versions}; on Debian: apt-get install postgresql`;
}

export async function startPostgres(): Promise<Postgres> {
  const binaries = await binariesFolder();
  if (binaries === undefined) throw new Error(await missingPostgres());
  // The server refuses to run as root.
  const user = process.getuid?.() === 0 ? await accountOf('postgres') : undefined;
  const root = await mkdtemp(path.join(os.tmpdir(), 'filebridge-pg-'));
  await chmod(root, 0o755);
  if (user) await chown(root, user.uid, user.gid);
  const data = path.join(root, 'db');
  const environment = { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8' };
  const asUser = { ...user, cwd: root, env: environment };

  await run(path.join(binaries, 'initdb'), ['-D', data, '-U', 'tester', '-A', 'trust', '-E', 'UTF8', '--no-sync'], asUser);
  const port = await freePort();
  const server = spawn(
    path.join(binaries, 'postgres'),
    ['-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', root, '-c', 'fsync=off'],
    { ...asUser, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`PostgreSQL ended with ${code}: ${said}`)));
    server.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
      if (said.includes('ready to accept connections')) resolve();
    });
  });

  const url = `postgresql://tester@127.0.0.1:${port}/postgres`;
  return {
    url,
    async psql(sql) {
      const { stdout } = await run(
        path.join(binaries, 'psql'),
        ['-X', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-d', url, '-c', sql],
        {
          env: environment,
        },
      );
      return stdout.trim();
    },
    async stop() {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      // "Fast shutdown" in the manual: ends sessions and leaves the files consistent.
      server.kill('SIGINT');
      await ended;
      await rm(root, { recursive: true, force: true });
    },
  };
}

async function accountOf(name: string): Promise<{ uid: number; gid: number }> {
  const { stdout } = await run('getent', ['passwd', name]);
  const [, , uid, gid] = stdout.split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as net.AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
