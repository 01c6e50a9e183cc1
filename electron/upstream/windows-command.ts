/** Starting commands on Windows, where `npx` is a batch file that only cmd.exe can run. */
import { existsSync } from 'node:fs';
import path from 'node:path';

export interface CommandPlan {
  command: string;
  args: string[];
  /** The arguments are already quoted and must be passed unchanged. */
  verbatim: boolean;
}

/** Looks up a variable case-insensitively, as Windows does. */
function variable(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const key = Object.keys(env).find((candidate) => candidate.toUpperCase() === name);
  return key === undefined ? undefined : env[key];
}

function findCommand(command: string, env: NodeJS.ProcessEnv, exists: (file: string) => boolean): string | null {
  const extensions = (variable(env, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';').filter(Boolean);
  const hasExtension = extensions.some((extension) => command.toLowerCase().endsWith(extension.toLowerCase()));
  const names = hasExtension ? [command] : extensions.map((extension) => command + extension.toLowerCase());
  const bare = !/[\\/]/.test(command);
  const folders = bare ? (variable(env, 'PATH') ?? '').split(';').filter(Boolean) : [''];
  for (const folder of folders) {
    for (const name of names) {
      const file = folder === '' ? name : path.win32.join(folder, name);
      if (exists(file)) return file;
    }
  }
  return null;
}

/** Escapes every special character of cmd.exe. */
function caretEscape(text: string): string {
  return text.replace(/([()\][%!^"`<>&|;, *?])/g, '^$1');
}

/**
 * Quotes one argument for a batch file run by cmd.exe: first by the rules of CommandLineToArgvW (backslashes before a
 * quote are doubled), then every character that cmd.exe reads as its own is escaped with a caret, twice because the
 * batch file passes its arguments through cmd.exe once more.
 */
function quoteForBatch(argument: string): string {
  const quoted = `"${argument.replace(/(?<!\\)(\\*)"/g, '$1$1\\"').replace(/(?<!\\)(\\*)$/, '$1$1')}"`;
  return caretEscape(caretEscape(quoted));
}

/** How to start `command` on Windows: executables directly, batch files through cmd.exe, unknown names as they are. */
export function resolveWindowsCommand(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  exists: (file: string) => boolean = existsSync,
): CommandPlan {
  const file = findCommand(command, env, exists);
  if (file === null || !/\.(cmd|bat)$/i.test(file)) return { command: file ?? command, args: [...args], verbatim: false };
  const name = caretEscape(path.win32.normalize(file));
  const line = [name, ...args.map(quoteForBatch)].join(' ');
  return { command: variable(env, 'COMSPEC') ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${line}"`], verbatim: true };
}
