/** Parses command-line arguments strictly, and distinguishes wrong usage from failed work. */

import { parseArgs } from 'node:util';
import { inAgentsWords, nearNames, say, type Text } from '../../shared/model/messages/message.ts';
import { expandHome } from '../files/paths.ts';

/** Wrong usage: exit code 2. */
export class UsageError extends Error {
  constructor(message: Text) {
    super(inAgentsWords(message));
  }
}

type Options = Record<string, { type: 'string' | 'boolean'; multiple?: boolean }>;
type Parsed<T extends Options> = {
  values: {
    [K in keyof T]?: T[K] extends { multiple: true } ? string[] : T[K]['type'] extends 'string' ? string : boolean;
  };
  positionals: string[];
};

/** What to say of an unknown option, given its name and what may be its value; undefined for the usual words. */
type Elsewhere = (name: string, value: string | undefined) => Text | undefined;

/** `util.parseArgs`, strict, with UsageErrors. `~` is the home folder in options that name files. */
export function parse<T extends Options>(args: string[], options: T, elsewhere?: Elsewhere): Parsed<T> {
  const { values, positionals, tokens } = parseArgs({ args, options, allowPositionals: true, strict: false, tokens: true });
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'option') continue;
    const next = tokens[index + 1];
    const value = token.value ?? (next?.kind === 'positional' ? next.value : undefined);
    const known = Object.hasOwn(options, token.name) ? undefined : elsewhere?.(token.name, value);
    if (known !== undefined) throw new UsageError(known);
    check(token, options);
  }
  return { values: withHome(values) as Parsed<T>['values'], positionals };
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

/** Rewords the errors of parseArgs's strict mode. */
function check({ name, rawName: option, value, inlineValue }: OptionToken, options: Options): void {
  const type = Object.hasOwn(options, name) ? options[name]?.type : undefined;
  if (type === undefined)
    throw new UsageError(
      say('usage.unknownOption', {
        option,
        near:
          nearNames(
            option,
            Object.keys(options).map((known) => `--${known}`),
          ) ?? null,
      }),
    );
  if (type === 'boolean') {
    if (value !== undefined) throw new UsageError(say('usage.valueUnused', { option }));
    return;
  }
  if (value === undefined) throw new UsageError(say('usage.noValue', { option }));
  // The next option was probably meant as one, not as the value.
  if (!inlineValue && /^-./.test(value)) throw new UsageError(say('usage.dashValue', { option }));
}

/** What an MCP bundle's host passes for a value that a person left open. */
const isLeftOpen = (value: unknown): boolean =>
  value === '' || (typeof value === 'string' && /^\$\{user_config\.\w+\}$/.test(value));

/** Clients start us without a shell, which would expand `~`. */
function withHome(values: object): object {
  const isPath = (name: string) => name === 'config' || name === 'upstreams' || name === 'file';
  const inPlace = ([name, value]: [string, unknown]) => [
    name,
    isPath(name) && typeof value === 'string' ? expandHome(value) : value,
  ];
  const given = Object.entries(values).filter(([name, value]) => name !== 'upstreams' || !isLeftOpen(value));
  return Object.fromEntries(given.map(inPlace));
}

/** Folders as they are named on a command line. */
export const folderArguments = (named: readonly string[]): string[] => named.map((folder) => expandHome(folder));

/** A port number from an option, or undefined. */
export function portOption(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const port = Number(value);
  if (!/^\d+$/.test(value) || port > 65535) throw new UsageError(say('usage.port', { port: value }));
  return port;
}
