/** Tries a drafted server: starts it apart from the others, asks for its tools, ends it. Nothing is kept. */
import type { Trouble } from '../../shared/contract/shapes.ts';
import type { UpstreamTest } from '../../shared/contract/upstreams.ts';
import type { Upstream } from '../../shared/model/config.ts';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import type { UpstreamPool } from '../upstream/types.ts';

/** Fetching a server on its first start takes minutes at times; then its tools are asked for. Milliseconds. */
const PATIENCE_MS = 210_000;
const LOG_LINES = 20;

export const trouble = (error: unknown): Trouble => {
  const { code, message, hint, said } = toAppError(error);
  return { code, message, hint: hint ?? null, said };
};

interface TestOptions {
  patienceMs?: number;
  /** Ends the test early. */
  signal?: AbortSignal;
}

/** `poolOf` opens the pool that the server is tried in; it is closed before this resolves. */
export async function testUpstream(
  name: string,
  upstream: Upstream,
  poolOf: (upstreams: Record<string, Upstream>) => UpstreamPool,
  { patienceMs = PATIENCE_MS, signal }: TestOptions = {},
): Promise<UpstreamTest> {
  const started = performance.now();
  const pool = poolOf({ [name]: { ...upstream, enabled: true } });
  const answer = (tools: UpstreamTest['tools'], error: Trouble | null): UpstreamTest => ({
    ok: error === null,
    serverInfo: pool.status(name)[0]?.serverInfo ?? null,
    tools,
    error,
    log: pool
      .log(name)
      .filter((line) => line.from === 'server')
      .slice(-LOG_LINES)
      .map((line) => line.text),
    milliseconds: performance.now() - started,
  });
  const ending = new AbortController();
  const end = () => ending.abort();
  let isLate = false;
  const patience = setTimeout(() => {
    isLate = true;
    end();
  }, patienceMs);
  if (signal?.aborted) end();
  signal?.addEventListener('abort', end);
  try {
    const tools = await pool.tools(name, { all: true, signal: ending.signal });
    return answer(
      tools.map((tool) => ({ name: tool.name, description: tool.description ?? null })),
      null,
    );
  } catch (error) {
    return answer([], trouble(isLate ? impatience(name, patienceMs) : error));
  } finally {
    clearTimeout(patience);
    signal?.removeEventListener('abort', end);
    await pool.close();
  }
}

const impatience = (name: string, ms: number) =>
  new AppError('UPSTREAM_TIMEOUT', say('server.notReady', { server: name, seconds: Math.round(ms / 1000) }), {
    hint: say('server.notReady.hint'),
  });

// The tests under way, so that a page can end one

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
