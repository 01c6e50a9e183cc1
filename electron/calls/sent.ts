/** Result types of sending a call's arguments. */
import type { Receipt } from '../../shared/model/call.ts';
import type { ToolResult } from '../upstream/types.ts';
import type { NO_TOKENS } from './savings.ts';

/** The answer, and the outcome of the records. */
export interface Sent {
  result: ToolResult;
  receipt: Receipt;
  /** The records' outcome in this call alone; the receipt also covers earlier calls. */
  counts: Pick<Receipt, 'recordsAccepted' | 'recordsFailed' | 'recordsUnknown'>;
  /** Tokens of answers that were folded into the receipt. */
  withheld: typeof NO_TOKENS;
}
