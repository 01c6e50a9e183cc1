/** Parses command-line arguments strictly, and distinguishes wrong usage from failed work. */
import { parseArgs } from 'node:util';
import { expandHome } from '../files/named-path.ts';

/** Wrong usage: exit code 2. */
export class UsageError extends Error {}

/** Options every command takes. */
export const commonOptions = {
  config: { type: 'string' },
  upstreams: { type: 'string' },
  json: { type: 'boolean' },
} as const;

type Options = Record<string, { type: 'string' | 'boolean' }>;
type Parsed<T extends Options> = {
  values: { [K in keyof T]?: T[K]['type'] extends 'string' ? string : boolean };
  positionals: string[];
};

/** `util.parseArgs` with UsageErrors. `~` is the home folder in options that name files. */
export function parse<T extends Options>(args: string[], options: T): Parsed<T> {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true, strict: true });
    return { values: withHome(values) as Parsed<T>['values'], positionals };
  } catch (error) {
    const said = error instanceof Error ? error.message.replace(/\. To specify.*$/s, '') : String(error);
    const [, ambiguous] = /^Option '(--[\w-]+)[^']*' argument is ambiguous/.exec(said) ?? [];
    throw new UsageError(
      ambiguous ? `${ambiguous} needs a value; one that begins with a dash is given as ${ambiguous}=-…` : said,
    );
  }
}

/** Clients start us without a shell, which would expand `~`. */
function withHome(values: object): object {
  const isPath = (name: string) => name === 'config' || name === 'upstreams';
  const inPlace = ([name, value]: [string, unknown]) => [
    name,
    isPath(name) && typeof value === 'string' ? expandHome(value) : value,
  ];
  return Object.fromEntries(Object.entries(values).map(inPlace));
}

/** Folders as they are named on a command line. */
export const folderArguments = (named: readonly string[]): string[] => named.map((folder) => expandHome(folder));

/** A port number from an option, or undefined. */
export function portOption(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const port = Number(value);
  if (!/^\d+$/.test(value) || port > 65535) throw new UsageError(`--port must be a number from 0 to 65535, not '${value}'`);
  return port;
}
