/** A call without files: arguments as the agent gave them, the answer shaped or stored. */

import { exactJson } from '../engine/core/exact-numbers.ts';
import { jsonStreamOf } from '../engine/core/payload.ts';
import type { ToolResult } from '../upstream/types.ts';
import { NO_TOKENS } from './answer.ts';
import { plainCallApproval } from './approval-request.ts';
import { callNeedsConfirmation, confirmCall } from './approve.ts';
import { finishCall } from './finish.ts';
import { headersOf } from './headers.ts';
import { outputRequest } from './output.ts';
import { awaitingApproval, type CallRecord } from './recorded.ts';
import { refuseIfToolChangedSinceShown } from './shown-is-sent.ts';
import type { Responses } from './stored-answers.ts';
import type { CallAndStoreRequest, CallDeps, CallerContext } from './types.ts';
import { callOnce } from './uncertain.ts';

export async function plainCall(
  deps: CallDeps,
  responses: Responses,
  request: CallAndStoreRequest,
  caller: CallerContext,
  record: CallRecord,
  alwaysStore: boolean,
): Promise<ToolResult> {
  const began = performance.now();
  outputRequest(request.output_format, request.template);
  const tool = await deps.upstreams.tool(request.server, request.tool_name, { signal: caller.signal });
  if (alwaysStore) await responses.check(request, { server: request.server, tool: request.tool_name });
  const args = jsonStreamOf(Buffer.from(exactJson(request.tool_args ?? {})));
  if (await callNeedsConfirmation(deps, request.server, tool)) {
    const approval = await plainCallApproval(deps, request, tool, args, caller.meta);
    await awaitingApproval(record, () => confirmCall(deps, approval, caller));
    await refuseIfToolChangedSinceShown(deps, approval, caller.signal);
  }
  const headers = await headersOf(tool, args);
  record.calls = 1;
  record.sentBytes = args.bytes;
  const answer = await callOnce(args, (sent) =>
    deps.upstreams.callTool(request.server, request.tool_name, sent, {
      signal: caller.signal,
      onProgress: (progress) => caller.progress(progress),
      onLog: (params) => caller.log(params),
      elicit: caller.elicit,
      sample: caller.sample,
      meta: caller.meta,
      headers,
    }),
  );
  const figures = {
    durationMs: Math.round(performance.now() - began),
    bytes: args.bytes,
    records: 0,
    tokens: NO_TOKENS,
    receipt: null,
  };
  return finishCall({ deps, responses, record, request, alwaysStore, signal: caller.signal }, answer, figures, []);
}
