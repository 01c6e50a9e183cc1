import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fillPlaceholders, foreignIn, variablesOf } from './placeholders.ts';

const sources = {
  env: { KEY: 's$&cret', EMPTY: '', APPDATA: 'C:\\Users\\ann' },
  home: '/home/ann',
  workspace: '/work/shop',
  secret: (id: string) => `sealed ${id}`,
};
const fill = (text: string, more: Partial<typeof sources> | { workspace: undefined } = {}) =>
  fillPlaceholders(text, { ...sources, ...more }, (reason) => {
    throw new Error(JSON.stringify(reason));
  });

describe('placeholders', () => {
  it.each([
    ['${KEY}', 's$&cret'],
    ['${env:KEY}', 's$&cret'],
    ['Bearer ${KEY}!', 'Bearer s$&cret!'],
    ['${NONE:-a b}', 'a b'],
    ['${EMPTY:-other}', 'other'],
    ['${KEY:-other}', 's$&cret'],
    ['${NONE:-}', ''],
    ['${EMPTY}', ''],
    ['${userHome}/x', '/home/ann/x'],
    ['${workspaceFolder}/db', '/work/shop/db'],
    ['${workspaceFolder:shop}', '/work/shop'],
    ['${workspaceFolderBasename}', 'shop'],
    ['a${/}b${pathSeparator}c', ['a', 'b', 'c'].join(path.sep)],
    ['${secret:a-1}', 'sealed a-1'],
    ['%APPDATA%\\db', 'C:\\Users\\ann\\db'],
    ['${KEY}${KEY}', 's$&crets$&cret'],
  ])('%s is filled', (text, filled) => {
    expect(fill(text)).toBe(filled);
  });

  it.each(['%NONE%', '100%25%20', '$KEY', '${}', '{KEY}', '${not a name}', '${list[@]}', '${name%%.*}', 'no placeholder'])(
    '%s stays as it is',
    (text) => {
      expect(fill(text)).toBe(text);
    },
  );

  it.each([
    ['${NONE}', { why: 'variable', variable: 'NONE' }],
    ['${env:NONE}', { why: 'variable', variable: 'NONE' }],
    ['${input:token}', { why: 'asked', placeholder: '${input:token}' }],
    ['${command:pick.one}', { why: 'foreign', placeholder: '${command:pick.one}' }],
    ['${config:a.b}', { why: 'foreign', placeholder: '${config:a.b}' }],
    ['${file}', { why: 'foreign', placeholder: '${file}' }],
    ['${fileDirname}/x', { why: 'foreign', placeholder: '${fileDirname}' }],
  ])('%s cannot be filled', (text, reason) => {
    expect(() => fill(text)).toThrow(JSON.stringify(reason));
  });

  it('of a project cannot be filled outside of one', () => {
    expect(() => fill('${workspaceFolder}/x', { workspace: undefined })).toThrow('${workspaceFolder}');
  });

  it('that no other program can fill are told from those that can be', () => {
    const isSecret = (value: string) => value.startsWith('sk-');
    for (const text of ['${KEY}', '${env:KEY}', '${KEY:-x}', '${userHome}', '%KEY%', 'x'])
      expect(foreignIn(text, isSecret)).toBeUndefined();
    for (const text of ['${input:a}', '${workspaceFolder}', '${command:x}', '${secret:abc}'])
      expect(foreignIn(`x ${text}`, isSecret)).toBe(text);
    expect(foreignIn('${KEY:-sk-1}', isSecret)).toBe('${KEY:-…}');
  });

  it('name the variables they need', () => {
    expect(variablesOf('${A} ${env:B} ${C:-x} %D% ${userHome} ${secret:e} ${input:f} ${workspaceFolder}')).toEqual([
      'A',
      'B',
      'C',
      'D',
    ]);
  });
});
