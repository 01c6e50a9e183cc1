import { describe, expect, it } from 'vitest';
import { closedPlaces, systemNameIn } from './system-places.ts';

const HOME = '/srv/people/ann';

describe('the places of programs and of the system', () => {
  it.each(closedPlaces.writing)('line %s closes %s for writing', (_pattern, example) => {
    expect(systemNameIn(example, '/', HOME, 'writing')).toBeDefined();
    expect(systemNameIn(example.toUpperCase(), '/', HOME, 'writing')).toBeDefined();
  });

  it.each(closedPlaces.reading)('line %s closes %s for reading', (_pattern, example) => {
    expect(systemNameIn(example, '/', HOME, 'reading')).toBeDefined();
    expect(systemNameIn(example.toUpperCase(), '/', HOME, 'reading')).toBeDefined();
  });

  it.each(['/usr/share/dict/words', '/opt/tool/README.md', '/run/media/ann/stick/a.csv', `${HOME}/bin/tool.sh`])(
    'leaves %s to be read',
    (file) => {
      expect(systemNameIn(file, '/', HOME, 'reading')).toBeUndefined();
    },
  );

  it('opens what the person names, and nothing else', () => {
    expect(systemNameIn(`${HOME}/.config/tool/a.json`, HOME, HOME, 'reading', ['.CONFIG'])).toBeUndefined();
    expect(systemNameIn(`${HOME}/.cache/tool/a.json`, HOME, HOME, 'reading', ['.config'])).toBe('.cache');
  });

  it.each(['.unknown', '.config/unknown/start.sh', 'bin/ls', 'Library/a/b.plist'])(
    'closes %s of a home folder anywhere',
    (name) => {
      expect(systemNameIn(`${HOME}/${name}`, HOME, HOME, 'writing')).toBeDefined();
      expect(systemNameIn(`${HOME}/${name}`, '/srv', HOME, 'writing')).toBeDefined();
      expect(systemNameIn(`C:\\People\\Ann\\${name}`, 'C:\\People', 'C:\\People\\Ann', 'writing')).toBeDefined();
    },
  );

  it('closes what macOS keeps in /private', () => {
    expect(systemNameIn('/private/etc/hosts', '/', HOME, 'writing')).toBe('etc');
  });

  it.each([
    '/home/ann/Documents/report.csv',
    '/home/ann/Documents/.hidden',
    '/home/ann/project/bin/start.js',
    '/Users/ann/Library/Mobile Documents/com~apple~CloudDocs/a.csv',
    '/Users/ann/Library/CloudStorage/Drive/a.csv',
    'C:\\Users\\Ann\\Documents\\a.csv',
    '/data/etc/hosts',
    '/data/home/ann/.unknown',
    '/media/ann/stick/.unknown',
    '/var/www/index.html',
  ])('leaves %s open', (file) => {
    expect(systemNameIn(file, '/', HOME, 'writing')).toBeUndefined();
  });

  it.each([
    ['/home/ann/.config/app/a.json', '/home/ann/.config/app'],
    ['/etc/app/a.conf', '/etc/app'],
    ['/root/.work/a.csv', '/root/.work'],
    ['C:\\Users\\Ann\\AppData\\Local\\Temp\\a.csv', 'C:\\Users\\Ann\\AppData\\Local\\Temp'],
  ])('leaves %s open where %s is allowed', (file, folder) => {
    expect(systemNameIn(file, folder, HOME, 'writing')).toBeUndefined();
  });
});
