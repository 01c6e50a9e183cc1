/** Errors of a server's process, worded so that the user can act on them. */
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../shared/model/errors.ts';
import { systemCode } from '../wire/error-causes.ts';
import type { FailureContext } from './failure-context.ts';
import { shownTarget } from './masking.ts';
import type { UpstreamProcess } from './upstream-process.ts';

/** Number of output lines quoted in an error. */
const LINES = 5;

/** Programs that commonly start servers, and how to install them. */
const installers: Record<string, string> = {
  npx: 'It comes with Node.js: install that from https://nodejs.org',
  node: 'Install Node.js from https://nodejs.org',
  npm: 'It comes with Node.js: install that from https://nodejs.org',
  uvx: 'It comes with uv: install that from https://docs.astral.sh/uv',
  uv: 'Install uv from https://docs.astral.sh/uv',
  python: 'Install Python from https://www.python.org; where it is there already, the command may be python3',
  python3: 'Install Python from https://www.python.org',
  pipx: 'Install pipx from https://pipx.pypa.io',
  docker: 'Install Docker Desktop from https://www.docker.com, and start it',
  podman: 'Install Podman from https://podman.io',
  deno: 'Install Deno from https://deno.com',
  bunx: 'It comes with Bun: install that from https://bun.sh',
  bun: 'Install Bun from https://bun.sh',
};

interface Complaint {
  what: string;
  hint: string;
}

