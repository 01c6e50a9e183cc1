/** Collects what a person is shown before a call that needs their approval: everything that would be sent. */

import type { ApprovalLoss, ApprovalPayload } from '../../shared/contract/approvals.ts';
import type { RecordRange } from '../../shared/model/call.ts';
import { AppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';
import { formatDataKey } from '../binding/data-key.ts';
import { exactJson } from '../engine/core/exact-numbers.ts';
import { type JsonStream, type Payload, textOf } from '../engine/core/payload.ts';
import { isDestructive, isReadOnly, type JsonObject, type UpstreamTool } from '../upstream/types.ts';
import { alwaysAllowed, toolFingerprint, toolTexts } from './approve.ts';
import { countBatches, plannedRanges, rangesNow, recordsIn } from './batch-plan.ts';
import type { CheckedCall } from './check.ts';
import type { OpenedFiles } from './open.ts';
import type { ApprovalRequest, CallDeps, CallerContext } from './types.ts';

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
  deps: Pick<CallDeps, 'upstreams'>,
  { request, tool, payloads, bound, batches, sentBefore }: CheckedCall,
  opened: OpenedFiles,
  { signal, meta: given }: Pick<CallerContext, 'signal' | 'meta'>,
): Promise<ApprovalRequest> {
  const typed = bound.outline.reduce<number>((sum, part) => sum + (typeof part === 'string' ? Buffer.byteLength(part) : 0), 0);
  const meta = metaText(given);
  refuseUnreadable(typed + Buffer.byteLength(meta ?? ''), request);
  const shown: ApprovalPayload[] = [];
  const sentRanges: (readonly RecordRange[])[] = [];
  for (const [index, payload] of payloads.entries()) {
    const place = formatDataKey(bound.at[index] ?? []);
    const files = opened.placed[index]?.files ?? [];
    const ranges = batches ? rangesNow(batches.plan, payload.records) : plannedRanges({ start: 0 }, payload.records);
    sentRanges.push(ranges);
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
    async readRecords(index, from, count) {
      const payload = payloads[index];
      return payload?.kind === 'array' ? await recordsOf(payload, sentRanges[index] ?? [], from, from + count, signal) : [];
    },
    ...(batches && bound.keyAt !== undefined ? { keyArgument: bound.keyAt } : {}),
    sentBefore: [...sentBefore],
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
  const upstream = upstreams.used(server);
  return {
    server,
    ...upstreams.target(server),
    tool: tool_name,
    ...saysOf(tool),
    description: shownDescription(tool.description),
    fingerprint: toolFingerprint(upstream, tool),
    texts: toolTexts(upstream, upstreams.target(server), tool),
    lapsed: alwaysAllowed(upstream, tool).lapsed,
  };
}

function saysOf({ annotations }: UpstreamTool): Pick<ApprovalRequest, 'says'> {
  if (isReadOnly(annotations)) return { says: 'reads' };
  return isDestructive(annotations) ? { says: 'destroys' } : {};
}

const metaText = (meta: JsonObject | undefined): string | undefined => (meta === undefined ? undefined : exactJson(meta));

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

// The part of a payload that is shown before a call is allowed: its beginning and end, digit for digit.

/** Records shown of each end of a list. */
const SHOWN_RECORDS = 5;
/** A text, an object or a record up to this is shown whole. Bytes. */
const WHOLE_BYTES = 16 * 1024;
/** Length of the shown beginning and end of a longer record. Bytes. */
const END_BYTES = 4 * 1024;

interface ShownEnds {
  first: string[];
  /** Empty where `first` is everything. */
  last: string[];
}

/** The first and last records of a list from `start` on, or the beginning and end of anything else. */
export async function shownEnds(payload: Payload, ranges: readonly RecordRange[], signal: AbortSignal): Promise<ShownEnds> {
  if (payload.kind !== 'array') return endsOfText(payload, signal);
  const total = ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  const shown = (from: number, to: number) => recordsOf(payload, ranges, from, to, signal);
  if (total <= 2 * SHOWN_RECORDS) return { first: await shown(0, total), last: [] };
  return { first: await shown(0, SHOWN_RECORDS), last: await shown(total - SHOWN_RECORDS, total) };
}

/** The `from`th to the `to`th of the records in `ranges`. */
async function recordsOf(
  payload: Payload,
  ranges: readonly RecordRange[],
  from: number,
  to: number,
  signal: AbortSignal,
): Promise<string[]> {
  const records: string[] = [];
  for (const [first, count] of partsBetween(ranges, from, to))
    records.push(...(await shownRecords(payload, first, count, signal)));
  return records;
}

/** First record and count of each part of `ranges` that lies between the `from`th and the `to`th of their records. */
function partsBetween(ranges: readonly RecordRange[], from: number, to: number): [first: number, count: number][] {
  let before = 0;
  return ranges.flatMap(([first, last]): [number, number][] => {
    const skipped = Math.max(0, from - before);
    const end = Math.min(last - first + 1, to - before);
    before += last - first + 1;
    return end > skipped ? [[first + skipped, end - skipped]] : [];
  });
}

async function shownRecords(payload: Payload, start: number, count: number, signal: AbortSignal): Promise<string[]> {
  const shown: string[] = [];
  if (count === 0) return shown;
  for await (const { data, ends } of payload.elements({ signal, start })) {
    let from = 0;
    for (const end of ends) {
      shown.push(shownRecord(data.subarray(from, end)));
      if (shown.length === count) return shown;
      from = end + 1;
    }
  }
  return shown;
}

/** The dangerous part may be at the end of a long value, so the middle is left out. */
function shownRecord(json: Uint8Array): string {
  if (json.length <= WHOLE_BYTES) return utf8Of(json);
  const head = utf8Of(json.subarray(0, END_BYTES)).replace(/\uFFFD+$/, '');
  const tail = utf8Of(json.subarray(-END_BYTES)).replace(/^\uFFFD+/, '');
  return `${head}… ⟨${json.length - 2 * END_BYTES} bytes⟩ …${tail}`;
}

const utf8Of = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('utf8');

async function endsOfText(payload: Payload, signal: AbortSignal): Promise<ShownEnds> {
  const whole = payload.bytes <= WHOLE_BYTES;
  const headBytes = whole ? payload.bytes : END_BYTES;
  const tailFrom = payload.bytes - END_BYTES;
  const head: Uint8Array[] = [];
  const tail: Uint8Array[] = [];
  let at = 0;
  for await (const chunk of payload.json(signal)) {
    if (at < headBytes) head.push(chunk.slice(0, headBytes - at));
    if (!whole && at + chunk.length > tailFrom) tail.push(chunk.slice(Math.max(0, tailFrom - at)));
    at += chunk.length;
  }
  const first = Buffer.concat(head).toString('utf8');
  if (whole) return { first: [first], last: [] };
  // A character may be cut in two.
  return {
    first: [`${first.replace(/\uFFFD+$/, '')}…`],
    last: [
      `…${Buffer.concat(tail)
        .toString('utf8')
        .replace(/^\uFFFD+/, '')}`,
    ],
  };
}
