/**
 * The configuration file: read and checked entry by entry, so that a bad entry disables only itself; migrated; changed without touching
 * unknown parts; moved aside if it is not JSON.
 */
import { chmod, lstat, readdir, readFile, realpath, rename } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { mistyped } from '../../shared/lib/near-misses.ts';
import { CONFIG_VERSION, type Config, configSchema } from '../../shared/model/config.ts';
import { AppError } from '../../shared/model/errors.ts';
import { type Message, say, type Text } from '../../shared/model/messages/message.ts';
import { errnoOf } from './atomic-file.ts';
import { isObject, keyOf, knownKeys, parseJsonText, schemaFaults } from './json-text.ts';

export type Reading =
  | { state: 'absent' }
  | { state: 'good'; text: string; read: ReadConfig; migrated: boolean }
  | { state: 'broken' | 'newer'; text: string; problem: string };

/** Reads and checks a file. Throws CONFIG_INVALID if it cannot be read. */
export async function readConfig(file: string): Promise<Reading> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return { state: 'absent' };
    throw new AppError('CONFIG_INVALID', say('config.unreadable', { path: file }), {
      hint: say('config.unreadable.hint'),
      details: { path: file },
      cause: error,
    });
  }
  const parsed = await parseJsonText(text, { comments: true });
  if (!parsed.ok) return { state: 'broken', text, problem: parsed.problem };
  const migrated = migrate(parsed.value);
  if (migrated.state === 'newer') {
    const problem = `it is of version ${migrated.from}, from a newer Filebridge; this one knows versions up to ${CONFIG_VERSION}`;
    return { state: 'newer', text, problem };
  }
  if (migrated.state === 'unknown') return { state: 'broken', text, problem: 'it is not an object { … }' };
  return { state: 'good', text, read: readEntries(migrated.value), migrated: migrated.state === 'migrated' };
}

const brokenMark = '.broken-';

/** The last broken file that was kept aside for this one, and what is wrong with it now: null if it has been repaired. */
export async function lastKeptAside(file: string): Promise<{ path: string; fault: string | null } | undefined> {
  const { dir, name, ext } = path.parse(await realpath(file).catch(() => path.resolve(file)));
  const names = await readdir(dir).catch(() => []);
  const [last] = names
    .filter((each) => each.startsWith(name + brokenMark) && each.endsWith(ext))
    .map((each) => each.slice(0, each.length - ext.length))
    .sort(byTimeAndNumber)
    .slice(-1);
  if (last === undefined) return undefined;
  const aside = path.join(dir, last + ext);
  const reading = await readConfig(aside).catch(() => ({ state: 'broken', problem: 'it cannot be read' }) as const);
  if (reading.state === 'absent') return undefined;
  return { path: aside, fault: reading.state === 'good' ? null : reading.problem };
}

/** Copies made in the same second are numbered: `…Z`, `…Z-2`, `…Z-10`. */
const byTimeAndNumber = (one: string, other: string) => one.localeCompare(other, 'en', { numeric: true });

/**
 * Moves a broken file beside its place, readable by its user only. Gives its new path. For the holder of the file's lock: a rename leaves no
 * half copy after a crash, but replaces what is there.
 */
export async function keepAside(file: string): Promise<string> {
  const { dir, name, ext } = path.parse(file);
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  try {
    await chmod(file, 0o600);
    for (let attempt = 1; ; attempt += 1) {
      const aside = path.join(dir, `${name}${brokenMark}${time}${attempt === 1 ? '' : `-${attempt}`}${ext}`);
      if (await isThere(aside)) continue;
      await rename(file, aside);
      return aside;
    }
  } catch (cause) {
    throw new AppError('CONFIG_INVALID', say('config.notKept', { path: file }), {
      hint: say('config.notKept.hint'),
      details: { path: file },
      cause,
    });
  }
}

const isThere = (file: string) =>
  lstat(file).then(
    () => true,
    (error: unknown) => errnoOf(error) !== 'ENOENT',
  );

// Entries

type JsonObject = Record<string, unknown>;
type Path = readonly PropertyKey[];

/** An inactive entry and the reason. */
export interface BadEntry {
  /** Its place as people write it: `upstreams.db`, `folders[2]`, `limits.maxFileBytes`. */
  at: string;
  /** The value used instead. */
  effect: 'disabled' | 'ignored' | 'default';
  fault: Text;
}

/** A configuration as it is on disk, migrated to the current version, and its active part. */
export interface ReadConfig {
  raw: JsonObject;
  config: Config;
  bad: BadEntry[];
  /** `folderPlaces[i]` is the index in the file of `config.folders[i]`. */
  folderPlaces: number[];
}

/** Used instead of a default that would grant more than the person intended. */
const closed: Readonly<Record<string, unknown>> = {
  expose: { fileTools: false, upstreamTools: 'none' },
  'expose.fileTools': false,
  'expose.upstreamTools': 'none',
  approvals: { throughClient: 'never' },
  'approvals.throughClient': 'never',
};

