/** Glob patterns with the official server's syntax, with limits that keep any pattern from blocking the program. */

import { Minimatch } from 'minimatch';
import { say } from '../../../shared/model/messages/message.ts';
import { computeTimer, TooSlow, withinTime } from '../../engine/core/time-limit.ts';
import { invalid } from './failures.ts';

/** Alternatives that braces may make; time that all matching of one call may take, in milliseconds. */
const MAX_ALTERNATIVES = 1000;
const MAX_MS = 500;
/** Fixed cost of one time-limited call, which starts a watchdog thread. A walk makes thousands of them and has its own limit. Milliseconds. */
const OVERHEAD_MS = 1;
const MAX_PATTERN = 4096;

export class Globs {
  #msLeft = MAX_MS;

  /** Returns whether a path matches any of these patterns. */
  matcher(patterns: readonly string[]): (paths: readonly string[]) => boolean[] {
    for (const pattern of patterns) if (pattern.length > MAX_PATTERN) throw invalid(say('tool.longPattern'));
    const compiled = this.#bounded(() =>
      patterns.map((pattern) => new Minimatch(pattern, { dot: true, braceExpandMax: MAX_ALTERNATIVES })),
    );
    if (compiled.length === 0) return (paths) => paths.map(() => false);
    return (paths) => this.#bounded(() => paths.map((path) => compiled.some((glob) => glob.match(path))));
  }

  #bounded<T>(work: () => T): T {
    // Only matching time counts, so that a walk through many directories does not use up the limit.
    const began = performance.now();
    const computed = computeTimer();
    try {
      return withinTime(this.#msLeft, work);
    } catch (error) {
      if (!(error instanceof TooSlow)) throw error;
      throw invalid(say('tool.slowPatterns'), say('tool.slowPatterns.hint'));
    } finally {
      // Time on the clock passes on a busy machine too, and other threads compute as well.
      this.#msLeft -= Math.max(0, Math.min(performance.now() - began, computed()) - OVERHEAD_MS);
    }
  }
}
