/** Collects what a person is shown before a call that needs their approval: everything that would be sent. */

import type { ApprovalLoss, ApprovalPayload } from '../../shared/contract/approvals.ts';
import { AppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';
import type { BoundArguments } from '../binding/bind.ts';
import { formatDataKey } from '../binding/data-key.ts';
import { type JsonStream, textOf } from '../engine/core/payload.ts';
import type { JsonObject, UpstreamTool } from '../upstream/types.ts';
import { countBatches, plannedRanges, rangesNow, recordsIn } from './batch-count.ts';
import type { ApprovalRequest, CallDeps } from './deps.ts';
import type { FileCallRun } from './file-call-run.ts';
import type { OpenedFiles, PreparedPayload } from './payloads.ts';
import type { Batches } from './send.ts';
import { shownEnds } from './shown-records.ts';
import { alwaysAllowed, toolFingerprint, toolTexts } from './tool-fingerprint.ts';

/** Longer arguments of an agent's own are refused: a person has to see all of them. Bytes. */
const ARGUMENT_BYTES = 1024 * 1024;
/** Longer descriptions are cut, visibly. They are shown, not sent. Characters. */
const DESCRIPTION_CHARS = 200_000;

interface Target {
  server: string;
  tool_name: string;
}

/** Throws CONFIRMATION_REFUSED for arguments too long to be read. */
export async function plainCallApproval(
  deps: Pick<CallDeps, 'upstreams'>,
  request: Target,
  tool: UpstreamTool,
  args: JsonStream,
  meta: JsonObject | undefined,
): Promise<ApprovalRequest> {
  const shownMeta = metaText(meta);
  refuseUnreadable(args.bytes + Buffer.byteLength(shownMeta ?? ''), request);
  return {
    ...aboutTool(deps, request, tool),
    ...(shownMeta === undefined ? {} : { meta: shownMeta }),
    paths: [],
    records: 1,
    bytes: args.bytes,
    calls: { count: 1, exact: true },
    arguments: [(await textOf(args)).toString('utf8')],
    payloads: [],
    sentBefore: [],
  };
}

/** Throws CONFIRMATION_REFUSED for arguments beside the files too long to be read. */
export async function fileCallApproval(
  run: Pick<FileCallRun, 'deps' | 'request' | 'signal' | 'sentBefore' | 'caller'>,
  tool: UpstreamTool,
  opened: OpenedFiles,
  payloads: readonly PreparedPayload[],
  bound: BoundArguments,
  batches: Batches | undefined,
): Promise<ApprovalRequest> {
  const { deps, request, signal } = run;
  const typed = bound.outline.reduce<number>((sum, part) => sum + (typeof part === 'string' ? Buffer.byteLength(part) : 0), 0);
  const meta = metaText(run.caller.meta);
  refuseUnreadable(typed + Buffer.byteLength(meta ?? ''), request);
  const shown: ApprovalPayload[] = [];
  for (const [index, payload] of payloads.entries()) {
    const place = formatDataKey(bound.at[index] ?? []);
    const files = opened.placed[index]?.files ?? [];
    const ranges = batches ? rangesNow(batches.plan, payload.records) : plannedRanges({ start: 0 }, payload.records);
    shown.push({
      place: place === '' ? null : place,
      records: batches ? recordsIn(ranges) : payload.records,
      bytes: payload.bytes,
      list: payload.kind === 'array',
      files: files.map(({ path, size }, file) => ({ path, bytes: size, records: payload.reports[file]?.records ?? 0 })),
      ...(await shownEnds(payload, ranges, signal)),
    });
  }
  return {
    ...aboutTool(deps, request, tool),
    ...(meta === undefined ? {} : { meta }),
    paths: opened.paths,
    records: shown.reduce((sum, { records }) => sum + records, 0),
    bytes: bound.bytes,
    calls: batches ? await countBatches(batches.payload, batches.plan, signal) : { count: 1, exact: true },
    arguments: [...bound.outline],
    payloads: shown,
    ...(batches && bound.keyAt !== undefined ? { keyArgument: bound.keyAt } : {}),
    sentBefore: [...run.sentBefore],
  };
}

/** For a file tool of ours. Throws CONFIRMATION_REFUSED for arguments, or a diff, too long to be read. */
export function changeApproval(tool: string, args: unknown, loss: ApprovalLoss): ApprovalRequest {
  const text = JSON.stringify(args ?? {});
  const shown = Math.max(Buffer.byteLength(text), Buffer.byteLength(loss.diff ?? ''));
  refuseUnreadable(shown, { server: 'filebridge', tool_name: tool }, say('approval.unreadable.newFile'));
  return {
    server: 'filebridge',
    target: 'Filebridge',
    folder: null,
    tool,
    description: null,
    fingerprint: { entry: '', description: '', inputSchema: '', outputSchema: '', annotations: '' },
    texts: { entry: null, description: null, inputSchema: null, outputSchema: null, annotations: null },
    lapsed: [],
    paths: [loss.path, ...(loss.destination === null ? [] : [loss.destination])],
    records: 1,
    bytes: Buffer.byteLength(text),
    calls: { count: 1, exact: true },
    arguments: [text],
    payloads: [],
    sentBefore: [],
    loss,
  };
}

function aboutTool({ upstreams }: Pick<CallDeps, 'upstreams'>, { server, tool_name }: Target, tool: UpstreamTool) {
  const upstream = upstreams.config(server);
  return {
    server,
    ...upstreams.target(server),
    tool: tool_name,
    description: shownDescription(tool.description),
    fingerprint: toolFingerprint(upstream, tool),
    texts: toolTexts(upstream, upstreams.target(server), tool),
    lapsed: alwaysAllowed(upstream, tool).lapsed,
  };
}

const metaText = (meta: JsonObject | undefined): string | undefined => (meta === undefined ? undefined : JSON.stringify(meta));

function shownDescription(description: unknown): string | null {
  if (typeof description !== 'string' || description.trim() === '') return null;
  const more = description.length - DESCRIPTION_CHARS;
  return more > 0 ? `${description.slice(0, DESCRIPTION_CHARS)}… (+${more})` : description;
}

function refuseUnreadable(bytes: number, { server, tool_name }: Target, hint: Message = say('approval.unreadable.asFile')): void {
  if (bytes <= ARGUMENT_BYTES) return;
  const name = `${server}:${tool_name}`;
  throw new AppError('CONFIRMATION_REFUSED', say('approval.unreadable', { name, bytes: ARGUMENT_BYTES }), { hint });
}