/** Placeholder for a bad folder while the others are checked, so that they keep their indices. */
const noFolder = { path: '-' };

/** Reads migrated JSON. Invalid folders and servers are left out; any other invalid value is replaced by its default. */
export function readEntries(raw: JsonObject): ReadConfig {
  const bad: BadEntry[] = [];
  if (raw.version !== CONFIG_VERSION) {
    bad.push({ at: 'version', effect: 'default', fault: say('config.version', { version: CONFIG_VERSION }) });
  }
  const badFolders = new Set<number>();
  let value: JsonObject = { ...raw, version: CONFIG_VERSION };
  for (;;) {
    const checked = configSchema.safeParse(value);
    if (checked.success) {
      const places = checked.data.folders.map((_, index) => index).filter((index) => !badFolders.has(index));
      const folders = checked.data.folders.filter((_, index) => !badFolders.has(index));
      return { raw, config: { ...checked.data, folders }, bad, folderPlaces: places };
    }
    const judged = value;
    const done = new Set<string>();
    for (const issue of checked.error.issues) {
      const fault = schemaFaults(new z.ZodError([issue]), configSchema, judged);
      for (const { path, effect, hint } of badEntries(issue, judged)) {
        const at = keyOf(path);
        if (done.has(at)) continue;
        done.add(at);
        const known = bad.find((each) => each.at === at);
        if (!known) bad.push({ at, effect, fault: hint ? say('config.advised', { fault, hint }) : fault });
        const [top, index, ...deeper] = path;
        if (top === 'folders' && typeof index === 'number' && deeper.length === 0) badFolders.add(index);
        value = replaced(value, path, substitute(path, at)) as JsonObject;
      }
    }
  }
}

function substitute(path: Path, at: string): unknown {
  if (path[0] === 'folders' && path.length === 2) return noFolder;
  return Object.hasOwn(closed, at) ? closed[at] : undefined;
}

interface Place extends Pick<BadEntry, 'effect'> {
  path: Path;
  hint?: Message | undefined;
}

/** The part to remove to resolve an issue. */
function badEntries(issue: z.core.$ZodIssue, value: JsonObject): Place[] {
  const [collection, name] = issue.path;
  const isEntry = (collection === 'folders' || collection === 'upstreams' || collection === 'readings') && name !== undefined;
  const entry: Place = { path: issue.path.slice(0, 2), effect: 'disabled' };
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(configSchema, issue.path, value);
    // A mistyped key may have been a restriction. A key that is like none of ours comes from a newer version.
    const meant = issue.keys.map((key) => mistyped(key, known));
    const first = meant.find((name) => name !== undefined);
    if (isEntry && first !== undefined) return [{ ...entry, hint: say('names.near', { names: [first] }) }];
    return issue.keys.map((key, index) => ({
      path: [...issue.path, key],
      effect: 'ignored' as const,
      hint: meant[index] === undefined ? undefined : say('names.near', { names: [meant[index]] }),
    }));
  }
  if (isEntry) return [entry];
  // A missing value makes its group invalid.
  let path: Path = issue.path;
  while (path.length > 1 && valueAt(value, path) === undefined) path = path.slice(0, -1);
  return [{ path, effect: 'default' }];
}

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inside, part) => (hasKey(inside, part) ? inside[part] : undefined), value);

const hasKey = (value: unknown, key: PropertyKey): value is Record<PropertyKey, unknown> =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key);

/** A copy with another value at a path, or without it for undefined. Other parts are shared. */
function replaced(value: unknown, [part, ...rest]: Path, substitute: unknown): unknown {
  if (part === undefined) return substitute;
  if (!hasKey(value, part)) return value;
  const inside = replaced(value[part], rest, substitute);
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => (index !== part ? [item] : inside === undefined ? [] : [inside]));
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (key !== part ? [[key, item]] : inside === undefined ? [] : [[key, inside]])),
  );
}

/** Returns the file's new content after `read.config` has become `after`; everything the change did not touch stays as it is. */
export function withChanges(read: ReadConfig, after: Config): JsonObject {
  const { raw, config: before, folderPlaces } = read;
  const replacedWhole = new Set(read.bad.filter(({ effect }) => effect === 'default').map(({ at }) => at));
  const next = merged({ ...raw, version: CONFIG_VERSION }, before, after, replacedWhole) as JsonObject;
  const folders = Array.isArray(raw.folders) && mergedFolders(raw.folders, folderPlaces, before, after);
  const upstreams = isObject(raw.upstreams) && mergedServers(raw.upstreams, before, after);
  return { ...next, ...(folders ? { folders } : {}), ...(upstreams ? { upstreams } : {}) };
}

