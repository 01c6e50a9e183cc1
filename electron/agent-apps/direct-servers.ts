/**
 * Servers of Filebridge that an agent's app also starts or reaches itself, where approvals, switches and the log do not apply: found,
 * taken out of the app's settings, and put back.
 */
import { createHash } from 'node:crypto';
import { readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Upstream } from '../../shared/model/config.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { errnoOf, makeDirectoryOf, writeFileAtomic } from '../store/atomic-file.ts';
import { withFileLock } from '../store/file-lock.ts';
import {
  assertLasting,
  type ClientConfig,
  changeable,
  edited,
  type FoundServer,
  type Ours,
  type PlannedChange,
  planConnect,
  planRemoval,
  readClientConfig,
  serversIn,
} from './client-config.ts';
import { isTaken, standingOf } from './entries.ts';
import { formatOf } from './formats/format-of.ts';
import { isObject, valueAt, withValueAt } from './plain.ts';
import { newestBackup, replaceWithBackup, undo, untouchedOriginal } from './settings-file.ts';
import type { KnownClient } from './types.ts';

/** The name of the same server in Filebridge; undefined for a server that Filebridge does not have. */
export type NameOf = (upstream: Upstream) => string | undefined;

interface DirectServers {
  /** Whether the app starts Filebridge: else it would lose what is taken out. */
  connected: boolean;
  entries: (FoundServer & { upstream: Upstream; server: string })[];
}

/** Entries that are switched off start nothing, and do not count. A file that cannot be read has none. */
export async function directServers(client: KnownClient, ours: Ours, nameOf: NameOf): Promise<DirectServers> {
  return directIn(client, await readClientConfig(client), ours, nameOf);
}

async function directIn(client: KnownClient, config: ClientConfig, ours: Ours, nameOf: NameOf): Promise<DirectServers> {
  const found = await serversIn(client, config, ours);
  const entries = found.flatMap((entry) => {
    const { upstream } = entry;
    const server = upstream?.enabled === false || upstream === null ? undefined : nameOf(upstream);
    return upstream === null || server === undefined ? [] : [{ ...entry, upstream, server }];
  });
  return { connected: (await standingOf(config.servers, ours.launch, ours.url)).state === 'connected', entries };
}

export interface TakeOutPlan extends PlannedChange {
  /** Whether it connects the app as well, which else would lose the servers. */
  connects: boolean;
  entries: DirectServers['entries'];
  /** A key of the file before and after. */
  revision: string;
}

/**
 * The file without the entries of these servers of Filebridge, and connected if it was not. Throws INVALID_REQUEST where another program's
 * entry stands in the way of connecting, CONFIG_INVALID for a file that cannot be changed safely.
 */
export async function planTakeOut(
  client: KnownClient,
  ours: Ours,
  nameOf: NameOf,
  servers: readonly string[],
): Promise<TakeOutPlan> {
  const config = await changeable(client);
  const direct = await directIn(client, config, ours, nameOf);
  const connects = !direct.connected;
  if (connects) assertLasting(ours);
  if (connects && isTaken(config.servers, ours.launch, ours.url)) {
    throw new AppError('INVALID_REQUEST', say('agent.connectFirst', { app: client.name }), {
      hint: say('agent.connectFirst.hint'),
    });
  }
  const entries = direct.entries.filter(({ server }) => servers.includes(server));
  const gone = entries.map(({ keys }) => keys);
  const plan = connects && gone.length > 0 ? await planConnect(client, ours, gone) : await planRemoval(client, config, gone);
  const revision = createHash('sha256')
    .update(JSON.stringify([plan.before, plan.after]))
    .digest('hex')
    .slice(0, 32);
  return { ...plan, connects, entries, revision };
}

// What was taken out, in a file of Filebridge's: paths of keys only. The entries themselves are in the app's backup.

const takenOutSchema = z.object({
  /** The app's id. */
  app: z.string(),
  file: z.string(),
  backup: z.string(),
  entries: z.array(z.object({ server: z.string(), keys: z.array(z.string()).min(1) })),
  /** Set where the same change connected the app. */
  connected: z.literal(true).optional(),
});
export type TakenOut = z.infer<typeof takenOutSchema>;

/** More than anybody puts back. */
const KEPT = 50;

const recordFile = (directory: string) => path.join(directory, 'taken-out.json');

/** The oldest first. Throws CONFIG_INVALID for a file that cannot be read. */
async function readRecord(directory: string): Promise<TakenOut[]> {
  const file = recordFile(directory);
  try {
    return z.array(takenOutSchema).parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return [];
    throw new AppError('CONFIG_INVALID', say('agent.backupGone', { backup: file }), {
      hint: say('agent.backupGone.hint'),
      cause,
    });
  }
}

