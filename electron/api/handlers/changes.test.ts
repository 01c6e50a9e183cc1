/** What agents change with file tools, undone by the person: through a real client and the window's own requests. */
import { existsSync, mkdirSync } from 'node:fs';
import { chmod, link, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Agent, connectAgent } from '../fixtures/agents.ts';
import { type RunningApi, startApi } from '../fixtures/api.ts';

let api: RunningApi;
let agent: Agent;
let trash: string | undefined;

beforeEach(async () => {
  api = await startApi({
    config: (root) => {
      mkdirSync(path.join(root, 'files'));
      return { folders: [{ path: path.join(root, 'files'), access: 'read-write', approve: { delete: false } }] };
    },
  });
  trash = process.env.XDG_DATA_HOME;
  process.env.XDG_DATA_HOME = path.join(api.root, 'home');
  agent = await connectAgent(api.services, '2025');
});
afterEach(async () => {
  if (trash === undefined) delete process.env.XDG_DATA_HOME;
  else process.env.XDG_DATA_HOME = trash;
  await agent.close();
  await api.close();
});

const at = (name: string) => path.join(api.root, 'files', name);
const text = (name: string) => readFile(at(name), 'utf8');
const call = async (name: string, args: Record<string, unknown>) => {
  const { isError, text } = await agent.call(name, args);
  expect(text).toBeTruthy();
  expect(isError).toBeFalsy();
};
const changes = () => api.ask('changes.list', {});
const kept = async (undone: boolean) => (await changes()).filter((each) => each.undone === undone);
const undo = async () => api.ask('changes.undo', { id: (await kept(false))[0]?.id ?? 'none' });
const redo = async () => api.ask('changes.undo', { id: (await kept(true))[0]?.id ?? 'none' });
const keptDirectory = () => path.join(api.root, 'program-data', 'changes');

