/** Worker threads for heavy work: few, started when needed, ended when idle, replaced when they die. */

import os from 'node:os';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { Channel } from './channel.ts';
import { TransferableSources } from './transferable-source.ts';

export interface ThreadPoolOptions {
  /** Built file that the threads run. */
  script: string;
  /** Two, or one where there is one core only. */
  maxThreads?: number | undefined;
  /** A thread without work is ended after this time. */
  idleMs?: number | undefined;
  /** How long a thread may go on with what nobody waits for any more before it is ended, in ms. */
  graceMs?: number | undefined;
  /** Bound of a thread's JavaScript heap; Node's own where absent. */
  maxHeapMb?: number | undefined;
}

/** A share in a thread, from `lease` to `release`. */
export interface ThreadLease {
  readonly channel: Channel;
  readonly sources: TransferableSources;
  /** Gives it back. `stopped` settles when the thread has stopped working for it; until then it counts as busy. */
  release(stopped: Promise<unknown>): void;
  /** A further share in the same thread; undefined once that has ended. */
  again(): ThreadLease | undefined;
  /** Whether the thread is still there. */
  readonly alive: boolean;
}

export interface ThreadPool {
  /** `small`: work for which no further thread is started where one runs. */
  lease(work?: 'small'): ThreadLease;
  /** Ends all threads at once; what is under way fails. */
  close(): Promise<void>;
}

interface Thread {
  readonly worker: Worker;
  readonly channel: Channel;
  readonly sources: TransferableSources;
  leases: number;
  /** Leases that were given back, but not yet let go by the thread for too long. */
  stuck: number;
  idleTimer: NodeJS.Timeout | undefined;
}

const IDLE_MS = 30_000;
const GRACE_MS = 1_000;
/** Payloads pass outside the heap; what lives briefly in it would otherwise be let grow to three times as much. */
const YOUNG_HEAP_MB = 4;

export function createThreadPool(options: ThreadPoolOptions): ThreadPool {
  const { script, idleMs = IDLE_MS, graceMs = GRACE_MS, maxHeapMb } = options;
  const maxThreads = options.maxThreads ?? Math.min(2, os.cpus().length || 1);
  const threads = new Set<Thread>();
  let closed = false;

  function start(): Thread {
    const worker = new Worker(script, {
      // Loaders and inspectors of the main thread are none of the worker's.
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

  /** The one with the least to do; a new one rather than a busy one. What is held, but rests, counts little. */
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
    // An idle thread keeps no process alive.
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
          // Nobody waits for anything in there: what it is at may take any time.
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
      await Promise.all([...threads].map(end));
    },
  };
}

const closing = () => new AppError('CANCELLED', 'Filebridge is being closed');

function deathOf(cause: Error): AppError {
  if ('code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new AppError('INTERNAL', say('convert.outOfMemory'), {
      hint: say('convert.outOfMemory.hint', {}),
      cause,
    });
  }
  return new AppError('INTERNAL', `The thread that converts files has ended unexpectedly: ${cause.message}`, {
    hint: 'Try again: a new one is started. If it happens with this file each time, please report it',
    cause,
  });
}
