/** Real MCP clients of several SDKs and eras with a common interface, so that the same test runs with each. */

import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { limits } from '../../shared/lib/fixtures/limits.ts';

export type JsonObject = Record<string, unknown>;

/** A block of a result, with all fields it has. */
export interface Block extends JsonObject {
  type: string;
  text?: string;
}

/** A tool's result as the client received it. */
export interface Answer {
  isError: boolean;
  blocks: Block[];
  /** All text blocks, joined by line breaks. */
  text: string;
  /** The first text block as JSON. */
  json(): JsonObject;
  /** The unchanged result. */
  result: JsonObject;
}

export interface Progress {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

export interface Tool extends JsonObject {
  name: string;
  description?: string;
  inputSchema: JsonObject & { type: string; properties?: JsonObject };
  annotations?: JsonObject;
}

export interface McpClient {
  /** The negotiated protocol revision. */
  readonly revision: string | undefined;
  /** Its process, over stdio. */
  readonly pid: number | undefined;
  tools(): Promise<Tool[]>;
  call(
    name: string,
    args?: JsonObject,
    options?: { signal?: AbortSignal; onprogress?: (progress: Progress) => void },
  ): Promise<Answer>;
  request(method: string, params?: JsonObject): Promise<JsonObject>;
  notify(method: string): Promise<void>;
  close(): Promise<void>;
}

export interface ClientHooks {
  /** The client's name. */
  name?: string;
  /** Answers elicitations; a client without it declares that it does not support them. */
  onQuestion?: (params: JsonObject) => JsonObject;
  /** URIs of the client's roots, read each time it is asked. */
  roots?: readonly string[];
  onLog?: (data: unknown) => void;
  onResourcesChanged?: () => void;
  /** v1 only. */
  onResourceUpdated?: (uri: string) => void;
}

export type Way =
  | { command: string; args: string[]; env: Record<string, string>; onStderr: (text: string) => void }
  | { url: string; token: string };

export type ClientKind = 'v1' | 'v2 in its default era' | 'v2 negotiating';
/** `npm test` leaves out the one that speaks as v1 does; MATRIX=all takes it too. */
export const clientKinds: readonly ClientKind[] =
  process.env.MATRIX === 'all' ? ['v1', 'v2 in its default era', 'v2 negotiating'] : ['v1', 'v2 negotiating'];

const anything = z.record(z.string(), z.unknown());
const implementation = (name = 'e2e-host') => ({ name, version: '1.0.0' });

function answerOf(result: JsonObject): Answer {
  const blocks = (result.content ?? []) as Block[];
  const texts = blocks.flatMap((block) => (block.type === 'text' && block.text !== undefined ? [block.text] : []));
  return {
    isError: result.isError === true,
    blocks,
    text: texts.join('\n'),
    json: () => JSON.parse(texts[0] ?? '') as JsonObject,
    result,
  };
}

export async function openClient(kind: ClientKind, way: Way, hooks: ClientHooks = {}): Promise<McpClient> {
  return kind === 'v1' ? openV1(way, hooks) : openV2(kind, way, hooks);
}

async function openV1(way: Way, hooks: ClientHooks): Promise<McpClient> {
  const { name, onQuestion, roots, onLog, onResourcesChanged, onResourceUpdated } = hooks;
  const client = new Client1(implementation(name), {
    capabilities: { ...(onQuestion ? { elicitation: {} } : {}), ...(roots ? { roots: { listChanged: true } } : {}) },
  });
  if (roots) client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: roots.map((uri) => ({ uri })) }));
  if (onQuestion)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({ action: 'accept', content: onQuestion(params) as never }));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => onLog?.(params.data));
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => onResourcesChanged?.());
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => onResourceUpdated?.(params.uri));
  let transport: Stdio1 | Http1;
  if ('url' in way) {
    transport = new Http1(new URL(way.url), { requestInit: { headers: { authorization: `Bearer ${way.token}` } } });
  } else {
    transport = new Stdio1({ command: way.command, args: way.args, env: way.env, stderr: 'pipe' });
    transport.stderr?.on('data', (chunk: Buffer) => way.onStderr(chunk.toString('utf8')));
  }
  let revision: string | undefined;
  const toldRevision = (transport as { setProtocolVersion?: (version: string) => void }).setProtocolVersion?.bind(transport);
  // The client reports the negotiated revision only to its transport.
  (transport as { setProtocolVersion?: (version: string) => void }).setProtocolVersion = (version) => {
    revision = version;
    toldRevision?.(version);
  };
  await client.connect(transport, { timeout: limits.wait });
  const request = (method: string, params: JsonObject = {}, options = {}): Promise<JsonObject> =>
    client.request({ method, params } as never, anything, { timeout: limits.wait, ...options });
  return {
    revision,
    pid: transport instanceof Stdio1 ? (transport.pid ?? undefined) : undefined,
    tools: async () => (await request('tools/list')).tools as Tool[],
    call: async (name, args = {}, options = {}) => answerOf(await request('tools/call', { name, arguments: args }, options)),
    request,
    notify: (method) => client.notification({ method } as never),
    async close() {
      if (transport instanceof Http1) await transport.terminateSession();
      await client.close();
    },
  };
}

async function openV2(
  kind: ClientKind,
  way: Way,
  { name, onQuestion, roots, onLog, onResourcesChanged }: ClientHooks,
): Promise<McpClient> {
  const client = new Client2(implementation(name), {
    capabilities: { ...(onQuestion ? { elicitation: { form: {} } } : {}), ...(roots ? { roots: { listChanged: true } } : {}) },
    ...(kind === 'v2 negotiating' ? { versionNegotiation: { mode: 'auto' as const } } : {}),
    ...(onResourcesChanged ? { listChanged: { resources: { autoRefresh: false, onChanged: onResourcesChanged } } } : {}),
  });
  if (onQuestion)
    client.setRequestHandler('elicitation/create', ({ params }) => ({
      action: 'accept',
      content: onQuestion(params as JsonObject) as never,
    }));
  if (roots) client.setRequestHandler('roots/list', () => ({ roots: roots.map((uri) => ({ uri })) }));
  client.setNotificationHandler('notifications/message', ({ params }) => onLog?.(params.data));
  let transport: Stdio2 | Http2;
  if ('url' in way) {
    transport = new Http2(new URL(way.url), { requestInit: { headers: { authorization: `Bearer ${way.token}` } } });
  } else {
    transport = new Stdio2({ command: way.command, args: way.args, env: way.env, stderr: 'pipe' });
    transport.stderr?.on('data', (chunk: Buffer) => way.onStderr(chunk.toString('utf8')));
  }
  await client.connect(transport, { timeout: limits.wait });
  const request = (method: string, params: JsonObject = {}, options = {}): Promise<JsonObject> =>
    client.request({ method, params }, anything, { timeout: limits.wait, ...options });
  return {
    revision: client.getNegotiatedProtocolVersion(),
    pid: transport instanceof Stdio2 ? (transport.pid ?? undefined) : undefined,
    tools: async () => (await request('tools/list')).tools as Tool[],
    call: async (name, args = {}, options = {}) => answerOf(await request('tools/call', { name, arguments: args }, options)),
    request,
    notify: (method) => client.notification({ method } as never),
    close: () => client.close(),
  };
}
