/** The call service: every tool of ours, framed by errors and ledger. */

import { z } from 'zod';
import type { OutputFormat } from '../../shared/model/call.ts';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { inAgentsWords, say } from '../../shared/model/messages/message.ts';
import { askedOnce } from '../upstream/roots.ts';
import type { JsonObject, ToolResult } from '../upstream/types.ts';
import { admitFileCall } from './admit.ts';
import { type Call, type CallOutcome, recordedCall, refuseWhilePaused } from './call.ts';
import { createConversionTurns } from './conversion-turns.ts';
import type { CallEvent, CallFacts, CallTarget } from './events.ts';
import type { FinishedCall } from './finish.ts';
import { boundedPreviewText, describeUpstreamTool, listUpstreamTools, preview } from './inspect.ts';
import { openFiles, readingsFor } from './open.ts';
import { failureResult, reworded } from './output.ts';
import { type AheadOfCall, fileCall, plainCall, upstreamRequest } from './pipeline.ts';
import { receiptOf, receiptStatus, resumedId } from './receipts.ts';
import { createJobs, type JobReport } from './running-calls.ts';
import { createResponses, KeptAnswers, type Responses } from './stored-answers.ts';
import {
  type CallAndStoreRequest,
  type CallDeps,
  type CallerContext,
  type CallRequest,
  type FileCallRequest,
  fileCallShape,
  folderClient,
  type ListToolsRequest,
  type PreviewRequest,
  type ResourceContent,
  type StoredResource,
  targetOf,
  type UpstreamRequest,
} from './types.ts';

/** Size limit of arguments that are kept for resuming a call. UTF-16 code units. */
const MAX_KEPT_ARGUMENTS = 256 * 1024;

const jsonResult = (value: unknown): ToolResult => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });

/** The files that a request names, before any is opened. */
const pathsOf = ({ path = [], file_path, files = [] }: FileCallRequest): string[] => [
  ...[path].flat(),
  ...(file_path === undefined ? [] : [file_path]),
  ...files.map((file) => file.path),
];

/** Runs something that is not a call, answering failures as results. */
async function answered(tool: string, run: () => Promise<ToolResult> | ToolResult): Promise<ToolResult> {
  try {
    return await run();
  } catch (error) {
    return failureResult(error, { server: 'filebridge', tool });
  }
}

/** Everything the tool table calls. Results are MCP tool results; failures are results with `isError`. */
export interface CallService {
  callWithFile(request: FileCallRequest, caller: CallerContext): Promise<ToolResult>;
  call(request: CallRequest, caller: CallerContext): Promise<ToolResult>;
  callAndStore(request: CallAndStoreRequest, caller: CallerContext): Promise<ToolResult>;
  /** Answers and records a call that cannot be made, for this reason; while paused, for that one. */
  refuse(target: CallTarget, reason: unknown, caller: CallerContext, format?: OutputFormat): Promise<ToolResult>;
  preview(request: PreviewRequest, caller: CallerContext): Promise<ToolResult>;
  listUpstreamTools(request: ListToolsRequest, caller: CallerContext): Promise<ToolResult>;
  describeUpstreamTool(request: { server: string; tool_name: string }, caller: CallerContext): Promise<ToolResult>;
  listAllowedDirectories(caller: CallerContext): Promise<ToolResult>;
  jobStatus(request: { job_id: string }, caller: CallerContext): Promise<ToolResult>;
  cancelJob(request: { job_id: string }, caller: CallerContext): Promise<ToolResult>;
  /** Asks a server for a prompt, a resource or completions. The result is the server's own. Throws AppError. */
  upstreamRequest(request: UpstreamRequest, caller: CallerContext): Promise<JsonObject>;
  /** The servers whose answers to this client linked to a resource. */
  linkedBy(owner: string, uri: string): readonly string[];
  /** Answers that a client's own calls have stored. */
  resources: {
    list(owner: string): Promise<StoredResource[]>;
    /** Text for text types, base64 `blob` otherwise; FILE_NOT_FOUND for what this client has not stored, PAUSED. */
    read(uri: string, caller: CallerContext): Promise<ResourceContent>;
    /** The listener hears whose answers have changed; without an owner, anybody's. */
    onChange(listener: (owner?: string) => void): () => void;
    /** A connection over stdio has ended, which was a client by itself. */
    left(owner: string): void;
  };
  /** Ends background jobs and waits for what is being written. */
  close(): Promise<void>;
}

