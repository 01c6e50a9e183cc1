/** The user's trash, where a deleted file can be had back from (freedesktop.org Trash specification 1.0; on macOS ~/.Trash). */
import { lstat, mkdir, open, rename, unlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { errnoOf } from '../failures.ts';
import type { WritablePlace } from './places.ts';

const NOT_THERE = ['EXDEV', 'EROFS', 'EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'ENOSPC'];

/** False where there is no trash on the file's disk. */
export async function toTrash(target: WritablePlace): Promise<boolean> {
  const place = trashPlaces();
  if (place === undefined) return false;
  try {
    await mkdir(place.files, { recursive: true, mode: 0o700 });
    if (place.info) await mkdir(place.info, { recursive: true, mode: 0o700 });
  } catch (error) {
    if (NOT_THERE.includes(errnoOf(error) ?? '')) return false;
    throw error;
  }
  const { name, ext } = path.parse(target.name);
  for (let number = 1; ; number += 1) {
    const chosen = number === 1 ? target.name : `${name} ${number}${ext}`;
    const moved = await moveTo(target, place, chosen);
    if (moved !== 'taken') return moved === 'moved';
  }
}

interface TrashPlaces {
  files: string;
  info: string | undefined;
}

function trashPlaces(): TrashPlaces | undefined {
  if (process.platform === 'darwin') return { files: path.join(os.homedir(), '.Trash'), info: undefined };
  if (process.platform === 'win32') return undefined;
  const data = process.env.XDG_DATA_HOME || path.join(os.homedir(), '.local', 'share');
  return { files: path.join(data, 'Trash', 'files'), info: path.join(data, 'Trash', 'info') };
}

async function moveTo(target: WritablePlace, place: TrashPlaces, name: string): Promise<'moved' | 'taken' | 'none'> {
  const info = place.info && path.join(place.info, `${name}.trashinfo`);
  // The one who makes this file has the name.
  if (info && !(await writeInfo(info, target.real))) return 'taken';
  const there = await lstat(path.join(place.files, name)).catch(() => undefined);
  try {
    if (there) throw Object.assign(new Error('taken'), { code: 'EEXIST' });
    await rename(target.held.at(target.name), path.join(place.files, name));
    return 'moved';
  } catch (error) {
    if (info) await unlink(info);
    if (errnoOf(error) === 'EEXIST') return 'taken';
    if (errnoOf(error) === 'EXDEV') return 'none';
    throw error;
  }
}

async function writeInfo(info: string, real: string): Promise<boolean> {
  const handle = await open(info, 'wx', 0o600).catch((error: unknown) => {
    if (errnoOf(error) === 'EEXIST') return undefined;
    throw error;
  });
  if (handle === undefined) return false;
  const escaped = real.split('/').map(encodeURIComponent).join('/');
  const now = new Date();
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
  await handle.writeFile(`[Trash Info]\nPath=${escaped}\nDeletionDate=${local}\n`);
  await handle.close();
  return true;
}
