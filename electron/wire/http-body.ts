/** Reads JSON request bodies and writes JSON responses and JSON-RPC refusals over HTTP. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { formatBytes } from '../../shared/lib/bytes.ts';
import { ChunkList } from './chunk-list.ts';
import { fitsHeap, TOO_MUCH } from './parse-guard.ts';

/** An HTTP request that is refused: a status and a sentence. */
export class Refusal extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.headers = headers;
  }
}

/** JSON-RPC error codes by HTTP status; the SDKs use -32001 for an unknown session. */
const rpcCodes: Record<number, number> = { 400: -32700, 404: -32001 };

export function answerJson(response: ServerResponse, status: number, value: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers });
  response.end(JSON.stringify(value));
}

export function answerRefusal(response: ServerResponse, { status, message, headers }: Refusal): void {
  answerJson(response, status, { jsonrpc: '2.0', error: { code: rpcCodes[status] ?? -32000, message }, id: null }, headers);
}

/** Limits the bytes of all request bodies that arrive at the same time. */
export class BodyBudget {
  readonly #maxBytes: number;
  #held = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Throws Refusal when other bodies take the room. */
  take(bytes: number): void {
    this.#held += bytes;
    if (this.#held <= this.#maxBytes) return;
    throw new Refusal(503, 'Other requests take the memory for this one: try again later', {
      connection: 'close',
      'retry-after': '5',
    });
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }
}

/** Parses the body. Throws Refusal for a body over `maxBytes` or the budget, or invalid JSON. */
export async function readJson(
  request: IncomingMessage,
  maxBytes: number,
  budget: BodyBudget,
  parse: (text: string) => unknown = JSON.parse,
): Promise<unknown> {
  const tooLarge = () =>
    new Refusal(413, `The request is larger than ${formatBytes(maxBytes)}. Name files by path instead of sending their content`, {
      connection: 'close',
    });
  if (Number(request.headers['content-length']) > maxBytes) throw tooLarge();
  const body = await new Promise<Buffer>((resolve, reject) => {
    const chunks = new ChunkList<Buffer>();
    let received = 0;
    const settle = (outcome: () => void) => {
      budget.release(received);
      received = 0;
      request.off('data', take).off('end', finish).off('close', fail).off('error', fail);
      outcome();
    };
    const take = (chunk: Buffer) => {
      received += chunk.length;
      try {
        budget.take(chunk.length);
        if (received > maxBytes) throw tooLarge();
        chunks.push(chunk);
      } catch (refusal) {
        // The rest is discarded instead of closing the connection, which would lose the response.
        request.on('error', () => undefined).resume();
        settle(() => reject(refusal));
      }
    };
    const finish = () => settle(() => resolve(chunks.joined()));
    const fail = () => settle(() => reject(new Refusal(400, 'The request broke off')));
    request.on('data', take).once('end', finish).once('close', fail).once('error', fail);
  });
  if (!fitsHeap([body], body.length)) throw new Refusal(413, TOO_MUCH);
  try {
    return parse(body.toString('utf8'));
  } catch {
    throw new Refusal(400, 'The request body is not valid JSON');
  }
}
