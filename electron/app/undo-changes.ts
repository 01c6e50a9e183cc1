/** Undoes what agents changed with file tools, at the word of the person. */
import { APP_CLIENT } from '../../shared/model/client-name.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { recordedCall } from '../calls/call.ts';
import type { CallDeps } from '../calls/types.ts';
import type { FileOperations } from '../files/tools/operations.ts';
import type { KeptChange, KeptChanges } from '../store/kept-changes.ts';

export interface UndoChanges {
  /** Those that are kept, the newest first. */
  list(): Promise<KeptChange[]>;
  /** Throws INVALID_REQUEST for one that is not kept, and what prevents it. The undoing is in the ledger, too. */
  undo(id: string): Promise<void>;
}

export function createUndo(
  // The person is not held back while agents are paused.
  deps: Pick<CallDeps, 'ledger' | 'failed' | 'running' | 'log'>,
  changes: KeptChanges,
  files: () => FileOperations,
): UndoChanges {
  return {
    list: () => changes.list(),
    async undo(id) {
      const kept = (await changes.list()).find((each) => each.id === id);
      if (kept === undefined) throw new AppError('INVALID_REQUEST', say('undo.gone'), { hint: say('undo.gone.hint') });
      const { change } = kept;
      const caller = {
        client: APP_CLIENT,
        signal: new AbortController().signal,
        progress: () => undefined,
        log: () => undefined,
      };
      const target = { server: 'filebridge', tool: 'undo' };
      const { failure } = await recordedCall(deps, { kind: 'file_write', target, caller, paths: [change.path] }, async () =>
        changes.undone(id, await files().undo(change, () => changes.content(id))),
      );
      if (failure) throw failure;
    },
  };
}
