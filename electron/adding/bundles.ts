/** MCP bundles (`.mcpb`, formerly `.dxt`), pasted as a path or dropped on the window: read, checked, and unpacked within bounds. */

import { createHash, randomBytes } from 'node:crypto';
import { constants, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { AppError } from '../../shared/model/errors.ts';
import { say, type Text } from '../../shared/model/messages/message.ts';
import { openZip, type ZipArchive, type ZipEntry } from '../engine/input/zip.ts';
import { openFileOf } from '../files/handle-source.ts';
import type { OpenFile } from '../files/types.ts';
import { parseJsonText } from '../store/json-text.ts';
import { type Draft, hole, type Input, inputOf, mapTexts, notUsable, type PasteDialect } from './offer.ts';

export interface BundlePlace {
  /** Where bundles are unpacked, each in a folder of its own. */
  folder: string;
  bounds?: BundleBounds;
}

export const bundles = ({ folder, bounds = usualBounds }: BundlePlace): PasteDialect => ({
  name: 'bundle',
  async read(text) {
    const file = pathIn(text);
    if (file === undefined) return null;
    if (!path.isAbsolute(file)) throw notUsable(say('bundle.relative'), say('bundle.relative.hint'));
    const { manifest, hash } = await readBundle(file, bounds);
    const own = path.join(folder, `${manifest.name.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, 40)}-${hash.slice(0, 16)}`);
    return [{ ...draftOfManifest(manifest, own), hash, prepare: () => unpackBundle(file, hash, own, bounds) }];
  },
});

function pathIn(text: string): string | undefined {
  if (text.includes('\n') || !/\.(?:mcpb|dxt)["']?$/i.test(text) || /^https?:/i.test(text)) return undefined;
  const bare = text.replace(/^(["'])(.*)\1$/, '$2');
  if (/^(?:~|\.{0,2}\/|[A-Za-z]:[\\/]|\\\\)/.test(bare)) return bare.replace(/^~(?=[\\/])/, () => os.homedir());
  if (!/^file:/i.test(bare)) return /\s/.test(bare) ? undefined : bare;
  try {
    return fileURLToPath(bare);
  } catch (cause) {
    throw notUsable(say('bundle.relative'), say('bundle.relative.hint'), cause);
  }
}

// The manifest: what a bundle runs, and what it asks the person for. Manifest versions 0.1 to 0.4.

const runSchema = z.object({
  command: z.string(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
});
const preset = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
const optionSchema = z.object({
  type: z.enum(['string', 'number', 'boolean', 'directory', 'file']),
  title: z.string().optional(),
  description: z.string().optional(),
  required: z.boolean().optional(),
  default: preset.optional(),
  multiple: z.boolean().optional(),
  sensitive: z.boolean().optional(),
});
const manifestSchema = z.object({
  name: z.string().min(1),
  display_name: z.string().optional(),
  version: z.string().optional(),
  description: z.string().optional(),
  server: z.object({
    type: z.enum(['node', 'python', 'binary', 'uv']),
    entry_point: z.string().optional(),
    mcp_config: runSchema
      .partial()
      .extend({ platform_overrides: z.record(z.string(), runSchema.partial()).optional() })
      .optional(),
  }),
  user_config: z.record(z.string(), optionSchema).optional(),
  compatibility: z.object({ platforms: z.array(z.string()).optional() }).optional(),
});
export type BundleManifest = z.infer<typeof manifestSchema>;

/** Throws CONFIG_INVALID. */
export function readManifest(value: unknown): BundleManifest {
  const read = manifestSchema.safeParse(value);
  if (read.success) return read.data;
  const place = read.error.issues[0]?.path.join('.') ?? '';
  throw notUsable(say('bundle.manifest', { place }), say('bundle.damaged.hint'));
}

/** The server of a bundle that is unpacked in `folder`. */
export function draftOfManifest(manifest: BundleManifest, folder: string, platform: NodeJS.Platform = process.platform): Draft {
  const { name, display_name, description, server, user_config = {}, compatibility } = manifest;
  const inputs = Object.entries(user_config).map(([id, option]) => inputOfOption(id, option));
  const fits = compatibility?.platforms === undefined || compatibility.platforms.includes(platform);
  return {
    name,
    title: display_name ?? null,
    description: description ?? null,
    entry: mapTexts(runOf(server, platform), (text) => substituted(text, folder)),
    inputs,
    refusal: fits ? null : new AppError('CONFIG_INVALID', say('bundle.platform'), { hint: say('bundle.platform.hint') }),
  };
}

function runOf({ type, entry_point = '', mcp_config }: BundleManifest['server'], platform: NodeJS.Platform) {
  const { platform_overrides = {}, ...common } = mcp_config ?? {};
  const override = Object.hasOwn(platform_overrides, platform) ? platform_overrides[platform] : undefined;
  const entry = `\${__dirname}/${entry_point}`;
  const usual = {
    node: { command: 'node', args: [entry] },
    python: { command: platform === 'win32' ? 'python' : 'python3', args: [entry] },
    uv: { command: 'uv', args: ['run', '--directory', '${__dirname}', entry_point] },
    binary: { command: entry, args: [] },
  }[type];
  const { command, args, env } = { ...usual, ...common, ...override };
  return {
    command: isInside(command) ? `\${__dirname}/${command}` : command,
    args: (args ?? []).map((arg) => arg as string | string[]),
    env: { ...common.env, ...env },
  };
}

/** A program of the bundle, without the place of the bundle before it. */
const isInside = (command: string): boolean => /^(?:\.\/|server\/|bin\/)/.test(command);

function substituted(text: string, folder: string): string {
  const places: Record<string, string> = {
    __dirname: folder,
    HOME: os.homedir(),
    DESKTOP: path.join(os.homedir(), 'Desktop'),
    DOCUMENTS: path.join(os.homedir(), 'Documents'),
    DOWNLOADS: path.join(os.homedir(), 'Downloads'),
    '/': path.sep,
    pathSeparator: path.sep,
  };
  return text.replace(/\$\{(user_config\.)?([^{}]+)\}/g, (whole, user: string | undefined, name: string) =>
    user === undefined ? (Object.hasOwn(places, name) ? (places[name] ?? whole) : whole) : hole(name),
  );
}

function inputOfOption(id: string, option: z.infer<typeof optionSchema>): Input {
  const { type, title, description, required, default: defaultValue, multiple, sensitive } = option;
  const text = (value: unknown) => substituted(String(value), '');
  return inputOf({
    id,
    ...(title === undefined ? {} : { label: title }),
    description: description ?? null,
    kind: type === 'directory' ? 'folder' : type === 'string' ? 'text' : type,
    secret: sensitive ?? false,
    required: required ?? false,
    multiple: multiple ?? false,
    preset: defaultValue === undefined ? null : Array.isArray(defaultValue) ? defaultValue.map(text) : text(defaultValue),
  });
}

// The archive: nothing in it may escape from the folder

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

const readBundle = (file: string, bounds = usualBounds): Promise<BundleOnDisk> =>
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
