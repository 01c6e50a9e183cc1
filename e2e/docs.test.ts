/** What the documents name is there: the tests behind docs/security.md's promises, the files of docs/ARCHITECTURE.md. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
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

it('the files that docs/ARCHITECTURE.md and the decisions name exist', async () => {
  const docs = path.join(repository, 'docs');
  const decisions = (await readdir(path.join(docs, 'decisions'))).map((name) => path.join('decisions', name));
  const rooms = ['', 'electron', 'electron/engine', 'electron/files/tools'].map((room) => path.join(repository, room));
  const written = ['running.json', 'server.json'];
  const isThere = (file: string) => written.includes(file) || rooms.some((room) => existsSync(path.join(room, file)));
  for (const document of ['ARCHITECTURE.md', ...decisions]) {
    const text = await readFile(path.join(docs, document), 'utf8');
    // A decision also names files of others, without a folder.
    const isOurs = (file: string) =>
      document === 'ARCHITECTURE.md' || /^(?:electron|engine|calls|tables|documents|store|server|files)\//.test(file);
    const named = [...text.matchAll(/`([\w./-]+\.(?:tsx?|mjs|json))`/g)].map(([, file = '']) => file).filter(isOurs);
    if (document === 'ARCHITECTURE.md') expect(named.length).toBeGreaterThan(30);
    expect(
      named.filter((file) => !isThere(file)),
      document,
    ).toEqual([]);
  }
});