/** What the caller of a call is told. Throws a failure that they want as it is. */
function shown(
  { value, failure }: CallOutcome<FinishedCall>,
  request: { server: string; tool_name: string; output_format?: OutputFormat | undefined },
  { raises, hintFor }: CallerContext,
): ToolResult {
  if (failure === undefined) return value.shown;
  if (raises?.(failure)) throw failure;
  return failureResult(reworded(failure, hintFor), targetOf(request), request.output_format);
}

function valueIn<T>({ value, failure }: CallOutcome<T>): T {
  if (failure) throw failure;
  return value as T;
}

/** The URIs that a prompt's messages link to. */
function linksInMessages(messages: unknown): string[] {
  if (!Array.isArray(messages)) return [];
  return (messages as ({ content?: { type?: unknown; uri?: unknown } | null } | null)[]).flatMap((message) => {
    const content = message?.content;
    return content?.type === 'resource_link' && typeof content.uri === 'string' ? [content.uri] : [];
  });
}

/** What is kept of an agent's call that stopped. */
const resumedSchema = z.object({
  request: z.looseObject(fileCallShape),
  client: z.string().nullable(),
  owner: z.string().optional(),
});

/** The same, with what the window calls. */
export interface PersonCallService extends CallService {
  /** Goes on, in the background, with a call that `stopped` kept of an agent. Throws what prevents it. */
  resumeStopped(kept: unknown): Promise<void>;
  /** The outcome as data: the window has words of its own. Never throws. */
  sendFile(request: FileCallRequest, caller: CallerContext): Promise<CallOutcome<FinishedCall>>;
}

