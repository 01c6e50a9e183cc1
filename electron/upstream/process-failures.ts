/** Errors of a server's process, worded so that the user can act on them. */
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { nearMisses } from '../../shared/lib/near-misses.ts';
import type { Upstream } from '../../shared/model/config.ts';
import { AppError } from '../../shared/model/errors.ts';
import { type Message, say, type Text } from '../../shared/model/messages/message.ts';
import type { Installation, Resource } from '../../shared/model/messages/phrases.ts';
import { systemCode } from '../wire/error-causes.ts';
import { shownTarget } from './masking.ts';
import { programOnPath, searchedFolders } from './shell-path.ts';
import type { UpstreamProcess } from './upstream-process.ts';

/** Number of output lines quoted in an error. */
const LINES = 5;

const nodejs = { product: 'Node.js', from: 'https://nodejs.org' };
const uv = { product: 'uv', from: 'https://docs.astral.sh/uv' };
const python = { product: 'Python', from: 'https://www.python.org', bundled: false };
const bun = { product: 'Bun', from: 'https://bun.sh' };

/** Programs that commonly start servers, and how to install them. */
const installations: Record<string, Installation> = {
  npx: { ...nodejs, bundled: true },
  node: { ...nodejs, bundled: false },
  npm: { ...nodejs, bundled: true },
  uvx: { ...uv, bundled: true },
  uv: { ...uv, bundled: false },
  python: { ...python, also: 'python3' },
  python3: python,
  pipx: { product: 'pipx', from: 'https://pipx.pypa.io', bundled: false },
  docker: { product: 'Docker Desktop', from: 'https://www.docker.com', bundled: false, also: 'start' },
  podman: { product: 'Podman', from: 'https://podman.io', bundled: false },
  deno: { product: 'Deno', from: 'https://deno.com', bundled: false },
  bunx: { ...bun, bundled: true },
  bun: { ...bun, bundled: false },
};

interface Complaint {
  why: Message;
  hint: Message;
}

