/** A single search tool in place of all upstream tools: finds those that fit a task, with their parameters. */
import { z } from 'zod';
import { say } from '../../shared/model/messages/message.ts';
import { failureResult } from '../calls/output.ts';
import { checkArguments } from '../server/check-arguments.ts';
import { refusedParameters } from '../server/host-schema.ts';
import { publishedSchema } from '../server/published-schema.ts';
import type { PublishedTool, ToolSource } from '../server/tool-source.ts';
import { onExposure } from '../server/upstream-lists.ts';
import type { JsonObject, ToolResult, UpstreamTool } from '../upstream/types.ts';
import type { CompanionDeps } from './companion-source.ts';
import { boundedDescription, companionSchema } from './companion-tool.ts';
import { type SearchedTool, searchTools } from './tool-search.ts';

const DEFAULT_LIMIT = 5;

const EXAMPLE = '{"query":"insert rows"}';

const requestSchema = z.strictObject({
  query: z.string().min(1).describe('What to do, e.g. "insert rows"'),
  server: z.string().optional().describe('Only this server'),
  limit: z.int().min(1).max(50).optional().describe(`${DEFAULT_LIMIT} if absent`),
});

const definition = {
  name: 'find_tools',
  title: 'Find tools',
  description: `Find the servers' tools for a task, the best with its parameters; call them with call_tool. ${EXAMPLE}`,
  inputSchema: publishedSchema(requestSchema, 'by reference'),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
} satisfies PublishedTool;

const HOW =
  'Call one with call_tool {"server", "tool_name", "tool_args"}. In tool_args, <name>_path takes the path of a file instead of <name>, and _file says how files are read. describe_upstream_tool shows the parameters of the others.';

const MAX_NAMES = 100;

/** Tool names by server, for another query. */
function otherNames(all: readonly SearchedTool[]): Record<string, string[]> {
  const others = new Map<string, string[]>();
  for (const { server, tool } of all.slice(0, MAX_NAMES)) {
    others.set(server, [...(others.get(server) ?? []), tool.name]);
  }
  return Object.fromEntries(others);
}

/** What a line says of a tool (characters). */
const LINE_CHARS = 120;

/** The best match, as it is called. */
const best = (tool: UpstreamTool): JsonObject => ({
  ...(typeof tool.description === 'string'
    ? { description: boundedDescription(tool.description, refusedParameters(tool.inputSchema)) }
    : {}),
  parameters: companionSchema(tool),
});

/** Any other, so that it can be told apart: its first sentence, or the beginning of it. */
function inShort({ description }: UpstreamTool): JsonObject {
  if (typeof description !== 'string') return {};
  const [sentence = ''] = description.trim().split(/(?<=[.!?])\s|\n/, 1);
  const cut = sentence.length > LINE_CHARS ? `${sentence.slice(0, LINE_CHARS).replace(/\s+\S*$/, '')}…` : sentence;
  return { description: cut };
}

export const foundTools = (found: readonly SearchedTool[], limit: number): JsonObject[] =>
  found
    .slice(0, limit)
    .map(({ server, tool }, at) => ({ server, tool_name: tool.name, ...(at === 0 ? best(tool) : inShort(tool)) }));

const nothingFits = (query: string, all: number) =>
  `No tool fits ${JSON.stringify(query.slice(0, 200))}. Try other words; the names of ${all > MAX_NAMES ? `${MAX_NAMES} of the ${all}` : 'all'} tools are in 'others'`;
const NO_TOOLS = 'No server offers a tool now. The user adds servers, and switches them on, in Filebridge';

export function findToolsSource(deps: CompanionDeps): ToolSource {
  const { upstreams, toolLists } = deps;
  const offered = () => deps.expose().upstreamTools === 'search';

  async function find(args: unknown): Promise<JsonObject> {
    const {
      query,
      server,
      limit = DEFAULT_LIMIT,
    } = checkArguments(requestSchema, args, { advice: say('parameter.example', { example: EXAMPLE }) });
    if (server !== undefined) upstreams.config(server);
    const lists = await toolLists.soon();
    const servers = server === undefined ? [...lists.keys()] : [server];
    const all = servers.flatMap((name) => (lists.get(name) ?? []).map((tool) => ({ server: name, tool })));
    const found = searchTools(all, query);
    const silent = upstreams
      .status()
      .filter(({ name, state }) => state !== 'disabled' && !lists.has(name) && (server === undefined || name === server));
    return {
      // First, because a list of other names looks like an answer.
      ...(found.length === 0 ? { nothing_found: all.length > 0 ? nothingFits(query, all.length) : NO_TOOLS } : {}),
      tools: foundTools(found, limit),
      ...(found.length > limit ? { more: found.length - limit } : {}),
      ...(found.length === 0 && all.length > 0 ? { others: otherNames(all) } : {}),
      ...(found.length === 0 && all.length > MAX_NAMES ? { more_others: all.length - MAX_NAMES } : {}),
      ...(silent.length > 0
        ? { unavailable: Object.fromEntries(silent.map(({ name, lastError }) => [name, lastError ?? 'It is still starting'])) }
        : {}),
      ...(found.length > 0 ? { hint: HOW } : {}),
    };
  }

  async function answer(args: unknown): Promise<ToolResult> {
    try {
      return { content: [{ type: 'text', text: JSON.stringify(await find(args)) }] };
    } catch (error) {
      return failureResult(error, { server: 'filebridge', tool: definition.name });
    }
  }

  return {
    list: async () => (offered() ? [definition] : []),
    call: (name, args) => (offered() && name === definition.name ? answer(args) : undefined),
    instructions: () =>
      offered() ? "find_tools finds the servers' tools; call_tool calls them, with files for parameters." : undefined,
    onChange: (listener) => onExposure(deps, offered, listener),
  };
}
