/** Finds the PATH of the user's terminal, which a program started from a desktop lacks. */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** Time limit for a login shell that hangs (milliseconds). */
const SHELL_TIMEOUT_MS = 4_000;

let shellPath: Promise<string | null> | null = null;

/** Asks the login shell once per process; null without a shell or an answer in time. */
function loginShellPath(): Promise<string | null> {
  shellPath ??= (async () => {
    const { shellEnv } = await import('shell-env');
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), SHELL_TIMEOUT_MS);
    });
    const found = shellEnv().then(
      (env) => env.PATH ?? null,
      () => null,
    );
    const answer = await Promise.race([found, timeout]);
    clearTimeout(timer);
    return answer;
  })();
  return shellPath;
}

/** Appends the folders of `more` that `current` lacks. */
export function mergePaths(current: string, more: string): string {
  return [...new Set([...current.split(path.delimiter), ...more.split(path.delimiter)])].filter(Boolean).join(path.delimiter);
}

/** Whether this PATH contains `command`. */
export function isOnPath(command: string, searchPath: string): boolean {
  if (command.includes('/')) return true;
  return searchPath
    .split(path.delimiter)
    .filter(Boolean)
    .some((folder) => {
      try {
        accessSync(path.join(folder, command), constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/**
 * This process's environment with a PATH in which `command` should be found. The login shell is asked only if this
 * process does not descend from a shell (SHLVL is unset, as after a start from a dock or menu) or lacks the command;
 * its folders come after the present ones, so that nothing found now changes. On Windows programs see the user's PATH.
 */
export async function environmentFor(command: string, env: NodeJS.ProcessEnv = process.env): Promise<NodeJS.ProcessEnv> {
  if (process.platform === 'win32') return env;
  const current = env.PATH ?? '';
  if (env.SHLVL !== undefined && isOnPath(command, current)) return env;
  const more = await loginShellPath();
  return more === null ? env : { ...env, PATH: mergePaths(current, more) };
}