async function changeRecord(directory: string, change: (record: TakenOut[]) => TakenOut[]): Promise<void> {
  await makeDirectoryOf(recordFile(directory));
  return withFileLock(path.join(directory, 'taken-out.lock'), async () => {
    const record = await readRecord(directory).catch(async () => {
      // Kept for a person to look at; the backups that it names stay.
      await rename(recordFile(directory), path.join(directory, `taken-out.broken-${Date.now()}.json`));
      return [];
    });
    await writeFileAtomic(recordFile(directory), `${JSON.stringify(change(record).slice(-KEPT), null, 2)}\n`);
  });
}

/** What was last taken out of the app's settings and is not back there yet. */
export async function lastTakenOut(client: KnownClient, directory: string): Promise<TakenOut | undefined> {
  const record = (await readRecord(directory)).filter(({ app, file }) => app === client.id && file === client.file);
  if (record.length === 0) return undefined;
  const { value } = await readClientConfig(client);
  for (const taken of record.reverse()) {
    const original = await originalOf(client, taken.backup).catch(() => null);
    const isBack = ({ keys }: { keys: string[] }) => {
      const now = valueAt(value, keys);
      return now !== undefined && (original === null || isDeepStrictEqual(now, valueAt(original, keys)));
    };
    if (!taken.entries.every(isBack)) return taken;
  }
  return undefined;
}

/**
 * Takes out what was shown, after a backup. Throws FILE_CHANGED if the change would be another one than the one of that `revision`,
 * and as `planTakeOut` does.
 */
export async function takeOut(
  client: KnownClient,
  plan: TakeOutPlan,
  { revision, directory }: { revision: string; directory: string },
): Promise<void> {
  if (plan.revision !== revision || plan.bytes === undefined) {
    throw new AppError('FILE_CHANGED', say('agent.changedSinceShown', { file: client.file }), {
      hint: say('agent.changedSinceShown.hint'),
    });
  }
  const backup = await replaceWithBackup(client.file, plan.config.file, plan.bytes);
  const entries = plan.entries.map(({ server, keys }) => ({ server, keys: [...keys] }));
  try {
    const connected = plan.connects ? { connected: true as const } : {};
    await changeRecord(directory, (record) => [...record, { app: client.id, file: client.file, backup, entries, ...connected }]);
  } catch (error) {
    // Without the record nobody could put them back.
    await undo(client.file);
    throw error;
  }
}

/**
 * Puts back what was last taken out: the whole file where nobody has changed it since, else those entries alone. With `stays`, an app that
 * the same change connected stays connected. Throws INVALID_REQUEST
 * where there is nothing to put back, FILE_CHANGED where an entry's place is taken or the backup is gone, CONFIG_INVALID for a file
 * that cannot be changed safely.
 */
export async function putBack(client: KnownClient, directory: string, { stays = false } = {}): Promise<void> {
  const last = await lastTakenOut(client, directory);
  if (!last) throw new AppError('INVALID_REQUEST', say('agent.nothingTaken', { app: client.name }));
  const config = await changeable(client);
  const whole = !(stays && last.connected) && (await newestBackup(client.file)) === last.backup;
  if (whole && (await untouchedOriginal(client.file, config.file)) !== undefined) await undo(client.file);
  else await putBackEntries(client, config, last);
  await changeRecord(directory, (record) => record.filter(({ backup }) => backup !== last.backup));
}

async function putBackEntries(client: KnownClient, config: ClientConfig, { backup, entries }: TakenOut): Promise<void> {
  const original = await originalOf(client, backup);
  const places = entries.map(({ keys }) => ({ keys, entry: valueAt(original, keys), now: valueAt(config.value, keys) }));
  const taken = places.filter(({ entry, now }) => now !== undefined && !isDeepStrictEqual(now, entry));
  if (taken.length > 0) {
    const names = taken.map(({ keys }) => keys.at(-1) ?? '');
    throw new AppError('FILE_CHANGED', say('agent.nameTaken', { app: client.name, names }), {
      hint: say('agent.nameTaken.hint', { backup }),
    });
  }
  const missing = places.flatMap(({ keys, entry, now }) => (now === undefined && isObject(entry) ? [{ keys, entry }] : []));
  if (missing.length === 0) throw backupGone(backup);
  const expected = missing.reduce((value: unknown, { keys, entry }) => withValueAt(value, keys, entry), config.value);
  const { bytes } = await edited(client, config, expected, (format, text) =>
    missing.reduce((left, { keys, entry }) => format.put(left, keys, entry), text),
  );
  if (bytes !== undefined) await replaceWithBackup(client.file, config.file, bytes);
}

async function originalOf({ format }: KnownClient, backup: string): Promise<unknown> {
  const text = await readFile(backup, 'utf8').catch((cause: unknown) => {
    throw backupGone(backup, cause);
  });
  const parsed = await (await formatOf(format)).parse(text.replace(/^\uFEFF/, ''));
  if (!parsed.ok) throw backupGone(backup);
  return parsed.value;
}

const backupGone = (backup: string, cause?: unknown) =>
  new AppError('FILE_CHANGED', say('agent.backupGone', { backup }), { hint: say('agent.backupGone.hint'), cause });
