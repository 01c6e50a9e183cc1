/** The commands: one table of their options, from which arguments are parsed and help is printed. */
import { joinCommand } from '../../shared/lib/command-line.ts';

interface Option {
  readonly type: 'string' | 'boolean';
  /** What stands for the value in the help. */
  readonly value?: string;
  readonly what: string;
  readonly multiple?: true;
}

interface Command {
  /** The arguments; empty for a command without any. */
  readonly takes: string;
  readonly what: string;
  readonly options: Readonly<Record<string, Option>>;
  readonly examples: readonly string[];
}

const config = { type: 'string', value: 'FILE', what: 'configuration file (or FILEBRIDGE_CONFIG)' } as const;
const upstreams = {
  type: 'string',
  value: 'FILE',
  what: 'servers from a standard "mcpServers" file, instead of the configured ones',
} as const;
const json = { type: 'boolean', what: 'prints JSON for programs' } as const;
const common = { config, upstreams, json } as const;

export const commands = {
  serve: {
    takes: '--stdio [DIR…] | --http',
    what: 'MCP server for an agent, which may read and change DIR instead of the configured folders',
    options: {
      stdio: { type: 'boolean', what: 'on standard input and output' },
      http: { type: 'boolean', what: 'on http://127.0.0.1:<port>/mcp, with a bearer token' },
      port: { type: 'string', value: 'N', what: 'port of --http, instead of the configured one' },
      config,
      upstreams,
    },
    examples: ['serve --stdio', 'serve --stdio ~/data --upstreams servers.json', 'serve --http --port 7410'],
  },
  console: {
    takes: '[DIR…]',
    what: 'serves agents by HTTP, and shows the window in a browser',
    options: { port: { type: 'string', value: 'N', what: 'port of the window' }, config, upstreams },
    examples: ['console', 'console --port 8080'],
  },
  convert: {
    takes: 'FILE',
    what: 'prints the JSON a tool would be given',
    options: { config },
    examples: ['convert users.csv', 'convert users.csv --types string', 'convert book.xlsx --sheet Sales --range A5:Z'],
  },
  preview: {
    takes: 'FILE',
    what: 'format, columns, counts and first rows of a file',
    options: {
      rows: { type: 'string', value: 'N', what: 'rows to show, at most 1000' },
      config,
      json: {
        type: 'boolean',
        what: 'prints JSON for programs; without it, JSON as an agent gets it, and a summary at a terminal',
      },
    },
    examples: ['preview users.csv', 'preview users.csv --rows 20', 'preview data.zip --entry users.csv --json'],
  },
  connect: {
    takes: '[CLIENT [DIR…]]',
    what: "puts Filebridge into an agent's own configuration, with folders as serve takes them; without CLIENT, lists the agents",
    options: {
      print: { type: 'boolean', what: 'only shows what would change' },
      disconnect: { type: 'boolean', what: 'takes it out again' },
      undo: { type: 'boolean', what: 'puts the file back as it was' },
      replace: { type: 'boolean', what: "replaces another program's entry called 'filebridge' without asking" },
      ...common,
    },
    examples: ['connect', 'connect cursor', 'connect claude-desktop ~/data --upstreams servers.json'],
  },
  list: {
    takes: '',
    what: 'the folders and servers that agents can use',
    options: common,
    examples: ['list', 'list --json'],
  },
  'add-folder': {
    takes: 'DIR',
    what: 'lets agents read the files in DIR',
    options: { write: { type: 'boolean', what: 'lets them change files too' }, config, json },
    examples: ['add-folder ~/Documents', 'add-folder ~/exports --write'],
  },
  'remove-folder': {
    takes: 'DIR',
    what: 'closes DIR to agents again',
    options: { config, json },
    examples: ['remove-folder ~/exports', 'remove-folder ~/exports --json'],
  },
  'add-server': {
    takes: "'TEXT' | --file FILE",
    what: "adds what a server's instructions give: a command, an address, a snippet, a bundle (.mcpb)",
    options: {
      file: {
        type: 'string',
        value: 'FILE',
        what: 'a file with the snippet, or a bundle; without TEXT and FILE, standard input',
      },
      name: { type: 'string', value: 'NAME', what: 'the name of the server' },
      env: {
        type: 'string',
        value: 'NAME=VALUE',
        what: "a value that the server asks for, a variable or a header; '${NAME}' refers to an environment variable",
        multiple: true,
      },
      'no-test': { type: 'boolean', what: 'only adds it, without starting it once to list its tools' },
      config,
      json,
    },
    examples: [
      "add-server 'npx -y mcp-sqlite-tools' --name db",
      "add-server https://example.com/mcp --env Authorization='Bearer ${TOKEN}'",
      'add-server --file snippet.json',
    ],
  },
  'remove-server': {
    takes: 'NAME',
    what: 'removes a server',
    options: { config, json },
    examples: ['remove-server db', 'remove-server db --json'],
  },
  audit: {
    takes: '[SERVER…]',
    what: "shows which servers' parameters can hold a file, and what takes it instead",
    options: common,
    examples: ['audit', 'audit db', 'audit --upstreams servers.json'],
  },
  'sign-in': {
    takes: 'SERVER',
    what: 'signs in to a remote server in the browser',
    options: {
      'no-browser': { type: 'boolean', what: 'only prints the link' },
      store: { type: 'string', value: 'file', what: 'keeps the tokens in a file only you can read' },
      'client-id': { type: 'string', value: 'ID', what: 'of an app that you registered with the server' },
      'client-secret-env': { type: 'string', value: 'NAME', what: 'the environment variable with its secret' },
      ...common,
    },
    examples: ['sign-in linear --store file', 'sign-in linear --no-browser'],
  },
  'sign-out': {
    takes: 'SERVER',
    what: 'forgets a sign-in',
    options: common,
    examples: ['sign-out linear', 'sign-out linear --json'],
  },
  doctor: {
    takes: '[DIR…]',
    what: 'checks configuration, folders, servers, port and clients',
    options: common,
    examples: ['doctor', 'doctor ~/data --upstreams servers.json'],
  },
  'practice-server': {
    takes: '',
    what: 'an MCP server on standard input and output to practise with, as the guide does',
    options: { tables: { type: 'boolean', what: 'with tools that keep rows in memory' } },
    examples: ['practice-server', 'practice-server --tables'],
  },
} as const satisfies Record<string, Command>;

