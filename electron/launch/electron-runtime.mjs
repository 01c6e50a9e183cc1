/** Finds Electron's runtime, and tells whether a window can be shown. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { root } from './build.mjs';

export const electronPackage = path.join(root, 'node_modules', 'electron');

export const hasScreen = process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);

/** The path that the electron package uses, configured or installed; undefined if its runtime is missing. */
export function installedElectron() {
  const names = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' };
  const folder = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? path.join(electronPackage, 'dist');
  const executable = path.join(folder, names[process.platform] ?? 'electron');
  return existsSync(executable) ? executable : undefined;
}
