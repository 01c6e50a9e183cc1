/** An upstream's child process: start, process group, last stderr lines, and termination. */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as delay } from 'node:timers/promises';
import { DEFAULT_INHERITED_ENV_VARS } from '@modelcontextprotocol/client/stdio';
import { unwatchGroup, watchGroup } from './watchdog.ts';

const STDERR_TAIL_BYTES = 8 * 1024;
const windows = process.platform === 'win32';

/**
 * How long a server may take to end by itself after its stdin closed, after SIGTERM, and for the system to end it. Together two
 * seconds: hosts kill a program that takes much longer to end. Milliseconds.
 */
const GRACE_MS = { stdin: 1_000, SIGTERM: 800, SIGKILL: 200 } as const;
const TASKKILL_MS = 2_000;
/** Time for remaining processes of a server's group after its exit. */
const ORPHAN_GRACE_MS = 200;

/** Maximum length of a stderr line; longer lines are split (characters). */
const MAX_LINE = 8 * 1024;

export interface ProcessSpec {
  command: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string | null;
  /** Called for each stderr line, including an unterminated last one. */
  onLine?: ((line: string) => void) | undefined;
}

export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Whether `end` or `kill` was called. */
  stopped: boolean;
}

/**
 * Live process groups, ended when this process exits normally. If this process is killed, no code runs: the children
 * then see their stdin close, the signal for MCP servers to stop; the watchdog ends those that ignore it.
 */
const liveGroups = new Set<number>();
let exitHookInstalled = false;

function installExitHook(): void {
  if (exitHookInstalled) return;
  exitHookInstalled = true;
  process.on('exit', () => {
    for (const pid of liveGroups) signalGroup(pid, 'SIGKILL');
  });
}

