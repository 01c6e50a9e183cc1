/** The program under soak: a console with ten faulty servers, and samples of its resource use. Linux only, for `/proc`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { cliFile } from '../cli.ts';
import { changeConfig, endProcess, type Home, openHome } from '../filebridge.ts';
import { openConsoleApi } from '../totals.ts';
import { fixtureServer } from '../upstreams.ts';

const STDIO_SERVERS = 6;
const HTTP_SERVERS = 4;
/** Cost of a call to a server that hangs. Milliseconds. */
const SERVER_TIMEOUT_MS = 2_000;

/** The program's resource use at one moment. */
export interface Sample {
  descriptors: number;
  threads: number;
  children: number;
  /** Bytes in use after a garbage collection. */
  heap: number;
}

export interface SoakedProgram {
  readonly home: Home;
  readonly servers: readonly string[];
  readonly url: string;
  readonly token: string;
  /** Where programs of this home put temporary files. */
  readonly temporary: string;
  /** The records that servers kept, line by line. */
  readonly logs: readonly string[];
  /** Undefined before the first garbage collection. */
  sample(): Promise<Sample | undefined>;
  stderr(): string;
  /** Ends the program and its servers; returns its processes that are still running. */
  stop(): Promise<number[]>;
  remove(): Promise<void>;
}

export async function startSoaked(seed: number): Promise<SoakedProgram> {
  const home = await openHome({
    port: 0,
    // Every line is compared at the end, so no file may be rotated out.
    limits: { ledgerCalls: 10_000_000, callTimeoutMs: 30_000 },
    expose: { fileTools: true, upstreamTools: 'companions' },
  });
  const temporary = home.workspace.at('tmp');
  await mkdir(temporary);
  const env = { ...home.env, TMPDIR: temporary };
  const upstreams: Record<string, unknown> = {};
  const logs: string[] = [];
  const ended: (() => Promise<void>)[] = [];
  for (let index = 0; index < STDIO_SERVERS + HTTP_SERVERS; index += 1) {
    const name = `server${index}`;
    const log = await home.workspace.file(`logs/${name}.jsonl`, '');
    logs.push(log);
    const stdio = index < STDIO_SERVERS;
    const server = fixtureServer('faulty.mjs', [log, `${seed}`, stdio ? 'stdio' : 'http']);
    if (stdio) {
      upstreams[name] = { ...server, timeoutMs: SERVER_TIMEOUT_MS };
    } else {
      const child = spawn(server.command, server.args, { stdio: ['ignore', 'pipe', 'inherit'] });
      ended.push(() => endProcess(child));
      upstreams[name] = { type: 'http', url: await firstMatch(child, /http:\S+/), timeoutMs: SERVER_TIMEOUT_MS };
    }
  }
  await changeConfig(home, { upstreams });

  const probeFile = home.workspace.at('heap');
  const probe = fileURLToPath(new URL('../../fixtures/heap-probe.mjs', import.meta.url));
  const child = spawn(process.execPath, ['--expose-gc', '--import', probe, cliFile, 'console'], {
    env: { ...env, HEAP_PROBE_FILE: probeFile },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
  });
  const ask = await openConsoleApi(new URL(await firstMatch(child, /http:\S+/)));
  const { url } = (await ask('status.get', {})) as { url: string };
  const { tokens } = JSON.parse(await readFile(`${home.dataDirectory}/tokens.json`, 'utf8'));
  const pid = child.pid ?? 0;
  const everStarted = new Set<number>();

  return {
    home: { ...home, env },
    servers: Object.keys(upstreams),
    url,
    token: tokens[0].token,
    temporary,
    logs,
    async sample() {
      const heap = Number(await readFile(probeFile, 'utf8').catch(() => Number.NaN));
      if (Number.isNaN(heap)) return undefined;
      const children = await childrenOf(pid);
      for (const each of children) everStarted.add(each);
      const [descriptors, threads] = await Promise.all([readdir(`/proc/${pid}/fd`), readdir(`/proc/${pid}/task`)]);
      return { descriptors: descriptors.length, threads: threads.length, children: children.length, heap };
    },
    stderr: () => stderr,
    async stop() {
      for (const each of await childrenOf(pid)) everStarted.add(each);
      await endProcess(child);
      for (const end of ended) await end();
      await startOnce(env);
      const left: number[] = [];
      for (const each of everStarted) if (await isOurs(each, home)) left.push(each);
      return left;
    },
    remove: () => home.workspace.remove(),
  };
}

/** Starts a program that ends at once. It takes over what killed processes left: clients kill the ones that end too slowly. */
async function startOnce(env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [cliFile, 'serve', '--stdio'], { env, stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin.end();
  await once(child, 'exit');
}

function firstMatch(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the program ended with ${code}`)));
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
      const found = pattern.exec(said)?.[0];
      if (found && said.includes('\n')) resolve(found);
    });
  });
}

/** Running children of this process, started by any of its threads (proc(5): `children`). */
async function childrenOf(pid: number): Promise<number[]> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '')));
  return lists.join(' ').split(' ').filter(Boolean).map(Number);
}

/** Whether the process is running with this home: its pid may have been reused. */
async function isOurs(pid: number, home: Home): Promise<boolean> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command.includes(home.workspace.root);
}
