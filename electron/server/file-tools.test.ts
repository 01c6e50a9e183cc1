/** What the file tools do beyond the official server, as an agent meets it. */
import { execFileSync } from 'node:child_process';
import {
  chmod,
  chown,
  link,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runs } from '../../shared/lib/fixtures/property-runs.ts';
import type { JsonObject } from '../upstream/types.ts';
import { type OurFileServer, openOurs, textOf } from './fixtures/file-servers.ts';

const windows = process.platform === 'win32';
let root: string;
let ours: OurFileServer;
const at = (name: string) => path.join(root, name);
const call = async (tool: string, args: JsonObject) => {
  const result = await ours.call(tool, args);
  return { text: textOf(result), isError: result.isError === true };
};
const refusal = async (tool: string, args: JsonObject) => {
  const { text, isError } = await call(tool, args);
  expect(isError, text).toBe(true);
  return text;
};
const ok = async (tool: string, args: JsonObject) => {
  const { text, isError } = await call(tool, args);
  expect(isError, text).toBe(false);
  return text;
};

beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'filebridge-tools-')));
  process.env.XDG_DATA_HOME = `${root}-data`;
  ours = await openOurs([root]);
});
afterEach(async () => {
  await ours.close();
  delete process.env.XDG_DATA_HOME;
  for (const directory of [root, `${root}-data`]) await rm(directory, { recursive: true, force: true });
});

