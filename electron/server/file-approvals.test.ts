/** Changes by the file tools that need the person's approval: when, what is shown, and what becomes of the file. */
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Folder } from '../../shared/model/config.ts';
import { approvalText } from '../calls/approve.ts';
import type { ApprovalAnswer, ApprovalRequest } from '../calls/types.ts';
import type { JsonObject } from '../upstream/types.ts';
import { type OurFileServer, type OurOptions, openOurs, textOf } from './fixtures/file-servers.ts';

let root: string;
let ours: OurFileServer | undefined;
let asked: ApprovalRequest[];
let answer: (request: ApprovalRequest) => ApprovalAnswer | Promise<ApprovalAnswer>;
const at = (...names: string[]) => path.join(root, ...names);

async function open(approve?: Folder['approve'], options: OurOptions = {}, more: Folder[] = []): Promise<void> {
  await ours?.close();
  const folder: Folder = { path: at('a'), access: 'read-write', ...(approve ? { approve } : {}) };
  ours = await openOurs([folder, ...more], {
    approve: async (request) => {
      asked.push(request);
      return answer(request);
    },
    ...options,
  });
}
async function call(tool: string, args: JsonObject): Promise<string> {
  const result = await ours?.call(tool, args);
  return result === undefined ? '' : `${result.isError ? 'refused: ' : ''}${textOf(result)}`;
}
const held = (...names: string[]) => readFile(at(...names), 'utf8');

beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'filebridge-approvals-')));
  process.env.XDG_DATA_HOME = at('data');
  asked = [];
  answer = () => 'allowed';
  await mkdir(at('a'));
  await writeFile(at('a', 'notes.txt'), 'first\nsecond\n');
});
afterEach(async () => {
  await ours?.close();
  ours = undefined;
  delete process.env.XDG_DATA_HOME;
  await rm(root, { recursive: true, force: true });
});

const remove = () => call('delete_file', { path: at('a', 'notes.txt'), permanent: true });

describe('deleting', () => {
  it('is asked about unless the folder says otherwise, with what would be lost', async () => {
    await open();
    answer = () => 'refused';
    expect(await remove()).toBe(
      'refused: The call of filebridge:delete_file was refused by the user. Ask the user what they want instead of trying again. Without permanent, the file goes to the trash, which needs a confirmation, too',
    );
    const kept = await call('delete_file', { path: at('a', 'notes.txt') });
    expect(kept).toContain('refused by the user');
    expect(kept).not.toContain('permanent');
    expect(asked.map(({ tool, paths, loss }) => [tool, paths, loss?.change])).toEqual([
      ['delete_file', [at('a', 'notes.txt')], 'delete'],
      ['delete_file', [at('a', 'notes.txt')], 'trash'],
    ]);
    expect(asked[0]?.loss).toMatchObject({ kind: 'file', bytes: 13, beginning: 'first\nsecond\n', whole: true });
    expect(await held('a', 'notes.txt')).toBe('first\nsecond\n');
    answer = () => 'allowed';
    expect(await remove()).toBe(`Deleted ${at('a', 'notes.txt')}`);
    expect(await readdir(at('a'))).toEqual([]);
  });

  it('is not asked about where the folder says so, nor where nothing could be deleted', async () => {
    await open();
    expect(await call('delete_file', { path: at('a', 'missing.txt') })).toContain('refused: ENOENT');
    await mkdir(at('a', 'sub'));
    expect(await call('delete_file', { path: at('a', 'sub') })).toContain('is a directory');
    await open({ delete: false });
    expect(await remove()).toContain('Deleted');
    expect(asked).toEqual([]);
  });

  it('shows the beginning of a long file, and of what is no text its size only', async () => {
    await open();
    await writeFile(at('a', 'long.txt'), 'ä'.repeat(5000));
    await writeFile(at('a', 'bytes'), Buffer.from([1, 0, 255]));
    await symlink('long.txt', at('a', 'link'));
    for (const name of ['long.txt', 'bytes', 'link']) await call('delete_file', { path: at('a', name), permanent: true });
    const [, bytes, link] = asked.map(({ loss }) => loss);
    expect(asked[0]?.loss).toMatchObject({ bytes: 10_000, whole: false });
    expect(asked[0]?.loss?.beginning).toMatch(/^ä{500,1024}$/);
    expect(bytes).toMatchObject({ bytes: 3, beginning: null });
    expect(link).toMatchObject({ kind: 'link', beginning: null });
  });

  it.each([
    ['other content', () => writeFile(at('a', 'notes.txt'), 'FIRST\nSECOND\n')],
    ['another file', () => rm(at('a', 'notes.txt')).then(() => writeFile(at('a', 'notes.txt'), 'first\nsecond\n'))],
  ])('is not done to %s than was shown, even with its time put back', async (_, change) => {
    await open();
    await utimes(at('a', 'notes.txt'), 1000, 1000);
    const before = (await stat(at('a', 'notes.txt'))).ctimeMs;
    const changed = async () => {
      await change();
      await utimes(at('a', 'notes.txt'), 1000, 1000);
      return (await stat(at('a', 'notes.txt'))).ctimeMs;
    };
    answer = async () => {
      // The system's clock for files has ticks of some milliseconds.
      await expect.poll(changed).not.toBe(before);
      return 'allowed' as const;
    };
    expect(await remove()).toContain('changed after the user was asked about it, and was left alone');
    expect(await readdir(at('a'))).toEqual(['notes.txt']);
  });
});

