/** The call service: every tool of ours, framed by errors and ledger. */
import { inAgentsWords, say } from '../../shared/model/messages/message.ts';
import type { JsonObject, ToolResult } from '../upstream/types.ts';
import { createConversionTurns } from './conversion-turns.ts';
import { type AdmittedFileCall, admitFileCall, fileCall } from './file-call.ts';
import { createJobs, type JobReport } from './jobs.ts';
import { failureResult } from './output.ts';
import { openFiles } from './payloads.ts';
import { plainCall } from './plain-call.ts';
import { preview, previewText } from './preview-file.ts';
import { receiptOf, receiptStatus, resumedId } from './receipts.ts';
import { argumentShape, type CallRecord, pausedError, recordedCall, refuseWhilePaused, watchedCaller } from './recorded.ts';
import { createResponses, KeptAnswers, type Responses } from './stored-answers.ts';
import { describeUpstreamTool, listUpstreamTools } from './tool-list.ts';
import {
  type CallAndStoreRequest,
  type CallDeps,
  type CallerContext,
  type CallService,
  type FileCallRequest,
  folderClient,
  type ResourceContent,
} from './types.ts';
import { linksInMessages, upstreamRequest } from './upstream-request.ts';

/** Size limit of arguments that are kept for resuming a call. UTF-16 code units. */
const MAX_KEPT_ARGUMENTS = 256 * 1024;

const jsonResult = (value: unknown): ToolResult => ({ content: [{ type: 'text', text: JSON.stringify(value, null, 2) }] });

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

