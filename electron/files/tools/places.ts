/** Resolves paths given to file tools and opens them; each is checked after it is opened. */

import { constants, type Stats } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { isNoAnswer, lstat, open, realpath } from '../disk.ts';
import { errnoOf, notRegular, readOnly, sensitiveName } from '../failures.ts';
import {
  absolutePath,
  type FileAccessOptions,
  folderOf,
  mayNotBeTouched,
  type Policy,
  type ResolvedFolder,
} from '../folder-policy.ts';
import { nameOnDisk } from '../names-on-disk.ts';
import { checkFileName, isRespelling, isWithin, leadsTo, namedPath } from '../paths.ts';
import { sensitiveNameIn } from '../protected-paths.ts';
import {
  enterDirectory,
  type HeldDirectory,
  handlesTellPaths,
  type JudgedHandle,
  kindOf,
  O_PATH,
  pathOfHandle,
  safeOpen,
} from '../safe-open.ts';
import { isDirectoryFailure, linkOutside, pathOutside, systemFailure } from './failures.ts';

export interface Place {
  readonly requested: string;
  readonly absolute: string;
  /** Where it leads; what is missing of it stands as asked. A name to begin with, not a permission. */
  readonly real: string;
  readonly folder: ResolvedFolder;
  readonly policy: Policy;
  readonly platform: NodeJS.Platform | undefined;
}

/** Intended use of a place: `change` is of what is there, `write` also of what is not; `entry` means a link itself and not its target. */
export type Aim = 'read' | 'change' | 'write' | 'entry';

/** Throws what refuses the path, in the official server's words. */
export async function placeOf(requested: string, policy: Policy, options: FileAccessOptions, aim: Aim = 'read'): Promise<Place> {
  const expanded = namedPath(requested, options.home);
  if (path.sep === '/' && /^[A-Za-z]:(?:[\\/]|$)/.test(expanded))
    throw new AppError('FILE_OUTSIDE_FOLDERS', say('tool.windowsPath', { path: requested }));
  const isWhole = path.isAbsolute(expanded);
  if (isWhole) policy.assertAnswers(path.resolve(expanded), requested);
  const named = isWhole ? path.resolve(expanded) : await inAFolder(expanded, policy, options, aim);
  const absolute = await inFolderSpelling(named, policy, options);
  if (absolute.includes('\0') || mayNotBeTouched(absolute, policy)) throw pathOutside(absolute, policy.folders);
  const base = lexicalBase(absolute, policy, options);
  const isLink = aim === 'entry' && (await lstat(absolute).catch(() => undefined))?.isSymbolicLink();
  const real = isLink
    ? path.join(await whereTo(path.dirname(absolute), base, policy, aim), path.basename(absolute))
    : await whereTo(absolute, base, policy, aim);
  const folder = folderOf(real, policy.folders);
  if (folder === undefined)
    throw base === undefined ? pathOutside(absolute, policy.folders) : linkOutside(absolute, policy.folders);
  const place = { requested, absolute, real, folder, policy, platform: options.platform };
  judge(place, real);
  return place;
}

/** Refuses credential-like names, our own files, and what the kernel makes up. */
function judge(place: Pick<Place, 'policy' | 'requested' | 'absolute'>, real: string): ResolvedFolder {
  try {
    return place.policy.judge(real, place.requested);
  } catch (error) {
    throw isOutside(error) ? linkOutside(place.absolute, place.policy.folders) : error;
  }
}

const isOutside = (error: unknown) => error instanceof AppError && error.code === 'FILE_OUTSIDE_FOLDERS';

/** A relative path is looked for in each folder in turn, and else meant for the first; to be written, for the first that may be. */
async function inAFolder(relative: string, policy: Policy, options: FileAccessOptions, aim: Aim): Promise<string> {
  const usable = policy.folders.filter((folder) => !folder.trusted && folder.realPath !== null);
  const fit = aim !== 'read' ? usable.filter((folder) => folder.access === 'read-write') : usable;
  const candidates = (fit.length > 0 ? fit : usable).map((folder) => path.resolve(absolutePath(folder.path, options), relative));
  for (const candidate of candidates) {
    if (candidate.includes('\0') || mayNotBeTouched(candidate, policy)) continue;
    if (lexicalBase(candidate, policy, options) === undefined) continue;
    const there = await lstat(candidate).catch(() => undefined);
    if (there) return candidate;
  }
  policy.assertAnswers(null, relative);
  const [first] = candidates;
  if (first === undefined) throw pathOutside(relative, policy.folders);
  return candidates.find((candidate) => lexicalBase(candidate, policy, options) !== undefined) ?? first;
}

