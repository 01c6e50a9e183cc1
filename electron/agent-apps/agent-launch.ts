/** Builds the command with which an agent starts its own stdio server: this program's runtime and the built command line. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import manifest from '../../package.json' with { type: 'json' };

/** Why the program's place goes away. */
export type TemporaryPlace = 'diskImage' | 'translocated' | 'mount' | 'npxCache';

/** How to start `filebridge serve --stdio` on this machine. */
export interface AgentLaunch {
  command: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** The program runs from a place that goes away: no agent's settings may name it. */
  temporary?: TemporaryPlace | undefined;
}

/** Another command of the same program, started in the same way. */
export function launchOf(
  { command, args, env = {} }: AgentLaunch,
  ...wanted: string[]
): Required<Omit<AgentLaunch, 'temporary'>> {
  return { command, args: [...args.slice(0, args.indexOf('serve')), ...wanted], env };
}

/** The start options of this instance that an agent's own server needs too. */
export interface StartedWith {
  configPath?: string | undefined;
  upstreamsFile?: string | undefined;
  folders?: readonly string[] | undefined;
}

/** The process that runs this program. */
interface Running {
  execPath: string;
  inElectron: boolean;
  /** The AppImage it was started from, and where that is mounted. */
  appImage?: string | undefined;
  appDirectory?: string | undefined;
}

/** Arguments of a `filebridge serve --stdio` that sees the same configuration, servers and folders from any directory. */
function serveArguments({ configPath, upstreamsFile, folders = [] }: StartedWith): string[] {
  const config = configPath ?? process.env.FILEBRIDGE_CONFIG;
  return [
    'serve',
    '--stdio',
    ...folders.map((folder) => path.resolve(folder)),
    ...(config ? ['--config', path.resolve(config)] : []),
    ...(upstreamsFile === undefined ? [] : ['--upstreams', path.resolve(upstreamsFile)]),
  ];
}

/** `directory` holds the built files. Inside Electron, the user needs no Node. */
export function stdioLaunch(directory: string, options: StartedWith, running: Running = whatRunsThis()): AgentLaunch {
  const { execPath, inElectron, appImage, appDirectory } = running;
  const args = serveArguments(options);
  // With another data directory it would not share secrets or pauses with this program.
  const data = process.env.FILEBRIDGE_DATA;
  const place: Record<string, string> = data ? { FILEBRIDGE_DATA: path.resolve(data) } : {};
  const runner = runnerCommand(directory);
  if (runner !== undefined) return { ...runner, args: [...runner.args, ...args], ...(data ? { env: place } : {}) };
  if (!inElectron) return { command: execPath, args: [path.join(directory, 'cli.js'), ...args], ...(data ? { env: place } : {}) };
  // Packed into an archive, which Electron's Node reads with `require` in every version.
  const temporary = temporaryPlace(execPath);
  const commandLine = path.join(directory, 'cli.cjs');
  const env = { ELECTRON_RUN_AS_NODE: '1', ...place };
  // A variable of the terminal's own AppImage would be inherited, too.
  if (appImage && appDirectory && execPath.startsWith(`${appDirectory}/`)) {
    return { command: appImage, args: [...requireFromAppImage(execPath, commandLine), ...args], env };
  }
  return { command: execPath, args: [commandLine, ...args], env, ...(temporary ? { temporary } : {}) };
}

/**
 * macOS mounts disk images below /Volumes, where other disks are as well, and runs a downloaded app from a hidden copy until
 * it is moved (App Translocation). An AppImage that does not say where it is lies in a mount of its own.
 */
function temporaryPlace(execPath: string): TemporaryPlace | undefined {
  if (execPath.includes('/AppTranslocation/')) return 'translocated';
  if (/^\/Volumes\/[^/]*Filebridge[^/]*\/Filebridge\.app\//i.test(execPath)) return 'diskImage';
  return /^\/tmp\/\.mount_/.test(execPath) ? 'mount' : undefined;
}

interface Runner {
  /** Where it keeps a package that it runs. */
  cache: RegExp;
  command: string;
  args(source: string): string[];
}

const named = (source: string) => `${manifest.name}@${source}`;

/** Programs that run a package without installing it. The folders are those of npm 7, pnpm 8 and Bun 1, and later ones. */
const runners: readonly Runner[] = [
  { cache: /^.*[\\/]_npx[\\/][^\\/]+(?=[\\/]node_modules[\\/])/, command: 'npx', args: (source) => ['-y', named(source)] },
  {
    cache: /^.*(?:[\\/]dlx[\\/][a-z0-9]{26,}(?:[\\/][^\\/]+)?|pnpm.*[\\/]dlx-\d+)(?=[\\/]node_modules[\\/])/,
    command: 'pnpm',
    // It takes the path in `name@file:path` for a relative one.
    args: (source) => (source.includes(':') ? [`--package=${source}`, 'dlx', manifest.name] : ['dlx', named(source)]),
  },
  {
    cache: /^.*[\\/]\.?bunx-[^\\/]+(?:[\\/][^\\/]+)?(?=[\\/]node_modules[\\/])/,
    command: 'bunx',
    args: (source) => [named(source)],
  },
];

/** Those caches are cleared: an agent asks the runner again, for what was asked for here. Undefined for any other place. */
function runnerCommand(directory: string): Pick<AgentLaunch, 'command' | 'args' | 'temporary'> | undefined {
  for (const { cache, command, args } of runners) {
    const [folder] = cache.exec(directory) ?? [];
    if (folder === undefined) continue;
    const { source, file } = sourceOf(folder);
    const run = args(source);
    const temporary = file === undefined || existsSync(file) ? undefined : 'npxCache';
    // Windows starts the scripts that they are by its command interpreter only.
    const started = process.platform === 'win32' ? { command: 'cmd', args: ['/c', command, ...run] } : { command, args: run };
    return { ...started, ...(temporary ? { temporary } : {}) };
  }
  return undefined;
}

/** Where the package was taken from, which the cache notes: a version of the registry's, a tarball, a repository or an address. */
function sourceOf(cache: string): { source: string; file?: string } {
  let noted: unknown;
  try {
    noted = JSON.parse(readFileSync(path.join(cache, 'package.json'), 'utf8')).dependencies[manifest.name];
  } catch {
    // Without its notes, it is taken for the registry's.
  }
  if (typeof noted !== 'string' || !noted.includes(':')) return { source: manifest.version };
  if (!noted.startsWith('file:')) return { source: noted };
  const file = path.resolve(cache, noted.slice('file:'.length));
  return { source: `file:${file}`, file };
}

/**
 * Node's own arguments that load the command line from wherever the AppImage will be mounted then. Its starter adds
 * `--no-sandbox` on some systems, which Node refuses, unless it finds one; here it stands in the place of a script's name.
 */
function requireFromAppImage(execPath: string, commandLine: string): string[] {
  const place = path.relative(path.dirname(execPath), commandLine);
  return ['-e', `require(require('node:path').join(process.execPath, '..', '${place}'))`, '--', '--no-sandbox'];
}

function whatRunsThis(): Running {
  return {
    execPath: process.execPath,
    inElectron: process.versions.electron !== undefined,
    appImage: process.env.APPIMAGE,
    appDirectory: process.env.APPDIR,
  };
}
