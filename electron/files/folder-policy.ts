/** Which real paths may be read and written: folders, our own directories, credential-like names, kernel file systems. */
import type { Stats } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { within } from '../../shared/lib/within.ts';
import { defaultFolderApprovals, type FileChange, type Folder, folderApprovals } from '../../shared/model/config.ts';
import { AppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';
import { type ClientFolder, isClientFolder } from './client-folders.ts';
import { isAwaited, isNoAnswer, realpath } from './disk.ts';
import {
  notReadable,
  otherClients,
  outsideFolders,
  ownFile,
  privatePlace,
  programsPlace,
  readOnly,
  runningPlace,
  sensitiveName,
  timedOut,
} from './failures.ts';
import { belongsTo, holds, isLinkedTo, type OwnEntry, ownEntry } from './own-files.ts';
import { expandHome, isWithin, namedPath, withoutLengthPrefix } from './paths.ts';
import { isAllowedFile, runningNameIn, sensitiveNameIn, systemNameIn } from './protected-paths.ts';
import type { FoldersFrom } from './types.ts';

export interface FileAccessOptions {
  /** The user's folders as they are now; asked at every access. */
  folders: () => readonly Folder[];
  /** Where the folders were named; the configuration if absent. */
  foldersFrom?: (() => FoldersFrom) | undefined;
  /** Directories of our own for stored answers: written and read without being among the user's folders. */
  trustedDirectories?: (() => readonly string[]) | undefined;
  /** Files and directories of our own that no agent may read or write, whatever the folders are (configuration, ledger, tokens). */
  protectedPaths?: (() => readonly string[]) | undefined;
  /** Single files of our own, protected together with what lies beside them under names made from theirs. */
  protectedFiles?: (() => readonly string[]) | undefined;
  /** Other apps' settings, which say what those apps start: read, never written. */
  settingsFiles?: (() => readonly string[]) | undefined;
  /** The platform whose way of opening is used; the current one if absent. */
  platform?: NodeJS.Platform | undefined;
  /** The home folder, for a leading `~`. */
  home?: string | undefined;
  /** The client that accesses files; without one, no client's folder in a trusted directory may be entered. */
  client?: ClientFolder | undefined;
}

/**
 * A user's folder, or a trusted directory, with its real path at the time of asking (null: not there, or not known). One whose disk does not
 * answer is `silent`, and has the real path that it had last.
 */
export interface ResolvedFolder extends Folder {
  realPath: string | null;
  silent: boolean;
  trusted: boolean;
  from: FoldersFrom;
}

/** The check of one access; its folders are resolved once and stay the same during the access. */
export interface Policy {
  readonly folders: readonly ResolvedFolder[];
  /** The folder a real path is in. Throws FILE_OUTSIDE_FOLDERS or FILE_SENSITIVE naming the path as `asked`. */
  judge(realPath: string, requested: string): ResolvedFolder;
  /** The same for writing: FILE_READ_ONLY too. */
  judgeWrite(realPath: string, requested: string): ResolvedFolder;
  /** Whether it is another client's folder of stored answers, or in it. */
  isAnotherClients(realPath: string): boolean;
  /** Throws FILE_SENSITIVE for places that programs run from. */
  guard(realPath: string, requested: string): void;
  /** Throws FILE_SENSITIVE for another name of a file of our own, and to be written, of another app's settings. */
  judgeLinks(file: Pick<Stats, 'dev' | 'ino' | 'nlink'>, requested: string, writing?: boolean): Promise<void>;
  /** Throws FILE_SENSITIVE for a directory that cannot be moved there or away because of what such a move would change. */
  judgeMove(realPath: string, requested: string): void;
  /** Throws FILE_NOT_FOUND for a path whose folder is on a disk that does not answer. Without a path, for a name that may be in any of them. */
  assertAnswers(absolute: string | null, requested: string): void;
  /** FILE_OUTSIDE_FOLDERS for this path. */
  outside(requested: string): AppError;
}

const kernelFileSystems = ['/proc', '/sys', '/dev'];

/** `wanted` is the path that the access is about. */
export async function openPolicy(options: FileAccessOptions, wanted?: string): Promise<Policy> {
  const folders = await resolveFolders(options, wanted);
  const own = await ownEntries(options);
  const settings = await entriesOf(options.settingsFiles?.(), options, true);
  const named = folders.filter((folder) => !folder.trusted);
  const home = options.home ?? os.homedir();
  const realHome = await realpath(home).catch(() => home);
  const outside = (requested: string) => outsideFolders(requested, named);

  const answers = folders.flatMap((folder) => (folder.trusted && folder.realPath !== null ? folder.realPath : []));

  function isAnotherClients(realPath: string): boolean {
    return answers.some((base) => {
      const [name = ''] = isWithin(realPath, base) ? path.relative(base, realPath).split(path.sep) : [];
      return isClientFolder(name) && !options.client?.mayEnter(name);
    });
  }

  function judge(realPath: string, requested: string): ResolvedFolder {
    const folder = path.isAbsolute(realPath) && !isKernelPath(realPath) ? folderOf(realPath, folders) : undefined;
    if (folder === undefined) throw outside(requested);
    if (isAnotherClients(realPath)) throw otherClients(requested);
    const isAllowed = isAllowedFile(realPath, folder.realPath ?? '', folder.allowSensitive);
    const sensitive = isAllowed ? undefined : sensitiveNameIn(realPath, folder.allowSensitive);
    if (sensitive !== undefined) throw sensitiveName(requested, sensitive, folder.from);
    const folderPath = folder.realPath ?? '';
    // A trusted directory may lie inside a protected one; then it is the exception to it, but never to itself.
    const excepted = ({ places }: OwnEntry) =>
      folder.trusted && places.some((place) => folderPath !== place && isWithin(folderPath, place));
    if (own.some((entry) => belongsTo(realPath, entry) && !excepted(entry))) throw ownFile(requested);
    const place = isAllowed ? undefined : systemNameIn(realPath, folderPath, realHome, 'reading', folder.allowSensitive);
    if (place !== undefined) throw privatePlace(requested, place);
    return folder;
  }

  function guard(realPath: string, requested: string): void {
    const name =
      runningNameIn(realPath) ?? (settings.some((entry) => belongsTo(realPath, entry)) ? path.basename(realPath) : null);
    if (name !== null) throw runningPlace(requested, name);
    const folder = folderOf(realPath, folders)?.realPath ?? null;
    const programs = folder === null ? undefined : systemNameIn(realPath, folder, realHome, 'writing');
    if (programs !== undefined) throw programsPlace(requested, programs);
  }

  function assertAnswers(absolute: string | null, requested: string): void {
    const depth = (folder: ResolvedFolder) =>
      Math.max(
        ...[absolutePath(folder.path, options), folder.realPath].map((at) =>
          at && isWithin(absolute ?? at, at) ? at.length : -1,
        ),
      );
    const [holding] = named.filter((folder) => depth(folder) >= 0).sort((a, b) => depth(b) - depth(a));
    const silent = absolute === null ? named.find((folder) => folder.silent) : holding?.silent ? holding : undefined;
    if (silent) throw notReadable(requested, named, timedOut(silent.path));
  }

  return {
    folders,
    judge,
    assertAnswers,
    isAnotherClients,
    judgeWrite(realPath, requested) {
      const folder = judge(realPath, requested);
      if (folder.access !== 'read-write') throw readOnly(requested, named);
      guard(realPath, requested);
      return folder;
    },
    guard,
    async judgeLinks(file, requested, writing = false) {
      if (await isLinkedTo(own, file, answers)) throw ownFile(requested);
      if (writing && (await isLinkedTo(settings, file, []))) throw runningPlace(requested, path.basename(requested));
    },
    judgeMove(realPath, requested) {
      if (own.some((entry) => holds(realPath, entry))) throw ownFile(requested);
      if (settings.some((entry) => holds(realPath, entry))) throw runningPlace(requested, path.basename(realPath));
    },
    outside,
  };
}

const entriesOf = (paths: readonly string[] | undefined, options: FileAccessOptions, withSiblings: boolean) =>
  Promise.all((paths ?? []).map((entry) => ownEntry(absolutePath(entry, options), withSiblings)));

/** Filebridge's own files, which agents cannot access. */
export async function ownEntries(options: FileAccessOptions): Promise<OwnEntry[]> {
  return [
    ...(await entriesOf(options.protectedPaths?.(), options, false)),
    ...(await entriesOf(options.protectedFiles?.(), options, true)),
  ];
}

/** How long an access waits for a folder that it is not about (milliseconds). */
const OTHERS_MS = 250;

/** By path, what a folder was found to be last. Replaced when that changes. */
let lastSeen: ReadonlyMap<string, string> = new Map();

/** The places of the folders, as they are named and as they were found: what may be on disks of their own. */
export function folderPlaces(options: FileAccessOptions): () => readonly string[] {
  let known: { of: readonly Folder[]; seen: typeof lastSeen; places: string[] } | undefined;
  return () => {
    const of = options.folders();
    if (known?.of !== of || known.seen !== lastSeen) {
      const named = of.map((folder) => absolutePath(folder.path, options));
      const places = [...new Set(named.flatMap((place) => [place, lastSeen.get(place) ?? place]))];
      known = { of, seen: lastSeen, places };
    }
    return known.places;
  };
}

/** Where a folder is now. Its disk gets the time that it may take where `waits`, and little otherwise. */
async function seenNow(absolute: string, waits: boolean): Promise<Pick<ResolvedFolder, 'realPath' | 'silent'>> {
  const unknown = () => ({ realPath: lastSeen.get(absolute) ?? null, silent: true });
  const seeing = realpath(absolute).then(
    (real) => {
      if (lastSeen.get(absolute) !== real) lastSeen = new Map([...lastSeen, [absolute, real]]);
      return { realPath: real, silent: false };
    },
    (error: unknown) => (isNoAnswer(error) ? unknown() : { realPath: null, silent: false }),
  );
  if (waits) return seeing;
  return (await within(isAwaited(absolute) ? 0 : OTHERS_MS, seeing)) ?? unknown();
}

/** The path as text is in the folder; also where the disk says nothing. */
function isInFolder(requested: string, { path: folder }: Folder, options: FileAccessOptions): boolean {
  try {
    const named = namedPath(requested, options.home);
    return path.isAbsolute(named) && isWithin(path.resolve(named), absolutePath(folder, options));
  } catch {
    return false;
  }
}

export async function resolveFolders(options: FileAccessOptions, wanted?: string): Promise<ResolvedFolder[]> {
  const from = options.foldersFrom?.() ?? 'configuration';
  const own = options.folders().map((folder) => ({ ...folder, trusted: false, from }));
  const trusted = (options.trustedDirectories?.() ?? []).map((entry) => ({
    path: entry,
    access: 'read-write' as const,
    trusted: true,
    from,
  }));
  return await Promise.all(
    [...own, ...trusted].map(async (folder) => ({
      ...folder,
      ...(await seenNow(
        absolutePath(folder.path, options),
        folder.trusted || (wanted !== undefined && isInFolder(wanted, folder, options)),
      )),
    })),
  );
}

/** Absolute form of a path of ours or of the user's configuration. */
export function absolutePath(text: string, options: Pick<FileAccessOptions, 'home'>): string {
  return path.resolve(expandHome(text, options.home));
}

/** Procfs, sysfs and devices: never the user's files, and reading some has side effects. */
export function isKernelPath(absolute: string): boolean {
  return path.sep === '/' && kernelFileSystems.some((entry) => isWithin(absolute, entry));
}

/**
 * Paths refused by their text alone: what the kernel makes up, and on Windows devices and shares that are no folder of
 * the user's, since any request to a share sends the user's login to its server.
 */
export function mayNotBeTouched(absolute: string, policy: Policy): boolean {
  if (isKernelPath(absolute)) return true;
  if (path.sep === '/' || !absolute.startsWith('\\\\')) return false;
  if (/^\\\\[.?]/.test(absolute)) return true;
  // Names of servers and shares ignore case.
  const share = absolute.toLowerCase();
  return !policy.folders.some((folder) => isWithin(share, withoutLengthPrefix(path.resolve(folder.path)).toLowerCase()));
}

/** The innermost folder holding a path decides; of the same folder named twice, the wider permission, since the user gave it. */
export function folderOf(realPath: string, folders: readonly ResolvedFolder[]): ResolvedFolder | undefined {
  let best: ResolvedFolder | undefined;
  for (const folder of folders) {
    if (folder.realPath === null || !isWithin(realPath, folder.realPath)) continue;
    const gain = folder.realPath.length - (best?.realPath?.length ?? -1);
    if (gain > 0 || (gain === 0 && folder.access === 'read-write' && best?.access === 'read')) best = folder;
  }
  return best;
}

/**
 * Whether the folder's settings ask. A folder named on the command line has none: as the official server, it is written without
 * questions, and only what that server cannot do, deleting for good, needs an approval there.
 */
export function asksBefore(
  folder: Pick<ResolvedFolder, 'trusted' | 'from' | 'approve'>,
  change: FileChange,
  forGood = true,
): boolean {
  if (folder.trusted) return false;
  if (folder.from !== 'configuration') return change === 'delete' && forGood && defaultFolderApprovals.delete;
  return folderApprovals(folder)[change];
}

/** Throws for paths that are never allowed. */
export function checkPathText(text: string): void {
  if (text === '') throw invalidPath(say('path.empty'), say('path.empty.hint'));
  if (text.includes('\0')) throw invalidPath(say('path.nul'), say('path.nul.hint'));
}

function invalidPath(message: Message, hint: Message): AppError {
  return new AppError('INVALID_REQUEST', message, { hint });
}
