/** A call with a file that the person in front of the app makes: the way an agent's goes, with their own word for it. */
import type { LedgerEntry, Receipt } from '../../shared/model/call.ts';
import { APP_CLIENT } from '../../shared/model/client-name.ts';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { answerText } from '../calls/answer.ts';
import { createCallService } from '../calls/service.ts';
import type { CallDeps } from '../calls/types.ts';
import type { PreviewSession } from './preview-session.ts';
import { type FileOnTool, requestOf, sessionDeps } from './try-on-tool.ts';

const ANSWER_CHARS = 4_000;

export interface SentFile {
  /** The ledger's line; null where the call could not even be asked for. */
  readonly entry: LedgerEntry | null;
  readonly receipt: Receipt | null;
  /** The tool's words, shortened. */
  readonly answer: string;
  /** Null when the tool took all of it. */
  readonly error: AppError | null;
}

/**
 * Sends a file through the call service, in batches where one message cannot hold it. Folders do not bound the person,
 * so the file is the session's, whatever folder it is in; no confirmation is asked of who clicked Send, nor is what they send
 * held back while agents are paused. `resumed`: the receipt that it goes on with. Never throws.
 */
export async function sendFile(
  deps: CallDeps,
  session: PreviewSession,
  asked: FileOnTool,
  signal: AbortSignal,
  resumed?: string,
): Promise<SentFile> {
  const { stopped } = deps;
  const { paused: _, ...own } = sessionDeps(deps, session);
  const service = createCallService({
    ...own,
    byPerson: true,
    approve: async () => 'allowed',
    // The service ends with this call.
    ...(stopped && {
      stopped: { keep: (call) => stopped.keep(call, 'person', asked), forget: (id) => stopped.forget(id) },
    }),
  });
  try {
    const request = { ...requestOf(asked), output_format: 'raw' as const, ...(resumed && { batch: { resume: resumed } }) };
    const caller = { signal, client: APP_CLIENT, progress: () => undefined, log: () => undefined };
    const { entry, value, failure } = await service.sendFile(request, caller);
    const { answer, receipt = null, verdict } = value ?? {};
    const { error = failure ?? null, said } = verdict ?? {};
    return {
      entry,
      receipt,
      answer: answer ? shortened(answerText(answer)) : '',
      error: error ?? (said === undefined ? null : new AppError('UPSTREAM_FAILED', said)),
    };
  } catch (error) {
    return { entry: null, receipt: null, answer: '', error: toAppError(error) };
  } finally {
    await service.close();
  }
}

const shortened = (text: string) => (text.length > ANSWER_CHARS ? `${text.slice(0, ANSWER_CHARS)}…` : text);
