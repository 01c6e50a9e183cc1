/** Moves files to the user's trash: freedesktop.org's Trash specification 1.0, ~/.Trash on macOS, Windows' recycle bin. */

import { spawn } from 'node:child_process';
import { lstat, mkdir, open, rename, unlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { errnoOf } from '../failures.ts';
import type { WritablePlace } from './places.ts';

const NOT_THERE = ['EXDEV', 'EROFS', 'EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'ENOSPC'];

/** False where there is no trash on the file's disk. */
export async function toTrash(target: WritablePlace): Promise<boolean> {
  if (process.platform === 'win32') return await toRecycleBin(target.real);
  const place = trashPlaces();
  try {
    await mkdir(place.files, { recursive: true, mode: 0o700 });
    if (place.info) await mkdir(place.info, { recursive: true, mode: 0o700 });
  } catch (error) {
    if (NOT_THERE.includes(errnoOf(error) ?? '')) return false;
    throw error;
  }
  for (let number = 1; ; number += 1) {
    const chosen = nameInTrash(target.name, number);
    const moved = await moveTo(target, place, chosen);
    if (moved !== 'taken') return moved === 'moved';
  }
}

/** Names have 255 bytes at most, and that of the record is longer than the file's own. */
const MAX_NAME_BYTES = 255 - Buffer.byteLength('.trashinfo');
/** Maximum length of a file extension in bytes. */
const MAX_ENDING_BYTES = 32;

/** The file's own name, numbered where it is taken and shortened where it is too long: the record alone has to keep it whole. */
function nameInTrash(own: string, number: number): string {
  const { name, ext } = path.parse(own);
  const isEnding = Buffer.byteLength(ext) <= MAX_ENDING_BYTES;
  const ending = `${number === 1 ? '' : ` ${number}`}${isEnding ? ext : ''}`;
  const characters = [...(isEnding ? name : own)];
  while (Buffer.byteLength(characters.join('') + ending) > MAX_NAME_BYTES) characters.pop();
  return characters.join('') + ending;
}

interface TrashPlaces {
  files: string;
  info: string | undefined;
}

function trashPlaces(): TrashPlaces {
  if (process.platform === 'darwin') return { files: path.join(os.homedir(), '.Trash'), info: undefined };
  const data = process.env.XDG_DATA_HOME || path.join(os.homedir(), '.local', 'share');
  return { files: path.join(data, 'Trash', 'files'), info: path.join(data, 'Trash', 'info') };
}

async function moveTo(target: WritablePlace, place: TrashPlaces, name: string): Promise<'moved' | 'taken' | 'none'> {
  const kept = path.join(place.files, name);
  if (await lstat(kept).catch(() => undefined)) return 'taken';
  // The one who makes this file has the name: the record of it, or where there is none, an empty file that is then replaced.
  const mark = place.info ? path.join(place.info, `${name}.trashinfo`) : kept;
  if (!(await writeMark(mark, place.info ? infoOf(target.real) : ''))) return 'taken';
  try {
    if (place.info && (await lstat(kept).catch(() => undefined))) throw Object.assign(new Error('taken'), { code: 'EEXIST' });
    await rename(target.held.at(target.name), kept);
    return 'moved';
  } catch (error) {
    await unlink(mark);
    if (errnoOf(error) === 'EEXIST') return 'taken';
    if (errnoOf(error) === 'EXDEV') return 'none';
    throw error;
  }
}

/** False where the name is taken. */
async function writeMark(mark: string, text: string): Promise<boolean> {
  const handle = await open(mark, 'wx', 0o600).catch((error: unknown) => {
    if (errnoOf(error) === 'EEXIST') return undefined;
    throw error;
  });
  if (handle === undefined) return false;
  await handle.writeFile(text);
  await handle.close();
  return true;
}

function infoOf(real: string): string {
  const escaped = real.split('/').map(encodeURIComponent).join('/');
  const now = new Date();
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
  return `[Trash Info]\nPath=${escaped}\nDeletionDate=${local}\n`;
}

/**
 * The path arrives as a variable, so nothing in it is a command. Only fixed disks have a recycle bin: elsewhere the same call
 * deletes for good.
 */
const SCRIPT = [
  "$ErrorActionPreference = 'Stop'",
  '$file = $env:FILEBRIDGE_RECYCLE',
  "if ((New-Object IO.DriveInfo ([IO.Path]::GetPathRoot($file))).DriveType -ne 'Fixed') { exit 3 }",
  'Add-Type -AssemblyName Microsoft.VisualBasic',
  "[Microsoft.VisualBasic.FileIO.FileSystem]::DeleteFile($file, 'OnlyErrorDialogs', 'SendToRecycleBin')",
].join('; ');

/** A first start of PowerShell takes seconds. */
const LIMIT_MS = 20_000;

const powerShell = (): string =>
  path.join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe');

/** False where it cannot be done: then the file is as it was. */
export async function toRecycleBin(file: string, program = powerShell()): Promise<boolean> {
  const script = Buffer.from(SCRIPT, 'utf16le').toString('base64');
  const args = ['-NoLogo', '-NoProfile', '-NonInteractive', '-EncodedCommand', script];
  return await new Promise((resolve) => {
    const child = spawn(program, args, {
      env: { ...process.env, FILEBRIDGE_RECYCLE: file },
      stdio: 'ignore',
      windowsHide: true,
      timeout: LIMIT_MS,
    });
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });
}
