import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../shared/lib/fixtures/property-runs.ts';
import { namedPath } from './named-path.ts';

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