describe('write_file', () => {
  it('takes bytes as base64, and leaves them as they are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        await ok('write_file', { path: at('b'), content_base64: Buffer.from(bytes).toString('base64') });
        expect(new Uint8Array(await readFile(at('b')))).toEqual(bytes);
      }),
      { numRuns: runs(40) },
    );
  });

  it.each(['YQ', 'YQ=', 'YR==', 'YQ==\n', ' YQ==', 'Y_-=', 'YQ==YQ==', '!'])(
    'refuses %j, which is no base64',
    async (content_base64) => {
      expect(await refusal('write_file', { path: at('b'), content_base64 })).toContain("'content_base64' is not valid base64");
      expect(await readdir(root)).toEqual([]);
    },
  );

  it('says what to leave out of a data URL', async () => {
    expect(await refusal('write_file', { path: at('b'), content_base64: 'data:image/png;base64,YQ==' })).toBe(
      "Parameter 'content_base64' is not valid base64. Leave out 'data:image/png;base64,'",
    );
    expect(await readdir(root)).toEqual([]);
  });

  it('says so where the content is no more than the path of a file', async () => {
    await writeFile(at('a.csv'), 'name');
    const write = async (content: string) => (await ours.call('write_file', { path: at('b'), content })).content;
    const wrote = { type: 'text', text: `Successfully wrote to ${at('b')}` };
    const note = `The content written is the path '${at('a.csv')}' itself, not what is in that file. To copy the file, use copy_file`;
    expect(await write(at('a.csv'))).toEqual([wrote, { type: 'text', text: note }]);
    expect(await readFile(at('b'), 'utf8')).toBe(at('a.csv'));
    // Nor does it tell what there is elsewhere.
    for (const content of [root, at('c.csv'), `${at('a.csv')}\n`, 'a.csv', '/etc/passwd', '']) {
      expect(await write(content)).toEqual([wrote]);
    }
  });

  it('wants exactly one source', async () => {
    expect(await refusal('write_file', { path: at('b') })).toContain('exactly one of content and content_base64');
    expect(await refusal('write_file', { path: at('b'), content: '', content_base64: '' })).toContain('exactly one of');
    await ok('write_file', { path: at('b'), content_base64: '' });
    expect((await stat(at('b'))).size).toBe(0);
  });

  it('appends, in the encoding of the file, and keeps its names', async () => {
    await ok('write_file', { path: at('log'), content: 'one\n', append: true });
    await link(at('log'), at('other'));
    await ok('write_file', { path: at('log'), content: 'two\n', append: true });
    expect(await readFile(at('other'), 'utf8')).toBe('one\ntwo\n');
    await writeFile(at('wide'), Buffer.from('\ufeffä', 'utf16le'));
    await ok('write_file', { path: at('wide'), content: 'ö', append: true });
    expect((await readFile(at('wide'))).toString('utf16le')).toBe('\ufeffäö');
  });

  it('makes directories only when told to', async () => {
    expect(await refusal('write_file', { path: at('a/b/c.txt'), content: 'x' })).toBe(
      `ENOENT: no such file or directory, open '${at('a/b/c.txt')}'. Make the folder with create_directory, or give create_directories: true`,
    );
    expect(await readdir(root)).toEqual([]);
    await ok('write_file', { path: at('a/b/c.txt'), content: 'x', create_directories: true });
    expect(await readFile(at('a/b/c.txt'), 'utf8')).toBe('x');
  });

  it.skipIf(windows)('keeps mode and owner', async () => {
    await writeFile(at('a.sh'), 'old');
    await chmod(at('a.sh'), 0o751);
    if (process.getuid?.() === 0) await chown(at('a.sh'), 1234, 1234);
    const before = await stat(at('a.sh'));
    await ok('write_file', { path: at('a.sh'), content: 'new' });
    const now = await stat(at('a.sh'));
    expect([now.mode, now.uid, now.gid]).toEqual([before.mode, before.uid, before.gid]);
    expect(now.ino).not.toBe(before.ino);
  });

  it.skipIf(windows)('writes a file of several names in place', async () => {
    await writeFile(at('a'), 'old and longer');
    await link(at('a'), at('b'));
    await ok('write_file', { path: at('a'), content: 'new' });
    expect(await readFile(at('b'), 'utf8')).toBe('new');
    expect((await stat(at('a'))).nlink).toBe(2);
    expect((await readdir(root)).sort()).toEqual(['a', 'b']);
  });

  it.skipIf(windows)(
    'tells of the copy that a crash left beside a file of several names, and builds nothing on a mixture',
    async () => {
      await writeFile(at('a'), 'half new, half old');
      await link(at('a'), at('b'));
      const copy = at(`a.${(await stat(at('a'))).ino}-0123abcd.filebridge-recovery`);
      await writeFile(copy, 'old');
      for (const name of ['a', 'b']) {
        const told = `A write to '${at(name)}' did not end, or is still going on: it may hold a mixture. What it held before is whole in '${copy}'`;
        const { content } = await ours.call('read_text_file', { path: at(name) });
        expect(content).toEqual([
          { type: 'text', text: 'half new, half old' },
          { type: 'text', text: told },
        ]);
        expect(await ok('read_multiple_files', { paths: [at(name)] })).toContain(told);
        const edits = [{ oldText: 'half', newText: 'all', replaceAll: true }];
        expect(await refusal('edit_file', { path: at(name), edits })).toContain(told);
        expect(await refusal('write_file', { path: at(name), content: '!', append: true })).toContain(
          'delete the copy with delete_file',
        );
      }
      await ok('write_file', { path: at('a'), content: 'new' });
      expect(await readFile(copy, 'utf8')).toBe('old');
      await ok('delete_file', { path: copy, permanent: true });
      await ok('write_file', { path: at('b'), content: ' and more', append: true });
      expect((await ours.call('read_text_file', { path: at('a') })).content).toEqual([{ type: 'text', text: 'new and more' }]);
    },
  );
});

