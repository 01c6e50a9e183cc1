import { describe, expect, it } from 'vitest';
import { checkFileName } from './file-name.ts';

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
