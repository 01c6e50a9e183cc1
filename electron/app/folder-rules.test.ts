import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { assertAllowable, wholePath } from './folder-rules.ts';

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
