/** Directories that a client names as its roots. */
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expandHome } from './named-path.ts';

/** Real paths of the directories among these file URLs and paths; all others are reported and left out. */
export async function rootDirectories(roots: readonly string[], log: (line: string) => void): Promise<string[]> {
  const found: string[] = [];
  for (const root of roots) {
    try {
      const text = root.startsWith('file://') ? fileURLToPath(root) : root;
      const real = await realpath(path.resolve(expandHome(text)));
      if ((await stat(real)).isDirectory()) found.push(real);
      else log(`the root '${root}' is no directory and is left out`);
    } catch {
      log(`the root '${root}' cannot be reached and is left out`);
    }
  }
  return found;
}
