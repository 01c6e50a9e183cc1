/** MCP bundles on disk: read, checked and unpacked, within bounds and without escaping from their folder. */
import { createHash, randomBytes } from 'node:crypto';
import { constants, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../shared/model/errors.ts';
import { say, type Text } from '../../shared/model/messages/message.ts';
import { openZip, type ZipArchive, type ZipEntry } from '../engine/input/zip.ts';
import { openFileOf } from '../files/handle-source.ts';
import type { OpenFile } from '../files/types.ts';
import { parseJsonText } from '../store/json-text.ts';
import { type BundleManifest, readManifest } from './bundle-manifest.ts';
import { notUsable } from './failures.ts';

const MIB = 1024 * 1024;

export interface BundleBounds {
  /** Packed, and unpacked altogether. Bytes. */
  file: number;
  unpacked: number;
  manifest: number;
  entries: number;
}

export const usualBounds: BundleBounds = { file: 512 * MIB, unpacked: 2048 * MIB, manifest: MIB, entries: 50_000 };

export interface BundleOnDisk {
  manifest: BundleManifest;
  /** SHA-256 of the file. */
  hash: string;
}

interface OpenBundle extends BundleOnDisk {
  archive: ZipArchive;
}

export const readBundle = (file: string, bounds = usualBounds): Promise<BundleOnDisk> =>
  withBundle(file, bounds, async ({ manifest, hash }) => ({ manifest, hash }));

/** Unpacks the bundle into `folder`, unless it is there already. Throws CONFIG_INVALID if the file is not the one with this hash. */
export async function unpackBundle(file: string, hash: string, folder: string, bounds = usualBounds): Promise<void> {
  if (await isThere(folder)) return;
  await withBundle(file, bounds, async (bundle) => {
    if (bundle.hash !== hash) throw notUsable(say('bundle.changed'), say('bundle.changed.hint'));
    const entries = [...bundle.archive.entries.values()];
    for (const entry of entries) assertPlain(entry);
    const made = path.join(path.dirname(folder), `.${randomBytes(8).toString('hex')}`);
    try {
      await mkdir(made, { recursive: true, mode: 0o700 });
      await unpackAll(bundle.archive, entries, made, bounds);
      await rename(made, folder);
    } catch (error) {
      await rm(made, { recursive: true, force: true });
      // Another window was faster.
      if (!(await isThere(folder))) throw error;
    }
  });
}

const isThere = (folder: string): Promise<boolean> =>
  stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );

async function withBundle<T>(file: string, bounds: BundleBounds, work: (bundle: OpenBundle) => Promise<T>): Promise<T> {
  const opened = await openBundle(file, bounds);
  try {
    const hash = createHash('sha256');
    for await (const chunk of opened.source.read()) hash.update(chunk);
    const archive = await openZip(opened.source, {
      directoryBytes: 32 * MIB,
      entryBytes: bounds.unpacked,
      tooLarge,
      broken: (reason) => damaged(reason),
    });
    if (archive.entries.size > bounds.entries) throw tooLarge();
    const found = archive.entries.get('manifest.json');
    if (found === undefined) throw notUsable(say('bundle.noManifest'), say('bundle.damaged.hint'));
    if (found.size > bounds.manifest) throw tooLarge();
    const parts: Uint8Array[] = [];
    for await (const chunk of archive.read(found)) parts.push(chunk);
    const text = await parseJsonText(Buffer.concat(parts).toString('utf8'));
    if (!text.ok) throw damaged(say('bundle.badManifest', { problem: text.problem }));
    return await work({ manifest: readManifest(text.value), hash: hash.digest('hex'), archive });
  } finally {
    await opened.close();
  }
}

async function openBundle(file: string, bounds: BundleBounds): Promise<OpenFile> {
  // A pipe would make the program wait.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((cause: unknown) => {
    throw new AppError('FILE_NOT_FOUND', say('bundle.unreadable', { path: file }), {
      hint: say('bundle.unreadable.hint'),
      cause,
    });
  });
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw damaged(say('bundle.notFile'));
    if (found.size > bounds.file) throw tooLarge();
    return await openFileOf(handle, file, file);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Names that lead out of the folder, or that some system takes for a device, a drive or another file's stream. */
function assertPlain({ name }: ZipEntry): void {
  const parts = name.replace(/\/$/, '').split('/');
  const isPlain = (part: string) =>
    part !== '' &&
    part !== '.' &&
    part !== '..' &&
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    !/[\0-\x1f:]/.test(part) &&
    !(process.platform === 'win32' && /[<>"|?*]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(part));
  if (name.length > 1024 || !parts.every(isPlain)) throw notUsable(say('bundle.escapes'), say('bundle.damaged.hint'));
}

async function unpackAll(archive: ZipArchive, entries: readonly ZipEntry[], folder: string, bounds: BundleBounds): Promise<void> {
  let left = bounds.unpacked;
  const counted = async function* (entry: ZipEntry) {
    for await (const chunk of archive.read(entry)) {
      left -= chunk.length;
      if (left < 0) throw tooLarge();
      yield chunk;
    }
  };
  for (const entry of entries) {
    const place = path.join(folder, ...entry.name.replace(/\/$/, '').split('/'));
    try {
      if (entry.name.endsWith('/')) {
        await mkdir(place, { recursive: true, mode: 0o700 });
        continue;
      }
      await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
      // Links in an archive become plain files, and no file is written twice. Programs of the bundle may be run.
      await pipeline(Readable.from(counted(entry)), createWriteStream(place, { flags: 'wx', mode: 0o700 }));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST' || code === 'ENOTDIR' || code === 'EISDIR') throw damaged(say('bundle.twice', { name: entry.name }));
      throw error;
    }
  }
}

const damaged = (reason: Text) => notUsable(say('bundle.damaged', { reason }), say('bundle.damaged.hint'));

const tooLarge = () => notUsable(say('bundle.tooLarge'), say('bundle.tooLarge.hint'));
