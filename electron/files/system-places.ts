/**
 * Where programs and the system keep their own files: written only where an allowed folder lies inside. Each line has a path
 * that it closes, which a test tries. Unlike the list of places that programs run from, these hold from the root of a disk, so
 * that nothing is closed in a copy of them.
 */
import { compilePatterns, type PathPatterns } from './path-patterns.ts';

/** Home folders on the three systems, and those that Windows' subsystem for Linux sees. */
const homes = ['/home/*/', '/var/home/*/', '/root/', '/Users/*/', '/*:/Users/*/', '/mnt/*/Users/*/'];

/** Entries of a home folder that belong to programs. */
const ofPrograms: readonly (readonly [pattern: string, example: string])[] = [
  ['.*/', '.unknown/start.sh'],
  ['bin/', 'bin/ls'],
  ['go/bin/', 'go/bin/gopls'],
  ['AppData/', 'AppData/Roaming/Unknown/settings.json'],
  ['Applications/', 'Applications/A.app/Contents/MacOS/a'],
  ['Library/', 'Library/Preferences/a.plist'],
  ['scoop/', 'scoop/shims/a.exe'],
];

/** Below `Library` on macOS, cloud drives hold a person's own files. */
const cloudDrives = ['Library/Mobile Documents/', 'Library/CloudStorage/'];

export const systemPlaces: readonly (readonly [pattern: string, example: string])[] = [
  ...homes.flatMap((home) =>
    ofPrograms.map(
      ([pattern, example]) => [home + pattern, home.replaceAll('*:', 'C:').replaceAll('*', 'ann') + example] as const,
    ),
  ),
  ['/bin/', '/bin/ls'],
  ['/boot/', '/boot/grub/grub.cfg'],
  ['/etc/', '/etc/hosts'],
  ['/lib*/', '/lib64/ld.so'],
  ['/nix/', '/nix/store/a'],
  ['/opt/', '/opt/homebrew/bin/a'],
  ['/sbin/', '/sbin/init'],
  ['/snap/', '/snap/bin/a'],
  ['/usr/', '/usr/local/bin/ls'],
  ['/var/cron/', '/var/cron/tabs/root'],
  ['/var/lib/', '/var/lib/dpkg/info/a.postinst'],
  ['/var/spool/', '/var/spool/at/a'],
  ['/Applications/', '/Applications/A.app/Contents/MacOS/a'],
  ['/Library/', '/Library/Security/SecurityAgentPlugins/a'],
  ['/System/', '/System/Library/a'],
  ['/*:/Windows/', 'C:\\Windows\\System32\\drivers\\etc\\hosts'],
  ['/*:/Program Files*/', 'C:\\Program Files\\Git\\etc\\profile.d\\a.sh'],
  ['/*:/ProgramData/', 'C:\\ProgramData\\a\\a.ini'],
];

const drives = compilePatterns(cloudDrives);
const compiled = new Map<string, PathPatterns>();

function placesFor(home: string): PathPatterns {
  let found = compiled.get(home);
  if (found === undefined) {
    const own = home.replaceAll('\\', '/').replace(/\/?$/, '/').replace(/^\/?/, '/');
    const inHome = own === '/' ? [] : ofPrograms.map(([pattern]) => own + pattern);
    found = compilePatterns([...systemPlaces.map(([pattern]) => pattern), ...inHome]);
    compiled.set(home, found);
  }
  return found;
}

/** The name in `realPath` of a directory for programs' files, unless `folder`, the allowed one, lies in such a directory itself. */
export function systemNameIn(realPath: string, folder: string, home: string): string | undefined {
  const places = placesFor(home);
  const name = places.nameIn(realPath);
  if (name === undefined || drives.nameIn(realPath) !== undefined || places.nameIn(folder) !== undefined) return undefined;
  return name;
}