describe('overwriting, where the folder asks about it', () => {
  it('shows both texts where line ends or the byte order mark change, which no line of a difference shows', async () => {
    await open({ overwrite: true });
    answer = () => 'refused';
    await writeFile(at('a', 'notes.txt'), 'first\r\nsecond\r\n');
    await call('write_file', { path: at('a', 'notes.txt'), content: 'first\n2nd\n' });
    await writeFile(at('a', 'notes.txt'), '\uFEFFfirst\n');
    await call('write_file', { path: at('a', 'notes.txt'), content: '1st\n' });
    expect(asked.map(({ loss }) => [loss?.diff, loss?.replacement])).toEqual([
      [null, 'first\n2nd\n'],
      [null, '1st\n'],
    ]);
  });

  it('shows the size before and after, or the diff, and asks about nothing that loses nothing', async () => {
    await open({ overwrite: true });
    answer = () => 'refused';
    await call('write_file', { path: at('a', 'notes.txt'), content: 'new' });
    const edits = [{ oldText: 'second', newText: '2nd' }];
    await call('edit_file', { path: at('a', 'notes.txt'), edits });
    expect(await held('a', 'notes.txt')).toBe('first\nsecond\n');
    expect(asked[0]?.loss).toMatchObject({
      change: 'overwrite',
      bytes: 13,
      newBytes: 3,
      beginning: 'first\nsecond\n',
      replacement: 'new',
      undoable: true,
    });
    expect(asked[0]?.loss?.diff).toMatch(/^@@ .* @@\n-first\n-second\n\+new\n/);
    expect(asked[0]?.arguments).toEqual([JSON.stringify({ path: at('a', 'notes.txt'), content: 'new' })]);
    expect(asked[1]?.loss?.diff).toMatch(/^@@ .* @@\n first\n-second\n\+2nd\n$/);
    asked = [];
    expect(await call('edit_file', { path: at('a', 'notes.txt'), edits, dryRun: true })).toContain('+2nd');
    await call('write_file', { path: at('a', 'notes.txt'), content: 'third\n', append: true });
    await call('write_file', { path: at('a', 'new.txt'), content: 'new' });
    expect(asked).toEqual([]);
    answer = () => 'allowed';
    await call('edit_file', { path: at('a', 'notes.txt'), edits });
    await call('write_file', { path: at('a', 'new.txt'), content: 'newer' });
    expect([await held('a', 'notes.txt'), await held('a', 'new.txt')]).toEqual(['first\n2nd\nthird\n', 'newer']);
  });

  it('is not done to a file that changed meanwhile', async () => {
    await open({ overwrite: true });
    answer = async () => {
      await writeFile(at('a', 'notes.txt'), 'first\nsecond!!!');
      return 'allowed' as const;
    };
    expect(await call('write_file', { path: at('a', 'notes.txt'), content: 'new' })).toContain('left alone');
    await writeFile(at('a', 'notes.txt'), 'first\nsecond\n');
    const edits = [{ oldText: 'first', newText: '1st' }];
    expect(await call('edit_file', { path: at('a', 'notes.txt'), edits })).toContain('left alone');
    expect(await held('a', 'notes.txt')).toBe('first\nsecond!!!');
  });
});