/**
 * A path in another spelling than its folder's, in that spelling: case, composed letters, on Windows short names too. What
 * does not exist yet cannot be asked for its real path, so the text must show that it is in a folder.
 */
async function inFolderSpelling(absolute: string, policy: Policy, options: FileAccessOptions): Promise<string> {
  if (absolute.includes('\0') || mayNotBeTouched(absolute, policy)) return absolute;
  if (lexicalBase(absolute, policy, options) !== undefined) return absolute;
  const real = await leadsTo(path.dirname(absolute));
  const spelt = path.join(real, path.basename(absolute));
  const isSame = isRespelling(spelt, absolute) || ((options.platform ?? process.platform) === 'win32' && spelt !== absolute);
  return isSame && folderOf(real, policy.folders) !== undefined ? spelt : absolute;
}

/** The folder that the path's text is in, in the innermost spelling. */
function lexicalBase(absolute: string, policy: Policy, options: FileAccessOptions): string | undefined {
  let best: string | undefined;
  for (const folder of policy.folders) {
    for (const base of [absolutePath(folder.path, options), folder.realPath]) {
      if (base !== null && isWithin(absolute, base) && base.length > (best?.length ?? -1)) best = base;
    }
  }
  return best;
}

async function whereTo(absolute: string, base: string | undefined, policy: Policy, aim: Aim): Promise<string> {
  try {
    return await realpath(absolute);
  } catch (error) {
    // Reveal nothing about paths outside the folders.
    if (base === undefined) throw pathOutside(absolute, policy.folders);
    if (errnoOf(error) !== 'ENOENT') {
      if (folderOf(await leadsTo(absolute), policy.folders) === undefined) throw linkOutside(absolute, policy.folders);
      throw systemFailure(error, `realpath '${absolute}'`);
    }
  }
  return await equivalentOf(absolute, base, policy, aim);
}

/** The same path with each name spelt as the disk has it (composed or decomposed letters); what is missing stays as it is. */
async function equivalentOf(absolute: string, base: string, policy: Policy, aim: Aim): Promise<string> {
  let at = await realpath(base);
  const parts = path.relative(base, absolute).split(path.sep).filter(Boolean);
  for (const [index, part] of parts.entries()) {
    const name = await nameOnDisk(at, part, aim === 'write' ? 'letters' : 'typed').catch((error: unknown) => {
      throw systemFailure(error, `scandir '${at}'`);
    });
    if (name === undefined) return path.join(at, ...parts.slice(index));
    const next = path.join(at, name);
    try {
      at = await realpath(next);
    } catch (error) {
      if (folderOf(await leadsTo(next), policy.folders) === undefined) throw linkOutside(absolute, policy.folders);
      if (errnoOf(error) !== 'ENOENT') throw systemFailure(error, `realpath '${next}'`);
      throw new AppError('FILE_NOT_FOUND', say('tool.noParent', { path: path.dirname(absolute) }), {
        ...(aim === 'read' ? {} : { hint: say('tool.noParent.hint') }),
      });
    }
    if (folderOf(at, policy.folders) === undefined) throw linkOutside(absolute, policy.folders);
  }
  return at;
}

/**
 * Opens a regular file for reading; waits for no pipe and starts no device. `failing` is the system call named where it is missing,
 * `directoryRefused` what is thrown for a directory.
 */
export async function openPlace(place: Place, failing = 'open', directoryRefused = isDirectoryFailure): Promise<JudgedHandle> {
  try {
    return await safeOpen(place.real, place.requested, place.policy, place.platform);
  } catch (error) {
    if (!(error instanceof AppError) || isNoAnswer(error)) throw error;
    if (error.code === 'FILE_NOT_REGULAR' && error.details.kind === 'a directory') throw directoryRefused();
    if (error.code === 'FILE_OUTSIDE_FOLDERS') throw linkOutside(place.absolute, place.policy.folders);
    if (error.code === 'FILE_NOT_FOUND') throw systemFailure(errnoOf(error.cause) ?? 'ENOENT', `${failing} '${place.real}'`);
    throw error;
  }
}

