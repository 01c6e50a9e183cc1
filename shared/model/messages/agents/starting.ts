/** Why a server's process does not start. */
import { type Installation, type Resource, seconds } from '../phrases.ts';

const looked = 'it was looked for in the PATH of this program and of your login shell';

export const starting = {
  'server.notStarted': ({ server, reason }: { server: string; reason: string }) =>
    `Server '${server}' could not be started: ${reason}`,
  'server.said': ({ lines }: { lines: readonly string[] }) => `It said: ${lines.join(' / ')}`,
  'server.wrote': ({ lines }: { lines: readonly string[] }) => `It wrote: ${lines.join(' / ')}`,

  'start.npmPackage': ({ name }: { name: string }) => `the npm registry has no package '${name}'`,
  'start.pythonPackage': ({ name }: { name: string }) => `the Python registry has no package '${name}'`,
  'start.image': ({ name }: { name: string }) => `there is no Docker image '${name}' that may be used`,
  'start.name.hint': 'Check its name in the arguments',
  'start.npmRegistry': 'npx could not reach the npm registry to fetch it',
  'start.npmRegistry.hint': 'Check the network connection, and whether a proxy is needed',
  'start.docker': 'Docker is installed but does not run',
  'start.docker.hint': 'Start Docker Desktop, then try again',
  'start.program': ({ by, file }: { by: string; file: string }) => `${by} did not find the program '${file}'`,
  'start.program.hint': 'Check the path in the arguments',

  'start.folder': ({ command }: { command: string }) => `'${command}' is a folder, not a program`,
  'start.folder.hint': 'Give the path of a program in it',
  'start.notExecutable': ({ command }: { command: string }) => `command '${command}' may not be run`,
  'start.notExecutable.hint': 'Check that the file is executable',
  'start.short': ({ resource, code }: { resource: Resource; code: string }) =>
    `this computer is short of ${resources[resource]} (${code})`,
  'start.short.hint': 'Switch off servers that are not needed, or end other programs',
  'start.noWorkingFolder': ({ cwd }: { cwd: string }) => `its working folder '${cwd}' does not exist`,
  'start.workingFile': ({ cwd }: { cwd: string }) => `its working folder '${cwd}' is not a folder`,
  'start.workingFolder.hint': ({ server }: { server: string }) => `Correct cwd of '${server}'`,
  'start.notFound': ({ command }: { command: string }) => `command '${command}' was not found`,
  'start.noFile.hint': 'There is no such file; check the path',
  'start.arguments.hint': ({ command, args }: { command: string; args: readonly string[] }) =>
    `Give '${command}' as the command, and '${args.join("', '")}' as its arguments`,
  'start.install.hint': `Install it, or give its full path: ${looked}`,
  'start.installFrom.hint': ({ product, from, bundled, also }: Installation) =>
    `${bundled ? `It comes with ${product}: install that` : `Install ${product}`} from ${from}${also === undefined ? '' : steps[also]}. If it is installed, give its full path: ${looked}`,

  'start.ended': ({ exit }: { exit: string }) => `it ended before it was ready (${exit})`,
  'start.ended.hint': ({ command }: { command: string }) => `Run '${command}' in a terminal to see what is wrong`,
  'start.stray': 'it does not speak MCP over its standard output',
  'start.stray.hint': ({ wrote }: { wrote: string }) => `Check that the command is an MCP server of type stdio. ${wrote}`,
  'start.slow': ({ server, ms }: { server: string; ms: number }) =>
    `Server '${server}' did not finish starting within ${seconds(ms)}`,
};

const resources: Record<Resource, string> = { files: 'open files', processes: 'processes', memory: 'memory' };
const steps = { start: ', and start it', python3: '; where it is there already, the command may be python3' };
