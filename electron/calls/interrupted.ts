/** Writes ledger lines for batched calls that were interrupted by the end of their process. */
import { createHash } from 'node:crypto';
import { toAppError } from '../../shared/model/errors.ts';
import type { StoredReceipt } from '../store/receipts.ts';
import type { Ledger } from '../store/types.ts';
import type { CallDeps } from './deps.ts';
import { interruptedText, outcomesOf } from './resume.ts';
import { emptyEntry } from './savings.ts';

/** A program killed before it marked the receipt may have written the line; this many lines may have followed it. */
const RECENT_LINES = 1_000;

type Reporting = Pick<CallDeps, 'failed'> & { ledger: Pick<Ledger, 'append' | 'recent'> };

/** Writes a line for each that no process is making any more and that has none yet. */
export async function recordInterrupted(deps: Reporting & Pick<CallDeps, 'receipts' | 'log'>): Promise<void> {
  try {
    await deps.receipts?.tellInterrupted((stored, entry) => record(deps, stored, entry));
  } catch (error) {
    deps.log(`an interrupted call could not be written to the ledger: ${toAppError(error).text}`);
  }
}

async function record({ ledger, failed }: Reporting, stored: StoredReceipt, ownId: string | undefined): Promise<void> {
  const { head, events } = stored;
  const outcomes = outcomesOf(stored);
  const batches = events.filter(([event]) => event === 'sent').length;
  const id = entryIdOf(stored);
  const listed = new Set((await ledger.recent(RECENT_LINES)).map((entry) => entry.id));
  // Killed right after it had written its own line.
  if (ownId !== undefined && listed.has(ownId)) return;
  failed?.(id, interruptedText(stored));
  if (listed.has(id)) return;
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

/** The same for every attempt to report one interruption: each resume that sent something adds events. */
const entryIdOf = ({ head, events }: StoredReceipt): string =>
  createHash('sha256').update(`${head.id} ${head.time} ${events.length}`).digest('hex').slice(0, 32);