describe('edit_file', () => {
  const edit = (name: string, ...edits: JsonObject[]) => ok('edit_file', { path: at(name), edits });

  it('keeps line ends, mixed ones too, and the byte order mark', async () => {
    await writeFile(at('a'), '\ufeffone\r\ntwo\nthree\r\nfour\r\n');
    await edit('a', { oldText: 'one\ntwo', newText: 'ONE\nand\nTWO' }, { oldText: 'four', newText: 'f\nour' });
    expect(await readFile(at('a'), 'utf8')).toBe('\ufeffONE\r\nand\r\nTWO\nthree\r\nf\r\nour\r\n');
  });

  it('changes nothing but what it is told to, whatever the line ends are', async () => {
    const line = fc.tuple(fc.constantFrom('alpha', 'be ta', '', 'π', '$& $1'), fc.constantFrom('\n', '\r\n', '\r'));
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.array(line), async (head, tail) => {
        const text = (lines: [string, string][]) => lines.map((parts) => parts.join('')).join('');
        await writeFile(at('f'), `${text(head)}<MARK>${text(tail)}`);
        await edit('f', { oldText: '<MARK>', newText: '$`$&' });
        expect(await readFile(at('f'), 'utf8')).toBe(`${text(head)}$\`$&${text(tail)}`);
      }),
      { numRuns: runs(60) },
    );
  });

  it('keeps other encodings and stray bytes', async () => {
    await writeFile(at('le'), Buffer.from('\ufeffgrün\r\nx', 'utf16le'));
    await edit('le', { oldText: 'grün', newText: 'blau' });
    expect((await readFile(at('le'))).toString('utf16le')).toBe('\ufeffblau\r\nx');
    await writeFile(at('latin'), Buffer.from('caf\xe9 \x80 one', 'latin1'));
    await edit('latin', { oldText: 'one', newText: 'two' });
    expect((await readFile(at('latin'))).toString('latin1')).toBe('caf\xe9 \x80 two');
    expect(await refusal('edit_file', { path: at('latin'), edits: [{ oldText: 'two', newText: '€' }] })).toContain(
      'newText_base64',
    );
  });

  it('takes bytes', async () => {
    await writeFile(at('bin'), Buffer.from([1, 2, 255, 0, 13, 10]));
    const base64 = (...bytes: number[]) => Buffer.from(bytes).toString('base64');
    await edit(
      'bin',
      { oldText_base64: base64(255, 0), newText_base64: base64(254) },
      { oldText_base64: base64(1), newText_base64: '' },
    );
    expect([...(await readFile(at('bin')))]).toEqual([2, 254, 13, 10]);
  });

  it('refuses what is there more than once, unless all are meant', async () => {
    await writeFile(at('a'), 'x = 1\ny = 2\nx = 1\n');
    const edits = [{ oldText: 'x = 1', newText: '$1' }];
    expect(await refusal('edit_file', { path: at('a'), edits })).toContain('is there 2 times');
    expect(await refusal('edit_file', { path: at('a'), edits: [{ oldText: '  x = 1 ', newText: 'z' }] })).toContain(
      'is there 2 times',
    );
    expect(await readFile(at('a'), 'utf8')).toBe('x = 1\ny = 2\nx = 1\n');
    await edit('a', { ...edits[0], replaceAll: true });
    expect(await readFile(at('a'), 'utf8')).toBe('$1\ny = 2\n$1\n');
    const back = { path: at('a'), edits: [{ oldText: '$1', newText: 'x' }], replaceAll: true };
    expect(await refusal('edit_file', { ...back, replaceAll: 'yes' })).toContain("'replaceAll' must be a boolean");
    expect(await refusal('edit_file', { ...back, edits: [{ ...back.edits[0], replaceAll: false }] })).toContain(
      'is there 2 times',
    );
    await ok('edit_file', back);
    expect(await readFile(at('a'), 'utf8')).toBe('x\ny = 2\nx\n');
  });

  it('shows control characters by their numbers', async () => {
    await writeFile(at('bin'), Buffer.from([1, 27, 0xff, 0x80, 10]));
    const edits = [
      { oldText_base64: Buffer.from([1]).toString('base64'), newText_base64: Buffer.from([0, 9]).toString('base64') },
    ];
    const [diff, note] = (await ours.call('edit_file', { path: at('bin'), edits })).content;
    expect(diff?.text).toContain('-\\x01\\x1Bÿ\\x80\n+\\x00\t\\x1Bÿ\\x80\n');
    expect(note?.text).toBe('Control characters are written \\xNN in this diff');
  });

  it('compares texts that have nothing in common without holding anybody up', async () => {
    const lines = (of: string) => Array.from({ length: 30_000 }, (_, index) => `${of}${index * 7919}`).join('\n');
    await writeFile(at('big'), lines('a'));
    expect(await ok('edit_file', { path: at('big'), edits: [{ oldText: lines('a'), newText: lines('b') }] })).toContain(
      'too long to show',
    );
    expect(await readFile(at('big'), 'utf8')).toBe(lines('b'));
  });
});

