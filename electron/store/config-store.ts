/** The configuration file: read, checked, migrated, written and watched. */
import { type FSWatcher, watch } from 'node:fs';
import { constants, copyFile, mkdir, readdir, readFile, realpath, unlink } from 'node:fs/promises';
import path from 'node:path';
import { CONFIG_VERSION, type Config, configSchema } from '../../shared/model/config.ts';
import { AppError } from '../../shared/model/errors.ts';
import { oneAtATime } from '../../shared/model/one-at-a-time.ts';
import { errnoOf, writeFileAtomic } from './atomic-file.ts';
import { withFileLock } from './file-lock.ts';
import { parseJsonText } from './json-text.ts';
import { migrate } from './migrations.ts';
import { schemaFaults } from './schema-words.ts';
import type { ConfigProblem, ConfigStore } from './types.ts';

/** A store whose file is being watched. */
export interface WatchingConfigStore extends ConfigStore {
  /** Stops watching the file. The watching alone keeps no process alive. */
  close(): void;
}

export interface ConfigStoreOptions {
  /** Whether edits by other programs are taken over as they happen; true if absent. */
  watch?: boolean;
  /** Leaves a broken file where it is and an old one as it is: for looking only. False if absent. */
  readOnly?: boolean;
}

const SETTLE_MS = 100;

type Reading =
  | { state: 'absent' }
  | { state: 'good'; text: string; config: Config; migrated: boolean }
  | { state: 'broken' | 'newer'; text: string; problem: string };

/**
 * Opens a configuration. Absent: defaults, and nothing is written before the first update. Broken: the file is kept aside and
 * named in `problems`, and defaults are used. Throws CONFIG_INVALID if it is from a newer Filebridge or can't be
 * read, and then leaves it alone.
 */
export async function openConfigStore(file: string, options: ConfigStoreOptions = {}): Promise<WatchingConfigStore> {
  // A link to the file, as dotfile keepers make, stays a link: what it leads to is replaced.
  const target = await realpath(file).catch(() => path.resolve(file));
  let problems: ConfigProblem[] = [];
  const listeners = new Set<(config: Config) => void>();
  const reading = await readConfig(target);
  if (reading.state === 'newer') throw invalid(target, reading.problem);
  if (reading.state === 'broken' && options.readOnly) {
    problems.push({
      kind: 'ignored',
      message: `The configuration '${file}' is not valid, and defaults are used: ${reading.problem}`,
      hint: 'Correct the file',
    });
  } else if (reading.state === 'broken') {
    const aside = await keepAside(target);
    problems.push(setAside(aside, reading.problem));
  }
  let config = reading.state === 'good' ? reading.config : configSchema.parse({ version: CONFIG_VERSION });
  let knownText = reading.state === 'good' ? reading.text : undefined;
  if (reading.state === 'good' && reading.migrated && !options.readOnly) knownText = await write(reading.config);

  async function write(next: Config): Promise<string> {
    const text = `${JSON.stringify(next, null, 2)}\n`;
    await writeFileAtomic(target, text);
    return text;
  }

  /** A change made here says nothing about a file that was kept aside; one that comes from outside takes its place. */
  function adopt(next: Config, text: string, settled: readonly ConfigProblem['kind'][]): void {
    config = next;
    knownText = text;
    problems = problems.filter(({ kind }) => !settled.includes(kind));
    for (const listener of [...listeners]) listener(config);
  }

  const inTurn = oneAtATime();

  async function update(change: (config: Config) => Config): Promise<Config> {
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    return await withFileLock(`${target}.lock`, async () => {
      const now = await readConfig(target);
      if (now.state === 'broken' || now.state === 'newer') throw invalid(target, `${now.problem}. Nothing was changed`);
      const base = now.state === 'good' ? now.config : config;
      const changed = change(structuredClone(base));
      const checked = configSchema.safeParse(changed);
      if (!checked.success) {
        throw invalid(target, `${schemaFaults(checked.error, configSchema, changed)}. Nothing was changed`);
      }
      adopt(checked.data, await write(checked.data), ['ignored']);
      return config;
    });
  }

  /** Even a text that was judged before is judged `again`. */
  async function reload(again: boolean): Promise<void> {
    const now = await readConfig(target);
    // Absent is a moment in many editors' way of saving; what was read last stays in force.
    if (now.state === 'absent') return;
    const known = now.text === knownText;
    if (known && !again) return;
    knownText = now.text;
    if (now.state === 'good') return adopt(now.config, now.text, known ? ['ignored'] : ['ignored', 'set_aside']);
    problems = [
      ...problems.filter(({ kind }) => kind !== 'ignored'),
      {
        kind: 'ignored',
        message: `The edited configuration is not valid and was not taken over: ${now.problem}`,
        hint: 'What was in force before stays so. Correct the file, or let Filebridge write over it what is in force',
      },
    ];
    for (const listener of [...listeners]) listener(config);
  }

  /** Takes over a file that was kept aside, if it has been repaired there. */
  async function takeBack(): Promise<void> {
    const aside = problems.flatMap((problem) => (problem.kind === 'set_aside' ? problem.path : []))[0];
    if (aside === undefined) return;
    const repaired = await readConfig(aside);
    if (repaired.state === 'good') {
      await withFileLock(`${target}.lock`, async () => {
        adopt(repaired.config, await write(repaired.config), ['ignored', 'set_aside']);
      });
    } else if (repaired.state !== 'absent') {
      problems = problems.map((problem) => (problem.kind === 'set_aside' ? setAside(aside, repaired.problem) : problem));
    }
  }

  /** What is broken goes aside first, so that nothing of the user's is lost. */
  async function restore(): Promise<void> {
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    await withFileLock(`${target}.lock`, async () => {
      const now = await readConfig(target);
      if (now.state === 'newer') throw invalid(target, `${now.problem}. Nothing was changed`);
      if (now.state === 'broken') await keepAside(target);
      adopt(config, await write(config), ['ignored', 'set_aside']);
    });
  }

  const unwatched = (problem: ConfigProblem) => {
    problems = [...problems.filter(({ kind }) => kind !== problem.kind), problem];
  };
  const watcher = options.watch === false ? undefined : await watchFile(target, () => inTurn(() => reload(false)), unwatched);
  return {
    path: file,
    current: () => config,
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
        // Whoever asked for it has seen that it must be asked for.
        problems = problems.filter(({ kind }) => kind !== 'unwatched');
      }),
    restore: () => inTurn(restore),
    close: () => watcher?.close(),
  };
}

