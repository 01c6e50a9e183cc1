/** The command line's commands. Says what fails on stderr; exit codes: 0 done, 1 failed, 2 wrong usage. */
import { parseArgs } from 'node:util';
import { AppError } from '../../shared/model/errors.ts';
import { nearNames, say } from '../../shared/model/messages/message.ts';
import { programInfo } from '../app/program-info.ts';
import { type CommandName, commandHelp, type Given, generalHelp, isCommand } from './commands.ts';
import { errorText, log } from './terminal.ts';
import { UsageError } from './usage.ts';

/** What `convert` and `preview` take besides. */
async function helpOf(name: CommandName): Promise<string> {
  if (name !== 'convert' && name !== 'preview') return commandHelp(name);
  const { conversionHelp } = await import('./conversion-options.ts');
  return commandHelp(name, conversionHelp());
}

type Run = (args: string[]) => Promise<number>;

const loaders: Record<CommandName, () => Promise<Run>> = {
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
  'practice-server': async () => (await import('./practice-server.ts')).practiceServer,
};

const unknownCommand = (command: string) =>
  say('usage.unknownCommand', { command, near: nearNames(command, Object.keys(loaders)) ?? null });

async function command([name, ...args]: string[]): Promise<number> {
  if (name === undefined) throw new UsageError(say('usage.noCommand'));
  const print = (text: string): number => {
    process.stdout.write(text);
    return 0;
  };
  const help = /^(?:--help|-h|help)$/.test(name);
  const [named] = args;
  if (help && named === undefined) return print(generalHelp(programInfo.version));
  if (help && named !== undefined && isCommand(named)) return print(await helpOf(named));
  if (help) throw new UsageError(unknownCommand(named ?? ''));
  if (name === '--version' || name === '-v') return print(`${programInfo.version}\n`);
  if (!isCommand(name)) throw new UsageError(unknownCommand(name));
  // What follows `--` is another program's.
  const own = args.slice(0, args.includes('--') ? args.indexOf('--') : undefined);
  if (own.includes('--help') || own.includes('-h')) return print(await helpOf(name));
  if (own.includes('--version')) return print(`${programInfo.version}\n`);
  return (await loaders[name]())(args);
}

/** The options of any command, for the hints of its errors. */
function givenIn(args: string[]): Given {
  const options = { config: { type: 'string' }, upstreams: { type: 'string' } } as const;
  const { config, upstreams } = parseArgs({ args, options, strict: false }).values;
  return { ...(typeof config === 'string' ? { config } : {}), ...(typeof upstreams === 'string' ? { upstreams } : {}) };
}

/** Never throws. */
export async function runCommand(args: string[]): Promise<number> {
  try {
    return await command(args);
  } catch (error) {
    if (error instanceof UsageError) {
      const [name = ''] = args;
      log(`${error.message} (see 'filebridge ${isCommand(name) ? `help ${name}` : '--help'}')`);
      return 2;
    }
    const text =
      error instanceof AppError ? errorText(error, givenIn(args)) : error instanceof Error ? error.message : String(error);
    log(text.replaceAll('\n', ' '));
    return 1;
  }
}
