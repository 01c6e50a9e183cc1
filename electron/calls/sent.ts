/** Result types of sending a call's arguments. */
import type { Receipt } from '../../shared/model/call.ts';
import type { ToolResult } from '../upstream/types.ts';
import type { LongAnswer } from '../wire/long-answer.ts';
import type { NO_TOKENS } from './savings.ts';

/** What came back, and what became of the records. */
export interface Sent {
  result: ToolResult | LongAnswer;
  receipt: Receipt;
  /** What became of the records in this call alone, where the receipt tells of earlier ones too. */
  counts: Pick<Receipt, 'recordsAccepted' | 'recordsFailed' | 'recordsUnknown'>;
  /** Tokens of answers that were folded into the receipt. */
  withheld: typeof NO_TOKENS;
}
