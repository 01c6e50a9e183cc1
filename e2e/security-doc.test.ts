/** docs/security.md: every promise names tests, and the tests it names are there. */
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
