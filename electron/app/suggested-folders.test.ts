import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { suggestedFolders } from './suggested-folders.ts';

let home: string;
const at = (...names: string[]) => path.join(home, ...names);
const labels = async (isTaken = (_real: string) => false, platform: NodeJS.Platform = 'linux', env = {}) =>
  (await suggestedFolders(isTaken, { env, platform, home })).map(({ label }) => label);

beforeEach(async () => {
  home = await realpath(await mkdtemp(path.join(os.tmpdir(), 'filebridge-home-')));
});
afterEach(() => rm(home, { recursive: true, force: true }));

describe('suggestedFolders', () => {
  it('finds the usual folders and those of projects that exist and are not allowed yet', async () => {
    for (const name of ['Documents', 'Downloads', 'Projects', 'Pictures']) await mkdir(at(name));
    await writeFile(at('Desktop'), 'a file');
    expect(await labels()).toEqual(['Documents', 'Downloads', 'Projects']);
    expect(await labels((real) => real === at('Documents'))).toEqual(['Downloads', 'Projects']);
  });

  it.skipIf(process.platform === 'win32')('reads translated names, and passes over those switched off', async () => {
    for (const name of ['Dokumente', 'Schreib tisch', '.config']) await mkdir(at(name));
    const lines = [
      '# a comment',
      'XDG_DESKTOP_DIR="$HOME/Schreib tisch"',
      'XDG_DOWNLOAD_DIR="$HOME/"',
      'XDG_DOCUMENTS_DIR="$HOME/Dokumente"',
    ];
    await writeFile(at('.config', 'user-dirs.dirs'), lines.join('\n'));
    expect(await suggestedFolders(() => false, { env: {}, platform: 'linux', home })).toEqual([
      { path: at('Dokumente'), label: 'Dokumente' },
      { path: at('Schreib tisch'), label: 'Schreib tisch' },
    ]);
  });

  it.skipIf(process.platform === 'win32')('names a place once, whatever its names', async () => {
    await mkdir(at('Projects'));
    await symlink(at('Projects'), at('code'));
    expect(await labels()).toEqual(['Projects']);
  });

  it('prefers what OneDrive took over', async () => {
    for (const name of ['OneDrive/Documents', 'Documents']) await mkdir(at(name), { recursive: true });
    const found = await suggestedFolders(() => false, { env: { OneDrive: at('OneDrive') }, platform: 'win32', home });
    expect(found.map((suggestion) => suggestion.path)).toEqual([at('OneDrive', 'Documents'), at('Documents')]);
  });
});
