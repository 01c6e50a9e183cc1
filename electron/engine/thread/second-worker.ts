/** Starts the second thread on first use and ends it when it has been idle for a while. */
import os from 'node:os';
import { Worker, workerData } from 'node:worker_threads';
import { type SecondThread, STOP } from '../core/source.ts';
import type { Told } from './second-tasks.ts';

/** Tells the worker program to run as the second thread. */
const SECOND = 'second';

export const isSecondThread = workerData === SECOND;

const IDLE_MS = 10_000;
const YOUNG_HEAP_MB = 4;

/** The task that the thread is running. */
interface Run {
  onFound(found: unknown): void;
  onEnd(): void;
}

/** `script`: the built worker program. Undefined on a machine with one core. */
export function secondThread(script: string): SecondThread | undefined {
  if (os.cpus().length < 2) return undefined;
  let worker: Worker | undefined;
  let run: Run | undefined;
  let idleTimer: NodeJS.Timeout | undefined;

  function lose(): void {
    worker = undefined;
    clearTimeout(idleTimer);
    run?.onEnd();
  }

  function start(): Worker {
    const started = new Worker(script, {
      workerData: SECOND,
      // Drops the first thread's loaders and inspectors.
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
    });
    started.on('message', ({ found, ended }: Told) => {
      if (ended) run?.onEnd();
      else run?.onFound(found);
    });
    // The waiting caller continues without the second thread.
    started.on('error', () => lose());
    started.on('exit', () => {
      if (worker === started) lose();
    });
    return started;
  }

  return {
    begin(task, onFound, onEnd) {
      if (run) return undefined;
      clearTimeout(idleTimer);
      try {
        worker ??= start();
      } catch {
        // The system cannot start another thread: the caller continues alone.
        return undefined;
      }
      const thread = worker;
      thread.ref();
      let ended: () => void = () => undefined;
      const over = new Promise<void>((resolve) => {
        ended = resolve;
      });
      const mine: Run = {
        onFound,
        onEnd() {
          if (run !== mine) return;
          run = undefined;
          // An idle thread must not keep the process alive.
          thread.unref();
          idleTimer = setTimeout(() => {
            worker = undefined;
            void thread.terminate();
          }, IDLE_MS).unref();
          ended();
          onEnd();
        },
      };
      run = mine;
      thread.postMessage(task);
      return {
        stop() {
          Atomics.store(task.control, STOP, 1);
          return over;
        },
      };
    },
  };
}
