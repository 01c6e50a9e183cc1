/** What the documents name is there: the tests behind docs/security.md's promises, the files of docs/ARCHITECTURE.md. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { repository } from './support/cli.ts';

it('every promise of docs/security.md names test files that exist', async () => {
  const text = await readFile(path.join(repository, 'docs', 'security.md'), 'utf8');
  const tables = text.split(/\n(?!\|)/).map((block) => block.split('\n').filter((line) => line.startsWith('| ')));
  const rows = tables.filter(([header]) => header?.startsWith('| Promise')).flatMap(([, ...lines]) => lines);
  expect(rows.length).toBeGreaterThan(15);
  for (const row of rows) {
    const files = [...row.matchAll(/`([^`]+\.test\.tsx?)`/g)].map(([, file = '']) => file);
    expect(files.length, row).toBeGreaterThan(0);
    for (const file of files) expect(existsSync(path.join(repository, file)), file).toBe(true);
  }
});

it('the files that docs/ARCHITECTURE.md names exist', async () => {
  const text = await readFile(path.join(repository, 'docs', 'ARCHITECTURE.md'), 'utf8');
  const named = [...text.matchAll(/`([\w./-]+\.(?:tsx?|mjs|json))`/g)].map(([, file = '']) => file);
  expect(named.length).toBeGreaterThan(30);
  const rooms = ['', 'electron', 'electron/engine', 'electron/files/tools'].map((room) => path.join(repository, room));
  const written = ['running.json', 'server.json'];
  expect(named.filter((file) => !written.includes(file) && !rooms.some((room) => existsSync(path.join(room, file))))).toEqual([]);
});
