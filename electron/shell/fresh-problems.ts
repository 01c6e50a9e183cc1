/** Which problems a person has not been told of lately, so that one that comes and goes does not nag. */
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