describe('reading', () => {
  beforeEach(() => writeFile(at('lines'), Array.from({ length: 50_000 }, (_, index) => `line ${index + 1}\r\n`).join('')));

  it('gives a range of lines', async () => {
    expect(await ok('read_text_file', { path: at('lines'), start_line: 7, end_line: 8 })).toBe('line 7\r\nline 8\r');
    expect(await ok('read_text_file', { path: at('lines'), start_line: 49_999 })).toBe('line 49999\r\nline 50000\r');
    expect(await refusal('read_text_file', { path: at('lines'), start_line: 1, head: 2 })).toContain('line range');
  });

  it('says how many lines there are where a range begins behind them', async () => {
    const past = (path: string, start_line: number) => refusal('read_text_file', { path: at(path), start_line });
    expect(await past('lines', 50_001)).toBe(`start_line 50001 is past the end: '${at('lines')}' has 50000 lines`);
    for (const [text, lines] of [
      ['', '0 lines'],
      ['one', '1 line'],
      ['one\n', '1 line'],
      ['one\n\n', '2 lines'],
    ] as const) {
      for (const encoding of ['utf8', 'utf16le'] as const) {
        await writeFile(at('few'), Buffer.from(encoding === 'utf8' ? text : `\ufeff${text}`, encoding));
        for (const start of [3, 9]) expect(await past('few', start)).toContain(`has ${lines}`);
        expect(await ok('read_text_file', { path: at('few'), start_line: 1, end_line: 9 })).toBe(text.replace(/\n$/, ''));
      }
    }
    expect(await refusal('read_text_file', { path: at('lines'), start_line: 8, end_line: 7 })).toBe(
      'start_line 8 is after end_line 7',
    );
  });

  it.skipIf(windows)('says where a walk stopped, and nothing where it went everywhere', async () => {
    const deep = path.join(...Array.from({ length: 131 }, () => 'd'));
    await mkdir(at(deep), { recursive: true });
    await writeFile(path.join(at(deep), 'a.csv'), '');
    const stopped = `Directories more than 128 levels down were not looked into: not into '${at(path.join(...Array.from({ length: 129 }, () => 'd')))}'. Name a directory nearer to them`;
    expect(await ok('search_files', { path: root, pattern: '**/*.csv' })).toBe(`No matches found\n${stopped}`);
    expect(await ok('directory_tree', { path: root })).toContain(stopped);
    const below = { path: at('d/d/d/d'), pattern: '**/*.csv' };
    expect(await ok('search_files', below)).toBe(path.join(at(deep), 'a.csv'));
    expect((await ours.call('search_files', below)).content).toHaveLength(1);
  });

  it('names the files that may be meant instead of a missing one', async () => {
    await writeFile(at('people.csv'), 'name');
    expect(await refusal('read_text_file', { path: at('pepole.csv') })).toBe(
      `ENOENT: no such file or directory, open '${at('pepole.csv')}'. Did you mean '${at('people.csv')}'?`,
    );
  });

  it('says how to read on in what is too long', async () => {
    for (const part of [{}, { head: 40_000 }, { tail: 40_000 }, { start_line: 1 }]) {
      const { content } = await ours.call('read_text_file', { path: at('lines'), ...part });
      const [text, note] = (content as { text: string }[]).map((block) => block.text);
      expect(text?.length).toBeLessThanOrEqual(256 * 1024);
      const next = /^Cut at 262144 tokens; go on with offset: (\d+)$/.exec(note ?? '')?.[1];
      const rest = await ok('read_text_file', { path: at('lines'), offset: Number(next) });
      const plain = (given: string) => given.replaceAll('\r\n', '\n');
      expect(plain(await readFile(at('lines'), 'utf8'))).toContain(plain(`${text}${rest.slice(0, 100)}`));
    }
  });

  it('finds both ends of a file too big to be read whole', async () => {
    const handle = await open(at('huge'), 'w');
    await handle.write('first\nsecond\n', 0);
    await handle.write('\nlast', 3 * 1024 ** 3);
    await handle.close();
    expect(await ok('read_text_file', { path: at('huge'), head: 2 })).toBe('first\nsecond');
    expect(await ok('read_text_file', { path: at('huge'), tail: 1 })).toBe('last');
    expect(await refusal('read_text_file', { path: at('huge') })).toContain("huge' is no text. Look at");
    expect(await refusal('read_media_file', { path: at('huge') })).toBe(
      'File size 3 GB exceeds maximum allowed size of 3.5 MB. Hand it to a tool by path with call_tool_with_file_content, as: "base64"',
    );
    expect(await refusal('read_text_file', { path: at('huge'), start_line: 3, end_line: 3 })).toContain('is no text');
  });

  it('gives media as large as a client takes them, and none that would end the connection', async () => {
    const most = 3.5 * 1024 ** 2;
    await writeFile(at('fits.png'), Buffer.alloc(most, 7));
    const { content } = await ours.call('read_media_file', { path: at('fits.png') });
    expect(Buffer.from((content as { data: string }[])[0]?.data ?? '', 'base64')).toHaveLength(most);
    await writeFile(at('more.png'), Buffer.alloc(most + 1, 7));
    expect(await refusal('read_media_file', { path: at('more.png') })).toContain('exceeds maximum allowed size of 3.5 MB');
    expect(await ok('read_text_file', { path: at('lines'), head: 1 })).not.toBe('');
  });

  const becomeNobody = process.seteuid && process.getuid?.() === 0;
  it.skipIf(!becomeNobody)('reads a file of several names in a directory that may not be looked into', async () => {
    await mkdir(at('closed'));
    await writeFile(at('closed/a'), 'text');
    await link(at('closed/a'), at('closed/b'));
    await chmod(root, 0o755);
    await chmod(at('closed'), 0o711);
    process.seteuid?.(65534);
    try {
      expect(await ok('read_text_file', { path: at('closed/a') })).toBe('text');
    } finally {
      process.seteuid?.(0);
    }
  });

  it('reads UTF-16 as text', async () => {
    await writeFile(at('wide'), Buffer.from('\ufeffä\nb\nc', 'utf16le'));
    expect(await ok('read_text_file', { path: at('wide'), head: 2 })).toBe('ä\nb');
  });

  it.skipIf(windows)('waits for no pipe', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    for (const tool of ['read_text_file', 'read_media_file'])
      expect(await refusal(tool, { path: at('pipe') })).toContain('a named pipe');
    expect(await ok('read_multiple_files', { paths: [at('pipe')] })).toContain('Error - ');
    expect(await ok('get_file_info', { path: at('pipe') })).toContain('isFile: false');
    expect(await refusal('write_file', { path: at('pipe'), content: 'x' })).toContain('a named pipe');
    expect(await refusal('write_file', { path: at('pipe'), content: 'x', append: true })).toContain('a named pipe');
    expect(await refusal('edit_file', { path: at('pipe'), edits: [] })).toContain('a named pipe');
    expect(await refusal('copy_file', { source: at('pipe'), destination: at('copy') })).toContain('a named pipe');
  });

  it.each([
    '{a,b}'.repeat(60),
    `${'*a'.repeat(60)}b`,
    '+(+(+(a|aa)|a)|a)b',
    '**/'.repeat(300),
    '{1..99999999}',
    '@('.repeat(500),
  ])('does not hang on the pattern %.20s', async (pattern) => {
    await writeFile(at('a'.repeat(200)), '');
    await call('search_files', { path: root, pattern });
    await call('search_files', { path: root, pattern: '*', excludePatterns: [pattern, pattern] });
    await call('directory_tree', { path: root, excludePatterns: [pattern] });
  });
});

