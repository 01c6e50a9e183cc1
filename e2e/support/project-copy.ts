/** A copy of the project for tests of its own commands: they may build and change sources, and `dist` belongs to all tests. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { repository } from './cli.ts';

const run = promisify(execFile);

/** What no command needs, and installed packages, which are linked. By path below the root. */
const leftOut = /^(?:\.git|release|test-results|(?:.*\/)?node_modules)$/;

export interface ProjectCopy {
  /** Its real path. */
  root: string;
  remove(): Promise<void>;
}

export async function copyProject(): Promise<ProjectCopy> {
  const root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'filebridge-project-')));
  await cp(repository, root, {
    recursive: true,
    // By times a build tells whether it is stale.
    preserveTimestamps: true,
    filter: (source) => !leftOut.test(path.relative(repository, source)),
  });
  for (const folder of ['.', 'installers']) {
    const [from, to] = [path.join(repository, folder, 'node_modules'), path.join(root, folder, 'node_modules')];
    // Hard links where the disk is the same: 23,000 files. Vite serves no packages from outside the project.
    await run('cp', ['-al', from, to]).catch(() => run('cp', ['-a', from, to]));
    // The caches of builds are written in place.
    for (const cache of ['.cache', '.vite', '.vite-temp']) await rm(path.join(to, cache), { recursive: true, force: true });
  }
  return { root, remove: () => rm(root, { recursive: true, force: true }) };
}
