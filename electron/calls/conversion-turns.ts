/** Bounds how many conversions are open at once: WebAssembly memories of hundreds stall the program, and each holds a file open. */

import { inAgentsWords, say } from '../../shared/model/messages/message.ts';
import { throwIfCancelled } from '../engine/core/failures.ts';
import type { JsonStream } from '../engine/core/payload.ts';

/** Maximum open conversions per client, and separately for its background jobs. */
export const MAX_OF_CLIENT = 16;
/** Maximum open conversions in total. */
export const MAX_IN_ALL = 64;

/** Interval of progress notifications of a waiting call (milliseconds). */
const REPORT_MS = 5_000;
/** Less than any progress a server reports, so that theirs still rises. */
const STEP = 1e-6;

export interface TurnOptions {
  /** Calls with the same one share its bound. */
  client: string;
  signal: AbortSignal;
  /** Hears that the call waits, at once and then every few seconds. */
  waits?: ((progress: { progress: number; message: string }) => void) | undefined;
}

/** The right of one call to have its conversions open. */
export interface Turn {
  /** Waits for it; at once where it is held already. CANCELLED. */
  take(): Promise<void>;
  /** Gives it back. It can be taken again. */
  rest(): void;
}

interface Waiter {
  start(): void;
}

export interface ConversionTurns {
  turn(options: TurnOptions): Turn;
}

export function createConversionTurns({
  ofClient = MAX_OF_CLIENT,
  inAll = MAX_IN_ALL,
  reportMs = REPORT_MS,
} = {}): ConversionTurns {
  const open = new Map<string, number>();
  /** By client; the client that was served last stands last. */
  const waiting = new Map<string, Set<Waiter>>();
  let total = 0;

  const openOf = (client: string) => open.get(client) ?? 0;

  function count(client: string, change: 1 | -1): void {
    total += change;
    const now = openOf(client) + change;
    if (now === 0) open.delete(client);
    else open.set(client, now);
  }

  /** The client with the fewest open; of several, the one that was served longest ago. */
  function nextClient(): string | undefined {
    let next: string | undefined;
    for (const client of waiting.keys()) {
      if (openOf(client) < Math.min(ofClient, next === undefined ? ofClient : openOf(next))) next = client;
    }
    return next;
  }

  function serve(): void {
    while (total < inAll) {
      const client = nextClient();
      const waiters = client === undefined ? undefined : waiting.get(client);
      const [first] = waiters ?? [];
      if (client === undefined || waiters === undefined || first === undefined) return;
      waiters.delete(first);
      waiting.delete(client);
      if (waiters.size > 0) waiting.set(client, waiters);
      count(client, 1);
      first.start();
    }
  }

  /** In the queue until it is served or cancelled. */
  function queued({ client, signal, waits }: TurnOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiters = waiting.get(client) ?? new Set();
      const message = inAgentsWords(say('calls.waiting', { ofClient: openOf(client), inAll: total }));
      let reports = 0;
      const report = () => {
        reports += 1;
        waits?.({ progress: reports * STEP, message });
      };
      const timer = setInterval(report, reportMs);
      const leave = () => {
        clearInterval(timer);
        signal.removeEventListener('abort', cancel);
      };
      const waiter: Waiter = {
        start() {
          leave();
          resolve();
        },
      };
      const cancel = () => {
        leave();
        waiters.delete(waiter);
        if (waiters.size === 0 && waiting.get(client) === waiters) waiting.delete(client);
        try {
          throwIfCancelled(signal);
        } catch (error) {
          reject(error);
        }
      };
      signal.addEventListener('abort', cancel);
      waiters.add(waiter);
      waiting.set(client, waiters);
      report();
    });
  }

  return {
    turn(options) {
      let isHeld = false;
      return {
        async take() {
          throwIfCancelled(options.signal);
          if (isHeld) return;
          if (total < inAll && openOf(options.client) < ofClient && !waiting.has(options.client)) count(options.client, 1);
          else await queued(options);
          isHeld = true;
        },
        rest() {
          if (!isHeld) return;
          isHeld = false;
          count(options.client, -1);
          serve();
        },
      };
    },
  };
}

/** The same arguments, which give the turn back as soon as all of them are sent: an answer may take minutes. */
export function restsOnceSent(args: JsonStream, turn: Turn): JsonStream {
  return {
    bytes: args.bytes,
    async *json(signal, options) {
      await turn.take();
      yield* args.json(signal, options);
      turn.rest();
    },
  };
}