describe('a change by an agent', () => {
  it('is listed with its agent, and is in the ledger under the same id', async () => {
    await call('write_file', { path: at('new.txt'), content: 'new' });
    const [change] = await changes();
    expect(change).toMatchObject({ kind: 'created', path: at('new.txt'), from: null, client: 'host-of-2025' });
    expect((await api.ask('ledger.get', { id: change?.id ?? '' })).entry).toMatchObject({ tool: 'write_file', outcome: 'ok' });
  });

  it('that overwrote, edited or lengthened a file is undone, the last one first, down to the very first content', async () => {
    await writeFile(at('notes.txt'), 'first\n');
    await chmod(at('notes.txt'), 0o640);
    await call('write_file', { path: at('notes.txt'), content: 'second\n' });
    await call('edit_file', { path: at('notes.txt'), edits: [{ oldText: 'second', newText: 'third' }] });
    await call('write_file', { path: at('notes.txt'), content: 'more\n', append: true });
    expect(await text('notes.txt')).toBe('third\nmore\n');
    expect((await changes()).map(({ kind }) => kind)).toEqual(['appended', 'replaced', 'replaced']);
    for (const before of ['third\n', 'second\n', 'first\n']) {
      await undo();
      expect(await text('notes.txt')).toBe(before);
    }
    expect((await stat(at('notes.txt'))).mode & 0o777).toBe(0o640);
    expect(await kept(false)).toEqual([]);
    for (const again of ['second\n', 'third\n', 'third\nmore\n']) {
      await redo();
      expect(await text('notes.txt')).toBe(again);
    }
    expect(await kept(true)).toEqual([]);
    await undo();
    expect(await text('notes.txt')).toBe('third\n');
  });

  it('to a text is shown as it was and as it became, also once it is undone, until somebody else changes the file', async () => {
    await writeFile(at('notes.txt'), 'one\ntwo\n');
    await call('edit_file', { path: at('notes.txt'), edits: [{ oldText: 'two', newText: 'zwei' }] });
    const diff = async () => (await api.ask('changes.diff', { id: (await changes())[0]?.id ?? '' })).diff;
    const lines = '@@ -1,2 +1,2 @@\n one\n-two\n+zwei\n';
    expect(await diff()).toBe(lines);
    await undo();
    expect(await diff()).toBe(lines);
    await redo();
    await call('write_file', { path: at('notes.txt'), content: 'more\n', append: true });
    expect(await diff()).toBe('@@ -1,2 +1,3 @@\n one\n zwei\n+more\n');
    await call('move_file', { source: at('notes.txt'), destination: at('moved.txt') });
    expect(await diff()).toBeNull();
    await call('write_file', { path: at('moved.txt'), content: Buffer.from([0, 1]).toString('latin1') });
    expect(await diff()).toBeNull();
    await writeFile(at('moved.txt'), 'somebody else');
    await expect(diff()).rejects.toMatchObject({ code: 'FILE_CHANGED' });
  });

  it('to a file of several names is undone in both', async () => {
    await writeFile(at('one.txt'), 'before');
    await link(at('one.txt'), at('two.txt'));
    await call('write_file', { path: at('one.txt'), content: 'after' });
    await undo();
    expect([await text('one.txt'), await text('two.txt')]).toEqual(['before', 'before']);
    expect((await stat(at('one.txt'))).nlink).toBe(2);
  });

  it('that made, copied, moved or deleted a file is undone', async () => {
    await writeFile(at('kept.txt'), 'kept');
    await call('copy_file', { source: at('kept.txt'), destination: at('copy.txt') });
    await undo();
    expect(existsSync(at('copy.txt'))).toBe(false);
    expect(await readdir(path.join(api.root, 'home', 'Trash', 'files'))).toEqual(['copy.txt']);
    await redo();
    expect(await text('copy.txt')).toBe('kept');
    await undo();

    await mkdir(at('folder'));
    await call('move_file', { source: at('kept.txt'), destination: at('folder/moved.txt') });
    expect((await changes())[0]).toMatchObject({ kind: 'moved', path: at('folder/moved.txt'), from: at('kept.txt') });
    await undo();
    expect(await text('kept.txt')).toBe('kept');
    await redo();
    expect(await text('folder/moved.txt')).toBe('kept');
    await undo();

    await call('delete_file', { path: at('kept.txt') });
    await rm(at('folder'), { recursive: true });
    await undo();
    expect(await text('kept.txt')).toBe('kept');
    expect(await readdir(path.join(api.root, 'home', 'Trash', 'info'))).toEqual(['copy.txt.trashinfo']);
  });

  it('that moved a folder is undone though its content has changed', async () => {
    await mkdir(at('folder'));
    await call('move_file', { source: at('folder'), destination: at('renamed') });
    await writeFile(at('renamed/new.txt'), 'new');
    await undo();
    expect(await text('folder/new.txt')).toBe('new');
  });

  it('that deleted for good, or failed, or only looked, leaves nothing to undo', async () => {
    await writeFile(at('a.txt'), 'a');
    await agent.call('edit_file', { path: at('a.txt'), edits: [{ oldText: 'z', newText: 'y' }] });
    await call('edit_file', { path: at('a.txt'), edits: [{ oldText: 'a', newText: 'b' }], dryRun: true });
    await call('read_text_file', { path: at('a.txt') });
    await call('delete_file', { path: at('a.txt'), permanent: true });
    expect(await changes()).toEqual([]);
  });
});

