import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../shared/lib/fixtures/eventually.ts';
import { type Config, configSchema } from '../../shared/model/config.ts';
import { openConfigStore, type WatchingConfigStore } from './config-store.ts';
import type { ConfigProblem } from './types.ts';

const entryOf = (problem: ConfigProblem) => (problem.kind === 'entry' ? problem.entry : null);

let root: string;
let file: string;
let opened: WatchingConfigStore[] = [];
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'filebridge-config-'));
  file = path.join(root, 'config.json');
});
afterEach(async () => {
  for (const store of opened) store.close();
  opened = [];
  await rm(root, { recursive: true, force: true });
});

async function open(at = file): Promise<WatchingConfigStore> {
  const store = await openConfigStore(at);
  opened.push(store);
  return store;
}

const withFolder = (folder: string) => (config: Config) => ({
  ...config,
  folders: [...config.folders, { path: folder, access: 'read' as const }],
});
const onDisk = async () => JSON.parse(await readFile(file, 'utf8'));

describe('a configuration that is not there', () => {
  it('gives defaults, and is written at the first update only', async () => {
    const store = await open();
    expect(store.current()).toEqual(configSchema.parse({ version: 1 }));
    expect(store.problems).toEqual([]);
    expect(await readdir(root)).toEqual([]);
    await store.update(withFolder('/data'));
    expect(await onDisk()).toMatchObject({ version: 1, folders: [{ path: '/data', access: 'read' }] });
    expect(await readdir(root)).toEqual(['config.json']);
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('gets the folders that lead to it', async () => {
    const deep = path.join(root, 'a', 'b', 'config.json');
    await (await open(deep)).update(withFolder('/data'));
    expect((await (await open(deep)).current()).folders).toHaveLength(1);
  });
});

describe('a configuration written by hand', () => {
  it('may have comments and trailing commas', async () => {
    await writeFile(file, '{ "version": 1, // ours\n "folders": [{ "path": "/data" },], }');
    const store = await open();
    expect(store.problems).toEqual([]);
    expect(store.current().folders).toEqual([{ path: '/data', access: 'read' }]);
  });

  it('is only looked at by those who only look', async () => {
    await writeFile(file, '{ broken');
    const store = await openConfigStore(file, { readOnly: true, watch: false });
    expect(store.problems).toMatchObject([
      {
        kind: 'ignored',
        message: expect.stringMatching(/is not valid, and defaults are used: .* at line 1/),
        hint: expect.any(String),
      },
    ]);
    expect(await readFile(file, 'utf8')).toBe('{ broken');
    expect(await readdir(root)).toEqual(['config.json']);
  });
});

describe('updates', () => {
  it('are refused by key when they break the schema, and change nothing', async () => {
    const store = await open();
    await store.update(withFolder('/data'));
    const wrong = store.update((config) => ({ ...config, limits: { ...config.limits, maxFileBytes: -1 } }));
    await expect(wrong).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('limits.maxFileBytes'),
    });
    expect((await onDisk()).limits.maxFileBytes).toBe(10485760);
    expect(store.current().limits.maxFileBytes).toBe(10485760);
  });

  it('of several windows and programs at once all arrive', async () => {
    const [one, two] = [await open(), await open()];
    const names = Array.from({ length: 30 }, (_, index) => `/data/${index}`);
    await Promise.all(names.map((name, index) => (index % 2 ? one : two).update(withFolder(name))));
    const written = (await onDisk()).folders.map((folder: { path: string }) => folder.path);
    expect(written.sort()).toEqual([...names].sort());
  });

  it('are told to listeners until they leave', async () => {
    const store = await open();
    const heard: number[] = [];
    const leave = store.onChange((config) => heard.push(config.folders.length));
    await store.update(withFolder('/a'));
    await store.update(withFolder('/b'));
    leave();
    await store.update(withFolder('/c'));
    expect(heard).toEqual([1, 2]);
  });

  it('cannot change the current value from inside', async () => {
    const store = await open();
    await store
      .update((config) => {
        config.folders.push({ path: '/half', access: 'read' });
        throw new Error('changed my mind');
      })
      .catch(() => undefined);
    expect(store.current().folders).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('keep a link to the file a link', async () => {
    const real = path.join(root, 'dotfiles.json');
    await writeFile(real, '{"version":1}');
    await symlink(real, file);
    await (await open()).update(withFolder('/data'));
    expect((await lstat(file)).isSymbolicLink()).toBe(true);
    expect(JSON.parse(await readFile(real, 'utf8')).folders).toHaveLength(1);
  });
});

describe('a broken configuration', () => {
  it.each([
    ['{"version": 1,\n "folders": [}', /line 2, column 14/],
    ['[]', /not an object/],
    ['7', /not an object/],
    ['', /a value is expected/],
  ])('%j is kept aside and reported', async (text, reason) => {
    await writeFile(file, text);
    const store = await open();
    expect(store.current()).toEqual(configSchema.parse({ version: 1 }));
    const aside = (await readdir(root)).filter((name) => /^config\.broken-\d{8}T\d{6}Z\.json$/.test(name));
    expect(aside).toHaveLength(1);
    expect(await readFile(path.join(root, aside[0] ?? ''), 'utf8')).toBe(text);
    if (process.platform !== 'win32') expect((await stat(path.join(root, aside[0] ?? ''))).mode & 0o777).toBe(0o600);
    expect(store.problems).toHaveLength(1);
    expect(store.problems[0]?.message).toMatch(reason);
    expect(store.problems[0]?.message).toContain(aside[0]);
  });

  it('never quotes a secret when it says what is wrong', async () => {
    await writeFile(file, '{"version": 1, "upstreams": {"db": {"type": "stdio", "command": "x", "env": {"KEY": "hunter2"');
    expect(JSON.stringify((await open()).problems)).not.toContain('hunter2');
  });

  it('of the same second stands beside the one before', async () => {
    for (const text of ['{', '[', '!']) {
      await writeFile(file, text);
      await open();
    }
    const texts = await Promise.all((await readdir(root)).map((name) => readFile(path.join(root, name), 'utf8')));
    expect(texts.sort()).toEqual(['!', '[', '{']);
  });

  it('stays a problem through changes, until it is repaired where it lies and read again', async () => {
    await writeFile(file, '{"version": 1, "folders": [');
    const store = await open();
    await store.update(withFolder('/mine'));
    const [problem] = store.problems;
    expect(problem).toMatchObject({ kind: 'set_aside', message: expect.stringContaining('a closing ] is missing') });
    const aside = problem?.kind === 'set_aside' ? problem.path : '';
    await writeFile(aside, '{"version": 1, "folders": [}');
    await store.reload();
    expect(store.problems).toMatchObject([{ kind: 'set_aside', message: expect.stringContaining('a value is expected') }]);
    expect(store.current().folders).toEqual([{ path: '/mine', access: 'read' }]);
    await writeFile(aside, '{"version": 1, "folders": [{"path": "/data"}]}');
    await store.reload();
    expect(store.problems).toEqual([]);
    expect(store.current().folders).toEqual([{ path: '/data', access: 'read' }]);
    expect((await onDisk()).folders).toEqual([{ path: '/data' }]);
    expect(await readFile(aside, 'utf8')).toContain('/data');
  });

  it('can be given up', async () => {
    await writeFile(file, '{');
    const store = await open();
    await store.restore();
    expect(store.problems).toEqual([]);
    expect(await onDisk()).toEqual(configSchema.parse({ version: 1 }));
    expect((await readdir(root)).filter((name) => name.startsWith('config.broken-'))).toHaveLength(1);
  });

  it('with a byte order mark is none', async () => {
    await writeFile(file, '\uFEFF{"version": 1}');
    expect((await open()).problems).toEqual([]);
  });
});

describe('several starts at once', () => {
  const starts = () => Promise.all(Array.from({ length: 20 }, () => open()));

  it('keep one copy of a broken file and report the same', async () => {
    await writeFile(file, '{"version": 1, "folders": [');
    const stores = await starts();
    const names = await readdir(root);
    expect(names).toEqual([expect.stringMatching(/^config\.broken-/)]);
    expect(new Set(stores.map(({ problems }) => JSON.stringify(problems))).size).toBe(1);
    expect(stores[0]?.problems).toMatchObject([{ kind: 'set_aside', path: path.join(root, names[0] ?? '') }]);
    expect((await open()).problems).toEqual(stores[0]?.problems);
  });

  it('bring an old file up to date once', async () => {
    await writeFile(file, JSON.stringify({ folders: ['/data', 7], later: { than: 'this' } }));
    const stores = await starts();
    expect(await readdir(root)).toEqual(['config.json']);
    for (const store of stores) {
      expect(store.current().folders).toEqual([{ path: '/data', access: 'read' }]);
      expect(store.problems.map(entryOf)).toEqual(['folders[1]', 'later']);
    }
    expect(await onDisk()).toEqual({ folders: [{ path: '/data' }, 7], later: { than: 'this' }, version: 1 });
  });
});

describe('a bad entry', () => {
  const db = { type: 'stdio', command: 'db', args: [], env: {}, cwd: null, enabled: true, confirm: 'always', pool: { size: 3 } };
  const mixed = {
    version: 1,
    colour: 'red',
    folders: [{ path: '/a' }, { path: '/b', access: 'write' }, { path: '/c', access: 'read-write', label: 'C' }],
    upstreams: { db, web: { type: 'web', url: 'https://a.example' }, ' a': db },
    limits: { maxFileBytes: 'big', callTimeoutMs: 5000, maxDreams: 7 },
  };

  it('is reported by name, survives changes, and leaves the others in force', async () => {
    await writeFile(file, JSON.stringify(mixed));
    const store = await open();
    expect(store.current().folders.map(({ path }) => path)).toEqual(['/a', '/c']);
    expect(Object.keys(store.current().upstreams)).toEqual(['db']);
    expect(store.current().limits).toMatchObject({ maxFileBytes: 10485760, callTimeoutMs: 5000 });
    const names = store.problems.map(entryOf);
    expect(new Set(names)).toEqual(
      new Set([
        'folders[1]',
        'upstreams.web',
        'upstreams." a"',
        'limits.maxFileBytes',
        'limits.maxDreams',
        'colour',
        'folders[2].label',
        'upstreams.db.pool',
      ]),
    );
    for (const problem of store.problems) expect(problem.message).toContain(`'${entryOf(problem)}'`);
    expect(await onDisk()).toEqual(mixed);
    await store.update((config) => ({
      ...config,
      folders: [...config.folders.filter(({ path }) => path !== '/a'), { path: '/new', access: 'read' }],
      upstreams: { ...config.upstreams, more: { ...config.upstreams.db, command: 'more' } as never },
      responses: { ...config.responses, keepDays: 7 },
    }));
    expect(await onDisk()).toMatchObject({
      version: 1,
      colour: 'red',
      folders: [mixed.folders[2], mixed.folders[1], { path: '/new', access: 'read' }],
      upstreams: { ...mixed.upstreams, more: { command: 'more' } },
      limits: mixed.limits,
      responses: { keepDays: 7 },
    });
    expect(new Set(store.problems.map(entryOf))).toContain('upstreams.web');
  });

  it('gives way to a value that is set in its place', async () => {
    await writeFile(file, JSON.stringify(mixed));
    const store = await open();
    await store.update((config) => ({ ...config, limits: { ...config.limits, maxFileBytes: 5 } }));
    expect((await onDisk()).limits).toMatchObject({ maxFileBytes: 5, maxDreams: 7 });
    expect(store.problems.map(entryOf)).not.toContain('limits.maxFileBytes');
  });

  it('is not replaced by a new server of its name', async () => {
    await writeFile(file, JSON.stringify(mixed));
    const store = await open();
    const add = store.update((config) => ({ ...config, upstreams: { ...config.upstreams, web: config.upstreams.db as never } }));
    await expect(add).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining("server 'web'") });
    expect(await onDisk()).toEqual(mixed);
  });

  it('goes when what is in force is written over the file, which is kept', async () => {
    await writeFile(file, JSON.stringify(mixed));
    const store = await open();
    await store.restore();
    expect(store.problems).toEqual([]);
    expect(Object.keys((await onDisk()).upstreams)).toEqual(['db']);
    const [aside] = (await readdir(root)).filter((name) => name.startsWith('config.broken-'));
    expect(JSON.parse(await readFile(path.join(root, aside ?? ''), 'utf8'))).toEqual(mixed);
  });

  it('in thousands is counted', async () => {
    await writeFile(file, JSON.stringify({ version: 1, folders: Array.from({ length: 3000 }, () => 7) }));
    const { problems } = await open();
    expect(problems).toHaveLength(51);
    expect(problems.at(-1)?.message).toMatch(/^2950 more entries/);
  });
});

