/**
 * How a program started by an agent finds the running Filebridge: a file in the data directory names its socket, and
 * a token for it. Only connecting shows whether it still listens. A process number does not: it may belong to another program by now,
 * and a sandbox has different numbers.
 *
 * Parsed by hand instead of a schema, to start fast.
 */
import { once } from 'node:events';
import { lstat, readFile, realpath, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { errnoOf, makeDirectoryOf, writeFileAtomic } from './atomic-file.ts';
import { type Holder, isHolder, withFileLock } from './file-lock.ts';

/** The settings in which two programs must agree for one to replace the other. */
export interface Scope {
  configPath: string;
  folders: string[];
  upstreamsFile: string | null;
}

export interface RunningProgram {
  holder: Holder;
  kind: 'desktop' | 'console';
  version: string;
  scope: Scope;
  /** A Unix socket's path or a Windows pipe's name. */
  address: string;
  token: string;
}

/** Connection time limit in milliseconds: the program is on this machine, but may be busy. */
const CONNECT_MS = 3_000;

const fileOf = (directory: string): string => path.join(directory, 'running.json');

/** A key that is equal for equal settings, whatever paths they were given by. */
export async function scopeOf(started: {
  configPath: string;
  folders?: readonly string[] | undefined;
  upstreamsFile?: string | undefined;
}): Promise<Scope> {
  return {
    configPath: await realPlace(path.resolve(started.configPath)),
    folders: await Promise.all((started.folders ?? []).map((folder) => realPlace(path.resolve(folder)))),
    upstreamsFile: started.upstreamsFile === undefined ? null : await realPlace(path.resolve(started.upstreamsFile)),
  };
}

/** Resolves the existing part of a path: the configuration may be written later. */
async function realPlace(place: string): Promise<string> {
  try {
    return await realpath(place);
  } catch {
    const parent = path.dirname(place);
    return parent === place ? place : path.join(await realPlace(parent), path.basename(place));
  }
}

export const sameScope = (one: Scope, other: Scope): boolean => JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other));

const inOrder = ({ configPath, folders, upstreamsFile }: Scope) => [configPath, [...folders].sort(), upstreamsFile];

/**
 * Makes a program known until `withdraw`. The desktop app takes the place of a console, and nobody takes the app's: then the answer
 * is undefined. Throws FILE_WRITE_FAILED.
 */
export async function announce(directory: string, program: RunningProgram): Promise<{ withdraw(): Promise<void> } | undefined> {
  await makeDirectoryOf(fileOf(directory));
  return alone(directory, async () => {
    const before = await read(directory);
    if (before && before.token !== program.token) {
      const gone = await isGone(before);
      if (!gone && (before.kind === 'desktop' || program.kind === 'console')) return undefined;
      if (gone) await removeSocket(before.address);
    }
    await writeFileAtomic(fileOf(directory), `${JSON.stringify(program)}\n`);
    return { withdraw: () => forget(directory, program) };
  });
}

/** The program that was announced last. `connectTo` shows whether it still listens. */
export const findRunning = (directory: string): Promise<RunningProgram | undefined> => read(directory);

/** A connection to a program, or why there is none: `gone` is certain, `unreachable` may be so from here alone. */
export async function connectTo({ holder, address }: RunningProgram): Promise<Socket | 'gone' | 'unreachable'> {
  const socket = connect(address);
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MS) });
    // The close event reports how it ended.
    socket.on('error', () => undefined);
    return socket;
  } catch (error) {
    socket.on('error', () => undefined).destroy();
    const nobody = ['ECONNREFUSED', 'ENOENT'].includes(errnoOf(error) ?? '');
    // A socket of another machine that shares the directory cannot be reached from here.
    return nobody && holder.host === os.hostname() ? 'gone' : 'unreachable';
  }
}

async function isGone(program: RunningProgram): Promise<boolean> {
  const socket = await connectTo(program);
  if (typeof socket === 'object') socket.destroy();
  return socket === 'gone';
}

/** Whether a window or a console runs on this data. One that is busy counts; one that another machine announced does not. */
export async function someoneRuns(directory: string): Promise<boolean> {
  const program = await read(directory);
  if (!program) return false;
  const socket = await connectTo(program);
  if (typeof socket === 'object') socket.destroy();
  return typeof socket === 'object' || (socket === 'unreachable' && program.holder.host === os.hostname());
}

/** Removes the announcement of a program: called at its end, and by a process that finds it gone. Never throws. */
export async function forget(directory: string, program: RunningProgram): Promise<void> {
  await alone(directory, async () => {
    const now = await read(directory);
    // Another program may have replaced it meanwhile.
    if (now?.token !== program.token) return;
    await rm(fileOf(directory), { force: true });
    await removeSocket(program.address);
  }).catch(() => undefined);
}

const alone = <T>(directory: string, work: () => Promise<T>): Promise<T> => withFileLock(`${fileOf(directory)}.lock`, work);

async function removeSocket(address: string): Promise<void> {
  const stats = await lstat(address).catch(() => undefined);
  if (stats?.isSocket()) await rm(address, { force: true });
}

/** Undefined if there is none, or if it cannot be parsed, as from another version. */
async function read(directory: string): Promise<RunningProgram | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(fileOf(directory), 'utf8'));
    return isProgram(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isProgram(value: unknown): value is RunningProgram {
  if (typeof value !== 'object' || value === null) return false;
  const { holder, kind, version, scope, address, token } = value as Partial<Record<keyof RunningProgram, unknown>>;
  const texts = [version, address, token].every((text) => typeof text === 'string');
  return texts && isHolder(holder) && (kind === 'desktop' || kind === 'console') && isScope(scope);
}

function isScope(value: unknown): value is Scope {
  if (typeof value !== 'object' || value === null) return false;
  const { configPath, folders, upstreamsFile } = value as Partial<Record<keyof Scope, unknown>>;
  const isText = (text: unknown) => typeof text === 'string';
  return (
    isText(configPath) && Array.isArray(folders) && folders.every(isText) && (upstreamsFile === null || isText(upstreamsFile))
  );
}
