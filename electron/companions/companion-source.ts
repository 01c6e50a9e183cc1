/** Offers the upstreams' tools as companions: each with a file parameter beside every parameter that can carry a payload. */

import type { Config } from '../../shared/model/config.ts';
import { warning } from '../../shared/model/conversion.ts';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { noteBlocks } from '../calls/output.ts';
import type { CallService } from '../calls/service.ts';
import type { CallerContext } from '../calls/types.ts';
import type { PublishedTool, ToolSource } from '../server/tool-source.ts';
import { onExposure, type UpstreamLists } from '../server/upstream-lists.ts';
import type { JsonObject, ToolResult, UpstreamPool, UpstreamTool } from '../upstream/types.ts';
import { companionToolName, mayBeOfServer } from './companion-names.ts';
import { type CompanionRequest, companionHint, companionRequest } from './companion-request.ts';
import { companionResult, companionTool } from './companion-tool.ts';

export interface CompanionDeps {
  upstreams: UpstreamPool;
  toolLists: UpstreamLists<UpstreamTool>;
  service: CallService;
  expose: () => Config['expose'];
  /** Called when the exposed tools may have changed. */
  onExposeChange: (listener: () => void) => () => void;
  log: (line: string) => void;
}

interface Companion {
  server: string;
  tool: UpstreamTool;
  published: PublishedTool;
}

const HOW = "The servers' own tools are <server>__<tool>: give <name>_path, a file's path, instead of a long <name>.";

const answeredWithError = (error: AppError): boolean => error.details.rpc !== undefined;

/** Rewrites a failed call's result: names the file parameter if a path was given in place of content. */
function withAdvice(result: ToolResult, likePaths: CompanionRequest['likePaths']): ToolResult {
  if (!result.isError || likePaths.length === 0) return result;
  const advice = likePaths.map((parameters) => warning('LIKE_A_PATH', say('companion.pathAsValue', parameters)));
  return { ...result, content: [...(result.content ?? []), ...noteBlocks(advice)] };
}

export function companionSource(deps: CompanionDeps): ToolSource {
  const { toolLists } = deps;
  const known = new WeakMap<UpstreamTool, Companion>();

  function companionOf(server: string, tool: UpstreamTool): Companion | undefined {
    let companion = known.get(tool);
    if (companion?.published.name !== nameOf(server, tool)) {
      companion = undefined;
      try {
        companion = { server, tool, published: companionTool(server, tool, deps.upstreams.names()) };
        known.set(tool, companion);
      } catch (error) {
        // One unusable tool must not hide the others.
        deps.log(`the tool '${tool.name}' of server '${server}' is not offered: ${toAppError(error).text}`);
      }
    }
    return companion;
  }

  const nameOf = (server: string, tool: UpstreamTool) => companionToolName(server, tool.name, deps.upstreams.names());

  /** With the servers there were: where two of them come to look alike, their tools have other names. */
  const byName = new WeakMap<readonly UpstreamTool[], { servers: string; found: Map<string, Companion> }>();

  /** Tools of one server by name; of two with the same name the first one counts. The list is cached between calls. */
  function companionsOf(server: string, tools: readonly UpstreamTool[]): Map<string, Companion> {
    const servers = JSON.stringify(deps.upstreams.names());
    const known = byName.get(tools);
    if (known?.servers === servers) return known.found;
    const found = new Map<string, Companion>();
    for (const tool of tools) {
      const name = nameOf(server, tool);
      const companion = found.has(name) ? undefined : companionOf(server, tool);
      if (companion) found.set(name, companion);
    }
    byName.set(tools, { servers, found });
    return found;
  }

  /** Tools of all servers; the first server that has a name offers it. */
  function companion(name: string, lists = toolLists.now()): Companion | undefined {
    for (const [server, tools] of lists) {
      const found = companionsOf(server, tools).get(name);
      if (found) return found;
    }
    return undefined;
  }

  async function run({ server, tool }: Companion, args: unknown, from: CallerContext): Promise<ToolResult> {
    // The tool is called as it is, so it also fails as it does.
    const caller = { ...from, hintFor: companionHint(tool), raises: answeredWithError };
    let made: CompanionRequest;
    try {
      made = companionRequest(server, tool, (args ?? {}) as JsonObject);
    } catch (error) {
      return deps.service.refuse({ server, tool: tool.name }, error, caller);
    }
    const { kind, request, likePaths } = made;
    const raw = { ...request, output_format: 'raw' as const };
    const result = kind === 'files' ? await deps.service.callWithFile(raw, caller) : await deps.service.call(raw, caller);
    return withAdvice(companionResult(tool, result, kind === 'files' && request.batch !== undefined), likePaths);
  }

  const serversOf = (name: string) =>
    deps.upstreams
      .status()
      .flatMap(({ name: server, state }) => (state !== 'disabled' && mayBeOfServer(name, server) ? [server] : []));

  /** A call of a tool whose server had no list when it was asked. */
  async function callLate(server: string, name: string, args: unknown, caller: CallerContext): Promise<ToolResult> {
    const found = companion(name, await toolLists.whole([server]));
    if (found) return run(found, args, caller);
    let reason: unknown = new AppError('TOOL_UNKNOWN', say('companion.noTool', { server, tool: name }));
    try {
      await deps.upstreams.tools(server);
    } catch (error) {
      reason = error;
    }
    const tool = name.startsWith(`${server}__`) ? name.slice(server.length + 2) : name;
    return deps.service.refuse({ server, tool }, reason, caller);
  }

  const offered = () => deps.expose().upstreamTools === 'companions';

  return {
    async list() {
      if (!offered()) return [];
      const offers = new Map<string, PublishedTool>();
      for (const [server, tools] of await toolLists.soon()) {
        for (const [name, { published }] of companionsOf(server, tools)) if (!offers.has(name)) offers.set(name, published);
      }
      return [...offers.values()];
    },
    async has(name) {
      if (!offered()) return false;
      if (companion(name)) return true;
      const servers = serversOf(name);
      if (companion(name, await toolLists.whole(servers))) return true;
      // The call reports why the server cannot list its tools.
      return servers.some((server) => !toolLists.now().has(server));
    },
    call(name, args, caller) {
      if (!offered()) return undefined;
      const found = companion(name);
      if (found && !toolLists.isOld(found.server)) return run(found, args, caller);
      // The remembered tool may have changed, so the call uses the server's current list.
      if (found) return callLate(found.server, name, args, caller);
      const [silent] = serversOf(name).filter((server) => !toolLists.now().has(server));
      return silent === undefined ? undefined : callLate(silent, name, args, caller);
    },
    instructions: () => (offered() ? HOW : undefined),
    onChange(listener) {
      const ends = [
        toolLists.onChange(() => {
          if (offered()) listener();
        }),
        onExposure(deps, offered, listener),
      ];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}
