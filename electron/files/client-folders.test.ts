import { mkdir, mkdtemp, readdir, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { processMark } from '../store/process-mark.ts';
import { ClientFolders, type FolderClient, isClientFolder } from './client-folders.ts';
import { createFileAccess, type FileAccessOptions } from './file-access.ts';
import { pruneOldFiles } from './prune.ts';
import { createFileOperations } from './tools/operations.ts';

const ann: FolderClient = { lasting: 'token of Ann' };
const bob: FolderClient = { lasting: 'token of Bob' };
const connection = (number: number, name = 'app'): FolderClient => ({
  lasting: `stdio:${name}`,
  connection: `stdio:${number}`,
});

const DAY_MS = 24 * 60 * 60 * 1000;

describe('the folder of a client', () => {
  it('is the same for the same token, also in another run of the program', () => {
    expect(new ClientFolders().of(ann).name).toBe(new ClientFolders().of(ann).name);
  });

  it('is entered by its client only', () => {
    const folders = new ClientFolders();
    const { name } = folders.of(ann);
    expect(isClientFolder(name)).toBe(true);
    expect(folders.of(ann).mayEnter(name)).toBe(true);
    expect(folders.of(ann).mayEnter(name.toUpperCase())).toBe(true);
    expect(folders.of(bob).mayEnter(name)).toBe(false);
    expect(folders.of({ lasting: '' }).mayEnter(name)).toBe(false);
  });

  it('is not entered by another open connection of the same app, and is by the next one once it has ended', () => {
    const folders = new ClientFolders();
    const [one, other] = [folders.of(connection(1)), folders.of(connection(2))];
    expect(other.mayEnter(one.name)).toBe(false);
    folders.left('stdio:1');
    expect(other.mayEnter(one.name)).toBe(true);
    expect(folders.of(connection(3, 'another app')).mayEnter(one.name)).toBe(false);
  });

  it('of a connection to another process is entered once that process has ended', () => {
    const folders = new ClientFolders();
    const { name } = folders.of(connection(1));
    const elsewhere = (pid: number) => name.replace(processMark(), processMark().replace(/\d+$/, String(pid)));
    expect(folders.of(connection(2)).mayEnter(elsewhere(process.ppid))).toBe(false);
    // Beyond the greatest number that Linux gives a process.
    expect(folders.of(connection(2)).mayEnter(elsewhere(4_194_305))).toBe(true);
  });

  it.each(['client-', 'client-notes', 'clients', 'client-0123456789abcde', 'client-0123456789abcdef.txt'])(
    '%s is the name of none',
    (name) => {
      expect(isClientFolder(name)).toBe(false);
    },
  );
});

describe('what is stored in it', () => {
  let root: string;
  let answers: string;
  const folders = new ClientFolders();
  const options = (client: FolderClient | undefined, allowed = [root]): FileAccessOptions & { maxFileBytes: () => number } => ({
    folders: () => allowed.map((each) => ({ path: each, access: 'read-write' })),
    trustedDirectories: () => [answers],
    client: client && folders.of(client),
    maxFileBytes: () => 1_000_000,
  });
  const folder = () => path.join(answers, folders.of(ann).name);
  const answer = () => path.join(folder(), 'answer.json');

  beforeEach(async () => {
    root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'filebridge-clients-')));
    answers = path.join(root, 'answers');
    const pending = await createFileAccess(options(ann)).create(folder(), 'answer.json');
    await pending.write(Buffer.from('{"of":"Ann"}'));
    await pending.commit();
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('is read by its client', async () => {
    expect((await createFileOperations(options(ann)).list(answers)).text).toContain(path.basename(folder()));
    expect((await createFileOperations(options(ann)).readText(answer(), {})).text).toContain('Ann');
    const file = await createFileAccess(options(ann)).open(answer());
    await file.close();
  });

  describe.each([
    ['another client', bob],
    ['nobody in particular', undefined],
  ])('from %s', (_who, client) => {
    it.each(['within an allowed folder', 'by itself'])('is kept %s', async (how) => {
      const given = options(client, how === 'by itself' ? [] : [root]);
      const operations = createFileOperations(given);
      const access = createFileAccess(given);
      await symlink(answer(), path.join(root, 'link.json'));
      await symlink(folder(), path.join(root, 'linked'));
      const aimed = [
        answer(),
        path.join(root, 'link.json'),
        path.join(root, 'linked', 'answer.json'),
        path.join(answers, '.', path.basename(folder()), '..', path.basename(folder()), 'answer.json'),
      ];
      for (const file of aimed) {
        await expect(access.open(file)).rejects.toThrow();
        await expect(operations.readText(file, {})).rejects.toThrow();
        await expect(operations.readMedia(file)).rejects.toThrow();
        await expect(operations.info(file)).rejects.toThrow();
        await expect(operations.write(file, 'x', { append: true, createDirectories: false })).rejects.toThrow();
        await expect(operations.edit(file, [{ oldText: 'A', newText: 'B', replaceAll: true }], true)).rejects.toThrow();
        await expect(operations.copy(file, path.join(root, 'copy.json'), false)).rejects.toThrow();
        await expect(operations.move(file, path.join(root, 'moved.json'))).rejects.toThrow();
        if (file === answer()) await expect(operations.delete(file, true)).rejects.toThrow();
      }
      await expect(access.create(folder(), 'answer.json', { overwrite: true })).rejects.toThrow();
      await expect(operations.list(folder())).rejects.toThrow();
      await expect(operations.move(folder(), path.join(root, 'moved'))).rejects.toThrow();
      await expect(operations.move(answers, path.join(root, 'moved'))).rejects.toThrow();
      const shown = [
        (await operations.list(answers)).text,
        (await operations.listWithSizes(answers, 'size')).text,
        (await operations.tree(answers, [])).text,
        (await operations.search(answers, '**', [])).text,
        how === 'by itself' ? '' : (await operations.search(root, '**/answer.json', [])).text,
      ].join('\n');
      expect(shown).not.toContain(path.basename(folder()));
      expect(shown).not.toContain('answer.json');
      expect(await readdir(folder())).toEqual(['answer.json']);
    });

    it('nothing tells whether it is there', async () => {
      const access = createFileAccess(options(client));
      const refusal = async (file: string) =>
        access.open(file).catch(({ text }: { text: string }) => text.replaceAll(path.basename(file), 'NAME'));
      expect(await refusal(path.join(folder(), 'no-answer.json'))).toBe(await refusal(answer()));
    });
  });

  it('is deleted past its days, and the folder after it', async () => {
    const old = new Date(Date.now() - 31 * DAY_MS);
    await utimes(answer(), old, old);
    await mkdir(path.join(answers, 'of-a-person'));
    await writeFile(path.join(answers, 'of-a-person', 'note.txt'), '');
    await utimes(path.join(answers, 'of-a-person', 'note.txt'), old, old);
    const prune = (now: number) => pruneOldFiles([{ directory: answers, days: 30 }], path.join(root, 'overdue.json'), now);
    await prune(Date.now());
    expect(await readdir(folder())).toHaveLength(1);
    await prune(Date.now() + DAY_MS);
    expect(await readdir(folder())).toEqual([]);
    await utimes(folder(), old, old);
    await prune(Date.now() + DAY_MS);
    expect(await readdir(answers)).toEqual(['of-a-person']);
  });
});
