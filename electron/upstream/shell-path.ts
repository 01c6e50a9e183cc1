/** Finds the programs of the user's terminal, whose PATH a program started from a dock or menu lacks. */
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { within } from '../../shared/lib/within.ts';

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
  /** Never rejects; undefined without an answer. */
  path: Promise<string | undefined>;
}

let asked: Asked | null = null;

function ask(): Asked {
  const now = performance.now();
  const path = import('shell-env').then(async ({ shellEnv }) => (await shellEnv()).PATH).catch(() => undefined);
  const asking: Asked = { at: now, answered: false, path };
  void path.then((found) => {
    asking.answered = true;
    if (found === undefined && asked === asking) asked = null;
  });
  return asking;
}

/** The PATH of the login shell; undefined without a shell, or without an answer in time. */
async function loginShellPath(command: string, limits: typeof LIMITS): Promise<string | undefined> {
  const age = asked === null ? 0 : performance.now() - asked.at;
  if (asked === null || (!asked.answered && age >= limits.hangs)) asked = ask();
  const found = await within(limits.patience, asked.path);
  if (found === undefined || isOnPath(command, found) || age <= limits.fresh) return found;
  asked = ask();
  return (await within(limits.patience, asked.path)) ?? found;
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
  return own === undefined ? env : { ...env, PATH: mergePaths(own, current) };
}