/** Returns the place's stats without opening pipes or devices. `real` may be another path below it. */
export async function statOf(place: Place, real = place.real): Promise<Stats> {
  try {
    if (!handlesTellPaths(place.platform)) {
      judge(place, await realpath(real));
      return await lstat(real);
    }
    const pin = await open(real, O_PATH | constants.O_NOFOLLOW);
    try {
      const now = await pathOfHandle(pin);
      if (now === null) throw Object.assign(new Error('gone'), { code: 'ENOENT' });
      judge(place, now);
      return await pin.stat();
    } finally {
      await pin.close();
    }
  } catch (error) {
    throw systemFailure(error, `stat '${real}'`);
  }
}

/** Holds the directory itself. `real` may be one below it. */
export async function holdDirectory(place: Place, real = place.real): Promise<HeldDirectory> {
  try {
    const folder = judge(place, real);
    const held = await enterDirectory(folder.realPath ?? real, segmentsBelow(folder, real), place.platform, false);
    try {
      judge(place, await held.realPath());
      return held;
    } catch (error) {
      await held.close();
      throw error;
    }
  } catch (error) {
    throw systemFailure(error, `scandir '${real}'`);
  }
}

/** A name in a directory held open, which may be written. */
export interface WritablePlace {
  readonly held: HeldDirectory;
  readonly name: string;
  readonly real: string;
  /** The entry with this name now; links are not followed. */
  readonly there: Stats | undefined;
  /** Throws unless the real path may be written. */
  check(realPath: string): void;
}

/** Throws what refuses writing there. `make` creates missing directories; `failing` is the system call named where one is missing. */
export async function holdForWriting(place: Place, make = false, failing = `open '${place.real}'`): Promise<WritablePlace> {
  const { real } = place;
  const folder = checkWritable(place, real);
  if (real === folder.realPath) throw notRegular(place.requested, 'a directory');
  const check = (realPath: string) => void checkWritable(place, realPath);
  let held: HeldDirectory;
  try {
    held = await enterDirectory(folder.realPath ?? '', segmentsBelow(folder, path.dirname(real)), place.platform, make);
  } catch (error) {
    throw systemFailure(error, failing);
  }
  try {
    check(path.join(await held.realPath(), path.basename(real)));
    const there = await lstat(held.at(path.basename(real))).catch((error: unknown) => {
      if (errnoOf(error) === 'ENOENT') return undefined;
      throw systemFailure(error, failing);
    });
    if (there?.isFile()) await place.policy.judgeLinks(there, place.requested, true);
    return { held, name: path.basename(real), real, there, check };
  } catch (error) {
    await held.close();
    throw systemFailure(error, failing);
  }
}

/** The folder, if it may be written and the name is none of a credential: one allowed for reading is not thereby allowed to be written. */
export function checkWritable(place: Place, real: string): ResolvedFolder {
  const folder = judge(place, real);
  if (folder.trusted || folder.access !== 'read-write')
    throw readOnly(
      place.requested,
      place.policy.folders.filter((each) => !each.trusted),
    );
  const below = segmentsBelow(folder, real);
  const sensitive = sensitiveNameIn(below.join(path.sep));
  if (sensitive !== undefined) throw sensitiveName(place.requested, sensitive, null);
  place.policy.guard(real, place.requested);
  if (process.platform === 'win32') for (const segment of below) checkFileName(segment);
  return folder;
}

export function segmentsBelow(folder: ResolvedFolder, real: string): string[] {
  return path
    .relative(folder.realPath ?? real, real)
    .split(path.sep)
    .filter((segment) => segment !== '');
}

/** Throws unless it is an ordinary file or nothing at all. */
export function assertFile(place: Place, there: Stats | undefined): void {
  if (there && !there.isFile()) throw notRegular(place.requested, kindOf(there));
}
