/** Files as the person in front of the app may read them: any of theirs, in an allowed folder or not. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { changedWhileRead, notRegular, ownFile } from './failures.ts';
import { absolutePath, checkPathText, type FileAccessOptions, isKernelPath, ownEntries, type Policy } from './folder-policy.ts';
import { openFileOf } from './handle-source.ts';
import { isWithin, leadsTo } from './leads-to.ts';
import { namedPath } from './named-path.ts';
import { belongsTo, isLinkedTo } from './own-files.ts';
import { safeOpen } from './safe-open.ts';
import type { FileAccess, OpenFile } from './types.ts';

/**
 * Folders limit what agents may name; the person at the machine picked the file and could open it in any
 * program. So every regular file they can read may be opened, by the same judged opening: no pipe or device is touched,
 * and what Filebridge keeps for itself (tokens, secrets, ledger) stays closed to its own page. To be handed only to what
 * the window asks for, never to what an agent can reach. Stored answers go where `agents` would put them.
 */
export function createPersonFileAccess(options: FileAccessOptions, agents: FileAccess): FileAccess {
  async function open(asked: string): Promise<OpenFile> {
    checkPathText(asked);
    const expanded = namedPath(asked, options.home);
    if (!path.isAbsolute(expanded)) {
      throw new AppError('INVALID_REQUEST', say('path.notWhole', { path: asked }), {
        hint: say('path.notWhole.hint'),
      });
    }
    const absolute = path.resolve(expanded);
    if (isDevicePath(absolute)) throw notRegular(asked, 'a device');
    const { handle, realPath } = await safeOpen(absolute, asked, await personPolicy(options), options.platform);
    try {
      const file = await openFileOf(handle, asked, realPath);
      return { ...file, assertUnchanged: () => assertThere(file) };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  return { folders: () => agents.folders(), explain: agents.explain, create: (...given) => agents.create(...given), open };
}

/** Unchanged, and still what its path leads to: an editor saves by putting a new file in the old one's place. */
async function assertThere(file: OpenFile): Promise<void> {
  await file.assertUnchanged();
  const there = await stat(file.realPath, { bigint: true }).catch(() => undefined);
  if (there === undefined) throw changedWhileRead(file.path, say('changed.gone'));
  const same = Number(there.size) === file.size && Number(there.mtimeMs) === file.modifiedMs;
  if (!same) throw changedWhileRead(file.path, say('changed.replaced'));
}

function isDevicePath(absolute: string): boolean {
  return isKernelPath(absolute) || (path.sep === '\\' && /^\\\\[.?]/.test(absolute));
}

async function personPolicy(options: FileAccessOptions): Promise<Policy> {
  const own = await ownEntries(options);
  const storedAnswers = await Promise.all(
    (options.trustedDirectories?.() ?? []).map((entry) => leadsTo(absolutePath(entry, options))),
  );
  const isStoredAnswer = (realPath: string) => storedAnswers.some((place) => isWithin(realPath, place));
  const judge: Policy['judge'] = (realPath, asked) => {
    if (isDevicePath(realPath)) throw notRegular(asked, 'a device');
    if (own.some((entry) => belongsTo(realPath, entry)) && !isStoredAnswer(realPath)) throw ownFile(asked);
    const directory = path.dirname(realPath);
    return { path: directory, realPath: directory, access: 'read', trusted: false, from: 'configuration' };
  };
  return {
    folders: [],
    judge,
    judgeWrite: judge,
    isAnotherClients: () => false,
    guard: () => undefined,
    judgeMove: () => undefined,
    async judgeLinks(file, asked) {
      if (await isLinkedTo(own, file, storedAnswers)) throw ownFile(asked);
    },
    outside: (asked) => changedWhileRead(asked, say('changed.replacedOpening')),
  };
}
