/** Identifies the Node that V8 code caches were made by. */
import { statSync } from 'node:fs';

/**
 * Names the Node that runs: version, V8, platform, architecture, and the size of its binary, since a distribution may build a version
 * differently. V8 itself accepts the cache of another patch version of Node, and then crashes (SIGSEGV).
 */
export function compiledKey() {
  const { version, versions, platform, arch, execPath } = process;
  const size = statSync(execPath, { throwIfNoEntry: false })?.size ?? 0;
  return [version, versions.v8, platform, arch, size].join('_').replace(/[^\w.-]/g, '_');
}
