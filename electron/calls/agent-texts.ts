/** What an agent is told of a call that was cut into batches, and of one that was only tried. */

import { formatBytes } from '../../shared/lib/bytes.ts';
import type { Receipt, RecordRange } from '../../shared/model/call.ts';
import { inAgentsWords, say } from '../../shared/model/messages/message.ts';
import { counted } from '../../shared/model/messages/phrases.ts';
import type { BoundArguments } from '../binding/bind.ts';
import { formatDataKey } from '../binding/data-key.ts';
import { exactJson } from '../engine/core/exact-numbers.ts';
import type { ToolResult } from '../upstream/types.ts';
import { type BatchPlan, countBatches } from './batch-plan.ts';
import type { CheckedCall } from './check.ts';
import { payloadTokens } from './convert.ts';
import type { CallTarget } from './events.ts';
import { unaccepted } from './receipts.ts';
import type { SentBatches } from './send.ts';
import { sentBeforeText } from './sent-before.ts';

// A call in batches: the receipt in a few sentences, as the agent reads it.

/** The receipt, with what the agent should know and do. */
export function receiptResult(receipt: Receipt, batched: SentBatches, target: CallTarget): ToolResult {
  const { calls, plan, reason, cancelled } = batched;
  const said = receiptText(receipt, `${target.server}:${target.tool}`, calls, plan);
  const why = reason === undefined ? [] : [typeof reason === 'string' ? reason : reason.text];
  const text = [said, ...(receipt.sentBefore ?? []).map(sentBeforeText), ...why].join(' ');
  return {
    content: [{ type: 'text', text }],
    structuredContent: receipt,
    ...(cancelled || reason !== undefined ? { isError: true } : {}),
  };
}

export function receiptText(
  receipt: Receipt,
  target: string,
  batches: number,
  { mostCalls }: Pick<BatchPlan, 'mostCalls'> = {},
): string {
  const { recordsAccepted, recordsRead, ranges } = receipt;
  const each = mostCalls !== undefined;
  const calls = each ? counted(batches, 'call', 'calls') : counted(batches, 'batch', 'batches');
  const said = [`${recordsAccepted} of ${recordsRead} records accepted by ${target} in ${calls}`];
  if (ranges === undefined) return `${said[0]}.`;
  const { refused, not_sent, unknown } = ranges;
  const some = refused.length + not_sent.length + unknown.length > 0;
  if (some && ranges.accepted.length > 0) said.push(`Accepted: ${listed(ranges.accepted)}`);
  if (refused.length > 0) said.push(`Refused: ${listed(refused)}`);
  if (not_sent.length > 0) said.push(`Not sent: ${listed(not_sent)}`);
  if (not_sent.length > 0 && batches === mostCalls) said.push(`One request makes at most ${mostCalls} calls`);
  if (unknown.length > 0)
    said.push(
      `Unknown (sent, outcome not heard): ${listed(unknown)}. Check on the server whether they arrived before sending them again`,
    );
  const left = unaccepted(ranges);
  const ways = [
    ...(receipt.id === undefined ? [] : [`make the same call with batch: {"resume": "${receipt.id}"}`]),
    left.length > RANGES_SHOWN
      ? 'give those ranges of the receipt as batch.ranges'
      : `use batch: {${each ? '"each": true, ' : ''}"ranges": ${JSON.stringify(left)}} with the same file`,
  ];
  if (left.length > 0) said.push(`To send what was refused or not sent, ${ways.join(', or ')}`);
  if (unknown.length > 0 && receipt.id !== undefined)
    said.push(
      `batch: {"resume": "${receipt.id}", "resend_unknown": true} sends the unknown records again too${receipt.idempotencyArgument === undefined ? '' : `, with the same keys in ${receipt.idempotencyArgument}, by which the server can recognize them`}`,
    );
  return `${said.join('. ')}.`;
}

const RANGES_SHOWN = 20;

/** Records as `0-399, 600-999`, counted from 0. */
function listed(ranges: readonly RecordRange[]): string {
  const shown = ranges.slice(0, RANGES_SHOWN).map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
  const more = ranges.length - shown.length;
  return `records ${shown.join(', ')}${more > 0 ? ` and ${more} more ranges` : ''}`;
}

// Dry run: shows what a call would send.

const SHOWN_RECORDS = 3;
const SHOWN_CHARS = 300;

/** Shape, size, tokens and first records of the bound arguments, as JSON text. */
export async function dryRun(checked: CheckedCall, signal: AbortSignal): Promise<ToolResult> {
  const { request, payloads, bound, batches, warnings, sentBefore } = checked;
  const calls = batches && (await countBatches(batches.payload, batches.plan, signal));
  const report = {
    dry_run: true,
    server: request.server,
    tool: request.tool_name,
    arguments_bytes: bound.bytes,
    payloads: payloads.map((payload, index) => ({
      data_key: formatDataKey(bound.at[index] ?? []) || null,
      kind: payload.kind,
      records: payload.records,
      size: formatBytes(payload.bytes),
      columns: payload.reports[0]?.columns?.map((column) => `${column.name}: ${column.type}`),
      sha256: payload.reports.map((each) => each.sha256).join(' '),
    })),
    ...(calls ? { calls: calls.exact ? calls.count : `about ${calls.count}` } : {}),
    tokens: payloadTokens(payloads),
    arguments: await shownArguments(bound),
    ...(bound.keyAt === undefined ? {} : { idempotency_key: inAgentsWords(say('idempotency.added', { argument: bound.keyAt })) }),
    ...(sentBefore.length === 0 ? {} : { sent_before: sentBefore }),
    warnings: [...warnings.map((warning) => warning.message), ...sentBefore.map(sentBeforeText)],
  };
  return { content: [{ type: 'text', text: exactJson(report, 2) }] };
}

/** The arguments as they are shown: lists cut to their first records, long texts shortened. */
export async function shownArguments(bound: BoundArguments): Promise<unknown> {
  return shorten((await bound.sample(SHOWN_RECORDS)).value);
}

function shorten(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > SHOWN_CHARS ? `${value.slice(0, SHOWN_CHARS)}… (${value.length} characters)` : value;
  if (Array.isArray(value)) return value.map(shorten);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shorten(member)]));
}