describe('undoing', () => {
  it('leaves a file alone that somebody has changed since, whatever the change was', async () => {
    await writeFile(at('a.txt'), 'before');
    await call('write_file', { path: at('a.txt'), content: 'agent' });
    await writeFile(at('a.txt'), 'somebody else');
    await expect(undo()).rejects.toMatchObject({ code: 'FILE_CHANGED', message: expect.stringContaining('was changed since') });
    expect(await text('a.txt')).toBe('somebody else');

    await call('write_file', { path: at('b.txt'), content: 'agent' });
    await writeFile(at('b.txt'), 'human');
    await expect(undo()).rejects.toMatchObject({ code: 'FILE_CHANGED' });
    expect(await text('b.txt')).toBe('human');

    await call('move_file', { source: at('b.txt'), destination: at('c.txt') });
    await writeFile(at('b.txt'), 'in its place');
    await expect(undo()).rejects.toMatchObject({ code: 'FILE_EXISTS' });
    expect([await text('b.txt'), await text('c.txt')]).toEqual(['in its place', 'human']);

    await call('delete_file', { path: at('c.txt') });
    await writeFile(at('c.txt'), 'again');
    await expect(undo()).rejects.toMatchObject({ code: 'FILE_EXISTS' });
    expect(await text('c.txt')).toBe('again');
    await rm(at('c.txt'));
    await rm(path.join(api.root, 'home'), { recursive: true });
    await expect(undo()).rejects.toMatchObject({ code: 'FILE_CHANGED' });
  });

  it('is offered only where it can work, and says why not', async () => {
    const hindrances = async () => (await changes()).map(({ hindrance }) => hindrance);
    await call('write_file', { path: at('a.txt'), content: 'agent' });
    expect(await hindrances()).toEqual([null]);
    await call('write_file', { path: at('a.txt'), content: 'more', append: true });
    expect(await hindrances()).toEqual([null, 'changed']);
    await call('delete_file', { path: at('a.txt') });
    expect(await hindrances()).toEqual([null, 'gone', 'gone']);
    await writeFile(at('a.txt'), 'in its place');
    expect(await hindrances()).toEqual(['taken', 'changed', 'changed']);
    await rm(at('a.txt'));
    await undo();
    expect(await hindrances()).toContain(null);
    await call('delete_file', { path: at('a.txt') });
    await rm(path.join(api.root, 'home', 'Trash'), { recursive: true });
    expect((await hindrances())[0]).toBe('gone from trash');

    await call('write_file', { path: at('b.txt'), content: 'agent' });
    await rm(at('b.txt'));
    await expect(undo()).rejects.toMatchObject({ code: 'FILE_CHANGED', message: expect.stringContaining('is no longer there') });
  });

  it('is refused outside of what is allowed now, and is a line of the ledger either way', async () => {
    await writeFile(at('a.txt'), 'before');
    await call('write_file', { path: at('a.txt'), content: 'agent' });
    await api.ask('folders.add', { path: path.join(api.root, 'files'), access: 'read' });
    await expect(undo()).rejects.toMatchObject({ code: 'FILE_READ_ONLY' });
    await api.ask('folders.add', { path: path.join(api.root, 'files'), access: 'read-write' });
    await undo();
    expect(await text('a.txt')).toBe('before');
    const { entries } = await api.ask('ledger.find', { filter: { text: 'undo' }, offset: 0, limit: 9 });
    expect(entries.map(({ client, outcome }) => [client, outcome])).toEqual([
      ['Filebridge app', 'ok'],
      ['Filebridge app', 'blocked'],
    ]);
    await expect(api.ask('changes.undo', { id: '../../config/config' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('works while agents are paused', async () => {
    await call('write_file', { path: at('a.txt'), content: 'agent' });
    await api.ask('server.pause', {});
    await undo();
    expect(existsSync(at('a.txt'))).toBe(false);
  });
});

describe('what is kept', () => {
  it('is for this user only, and is bounded in number, bytes and days', async () => {
    await writeFile(at('large.bin'), Buffer.alloc(65 * 1024 * 1024));
    await call('write_file', { path: at('large.bin'), content: 'small' });
    expect(await changes()).toEqual([]);

    await writeFile(at('a.txt'), 'before');
    await call('write_file', { path: at('a.txt'), content: 'agent' });
    const names = await readdir(keptDirectory());
    expect(names).toHaveLength(2);
    for (const name of names) expect((await stat(path.join(keptDirectory(), name))).mode & 0o077).toBe(0);
    expect((await stat(keptDirectory())).mode & 0o077).toBe(0);

    const [kept] = await changes();
    const facts = path.join(keptDirectory(), `${kept?.id}.json`);
    const old = JSON.parse(await readFile(facts, 'utf8'));
    const month = Date.now() - 31 * 24 * 60 * 60 * 1000;
    await writeFile(facts, JSON.stringify({ ...old, time: new Date(month).toISOString() }));
    for (const name of names) await utimes(path.join(keptDirectory(), name), month / 1000, month / 1000);
    expect(await changes()).toEqual([]);
    // The next change clears it away.
    await call('write_file', { path: at('b.txt'), content: 'b' });
    expect(await readdir(keptDirectory())).toHaveLength(1);

    for (let i = 0; i < 205; i += 1) {
      await writeFile(facts, JSON.stringify({ ...old, id: `${i}` }));
      await rename(facts, path.join(keptDirectory(), `${i}.json`));
    }
    await call('write_file', { path: at('c.txt'), content: 'c' });
    expect(await changes()).toHaveLength(200);
    expect((await changes())[0]).toMatchObject({ path: at('c.txt') });
  });

  it('does not keep a change from being made where nothing can be kept', async () => {
    await mkdir(path.dirname(keptDirectory()), { recursive: true });
    await writeFile(keptDirectory(), 'no directory');
    await writeFile(at('a.txt'), 'before');
    await call('write_file', { path: at('a.txt'), content: 'agent' });
    expect(await text('a.txt')).toBe('agent');
    expect(await changes()).toEqual([]);
  });
});