describe('moving, copying, deleting', () => {
  it('puts nothing over anything', async () => {
    await writeFile(at('a'), 'a');
    await writeFile(at('b'), 'b');
    await mkdir(at('d'));
    for (const destination of [at('b'), at('d'), at('a')]) {
      expect(await refusal('move_file', { source: at('a'), destination })).toBe(`Destination already exists: ${destination}`);
      expect(await refusal('copy_file', { source: at('a'), destination })).toBe(`Destination already exists: ${destination}`);
    }
    expect((await readdir(root)).sort()).toEqual(['a', 'b', 'd']);
  });

  it('lets one of several at once have the name', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `n${index}`);
    for (const name of names) await writeFile(at(name), name);
    const done = await Promise.all(names.map((name) => call('move_file', { source: at(name), destination: at('one') })));
    expect(done.filter(({ isError }) => !isError)).toHaveLength(1);
    expect(await readFile(at('one'), 'utf8')).toBe(names[done.findIndex(({ isError }) => !isError)]);
    expect((await readdir(root)).length).toBe(12);
  });

  it.skipIf(windows)('copies content and permissions', async () => {
    await writeFile(at('a.sh'), 'run');
    await chmod(at('a.sh'), 0o755);
    await ok('copy_file', { source: at('a.sh'), destination: at('new/b.sh'), create_directories: true });
    expect(await readFile(at('new/b.sh'), 'utf8')).toBe('run');
    expect((await stat(at('new/b.sh'))).mode & 0o777).toBe(0o755);
    expect(await refusal('copy_file', { source: at('new'), destination: at('other') })).toBe(
      `'${at('new')}' is a directory, not a file. Copy the files in it one by one, with create_directories: true; search_files lists them`,
    );
  });

  it.skipIf(process.platform !== 'linux')('deletes into the trash, where it can be had back from', async () => {
    for (const text of ['first', 'second']) {
      await writeFile(at('a b.txt'), text);
      expect(await ok('delete_file', { path: at('a b.txt') })).toBe(`Moved ${at('a b.txt')} to the trash`);
    }
    const trash = path.join(`${root}-data`, 'Trash');
    expect((await readdir(path.join(trash, 'files'))).sort()).toEqual(['a b 2.txt', 'a b.txt']);
    expect(await readFile(path.join(trash, 'files', 'a b 2.txt'), 'utf8')).toBe('second');
    expect(await readFile(path.join(trash, 'info', 'a b.txt.trashinfo'), 'utf8')).toMatch(
      /^\[Trash Info\]\nPath=\/.*a%20b\.txt\nDeletionDate=/,
    );
    await writeFile(at('gone'), '');
    expect(await ok('delete_file', { path: at('gone'), permanent: true })).toBe(`Deleted ${at('gone')}`);
    expect(await refusal('delete_file', { path: root })).toContain('is a directory');
    expect(await readdir(root)).toEqual([]);
  });
});

