/** Writes ledger lines for batched calls that were interrupted by the end of their process. */
import { randomUUID } from 'node:crypto';
import { toAppError } from '../../shared/model/errors.ts';
import type { StoredReceipt } from '../store/receipts.ts';
import type { CallDeps } from './deps.ts';
import { interruptedText, outcomesOf } from './resume.ts';
import { emptyEntry } from './savings.ts';

/** Writes a line for each that no process is making any more and that has none yet. */
export async function recordInterrupted(deps: Pick<CallDeps, 'receipts' | 'ledger' | 'failed' | 'log'>): Promise<void> {
  try {
    await deps.receipts?.tellInterrupted((stored) => record(deps, stored));
  } catch (error) {
    deps.log(`an interrupted call could not be written to the ledger: ${toAppError(error).text}`);
  }
}

async function record({ ledger, failed }: Pick<CallDeps, 'ledger' | 'failed'>, stored: StoredReceipt): Promise<void> {
  const { head, events } = stored;
  const outcomes = outcomesOf(stored);
  const batches = events.filter(([event]) => event === 'sent').length;
  const id = randomUUID();
  failed?.(id, interruptedText(stored));
  await ledger.append({
    ...emptyEntry('file_call', head.client),
    id,
    time: head.time,
    durationMs: 0,
    server: head.server,
    tool: head.tool,
    paths: head.paths,
    records: head.records,
    calls: batches,
    outcome: 'failed',
    errorCode: 'INTERRUPTED',
    receipt: {
      sha256: head.sha256,
      recordsAccepted: outcomes.count('accepted'),
      recordsFailed: outcomes.count('refused'),
      recordsUnknown: outcomes.count('unknown'),
      batches,
    },
  });
}
