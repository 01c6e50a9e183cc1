/** State of one call with files. */

import type { Receipt, SentBefore } from '../../shared/model/call.ts';
import type { BoundArguments } from '../binding/bind.ts';
import type { Payload } from '../engine/core/payload.ts';
import type { StoredReceipt } from '../store/receipts.ts';
import type { ToolResult } from '../upstream/types.ts';
import type { NO_TOKENS } from './answer.ts';
import type { CallKeys } from './bind.ts';
import type { Turn } from './conversion-turns.ts';
import type { JobReport } from './jobs.ts';
import type { CallRecord } from './recorded.ts';
import type { Responses } from './stored-answers.ts';
import type { CallDeps, CallerContext, FileCallRequest } from './types.ts';

/** The arguments of the call with one record of the list, from 0, for calls with a record each. */
export type BindRecord = (record: Payload, index: number) => Promise<BoundArguments>;

export interface FileCallRun {
  deps: CallDeps;
  responses: Responses;
  request: FileCallRequest;
  caller: CallerContext;
  record: CallRecord;
  signal: AbortSignal;
  /** Held while its conversions are read. */
  turn: Turn;
  report?: JobReport | undefined;
  /** Names the receipt of this call. */
  receiptId: string;
  /** Idempotency keys, where the tool takes one. */
  keys?: CallKeys | undefined;
  /** Present where each record gets a call of its own. */
  bindRecord?: BindRecord | undefined;
  /** Arguments that go in HTTP headers as well. */
  headers?: Record<string, string> | undefined;
  /** Files whose content went to the tool before. */
  sentBefore: readonly SentBefore[];
  /** The receipt it goes on with. */
  resumed?: StoredReceipt | undefined;
}

/** The answer, and the outcome of the records. */
export interface Sent {
  result: ToolResult;
  receipt: Receipt;
  /** The records' outcome in this call alone; the receipt also covers earlier calls. */
  counts: Pick<Receipt, 'recordsAccepted' | 'recordsFailed' | 'recordsUnknown'>;
  /** Tokens of answers that were folded into the receipt. */
  withheld: typeof NO_TOKENS;
}
