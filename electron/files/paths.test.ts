import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runs } from '../../shared/lib/fixtures/property-runs.ts';
import { checkFileName, isWithin, leadsTo, namedPath } from './paths.ts';

describe('a path', () => {
  it('is given by the URL of its file, whatever its name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (name) => {
        fc.pre(!/[/\\\0]/.test(name) && name !== '.' && name !== '..');
        const url = `${pathToFileURL(path.resolve('folder')).href}/${encodeURIComponent(name)}`;
        expect(namedPath(url)).toBe(path.resolve('folder', name));
      }),
      { numRuns: runs(100) },
    );
  });

  it('is given by a URL that names this machine, or is less strictly written', () => {
    const file = path.resolve('two words.csv');
    const { pathname } = pathToFileURL(path.dirname(file));
    expect(namedPath(`file://localhost${pathname}/two%20words.csv`)).toBe(file);
    expect(namedPath(`FILE://${pathname}/two words.csv`)).toBe(file);
  });

  it('from the home folder on begins with ~', () => {
    expect(namedPath('~/a.csv')).toBe(path.join(os.homedir(), 'a.csv'));
    expect(namedPath('~a.csv')).toBe('~a.csv');
  });

  it.each(['/a/b.csv', 'b.csv', 'file:b.csv', 'a/file:/b', 'https://a/b.csv', ''])('stays as it is: %s', (text) => {
    expect(namedPath(text)).toBe(text);
  });

  it.each([
    ['file://server/share/a.csv', /names the machine 'server'/],
    ['file://a b/c.csv', /not a valid file URL/],
    ['file:///a%2Fb.csv', /not a valid file URL/],
    ['file:///a%E0%A4.csv', /not a valid file URL/],
    ['file:///a%00.csv', /NUL/],
    ['file:///a#1.csv', /%23/],
    ['file:///a.csv?raw', /%3F/],
    ['file:///a\n.csv', /white space/],
    ['file:///a.csv ', /white space/],
    ['file:///a.csv\x0e', /white space/],
  ] as const)('is not given by %j', (text, reason) => {
    expect(() => namedPath(text)).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST', message: expect.stringMatching(reason) }),
    );
  });
});

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'filebridge-leads-')));
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('leadsTo', () => {
  it('is the real path of what exists', async () => {
    await mkdir(path.join(root, 'real'));
    await writeFile(path.join(root, 'real', 'a'), '');
    await symlink('real', path.join(root, 'link'));
    expect(await leadsTo(path.join(root, 'link', 'a'))).toBe(path.join(root, 'real', 'a'));
  });

  it('follows links as far as they go and appends what is missing', async () => {
    await mkdir(path.join(root, 'real'));
    await symlink('real', path.join(root, 'link'));
    expect(await leadsTo(path.join(root, 'link', 'no', 'such'))).toBe(path.join(root, 'real', 'no', 'such'));
  });

  it('tells where a dangling link points', async () => {
    await symlink('../../elsewhere/x', path.join(root, 'dangling'));
    expect(await leadsTo(path.join(root, 'dangling'))).toBe(path.resolve(root, '../../elsewhere/x'));
    await symlink('/no/such/place', path.join(root, 'absolute'));
    expect(await leadsTo(path.join(root, 'absolute', 'y'))).toBe(path.join('/no/such/place', 'y'));
  });

  it('ends on links in a circle', async () => {
    await symlink('b', path.join(root, 'a'));
    await symlink('a', path.join(root, 'b'));
    expect(isWithin(await leadsTo(path.join(root, 'a', 'x')), root)).toBe(true);
  });
});

describe('isWithin', () => {
  it('compares whole segments', () => {
    const inside = path.join(path.sep, 'data');
    expect(isWithin(path.join(inside, 'a', 'b'), inside)).toBe(true);
    expect(isWithin(inside, inside)).toBe(true);
    expect(isWithin(`${inside}-secret`, inside)).toBe(false);
    expect(isWithin(inside, path.join(inside, 'a'))).toBe(false);
    expect(isWithin(inside, path.sep)).toBe(true);
  });
});

describe('checkFileName', () => {
  it.each(['report.json', 'Übersicht 2026.csv', '報告.txt', '.hidden', 'a..b', 'x'.repeat(255), 'console.log', 'com10.txt'])(
    'takes %s',
    (name) => {
      expect(() => checkFileName(name, 'linux')).not.toThrow();
    },
  );

  it.each([
    ['', 'empty'],
    ['.', 'names a folder'],
    ['..', 'names a folder'],
    ['../x', 'separator'],
    ['a/b', 'separator'],
    ['a\\b', 'separator'],
    ['a\0b', 'control character'],
    ['a\nb', 'control character'],
    ['x'.repeat(256), 'longer than 255 bytes'],
    ['é'.repeat(128), 'longer than 255 bytes'],
    ['NUL', 'Windows keeps'],
    ['con.txt', 'Windows keeps'],
    ['LPT1.tar.gz', 'Windows keeps'],
  ])('refuses %j', (name, reason) => {
    expect(() => checkFileName(name, 'linux')).toThrow(reason);
  });

  it('refuses on Windows what Windows would take for something else', () => {
    expect(() => checkFileName('a.txt:hidden', 'win32')).toThrow('character');
    expect(() => checkFileName('.env.', 'win32')).toThrow('dot');
    expect(() => checkFileName('a.txt:hidden', 'linux')).not.toThrow();
  });
});
