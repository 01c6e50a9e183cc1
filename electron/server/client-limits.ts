/** Limits for each client, so that one that never waits for answers, or never reads them, cannot exhaust memory. */

import type { ServerResponse } from 'node:http';
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/server';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';

/** Maximum running calls of one client. */
export const MAX_CALLS = 1_000;

export class CallLimit {
  readonly #counts = new Map<string, number>();
  readonly #max: number;

  constructor(max = MAX_CALLS) {
    this.#max = max;
  }

  /** Runs a call of this client. Throws INVALID_REQUEST when too many are running. */
  async run<T>(owner: string, call: () => Promise<T>): Promise<T> {
    const count = this.#counts.get(owner) ?? 0;
    if (count >= this.#max) {
      throw new AppError('INVALID_REQUEST', say('calls.many', { most: this.#max }), { hint: say('calls.many.hint') });
    }
    this.#counts.set(owner, count + 1);
    try {
      return await call();
    } finally {
      const left = (this.#counts.get(owner) ?? 1) - 1;
      if (left === 0) this.#counts.delete(owner);
      else this.#counts.set(owner, left);
    }
  }
}

// Big answers under way

/** Maximum such answers of one client under way; each may take several times its own bytes. */
export const MAX_BIG_ANSWERS = 4;

/** Tools whose answers may hold a whole file, or the answer of a call as it was. */
const bigTools: ReadonlySet<unknown> = new Set(['read_media_file', 'job_status']);

/** Whether the answer may be big. The SDK checks messages later: any member may be of another type. */
export function wantsBigAnswer(message: unknown): message is JSONRPCRequest {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown; arguments?: unknown } | null };
  if (method === 'resources/read') return true;
  if (method !== 'tools/call') return false;
  const { detail } = (params?.arguments ?? {}) as { detail?: unknown };
  return bigTools.has(params?.name) || (params?.name === 'list_upstream_tools' && detail === 'full');
}

/** For LineTransport. */
export const bigAnswersOnLines = {
  max: MAX_BIG_ANSWERS,
  is: (message: JSONRPCMessage): boolean => wantsBigAnswer(message),
};

/** Over HTTP such requests wait for each other, until their responses were sent or their client is gone. */
export class BigAnswers {
  /** By client: the responses under way, and those that wait. */
  readonly #byOwner = new Map<string, { open: Set<ServerResponse>; waiting: Map<ServerResponse, () => void> }>();

  /** Resolves when it is this response's turn. False: the client is gone. */
  async turn(owner: string, response: ServerResponse): Promise<boolean> {
    if (response.destroyed) return false;
    const own = this.#byOwner.get(owner) ?? { open: new Set(), waiting: new Map() };
    this.#byOwner.set(owner, own);
    const enter = () => {
      own.waiting.delete(response);
      own.open.add(response);
    };
    let entered = Promise.resolve();
    if (own.open.size < MAX_BIG_ANSWERS) enter();
    else {
      entered = new Promise((resolve) => {
        own.waiting.set(response, () => {
          enter();
          resolve();
        });
        // Its end is heard below, where nobody waits any more.
        response.once('close', resolve);
      });
    }
    response.once('close', () => {
      own.waiting.delete(response);
      if (own.open.delete(response)) own.waiting.values().next().value?.();
      if (own.open.size + own.waiting.size === 0) this.#byOwner.delete(owner);
    });
    await entered;
    return !response.destroyed;
  }
}
