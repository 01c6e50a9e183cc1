/** Dry run: shows what a call would send. */

import { formatBytes } from '../../shared/lib/bytes.ts';
import type { SentBefore } from '../../shared/model/call.ts';
import type { Warning } from '../../shared/model/conversion.ts';
import { inAgentsWords, say } from '../../shared/model/messages/message.ts';
import type { BoundArguments } from '../binding/bind.ts';
import { formatDataKey } from '../binding/data-key.ts';
import { exactJson } from '../engine/core/exact-numbers.ts';
import type { ToolResult } from '../upstream/types.ts';
import { countBatches } from './batch-count.ts';
import type { PreparedPayload } from './payloads.ts';
import { payloadTokens } from './savings.ts';
import type { Batches } from './send.ts';
import { sentBeforeText } from './sent-before.ts';
import type { FileCallRequest } from './types.ts';

const SHOWN_RECORDS = 3;
const SHOWN_CHARS = 300;

/** Shape, size, tokens and first records of the bound arguments, as JSON text. */
export async function dryRun(
  request: FileCallRequest,
  payloads: readonly PreparedPayload[],
  bound: BoundArguments,
  batches: Batches | undefined,
  warnings: readonly Warning[],
  sentBefore: readonly SentBefore[],
  signal: AbortSignal,
): Promise<ToolResult> {
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
