/** Tells whether build output is older than its sources. */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const sources = ['electron', 'renderer', 'shared', 'package.json', 'package-lock.json', 'vite.config.ts'];
const products = ['cli.js', 'cli.cjs', 'main.cjs', 'preload.cjs', 'renderer/index.html'];

/** The newest modification time of a file or of anything in a folder, tests aside; 0 if there is none. */
function newest(place) {
  const found = statSync(place, { throwIfNoEntry: false });
  if (!found) return 0;
  if (!found.isDirectory()) return /\.test\.tsx?$/.test(place) ? 0 : found.mtimeMs;
  // The folder's own time tells of files that were removed.
  return readdirSync(place).reduce((latest, name) => Math.max(latest, newest(path.join(place, name))), found.mtimeMs);
}

export function isStale(root) {
  const built = products.map((name) => statSync(path.join(root, 'dist', name), { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return Math.min(...built) < Math.max(...sources.map((name) => newest(path.join(root, name))));
}
