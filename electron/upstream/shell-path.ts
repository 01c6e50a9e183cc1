/** Finds the programs of the user's terminal, whose PATH a program started from a dock or menu lacks. */
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

const windows = process.platform === 'win32';

/** Milliseconds. */
const LIMITS = {
  /** How long the start of a server waits for the login shell; a later answer serves later starts. */
  patience: 10_000,
  /** A shell without an answer for so long hangs: the next start asks another one. */
  hangs: 60_000,
  /** An older answer that lacks a command is asked for again: the program may have been installed since. */
  fresh: 5_000,
};

interface Asked {
  at: number;
  answered: boolean;
  /** Never rejects; null without an answer. */
  path: Promise<string | null>;
}

let asked: Asked | null = null;

function ask(): Asked {
  const now = performance.now();
  const path = import('shell-env').then(async ({ shellEnv }) => (await shellEnv()).PATH ?? null).catch(() => null);
  const asking: Asked = { at: now, answered: false, path };
  void path.then((found) => {
    asking.answered = true;
    if (found === null && asked === asking) asked = null;
  });
  return asking;
}

/** The PATH of the login shell; null without a shell, or without an answer in time. */
async function loginShellPath(command: string, limits: typeof LIMITS): Promise<string | null> {
  const age = asked === null ? 0 : performance.now() - asked.at;
  if (asked === null || (!asked.answered && age >= limits.hangs)) asked = ask();
  const found = await within(asked.path, limits.patience);
  if (found === null || isOnPath(command, found) || age <= limits.fresh) return found;
  asked = ask();
  return (await within(asked.path, limits.patience)) ?? found;
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  const value = await Promise.race([promise, end]);
  clearTimeout(timer);
  return value;
}

/** Appends the folders of `more` that `first` lacks. */
export function mergePaths(first: string, more: string): string {
  return searchedFolders(`${first}${path.delimiter}${more}`).join(path.delimiter);
}

export const searchedFolders = (searchPath: string): string[] => [
  ...new Set(searchPath.split(path.delimiter).filter((folder) => folder !== '')),
];

/** The file that `command` starts; undefined where none of the folders has one that may be run. */
export function programOnPath(command: string, searchPath: string): string | undefined {
  return searchedFolders(searchPath)
    .map((folder) => path.join(folder, command))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return statSync(file).isFile();
      } catch {
        return false;
      }
    });
}

/** Whether this PATH contains `command`. A path is taken as it is. */
export const isOnPath = (command: string, searchPath: string): boolean =>
  command.includes('/') || programOnPath(command, searchPath) !== undefined;

/**
 * This process's environment with a PATH in which `command` is the user's own. A process started by a terminal has that
 * PATH. Another one has the system's, where an old `npx` may be: the folders of the login shell come first. On Windows
 * programs see the user's PATH.
 */
export async function environmentFor(
  command: string,
  env: NodeJS.ProcessEnv = process.env,
  limits = LIMITS,
): Promise<NodeJS.ProcessEnv> {
  if (windows) return env;
  const current = env.PATH ?? '';
  // SHLVL alone is set by a launcher that is a shell script as well.
  if (env.SHLVL !== undefined && env.TERM !== undefined && isOnPath(command, current)) return env;
  const own = await loginShellPath(command, limits);
  return own === null ? env : { ...env, PATH: mergePaths(own, current) };
}