const otherDisk = await mkdtemp('/dev/shm/filebridge-').catch(() => undefined);
afterAll(async () => {
  if (otherDisk) await rm(otherDisk, { recursive: true, force: true });
});

it.skipIf(!otherDisk)(
  'has the system put into its trash what lies on another disk than ours, and deletes nothing for good unasked',
  async () => {
    process.env.XDG_DATA_HOME = otherDisk;
    await writeFile(at('a'), 'a');
    const advice = `There is no trash for '${at('a')}'. The file is unchanged. Ask the user to delete it`;
    expect(await refusal('delete_file', { path: at('a') })).toBe(advice);
    let works = false;
    const trash = async (place: string) => {
      if (!works) throw new Error('no trash');
      await rename(place, at('in the trash'));
    };
    await ours.close();
    ours = await openOurs([root], { trash });
    expect(await refusal('delete_file', { path: at('a') })).toBe(advice);
    works = true;
    expect(await ok('delete_file', { path: at('a') })).toBe(`Moved ${at('a')} to the trash`);
    expect(await readdir(root)).toEqual(['in the trash']);
  },
);

it.skipIf(windows)('deletes a link, and never what it leads to', async () => {
  await writeFile(at('kept'), 'kept');
  await symlink('kept', at('link'));
  await symlink('/etc/hostname', at('out'));
  for (const name of ['link', 'out']) await ok('delete_file', { path: at(name), permanent: true });
  expect(await readdir(root)).toEqual(['kept']);
});

