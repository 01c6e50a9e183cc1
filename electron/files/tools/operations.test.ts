/** Changes made at the same moment, changes that grow without bound, and walks through many directories. */
import { chmod, link, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
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

describe('answers longer than a model should read', () => {
  const TOKENS = 100;
  let bounded: FileOperations;
  beforeEach(() => {
    bounded = createFileOperations({
      folders: () => [{ path: directory, access: 'read-write' }],
      maxFileBytes: () => MAX_BYTES,
      // A token for each four characters.
      answers: { tokens: () => TOKENS, count: async (text) => Math.ceil(text.length / 4) },
    });
  });

  it('are cut, and say how much is left out and how to go on', async () => {
    for (let i = 0; i < 100; i += 1) await writeFile(at(`file ${i}.txt`), `text ${i}\n`.repeat(100));
    const sizes = await bounded.listWithSizes(directory, 'name');
    for (const { text, note } of [await bounded.list(directory), sizes, await bounded.search(directory, '**/*.txt', [])]) {
      expect(text).toContain('file 0.txt');
      const shown = text.split('\n').filter((line) => line.includes('.txt'));
      expect(shown.join('\n').length).toBeLessThanOrEqual(4 * TOKENS);
      expect(note).toBe(
        `${100 - shown.length} of 100 entries are left out: too many for one answer. Name a folder inside it, or use search_files with a narrower pattern`,
      );
    }
    expect(sizes.text).toContain('\nTotal: 100 files, 0 directories\nCombined size: ');
    const many = await bounded.readMany([at('file 0.txt'), at('file 1.txt')]);
    expect(many).toContain('\nNote: Cut at 100 tokens; go on with offset: ');
    expect(many).toContain('file 1.txt: Error - Not read: one answer has at most 100 tokens. Read this one by itself');
  });

  it('are cut for folders of more names than a message may hold', async () => {
    const names = Array.from({ length: 3000 }, (_, index) => `${'long name '.repeat(20)}${index}`);
    await Promise.all(names.map((name) => writeFile(at(name), '')));
    const list = await files.list(directory);
    expect(Buffer.byteLength(list.text)).toBeLessThanOrEqual(256 * 1024);
    expect(list.note).toContain(`${3000 - list.text.split('\n').length} of 3000 entries are left out`);
    const tree = await files.tree(directory, []);
    const shown = JSON.parse(tree.text) as unknown[];
    expect(tree.note).toContain(`Left out: ${3000 - shown.length} of 3000 entries`);
  });

  it('say of a long line where the next one begins', async () => {
    await writeFile(at('long'), `${'x'.repeat(1000)}\nnext\n`);
    const { note } = await bounded.readText(at('long'), {});
    expect(note).toMatch(/^Cut at 100 tokens inside a line; go on with offset: \d+, or with the next line at offset: 1001$/);
    await writeFile(at('one'), 'x'.repeat(1000));
    expect((await bounded.readText(at('one'), {})).note).toMatch(
      /^Cut at 100 tokens inside the last line; go on with offset: \d+$/,
    );
  });

  it('are trees from the top down: a folder too big for them is named, and does not hide others', async () => {
    await mkdir(at('big'));
    await mkdir(at('small/deep'), { recursive: true });
    for (let i = 0; i < 100; i += 1) await writeFile(at(`big/${i}`), '');
    await writeFile(at('small/a'), '');
    const { text, note } = await bounded.tree(directory, []);
    expect(text.length).toBeLessThanOrEqual(4 * TOKENS);
    expect(JSON.parse(text)).toEqual([
      { name: 'big', type: 'directory' },
      { name: 'small', type: 'directory', children: [{ name: 'a', type: 'file' }, expect.objectContaining({ name: 'deep' })] },
    ]);
    expect(note).toBe(
      'Left out: what is in the directory without children: too much for one answer. Name a folder inside it, or exclude what is not needed with excludePatterns',
    );
    expect((await bounded.tree(directory, ['big'])).note).toBeUndefined();
  });

  it('are diffs in their fence, with the number of lines that are left out', async () => {
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index}\n`).join('');
    await writeFile(at('a.txt'), lines);
    for (const dryRun of [true, false]) {
      const { text, note } = await bounded.edit(at('a.txt'), [{ oldText: lines, newText: 'new\n', replaceAll: false }], dryRun);
      expect(text).toMatch(/^```diff\n[^`]*\n-line \d+\n```\n\n$/);
      expect(text.length).toBeLessThanOrEqual(4 * TOKENS + 10);
      // Each line and the new one, but for those that are shown.
      const left = 201 - text.split('\n').filter((line) => line.startsWith('-line')).length;
      expect(note).toBe(
        `The rest of the diff, ${left} lines, is left out: too long for one answer. ${dryRun ? 'All edits fit; give fewer at a time to see each change' : 'All edits were made; read_text_file shows the file'}`,
      );
    }
    expect(await readFile(at('a.txt'), 'utf8')).toBe('new\n');
  });

  it('are refused for bytes as base64, and not for pictures, which no model reads as text', async () => {
    for (const name of ['a.bin', 'a.png']) await writeFile(at(name), Buffer.alloc(1000));
    await expect(bounded.readMedia(at('a.bin'))).rejects.toThrow(
      `'${at('a.bin')}' as base64 has more than the 100 tokens that one answer may hold`,
    );
    expect((await bounded.readMedia(at('a.png'))).bytes).toBe(1000);
  });
});

const isRoot = process.getuid?.() === 0;
it.skipIf(process.platform === 'win32')(
  'a folder that may not be looked into is a row of lists, and named in a note',
  async () => {
    await mkdir(at('closed'));
    await mkdir(at('open'));
    await writeFile(at('open/a.txt'), '');
    await chmod(directory, 0o755);
    await chmod(at('closed'), 0);
    if (isRoot) process.seteuid?.(65534);
    try {
      const note = `Not readable: '${at('closed')}'`;
      const tree = await files.tree(directory, []);
      expect(JSON.parse(tree.text)).toEqual([
        { name: 'closed', type: 'directory' },
        { name: 'open', type: 'directory', children: [{ name: 'a.txt', type: 'file' }] },
      ]);
      expect(tree.note).toBe(note);
      expect(await files.search(directory, '**/*.txt', [])).toEqual({ text: at('open/a.txt'), note });
      expect((await files.list(directory)).text).toBe('[DIR] closed\n[DIR] open');
      expect((await files.listWithSizes(directory, 'name')).text).toContain('[DIR] closed');
      await expect(files.tree(at('closed'), [])).rejects.toThrow('EACCES');
    } finally {
      if (isRoot) process.seteuid?.(0);
      await chmod(at('closed'), 0o700);
    }
  },
);

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
    // Nor to the very place of one that is allowed by its path.
    const placed = createFileOperations({ folders: () => [folder('strict', ['./there/.env'])], maxFileBytes: () => MAX_BYTES });
    await expect(placed.move(at('strict/project'), at('strict/there'))).rejects.toThrow("may hold files such as './there/.env'");
    await placed.move(at('strict/project'), at('strict/elsewhere'));
    await expect(placed.readText(at('strict/elsewhere/.env'), {})).rejects.toThrow();
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
