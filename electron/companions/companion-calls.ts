/** Lets `call_tool` and `call_tool_and_store` take files for parameters, as companions do. */

import type { Config } from '../../shared/model/config.ts';
import type { CallService } from '../calls/service.ts';

import type { UpstreamPool, UpstreamTool } from '../upstream/types.ts';
import { type CompanionRequest, companionHint, companionRequest } from './companion-request.ts';

export function withCompanions(service: CallService, upstreams: UpstreamPool, expose: () => Config['expose']): CallService {
  const through =
    (plain: CallService['callAndStore']): CallService['callAndStore'] =>
    async (request, caller) => {
      const { server, tool_name, tool_args } = request;
      if (tool_args === undefined || expose().upstreamTools === 'none') return plain(request, caller);
      let tool: UpstreamTool;
      try {
        tool = await upstreams.tool(server, tool_name, { signal: caller.signal });
      } catch {
        // The call itself reports the error, in the caller's format.
        return plain(request, caller);
      }
      let made: CompanionRequest;
      try {
        made = companionRequest(server, tool, tool_args);
      } catch (error) {
        return service.refuse({ server, tool: tool_name }, error, caller, request.output_format);
      }
      if (made.kind === 'plain') return plain(request, caller);
      const { server: _s, tool_name: _n, tool_args: _a, ...output } = request;
      return service.callWithFile({ ...output, ...made.request }, { ...caller, hintFor: companionHint(tool) });
    };
  return { ...service, call: through(service.call), callAndStore: through(service.callAndStore) };
}
