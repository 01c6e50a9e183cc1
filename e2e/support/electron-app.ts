/** Starts the desktop app in a real Electron, in a separate home directory. */

import path from 'node:path';
import { _electron, type ElectronApplication } from 'playwright';
import { limits } from '../../shared/lib/fixtures/limits.ts';
import { repository } from './cli.ts';
import { electronRuntime } from './electron-runtime.ts';
import type { Home } from './filebridge.ts';

export interface AppStart {
  /** The app's own arguments, such as `--hidden`. */
  args?: string[];
  /** Chromium's, such as `--password-store=basic`. */
  switches?: string[];
  env?: Record<string, string>;
  /** Leaves out the switches that Playwright adds by default, which change how Chromium stores passwords. */
  untouched?: boolean;
}

/** Resolves once the app runs; its window may not exist yet. */
export async function launchApp(
  home: Home,
  { args = [], switches = [], env = {}, untouched }: AppStart = {},
): Promise<ElectronApplication> {
  // The electron package and Playwright both look here.
  const runtime = await electronRuntime();
  process.env.ELECTRON_OVERRIDE_DIST_PATH = runtime;
  const app = await _electron.launch({
    timeout: limits.wait,
    ...(untouched ? { executablePath: path.join(runtime, 'electron') } : {}),
    args: [...chromiumSwitches(home), ...switches, '.', ...args],
    cwd: repository,
    // Without a test's own bus there is none: this machine's tray, notifications and keyring are not used.
    env: { ...home.env, DBUS_SESSION_BUS_ADDRESS: 'disabled:', ...env },
  });
  app.context().setDefaultTimeout(limits.wait);
  return app;
}

/** Options of every start in this home; Chromium's sandbox does not run as root. */
export const chromiumSwitches = (home: Home): string[] => [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  `--user-data-dir=${home.workspace.at('electron')}`,
];
