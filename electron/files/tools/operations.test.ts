/** Changes made at the same moment, changes that grow without bound, and walks through many directories. */
import { link, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFileOperations, type FileOperations } from './operations.ts';

const MAX_BYTES = 10 * 1024 * 1024;
const whole = { append: false, createDirectories: false };
let directory: string;
let files: FileOperations;

beforeEach(async () => {
  directory = await realpath(await mkdtemp(path.join(os.tmpdir(), 'filebridge-operations-')));
  files = createFileOperations({ folders: () => [{ path: directory, access: 'read-write' }], maxFileBytes: () => MAX_BYTES });
});
afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});
const at = (name: string) => path.join(directory, name);

it('answers are cut where they are longer than a model should read, and say how to go on', async () => {
  const bounded = createFileOperations({
    folders: () => [{ path: directory, access: 'read' }],
    maxFileBytes: () => MAX_BYTES,
    answers: { tokens: () => 100, count: async (text) => Math.ceil(text.length / 4) },
  });
  for (let i = 0; i < 100; i += 1) await writeFile(at(`file ${i}.txt`), `text ${i}\n`.repeat(100));
  const cut = 'Cut at 100 tokens; name a folder inside it, or search with a narrower pattern';
  for (const { text, note } of [
    await bounded.list(directory),
    await bounded.listWithSizes(directory, 'name'),
    await bounded.search(directory, '**/*.txt', []),
  ]) {
    expect(text.length).toBeLessThanOrEqual(400);
    expect(text).toContain('file 0.txt');
    expect(note).toBe(cut);
  }
  const many = await bounded.readMany([at('file 0.txt'), at('file 1.txt')]);
  expect(many).toContain('\nNote: Cut at 100 tokens; go on with offset: ');
  expect(many).toContain('file 1.txt: Error - Not read: one answer has at most 100 tokens. Read this one by itself');
});

describe('changes made at the same moment', () => {
  it('are all made, where they are edits of one file', async () => {
    await writeFile(at('a.txt'), 'one two three four');
    const edits = ['one', 'two', 'three', 'four'].map((word) => ({
      oldText: word,
      newText: word.toUpperCase(),
      replaceAll: false,
    }));
    await Promise.all(edits.map((edit) => files.edit(at('a.txt'), [edit], false)));
    expect(await readFile(at('a.txt'), 'utf8')).toBe('ONE TWO THREE FOUR');
  });

  it('are all made, where they add to a file that is not there yet', async () => {
    await Promise.all([1, 2, 3].map((line) => files.write(at('log.txt'), `${line}\n`, { ...whole, append: true })));
    expect((await readFile(at('log.txt'), 'utf8')).split('\n').sort()).toEqual(['', '1', '2', '3']);
  });

  it('leave one content whole in a file written by two of its names', async () => {
    const contents = ['a'.repeat(300_000), 'b'.repeat(500_000)];
    await writeFile(at('first'), 'start');
    await link(at('first'), at('second'));
    for (let round = 0; round < 12; round += 1) {
      await Promise.all([
        files.write(at('first'), contents[round % 2] ?? '', whole),
        files.write(at('second'), contents[(round + 1) % 2] ?? '', whole),
      ]);
      expect(contents).toContain(await readFile(at('first'), 'utf8'));
    }
  });
});

