/** The command line's commands. Says what fails on stderr; exit codes: 0 done, 1 failed, 2 wrong usage. */
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { programInfo } from '../app/program-info.ts';
import { log } from './terminal.ts';
import { UsageError } from './usage.ts';

const help = (options: string): string => `Filebridge ${programInfo.version}: hands files to MCP tools by path

Usage: filebridge <command> [options]

  serve --stdio [DIR…]         MCP server on stdin and stdout, for a client's own configuration
  serve --http [--port N]      MCP server on http://127.0.0.1:<port>/mcp, with a bearer token
  console [--port N]           the same, and its window in a browser
  convert FILE                 prints the JSON a tool would be given
  preview FILE                 format, columns, counts and first rows of a file
  connect [CLIENT [DIR…]]      puts Filebridge into an agent's own configuration; without CLIENT, lists the agents
  list                         the folders and servers that agents can use
  add-folder DIR [--write]     lets agents read files in DIR, or change them too; remove-folder DIR
  add-server TEXT              adds what a server's instructions give: a command, an address, a snippet; remove-server NAME
  audit [SERVER…]              shows which servers' parameters can hold a file, and what takes it instead
  sign-in SERVER               signs in to a remote server in the browser; sign-out SERVER forgets it
  doctor [DIR…]                checks configuration, folders, servers, port and clients

Options of convert and preview (an agent's parameters of the same names)
${options}
  of preview:
    --rows N

Options of connect
  --print    only shows what would change    --disconnect    takes it out again    --undo    puts the file back as it was
  --replace  replaces another program's entry called 'filebridge' without asking

Options of sign-in
  --no-browser    only prints the link    --store file    keeps the tokens in a file only you can read

Options
  --config FILE                configuration file (or FILEBRIDGE_CONFIG)
  --upstreams FILE             servers from a standard "mcpServers" file, instead of the configured ones
  --help, --version            after a command too

Exit codes: 0 done, 1 failed, 2 wrong usage.
`;

async function sayHelp(): Promise<void> {
  const { conversionHelp } = await import('./conversion-options.ts');
  process.stdout.write(help(conversionHelp()));
}

type Command = (args: string[]) => Promise<number>;

const commands: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./serve.ts')).serve,
  console: async () => (await import('./console.ts')).consoleCommand,
  convert: async () => (await import('./convert.ts')).convertCommand,
  preview: async () => (await import('./convert.ts')).previewCommand,
  connect: async () => (await import('./connect.ts')).connectCommand,
  list: async () => (await import('./configure.ts')).listCommand,
  'add-folder': async () => (await import('./configure.ts')).addFolder,
  'remove-folder': async () => (await import('./configure.ts')).removeFolder,
  'add-server': async () => (await import('./add-server.ts')).addServer,
  'remove-server': async () => (await import('./add-server.ts')).removeServer,
  audit: async () => (await import('./audit.ts')).audit,
  'sign-in': async () => (await import('./sign-in.ts')).signInCommand,
  'sign-out': async () => (await import('./sign-in.ts')).signOutCommand,
  doctor: async () => (await import('./doctor.ts')).doctor,
  // For the app itself, so --help does not name it.
  'practice-server': async () => (await import('./practice-server.ts')).practiceServer,
};

async function command([name, ...args]: string[]): Promise<number> {
  if (name === undefined) throw new UsageError(say('usage.noCommand'));
  if (name === '--help' || name === '-h' || name === 'help') {
    await sayHelp();
    return 0;
  }
  if (name === '--version' || name === '-v') {
    process.stdout.write(`${programInfo.version}\n`);
    return 0;
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!load) throw new UsageError(say('usage.unknownCommand', { command: name }));
  if (args.includes('--help') || args.includes('-h')) {
    await sayHelp();
    return 0;
  }
  if (args.includes('--version')) {
    process.stdout.write(`${programInfo.version}\n`);
    return 0;
  }
  return (await load())(args);
}

/** Never throws. */
export async function runCommand(args: string[]): Promise<number> {
  try {
    return await command(args);
  } catch (error) {
    if (error instanceof UsageError) {
      log(`${error.message} (see 'filebridge --help')`);
      return 2;
    }
    const text = error instanceof AppError ? error.text : error instanceof Error ? error.message : String(error);
    log(text.replaceAll('\n', ' '));
    return 1;
  }
}
