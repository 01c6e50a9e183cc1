/** Reads a configuration entry by entry, so that a bad one disables only itself, and keeps unknown parts when writing changes. */

import { z } from 'zod';
import { mistyped } from '../../shared/lib/near-misses.ts';
import { CONFIG_VERSION, type Config, configSchema } from '../../shared/model/config.ts';
import { type Message, say, type Text } from '../../shared/model/messages/message.ts';
import { isObject } from './migrations.ts';
import { keyOf, knownKeys, schemaFaults } from './schema-words.ts';

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
  const isEntry = (collection === 'folders' || collection === 'upstreams') && name !== undefined;
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
