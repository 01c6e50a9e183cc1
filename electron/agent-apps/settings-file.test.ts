import { watch, writeFileSync } from 'node:fs';
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect, disconnect, planConnect } from './client-config.ts';
import { backups, openApps, type TestApps, text } from './fixtures/apps.ts';
import { newestBackup, readSettings, replaceWithBackup, undo, writeSettings } from './settings-file.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'settings-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

it('loses nothing that the app writes while the new settings are on their way to the disk', async () => {
  const file = path.join(directory, 'settings.json');
  await writeFile(file, '{"old":1}');
  const before = await readSettings(file);
  const watcher = watch(directory, (_event, name) => {
    if (name?.endsWith('.tmp')) writeFileSync(file, '{"by the app":2}');
  });
  try {
    const written = writeSettings(file, before, Buffer.alloc(16 * 1024 * 1024, ' '));
    await expect(written).rejects.toMatchObject({ code: 'FILE_CHANGED' });
  } finally {
    watcher.close();
  }
  expect(await readFile(file, 'utf8')).toBe('{"by the app":2}');
  expect(await readdir(directory)).toEqual(['settings.json']);
});

let apps: TestApps;
beforeEach(async () => {
  apps = await openApps();
});
afterEach(() => apps.close());

describe('how files are replaced', () => {
  it.runIf(process.platform !== 'win32')(
    'keeps mode and link, and puts the copy beside the link, for the user alone',
    async () => {
      const kept = path.join(apps.home, 'dotfiles', 'cursor.json');
      await mkdir(path.dirname(kept));
      await writeFile(kept, '{}');
      await chmod(kept, 0o664);
      const app = await apps.client('cursor');
      await mkdir(path.dirname(app.file));
      await symlink(kept, app.file);
      await connect(app, apps.ours);
      expect((await lstat(app.file)).isSymbolicLink()).toBe(true);
      expect((await stat(kept)).mode & 0o777).toBe(0o664);
      expect(JSON.parse(await readFile(kept, 'utf8'))).toHaveProperty('mcpServers.filebridge');
      expect(await readdir(path.dirname(kept))).toEqual(['cursor.json']);
      const [backup = ''] = await backups(app);
      const copy = path.join(path.dirname(app.file), backup);
      expect(await readFile(copy, 'utf8')).toBe('{}');
      expect((await stat(copy)).mode & 0o777).toBe(0o600);
    },
  );

  it('treats an empty file as one without servers', async () => {
    for (const id of ['cursor', 'codex', 'goose', 'claude-code']) {
      const app = await apps.given(id, '');
      await connect(app, apps.ours);
      expect(await apps.standing(app)).toEqual({ state: 'connected' });
      await disconnect(app, apps.ours);
      expect(await text(app)).toBe('');
    }
  });

  it('keeps the newest few copies', async () => {
    const app = await apps.given('cursor', '{}');
    for (let round = 0; round < 4; round += 1) {
      await connect(app, apps.ours);
      await disconnect(app, apps.ours);
    }
    expect(await backups(app)).toHaveLength(5);
  });

  it('does not overwrite what another program wrote at the same moment', async () => {
    const app = await apps.given('cursor', '{}');
    const { config, bytes } = await planConnect(app, apps.ours);
    await writeFile(app.file, '{"mine": 1}');
    await expect(replaceWithBackup(app.file, config.file, bytes ?? null)).rejects.toMatchObject({ code: 'FILE_CHANGED' });
    expect(await text(app)).toBe('{"mine": 1}');
    expect(await backups(app)).toEqual([]);
  });
});

describe('undo', () => {
  it('goes back step by step', async () => {
    const app = await apps.given('zed', '// mine\n{}\n');
    await connect(app, apps.ours);
    const connected = await text(app);
    await disconnect(app, apps.ours);
    await undo(app.file);
    expect(await text(app)).toBe(connected);
    await undo(app.file);
    expect(await text(app)).toBe('// mine\n{}\n');
    await expect(undo(app.file)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('no backup'),
    });
  });

  it('takes away a file that was not there', async () => {
    const app = await apps.given('cursor');
    await connect(app, apps.ours);
    await undo(app.file);
    expect(await readdir(path.dirname(app.file))).toEqual([]);
  });

  it('is refused when somebody else has changed the file since, and says where the copy is', async () => {
    const app = await apps.given('cursor', '{}');
    await connect(app, apps.ours);
    const changed = (await text(app)).replace('{', '{ "theirs": 1,');
    await writeFile(app.file, changed);
    const backup = await newestBackup(app.file);
    await expect(undo(app.file)).rejects.toMatchObject({
      code: 'FILE_CHANGED',
      message: expect.stringContaining('changed by another program'),
      hint: expect.stringContaining(backup ?? 'none'),
    });
    expect(await text(app)).toBe(changed);
    expect(await newestBackup(app.file)).toBe(backup);
  });
});
