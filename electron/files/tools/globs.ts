/** Glob patterns with the official server's syntax, with limits that keep any pattern from blocking the program. */

import vm from 'node:vm';
import { Minimatch } from 'minimatch';
import { say } from '../../../shared/model/messages/message.ts';
import { invalid } from './failures.ts';

/** Alternatives that braces may make; time that all matching of one call may take, in milliseconds. */
const MAX_ALTERNATIVES = 1000;
const MAX_MS = 500;
const MAX_PATTERN = 4096;

/** Shared: a new context for each directory would cost more than the matching. */
const clocked = { work: (): void => undefined };
vm.createContext(clocked);
const script = new vm.Script('work()');

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

  /** A regular expression can only be interrupted from outside: the vm module's time limit does that. */
  #bounded<T>(work: () => T): T {
    let result: { value: T } | undefined;
    // Only matching time counts, so that a walk through many directories does not use up the limit.
    clocked.work = () => {
      const began = performance.now();
      result = { value: work() };
      this.#msLeft -= performance.now() - began;
    };
    try {
      script.runInContext(clocked, { timeout: Math.max(1, Math.ceil(this.#msLeft)) });
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      this.#msLeft = 0;
      throw invalid(say('tool.slowPatterns'), say('tool.slowPatterns.hint'));
    }
    if (result === undefined) throw invalid(say('tool.badPatterns'));
    return result.value;
  }
}
