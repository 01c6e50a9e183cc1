/** Migrates an older configuration to the current version, one version at a time. */
import { CONFIG_VERSION } from '../../shared/model/config.ts';

type RawConfig = Record<string, unknown>;

/** `migrations[n]` takes version n to n + 1. Steps see unchecked data and must leave what they don't know alone. */
const migrations: readonly ((config: RawConfig) => RawConfig)[] = [
  // 0 → 1: before versions, the shape was the same; folders could be plain paths.
  (config) => ({
    ...config,
    version: 1,
    ...(Array.isArray(config.folders) ? { folders: config.folders.map(folderOfText) } : {}),
  }),
];

export type Migrated =
  | { state: 'current' | 'migrated'; value: RawConfig }
  | { state: 'newer'; from: number }
  | { state: 'unknown' };

/** Brings parsed JSON to the present version; says so if it is from a newer Filebridge, or no object. */
export function migrate(value: unknown): Migrated {
  if (!isObject(value)) return { state: 'unknown' };
  const { version = 0 } = value;
  // An invalid version is a bad entry; the file is read as the current version.
  const from = typeof version === 'number' && Number.isInteger(version) && version >= 0 ? version : CONFIG_VERSION;
  if (from > CONFIG_VERSION) return { state: 'newer', from };
  let config = value;
  for (const step of migrations.slice(from, CONFIG_VERSION)) config = step(config);
  config = withoutGone(config);
  return { state: from === CONFIG_VERSION ? 'current' : 'migrated', value: config };
}

/** Limits that former versions had. Having one set is no fault of the person's. */
const goneLimits = new Set(['ledgerBytes']);

function withoutGone(config: RawConfig): RawConfig {
  if (!isObject(config.limits) || !Object.keys(config.limits).some((key) => goneLimits.has(key))) return config;
  return { ...config, limits: Object.fromEntries(Object.entries(config.limits).filter(([key]) => !goneLimits.has(key))) };
}

function folderOfText(folder: unknown): unknown {
  return typeof folder === 'string' ? { path: folder } : folder;
}

export function isObject(value: unknown): value is RawConfig {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
