/** Tests of servers under way, so that a page can end one. */

export interface RunningTests {
  /** `id` is the asker's. The signal aborts when the test is ended. */
  run<T>(id: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** A test that has ended is not an error. */
  end(id: string): void;
}

export function createRunningTests(): RunningTests {
  const running = new Map<string, AbortController>();
  return {
    async run(id, work) {
      const ending = new AbortController();
      running.set(id, ending);
      try {
        return await work(ending.signal);
      } finally {
        running.delete(id);
      }
    },
    end: (id) => running.get(id)?.abort(),
  };
}
