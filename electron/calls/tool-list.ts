/** Lists upstreams and their tools in the level of detail the agent requested. */

import { scalarText } from '../../shared/lib/scalar-text.ts';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { inAgentsWords, say } from '../../shared/model/messages/message.ts';
import type { JsonObject, UpstreamPool, UpstreamTool } from '../upstream/types.ts';
import type { ListToolsRequest } from './types.ts';

const SUMMARY_CHARS = 120;
/** A list waits this long for a server that is starting; the start goes on behind it. */
const LIST_WAIT_MS = 15_000;

function summary(description: string | undefined): string {
  const line = (description ?? '').trim().split('\n', 1)[0] ?? '';
  return line.length > SUMMARY_CHARS ? `${line.slice(0, SUMMARY_CHARS - 1)}…` : line;
}

function described(tool: UpstreamTool, detail: ListToolsRequest['detail']): unknown {
  if (detail === 'names') return tool.name;
  if (detail === 'full') return tool;
  return { name: tool.name, description: summary(tool.description) };
}

/** Every word of the query must appear in the name, title or description. */
function matches(tool: UpstreamTool, query: string | undefined): boolean {
  if (!query) return true;
  const text = `${tool.name} ${scalarText(tool.title ?? '')} ${tool.description ?? ''}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** The tools, or UPSTREAM_TIMEOUT when they take too long to wait for. */
async function soon(tools: Promise<UpstreamTool[]>, server: string): Promise<UpstreamTool[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const message = say('list.starting', { server, seconds: LIST_WAIT_MS / 1000 });
      reject(new AppError('UPSTREAM_TIMEOUT', message, { hint: say('list.starting.hint') }));
    }, LIST_WAIT_MS);
  });
  try {
    return await Promise.race([tools, late]);
  } finally {
    clearTimeout(timer);
    // An answer that arrives after the wait is kept by the catalogue, and its error becomes the server's status.
    tools.catch(() => undefined);
  }
}

/** One row a server; a server that can't be reached is a row with its error. */
export async function listUpstreamTools(
  upstreams: UpstreamPool,
  request: ListToolsRequest,
  signal: AbortSignal,
): Promise<JsonObject> {
  if (request.server !== undefined) upstreams.config(request.server);
  const names = request.server === undefined ? upstreams.names() : [request.server];
  if (names.length === 0) {
    return {
      servers: [],
      hint: inAgentsWords(say('list.noServers')),
    };
  }
  let offered = 0;
  let fitting = 0;
  const servers = await Promise.all(
    names.map(async (server) => {
      try {
        const tools = await soon(upstreams.tools(server, { signal }), server);
        const found = tools.filter((tool) => matches(tool, request.query));
        offered += tools.length;
        fitting += found.length;
        return { server, tools: found.map((tool) => described(tool, request.detail ?? 'summary')) };
      } catch (error) {
        const known = toAppError(error);
        return { server, error: known.text, code: known.code };
      }
    }),
  );
  if (fitting > 0 || offered === 0) return { servers };
  return { hint: inAgentsWords(say('list.nothingFound', { query: request.query ?? '', offered })), servers };
}

/** The whole definition, as the upstream publishes it. */
export async function describeUpstreamTool(
  upstreams: UpstreamPool,
  server: string,
  tool: string,
  signal: AbortSignal,
): Promise<UpstreamTool> {
  if (server === '') throw new AppError('INVALID_REQUEST', say('request.noServer'), { hint: say('request.noServer.hint') });
  return upstreams.tool(server, tool, { signal });
}
