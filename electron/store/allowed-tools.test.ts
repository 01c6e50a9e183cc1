import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ALLOWED_TOOLS, openAllowedTools } from './allowed-tools.ts';

let data: string;
beforeEach(async () => {
  data = await mkdtemp(path.join(os.tmpdir(), 'filebridge-allowed-'));
});
afterEach(() => rm(data, { recursive: true, force: true }));

const texts = { entry: 'node server.js', description: 'Inserts rows', inputSchema: '{}', outputSchema: null, annotations: null };

it('keeps the texts of each tool, for its user only, also after a restart', async () => {
  const allowed = openAllowedTools(data, () => undefined);
  await allowed.keep('db', 'insert', texts);
  await allowed.keep('db', '../insert', { ...texts, description: 'Another' });
  const again = openAllowedTools(data, () => undefined);
  expect(await again.read('db', 'insert')).toEqual(texts);
  expect((await again.read('db', '../insert'))?.description).toBe('Another');
  expect(await again.read('db', 'delete')).toBeUndefined();
  const names = await readdir(path.join(data, ALLOWED_TOOLS));
  expect(names).toHaveLength(2);
  const { mode } = await stat(path.join(data, ALLOWED_TOOLS, names[0] ?? ''));
  if (process.platform !== 'win32') expect(mode & 0o777).toBe(0o600);
});

it('gives nothing for a broken file, and logs what cannot be written', async () => {
  const lines: string[] = [];
  const allowed = openAllowedTools(data, (line) => lines.push(line));
  await allowed.keep('db', 'insert', texts);
  const [name = ''] = await readdir(path.join(data, ALLOWED_TOOLS));
  await writeFile(path.join(data, ALLOWED_TOOLS, name), '{"version":1');
  expect(await allowed.read('db', 'insert')).toBeUndefined();
  await rm(path.join(data, ALLOWED_TOOLS), { recursive: true });
  await writeFile(path.join(data, ALLOWED_TOOLS), '');
  await allowed.keep('db', 'insert', texts);
  expect(lines.join()).toContain("'insert' of 'db'");
});
