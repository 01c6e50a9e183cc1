/** Holds the active configuration: opens it, changes it, and follows edits by other programs. */

import { type FSWatcher, watch } from 'node:fs';
import { mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { oneAtATime } from '../../shared/lib/one-at-a-time.ts';
import { CONFIG_VERSION, type Config, configSchema } from '../../shared/model/config.ts';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { say, type Text } from '../../shared/model/messages/message.ts';
import { worded } from '../../shared/model/messages/received.ts';
import { makeDirectoryOf, writeFileAtomic } from './atomic-file.ts';
import {
  type BadEntry,
  hiddenNames,
  keepAside,
  lastKeptAside,
  type ReadConfig,
  type Reading,
  readConfig,
  readEntries,
  withChanges,
} from './config-file.ts';
import { withFileLock } from './file-lock.ts';
import { schemaFaults } from './json-text.ts';
import type { ConfigProblem, ConfigStore } from './types.ts';

/** A store whose file is being watched. */
export interface WatchingConfigStore extends ConfigStore {
  /** Stops watching the file. Watching does not keep the process alive. */
  close(): void;
}

export interface ConfigStoreOptions {
  /** Whether edits by other programs are taken over as they happen; true if absent. */
  watch?: boolean;
  /** Leaves a broken file where it is and an old one as it is: for looking only. False if absent. */
  readOnly?: boolean;
}

const SETTLE_MS = 100;

/** Bad entries that are reported one by one. */
const REPORTED_ENTRIES = 50;

/**
 * Opens a configuration. Absent: defaults, and nothing is written before the first update. No JSON: the file is kept aside and named in
 * `problems`, and defaults are used. A bad entry is named in `problems`, and the others are in force. Throws CONFIG_INVALID if the file is
 * from a newer Filebridge or can't be read, and then leaves it alone.
 */
export async function openConfigStore(file: string, options: ConfigStoreOptions = {}): Promise<WatchingConfigStore> {
  // A symlink, as dotfile managers create, stays a symlink: its target is replaced.
  const target = await realpath(file).catch(() => path.resolve(file));
  const opened = await openedFile(target, options.readOnly === true);
  let { problems, read, knownText } = opened;
  const listeners = new Set<(config: Config) => void>();

  /** A change made here does not affect a file that was moved aside; an edit from outside replaces it. */
  function adopt(next: ReadConfig, text: string, settled: readonly ConfigProblem['kind'][]): void {
    read = next;
    knownText = text;
    problems = [...problems.filter(({ kind }) => kind !== 'entry' && !settled.includes(kind)), ...entryProblems(file, next.bad)];
    for (const listener of [...listeners]) listener(read.config);
  }

  const inTurn = oneAtATime();

  async function locked<T>(work: () => Promise<T>): Promise<T> {
    await makeDirectoryOf(target);
    return withFileLock(`${target}.lock`, work);
  }

  const update = (change: (config: Config) => Config): Promise<Config> =>
    locked(async () => {
      const now = await readConfig(target);
      if (now.state === 'broken' || now.state === 'newer') throw invalid(target, say('config.unchanged', { fault: now.problem }));
      const base = now.state === 'good' ? now.read : read;
      const changed = change(structuredClone(base.config));
      const checked = configSchema.safeParse(changed);
      if (!checked.success) {
        throw invalid(target, say('config.unchanged', { fault: schemaFaults(checked.error, configSchema, changed) }));
      }
      const [hidden] = hiddenNames(base, checked.data);
      if (hidden !== undefined) {
        throw invalid(target, say('config.unchanged', { fault: say('config.hiddenServer', { server: hidden }) }));
      }
      const raw = withChanges(base, checked.data);
      adopt(readEntries(raw), await write(target, raw), ['ignored']);
      return read.config;
    });

  /** `again`: check even a text that was checked before. */
  async function reload(again: boolean): Promise<void> {
    const now = await readConfig(target);
    // Many editors remove the file for a moment while saving; the previous settings stay active.
    if (now.state === 'absent') return;
    const known = now.text === knownText;
    if (known && !again) return;
    knownText = now.text;
    if (now.state === 'good') return adopt(now.read, now.text, known ? ['ignored'] : ['ignored', 'set_aside']);
    problems = [
      ...problems.filter(({ kind }) => kind !== 'ignored'),
      {
        kind: 'ignored',
        ...worded(say('config.edited', { fault: now.problem }), say('config.edited.hint')),
      },
    ];
    for (const listener of [...listeners]) listener(read.config);
  }

  /** Uses a file that was moved aside, if it has been repaired. */
  async function takeBack(): Promise<void> {
    const aside = problems.flatMap((problem) => (problem.kind === 'set_aside' ? problem.path : []))[0];
    if (aside === undefined) return;
    const repaired = await readConfig(aside);
    if (repaired.state === 'good') {
      const back = repaired.read;
      await locked(async () => adopt(back, await write(target, back.raw), ['ignored', 'set_aside']));
    } else if (repaired.state !== 'absent') {
      problems = problems.map((problem) => (problem.kind === 'set_aside' ? setAside(aside, repaired.problem) : problem));
    }
  }

  /** A broken file, or one with bad entries, is moved aside first, so that no user data is lost. */
  const restore = () =>
    locked(async () => {
      const now = await readConfig(target);
      if (now.state === 'newer') throw invalid(target, say('config.unchanged', { fault: now.problem }));
      if (now.state === 'broken' || (now.state === 'good' && now.read.bad.length > 0)) await keepAside(target);
      const next = readEntries(now.state === 'good' ? { ...now.read.config } : withChanges(read, read.config));
      adopt(next, await write(target, next.raw), ['ignored', 'set_aside']);
    });

  const unwatched = (problem: ConfigProblem) => {
    problems = [...problems.filter(({ kind }) => kind !== problem.kind), problem];
  };
  const watcher = options.watch === false ? undefined : await watchFile(target, () => inTurn(() => reload(false)), unwatched);
  return {
    path: file,
    current: () => read.config,
    update: (change) => inTurn(() => update(change)),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    get problems() {
      return problems;
    },
    reload: () =>
      inTurn(async () => {
        await takeBack();
        await reload(true);
        // The caller already knows that it has to ask.
        problems = problems.filter(({ kind }) => kind !== 'unwatched');
      }),
    restore: () => inTurn(restore),
    close: () => watcher?.close(),
  };
}

/** Watches the directory, since each write replaces the file. Never keeps the process alive. */
async function watchFile(
  file: string,
  changed: () => Promise<void>,
  unwatched: (problem: ConfigProblem) => void,
): Promise<FSWatcher | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const report = (error: unknown) => {
    unwatched({
      kind: 'unwatched',
      ...worded(say('config.unwatched', { fault: String(error) }), say('config.unwatched.hint')),
    });
  };
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    const watcher = watch(path.dirname(file), { persistent: false }, (_event, name) => {
      if (name !== null && name !== path.basename(file)) return;
      clearTimeout(timer);
      timer = setTimeout(() => changed().catch(report), SETTLE_MS);
      timer.unref();
    });
    watcher.on('error', report);
    watcher.on('close', () => clearTimeout(timer));
    return watcher;
  } catch (error) {
    // The program starts even if the home folder cannot be written or watched.
    report(error);
    return undefined;
  }
}