export function createCallService(shared: CallDeps): PersonCallService {
  const kept = new KeptAnswers();
  const jobs = createJobs();
  const turns = createConversionTurns();
  const turnOf = ({ owner = '', progress, signal }: CallerContext, isJob = false) =>
    turns.turn({ client: isJob ? `${owner} in the background` : owner, signal, waits: progress });

  /** The same for the calls of one client: what it may reach, and where its answers go. */
  function forClient(caller: CallerContext): { deps: CallDeps; responses: Responses } {
    const store = shared.clients?.of(folderClient(caller));
    const deps = store ? { ...shared, files: store.files } : shared;
    return { deps, responses: createResponses(deps, kept, caller.owner ?? '', store?.folder) };
  }

  function runFileCall(
    request: FileCallRequest,
    caller: CallerContext,
    job?: { report: JobReport; ahead: AheadOfCall },
  ): Promise<CallOutcome<FinishedCall>> {
    const { deps, responses } = forClient(caller);
    const start = {
      kind: 'file_call' as const,
      target: targetOf(request),
      caller,
      paths: pathsOf(request),
      args: request.tool_args,
      cancelJob: job?.report.cancel,
    };
    const run = (call: Call) => {
      call.events.on((event, facts) => noteUnfinished(request, caller, event, facts));
      const turn = turnOf(call.caller, job !== undefined);
      return fileCall({ deps, responses, request, call, turn, report: job?.report }, job?.ahead).finally(turn.rest);
    };
    return recordedCall(deps, start, run, ({ verdict }) => verdict);
  }

  /** Keeps a batched call that can be gone on with, and forgets it once it was. */
  function noteUnfinished(request: FileCallRequest, caller: CallerContext, event: CallEvent, facts: CallFacts): void {
    if (event.type !== 'ended') return;
    const { unfinished, id: entry, paths } = facts;
    const resumed = resumedId(request);
    if (unfinished === undefined) {
      if (resumed !== undefined && event.verdict.outcome === 'ok') shared.stopped?.forget(resumed);
      return;
    }
    const { server, tool_name: tool, tool_args = {}, batch } = request;
    if (JSON.stringify(tool_args).length > MAX_KEPT_ARGUMENTS) return;
    const { start: _start, ranges: _ranges, ...options } = typeof batch === 'object' ? batch : {};
    const again = { ...request, batch: { ...options, resume: unfinished.receipt } };
    const endedAt = new Date().toISOString();
    const call = { ...unfinished, entry, client: caller.client, server, tool, paths: [...paths], endedAt };
    shared.stopped?.keep(call, 'agent', { request: again, client: caller.client, owner: caller.owner });
  }

  async function resumeStopped(kept: unknown): Promise<void> {
    const { request, client, owner } = resumedSchema.parse(kept);
    await beginJob(request, {
      client,
      owner,
      signal: new AbortController().signal,
      progress: () => undefined,
      log: () => undefined,
    });
  }

  async function runPlainCall(kind: 'call' | 'call_and_store', request: CallAndStoreRequest, caller: CallerContext) {
    const { deps, responses } = forClient(caller);
    const outcome = await recordedCall(
      deps,
      { kind, target: targetOf(request), caller, args: request.tool_args },
      (call) => plainCall({ deps, responses, request, call }, kind === 'call_and_store'),
      ({ verdict }) => verdict,
    );
    return shown(outcome, request, caller);
  }

  /** Everything quick is refused now; the rest, reading included, goes on behind the answer. */
  async function startJob(request: FileCallRequest, caller: CallerContext): Promise<ToolResult> {
    try {
      return await beginJob(request, caller);
    } catch (error) {
      return failureResult(error, { server: request.server, tool: request.tool_name }, request.output_format);
    }
  }

  /** The same, throwing what is refused. */
  async function beginJob(request: FileCallRequest, caller: CallerContext): Promise<ToolResult> {
    const { deps, responses } = forClient(caller);
    refuseWhilePaused(deps);
    const admitted = await admitFileCall(deps, responses, request, caller);
    // Once this request is answered, nobody can be asked.
    const asked = askedOnce(caller);
    await asked.roots?.();
    const opened = await openFiles(deps, admitted.placed, readingsFor(deps));
    try {
      return jobStarted(request, asked, { admitted, opened });
    } catch (error) {
      await opened.close();
      throw error;
    }
  }

  function jobStarted(request: FileCallRequest, caller: CallerContext, ahead: AheadOfCall): ToolResult {
    // The request that carried these is answered before the job ends: nobody listens there any more.
    const detached: CallerContext = {
      ...caller,
      progress: () => undefined,
      log: () => undefined,
      elicit: undefined,
      sample: undefined,
      raises: undefined,
    };
    const run = async (signal: AbortSignal, report: JobReport) => {
      const job = { ...detached, signal };
      try {
        return shown(await runFileCall(request, job, { report, ahead }), request, job);
      } finally {
        await ahead.opened.close();
      }
    };
    const job = jobs.start(targetOf(request), caller.owner ?? '', [], run, resumedId(request));
    return jsonResult({ job_id: job.job_id, state: job.state, hint: inAgentsWords(say('job.follow', { id: job.job_id })) });
  }

  /** Framed as every tool is: refused while paused, and written to the ledger. */
  async function readResource(uri: string, caller: CallerContext): Promise<ResourceContent> {
    const target = { server: 'filebridge', tool: 'resources/read' };
    const start = { kind: 'file_read' as const, target, caller, paths: [uri] };
    const outcome = await recordedCall(shared, start, async ({ events, caller: { signal } }) => {
      const { content, path, size } = await forClient(caller).responses.read(uri, signal);
      await events.tell({ type: 'opened', paths: [path], inputBytes: size });
      return content;
    });
    return valueIn(outcome);
  }

  /** A job of this process, or a batched call by its receipt. */
  async function jobStatus(id: string, caller: CallerContext): Promise<ToolResult> {
    try {
      return withResult(jobs.status(caller.owner ?? '', id));
    } catch (error) {
      const stored = await receiptOf(shared, caller, id);
      if (stored === undefined) throw error;
      return jsonResult(await receiptStatus(shared, stored));
    }
  }

  async function cancelJob(id: string, caller: CallerContext): Promise<ToolResult> {
    try {
      return withResult(await jobs.cancel(caller.owner ?? '', id));
    } catch (error) {
      if ((await receiptOf(shared, caller, id)) === undefined) throw error;
      throw new AppError('JOB_UNKNOWN', say('job.notRunning', { id }), { hint: say('job.notRunning.hint') });
    }
  }

  const withResult = ({ job, result }: { job: JsonObject; result: ToolResult | undefined }): ToolResult => {
    const content = [...jsonResult(job).content, ...(result?.content ?? [])];
    return result?.isError && job.state === 'failed' ? { content, isError: true } : { content };
  };

  return {
    callWithFile: async (request, caller) =>
      request.background && !request.dry_run
        ? startJob(request, caller)
        : shown(await runFileCall(request, caller), request, caller),
    sendFile: runFileCall,
    resumeStopped,

    call: (request, caller) => runPlainCall('call', request, caller),
    callAndStore: (request, caller) => runPlainCall('call_and_store', request, caller),

    async refuse(target, reason, caller, format) {
      const outcome = await recordedCall(shared, { kind: 'call', target, caller }, async () => {
        throw reason;
      });
      return failureResult(reworded(toAppError(outcome.failure), caller.hintFor), target, format);
    },

    async upstreamRequest(request, caller) {
      const { deps } = forClient(caller);
      // Without a query, which can hold a secret.
      const target = { server: request.server, tool: `${request.method} ${request.about.split(/[?#]/, 1)[0]}` };
      const outcome = await recordedCall(deps, { kind: 'call', target, caller }, (call) =>
        upstreamRequest({ deps, request, call }),
      );
      const result = valueIn(outcome);
      kept.link(caller.owner ?? '', request.server, linksInMessages(result.messages));
      return result;
    },
    linkedBy: (owner, uri) => kept.linkedBy(owner, uri),

    async preview(request, caller) {
      const target = { server: 'filebridge', tool: 'preview_file' };
      const start = { kind: 'preview' as const, target, caller, paths: [request.path] };
      const outcome = await recordedCall(shared, start, async ({ events, caller: own }) => {
        const turn = turnOf(own);
        const { deps } = forClient(caller);
        await turn.take();
        const found = await preview(deps, shared.config(), request, own.signal).finally(turn.rest);
        await events.tell({ type: 'opened', paths: [found.path], inputBytes: found.inputBytes });
        await events.tell({ type: 'counted', records: found.records });
        return found;
      });
      if (outcome.failure) return failureResult(outcome.failure, target);
      const text = await boundedPreviewText(outcome.value, shared.config().responses.spillOverTokens, shared.converter);
      return { content: [{ type: 'text', text }] };
    },

    listUpstreamTools: (request, caller) =>
      answered('list_upstream_tools', async () => jsonResult(await listUpstreamTools(shared.upstreams, request, caller.signal))),

    describeUpstreamTool: (request, caller) =>
      answered('describe_upstream_tool', async () =>
        jsonResult(await describeUpstreamTool(shared.upstreams, request.server, request.tool_name, caller.signal)),
      ),

    listAllowedDirectories: () =>
      answered('list_allowed_directories', async () => {
        const folders = await shared.files.folders();
        const listed = {
          folders: folders.map((folder) => ({
            path: folder.path,
            access: folder.access,
            ...(folder.silent ? { problem: 'does not answer' } : folder.realPath === null ? { missing: true } : {}),
          })),
          ...(folders.length === 0 ? { hint: inAgentsWords(say('list.noFolders')) } : {}),
        };
        // The first block is word for word what the official filesystem server answers; the second says what may be written.
        const usable = folders.filter(({ realPath, silent }) => realPath !== null && !silent);
        const paths = usable.flatMap(({ path, realPath }) =>
          realPath === null || realPath === path ? [path] : [path, realPath],
        );
        const content = `Allowed directories:\n${paths.join('\n')}`;
        return {
          content: [{ type: 'text', text: content }, ...jsonResult(listed).content],
          structuredContent: { content, ...listed },
        };
      }),

    jobStatus: (request, caller) => answered('job_status', () => jobStatus(request.job_id, caller)),
    cancelJob: (request, caller) => answered('cancel_job', () => cancelJob(request.job_id, caller)),

    resources: {
      list: async (owner) => kept.list(owner),
      read: readResource,
      onChange: (listener) => kept.onChange(listener),
      left(owner) {
        kept.forget(owner);
        shared.clients?.left(owner);
      },
    },
    close: () => jobs.close(),
  };
}
