/** Prompts, resources and completions of servers, framed as tool calls are: paused, approved, and written to the ledger. */
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { jsonStreamOf } from '../engine/core/payload.ts';
import type { JsonObject, UpstreamTool } from '../upstream/types.ts';
import { plainCallApproval } from './approval-request.ts';
import { callNeedsConfirmation, confirmCall } from './approve.ts';
import { awaitingApproval, pausedError, recordedCall, watchedCaller } from './recorded.ts';
import { sameServerOnly } from './shown-is-sent.ts';
import type { CallDeps, CallerContext, UpstreamRequest } from './types.ts';

/** Asking for them is approved as a tool that only reads. */
const asTool = (method: string): UpstreamTool => ({
  name: method,
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
});

/** The result as it is. Throws AppError. */
export async function upstreamRequest(deps: CallDeps, request: UpstreamRequest, asked: CallerContext): Promise<JsonObject> {
  const { server, method, params, about } = request;
  const { client } = asked;
  let found: JsonObject | undefined;
  let failure: unknown = pausedError();
  // Without a query, which can hold a secret.
  const target = { server, tool: `${method} ${about.split(/[?#]/, 1)[0]}` };
  await recordedCall(deps, { kind: 'call', client, target, format: 'json', signal: asked.signal }, async (record, signal) => {
    const caller = watchedCaller(asked, record, signal);
    try {
      await awaitingApproval(record, () => approve(deps, request, caller));
      record.calls = 1;
      record.sentBytes = Buffer.byteLength(JSON.stringify(params));
      found = await deps.upstreams.request(
        server,
        { method, params, about },
        {
          signal,
          onProgress: (progress) => caller.progress(progress),
          onLog: (line) => caller.log(line),
          elicit: caller.elicit,
          sample: caller.sample,
          meta: caller.meta,
        },
      );
      return { content: [] };
    } catch (error) {
      failure = error;
      throw error;
    }
  });
  if (found === undefined) throw failure;
  return found;
}

/** The URIs that a prompt's messages link to. */
export function linksInMessages(messages: unknown): string[] {
  if (!Array.isArray(messages)) return [];
  return (messages as ({ content?: { type?: unknown; uri?: unknown } | null } | null)[]).flatMap((message) => {
    const content = message?.content;
    return content?.type === 'resource_link' && typeof content.uri === 'string' ? [content.uri] : [];
  });
}

/** Throws CONFIRMATION_REFUSED, and UPSTREAM_CLOSED where the server's entry changed meanwhile. Nobody is asked at each letter that is typed. */
async function approve(deps: CallDeps, { server, method, params }: UpstreamRequest, caller: CallerContext): Promise<void> {
  const tool = asTool(method);
  if (!(await needsConfirmation(deps, server, tool))) return;
  if (method === 'completion/complete') throw new AppError('CONFIRMATION_REFUSED', say('approval.noCompletions'));
  const args = jsonStreamOf(Buffer.from(JSON.stringify(params)));
  const refuseOtherServer = sameServerOnly(deps, server);
  await confirmCall(deps, await plainCallApproval(deps, { server, tool_name: method }, tool, args, caller.meta), caller);
  refuseOtherServer();
}

/** A server's own claim about its tools has no bearing on these. */
const needsConfirmation = (deps: CallDeps, server: string, tool: UpstreamTool): Promise<boolean> =>
  callNeedsConfirmation({ ...deps, readOnlyAtFirst: async () => true }, server, tool);
