/** A stand-in for a model's API on 127.0.0.1: records the tools that a host sends, calls one of them, and then says "done". */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { JsonObject } from '../mcp-clients.ts';
import { anthropic } from './anthropic-api.ts';
import { gemini } from './gemini-api.ts';
import { responses } from './responses-api.ts';

/** A tool as a host sends it to a model, in the same form for every API. */
export interface SentTool {
  name: string;
  inputSchema: JsonObject;
}

/** What the model answers: a call, or a text that ends the conversation. */
export type Turn = { call: string; args: JsonObject; id: string } | { text: string };

/** One of the APIs that models are reached by. */
export interface Api {
  /** Whether this request asks for a turn of the model. */
  asksForTurn(path: string): boolean;
  tools(body: JsonObject): SentTool[];
  /** What tools have returned in this conversation, as text. */
  results(body: JsonObject): string[];
  /** Answers in full or as events, as the request wants it. */
  answer(turn: Turn, body: JsonObject, path: string): Reply;
}

export type Reply = { json: JsonObject } | { events: { event?: string; data: JsonObject }[] };

export interface ModelRequest {
  path: string;
  tools: SentTool[];
  results: string[];
  body: JsonObject;
}

export interface ModelApi {
  url: string;
  /** All requests for a turn, in sequence. */
  requests: ModelRequest[];
  /** All other requests: method and path. */
  others: string[];
  close(): Promise<void>;
}

const apis: readonly Api[] = [anthropic, responses, gemini];

/** A call of a host's own tool that finds others. */
export type Search = { call: string; args: JsonObject };

/** Calls the tool whose name is or ends with `tool`, whatever prefix the host gave it; searches first where the host does not send it. */
export async function startModelApi(tool: string, args: JsonObject, search?: Search): Promise<ModelApi> {
  const requests: ModelRequest[] = [];
  const others: string[] = [];
  // Each is called once, whatever it returns.
  const calls = [tool, ...(search ? [search.call] : [])].map((name) => ({
    name,
    args: name === tool ? args : (search?.args ?? {}),
  }));
  const turnFor = ({ tools }: ModelRequest): Turn => {
    for (const [index, { name, args }] of calls.entries()) {
      const sent = tools.find((each) => isNamed(each.name, name));
      if (!sent) continue;
      calls.length = index;
      return { call: sent.name, args, id: `${index}` };
    }
    return { text: 'done' };
  };

  const server = createServer(async (request, response) => {
    try {
      const path = request.url ?? '';
      const body = await bodyOf(request);
      const api = apis.find((each) => each.asksForTurn(path));
      if (request.method !== 'POST' || api === undefined) {
        others.push(`${request.method} ${path}`);
        // Counts of tokens, of two APIs.
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ input_tokens: 10, totalTokens: 10, data: [], models: [] }));
        return;
      }
      const asked = { path, tools: api.tools(body), results: api.results(body), body };
      requests.push(asked);
      send(response, api.answer(turnFor(asked), body, path));
    } catch (error) {
      others.push(`${request.method} ${request.url}: ${error}`);
      response.writeHead(400).end(String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    others,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Whether a host calls a tool by this name, with a prefix or without one. */
export const isNamed = (sent: string, tool: string): boolean => sent === tool || sent.endsWith(`_${tool}`);

async function bodyOf(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks);
  const encoding = request.headers['content-encoding'];
  const bytes = encoding === 'gzip' ? gunzipSync(raw) : encoding === 'br' ? brotliDecompressSync(raw) : raw;
  return bytes.length === 0 ? {} : (JSON.parse(bytes.toString('utf8')) as JsonObject);
}

function send(response: ServerResponse, reply: Reply): void {
  if ('json' in reply) {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(reply.json));
    return;
  }
  response.setHeader('content-type', 'text/event-stream');
  for (const { event, data } of reply.events)
    response.write(`${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`);
  response.end();
}
