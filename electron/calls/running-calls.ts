/** Calls beyond their request: those that run, stopped half-way or failed, for the person who watches; background jobs, for the client. */

import { randomUUID } from 'node:crypto';
import type { Trouble } from '../../shared/contract/shapes.ts';
import type { Job, LedgerEntry, RunningCall, StoppedCall } from '../../shared/model/call.ts';
import type { Warning } from '../../shared/model/conversion.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import type { KeptCall, StoppedCallsFile } from '../store/stopped-calls.ts';
import type { ToolResult } from '../upstream/types.ts';
import type { CallFacts, CallListener, CallTarget } from './events.ts';

/** Facts that are known at the start, beside the events' own. */
type Started = Pick<RunningCall, 'server' | 'tool' | 'background'>;

interface Entry {
  readonly call: Started;
  facts: CallFacts;
  readonly cancel: () => void;
  cancelling: boolean;
  /** In milliseconds of `performance.now()`. */
  readonly shownFrom: number;
}

/** Shorter calls are over before anybody sees them. Milliseconds. */
const SHOWN_AFTER_MS = 300;
/** Time between two looks, however many calls begin and end. Milliseconds. */
const LOOK_MS = 200;
/** Calls that are listed, the oldest first; more are only counted by nobody. */
const MOST_LISTED = 200;

/** Length limit for names, which an agent may have made up. UTF-16 code units. */
const MAX_NAME = 200;
const MAX_PATH = 4096;
/** Paths of one call. */
const MOST_PATHS = 100;

export class RunningCalls {
  readonly #entries = new Map<string, Entry>();
  readonly #listeners = new Set<() => void>();
  #looking: NodeJS.Timeout | undefined;
  #seen = '[]';

