/**
 * Where programs and the system keep their own files: closed, unless an allowed folder lies inside or the person names the place. Each line has a
 * path that it closes, which a test tries. Unlike the names that are recognised anywhere, these hold from the root of a disk, so that nothing is
 * closed in a copy of them.
 */
import { compilePatterns, type PathPatterns } from './path-patterns.ts';

/** Home folders on the three systems, and those that Windows' subsystem for Linux sees. */
const homes = ['/home/*/', '/var/home/*/', '/root/', '/Users/*/', '/*:/Users/*/', '/mnt/*/Users/*/'];

type Line = readonly [pattern: string, example: string];

/** Entries of a home folder that hold what programs know: logins, histories, mail, browsers. Neither read nor written. */
const privateAtHome: readonly Line[] = [
  ['.*/', '.unknown/start.sh'],
  ['AppData/', 'AppData/Roaming/Unknown/settings.json'],
  ['Library/', 'Library/Preferences/a.plist'],
  ['snap/', 'snap/unknown/common/a'],
];

/** Entries of a home folder from which programs run. Not written. */
const runAtHome: readonly Line[] = [
  ['bin/', 'bin/ls'],
  ['go/bin/', 'go/bin/gopls'],
  ['Applications/', 'Applications/A.app/Contents/MacOS/a'],
  ['scoop/', 'scoop/shims/a.exe'],
];

/** Below `Library` on macOS, cloud drives hold a person's own files. */
const cloudDrives = ['Library/Mobile Documents/', 'Library/CloudStorage/'];

const privatePlaces: readonly Line[] = [
  ['/etc/', '/etc/hosts'],
  // Not `/run/media`, where disks appear.
  ['/run/{user,secrets}/', '/run/user/1000/a'],
  ['/var/{run,lib,spool,cron}/', '/var/lib/dpkg/info/a.postinst'],
  ['/Library/', '/Library/Security/SecurityAgentPlugins/a'],
  ['/*:/Windows/', 'C:\\Windows\\System32\\drivers\\etc\\hosts'],
  ['/*:/ProgramData/', 'C:\\ProgramData\\a\\a.ini'],
];

const runningPlaces: readonly Line[] = [
  ['/{bin,sbin,usr,opt,nix,snap,boot}/', '/usr/local/bin/ls'],
  ['/lib*/', '/lib64/ld.so'],
  ['/{Applications,System}/', '/Applications/A.app/Contents/MacOS/a'],
  ['/*:/Program Files*/', 'C:\\Program Files\\Git\\etc\\profile.d\\a.sh'],
];

const inHomes = (lines: readonly Line[]): Line[] =>
  homes.flatMap((home) =>
    lines.map(([pattern, example]) => [home + pattern, home.replaceAll('*:', 'C:').replaceAll('*', 'ann') + example] as const),
  );

/** Closed for reading and writing, and for writing alone. */
export const closedPlaces = {
  reading: [...inHomes(privateAtHome), ...privatePlaces],
  writing: [...inHomes([...privateAtHome, ...runAtHome]), ...privatePlaces, ...runningPlaces],
} as const;

type Access = keyof typeof closedPlaces;

const drives = compilePatterns(cloudDrives);
const compiled = new Map<string, PathPatterns>();

function placesFor(home: string, access: Access): PathPatterns {
  const key = `${access} ${home}`;
  let found = compiled.get(key);
  if (found === undefined) {
    const own = home.replaceAll('\\', '/').replace(/\/?$/, '/').replace(/^\/?/, '/');
    const lines = access === 'reading' ? privateAtHome : [...privateAtHome, ...runAtHome];
    const inHome = own === '/' ? [] : lines.map(([pattern]) => own + pattern);
    found = compilePatterns([...closedPlaces[access].map(([pattern]) => pattern), ...inHome]);
    compiled.set(key, found);
  }
  return found;
}

/**
 * The name in `realPath` of a directory for programs' files that is closed for this access, unless `folder`, the allowed one, lies in such a
 * directory itself, or the name is among those that the person `allowed`.
 */
export function systemNameIn(
  realPath: string,
  folder: string,
  home: string,
  access: Access,
  allowed: readonly string[] = [],
): string | undefined {
  const places = placesFor(home, access);
  const permitted = new Set(allowed.map((entry) => entry.toLowerCase()));
  const name = places.nameIn(realPath, (segment) => permitted.has(segment.toLowerCase()));
  if (name === undefined || drives.nameIn(realPath) !== undefined || places.nameIn(folder) !== undefined) return undefined;
  return name;
}