async function readConfig(file: string): Promise<Reading> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return { state: 'absent' };
    throw new AppError('CONFIG_INVALID', `The configuration '${file}' cannot be read`, {
      hint: 'Check that it is a file and that you may read it',
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
  if (migrated.state === 'unknown') return { state: 'broken', text, problem: 'it is not an object with a version number' };
  const checked = configSchema.safeParse(migrated.value);
  if (!checked.success) {
    return { state: 'broken', text, problem: schemaFaults(checked.error, configSchema, migrated.value) };
  }
  return { state: 'good', text, config: checked.data, migrated: migrated.state === 'migrated' };
}

const brokenMark = '.broken-';

/** The last broken file that was kept aside for this one, and what is wrong with it now: null if it has been repaired. */
export async function lastKeptAside(file: string): Promise<{ path: string; fault: string | null } | undefined> {
  const { dir, name, ext } = path.parse(await realpath(file).catch(() => path.resolve(file)));
  const names = await readdir(dir).catch(() => []);
  const last = names
    .filter((each) => each.startsWith(name + brokenMark) && each.endsWith(ext))
    .map((each) => each.slice(0, each.length - ext.length))
    .sort()
    .at(-1);
  if (last === undefined) return undefined;
  const aside = path.join(dir, last + ext);
  const reading = await readConfig(aside).catch(() => ({ state: 'broken', problem: 'it cannot be read' }) as const);
  if (reading.state === 'absent') return undefined;
  return { path: aside, fault: reading.state === 'good' ? null : reading.problem };
}

/** Moves a broken file beside its place, over nothing that is there. Gives its new path. */
async function keepAside(file: string): Promise<string> {
  const { dir, name, ext } = path.parse(file);
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  for (let attempt = 1; ; attempt += 1) {
    const aside = path.join(dir, `${name}${brokenMark}${time}${attempt === 1 ? '' : `-${attempt}`}${ext}`);
    try {
      await copyFile(file, aside, constants.COPYFILE_EXCL);
      await unlink(file);
      return aside;
    } catch (cause) {
      if (errnoOf(cause) === 'EEXIST') continue;
      throw new AppError('CONFIG_INVALID', `The configuration '${file}' is broken and could not be kept aside`, {
        hint: 'Repair it or move it away; nothing was changed',
        details: { path: file },
        cause,
      });
    }
  }
}

/** Watches the directory, since the file itself is replaced at each writing. Never keeps the process alive. */
async function watchFile(
  file: string,
  changed: () => Promise<void>,
  unwatched: (problem: ConfigProblem) => void,
): Promise<FSWatcher | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const report = (error: unknown) => {
    unwatched({
      kind: 'unwatched',
      message: `Edits of the configuration by other programs are not noticed: ${String(error)}`,
      hint: 'After such an edit, let Filebridge read the file again',
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
    // A home that cannot be written or watched is no reason not to start.
    report(error);
    return undefined;
  }
}

const setAside = (aside: string, fault: string): ConfigProblem => ({
  kind: 'set_aside',
  message: `The configuration was not valid; it is kept as '${aside}', and defaults are used: ${fault}`,
  hint: 'Correct that file and let Filebridge read it again, or begin anew',
  path: aside,
});

function invalid(file: string, problem: string): AppError {
  return new AppError('CONFIG_INVALID', `The configuration '${file}' is not valid: ${problem}`, {
    hint: 'Correct the file',
    details: { path: file },
  });
}
