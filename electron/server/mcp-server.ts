/** One MCP server instance: tools, resources and logging over the call service, for either era of the protocol. */

import { ProtocolError, ProtocolErrorCode, Server, type ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { AppError } from '../../shared/model/errors.ts';
import { inAgentsWords, nearNames, say } from '../../shared/model/messages/message.ts';
import { failureResult } from '../calls/output.ts';
import type { CallService } from '../calls/service.ts';
import type { CallerContext } from '../calls/types.ts';
import type { JsonObject, ToolResult } from '../upstream/types.ts';
import { channelOf, clientInfo, type PendingCalls, pushingCaller } from './caller.ts';
import type { CallLimit } from './client-limits.ts';
import { ClientRoots, ROOTS_ANSWER_MS } from './client-roots.ts';
import { setOfferHandlers } from './offer-handlers.ts';
import type { PresentClients } from './present-clients.ts';
import type { ToolSource } from './tool-source.ts';
import type { UpstreamOffers } from './upstream-offers.ts';

const INSTRUCTIONS = `Filebridge hands files to tools by path: never read or retype a file to pass it on.
Use list_upstream_tools to find a tool, preview_file to see what a file turns into, call_tool_with_file_content to send it. dry_run shows what would be sent. Big arrays: batch "auto"; long calls: background true, then job_status. Use call_tool_and_store for big answers.`;

/** State shared by all instances of one endpoint. */
export interface ServedThings {
  service: CallService;
  info: { name: string; version: string };
  sources: readonly ToolSource[];
  /** Prompts and resources of upstreams; absent: none are offered. */
  offers?: UpstreamOffers | undefined;
  pending: PendingCalls;
  /** Hears which clients are here; absent: nobody looks. */
  present?: PresentClients | undefined;
  callLimit: CallLimit;
  log: (line: string) => void;
  /** Hears the URIs of the client's roots; absent where roots mean nothing. */
  onRoots?: ((uris: readonly string[]) => Promise<void>) | undefined;
}

/** Whom an instance serves: `owner` tells clients apart that must not see each other's calls. */
export interface ServedClient {
  era: 'legacy' | 'modern';
  transport: 'stdio' | 'http';
  owner: string;
  name: string | null;
}

/** The SDK's server reads tool results against its own list of block types; ours are passed on as the upstream wrote them. */
export class AgentServer extends Server {
  readonly roots = new ClientRoots((line) => this.onerror?.(new Error(line)));

  protected override _wrapHandler(
    method: string,
    handler: Parameters<Server['_wrapHandler']>[1],
  ): ReturnType<Server['_wrapHandler']> {
    return method === 'tools/call' ? handler : super._wrapHandler(method, handler);
  }
}

type Run = (caller: CallerContext) => Promise<ToolResult>;

const callParams = z.looseObject({ name: z.string(), arguments: z.unknown().optional() });

/** Only Filebridge may return an interim result (`input_required`). */
function complete(result: ToolResult): ToolResult {
  const { resultType: _, ...rest } = result;
  return rest as ToolResult;
}

export function createMcpServer(things: ServedThings, client: ServedClient): AgentServer {
  const { service, sources, pending, callLimit } = things;
  const server = new AgentServer(things.info, {
    capabilities: {
      tools: { listChanged: true },
      resources: { listChanged: true, ...(client.era === 'legacy' && things.offers ? { subscribe: true } : {}) },
      logging: {},
      ...(things.offers ? { prompts: { listChanged: true }, completions: {} } : {}),
    },
    instructions: [
      INSTRUCTIONS,
      ...sources.flatMap((source) => source.instructions?.() ?? []),
      ...(things.offers?.instructions() ?? []),
    ].join('\n'),
  });
  server.onerror = (error) => things.log(`MCP: ${error.message}`);

  const heard = (context: ServerContext) =>
    things.present?.seen({ ...clientInfo(server, context, client.name), transport: client.transport }, connectionOf(client));
  const lists = () => Promise.all(sources.map((source) => source.list()));
  server.setRequestHandler('tools/list', async (_request, context) => {
    heard(context);
    return { tools: (await lists()).flat().map((tool) => ({ ...tool })) };
  });

  server.setRequestHandler('tools/call', { params: callParams }, async ({ name, arguments: args }, context) => {
    heard(context);
    const made = async () => answer(name, await runnable(name, args), context);
    return callLimit.run(client.owner, made).catch((error: unknown) => {
      const { rpc } = error instanceof AppError ? error.details : {};
      if (rpc !== undefined) throw new ProtocolError(rpc.code, rpc.message, rpc.data);
      if (error instanceof AppError) return failureResult(error, { server: 'filebridge', tool: name });
      throw error;
    }) as Promise<JsonObject>;
  });

  async function runnable(name: string, args: unknown): Promise<(caller: CallerContext) => Promise<ToolResult>> {
    if (!(await isOffered(name))) {
      const known = (await lists()).flatMap((tools) => tools.map((tool) => tool.name));
      const hint = nearNames(name, known);
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool '${name}'${hint ? `. ${inAgentsWords(hint)}` : ''}`);
    }
    return async (caller) => {
      for (const source of sources) {
        const result = source.call(name, args, caller);
        if (result) return complete(await result);
      }
      throw new AppError('TOOL_UNKNOWN', say('tool.gone', { name }));
    };
  }

  /** One source after the other, so that a call waits for no server it does not go to. */
  async function isOffered(name: string): Promise<boolean> {
    for (const source of sources) {
      if (source.has ? await source.has(name) : (await source.list()).some((tool) => tool.name === name)) return true;
    }
    return false;
  }

  /** `name` is that of a tool, whose failures are results. */
  async function answer(name: string | undefined, run: Run, context: ServerContext): Promise<ToolResult | JsonObject> {
    const channel = channelOf(server, context, client);
    if (client.era === 'legacy') return run(pushingCaller(channel, context, server.roots));
    const state = context.mcpReq.requestState();
    if (state === undefined) return pending.begin(client.owner, channel, run);
    try {
      return await pending.resume(client.owner, String(state), channel, context.mcpReq.inputResponses ?? {});
    } catch (error) {
      if (name === undefined || (error instanceof AppError && error.details.rpc !== undefined)) throw error;
      return failureResult(error, { server: 'filebridge', tool: name });
    }
  }

  setOfferHandlers({
    server,
    service,
    owner: client.owner,
    offers: things.offers,
    subscribes: client.era === 'legacy',
    run: (context, work) => callLimit.run(client.owner, () => answer(undefined, work as Run, context) as Promise<JsonObject>),
  });
  return server;
}

type ListName = 'tools' | 'resources' | 'prompts';

/** Calls back whenever a list has changed: for one client's eyes, or anybody's. Returns the function that ends it. */
export function watchLists(things: ServedThings, changed: (list: ListName) => void, watching?: string): () => void {
  const ends = [
    things.service.resources.onChange((owner) => {
      if (watching === undefined || owner === undefined || watching === owner) changed('resources');
    }),
    ...things.sources.flatMap((source) => source.onChange?.(() => changed('tools')) ?? []),
    things.offers?.onChange(() => {
      changed('prompts');
      changed('resources');
    }),
  ];
  return () => {
    for (const end of ends) end?.();
  };
}

/** Over stdio a client is here until its input ends. Over HTTP a session outlives its client, so only what it sends and listens to counts. */
const connectionOf = (client: ServedClient): object | undefined => (client.transport === 'stdio' ? client : undefined);

/** Tells the client of one instance about changed lists for as long as the instance is connected. */
export function announceLists(things: ServedThings, server: AgentServer, client: ServedClient): void {
  const { era, owner, transport } = client;
  let end: (() => void) | undefined;
  const announcements = {
    tools: () => server.sendToolListChanged(),
    resources: () => server.sendResourceListChanged(),
    prompts: () => server.sendPromptListChanged(),
  };
  const announce = (list: ListName) => {
    announcements[list]().catch((error: Error) => things.log(`MCP: ${error.message}`));
  };
  const start = () => {
    end ??= watchLists(things, announce, owner);
  };
  // A 2025-era client receives no notifications before it has sent `initialized`.
  if (era === 'legacy') {
    const askRoots = followRoots(server, things.onRoots);
    server.oninitialized = () => {
      start();
      things.present?.seen({ ...clientInfo(server, undefined, client.name), transport }, connectionOf(client));
      askRoots();
    };
  } else start();
  const closed = server.onclose;
  server.onclose = () => {
    closed?.();
    end?.();
    things.present?.left(client);
  };
}

/** Forgets the client's roots when they change. Where somebody wants them, tells their URIs once the client is ready, and after each change. */
function followRoots(server: AgentServer, tell: ServedThings['onRoots']): () => void {
  let asking = false;
  let again = false;
  const ask = async () => {
    // However often they change meanwhile, they are asked for once more.
    again = asking;
    if (asking || !tell || !server.getClientCapabilities()?.roots) return;
    asking = true;
    const roots = await server.roots.get(() => server.listRoots({}, { timeout: ROOTS_ANSWER_MS }));
    await tell(roots.map(({ uri }) => uri)).catch((error: Error) => server.onerror?.(error));
    asking = false;
    if (again) await ask();
  };
  server.setNotificationHandler('notifications/roots/list_changed', () => {
    server.roots.changed();
    void ask();
  });
  return () => void ask();
}