describe('what a model is given', () => {
  it('costs it few tokens, the file tools included', async () => {
    const tools = await ours.tools();
    const told = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    const [given, listed] = [told, tools].map((each) => encode(JSON.stringify({ tools: each })).length);
    process.stdout.write(
      `${tools.length} tools: ${given} tokens of names, descriptions and parameters, ${listed} of everything\n`,
    );
    expect(given).toBeLessThan(3000);
    expect(listed).toBeLessThan(4000);
  });
});

describe('a parameter that a tool does not have', () => {
  it.each<[string, JsonObject, string]>([
    ['read_text_file', { file: '/a' }, "Missing parameter 'path'; Unknown parameter 'file'. Did you mean 'path'?"],
    ['list_directory', { folder: '/a' }, "Missing parameter 'path'; Unknown parameter 'folder'. Did you mean 'path'?"],
    ['read_text_file', { path: '/a', startline: 5 }, "Unknown parameter 'startline'. Did you mean 'start_line'?"],
    ['write_file', { path: '/a', contents: 'x' }, "Unknown parameter 'contents'. Did you mean 'content'"],
    ['write_file', { path: '/a', content: 'x', apend: true }, "Unknown parameter 'apend'. Did you mean 'append'?"],
    ['delete_file', { path: '/a', zzz: 1 }, "Unknown parameter 'zzz'. Known parameters: path, permanent"],
    [
      'edit_file',
      { path: '/a', edits: [{ oldText: 'a', new_text: 'b' }] },
      "Unknown parameter 'edits[0].new_text'. Did you mean 'newText'",
    ],
  ])('of %s, %j, is refused, and what is meant named', async (tool, args, wanted) => {
    expect(await refusal(tool, args)).toContain(wanted);
  });
});

