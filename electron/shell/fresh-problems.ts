/** Selects problems that were not shown recently, so that an intermittent problem does not notify repeatedly. */
import type { Problem } from '../../shared/contract/status.ts';

/** Milliseconds. */
const LATELY = 60 * 60_000;

/** Remembers by itself; `now` is a time in milliseconds. */
export function problemMemory(): (problems: readonly Problem[], now: number) => Problem[] {
  const told = new Map<string, number>();
  return (problems, now) =>
    problems.filter(({ id, message }) => {
      const key = `${id}\n${message}`;
      const last = told.get(key);
      told.set(key, now);
      return last === undefined || now - last > LATELY;
    });
}
