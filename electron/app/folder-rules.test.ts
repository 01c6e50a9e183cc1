import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assertAllowable, questionBefore, suggestedFolders, wholePath } from './folder-rules.ts';

const rules = { own: ['/home/ann/.local/share/filebridge'], home: '/home/ann' };
const allow = (folder: string, access: 'read' | 'read-write' = 'read', platform: NodeJS.Platform = 'linux') => {
  try {
    assertAllowable(folder, access, { ...rules, platform });
    return 'allowed';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

describe.skipIf(path.sep !== '/')('assertAllowable', () => {
  it.each([
    ['/', /whole disk/],
    ['/home', /folders of all users/],
    ['/etc', /belongs to the system/],
    ['/usr', /belongs to the system/],
    ['/var', /belongs to the system/],
    ['/proc/self', /belongs to the system/],
    ['/dev/shm', /belongs to the system/],
    ['/home/ann/.local/share/filebridge', /belongs to Filebridge/],
    ['/home/ann/.local/share/filebridge/responses', /belongs to Filebridge/],
  ])('refuses %s', (folder, words) => expect(allow(folder)).toMatch(words));

  it.each(['/home/ann/data', '/home/ann/.local/share', '/mnt/disk', '/var/www/site', '/tmp/x', '/home/bob/shared'])(
    'allows %s',
    (folder) => expect(allow(folder, 'read-write')).toBe('allowed'),
  );

  it('allows the home folder for reading only', () => {
    expect(allow('/home/ann')).toBe('allowed');
    expect(allow('/home/ann', 'read-write')).toMatch(/for reading only/);
  });

  it('knows the system folders of a Mac in any letter case', () => {
    expect(allow('/Library', 'read', 'darwin')).toMatch(/belongs to the system/);
    expect(allow('/system', 'read', 'darwin')).toMatch(/belongs to the system/);
    expect(allow('/Volumes/Disk', 'read', 'darwin')).toBe('allowed');
  });
});

describe.skipIf(path.sep !== '/')('questionBefore', () => {
  const asked = (folder: string, platform: NodeJS.Platform = 'linux') => questionBefore(folder, { ...rules, platform })?.code;

  it('asks about the whole home, and about what is inside of the system', () => {
    expect(asked('/home/ann')).toBe('allow.wholeHome');
    for (const folder of ['/etc/ssh', '/var/www/site', '/usr/share/doc', '/run/user/1000']) {
      expect([folder, asked(folder)]).toEqual([folder, 'allow.insideSystem']);
    }
    expect(asked('/library/logs', 'darwin')).toBe('allow.insideSystem');
  });

  it('asks about no folder with files of people, wherever it is', () => {
    for (const folder of [
      '/home/ann/data',
      '/mnt/disk',
      '/tmp/x',
      '/srv/share',
      '/opt/data',
      '/run/media/ann/stick',
      '/home/bob/shared',
    ]) {
      expect([folder, asked(folder)]).toEqual([folder, undefined]);
    }
    expect(asked('/Volumes/Disk', 'darwin')).toBeUndefined();
    for (const folder of ['/private/var/folders/x', '/private/tmp/x', '/private/var/tmp/x'])
      expect(asked(folder, 'darwin')).toBeUndefined();
  });
});

describe('wholePath', () => {
  const home = path.resolve('/home/ann');
  it('reads what people type, paste and drop', () => {
    expect(wholePath(' ~/data/ ', home)).toBe(path.join(home, 'data'));
    expect(wholePath('~', home)).toBe(home);
    expect(wholePath(pathToFileURL(path.join(home, 'my files')).href, home)).toBe(path.join(home, 'my files'));
    expect(wholePath(`"${path.join(home, 'my files')}"`, home)).toBe(path.join(home, 'my files'));
    expect(wholePath(path.join(home, 'a', '..', 'b'), home)).toBe(path.join(home, 'b'));
  });

  it('refuses what is no full path', () => {
    for (const text of ['data', './data', '', '~ann', '/a\0b']) expect(() => wholePath(text, home)).toThrow();
  });
});

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
