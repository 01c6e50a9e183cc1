/**
 * The only access to the user's files, by path: for agents, within the allowed folders; for the person in front of the app, to any file of
 * theirs.
 */

import { createHash } from 'node:crypto';
import path from 'node:path';
import { nearMisses } from '../../shared/lib/near-misses.ts';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { formatByExtension } from '../../shared/model/formats.ts';
import { say } from '../../shared/model/messages/message.ts';
import { lstat, mkdir, readdir, realpath, stat } from './disk.ts';
import { changedWhileRead, errnoOf, notRegular, ownFile, readOnly, sensitiveName, writeFailed } from './failures.ts';
import {
  absolutePath,
  asksBefore,
  checkPathText,
  type FileAccessOptions,
  folderOf,
  isKernelPath,
  mayNotBeTouched,
  openPolicy,
  ownEntries,
  type Policy,
  resolveFolders,
} from './folder-policy.ts';
import { openFileOf } from './handle-source.ts';
import { pathOnDisk } from './names-on-disk.ts';
import { belongsTo, isLinkedTo } from './own-files.ts';
import { checkFileName, isWithin, leadsTo, namedPath } from './paths.ts';
import { startFile } from './pending-file.ts';
import { sensitiveNameIn } from './protected-paths.ts';
import { enterDirectory, type HeldDirectory, safeOpen } from './safe-open.ts';
import type { Explanation, FileAccess, OpenFile, PendingFile } from './types.ts';

/** What SQLite adds to a database's name for the write-ahead log, and for the journal by which it undoes an unfinished change. */
const LOG_ENDING = '-wal';
const JOURNAL_ENDING = '-journal';
/** A journal begins so while it is needed (https://sqlite.org/fileformat2.html#the_rollback_journal). */
const JOURNAL_MAGIC = Buffer.from('d9d505f920a163d7', 'hex');
/** It is held in memory. SQLite itself begins it anew at 4 MB, unless a reader holds it up. */
const MOST_LOG_BYTES = 256 * 1024 * 1024;

const isDatabase = (name: string): boolean => formatByExtension.get(path.extname(name).slice(1).toLowerCase()) === 'sqlite';

export type { FileAccessOptions } from './folder-policy.ts';

