/** An upstream's child process: its environment, its process group, its last words and its end. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as delay } from 'node:timers/promises';
import { resolveWindowsCommand } from './windows-command.ts';

const STDERR_TAIL_BYTES = 8 * 1024;
const windows = process.platform === 'win32';

/**
 * How long a server may take to end by itself after its stdin closed, after SIGTERM, and for the system to end it. Together two
 * seconds: hosts kill a program that takes much longer to end. Milliseconds.
 */
const GRACE_MS = { stdin: 1_000, SIGTERM: 800, SIGKILL: 200 } as const;
/** For what a server leaves behind when it has gone. */
const ORPHAN_GRACE_MS = 200;

/** A server that never ends a line is not waited for. Characters. */
const MAX_LINE = 8 * 1024;

export interface ProcessSpec {
  command: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string | null;
  /** Hears each line the server writes to stderr, also the last one without an end. */
  onLine?: ((line: string) => void) | undefined;
}

export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** It was told to end, by `end` or `kill`. */
  asked: boolean;
}

/**
 * Groups still alive, ended when this process exits by itself. If it is killed outright no code runs: the children
 * then see their stdin close, which is how MCP servers are told to stop; one that ignores that survives.
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

/** Signals a whole group; false if nobody is left in it. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(windows ? pid : -pid, signal);
    return true;
  } catch {
    // ESRCH: the group is gone. EPERM: what is left belongs to somebody else, and nothing more can be done to it.
    return false;
  }
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
  #asked = false;
  exit: ProcessExit | null = null;

  constructor(spec: ProcessSpec) {
    this.#spec = spec;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  get stdin(): Writable {
    return this.#running().stdin;
  }

  get stdout(): NodeJS.ReadableStream {
    return this.#running().stdout;
  }

  /** The last lines the server wrote to stderr, about 8 KiB at most. */
  get stderrTail(): string {
    return Buffer.concat(this.#stderr).subarray(-STDERR_TAIL_BYTES).toString('utf8').trim();
  }

  /** Starts the process. Rejects with the system's error (ENOENT, EACCES) if that is not possible. */
  async start(onClosed: () => void): Promise<void> {
    installExitHook();
    const { command, args, env, cwd } = this.#spec;
    const plan = windows ? resolveWindowsCommand(command, args, env) : { command, args: [...args], verbatim: false };
    const child = spawn(plan.command, plan.args, {
      env,
      cwd: cwd ?? undefined,
      stdio: ['pipe', 'pipe', 'pipe'],
      // Its own group: npx and shells start grandchildren that must end with it.
      detached: !windows,
      windowsHide: true,
      windowsVerbatimArguments: plan.verbatim,
    });
    const spawned = new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      // Stays: a later error, as of a signal that could not be sent, must not end the program.
      child.on('error', reject);
    });
    // Out of descriptors (EMFILE, ENFILE) there are no pipes either, whatever the types say.
    if (child.stderr as unknown) {
      this.#child = child;
      child.stderr.on('data', (chunk: Buffer) => this.#keep(chunk));
      child.stderr.once('close', () => this.#hear(`${this.#decoder.end()}\n`));
    }
    await spawned;
    const pid = child.pid;
    if (pid !== undefined) liveGroups.add(pid);
    this.#closed = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.exit = { code, signal, asked: this.#asked };
        // A grandchild may hold the pipes open; what the server itself said has arrived by then.
        setTimeout(resolve, 1_000).unref();
      });
      child.once('close', () => resolve());
    });
    void this.#closed.then(() => {
      onClosed();
      return this.end();
    });
  }

  /** Ends the process and everything it started: stdin closed, then SIGTERM, then SIGKILL. Resolves when it is gone. */
  end(): Promise<void> {
    // One that has not been started yet may still be.
    if (!this.#child) return Promise.resolve();
    this.#asked = true;
    this.#ending ??= this.#end();
    return this.#ending;
  }

  /** Ends it at once, for a connection that can no longer be used. */
  kill(): void {
    this.#asked = true;
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
    child.stdin.destroy();
    child.stdout.destroy();
    child.stderr.destroy();
  }

  /** Waits a while for the process and its group to go; what a server leaves behind is given less time than itself. */
  async #gone(pid: number, graceMs: number): Promise<boolean> {
    let until = Date.now() + graceMs;
    let leaderGone = false;
    for (;;) {
      if (this.exit && (windows || !signalGroup(pid, 0))) return true;
      if (this.exit && !leaderGone) {
        leaderGone = true;
        until = Math.min(until, Date.now() + ORPHAN_GRACE_MS);
      }
      if (Date.now() >= until) return false;
      await delay(10);
    }
  }

  /** Waits until the process has exited, `withinMs` at most. */
  async exited(withinMs: number): Promise<void> {
    const until = Date.now() + withinMs;
    while (this.pid !== null && !this.exit && Date.now() < until) await delay(10);
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