/** Signals a process group; returns false when it is empty. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    if (windows && signal !== 0) endTree(pid);
    else process.kill(windows ? pid : -pid, signal);
    return true;
  } catch {
    // ESRCH: the group is gone. EPERM: the rest belongs to another user and cannot be signalled.
    return false;
  }
}

/** A batch file's server is a child of cmd.exe, which Windows would end alone. */
function endTree(pid: number): void {
  spawnSync('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true, timeout: TASKKILL_MS });
}

export class UpstreamProcess {
  readonly #spec: ProcessSpec;
  #child: ChildProcessWithoutNullStreams | null = null;
  #stderr: Buffer[] = [];
  #stderrBytes = 0;
  readonly #decoder = new StringDecoder('utf8');
  #line = '';
  #closed: Promise<void> = Promise.resolve();
  #ending: Promise<void> | null = null;
  #stopped = false;
  exit: ProcessExit | null = null;

  constructor(spec: ProcessSpec) {
    this.#spec = spec;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** The PATH in which its command is looked for. */
  get searchPath(): string {
    return variable(this.#spec.env, 'PATH') ?? '';
  }

  get stdin(): Writable {
    return this.#running().stdin;
  }

  get stdout(): NodeJS.ReadableStream {
    return this.#running().stdout;
  }

  /** The last stderr lines, about 8 KiB at most. */
  get stderrTail(): string {
    return Buffer.concat(this.#stderr).subarray(-STDERR_TAIL_BYTES).toString('utf8').trim();
  }

  /** Starts the process. Rejects with the system's error (ENOENT, EACCES). */
  async start(onClosed: () => void): Promise<void> {
    installExitHook();
    const { command, args, env, cwd } = this.#spec;
    const plan = windows ? resolveWindowsCommand(command, args, env) : { command, args: [...args], verbatim: false };
    const child = spawn(plan.command, plan.args, {
      env,
      cwd: cwd ?? undefined,
      stdio: ['pipe', 'pipe', 'pipe'],
      // A separate process group, because npx and shells start grandchildren that must end too.
      detached: !windows,
      windowsHide: true,
      windowsVerbatimArguments: plan.verbatim,
    });
    const spawned = new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      // The listener stays: a later error, such as a failed signal, must not end the program.
      child.on('error', reject);
    });
    // Without free descriptors (EMFILE, ENFILE) the pipes are undefined, despite the types.
    if (child.stderr as unknown) {
      this.#child = child;
      child.stderr.on('data', (chunk: Buffer) => this.#keep(chunk));
      child.stderr.once('close', () => this.#hear(`${this.#decoder.end()}\n`));
    }
    await spawned;
    const pid = child.pid;
    if (pid !== undefined) {
      liveGroups.add(pid);
      watchGroup(pid);
    }
    this.#closed = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.exit = { code, signal, stopped: this.#stopped };
        // A grandchild may keep the pipes open; the server's own output has arrived by now.
        setTimeout(resolve, 1_000).unref();
      });
      child.once('close', () => resolve());
    });
    void this.#closed.then(() => {
      onClosed();
      return this.end();
    });
  }

  /** Ends the process group: closes stdin, then SIGTERM, then SIGKILL. Resolves after the exit. */
  end(): Promise<void> {
    // A pending start may still create the process.
    if (!this.#child) return Promise.resolve();
    this.#stopped = true;
    this.#ending ??= this.#end();
    return this.#ending;
  }

  /** Kills the process at once, for an unusable connection. */
  kill(): void {
    this.#stopped = true;
    if (this.pid !== null) signalGroup(this.pid, 'SIGKILL');
  }

  async #end(): Promise<void> {
    const child = this.#child;
    const pid = this.pid;
    if (!child || pid === null) return;
    child.stdin.on('error', () => {});
    child.stdin.end();
    for (const step of ['stdin', 'SIGTERM', 'SIGKILL'] as const) {
      if (step !== 'stdin') signalGroup(pid, step);
      if (await this.#gone(pid, GRACE_MS[step])) break;
    }
    liveGroups.delete(pid);
    unwatchGroup(pid);
    child.stdin.destroy();
    child.stdout.destroy();
    child.stderr.destroy();
  }

  /** Waits for the process and then, for a shorter time, for the rest of its group. */
  async #gone(pid: number, graceMs: number): Promise<boolean> {
    let until = performance.now() + graceMs;
    let leaderGone = false;
    for (;;) {
      if (this.exit && (windows || !signalGroup(pid, 0))) return true;
      if (this.exit && !leaderGone) {
        leaderGone = true;
        until = Math.min(until, performance.now() + ORPHAN_GRACE_MS);
      }
      if (performance.now() >= until) return false;
      await delay(10);
    }
  }

  /** Waits for the exit, at most `withinMs`. */
  async exited(withinMs: number): Promise<void> {
    const until = performance.now() + withinMs;
    while (this.pid !== null && !this.exit && performance.now() < until) await delay(10);
  }

  #running(): ChildProcessWithoutNullStreams {
    if (!this.#child) throw new Error('the process has not been started');
    return this.#child;
  }

  #hear(text: string): void {
    if (!this.#spec.onLine) return;
    const lines = (this.#line + text).split(/\r?\n/);
    this.#line = lines.pop() ?? '';
    if (this.#line.length > MAX_LINE) {
      lines.push(this.#line);
      this.#line = '';
    }
    for (const line of lines) if (line.trim() !== '') this.#spec.onLine(line);
  }

  #keep(chunk: Buffer): void {
    this.#hear(this.#decoder.write(chunk));
    this.#stderr.push(chunk);
    this.#stderrBytes += chunk.length;
    while (this.#stderrBytes - (this.#stderr[0]?.length ?? 0) > STDERR_TAIL_BYTES) {
      this.#stderrBytes -= this.#stderr.shift()?.length ?? 0;
    }
  }
}

/**
 * Variables without which programs do not reach the network or the desktop: proxies, authorities of certificates, sources of packages,
 * Docker's daemon, the display. npm sets some for what it runs, which are about this program's own folder.
 */