/** Reads, migrates or moves aside the file at start, and reports it. Concurrent starts give the same result. */
async function openedFile(target: string, readOnly: boolean) {
  const found = await readConfig(target);
  const asks = found.state === 'broken' || (found.state === 'good' && found.migrated);
  if (!asks || readOnly) return judged(target, found, readOnly);
  try {
    return await withFileLock(`${target}.lock`, async () => {
      const now = await readConfig(target);
      if (now.state === 'broken') await keepAside(target);
      // Unless another start was faster.
      if (now.state !== 'good' || !now.migrated) return judged(target, now.state === 'broken' ? { state: 'absent' } : now, false);
      return { ...(await judged(target, now, false)), knownText: await write(target, now.read.raw) };
    });
  } catch (error) {
    // The program starts even if the folder is not writable.
    const start = await judged(target, found, true);
    const { asText, hintAsText = say('config.checkFolder') } = toAppError(error);
    return { ...start, problems: [...start.problems, { kind: 'ignored' as const, ...worded(asText, hintAsText) }] };
  }
}

async function judged(target: string, reading: Reading, readOnly: boolean) {
  if (reading.state === 'newer') throw invalid(target, reading.problem);
  if (reading.state === 'good') {
    const problems: ConfigProblem[] = entryProblems(target, reading.read.bad);
    return { problems, read: reading.read, knownText: reading.text as string | undefined };
  }
  const problems: ConfigProblem[] = [];
  if (reading.state === 'broken') {
    problems.push({
      kind: 'ignored',
      ...worded(say('config.defaults', { file: target, fault: reading.problem }), say('config.correct')),
    });
  } else if (!readOnly) {
    const aside = await lastKeptAside(target);
    if (aside) problems.push(setAside(aside.path, aside.fault ?? say('config.validNow')));
  }
  return { problems, read: readEntries({ version: CONFIG_VERSION }), knownText: undefined as string | undefined };
}

async function write(target: string, raw: object): Promise<string> {
  const text = `${JSON.stringify(raw, null, 2)}\n`;
  await writeFileAtomic(target, text);
  return text;
}

function entryProblems(file: string, bad: readonly BadEntry[]): ConfigProblem[] {
  const reported = bad.slice(0, REPORTED_ENTRIES).map(
    ({ at, effect, fault }): ConfigProblem => ({
      kind: 'entry',
      entry: at,
      ...worded(say('config.entry', { entry: at, effect, fault }), say('config.entry.hint', { file })),
    }),
  );
  const more = bad.length - reported.length;
  if (more === 0) return reported;
  const message = say('config.moreEntries', { entries: more });
  return [...reported, { kind: 'entry', entry: '…', ...worded(message, say('config.moreEntries.hint', { file })) }];
}

const setAside = (aside: string, fault: Text): ConfigProblem => ({
  kind: 'set_aside',
  ...worded(say('config.setAside', { aside, fault }), say('config.setAside.hint')),
  path: aside,
});

function invalid(file: string, problem: Text): AppError {
  return new AppError('CONFIG_INVALID', say('config.invalid', { file, fault: problem }), {
    hint: say('config.correct'),
    details: { path: file },
  });
}
