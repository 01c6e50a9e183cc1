/** Reads JSON request bodies and writes JSON responses and JSON-RPC refusals over HTTP. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { formatBytes } from '../../shared/lib/bytes.ts';

/** A request rejected before it reaches the MCP server. */
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

/** Parses the body. Throws Refusal for a body over `maxBytes` or invalid JSON. */
export async function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const tooLarge = () =>
    new Refusal(413, `The request is larger than ${formatBytes(maxBytes)}. Name files by path instead of sending their content`, {
      connection: 'close',
    });
  if (Number(request.headers['content-length']) > maxBytes) throw tooLarge();
  const body = await new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    const take = (chunk: Buffer) => {
      received += chunk.length;
      chunks.push(chunk);
      if (received <= maxBytes) return;
      // The rest is discarded instead of closing the connection, which would lose the response.
      request.off('data', take);
      reject(tooLarge());
    };
    request.on('data', take);
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('close', () => reject(new Refusal(400, 'The request broke off')));
    request.once('error', () => reject(new Refusal(400, 'The request broke off')));
  });
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    throw new Refusal(400, 'The request body is not valid JSON');
  }
}