  /** Follows a call to its end. `cancel` is called when the person cancels it. */
  begin(facts: CallFacts, call: Started, cancel: () => void): CallListener {
    const { id } = facts;
    const entry: Entry = { call, facts, cancel, cancelling: false, shownFrom: performance.now() + SHOWN_AFTER_MS };
    this.#entries.set(id, entry);
    this.#lookSoon(SHOWN_AFTER_MS);
    return (event, now) => {
      entry.facts = now;
      if (event.type !== 'ended') return;
      this.#entries.delete(id);
      // One that nobody has seen changes nothing.
      if (this.#entries.size === 0 && this.#seen === '[]') this.#stopLooking();
    };
  }

  /** Those that have lasted for a moment, the oldest first. */
  list(): RunningCall[] {
    const now = performance.now();
    return [...this.#entries.values()]
      .filter(({ shownFrom }) => shownFrom <= now)
      .slice(0, MOST_LISTED)
      .map(({ call, facts, cancelling }) => ({
        id: facts.id,
        kind: facts.kind,
        client: facts.client,
        server: call.server.slice(0, MAX_NAME),
        tool: call.tool.slice(0, MAX_NAME),
        background: call.background,
        startedAt: facts.time,
        paths: facts.paths.slice(0, MOST_PATHS).map((path) => path.slice(0, MAX_PATH)),
        progress: facts.progress,
        steps: facts.steps,
        needsApproval: facts.needsApproval,
        cancelling,
      }));
  }

  /** Whether there is such a call. */
  cancel(id: string): boolean {
    const entry = this.#entries.get(id);
    if (!entry) return false;
    entry.cancelling = true;
    entry.cancel();
    this.#look();
    return true;
  }

  /** The listener hears when the list has changed, progress included. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #lookSoon(ms: number): void {
    this.#looking ??= setTimeout(() => this.#look(), ms).unref();
  }

  #stopLooking(): void {
    clearTimeout(this.#looking);
    this.#looking = undefined;
  }

  #look(): void {
    this.#stopLooking();
    if (this.#entries.size > 0) this.#lookSoon(LOOK_MS);
    const now = JSON.stringify(this.list());
    if (now === this.#seen) return;
    this.#seen = now;
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Files named of one call. */
const NAMED = 5;

/** Sends what is left of a call, and throws what prevents it. `request` is what was kept with it. */
type GoOn = (request: unknown, receipt: string) => Promise<unknown>;

/** Calls that can be gone on with, also after a restart. */
export class StoppedCalls {
  readonly #file: StoppedCallsFile;
  readonly #listeners = new Set<() => void>();
  readonly #goOn = new Map<KeptCall['by'], GoOn>();
  #kept: KeptCall[] = [];
  #written: Promise<void> = Promise.resolve();

  constructor(file: StoppedCallsFile) {
    this.#file = file;
  }

  /** Resolves once those of earlier runs are listed. */
  async load(): Promise<void> {
    const earlier = await this.#file.read();
    this.#kept = [...earlier, ...this.#kept];
    if (earlier.length > 0) this.#changed();
  }

  /** How calls of an agent, or of the person, are gone on with. */
  goOnWith(by: KeptCall['by'], goOn: GoOn): void {
    this.#goOn.set(by, goOn);
  }

  /** `request`: plain data, which `goOnWith` takes. */
  keep(call: StoppedCall, by: KeptCall['by'], request: unknown): void {
    const kept = { call: { ...call, paths: call.paths.slice(0, NAMED) }, by, request };
    this.#kept = [...this.#without(call.receipt), kept];
    this.#write(() => this.#file.put(kept));
    this.#changed();
  }

  /** Nothing is left of it, or nobody wants to go on. */
  forget(receipt: string): void {
    const left = this.#without(receipt);
    if (left.length === this.#kept.length) return;
    this.#kept = left;
    this.#write(() => this.#file.drop(receipt));
    this.#changed();
  }

  /** The newest first. */
  list(): StoppedCall[] {
    return this.#kept.map(({ call }) => call).reverse();
  }

  /** Throws INVALID_REQUEST for one that is not listed. */
  async resume(receipt: string): Promise<void> {
    const found = this.#kept.find(({ call }) => call.receipt === receipt);
    const goOn = found && this.#goOn.get(found.by);
    if (!goOn) throw new AppError('INVALID_REQUEST', say('call.nothingLeft'));
    await goOn(found.sealed === undefined ? found.request : this.#file.requestOf(found), receipt);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves once everything is on disk. */
  settled(): Promise<void> {
    return this.#written;
  }

  /** One after the other, in their order. */
  #write(change: () => Promise<void>): void {
    this.#written = this.#written.then(change);
  }

  #without(receipt: string): KeptCall[] {
    return this.#kept.filter(({ call }) => call.receipt !== receipt);
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

/** For how long a call after a failed one counts as its repetition (milliseconds). */
const WITHIN_MS = 10 * 60_000;
/** Failed calls that are remembered. */
const KEPT_ATTEMPTS = 500;

type Ended = Pick<LedgerEntry, 'client' | 'server' | 'tool' | 'paths' | 'outcome'>;

export class Attempts {
  readonly #failed = new Map<string, { entry: string; attempt: number; at: number }>();

  /** A call of a server's tool has ended. Gives which try it was, and the one before; undefined for a first one. */
  ended(entry: string, { client, server, tool, paths, outcome }: Ended): { attempt: number; retryOf: string } | undefined {
    const key = JSON.stringify([client, server, tool, paths]);
    const now = performance.now();
    const before = this.#failed.get(key);
    const again = before !== undefined && now - before.at <= WITHIN_MS ? before : undefined;
    this.#failed.delete(key);
    const attempt = (again?.attempt ?? 0) + 1;
    if (outcome !== 'ok') this.#failed.set(key, { entry, attempt, at: now });
    const [oldest] = this.#failed.keys();
    if (this.#failed.size > KEPT_ATTEMPTS && oldest !== undefined) this.#failed.delete(oldest);
    return again && { attempt, retryOf: again.entry };
  }
}

// Error texts of the newest failed calls. They may contain data, so they are never written to disk.

const KEPT_WORDS = 500;
const LONGEST = 2_000;

interface FailureWords {
  message: string;
  /** The same with what to do, where the words are ours. */
  trouble: Trouble | null;
}

export interface LastWords {
  /** `error`: absent where the words are the tool's. */
  keep(entryId: string, message: string, error?: AppError): void;
  of(entryId: string): FailureWords | undefined;
}

export function createLastWords(): LastWords {
  const words = new Map<string, FailureWords>();
  return {
    keep(entryId, message, error) {
      words.set(entryId, { message: shortened(message), trouble: error ? troubleOf(error) : null });
      const [oldest] = words.keys();
      if (words.size > KEPT_WORDS && oldest !== undefined) words.delete(oldest);
    },
    of: (entryId) => words.get(entryId),
  };
}

const shortened = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

/** Without the cause, which may be large. */
function troubleOf({ code, message, hint, said }: AppError): Trouble {
  const short = JSON.stringify(said).length <= 2 * LONGEST;
  return { code, message: shortened(message), hint: hint === undefined ? null : shortened(hint), ...(short ? { said } : {}) };
}

// Background jobs: calls that outlive the request that started them.

export interface JobReport {
  /** The job's, which a receipt gets too. */
  readonly id: string;
  progress(records: number, total: number | null, batches: number): void;
  /** Ends it for the person, as `cancel_job` does for the client. */
  cancel(reason: unknown): void;
}

interface JobEntry {
  job: Job;
  /** The client that started it, which alone sees it. */
  owner: string;
  abort: AbortController;
  result: ToolResult | undefined;
  done: Promise<void>;
}

/** Maximum finished jobs kept per client. */
const KEEP = 100;

/** Maximum running jobs per client. */
export const MAX_RUNNING = 32;

export function createJobs() {
  const entries = new Map<string, JobEntry>();

  const ofOwner = (owner: string) => [...entries].filter(([, entry]) => entry.owner === owner);

  function find(owner: string, id: string): JobEntry {
    const entry = entries.get(id);
    if (entry?.owner === owner) return entry;
    const known = ofOwner(owner).map(([own]) => own);
    throw new AppError('JOB_UNKNOWN', say('job.unknown', { id }), {
      hint: known.length === 0 ? say('job.unknown.none') : say('job.unknown.known', { known: known.slice(-5) }),
    });
  }

  function prune(owner: string): void {
    const finished = ofOwner(owner).filter(([, entry]) => entry.job.state !== 'running');
    for (const [id] of finished.slice(0, Math.max(0, finished.length - KEEP))) entries.delete(id);
  }

  return {
    /**
     * Starts `run` and returns at once. `run` reports failures as results with `isError`. INVALID_REQUEST where the client has too many under
     * way. `id`: of the receipt that it goes on with.
     */
    start(
      target: CallTarget,
      owner: string,
      warnings: Warning[],
      run: (signal: AbortSignal, report: JobReport) => Promise<ToolResult>,
      id: string = randomUUID().slice(0, 8),
    ): Job {
      const same = entries.get(id);
      if (same && (same.owner !== owner || same.job.state === 'running')) {
        throw new AppError('INVALID_REQUEST', say('job.running', { id }), { hint: say('job.running.hint') });
      }
      const running = ofOwner(owner).filter(([, { job }]) => job.state === 'running');
      if (running.length >= MAX_RUNNING) {
        throw new AppError('INVALID_REQUEST', say('job.many', { most: MAX_RUNNING }), { hint: say('job.many.hint') });
      }
      const abort = new AbortController();
      const job: Job = {
        job_id: id,
        state: 'running',
        server: target.server,
        tool: target.tool,
        startedAt: new Date().toISOString(),
        finishedAt: null,
        progress: { records: 0, total: null, batches: 0 },
        warnings,
      };
      const report: JobReport = {
        id,
        progress: (records, total, batches) => {
          job.progress = { records, total, batches };
        },
        cancel: (reason) => abort.abort(reason),
      };
      const entry: JobEntry = { job, owner, abort, result: undefined, done: Promise.resolve() };
      entry.done = run(abort.signal, report).then((result) => {
        entry.result = result;
        job.state = abort.signal.aborted ? 'cancelled' : result.isError ? 'failed' : 'done';
        job.finishedAt = new Date().toISOString();
        prune(owner);
      });
      entries.set(job.job_id, entry);
      return job;
    },

    /** The job, and its result once it has one. JOB_UNKNOWN. */
    status(owner: string, id: string): { job: Job; result: ToolResult | undefined } {
      const { job, result } = find(owner, id);
      return { job: { ...job }, result };
    },

    /** Cancels a running job and waits for its end. Throws JOB_UNKNOWN. */
    async cancel(owner: string, id: string): Promise<{ job: Job; result: ToolResult | undefined }> {
      const entry = find(owner, id);
      entry.abort.abort();
      await entry.done;
      return { job: { ...entry.job }, result: entry.result };
    },

    async close(): Promise<void> {
      for (const entry of entries.values()) entry.abort.abort();
      await Promise.all([...entries.values()].map((entry) => entry.done));
    },
  };
}

export type Jobs = ReturnType<typeof createJobs>;
