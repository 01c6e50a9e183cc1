/**
 * Runs the built program as a server in a separate home, with real clients; checks that stopping it leaves no process
 * behind.
 */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { limits } from '../../shared/lib/fixtures/limits.ts';
import { pause } from '../../shared/lib/fixtures/waiting.ts';
import { cliFile, openWorkspace, type Workspace } from './cli.ts';
import { type ClientHooks, type ClientKind, type McpClient, openClient } from './mcp-clients.ts';

const run = promisify(execFile);

export type Transport = 'stdio' | 'http';
export const transports: readonly Transport[] = ['stdio', 'http'];

export interface Setup {
  /** Folders of the configuration; the workspace's `data`, read-write, if absent. */
  folders?: { path: string; access: 'read' | 'read-write' }[];
  upstreams?: Record<string, unknown>;
  limits?: Record<string, number>;
  responses?: Record<string, unknown>;
  expose?: Record<string, unknown>;
  app?: Record<string, unknown>;
  /** Port of the server for agents; 0 for a free one. */
  port?: number;
}

/** A home for the program, with its configuration, data and the user's files. */
export interface Home {
  readonly workspace: Workspace;
  readonly configFile: string;
  readonly dataDirectory: string;
  /** The user's home directory: empty. */
  readonly user: string;
  readonly env: Record<string, string>;
  /** Writes a file into the allowed folder and returns its path. */
  file(name: string, content: string | Uint8Array): Promise<string>;
  /** A path in the allowed folder. */
  at(name: string): string;
}

export async function openHome(setup: Setup = {}): Promise<Home> {
  const workspace = await openWorkspace();
  const folder = workspace.at('data');
  await workspace.file('data/.keep', '');
  const configFile = await workspace.file(
    'config.json',
    JSON.stringify({
      version: 1,
      folders: setup.folders ?? [{ path: folder, access: 'read-write' }],
      upstreams: setup.upstreams ?? {},
      ...(setup.limits ? { limits: setup.limits } : {}),
      ...(setup.responses ? { responses: setup.responses } : {}),
      expose: setup.expose ?? { fileTools: false, upstreamTools: 'none' },
      ...(setup.app ? { app: setup.app } : {}),
      ...(setup.port === undefined ? {} : { server: { port: setup.port } }),
    }),
  );
  const dataDirectory = workspace.at('state');
  const user = workspace.at('home');
  await mkdir(user, { recursive: true });
  const env = {
    ...(process.env as Record<string, string>),
    FILEBRIDGE_CONFIG: configFile,
    FILEBRIDGE_DATA: dataDirectory,
    // The tests must not find the apps, usual folders and autostart entries of the user who runs them.
    HOME: user,
    USERPROFILE: user,
    XDG_CONFIG_HOME: path.join(user, '.config'),
  };
  return {
    workspace,
    user,
    configFile,
    dataDirectory,
    env,
    file: (name, content) => workspace.file(`data/${name}`, content),
    at: (name) => workspace.at('data', name),
  };
}

/**
 * Changes settings in the configuration file, which a running program reloads; atomically, so that it never reads half of
 * it.
 */
export async function changeConfig({ configFile }: Pick<Home, 'configFile'>, settings: Record<string, unknown>): Promise<void> {
  const config = JSON.parse(await readFile(configFile, 'utf8')) as object;
  await writeFile(`${configFile}.new`, JSON.stringify({ ...config, ...settings }));
  await rename(`${configFile}.new`, configFile);
}

export interface Filebridge extends Home {
  readonly transport: Transport;
  /** Over HTTP only. */
  readonly url: string;
  readonly token: string;
  stderr(): string;
  /** Over stdio, every client starts a separate program. */
  connect(kind: ClientKind, hooks?: ClientHooks): Promise<McpClient>;
  /** Closes clients and program. Throws if a process that it started, directly or not, is still running. */
  stop(): Promise<void>;
}

export async function startFilebridge(transport: Transport, setup: Setup = {}): Promise<Filebridge> {
  const home = await openHome(setup);
  const clients: McpClient[] = [];
  let stderr = '';
  const onStderr = (text: string) => {
    stderr += text;
  };
  const server = transport === 'http' ? await serveHttp(home, onStderr) : undefined;

  return {
    ...home,
    transport,
    url: server?.url ?? '',
    token: server?.token ?? '',
    stderr: () => stderr,
    async connect(kind, hooks) {
      const way = server ?? {
        command: process.execPath,
        args: [cliFile, 'serve', '--stdio'],
        env: home.env,
        onStderr,
      };
      const client = await openClient(kind, way, hooks).catch((cause: unknown) => {
        throw new Error(`No connection. Filebridge said: ${stderr}`, { cause });
      });
      clients.push(client);
      return client;
    },
    async stop() {
      const roots = [server?.child.pid, ...clients.map(({ pid }) => pid)].filter((pid) => pid !== undefined);
      const family = await descendants(roots);
      try {
        for (const client of clients) await client.close();
        if (server) await endProcess(server.child);
        await allGone([...roots, ...family]);
      } finally {
        await home.workspace.remove();
      }
    },
  };
}

export interface HttpServer {
  child: ChildProcess;
  url: string;
  token: string;
}

/** Starts `serve --http` on a free port, with other options of it, and waits until it prints its address. */
export async function serveHttp(home: Home, onStderr: (text: string) => void, options: string[] = []): Promise<HttpServer> {
  const child = spawn(process.execPath, [cliFile, 'serve', '--http', '--port', '0', ...options], {
    env: home.env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`serve --http ended with ${code}: ${said}`)));
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
      onStderr(chunk.toString('utf8'));
      const found = /serving MCP on (\S+)\n/.exec(said)?.[1];
      if (found && said.includes('tokens.json')) resolve(found);
    });
  });
  const tokens = JSON.parse(await readFile(`${home.dataDirectory}/tokens.json`, 'utf8')) as { tokens: { token: string }[] };
  return { child, url, token: tokens.tokens[0]?.token ?? '' };
}

/** Asks a process to exit and waits until it has. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

/** All descendants of these processes. None on Windows, which has no `ps`. */
async function descendants(roots: readonly number[]): Promise<number[]> {
  if (process.platform === 'win32') return [];
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=']);
  const rows = stdout
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number) as [number, number]);
  const family = new Set(roots);
  // Children usually start after their parents, but pids wrap around: repeats until no new one is found.
  for (let before = -1; before !== family.size; ) {
    before = family.size;
    for (const [pid, parent] of rows) if (family.has(parent)) family.add(pid);
  }
  return [...family].filter((pid) => !roots.includes(pid));
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Processes may take a moment to exit; those that stay are leaks. */
async function allGone(pids: readonly number[]): Promise<void> {
  const deadline = Date.now() + limits.wait;
  for (;;) {
    const left = pids.filter(isThere);
    if (left.length === 0) return;
    if (Date.now() > deadline) throw new Error(`Filebridge left processes behind: ${left.join(', ')}`);
    await pause(50, 'between two checks');
  }
}