/** Error messages of those programs with a plainer wording. The first match is used. */
const complaints: readonly (readonly [pattern: RegExp, explain: (match: RegExpMatchArray) => Complaint])[] = [
  [
    /npm (?:error|ERR!) 404\s+'?(@?[^\s']+?)(?:@[^\s'@]*)?'? (?:is not in|could not be found)|npm (?:error|ERR!) 404\s+The requested resource '(@?[^']+?)(?:@[^'@]*)?' could not/,
    ([, one, other]) => ({
      why: say('start.npmPackage', { name: String(one ?? other) }),
      hint: say('start.name.hint'),
    }),
  ],
  [
    /npm (?:error|ERR!) code (?:ENOTFOUND|ETIMEDOUT|ECONNREFUSED|ECONNRESET|EAI_AGAIN)/,
    () => ({ why: say('start.npmRegistry'), hint: say('start.npmRegistry.hint') }),
  ],
  [
    /Because (\S+) was not found in the package registry/,
    ([, name]) => ({ why: say('start.pythonPackage', { name: String(name) }), hint: say('start.name.hint') }),
  ],
  [
    /Cannot connect to the Docker daemon|error during connect.*docker|docker daemon is not running/i,
    () => ({ why: say('start.docker'), hint: say('start.docker.hint') }),
  ],
  [
    /(?:pull access denied for|manifest for) (\S+?),? (?:not found|repository does not exist)/,
    ([, name]) => ({ why: say('start.image', { name: String(name) }), hint: say('start.name.hint') }),
  ],
  [
    /Error: Cannot find module '([^']+)'[\s\S]*requireStack: \[\]/,
    ([, file]) => ({ why: say('start.program', { by: 'Node.js', file: String(file) }), hint: say('start.program.hint') }),
  ],
  [
    /can't open file '([^']+)': \[Errno 2\]/,
    ([, file]) => ({ why: say('start.program', { by: 'Python', file: String(file) }), hint: say('start.program.hint') }),
  ],
];

/** The exhausted resource, by system error code. */
const shortOf: Readonly<Record<string, Resource>> = {
  EMFILE: 'files',
  ENFILE: 'files',
  EAGAIN: 'processes',
  ENOMEM: 'memory',
};

/** Error for a process that could not start; null for other errors. */
export function spawnFailure(error: unknown, { name, upstream, process: child }: FailureContext): AppError | null {
  if (upstream.type !== 'stdio') return null;
  const { command, cwd } = upstream;
  const failure = (why: Message, hint: Message) => notStarted(name, why, hint, error);
  const code = systemCode(error);
  if (code === 'EACCES') {
    return isDirectory(command)
      ? failure(say('start.folder', { command }), say('start.folder.hint'))
      : failure(say('start.notExecutable', { command }), say('start.notExecutable.hint'));
  }
  const resource = code === undefined ? undefined : shortOf[code];
  if (code !== undefined && resource !== undefined)
    return failure(say('start.short', { resource, code }), say('start.short.hint'));
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return null;
  const correctFolder = say('start.workingFolder.hint', { server: name });
  // A missing working folder also gives ENOENT.
  if (cwd !== null && !existsSync(cwd)) return failure(say('start.noWorkingFolder', { cwd }), correctFolder);
  if (cwd !== null && !isDirectory(cwd)) return failure(say('start.workingFile', { cwd }), correctFolder);
  return failure(say('start.notFound', { command }), commandHint(command, searchedFolders(child?.searchPath ?? '')));
}

function commandHint(command: string, searched: readonly string[]): Message {
  const [first = '', ...rest] = command.trim().split(/\s+/);
  if (/[\\/]/.test(first)) return say('start.noFile.hint');
  if (rest.length > 0) return say('start.arguments.hint', { command: first, args: rest });
  const known = installations[command.replace(/\.(?:exe|cmd)$/i, '').toLowerCase()];
  if (known !== undefined) return say('start.installFrom.hint', { ...known, searched });
  const [meant] = nearMisses(command, Object.keys(installations));
  return meant === undefined ? say('start.install.hint', { searched }) : say('start.near.hint', { meant, searched });
}

/** The file that a bare command started: there can be several of one name. Null where the command is a path. */
function programOf({ upstream, process: child }: FailureContext): string | null {
  if (upstream.type !== 'stdio' || /[\\/]/.test(upstream.command)) return null;
  return programOnPath(upstream.command, child?.searchPath ?? '') ?? null;
}

/** Error for a process that exited before the handshake; null otherwise. */
export function exitFailure(error: unknown, context: FailureContext): AppError | null {
  const { name, upstream, process: child, stray } = context;
  if (!child?.exit || child.exit.stopped) return null;
  const said = complaint(child);
  if (said) return notStarted(name, said.why, said.hint, error);
  const hint =
    lastWords(child) ?? (stray.length > 0 ? written(stray) : say('start.ended.hint', { command: shownTarget(upstream) }));
  return notStarted(name, say('start.ended', { program: programOf(context), exit: describeExit(child) }), hint, error);
}

/** Error for output that is not MCP; null when there was none. */
export function strayFailure(error: unknown, context: FailureContext): AppError | null {
  const { name, stray } = context;
  if (stray.length === 0) return null;
  return notStarted(
    name,
    say('start.stray', { program: programOf(context) }),
    say('start.stray.hint', { wrote: written(stray) }),
    error,
  );
}

const written = (lines: readonly string[]) => say('server.wrote', { lines: lines.slice(0, LINES) });

export function notStarted(server: string, reason: Text, hint: Text, cause: unknown): AppError {
  return new AppError('UPSTREAM_UNREACHABLE', say('server.notStarted', { server, reason }), { hint, cause });
}

function complaint(child: UpstreamProcess): Complaint | undefined {
  for (const [pattern, explain] of complaints) {
    const match = pattern.exec(child.stderrTail);
    if (match) return explain(match);
  }
  return undefined;
}

export function describeExit({ exit }: UpstreamProcess): Message {
  return exit?.signal ? say('server.endedBy', { signal: exit.signal }) : say('server.exitCode', { code: exit?.code ?? null });
}

/** Stack frames and lines that package managers add to every error; not quoted. */
const silentLine =
  /^at .+[:)]\d*|^Node\.js v\d|^[\^~{}]+$|A complete log of this run|^npm (?:error|ERR!)(?: \d+)?$|^npm (?:error|ERR!) \d* ?(?:Note that|tarball, folder)|^npm (?:warn|notice)/;

/** The lines that contain an error, or else the last lines. */
export function lastWords(child: UpstreamProcess): Message | undefined {
  const lines = child.stderrTail
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !silentLine.test(line));
  const errors = lines.filter((line) => /\b\w*(Error|Exception)\b|\berror:/i.test(line));
  const said = (errors.length > 0 ? errors : lines).slice(-LINES);
  return said.length === 0 ? undefined : say('server.said', { lines: said });
}

function isDirectory(place: string): boolean {
  return path.isAbsolute(place) && (statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false);
}

export interface FailureContext {
  name: string;
  upstream: Upstream;
  process: UpstreamProcess | null;
  /** Non-JSON lines on stdout before the first message. */
  stray: readonly string[];
}
