/** Paths of Filebridge's configuration and data on each system. */
import os from 'node:os';
import path from 'node:path';

export interface Surroundings {
  env?: Readonly<Record<string, string | undefined>>;
  platform?: NodeJS.Platform;
  home?: string;
}

/** The configuration file: FILEBRIDGE_CONFIG, or the system's usual place. */
export function defaultConfigPath({
  env = process.env,
  platform = process.platform,
  home = os.homedir(),
}: Surroundings = {}): string {
  if (env.FILEBRIDGE_CONFIG) return path.resolve(env.FILEBRIDGE_CONFIG);
  return path.join(systemDirectory(platform, home, env.APPDATA, 'Roaming', env.XDG_CONFIG_HOME, ['.config']), 'config.json');
}

/** The directory of ledger, tokens and stored answers: FILEBRIDGE_DATA, or the system's usual place. */
export function dataDirectory({
  env = process.env,
  platform = process.platform,
  home = os.homedir(),
}: Surroundings = {}): string {
  if (env.FILEBRIDGE_DATA) return path.resolve(env.FILEBRIDGE_DATA);
  return systemDirectory(platform, home, env.LOCALAPPDATA, 'Local', env.XDG_DATA_HOME, ['.local', 'share']);
}

/**
 * What Filebridge keeps for itself: the configuration, the data directory, and the usual place of the configuration, where copies of
 * broken ones lie too. A configuration elsewhere may lie among files of the user's.
 */
export function ownPlaces(configPath: string, data: string, { env = process.env, ...surroundings }: Surroundings = {}): string[] {
  const usual = path.dirname(defaultConfigPath({ ...surroundings, env: { ...env, FILEBRIDGE_CONFIG: undefined } }));
  return [path.resolve(configPath), path.resolve(data), usual];
}

/** XDG says that a relative path in its variables is to be ignored (Base Directory Specification). */
function systemDirectory(
  platform: NodeJS.Platform,
  home: string,
  windows: string | undefined,
  windowsDefault: string,
  xdg: string | undefined,
  xdgDefault: readonly string[],
): string {
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'Filebridge');
  if (platform === 'win32') return path.join(windows || path.join(home, 'AppData', windowsDefault), 'Filebridge');
  return path.join(xdg && path.isAbsolute(xdg) ? xdg : path.join(home, ...xdgDefault), 'filebridge');
}
