/** Starts the second thread when it is first needed, and ends it when it has had nothing to do for a while. */
import os from 'node:os';
import { Worker, workerData } from 'node:worker_threads';
import { type SecondThread, STOP } from '../core/second-thread.ts';
import type { Told } from './second-tasks.ts';

/** Tells the program of worker threads that it is to be a second one. */
const SECOND = 'second';

export const isSecondThread = workerData === SECOND;

const IDLE_MS = 10_000;
const YOUNG_HEAP_MB = 4;

/** What is under way in the thread. */
interface Run {
  onFound(found: unknown): void;
  onEnd(): void;
}

/** `script`: the built program of worker threads. Undefined where there is one core only. */
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
      // Loaders and inspectors of the first thread are none of its.
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
    });
    started.on('message', ({ found, ended }: Told) => {
      if (ended) run?.onEnd();
      else run?.onFound(found);
    });
    // Whoever waits for it goes on alone.
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
        // The system has no more threads to give: whoever asks goes on alone.
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
          // An idle thread keeps no process alive.
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