/** Error messages of those programs with a plainer wording. The first match is used. */
const complaints: readonly (readonly [pattern: RegExp, explain: (match: RegExpMatchArray) => Complaint])[] = [
  [
    /npm (?:error|ERR!) 404\s+'?(@?[^\s']+?)(?:@[^\s'@]*)?'? (?:is not in|could not be found)|npm (?:error|ERR!) 404\s+The requested resource '(@?[^']+?)(?:@[^'@]*)?' could not/,
    ([, one, other]) => ({
      what: `the npm registry has no package '${one ?? other}'`,
      hint: 'Check its name in the arguments',
    }),
  ],
  [
    /npm (?:error|ERR!) code (?:ENOTFOUND|ETIMEDOUT|ECONNREFUSED|ECONNRESET|EAI_AGAIN)/,
    () => ({
      what: 'npx could not reach the npm registry to fetch it',
      hint: 'Check the network connection, and whether a proxy is needed',
    }),
  ],
  [
    /Because (\S+) was not found in the package registry/,
    ([, name]) => ({ what: `the Python registry has no package '${name}'`, hint: 'Check its name in the arguments' }),
  ],
  [
    /Cannot connect to the Docker daemon|error during connect.*docker|docker daemon is not running/i,
    () => ({ what: 'Docker is installed but does not run', hint: 'Start Docker Desktop, then try again' }),
  ],
  [
    /(?:pull access denied for|manifest for) (\S+?),? (?:not found|repository does not exist)/,
    ([, image]) => ({ what: `there is no Docker image '${image}' that may be used`, hint: 'Check its name in the arguments' }),
  ],
  [
    /Error: Cannot find module '([^']+)'[\s\S]*requireStack: \[\]/,
    ([, file]) => ({ what: `Node.js did not find the program '${file}'`, hint: 'Check the path in the arguments' }),
  ],
  [
    /can't open file '([^']+)': \[Errno 2\]/,
    ([, file]) => ({ what: `Python did not find the program '${file}'`, hint: 'Check the path in the arguments' }),
  ],
];

/** The exhausted resource, by system error code. */
const shortOf: Readonly<Record<string, string>> = {
  EMFILE: 'open files',
  ENFILE: 'open files',
  EAGAIN: 'processes',
  ENOMEM: 'memory',
};

/** Error for a process that could not start; null for other errors. */
export function spawnFailure(error: unknown, { name, upstream }: FailureContext): AppError | null {
  if (upstream.type !== 'stdio') return null;
  const { command, cwd } = upstream;
  const failure = (what: string, hint: string) => notStarted(name, { what, hint }, error);
  const code = systemCode(error);
  if (code === 'EACCES') {
    return isDirectory(command)
      ? failure(`'${command}' is a folder, not a program`, 'Give the path of a program in it')
      : failure(`command '${command}' may not be run`, 'Check that the file is executable');
  }
  const short = code === undefined ? undefined : shortOf[code];
  if (short !== undefined)
    return failure(
      `this computer is short of ${short} (${code})`,
      'Switch off servers that are not needed, or end other programs',
    );
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return null;
  // A missing working folder also gives ENOENT.
  if (cwd !== null && !existsSync(cwd)) return failure(`its working folder '${cwd}' does not exist`, `Correct cwd of '${name}'`);
  if (cwd !== null && !isDirectory(cwd))
    return failure(`its working folder '${cwd}' is not a folder`, `Correct cwd of '${name}'`);
  return failure(`command '${command}' was not found`, commandHint(command));
}

function commandHint(command: string): string {
  const [first = '', ...rest] = command.trim().split(/\s+/);
  if (/[\\/]/.test(first)) return 'There is no such file; check the path';
  if (rest.length > 0) return `Give '${first}' as the command, and '${rest.join("', '")}' as its arguments`;
  const known = installers[command.replace(/\.(?:exe|cmd)$/i, '').toLowerCase()];
  const looked = 'it was looked for in the PATH of this program and of your login shell';
  return known === undefined
    ? `Install it, or give its full path: ${looked}`
    : `${known}. If it is installed, give its full path: ${looked}`;
}

/** Error for a process that exited before the handshake; null otherwise. */
export function exitFailure(error: unknown, { name, upstream, process: child, stray }: FailureContext): AppError | null {
  if (!child?.exit || child.exit.asked) return null;
  const said = complaint(child);
  if (said) return notStarted(name, said, error);
  const hint = lastWords(child) ?? written(stray) ?? `Run '${shownTarget(upstream)}' in a terminal to see what is wrong`;
  return notStarted(name, { what: `it ended before it was ready (${describeExit(child)})`, hint }, error);
}

/** Error for output that is not MCP; null when there was none. */
export function strayFailure(error: unknown, { name, stray }: FailureContext): AppError | null {
  if (stray.length === 0) return null;
  return notStarted(
    name,
    {
      what: 'it does not speak MCP over its standard output',
      hint: `Check that the command is an MCP server of type stdio. ${written(stray)}`,
    },
    error,
  );
}

const written = (lines: readonly string[]) => (lines.length === 0 ? undefined : `It wrote: ${lines.slice(0, LINES).join(' / ')}`);

function notStarted(name: string, { what, hint }: Complaint, cause: unknown): AppError {
  return new AppError('UPSTREAM_UNREACHABLE', `Server '${name}' could not be started: ${what}`, { hint, cause });
}

function complaint(child: UpstreamProcess): Complaint | undefined {
  for (const [pattern, explain] of complaints) {
    const match = pattern.exec(child.stderrTail);
    if (match) return explain(match);
  }
  return undefined;
}

export function describeExit({ exit }: UpstreamProcess): string {
  return exit?.signal ? `ended by ${exit.signal}` : `exit code ${exit?.code}`;
}

/** Stack frames and lines that package managers add to every error; not quoted. */
const silentLine =
  /^at .+[:)]\d*|^Node\.js v\d|^[\^~{}]+$|A complete log of this run|^npm (?:error|ERR!)(?: \d+)?$|^npm (?:error|ERR!) \d* ?(?:Note that|tarball, folder)|^npm (?:warn|notice)/;

/** The lines that contain an error, or else the last lines. */
export function lastWords(child: UpstreamProcess): string | undefined {
  const lines = child.stderrTail
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !silentLine.test(line));
  const errors = lines.filter((line) => /\b\w*(Error|Exception)\b|\berror:/i.test(line));
  const said = (errors.length > 0 ? errors : lines).slice(-LINES);
  return said.length === 0 ? undefined : `It said: ${said.join(' / ')}`;
}

function isDirectory(place: string): boolean {
  return path.isAbsolute(place) && (statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false);
}
