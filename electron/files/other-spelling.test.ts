/** Paths in other spellings, on a disk that ignores the case and the composition of letters, as those of macOS and Windows do. */
import { mkdtempSync, readdirSync, realpathSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppError } from '../../shared/model/errors.ts';
import { createFileAccess } from './file-access.ts';
import { withoutLengthPrefix } from './paths.ts';
import { createFileOperations } from './tools/operations.ts';

const disk = vi.hoisted(() => ({ spelt: (text: unknown): unknown => text }));
/** Every system call below the test's folder finds entries in any spelling, and new ones get theirs. */
vi.mock('node:fs/promises', async (importOriginal) => {
  const real = await importOriginal<Record<string, unknown>>();
  const wrapped = Object.entries(real).map(([name, member]) => [
    name,
    typeof member === 'function'
      ? (first: unknown, second: unknown, ...rest: unknown[]) =>
          member(disk.spelt(first), name === 'link' ? disk.spelt(second) : second, ...rest)
      : member,
  ]);
  return { ...Object.fromEntries(wrapped), default: real.default };
});

const folded = (text: string): string => text.normalize('NFC').toLowerCase();
let root: string;

beforeEach(async () => {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'filebridge-spelling-')));
  disk.spelt = (text) => {
    if (typeof text !== 'string' || !folded(text).startsWith(folded(`${root}/`))) return text;
    let at = root;
    for (const name of text.slice(root.length + 1).split('/')) {
      const entries = name === '..' ? [] : readdirOf(at);
      at = path.join(at, entries.find((entry) => folded(entry) === folded(name)) ?? name);
    }
    return at;
  };
  await mkdir(path.join(root, 'Data', 'Größe'), { recursive: true });
  await writeFile(path.join(root, 'Data', 'n1.txt'), 'one');
  await mkdir(path.join(root, 'Other'));
});
afterEach(async () => {
  disk.spelt = (text) => text;
  await rm(root, { recursive: true, force: true });
});

const readdirOf = (directory: string): string[] => {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
};
const at = (...names: string[]) => path.join(root, ...names);
const options = () => ({ folders: () => [{ path: at('Data'), access: 'read-write' as const }], platform: 'darwin' as const });
const operations = (more = {}) => createFileOperations({ ...options(), maxFileBytes: () => 1e6, ...more });
const whole = { append: false, createDirectories: false };
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error as AppError).code,
  );

describe('a path in another spelling than its folder', () => {
  it('can be created', async () => {
    await operations().write(at('data', 'new.txt'), 'x', whole);
    await operations().write(at('DATA', 'GRÖSSE'.replace('SS', 'ß'), 'deep.txt'), 'y', whole);
    expect(await readFile(at('Data', 'new.txt'), 'utf8')).toBe('x');
    expect(await readdir(at('Data', 'Größe'))).toEqual(['deep.txt']);
    expect(await readdir(root)).toEqual(['Data', 'Other']);
  });

  it('is reported as missing, not as outside', async () => {
    const access = createFileAccess(options());
    expect(await codeOf(access.open(at('data', 'missing.txt')))).toBe('FILE_NOT_FOUND');
    expect(await codeOf(access.open(at('DATA', 'N1.TXT')))).toBe('done');
    const pending = await access.create(at('data', 'größe'.normalize('NFD')), 'answer.json');
    await pending.write(Buffer.from('1'));
    expect((await pending.commit()).path).toBe(at('Data', 'Größe', 'answer.json'));
  });

  it('stays outside where its folder is not allowed, whatever its spelling', async () => {
    for (const place of ['other', 'OTHER', 'Other', 'absent']) {
      expect(await codeOf(operations().write(at(place, 'new.txt'), 'x', whole))).toBe('FILE_OUTSIDE_FOLDERS');
      expect(await codeOf(createFileAccess(options()).open(at(place, 'missing.txt')))).toBe('FILE_OUTSIDE_FOLDERS');
    }
    expect(await codeOf(operations().write(at('data', '..', 'Other', 'new.txt'), 'x', whole))).toBe('FILE_OUTSIDE_FOLDERS');
  });
});

describe('a file', () => {
  it('gets a name that differs only in case', async () => {
    await operations().move(at('Data', 'n1.txt'), at('Data', 'N1.txt'));
    expect((await readdir(at('Data'))).sort()).toEqual(['Größe', 'N1.txt'].sort());
    await operations().move(at('data', 'Größe'), at('data', 'GRÖßE'));
    expect((await readdir(at('Data'))).sort()).toEqual(['GRÖßE', 'N1.txt'].sort());
  });

  it('keeps its name where another composition of the same letters is asked for', async () => {
    expect(await codeOf(operations().move(at('Data', 'Größe'), at('Data', 'Größe'.normalize('NFD'))))).not.toBe('done');
    expect(await codeOf(operations().move(at('Data', 'n1.txt'), at('Data', 'n1.txt')))).not.toBe('done');
  });
});

describe("Windows' prefix for long paths", () => {
  it.each([
    ['\\\\?\\C:\\Data\\a.txt', 'C:\\Data\\a.txt'],
    ['\\\\?\\UNC\\server\\share\\a.txt', '\\\\server\\share\\a.txt'],
    ['\\\\?\\Volume{1}\\a.txt', '\\\\?\\Volume{1}\\a.txt'],
    ['\\\\.\\C:\\a.txt', '\\\\.\\C:\\a.txt'],
    ['\\\\?\\UNC\\\\share', '\\\\?\\UNC\\\\share'],
    ['C:\\Data', 'C:\\Data'],
  ])('%s is %s', (text, plain) => expect(withoutLengthPrefix(text)).toBe(plain));
});