describe('versions', () => {
  it('of a newer Filebridge are refused and left alone', async () => {
    const text = '{"version": 2, "spaceships": []}';
    await writeFile(file, text);
    await expect(openConfigStore(file)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('version 2, from a newer Filebridge'),
    });
    expect(await readFile(file, 'utf8')).toBe(text);
    expect(await readdir(root)).toEqual(['config.json']);
  });

  it('before versions are brought up to date', async () => {
    await writeFile(
      file,
      JSON.stringify({ folders: ['/data', { path: '/out', access: 'read-write' }], responses: { keepDays: 7 } }),
    );
    const store = await open();
    expect(store.current()).toMatchObject({
      version: 1,
      folders: [
        { path: '/data', access: 'read' },
        { path: '/out', access: 'read-write' },
      ],
      responses: { keepDays: 7 },
    });
    expect(store.problems).toEqual([]);
    expect(await onDisk()).toMatchObject({ version: 1 });
  });

  it('of former versions may set a limit that is gone', async () => {
    await writeFile(file, JSON.stringify({ version: 1, limits: { ledgerBytes: 8_000_000, maxColumns: 7 } }));
    const store = await open();
    expect(store.current().limits).toMatchObject({ maxColumns: 7, ledgerCalls: 100_000 });
    expect(store.problems).toEqual([]);
  });
});