export function createCallService(shared: CallDeps): CallService {
  const kept = new KeptAnswers();
  const jobs = createJobs();
  const turns = createConversionTurns();
  const turnOf = ({ owner = '', progress }: CallerContext, signal: AbortSignal, isJob = false) =>
    turns.turn({ client: isJob ? `${owner} in the background` : owner, signal, waits: progress });

  /** The same for the calls of one client: what it may reach, and where its answers go. */
  function forClient(caller: CallerContext): { deps: CallDeps; responses: Responses } {
    const store = shared.clients?.of(folderClient(caller));
    const deps = store ? { ...shared, files: store.files } : shared;
    return { deps, responses: createResponses(deps, kept, caller.owner ?? '', store?.folder) };
  }

  function runFileCall(
    request: FileCallRequest,
    asked: CallerContext,
    given: AbortSignal,
    job?: { report: JobReport; admitted: AdmittedFileCall },
  ) {
    const target = { server: request.server, tool: request.tool_name };
    const { deps, responses } = forClient(asked);
    const { hintFor, raises } = asked;
    const { client } = asked;
    const format = request.output_format;
    const cancelJob = job?.report.cancel;
    let facts: CallRecord | undefined;
    return recordedCall(
      deps,
      { kind: 'file_call', client, target, format, signal: given, hintFor, raises, cancelJob },
      (record, signal) => {
        facts = record;
        record.paths = pathsOf(request);
        record.shapeOf = () => argumentShape(request.tool_args ?? {});
        const caller = watchedCaller(asked, record, signal);
        const turn = turnOf(caller, signal, job !== undefined);
        const run = { deps, responses, request, caller, record, signal, turn, report: job?.report };
        return fileCall(run, job?.admitted).finally(turn.rest);
      },
    ).finally(() => {
      if (facts) noteUnfinished(request, asked, facts);
    });
  }

  /** Keeps a batched call that can be gone on with, and forgets it once it was. */
  function noteUnfinished(request: FileCallRequest, caller: CallerContext, record: CallRecord): void {
    const { unfinished, entryId: entry, paths } = record;
    const resumed = resumedId(request);
    if (unfinished === undefined) {
      if (resumed !== undefined && record.outcome === 'ok') shared.stopped?.forget(resumed);
      return;
    }
    const { server, tool_name: tool, tool_args = {}, batch } = request;
    if (entry === undefined || JSON.stringify(tool_args).length > MAX_KEPT_ARGUMENTS) return;
    const { start: _start, ranges: _ranges, ...options } = typeof batch === 'object' ? batch : {};
    const again = { ...request, batch: { ...options, resume: unfinished.receipt } };
    const call = { ...unfinished, entry, client: caller.client, server, tool, paths, endedAt: new Date().toISOString() };
    shared.stopped?.keep(call, () => beginJob(again, { ...caller, signal: new AbortController().signal }));
  }

  function runPlainCall(kind: 'call' | 'call_and_store', request: CallAndStoreRequest, caller: CallerContext) {
    const target = { server: request.server, tool: request.tool_name };
    const { client, signal, hintFor, raises } = caller;
    const { deps, responses } = forClient(caller);
    const options = { kind, client, target, format: request.output_format, signal, hintFor, raises };
    return recordedCall(deps, options, (record, abort) => {
      record.shapeOf = () => argumentShape(request.tool_args ?? {});
      return plainCall(deps, responses, request, watchedCaller(caller, record, abort), record, kind === 'call_and_store');
    });
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
    const admitted = await admitFileCall(deps, responses, request, caller, caller.signal);
    const opened = await openFiles(deps, admitted.placed);
    try {
      return jobStarted(request, caller, { ...admitted, opened }, () => opened.close());
    } catch (error) {
      await opened.close();
      throw error;
    }
  }

  function jobStarted(
    request: FileCallRequest,
    caller: CallerContext,
    admitted: AdmittedFileCall,
    ended: () => Promise<void>,
  ): ToolResult {
    const target = { server: request.server, tool: request.tool_name };
    // The request that carried these is answered before the job ends: nobody listens there any more.
    const detached: CallerContext = {
      ...caller,
      progress: () => undefined,
      log: () => undefined,
      elicit: undefined,
      sample: undefined,
      raises: undefined,
    };
    const run = (signal: AbortSignal, report: JobReport) =>
      runFileCall(request, { ...detached, signal }, signal, { report, admitted }).finally(ended);
    const job = jobs.start(target, caller.owner ?? '', [], run, resumedId(request));
    return jsonResult({ job_id: job.job_id, state: job.state, hint: inAgentsWords(say('job.follow', { id: job.job_id })) });
  }

  /** Framed as every tool is: refused while paused, and written to the ledger. */
  async function readResource(uri: string, caller: CallerContext): Promise<ResourceContent> {
    let found: ResourceContent | undefined;
    let failure: unknown = pausedError();
    const target = { server: 'filebridge', tool: 'resources/read' };
    const { client, signal } = caller;
    await recordedCall(shared, { kind: 'file_read', client, target, format: 'json', signal }, async (record) => {
      try {
        record.paths = [uri];
        const { content, path, size } = await forClient(caller).responses.read(uri, signal);
        record.paths = [path];
        record.inputBytes = size;
        found = content;
        return { content: [] };
      } catch (error) {
        failure = error;
        throw error;
      }
    });
    if (found === undefined) throw failure;
    return found;
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

  const withResult = ({ job, result }: { job: JsonObject; result: ToolResult | undefined }): ToolResult => {
    const content = [...jsonResult(job).content, ...(result?.content ?? [])];
    return result?.isError && job.state === 'failed' ? { content, isError: true } : { content };
  };

  return {
    callWithFile: (request, caller) =>
      request.background && !request.dry_run ? startJob(request, caller) : runFileCall(request, caller, caller.signal),

    call: (request, caller) => runPlainCall('call', request, caller),
    callAndStore: (request, caller) => runPlainCall('call_and_store', request, caller),

    refuse: (target, reason, { client, signal, hintFor }, format) =>
      recordedCall(shared, { kind: 'call', client, target, format, signal, hintFor }, async () => {
        throw reason;
      }),

    async upstreamRequest(request, caller) {
      const result = await upstreamRequest(forClient(caller).deps, request, caller);
      kept.link(caller.owner ?? '', request.server, linksInMessages(result.messages));
      return result;
    },
    linkedBy: (owner, uri) => kept.linkedBy(owner, uri),

    preview: (request, caller) =>
      recordedCall(
        shared,
        {
          kind: 'preview',
          client: caller.client,
          target: { server: 'filebridge', tool: 'preview_file' },
          format: 'json',
          signal: caller.signal,
        },
        async (record, signal) => {
          const turn = turnOf(caller, signal);
          const { deps } = forClient(caller);
          record.paths = [request.path];
          await turn.take();
          const shown = await preview(deps, shared.config().limits, request, signal).finally(turn.rest);
          record.paths = [shown.path];
          record.inputBytes = shown.inputBytes;
          record.records = shown.records;
          return { content: [{ type: 'text', text: previewText(shown) }] };
        },
      ),

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
            ...(folder.realPath === null ? { missing: true } : {}),
          })),
          ...(folders.length === 0 ? { hint: inAgentsWords(say('list.noFolders')) } : {}),
        };
        // The first block is word for word what the official filesystem server answers; the second says what may be written.
        const usable = folders.filter((folder) => folder.realPath !== null);
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
    cancelJob: (request, { owner = '' }) =>
      answered('cancel_job', async () => withResult(await jobs.cancel(owner, request.job_id))),

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