/** Names of servers that `after` adds although the file has a bad entry by that name. */
export const hiddenNames = ({ raw, config }: ReadConfig, after: Config): string[] =>
  Object.keys(after.upstreams).filter((name) => !Object.hasOwn(config.upstreams, name) && hasKey(raw.upstreams, name));

/**
 * Adds every setting that the file lacks; unchanged values stay as they are written.
 * `replacedWhole`: places whose value was not understood, so that a change replaces them whole.
 */
function merged(raw: unknown, before: unknown, after: unknown, replacedWhole: ReadonlySet<string>, path: Path = []): unknown {
  if (raw !== undefined && path.length > 0 && isSame(before, after)) return raw;
  if (!isObject(after) || !isObject(raw) || (path.length > 0 && replacedWhole.has(keyOf(path)))) return after;
  const kept = Object.entries(raw).flatMap(([key, value]) => {
    if (!Object.hasOwn(after, key)) return hasKey(before, key) ? [] : [[key, value]];
    const known = hasKey(before, key) ? before[key] : undefined;
    return [[key, merged(value, known, after[key], replacedWhole, [...path, key])]];
  });
  const added = Object.entries(after).filter(([key]) => !Object.hasOwn(raw, key));
  return Object.fromEntries([...kept, ...added]);
}

const nothingBad: ReadonlySet<string> = new Set();

/** Bad folders keep their places in the list. */
function mergedFolders(raw: readonly unknown[], places: readonly number[], before: Config, after: Config): unknown[] {
  const free = new Set(before.folders.keys());
  const list = after.folders.map((folder) => {
    const same = [...free].find((index) => isSame(before.folders[index], folder));
    const index = same ?? [...free].find((each) => before.folders[each]?.path === folder.path);
    if (index === undefined) return folder;
    free.delete(index);
    return merged(raw[places[index] ?? -1], before.folders[index], folder, nothingBad, ['folders']);
  });
  for (const [index, folder] of raw.entries()) {
    if (!places.includes(index)) list.splice(Math.min(index, list.length), 0, folder);
  }
  return list;
}

/** Bad servers keep their places in the order; one that goes by another name keeps what is not understood of it. */
function mergedServers(raw: JsonObject, { upstreams: before }: Config, { upstreams: after }: Config): JsonObject {
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const come = Object.keys(after).filter((name) => !Object.hasOwn(before, name));
  const renamed = gone.length === 1 && come.length === 1 ? gone[0] : undefined;
  const list = Object.entries(after).map(([name, server]): [string, unknown] => {
    const from = Object.hasOwn(before, name) ? name : renamed;
    const same = from !== undefined && before[from]?.type === server.type;
    return [name, same ? merged(raw[from], before[from], server, nothingBad, ['upstreams']) : server];
  });
  for (const [index, [name, server]] of Object.entries(raw).entries()) {
    if (!Object.hasOwn(before, name)) list.splice(Math.min(index, list.length), 0, [name, server]);
  }
  return Object.fromEntries(list);
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

// Migrations of an older configuration, one version at a time

type RawConfig = Record<string, unknown>;

/** `migrations[n]` takes version n to n + 1. Steps see unchecked data and must leave what they don't know alone. */
const migrations: readonly ((config: RawConfig) => RawConfig)[] = [
  // 0 → 1: before versions, the shape was the same; folders could be plain paths.
  (config) => ({
    ...config,
    version: 1,
    ...(Array.isArray(config.folders) ? { folders: config.folders.map(folderOfText) } : {}),
  }),
];

export type Migrated =
  | { state: 'current' | 'migrated'; value: RawConfig }
  | { state: 'newer'; from: number }
  | { state: 'unknown' };

/** Brings parsed JSON to the present version; says so if it is from a newer Filebridge, or no object. */
export function migrate(value: unknown): Migrated {
  if (!isObject(value)) return { state: 'unknown' };
  const { version = 0 } = value;
  // An invalid version is a bad entry; the file is read as the current version.
  const from = typeof version === 'number' && Number.isInteger(version) && version >= 0 ? version : CONFIG_VERSION;
  if (from > CONFIG_VERSION) return { state: 'newer', from };
  let config = value;
  for (const step of migrations.slice(from, CONFIG_VERSION)) config = step(config);
  config = withoutGone(config);
  return { state: from === CONFIG_VERSION ? 'current' : 'migrated', value: config };
}

/** Limits that former versions had. Having one set is no fault of the person's. */
const goneLimits = new Set(['ledgerBytes']);

function withoutGone(config: RawConfig): RawConfig {
  if (!isObject(config.limits) || !Object.keys(config.limits).some((key) => goneLimits.has(key))) return config;
  return { ...config, limits: Object.fromEntries(Object.entries(config.limits).filter(([key]) => !goneLimits.has(key))) };
}

function folderOfText(folder: unknown): unknown {
  return typeof folder === 'string' ? { path: folder } : folder;
}
