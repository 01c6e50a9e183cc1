import { execFileSync } from 'node:child_process';
import { chmod, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../shared/lib/fixtures/eventually.ts';
import { defaultFolderApprovals } from '../../../shared/model/config.ts';
import { consoleHost, type HostPort } from '../../app/host.ts';
import { type RunningApi, startApi } from '../fixtures/api.ts';

let api: RunningApi;
const at = (...names: string[]) => path.join(api.root, ...names);
const start = async (host: HostPort = consoleHost, folders?: string[]) => {
  api = await startApi({ host, ...(folders ? { folders } : {}) });
  for (const folder of ['data/in', 'other', 'rw']) await mkdir(at(folder), { recursive: true });
};
const add = (folder: string, access: 'read' | 'read-write' = 'read') => api.ask('folders.add', { path: folder, access });
const explain = (asked: string) => api.ask('paths.explain', { path: asked });

beforeEach(() => start());
afterEach(() => api.close());

describe('allowing folders', () => {
  it('adds one, changes its access, removes it, and the page hears of each', async () => {
    expect(await add(`${at('data')}${path.sep}`)).toEqual({
      path: at('data'),
      access: 'read',
      exists: true,
      silent: false,
      fixed: false,
      approve: defaultFolderApprovals,
      allowedFiles: [],
    });
    expect(await add(at('data', 'in', '..'), 'read-write')).toMatchObject({ path: at('data'), access: 'read-write' });
    expect(api.config().folders).toEqual([{ path: at('data'), access: 'read-write' }]);
    await api.ask('folders.remove', { path: at('data') });
    expect(await api.ask('folders.list', {})).toEqual([]);
    await eventually(() => expect(api.heard('folders.changed').length).toBeGreaterThanOrEqual(3));
  });

  it('lets agents read one file that looks like a password, and no other of the same name', async () => {
    await add(at('data'));
    for (const name of ['data/.env', 'data/in/.env']) await writeFile(at(name), 'KEY=1');
    expect(await explain(at('data/.env'))).toMatchObject({ allowed: false, allowable: '.env' });
    expect(await api.ask('folders.allowFile', { path: at('data/in/.env') })).toMatchObject({ allowedFiles: ['./in/.env'] });
    expect(await explain(at('data/in/.env'))).toMatchObject({ allowed: true, allowable: null });
    expect(await explain(at('data/.env'))).toMatchObject({ allowed: false });
    expect(api.config().folders).toEqual([{ path: at('data'), access: 'read', allowSensitive: ['./in/.env'] }]);
    // It is still no file that an agent may write.
    await add(at('data'), 'read-write');
    expect(await api.ask('folders.list', {})).toMatchObject([{ allowedFiles: ['./in/.env'] }]);
    await api.ask('folders.forbidFile', { path: at('data'), entry: './in/.env' });
    expect(await explain(at('data/in/.env'))).toMatchObject({ allowed: false });
    for (const other of [at('data'), at('data/none.csv'), at('other/.env'), '/etc/passwd'])
      await expect(api.ask('folders.allowFile', { path: other })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('tells pages of folders that changed or went, and of nothing else', async () => {
    await add(at('data'));
    const told = () => api.heard('folders.changed').length;
    await eventually(() => expect(told()).toBeGreaterThan(0));
    const before = told();
    await api.ask('server.pause', {});
    await eventually(() => expect(api.heard('status.changed').at(-1)?.state).toBe('paused'));
    expect(told()).toBe(before);
    await rm(at('data'), { recursive: true });
    await eventually(() => expect(told()).toBe(before + 1));
    expect(await api.ask('folders.list', {})).toMatchObject([{ path: at('data'), exists: false }]);
  });

  it('takes one inside another only with another access', async () => {
    await add(at('data'));
    await expect(add(at('data', 'in'))).rejects.toMatchObject({ message: expect.stringMatching(/allowed already, as part of/) });
    await add(at('data', 'in'), 'read-write');
    expect(await explain(at('data', 'in'))).toMatchObject({ allowed: true, access: 'read-write', folder: at('data', 'in') });
    expect(await explain(at('data'))).toMatchObject({ allowed: true, access: 'read', folder: at('data') });
  });

  it.skipIf(process.platform === 'win32')('knows one by whatever name', async () => {
    await symlink(at('data'), at('link'));
    await add(at('link'));
    expect(await add(at('data'), 'read-write')).toMatchObject({ path: at('link'), access: 'read-write' });
    expect(api.config().folders).toHaveLength(1);
    await api.ask('folders.remove', { path: at('data') });
    expect(api.config().folders).toEqual([]);
  });

  it('keeps what else a folder is given', async () => {
    await api.services.runtime.config.update((config) => ({
      ...config,
      folders: [{ path: at('data'), access: 'read', allowSensitive: ['.env'] }],
    }));
    await add(at('data'), 'read-write');
    expect(api.config().folders).toEqual([{ path: at('data'), access: 'read-write', allowSensitive: ['.env'] }]);
  });

  it('refuses what is none, too much or its own, and says why', async () => {
    await writeFile(at('file.csv'), 'a');
    const refusals: [string, RegExp][] = [
      [at('file.csv'), /is not a folder/],
      [at('absent'), /There is no folder/],
      ['relative', /not a full path/],
      [path.parse(api.root).root, /whole disk/],
      [at('data', '..', 'data', '..', '..', '..', '..', '..', '..'), /whole disk|folders of all users|belongs to the system/],
    ];
    for (const [folder, words] of refusals) {
      await expect(add(folder)).rejects.toMatchObject({ message: expect.stringMatching(words), hint: expect.any(String) });
    }
    const own = api.services.runtime.dataDirectory;
    await mkdir(path.join(own, 'responses'), { recursive: true });
    await expect(add(own)).rejects.toMatchObject({ message: expect.stringMatching(/belongs to Filebridge/) });
    await expect(add(path.join(own, 'responses'))).rejects.toMatchObject({
      message: expect.stringMatching(/belongs to Filebridge/),
    });
    await expect(add(os.homedir(), 'read-write')).rejects.toMatchObject({ message: expect.stringMatching(/reading only/) });
    expect(api.config().folders).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('refuses its own by a link too', async () => {
    await symlink(api.services.runtime.dataDirectory, at('innocent'));
    await expect(add(at('innocent'))).rejects.toMatchObject({ message: expect.stringMatching(/belongs to Filebridge/) });
  });

  it('keeps what needs approval in a folder while its access changes', async () => {
    await add(at('data'), 'read-write');
    const approve = { delete: false, overwrite: true, move: false };
    expect(await api.ask('folders.add', { path: at('data'), access: 'read-write', approve })).toMatchObject({ approve });
    await add(at('data'));
    expect(await add(at('data'), 'read-write')).toMatchObject({ approve });
    expect(api.config().folders).toEqual([{ path: at('data'), access: 'read-write', approve }]);
  });

  it('leaves what agents may do as it is where a listed folder, or one inside it, is added again', async () => {
    await mkdir(at('data', 'inside'), { recursive: true });
    expect(await api.ask('folders.add', { path: at('data') })).toMatchObject({ access: 'read' });
    await add(at('data'), 'read-write');
    expect(await api.ask('folders.add', { path: at('data') })).toMatchObject({ access: 'read-write' });
    await expect(api.ask('folders.add', { path: at('data', 'inside') })).rejects.toMatchObject({
      message: expect.stringContaining('as part of'),
    });
    await add(at('data', 'inside'), 'read');
    expect(api.config().folders.map(({ access }) => access)).toEqual(['read-write', 'read']);
  });

  it('shows and removes one that is gone', async () => {
    await add(at('data'));
    await rm(at('data'), { recursive: true });
    expect(await api.ask('folders.list', {})).toEqual([
      {
        path: at('data'),
        access: 'read',
        exists: false,
        silent: false,
        fixed: false,
        approve: defaultFolderApprovals,
        allowedFiles: [],
      },
    ]);
    await writeFile(at('data'), 'now a file');
    expect(await api.ask('folders.list', {})).toMatchObject([{ exists: false }]);
    await api.ask('folders.remove', { path: at('data') });
    await expect(api.ask('folders.remove', { path: at('data') })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('changes none that the command line gave', async () => {
    const outer = api;
    await start(consoleHost, [path.join(outer.root, 'data')]);
    const fixed = { code: 'INVALID_REQUEST', message: expect.stringContaining('command line') };
    await expect(add(at('other'))).rejects.toMatchObject(fixed);
    await expect(api.ask('folders.remove', { path: path.join(outer.root, 'data') })).rejects.toMatchObject(fixed);
    expect(await api.ask('folders.list', {})).toMatchObject([{ fixed: true, access: 'read-write' }]);
    expect(await api.ask('paths.explain', { path: path.join(outer.root, 'x.csv') })).toMatchObject({
      hint: 'Add the folder it is in to the command line if agents should reach it.',
    });
    await outer.close();
  });
});

describe('why a path is refused', () => {
  beforeEach(async () => {
    await writeFile(at('data', 'list.csv'), 'a\n1\n');
    await writeFile(at('data', '.env'), 'KEY=1');
    await writeFile(at('other', 'secret.csv'), 'a\n1\n');
    await add(at('data'));
    await add(at('rw'), 'read-write');
  });

  /** What a real opening says of it. */
  const codeOf = async (asked: string) => {
    try {
      await (await api.services.runtime.files.open(asked)).close();
      return null;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  it('comes with the folder to allow, where one would help', async () => {
    await mkdir(at('elsewhere'));
    await writeFile(at('elsewhere', 'data.csv'), 'a\n1\n');
    await symlink(at('elsewhere', 'data.csv'), at('data', 'link.csv'));
    const offered = async (asked: string) => (await explain(asked)).toAllow;
    expect(await offered(at('elsewhere', 'data.csv'))).toBe(at('elsewhere'));
    expect(await offered(at('elsewhere'))).toBe(at('elsewhere'));
    // A link leads to another folder than the one it is in, which is allowed already.
    expect(await offered(at('data', 'link.csv'))).toBe(at('elsewhere'));
    expect(await offered(at('data', 'list.csv'))).toBeNull();
    expect(await offered(at('data', '.env'))).toBeNull();
    expect(await offered('/etc/passwd')).toBeNull();
  });

  it('is told for each reason, as a real opening would have it', async () => {
    await writeFile(at('rw', 'notes.md'), 'x');
    const cases: [asked: string, code: string | null, message: RegExp, folder: string | null][] = [
      [at('data', 'list.csv'), null, /which is allowed for reading only/, at('data')],
      [at('rw', 'notes.md'), null, /agents may read and write/, at('rw')],
      ['list.csv', null, /which is allowed for reading only/, at('data')],
      [at('other', 'secret.csv'), 'FILE_OUTSIDE_FOLDERS', /in none of the allowed folders/, null],
      [at('data', '..', 'other', 'secret.csv'), 'FILE_OUTSIDE_FOLDERS', /in none of the allowed folders/, null],
      [at('data', '.env'), 'FILE_SENSITIVE', /'\.env' looks like that of a password/, at('data')],
      [at('data', 'absent.csv'), 'FILE_NOT_FOUND', /There is no file/, at('data')],
      ['absent.csv', 'FILE_NOT_FOUND', /There is no file/, null],
      [at('config', 'config.json'), 'FILE_OUTSIDE_FOLDERS', /in none of the allowed folders/, null],
    ];
    for (const [asked, code, message, folder] of cases) {
      const verdict = await explain(asked);
      expect([asked, verdict.allowed, await codeOf(asked)]).toEqual([asked, code === null, code]);
      expect(verdict.message).toMatch(message);
      expect(verdict.folder).toBe(folder);
      expect(verdict.access).toBe(code === null ? (asked.startsWith(at('rw')) ? 'read-write' : 'read') : null);
    }
  });

  it.skipIf(process.platform === 'win32')('is told for links, pipes and devices, which it does not wait for', async () => {
    await symlink(at('other', 'secret.csv'), at('data', 'out.csv'));
    await symlink(at('data', 'list.csv'), at('data', 'alias.csv'));
    await symlink(at('data', 'nowhere.csv'), at('data', 'dangling.csv'));
    execFileSync('mkfifo', [at('data', 'pipe.csv')]);
    const cases: [string, string | null, RegExp][] = [
      [at('data', 'out.csv'), 'FILE_OUTSIDE_FOLDERS', /leads out of the allowed folders, to '.*other.secret\.csv'/],
      [at('data', 'alias.csv'), null, /It leads to '.*list\.csv'/],
      [at('data', 'dangling.csv'), 'FILE_NOT_FOUND', /leads to '.*nowhere\.csv', which does not exist/],
      [at('data', 'pipe.csv'), 'FILE_NOT_REGULAR', /a named pipe, not a file/],
      ['/proc/self/environ', 'FILE_OUTSIDE_FOLDERS', /never opened/],
    ];
    for (const [asked, code, message] of cases) {
      expect([asked, await codeOf(asked)]).toEqual([asked, code]);
      expect(await explain(asked)).toMatchObject({ allowed: code === null, message: expect.stringMatching(message) });
    }
  });

  it("is told for Filebridge's own files even in an allowed folder", async () => {
    await api.services.runtime.config.update((config) => ({ ...config, folders: [{ path: api.root, access: 'read' }] }));
    expect(await explain(at('config', 'config.json'))).toMatchObject({
      allowed: false,
      message: expect.stringMatching(/belongs to Filebridge/),
    });
    expect(await explain(at('other', 'secret.csv'))).toMatchObject({ allowed: true });
  });

  it('is told for a folder that is gone, and where none is allowed', async () => {
    await rename(at('data'), at('moved'));
    expect((await explain(at('data', 'list.csv'))).message).toMatch(/folder '.*data' does not exist now/);
    await api.services.runtime.config.update((config) => ({ ...config, folders: [] }));
    expect((await explain(at('other', 'secret.csv'))).message).toBe('No folder is allowed yet.');
  });

  it.skipIf(process.platform === 'win32' || os.userInfo().uid === 0)(
    'is told where the system forbids it (root may read everything)',
    async () => {
      await chmod(at('data', 'list.csv'), 0);
      expect(await explain(at('data', 'list.csv'))).toMatchObject({
        allowed: false,
        message: expect.stringMatching(/system does not let/),
      });
    },
  );

  it('takes a path as people paste it', async () => {
    expect(await explain(` "${at('data', 'list.csv')}" `)).toMatchObject({ allowed: true, path: at('data', 'list.csv') });
    expect(await explain(at('data'))).toMatchObject({
      allowed: true,
      message: expect.stringMatching(/Agents may read files in it/),
    });
    expect(await explain('a\0b')).toMatchObject({ allowed: false });
  });
});

describe('looking around', () => {
  it('glances at a folder by the formats that Filebridge converts', async () => {
    await writeFile(at('data', 'a.csv'), '1');
    await writeFile(at('data', 'b.ndjson.gz'), '1');
    await writeFile(at('data', 'in', 'c.csv'), '1');
    await writeFile(at('data', 'd.bin'), '1');
    const glance = await api.ask('folders.glance', { path: at('data') });
    expect(glance).toMatchObject({ files: 4, folders: 1, bytes: 4, partial: false });
    expect(glance.byFormat).toEqual([
      { format: 'csv', files: 2 },
      { format: 'jsonl', files: 1 },
    ]);
    await expect(api.ask('folders.glance', { path: at('absent') })).rejects.toMatchObject({
      message: expect.stringMatching(/no folder/),
    });
    await expect(api.ask('folders.glance', { path: at('data', 'a.csv') })).rejects.toMatchObject({ code: 'FILE_NOT_REGULAR' });
  });

  it('browses from home on', async () => {
    const listing = await api.ask('places.browse', { path: at('data'), files: true });
    expect(listing).toMatchObject({ path: at('data'), parent: api.root, places: [{ name: 'in', kind: 'folder' }] });
    expect((await api.ask('places.browse', { path: null, files: false })).path).toBe(os.homedir());
    await expect(api.ask('places.browse', { path: 'data', files: false })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('suggests nothing that is allowed already', async () => {
    const suggestions = await api.ask('folders.suggest', {});
    for (const { path: folder } of suggestions) expect(path.isAbsolute(folder)).toBe(true);
    await api.services.runtime.config.update((config) => ({ ...config, folders: [{ path: os.homedir(), access: 'read' }] }));
    expect(await api.ask('folders.suggest', {})).toEqual([]);
  });

  it('uses the dialogs and the file manager of its host, and says where there are none', async () => {
    await expect(api.ask('places.pick', { kind: 'folder' })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      hint: expect.stringMatching(/desktop app/),
    });
    await expect(api.ask('places.reveal', { path: at('data') })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    await expect(api.ask('places.save', { name: 'a.csv', text: '' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    const revealed: string[] = [];
    const desktop: HostPort = {
      ...consoleHost,
      kind: 'desktop',
      pick: async (kind) => (kind === 'folder' ? '/chosen' : null),
      save: async (name, text) => (text === '' ? null : `/saved/${name}`),
      reveal: async (place) => void revealed.push(place),
    };
    await api.close();
    await start(desktop);
    expect(await api.ask('places.pick', { kind: 'folder' })).toEqual({ path: '/chosen' });
    expect(await api.ask('places.pick', { kind: 'file' })).toEqual({ path: null });
    expect(await api.ask('places.save', { name: 'a.csv', text: 'id' })).toEqual({ path: '/saved/a.csv' });
    expect(await api.ask('places.save', { name: 'a.csv', text: '' })).toEqual({ path: null });
    await expect(api.ask('places.save', { name: '../a.csv', text: '' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    await api.ask('places.reveal', { path: at('data') });
    await expect(api.ask('places.reveal', { path: at('absent') })).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
    expect(revealed).toEqual([at('data')]);
  });
});
