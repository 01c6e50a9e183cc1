import { watch, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readSettings, writeSettings } from './settings-file.ts';

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