describe('moving', () => {
  const move = (to: string) => call('move_file', { source: at('a', 'notes.txt'), destination: at(to, 'moved.txt') });

  it('is asked about where the folder left, or the folder reached, says so', async () => {
    await mkdir(at('b'));
    answer = () => 'refused';
    await open({ move: true }, {}, [{ path: at('b'), access: 'read-write' }]);
    expect(await move('b')).toContain('refused by the user');
    expect(asked[0]?.loss).toMatchObject({ change: 'move', path: at('a', 'notes.txt'), destination: at('b', 'moved.txt') });
    await open({}, {}, [{ path: at('b'), access: 'read-write', approve: { move: true } }]);
    expect(await move('b')).toContain('refused by the user');
    await writeFile(at('b', 'moved.txt'), 'there');
    expect(await move('b')).toContain('already exists');
    expect(asked).toHaveLength(2);
    expect(await move('a')).toContain('Successfully moved');
    expect(asked).toHaveLength(2);
  });

  it('is no way around: into a folder that asks less, it is asked about', async () => {
    await mkdir(at('b'));
    answer = () => 'refused';
    await open({}, {}, [{ path: at('b'), access: 'read-write', approve: { delete: false } }]);
    expect(await move('b')).toContain('refused by the user');
    await open({ overwrite: true }, {}, [{ path: at('b'), access: 'read-write' }]);
    expect(await move('b')).toContain('refused by the user');
    expect(asked).toHaveLength(2);
  });
});

describe('without a window', () => {
  it('is put to the client, with everything in words', async () => {
    const questions: string[] = [];
    const onQuestion = (message: string) => {
      questions.push(message);
      return { confirm: true };
    };
    await open(undefined, { approve: null, onQuestion });
    expect(await remove()).toContain('Deleted');
    expect(questions).toHaveLength(1);
    for (const part of ['Would delete for good', at('a', 'notes.txt'), '13 bytes', '> first\n> second'])
      expect(questions[0]).toContain(part);
  });

  it('is refused where there is nobody to ask, or the client may not be, and the text names the setting', async () => {
    await open(undefined, { approve: null });
    expect(await remove()).toContain(`before files are deleted in the folder '${at('a')}', on the Folders page`);
    await open(undefined, { approve: null, throughClient: 'never', onQuestion: () => ({ confirm: true }) });
    const text = await remove();
    expect(text).toContain('"approvals": {"throughClient": "writes"}');
    expect(text).toContain('switch off the question before files are deleted');
    expect(await held('a', 'notes.txt')).toBe('first\nsecond\n');
  });
});

describe('folders of the command line', () => {
  it('are written without questions; only deleting for good needs an approval', async () => {
    await open(undefined, { foldersFrom: 'command line' });
    answer = () => 'refused';
    expect(await call('write_file', { path: at('a', 'notes.txt'), content: 'new' })).toContain('Successfully wrote');
    expect(await call('move_file', { source: at('a', 'notes.txt'), destination: at('a', 'moved.txt') })).toContain('moved');
    expect(asked).toEqual([]);
    expect(await call('delete_file', { path: at('a', 'moved.txt'), permanent: true })).toContain('refused by the user');
    expect(await call('delete_file', { path: at('a', 'moved.txt') })).toContain('to the trash');
    expect(asked).toHaveLength(1);
  });
});

it('shows what hides in names and content by its number', async () => {
  await open();
  answer = () => 'refused';
  await writeFile(at('a', 'x\u202Etxt'), 'a\u0007b');
  await call('delete_file', { path: at('a', 'x\u202Etxt') });
  const [request] = asked;
  const text = request && approvalText(request);
  for (const hidden of ['\u202E', '\u0007']) expect(text).not.toContain(hidden);
  expect(text).toContain('move to the trash');
});