export type CommandName = keyof typeof commands;

/** Options of a command that those named in its hints need too, to work on the same configuration. */
export interface Given {
  config?: string | undefined;
  upstreams?: string | undefined;
}

/** ` --config FILE` and the like, as far as the command takes them. */
export const givenOptions = (name: CommandName, given: Given): string =>
  (['config', 'upstreams'] as const)
    .filter((option) => given[option] !== undefined && Object.hasOwn(commands[name].options, option))
    .map((option) => ` --${option} ${joinCommand([given[option] ?? ''])}`)
    .join('');

/** A command for a hint, in quotes: `'filebridge add-folder DIR --config c.json'`. */
export const commandHint = (name: CommandName, takes: string, given: Given): string =>
  `'${`filebridge ${name} ${takes}`.trimEnd()}${givenOptions(name, given)}'`;

export const isCommand = (name: string): name is CommandName => Object.hasOwn(commands, name);

const columns = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
};

export function generalHelp(version: string): string {
  const rows = Object.entries(commands).map(([name, { takes, what }]) => [`${name} ${takes}`.trimEnd(), what] as const);
  return `Filebridge ${version}: hands files to MCP tools by path

Usage: filebridge <command> [options]

${columns(rows)}

'filebridge help <command>' shows its options and examples; --version prints the version.
Exit codes: 0 done, 1 failed, 2 wrong usage.
`;
}

/** `more`: lines for further options. */
export function commandHelp(name: CommandName, more = ''): string {
  const { takes, what, options, examples }: Command = commands[name];
  const rows = Object.entries(options).map(
    ([option, { value, what: does }]) => [`--${option}${value === undefined ? '' : ` ${value}`}`, does] as const,
  );
  return `Usage: filebridge ${`${name} ${takes}`.trimEnd()} [options]

${what[0]?.toUpperCase()}${what.slice(1)}.

Options
${columns(rows)}
${more === '' ? '' : `\nReading the file (an agent's parameters of the same names)\n${more}\n`}
Examples
${examples.map((example) => `  filebridge ${example}`).join('\n')}
`;
}
