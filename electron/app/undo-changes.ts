/** Undoes what agents changed with file tools, at the word of the person. */
import { APP_CLIENT } from '../../shared/model/client-name.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { recordedCall } from '../calls/call.ts';
import type { CallDeps } from '../calls/types.ts';
import { notesIn } from '../files/tools/change-notes.ts';
import type { FileOperations } from '../files/tools/operations.ts';
import { type Hindrance, hindranceOf } from '../files/tools/undo.ts';
import type { KeptChange, KeptChanges } from '../store/kept-changes.ts';

export interface UndoChanges {
  /** Those that are kept, the newest first. */
  list(): Promise<(KeptChange & { hindrance: Hindrance | null })[]>;
  /** Throws INVALID_REQUEST for one that is not kept, and what prevents it. The undoing is in the ledger, too. */
  undo(id: string): Promise<void>;
  /** What the agent changed in the text; null where there is nothing to compare. Throws as `undo` does. */
  diff(id: string): Promise<string | null>;
}

export function createUndo(
  // The person is not held back while agents are paused.
  deps: Pick<CallDeps, 'ledger' | 'failed' | 'running' | 'log'>,
  changes: KeptChanges,
  files: () => FileOperations,
): UndoChanges {
  async function find(id: string): Promise<KeptChange> {
    const kept = (await changes.list()).find((each) => each.id === id);
    if (kept === undefined) throw new AppError('INVALID_REQUEST', say('undo.gone'), { hint: say('undo.gone.hint') });
    return kept;
  }

  return {
    async list() {
      const kept = await changes.list();
      return await Promise.all(kept.map(async (each) => ({ ...each, hindrance: await hindranceOf(each.change) })));
    },
    async diff(id) {
      const { change, undone = false } = await find(id);
      return await files().diffOfChange(change, () => changes.content(id), undone);
    },
    async undo(id) {
      const { change, client, undone, call = id } = await find(id);
      const caller = {
        client: APP_CLIENT,
        signal: new AbortController().signal,
        progress: () => undefined,
        log: () => undefined,
      };
      const target = { server: 'filebridge', tool: 'undo' };
      const { failure } = await recordedCall(
        deps,
        { kind: 'file_write', target, caller, paths: [change.path] },
        async ({ events }) => {
          const { id: own, time } = events.facts;
          const notes = notesIn(changes, deps.log, { id: own, time, client, call, ...(undone ? {} : { undone: true }) });
          await changes.undone(id, await files().undo(change, () => changes.content(id), notes));
        },
      );
      if (failure) throw failure;
    },
  };
}
