/** Lets calls by `call_tool` and `call_tool_and_store` give files for parameters, as companions do. */
import type { Config } from '../../shared/model/config.ts';
import { failureResult } from '../calls/failure.ts';
import type { CallAndStoreRequest, CallerContext, CallService } from '../calls/types.ts';
import type { ToolResult, UpstreamPool, UpstreamTool } from '../upstream/types.ts';
import { type CompanionRequest, companionHint, companionRequest } from './companion-request.ts';

export function withCompanions(service: CallService, upstreams: UpstreamPool, expose: () => Config['expose']): CallService {
  const through =
    (plain: (request: CallAndStoreRequest, caller: CallerContext) => Promise<ToolResult>) =>
    async (request: CallAndStoreRequest, caller: CallerContext): Promise<ToolResult> => {
      const { server, tool_name, tool_args } = request;
      if (tool_args === undefined || expose().upstreamTools === 'none') return plain(request, caller);
      let tool: UpstreamTool;
      try {
        tool = await upstreams.tool(server, tool_name, { signal: caller.signal });
      } catch {
        // The call itself will say why, in its own format.
        return plain(request, caller);
      }
      let made: CompanionRequest;
      try {
        made = companionRequest(server, tool, tool_args);
      } catch (error) {
        return failureResult(error, { server, tool: tool_name }, request.output_format);
      }
      if (made.kind === 'plain') return plain(request, caller);
      const worded = { ...caller, inItsWords: companionHint(tool) };
      const { server: _s, tool_name: _n, tool_args: _a, ...output } = request;
      if (made.kind === 'files') return service.callWithFile({ ...output, ...made.request }, worded);
      return service.callAndStore({ ...output, ...made.request }, worded);
    };
  return { ...service, call: through(service.call), callAndStore: through(service.callAndStore) };
}