/** Errors of `open` and `create` are the FILE_* codes, and INVALID_REQUEST for an invalid path. */
export function createFileAccess(options: FileAccessOptions): FileAccess {
  async function open(requested: string): Promise<OpenFile> {
    checkPathText(requested);
    const policy = await openPolicy(options, requested);
    const { handle, realPath } = await openFirst(requested, policy, { suggests: true });
    try {
      return await withJournal(await withLog(await openFileOf(handle, requested, realPath)));
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** A database's newest changes may be in a second file, which is opened by the same rules. */
  async function withLog(opened: OpenFile): Promise<OpenFile> {
    const { source, realPath } = opened;
    if (!isDatabase(source.name)) return opened;
    const beside = `${realPath}${LOG_ENDING}`;
    try {
      const { handle } = await openFirst(beside, await openPolicy(options), { exact: true });
      try {
        const { size } = await handle.stat();
        if (size === 0) return opened;
        if (size > MOST_LOG_BYTES) return { ...opened, source: { ...source, logUnread: true } };
        const log = new Uint8Array(await handle.readFile());
        const identity = source.identity && `${source.identity}:${createHash('sha256').update(log).digest('hex')}`;
        return { ...opened, source: { ...source, log, identity } };
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return error.code === 'FILE_NOT_FOUND' ? opened : { ...opened, source: { ...source, logUnread: true } };
    }
  }

  async function withJournal(opened: OpenFile): Promise<OpenFile> {
    const { source, realPath } = opened;
    if (!isDatabase(source.name)) return opened;
    try {
      const { handle } = await openFirst(`${realPath}${JOURNAL_ENDING}`, await openPolicy(options), { exact: true });
      try {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(JOURNAL_MAGIC.length), 0, JOURNAL_MAGIC.length, 0);
        const isUnfinished = bytesRead === JOURNAL_MAGIC.length && buffer.equals(JOURNAL_MAGIC);
        return isUnfinished ? { ...opened, source: { ...source, isUnfinished } } : opened;
      } finally {
        await handle.close();
      }
    } catch (error) {
      // A journal that may not be read only says that there may be changes.
      if (!(error instanceof AppError)) throw error;
      return error.code === 'FILE_NOT_FOUND' ? opened : { ...opened, source: { ...source, logUnread: true } };
    }
  }

  /** An absolute path as it is; a relative one in each folder in turn. `suggests`: an error names files that may be meant. `exact`: another spelling is another file. */
  async function openFirst(requested: string, policy: Policy, { suggests = false, exact = false } = {}) {
    const expanded = namedPath(requested, options.home);
    const bases = path.isAbsolute(expanded) ? [''] : policy.folders.flatMap((folder) => folder.realPath ?? []);
    const failures: AppError[] = [];
    for (const base of bases) {
      const absolute = path.resolve(base, expanded);
      policy.assertAnswers(absolute, requested);
      if (mayNotBeTouched(absolute, policy)) {
        failures.push(policy.outside(requested));
        continue;
      }
      try {
        return await safeOpen(absolute, requested, policy, options.platform);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        failures.push(error);
      }
    }
    const found = telling(failures);
    // A name that is not in the others may be in a folder that does not answer.
    if (!path.isAbsolute(expanded) && (found === undefined || found.code === 'FILE_NOT_FOUND'))
      policy.assertAnswers(null, requested);
    // Where no folder is allowed, there is nothing that a name could be looked up in.
    const nowhere = !path.isAbsolute(expanded) && policy.folders.every(({ trusted }) => trusted);
    if (found === undefined || (nowhere && found.code === 'FILE_NOT_FOUND')) throw policy.outside(requested);
    if (!exact && errnoOf(found.cause) === 'ENOENT') {
      const spelt = await otherSpelling(
        bases.map((base) => path.resolve(base, expanded)),
        policy,
      );
      if (spelt !== undefined) return await safeOpen(spelt, requested, policy, options.platform);
    }
    throw suggests && errnoOf(found.cause) === 'ENOENT'
      ? await withNearFiles(
          found,
          bases.map((base) => path.resolve(base, expanded)),
          policy,
        )
      : found;
  }

  /** The real path of the first that is in a folder under another spelling. Throws INVALID_REQUEST where it may be several. */
  async function otherSpelling(wanted: readonly string[], policy: Policy): Promise<string | undefined> {
    for (const absolute of wanted) {
      if (mayNotBeTouched(absolute, policy)) continue;
      for (const folder of policy.folders) {
        const base = [absolutePath(folder.path, options), folder.realPath].find(
          (each) => each !== null && isWithin(absolute, each),
        );
        if (!base || folder.realPath === null) continue;
        const spelt = await pathOnDisk(absolute, base, (real) => folderOf(real, policy.folders) !== undefined);
        if (spelt !== undefined && !mayNotBeTouched(spelt, policy)) return spelt;
      }
    }
    return undefined;
  }

  async function explain(requested: string): Promise<Explanation> {
    const policy = await openPolicy(options, requested);
    let absolute: string | null = null;
    try {
      const expanded = namedPath(requested, options.home);
      absolute = path.isAbsolute(expanded) ? path.resolve(expanded) : null;
      checkPathText(requested);
      const { handle, realPath } = await openFirst(requested, policy);
      await handle.close();
      return { absolute, realPath, folder: policy.judge(realPath, requested), kind: 'file', refusal: null };
    } catch (error) {
      const refusal = toAppError(error);
      // Resolving the path would already access the protected file.
      const touchable = (place: string) => !place.includes('\0') && !mayNotBeTouched(place, policy);
      const realPath = absolute !== null && touchable(absolute) ? await leadsTo(absolute) : null;
      const folder = (realPath !== null && folderOf(realPath, policy.folders)) || null;
      // The policy already checked this path before it turned out not to be a file.
      const isDirectory = refusal.code === 'FILE_NOT_REGULAR' && refusal.details.kind === 'a directory';
      if (isDirectory && folder) return { absolute, realPath, folder, kind: 'directory', refusal: null };
      return { absolute, realPath, folder, kind: null, refusal };
    }
  }

  async function create(directory: string, name: string, { overwrite = false, probe = false } = {}): Promise<PendingFile> {
    checkPathText(directory);
    checkFileName(name);
    await makeTrusted(directory);
    const policy = await openPolicy(options, directory);
    const real = await placeOf(directory, policy);
    const folder = policy.judgeWrite(real, directory);
    // Permission to read a name does not include permission to write it.
    const sensitive = sensitiveNameIn(name);
    if (sensitive !== undefined) throw sensitiveName(path.join(directory, name), sensitive, null);
    const base = folder.realPath ?? real;
    const segments = path
      .relative(base, real)
      .split(path.sep)
      .filter((segment) => segment !== '');
    const shown = path.join(real, name);
    try {
      const held = await enterDirectory(base, segments, options.platform);
      try {
        const asks = !probe && asksBefore(folder, 'overwrite');
        if (overwrite && asks) await assertAbsent(held, name, shown);
        return await startFile(held, name, overwrite && !asks, (placed) => void policy.judgeWrite(placed, shown));
      } catch (error) {
        await held.close().catch(() => undefined);
        throw error;
      }
    } catch (error) {
      throw writeFailed(shown, error);
    }
  }

  /** The real path of a directory to write to. A relative path is searched in each writable folder; the default is the first one. */
  async function placeOf(directory: string, policy: Policy): Promise<string> {
    const expanded = namedPath(directory, options.home);
    if (path.isAbsolute(expanded)) {
      const absolute = path.resolve(expanded);
      if (mayNotBeTouched(absolute, policy)) throw policy.outside(directory);
      return await leadsTo(absolute);
    }
    const writable = policy.folders.filter((folder) => folder.access === 'read-write' && !folder.trusted);
    const bases = writable.flatMap((folder) => folder.realPath ?? []);
    const places = await Promise.all(bases.map((base) => leadsTo(path.resolve(base, expanded))));
    const first = places[0];
    if (first === undefined)
      throw readOnly(
        directory,
        policy.folders.filter((folder) => !folder.trusted),
      );
    const existing = await Promise.all(places.map((place) => isDirectory(place)));
    return places[existing.indexOf(true)] ?? first;
  }

  /** Creates our own directory if it is missing, accessible to this user only. */
  async function makeTrusted(directory: string): Promise<void> {
    const wanted = path.resolve(namedPath(directory, options.home));
    for (const trusted of options.trustedDirectories?.() ?? []) {
      const own = absolutePath(trusted, options);
      if (!isWithin(wanted, own)) continue;
      const [name = ''] = path.relative(own, wanted).split(path.sep);
      const made = options.client?.name === name ? path.join(own, name) : own;
      await mkdir(made, { recursive: true, mode: 0o700 }).catch((cause: unknown) => {
        throw writeFailed(made, cause);
      });
    }
  }

  return {
    async folders() {
      const resolved = await resolveFolders(options);
      return resolved.filter((folder) => !folder.trusted).map(({ trusted: _, ...folder }) => folder);
    },
    open,
    explain,
    create,
  };
}

/** Names of a folder that are compared with a missing one. */
const MOST_NAMES = 10_000;
/** Files that are named as near. */
const NEAR_SHOWN = 3;

/** The error for a missing file, with the files that may be meant: near names beside it, or else at the top of an allowed folder. */
export async function withNearFiles(error: AppError, missing: readonly string[], policy: Policy): Promise<AppError> {
  const beside = await nearFiles(missing, (file) => path.dirname(file), policy);
  const tops = policy.folders.flatMap((folder) => (folder.trusted || folder.realPath === null ? [] : [folder.realPath]));
  const near = beside.length > 0 ? beside : (await Promise.all(tops.map((top) => nearFiles(missing, () => top, policy)))).flat();
  if (near.length === 0) return error;
  const { code, asText, hintAsText, details, cause } = error;
  const names = [...new Set(near)].slice(0, NEAR_SHOWN);
  return new AppError(code, asText, { hint: say('file.near', { names, hint: hintAsText ?? null }), details, cause });
}

async function nearFiles(missing: readonly string[], directoryOf: (file: string) => string, policy: Policy): Promise<string[]> {
  const found = missing.map(async (file) => {
    const directory = directoryOf(file);
    try {
      if (folderOf(await realpath(directory), policy.folders) === undefined) return [];
      const names = (await readdir(directory)).slice(0, MOST_NAMES);
      const wanted = path.basename(file);
      const same = names.filter((name) => name.toLowerCase() === wanted.toLowerCase());
      const near = same.length > 0 ? same : nearMisses(wanted, names);
      return near.map((name) => path.join(directory, name)).filter((place) => !mayNotBeTouched(place, policy));
    } catch {
      return [];
    }
  });
  return (await Promise.all(found)).flat();
}

/** The most informative error of several places: refused before missing, missing before "outside". */
function telling(failures: readonly AppError[]): AppError | undefined {
  const plain = new Set(['FILE_NOT_FOUND', 'FILE_OUTSIDE_FOLDERS']);
  return (
    failures.find((failure) => !plain.has(failure.code)) ??
    failures.find((failure) => failure.code === 'FILE_NOT_FOUND') ??
    failures[0]
  );
}

async function isDirectory(place: string): Promise<boolean> {
  return await lstat(place).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

/** Throws FILE_EXISTS: nobody is asked while an answer is stored, so a file about which a person wants to be asked stays. */
async function assertAbsent(directory: HeldDirectory, name: string, shown: string): Promise<void> {
  const there = await lstat(directory.at(name)).catch(() => undefined);
  if (there === undefined) return;
  throw new AppError('FILE_EXISTS', say('file.exists', { path: shown }), {
    hint: say('file.exists.asks'),
    details: { path: shown },
  });
}

/**
 * Folders limit what agents may name; the person at the machine picked the file and could open it in any
 * program. So every regular file they can read may be opened, by the same judged opening: no pipe or device is touched,
 * and what Filebridge keeps for itself (tokens, secrets, ledger) stays closed to its own page. To be handed only to what
 * the window asks for, never to what an agent can reach. Stored answers go where `agents` would put them.
 */
export function createPersonFileAccess(options: FileAccessOptions, agents: FileAccess): FileAccess {
  async function open(requested: string): Promise<OpenFile> {
    checkPathText(requested);
    const expanded = namedPath(requested, options.home);
    if (!path.isAbsolute(expanded)) {
      throw new AppError('INVALID_REQUEST', say('path.notWhole', { path: requested }), {
        hint: say('path.notWhole.hint'),
      });
    }
    const absolute = path.resolve(expanded);
    if (isDevicePath(absolute)) throw notRegular(requested, 'a device');
    const { handle, realPath } = await safeOpen(absolute, requested, await personPolicy(options), options.platform);
    try {
      const file = await openFileOf(handle, requested, realPath);
      return { ...file, assertUnchanged: () => assertThere(file) };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  return { folders: () => agents.folders(), explain: agents.explain, create: agents.create, open };
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
  const judge: Policy['judge'] = (realPath, requested) => {
    if (isDevicePath(realPath)) throw notRegular(requested, 'a device');
    if (own.some((entry) => belongsTo(realPath, entry)) && !isStoredAnswer(realPath)) throw ownFile(requested);
    const directory = path.dirname(realPath);
    return { path: directory, realPath: directory, access: 'read', trusted: false, silent: false, from: 'configuration' };
  };
  return {
    folders: [],
    judge,
    judgeWrite: judge,
    assertAnswers: () => undefined,
    isAnotherClients: () => false,
    guard: () => undefined,
    judgeMove: () => undefined,
    async judgeLinks(file, requested) {
      if (await isLinkedTo(own, file, storedAnswers)) throw ownFile(requested);
    },
    outside: (requested) => changedWhileRead(requested, say('changed.replacedOpening')),
  };
}