describe('edits by other programs', () => {
  it('are taken over', async () => {
    const store = await open();
    const heard: Config[] = [];
    store.onChange((config) => heard.push(config));
    await writeFile(file, '{"version": 1, "folders": [{"path": "/edited"}]}');
    await eventually(() => expect(store.current().folders).toEqual([{ path: '/edited', access: 'read' }]));
    expect(heard).toHaveLength(1);
  });

  it('that break the file are reported, and the last good state stays', async () => {
    const store = await open();
    await store.update(withFolder('/good'));
    await writeFile(file, '{"version": 1, "folders": [');
    await eventually(() => expect(JSON.stringify(store.problems)).toContain('a closing ] is missing'));
    expect(store.current().folders).toEqual([{ path: '/good', access: 'read' }]);
    await expect(store.update(withFolder('/more'))).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    expect(await readFile(file, 'utf8')).toBe('{"version": 1, "folders": [');
    await writeFile(file, '{"version": 1, "folders": [{"path": "/corrected"}]}');
    await eventually(() => expect(store.current().folders[0]?.path).toBe('/corrected'));
    expect(store.problems).toEqual([]);
  });

  it('that break the file can be read again once corrected, or written over and kept aside', async () => {
    const store = await open();
    await store.update(withFolder('/good'));
    await writeFile(file, '{"version": 1, "folders": none}');
    await store.reload();
    expect(store.problems).toMatchObject([{ kind: 'ignored', message: expect.stringContaining('an unknown word') }]);
    await store.restore();
    expect(store.problems).toEqual([]);
    expect((await onDisk()).folders).toEqual([{ path: '/good', access: 'read' }]);
    const [aside] = (await readdir(root)).filter((name) => name.startsWith('config.broken-'));
    expect(await readFile(path.join(root, aside ?? ''), 'utf8')).toContain('none');
  });

  it('that came just before an update are not lost', async () => {
    const store = await open();
    await writeFile(file, '{"version": 1, "folders": [{"path": "/edited"}]}');
    await store.update(withFolder('/mine'));
    expect((await onDisk()).folders.map((folder: { path: string }) => folder.path)).toEqual(['/edited', '/mine']);
  });
});

describe('a configuration that cannot be read', () => {
  it('is not taken for an absent one', async () => {
    await mkdir(file);
    await expect(openConfigStore(file)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('cannot be read'),
    });
  });

  it.skipIf(process.platform === 'win32')('nor is a write that fails taken for done', async () => {
    const store = await open();
    const asNobody = process.getuid?.() === 0;
    await chmod(root, 0o555);
    // Permissions do not bind root: it lays its rights down for a moment.
    if (asNobody) process.seteuid?.(65534);
    try {
      await expect(store.update(withFolder('/data'))).rejects.toMatchObject({
        code: 'FILE_WRITE_FAILED',
        message: expect.stringContaining('permission was denied'),
      });
    } finally {
      if (asNobody) process.seteuid?.(0);
      await chmod(root, 0o755);
    }
    expect(store.current().folders).toEqual([]);
  });
});
