/** Parses how this app was started. */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { expandHome } from '../files/paths.ts';

export interface LaunchOptions {
  configPath: string | undefined;
  upstreamsFile: string | undefined;
  folders: string[];
  /** Starts in the tray, without a window. */
  hidden: boolean;
}

/** The arguments after the app's own path; a packaged app has no path among them. */
export function ownArguments(argv: readonly string[], appPath: string, isPackaged: boolean): string[] {
  const at = isPackaged ? 0 : argv.findIndex((argument, index) => index > 0 && path.resolve(argument) === appPath);
  return argv.slice(Math.max(at, 0) + 1);
}

const known = { config: { type: 'string' }, upstreams: { type: 'string' }, hidden: { type: 'boolean' } } as const;

/** The options `filebridge serve` takes. Chromium's and the platform's own switches pass by unread. */
export function commandLine(args: string[]): LaunchOptions {
  const { values, positionals } = parseArgs({
    args,
    strict: false,
    allowPositionals: true,
    options: known,
  });
  const place = (value: unknown) => (typeof value === 'string' ? expandHome(value) : undefined);
  return {
    configPath: place(values.config),
    upstreamsFile: place(values.upstreams),
    folders: positionals.map((folder) => expandHome(folder)),
    hidden: values.hidden === true,
  };
}

const absolute = (place: string): string => path.resolve(expandHome(place));

/** The same arguments for a start from another directory: at login, nobody knows where this one was. Hidden. */
export function loginArguments(args: string[]): string[] {
  const { tokens } = parseArgs({ args, strict: false, allowPositionals: true, tokens: true, options: known });
  const again = tokens.flatMap((token, place) => {
    if (token.kind === 'positional') return absolute(token.value);
    // Several short options may stand in one argument.
    if (token.kind !== 'option') return args[token.index] ?? [];
    if (token.name === 'hidden' || tokens[place - 1]?.index === token.index) return [];
    const isPath = token.name === 'config' || token.name === 'upstreams';
    return isPath && token.value !== undefined ? [token.rawName, absolute(token.value)] : (args[token.index] ?? []);
  });
  return ['--hidden', ...again];
}
