/** Bounds the answers of one client that hold a whole file, so that answers nobody reads cannot exhaust memory. */
import type { ServerResponse } from 'node:http';
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/server';

/** Maximum such answers of one client under way; each may have several times the bytes of its file. */
export const MAX_BIG_ANSWERS = 4;

/** Whether the answer may hold a whole file. The SDK checks messages later: any member may be of another type. */
export function wantsBigAnswer(message: unknown): message is JSONRPCRequest {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } | null };
  return method === 'resources/read' || (method === 'tools/call' && params?.name === 'read_media_file');
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