describe('edits of a long text', () => {
  const replacing = (oldText: string, newText: string) => ({ oldText, newText, replaceAll: true });

  it('are refused before they fill the memory, and change nothing', async () => {
    const text = 'a'.repeat(100_000);
    await writeFile(at('a.txt'), text);
    // After the first edit there are more places than are looked at.
    const growing = [replacing('a', 'a'.repeat(11)), replacing('a', 'a'.repeat(1000))];
    await expect(files.edit(at('a.txt'), growing, false)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    for (const newText of ['b'.repeat(300), Buffer.alloc(300)]) {
      const edit = files.edit(at('a.txt'), [{ ...replacing('a', ''), newText }], false);
      await expect(edit).rejects.toThrow('The file would grow to');
    }
    expect(await readFile(at('a.txt'), 'utf8')).toBe(text);
  });

  it('let others have their turn, and end when the call is cancelled', async () => {
    await writeFile(at('a.txt'), `${'line\n'.repeat(1000)}z`);
    const cancelled = new AbortController();
    let edited = 0;
    const edits = Array.from({ length: 50 }, () => ({
      ...replacing('z', 'z'),
      get oldText() {
        edited += 1;
        // The turn of somebody else, who cancels.
        if (edited === 1) setImmediate(() => cancelled.abort());
        return 'z';
      },
    }));
    await expect(files.edit(at('a.txt'), edits, false, cancelled.signal)).rejects.toThrow('aborted');
    expect(edited).toBeLessThan(50);
  });
});

describe('a file of two names, one of them as long as names can be', () => {
  it('is written', async () => {
    const long = at('😀'.repeat(63));
    await writeFile(at('short'), 'old');
    await link(at('short'), long);
    await files.write(long, 'new', whole);
    expect(await readFile(at('short'), 'utf8')).toBe('new');
  });
});

describe('a directory', () => {
  it('is not carried to where its credential-like files could be read', async () => {
    for (const name of ['strict/project', 'lax']) await mkdir(at(name), { recursive: true });
    await writeFile(at('strict/project/.env'), 'KEY=1');
    const folder = (name: string, allowSensitive?: string[]) => ({
      path: at(name),
      access: 'read-write' as const,
      ...(allowSensitive ? { allowSensitive } : {}),
    });
    const both = createFileOperations({
      folders: () => [folder('strict'), folder('lax', ['.env'])],
      maxFileBytes: () => MAX_BYTES,
    });
    await expect(both.move(at('strict/project'), at('lax/project'))).rejects.toThrow("may hold files such as '.env'");
    await expect(both.readText(at('lax/project/.env'), {})).rejects.toThrow();
    await mkdir(at('lax/other'));
    await both.move(at('lax/other'), at('strict/other'));
  });
});

describe.skipIf(process.platform === 'win32').each(['linux', 'darwin'])('the trash, as on %s', (platform) => {
  const real = process.platform;
  beforeEach(() => {
    Object.defineProperty(process, 'platform', { value: platform });
    vi.stubEnv('HOME', at('home'));
    vi.stubEnv('XDG_DATA_HOME', at('home/.local/share'));
  });
  afterEach(() => {
    Object.defineProperty(process, 'platform', { value: real });
    vi.unstubAllEnvs();
  });

  it('keeps each of several files of one name that are deleted at the same moment', async () => {
    const places = Array.from({ length: 8 }, (_, index) => at(`d${index}/report.txt`));
    for (const place of places) {
      await mkdir(path.dirname(place));
      await writeFile(place, place);
    }
    await Promise.all(places.map((place) => files.delete(place, false)));
    const trash = at(platform === 'darwin' ? 'home/.Trash' : 'home/.local/share/Trash/files');
    const kept = await Promise.all((await readdir(trash)).map((name) => readFile(path.join(trash, name), 'utf8')));
    expect(kept.sort()).toEqual(places);
  });

  it('takes files of the longest names there can be, numbers and records included', async () => {
    const names = [`${'ä'.repeat(125)}.txt`, `${'z'.repeat(255)}`, `a.${'é'.repeat(126)}`];
    for (const name of names) {
      for (const text of ['first', 'second']) {
        await writeFile(at(name), text);
        expect(await files.delete(at(name), false)).toBe('trash');
      }
    }
    const data = at('home/.local/share/Trash');
    const trash = platform === 'darwin' ? at('home/.Trash') : path.join(data, 'files');
    const kept = await readdir(trash);
    expect(kept).toHaveLength(6);
    expect(kept.filter((name) => name.endsWith('.txt'))).toHaveLength(2);
    if (platform === 'darwin') return;
    const records = await Promise.all(kept.map((name) => readFile(path.join(data, 'info', `${name}.trashinfo`), 'utf8')));
    for (const name of names)
      expect(records.filter((record) => record.includes(`/${encodeURIComponent(name)}\n`))).toHaveLength(2);
  });
});

describe('a walk through many directories', () => {
  it('matches patterns in all of them', async () => {
    const names = Array.from({ length: 200 }, (_, index) => at(`d${index}`));
    for (const name of names) {
      await mkdir(name);
      await writeFile(path.join(name, 'a.csv'), '');
    }
    const found = await files.search(directory, '**/*.csv', ['node_modules']);
    expect(found.text.split('\n')).toHaveLength(200);
    const tree = await files.tree(directory, ['node_modules']);
    expect(JSON.parse(tree.text)).toHaveLength(200);
    expect([found.note, tree.note]).toEqual([undefined, undefined]);
  });
});
