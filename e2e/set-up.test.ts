/** What `npm start` and `npm test` install, or ask for, before anything else. */
import { spawnSync } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lackingPackages, lacksNpmPackages, testFolders, testPackages } from '../electron/launch/set-up.mjs';
import { repository } from './support/cli.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'filebridge-set-up-'));
});
afterEach(() => rm(directory, { recursive: true }));

describe('npm packages', () => {
  const wanted = {
    '': { name: 'filebridge' },
    'node_modules/zod': { version: '4.6.0' },
    'node_modules/@img/only-elsewhere': { version: '1.0.0', optional: true },
  };
  const write = async (installed: object | undefined) => {
    await writeFile(path.join(directory, 'package-lock.json'), JSON.stringify({ packages: wanted }));
    if (installed === undefined) return;
    await mkdir(path.join(directory, 'node_modules'));
    await writeFile(path.join(directory, 'node_modules', '.package-lock.json'), JSON.stringify({ packages: installed }));
  };

  it.each([
    ['in a fresh clone', undefined, true],
    ['where one is missing', {}, true],
    ['where one has another version', { 'node_modules/zod': { version: '4.5.0' } }, true],
    ['never because of an optional one', { 'node_modules/zod': { version: '4.6.0' } }, false],
  ])('are installed %s', async (_, installed, lacks) => {
    await write(installed);
    expect(lacksNpmPackages(directory)).toBe(lacks);
  });

  it.each(['bench', ...testFolders])('that only %s needs are not installed with the rest', async (folder) => {
    const read = async (file: string) => JSON.parse(await readFile(path.join(repository, file), 'utf8'));
    const { packages } = await read('package-lock.json');
    const own = Object.keys((await read(`${folder}/package.json`)).dependencies);
    expect(own.length).toBeGreaterThan(0);
    for (const name of own) expect(packages).not.toHaveProperty([`node_modules/${name}`]);
  });

  // npm leaves them out where it installs for one system only; `npm ci` then refuses the lock file everywhere.
  it.each(['.', 'bench', ...testFolders])('that other systems need are in the lock file too: %s', async (folder) => {
    const { packages } = JSON.parse(await readFile(path.join(repository, folder, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { optionalDependencies?: Record<string, string> }>;
    };
    const missing = Object.entries(packages).flatMap(([owner, { optionalDependencies }]) =>
      Object.keys(optionalDependencies ?? {}).filter(
        (name) => !packages[`${owner}/node_modules/${name}`] && !packages[`node_modules/${name}`],
      ),
    );
    expect(missing).toEqual([]);
  });

  /** Bytes on a disk with blocks of 4 KB. */
  const diskUse = async (file: string): Promise<number> => Math.ceil((await stat(file)).size / 4096) * 4096;
  /** Of a package without those nested in it, which the lock file names too. A package for other systems is not there: 0. */
  const packageUse = async (folder: string): Promise<number> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const uses = entries.map((entry) => {
      const place = path.join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === 'node_modules' ? 0 : packageUse(place);
      return entry.isFile() ? diskUse(place) : 0;
    });
    return (await Promise.all(uses)).reduce((sum, use) => sum + use, 0);
  };

  it.runIf(process.platform === 'linux')('that the lock file names take at most 415 MB', async () => {
    const { packages } = JSON.parse(await readFile(path.join(repository, 'package-lock.json'), 'utf8'));
    let bytes = 0;
    for (const folder of Object.keys(packages)) if (folder !== '') bytes += await packageUse(path.join(repository, folder));
    expect(bytes).toBeGreaterThan(100 * 2 ** 20);
    expect(bytes).toBeLessThan(415 * 2 ** 20);
  });

  it('of this repository are all there', () => {
    for (const folder of ['.', ...testFolders]) expect(lacksNpmPackages(path.join(repository, folder)), folder).toBe(false);
  });
});

describe('system packages', () => {
  it('for the tests are all there', () => {
    expect(lackingPackages(testPackages)).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('are named in one command where this user may not install them', async () => {
    await chmod(directory, 0o755);
    await copyFile(path.join(repository, 'electron/launch/set-up.mjs'), path.join(directory, 'set-up.mjs'));
    const script = `import { installSystemPackages } from './set-up.mjs';
      console.log(installSystemPackages('.', { here: () => true, 'libone-0': () => false, two: () => false }));`;
    await writeFile(path.join(directory, 'run.mjs'), script);
    // The user 'nobody', to whom sudo is not there.
    const asNobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    const { stdout } = spawnSync(process.execPath, ['run.mjs'], {
      cwd: directory,
      encoding: 'utf8',
      env: { PATH: '/nowhere' },
      ...asNobody,
    });
    expect(stdout).toBe('This machine lacks libone-0, two. Install with: sudo apt-get install -y libone-0 two\nfalse\n');
  });
});