describe('what is refused', () => {
  it('writes nothing where the user allowed reading only', async () => {
    await mkdir(at('up/read/sub'), { recursive: true });
    await writeFile(at('up/read/a'), 'a');
    await writeFile(at('free'), 'free');
    await ours.close();
    ours = await openOurs([
      { path: root, access: 'read-write' },
      { path: at('up/read'), access: 'read' },
    ]);
    const attempts: [string, JsonObject][] = [
      ['write_file', { path: at('up/read/a'), content: 'x' }],
      ['write_file', { path: at('up/read/new'), content: 'x' }],
      ['write_file', { path: at('up/read/a'), content: 'x', append: true }],
      ['edit_file', { path: at('up/read/a'), edits: [{ oldText: 'a', newText: 'b' }] }],
      ['create_directory', { path: at('up/read/new') }],
      ['move_file', { source: at('up/read/a'), destination: at('b') }],
      ['move_file', { source: at('free'), destination: at('up/read/b') }],
      ['copy_file', { source: at('free'), destination: at('up/read/b') }],
      ['delete_file', { path: at('up/read/a') }],
      ['delete_file', { path: at('up/read/a'), permanent: true }],
    ];
    for (const [tool, args] of attempts) expect(await refusal(tool, args), tool).toContain('allowed for reading only');
    expect(await refusal('move_file', { source: at('up'), destination: at('moved') })).toContain('stays where it is');
    expect(await readFile(at('up/read/a'), 'utf8')).toBe('a');
    expect((await readdir(at('up/read'))).sort()).toEqual(['a', 'sub']);
    expect(await ok('edit_file', { path: at('up/read/a'), edits: [{ oldText: 'a', newText: 'b' }], dryRun: true })).toContain(
      '+b',
    );
  });

  it('lets no credential out, nor a name be made that hides one, nor one be written', async () => {
    await mkdir(at('.kube'));
    await mkdir(at('.ssh'));
    for (const name of ['.env', '.kube/config', '.ssh/known_hosts']) await writeFile(at(name), 'SECRET');
    const seen: string[] = [];
    for (const name of ['.env', '.kube/config', '.ssh/known_hosts', '.ssh', '.ENV']) {
      for (const tool of ['read_text_file', 'read_file', 'read_media_file', 'delete_file'])
        seen.push(await refusal(tool, { path: at(name) }));
      seen.push(await refusal('move_file', { source: at(name), destination: at('plain') }));
      seen.push(await refusal('copy_file', { source: at(name), destination: at('plain') }));
      seen.push(await refusal('edit_file', { path: at(name), edits: [{ oldText: 'S', newText: 's' }], dryRun: true }));
      seen.push(await refusal('write_file', { path: at(name), content: 'x' }));
    }
    seen.push(await refusal('move_file', { source: at('.kube'), destination: at('kube') }));
    seen.push(await ok('read_multiple_files', { paths: [at('.env')] }));
    expect(await ok('directory_tree', { path: root })).not.toContain('known_hosts');
    expect(await ok('search_files', { path: root, pattern: '**' })).not.toContain('known_hosts');
    expect(seen.join()).not.toContain('SECRET');
  });

  it('keeps its own files to itself', async () => {
    await mkdir(at('state'));
    await writeFile(at('state/tokens.json'), 'TOKEN');
    await ours.close();
    ours = await openOurs([root], { own: [at('state')] });
    const own = at('state/tokens.json');
    for (const [tool, args] of [
      ['read_text_file', { path: own }],
      ['write_file', { path: own, content: '' }],
      ['delete_file', { path: own }],
      ['move_file', { source: at('state'), destination: at('other') }],
      ['list_directory', { path: at('state') }],
    ] as [string, JsonObject][])
      expect(await refusal(tool, args), tool).toContain('belongs to Filebridge itself');
    expect(await ok('search_files', { path: root, pattern: '**' })).toBe(at('state'));
  });

  it('does nothing while paused, and writes down what it did, never what was in it', async () => {
    await ok('write_file', { path: at('a'), content: 'PAYLOAD' });
    await refusal('edit_file', { path: at('a'), edits: [{ oldText: 'nothing', newText: 'PAYLOAD' }] });
    expect(await ok('read_text_file', { path: at('a') })).toBe('PAYLOAD');
    await ok('list_directory', { path: root });
    ours.pause(true);
    for (const [tool, args] of [
      ['read_text_file', { path: at('a') }],
      ['list_directory', { path: root }],
      ['write_file', { path: at('a'), content: 'x' }],
    ] as [string, JsonObject][])
      expect(await refusal(tool, args)).toContain('paused by the user');
    expect(await readFile(at('a'), 'utf8')).toBe('PAYLOAD');
    expect(ours.ledger.map(({ server, tool, outcome, errorCode }) => [server, tool, outcome, errorCode])).toEqual([
      ['filebridge', 'write_file', 'ok', null],
      ['filebridge', 'edit_file', 'failed', 'INVALID_REQUEST'],
      ['filebridge', 'read_text_file', 'ok', null],
      ['filebridge', 'read_text_file', 'blocked', 'PAUSED'],
      ['filebridge', 'write_file', 'blocked', 'PAUSED'],
    ]);
    expect(ours.ledger[2]).toMatchObject({ kind: 'file_read', paths: [at('a')], inputBytes: 7 });
    expect(ours.ledger[0]).toMatchObject({ kind: 'file_write', paths: [at('a')], inputBytes: 7 });
    expect(JSON.stringify(ours.ledger)).not.toContain('PAYLOAD');
  });
});