const passedOn =
  /^(?:(?:https?|all|ftp|no)_proxy|node_(?:extra_ca_certs|use_env_proxy|use_system_ca)|(?:nix_)?ssl_cert_(?:file|dir)|(?:requests|curl|aws)_ca_bundle|git_ssl_cainfo|deno_(?:cert|tls_ca_store)|cargo_http_(?:cainfo|proxy)|npm_config_(?!(?:local|global)_prefix$|prefix$|node_gyp$|npm_version$|user_agent$|init_module$).+|(?:uv|pip|docker)_.+|display|wayland_display|xauthority|xdg_runtime_dir|dbus_session_bus_address)$/i;

/**
 * A child's variables: the SDK's safe list (including PATH), those of network and desktop, and those of its entry.
 * Other variables of this process are not passed on.
 */
export function childEnvironment(env: NodeJS.ProcessEnv, own: Record<string, string>): NodeJS.ProcessEnv {
  const inherited: NodeJS.ProcessEnv = {};
  for (const [key, value] of Object.entries(env)) {
    const safe = DEFAULT_INHERITED_ENV_VARS.includes(process.platform === 'win32' ? key.toUpperCase() : key);
    if (safe || passedOn.test(key)) inherited[key] = value;
  }
  return { ...inherited, ...own };
}

interface CommandPlan {
  command: string;
  args: string[];
  /** The arguments are already quoted and must be passed unchanged. */
  verbatim: boolean;
}

/** Looks up a variable case-insensitively, as Windows does. */
function variable(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const key = Object.keys(env).find((candidate) => candidate.toUpperCase() === name);
  return key === undefined ? undefined : env[key];
}

// Starting commands on Windows, where `npx` is a batch file that only cmd.exe can run.

function findCommand(command: string, env: NodeJS.ProcessEnv, exists: (file: string) => boolean): string | null {
  const extensions = (variable(env, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';').filter(Boolean);
  const hasExtension = extensions.some((extension) => command.toLowerCase().endsWith(extension.toLowerCase()));
  const names = hasExtension ? [command] : extensions.map((extension) => command + extension.toLowerCase());
  const bare = !/[\\/]/.test(command);
  const folders = bare ? (variable(env, 'PATH') ?? '').split(';').filter(Boolean) : [''];
  for (const folder of folders) {
    for (const name of names) {
      const file = folder === '' ? name : path.win32.join(folder, name);
      if (exists(file)) return file;
    }
  }
  return null;
}

/** Escapes every special character of cmd.exe. */
function caretEscape(text: string): string {
  return text.replace(/([()\][%!^"`<>&|;, *?])/g, '^$1');
}

/**
 * Quotes one argument for a batch file run by cmd.exe: first by the rules of CommandLineToArgvW (backslashes before a
 * quote are doubled), then every character that cmd.exe reads as its own is escaped with a caret, twice because the
 * batch file passes its arguments through cmd.exe once more.
 */
function quoteForBatch(argument: string): string {
  const quoted = `"${argument.replace(/(?<!\\)(\\*)"/g, '$1$1\\"').replace(/(?<!\\)(\\*)$/, '$1$1')}"`;
  return caretEscape(caretEscape(quoted));
}

/** How to start `command` on Windows: executables directly, batch files through cmd.exe, unknown names as they are. */
export function resolveWindowsCommand(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  exists: (file: string) => boolean = existsSync,
): CommandPlan {
  const file = findCommand(command, env, exists);
  if (file === null || !/\.(cmd|bat)$/i.test(file)) return { command: file ?? command, args: [...args], verbatim: false };
  const name = caretEscape(path.win32.normalize(file));
  const line = [name, ...args.map(quoteForBatch)].join(' ');
  return { command: variable(env, 'COMSPEC') ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${line}"`], verbatim: true };
}
