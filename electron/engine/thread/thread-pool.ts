/** A small pool of worker threads for heavy work: started on demand, ended when idle, replaced when they die. */

import os from 'node:os';
import { Worker } from 'node:worker_threads';
import { within } from '../../../shared/lib/within.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { Channel } from './channel.ts';
import { TransferableSources } from './transferable-source.ts';

export interface ThreadPoolOptions {
  /** The built file that the threads run. */
  script: string;
  /** Two, or one on a machine with one core. */
  maxThreads?: number | undefined;
  /** An idle thread is ended after this time. */
  idleMs?: number | undefined;
  /** How long a thread may continue cancelled work before it is ended, in ms. */
  graceMs?: number | undefined;
  /** Limit of a thread's JavaScript heap; default: Node's limit. */
  maxHeapMb?: number | undefined;
}

/** The right to use a thread, from `lease` to `release`. */
export interface ThreadLease {
  readonly channel: Channel;
  readonly sources: TransferableSources;
  /** Ends the lease. `stopped` settles when the thread has stopped working for it; until then the thread counts as busy. */
  release(stopped: Promise<unknown>): void;
  /** Another lease of the same thread; undefined if the thread has ended. */
  again(): ThreadLease | undefined;
  /** Whether the thread is still running. */
  readonly alive: boolean;
}

export interface ThreadPool {
  /** `small`: starts no further thread if one is running. */
  lease(work?: 'small'): ThreadLease;
  /** Ends all threads at once; pending work fails. */
  close(): Promise<void>;
}

interface Thread {
  readonly worker: Worker;
  readonly channel: Channel;
  readonly sources: TransferableSources;
  leases: number;
  /** Released leases whose work the thread has not stopped in time. */
  stuck: number;
  idleTimer: NodeJS.Timeout | undefined;
}

const IDLE_MS = 30_000;
const GRACE_MS = 1_000;
/** How long the end of the threads is waited for when the program ends, in ms. */
const CLOSE_MS = 1_000;
/** Payloads are outside the heap; short-lived objects would otherwise let it grow to three times this size. */
const YOUNG_HEAP_MB = 4;

export function createThreadPool(options: ThreadPoolOptions): ThreadPool {
  const { script, idleMs = IDLE_MS, graceMs = GRACE_MS, maxHeapMb } = options;
  const maxThreads = options.maxThreads ?? Math.min(2, os.cpus().length || 1);
  const threads = new Set<Thread>();
  let closed = false;

  function start(): Thread {
    const worker = new Worker(script, {
      // Drops the main thread's loaders and inspectors.
      execArgv: [],
      resourceLimits: {
        maxYoungGenerationSizeMb: YOUNG_HEAP_MB,
        ...(maxHeapMb === undefined ? {} : { maxOldGenerationSizeMb: maxHeapMb }),
      },
    });
    const channel = new Channel(worker);
    const sources = new TransferableSources(channel);
    channel.serve(sources.handlers);
    const thread: Thread = { worker, channel, sources, leases: 0, stuck: 0, idleTimer: undefined };
    const lose = (error: AppError) => {
      threads.delete(thread);
      clearTimeout(thread.idleTimer);
      channel.lose(error);
    };
    worker.on('error', (error) => lose(deathOf(error)));
    worker.on('messageerror', (error) => {
      lose(deathOf(error));
      void worker.terminate();
    });
    worker.on('exit', (code) => lose(closed ? closing() : deathOf(new Error(`it ended with exit code ${code}`))));
    threads.add(thread);
    return thread;
  }

  /** The least busy thread; a new one is preferred to a busy one. Open but idle conversions count little. */
  function choose(work: 'small' | undefined): Thread {
    const [idlest] = [...threads].sort(
      (a, b) => a.stuck - b.stuck || a.channel.underWay - b.channel.underWay || a.leases - b.leases,
    );
    const enough = work === 'small' || threads.size >= maxThreads;
    return idlest && (idlest.channel.underWay === 0 || enough) ? idlest : start();
  }

  function free(thread: Thread): void {
    thread.leases -= 1;
    if (thread.leases > 0 || !threads.has(thread)) return;
    // An idle thread must not keep the process alive.
    thread.worker.unref();
    thread.idleTimer = setTimeout(() => void end(thread), idleMs).unref();
  }

  async function end(thread: Thread): Promise<void> {
    threads.delete(thread);
    clearTimeout(thread.idleTimer);
    await thread.worker.terminate();
  }

  function leaseOf(thread: Thread): ThreadLease {
    thread.leases += 1;
    thread.worker.ref();
    clearTimeout(thread.idleTimer);
    return {
      channel: thread.channel,
      sources: thread.sources,
      get alive() {
        return threads.has(thread);
      },
      again: () => (threads.has(thread) ? leaseOf(thread) : undefined),
      release(stopped) {
        let late = false;
        const timer = setTimeout(() => {
          late = true;
          thread.stuck += 1;
          // Nothing in this thread is awaited, so its current work may take any time.
          if (thread.stuck === thread.leases) void end(thread);
        }, graceMs).unref();
        const done = () => {
          clearTimeout(timer);
          if (late) thread.stuck -= 1;
          free(thread);
        };
        stopped.then(done, done);
      },
    };
  }

  return {
    lease(work) {
      if (closed) throw closing();
      return leaseOf(choose(work));
    },
    async close() {
      closed = true;
      const ended = Promise.all([...threads].map(end)).then(() => process.off('exit', endAnyway));
      // A thread that waits for a disk ends with the disk's answer, and Node would wait for it.
      if ((await within(CLOSE_MS, ended)) === undefined) process.once('exit', endAnyway);
    },
  };
}

const endAnyway = () => process.kill(process.pid, 'SIGKILL');

const closing = () => new AppError('CANCELLED', say('convert.closing'));

function deathOf(cause: Error): AppError {
  if ('code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new AppError('INTERNAL', say('convert.outOfMemory'), {
      hint: say('convert.outOfMemory.hint', {}),
      cause,
    });
  }
  return new AppError('INTERNAL', say('thread.ended', { reason: cause.message }), {
    hint: say('thread.ended.hint'),
    cause,
  });
}
