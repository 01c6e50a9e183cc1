/** A time limit for code that may never end, such as matching someone else's regular expression. */
import vm from 'node:vm';

/** Work that ran out of time is too slow if the process computed for at least this part of it. */
const WORKED_SHARE = 0.7;
/** Limits how long the thread is blocked on a machine that is always busy. */
const MOST_TRIES = 5;

/** Shared, because a new context takes longer than most work. */
const context: { work: () => void } = { work: () => undefined };
vm.createContext(context);
const script = new vm.Script('work()');

/** Thrown if the work was stopped. */
export class TooSlow extends Error {}

/**
 * Runs `work` synchronously, within a limit in milliseconds; throws `TooSlow`. Only a script's limit can stop a regular
 * expression, and it counts time on the clock: work is repeated if the machine was busy with something else meanwhile.
 */
export function withinTime<T>(ms: number, work: () => T): T {
  for (let tries = 1; ; tries += 1) {
    let result: { value: T } | undefined;
    context.work = () => {
      result = { value: work() };
    };
    const timer = computeTimer();
    try {
      script.runInContext(context, { timeout: Math.max(1, Math.ceil(ms)) });
    } catch (error) {
      if (!isTimeout(error)) throw error;
      if (timer() >= ms * WORKED_SHARE || tries === MOST_TRIES) throw new TooSlow(`stopped after ${ms} ms`, { cause: error });
      continue;
    }
    return (result as unknown as { value: T }).value;
  }
}

/** Starts counting the milliseconds that the process computes, on all its threads. */
export function computeTimer(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}

const isTimeout = (error: unknown): boolean => (error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
