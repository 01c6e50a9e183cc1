/** The engine's compiled kernels are checked in: they are those of the sources beside them. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { compileAll } from '../electron/launch/kernels.mjs';
import { repository } from './support/cli.ts';

it('are what their sources compile to (if not, `npm run kernels` writes them)', async () => {
  const checkedIn = await readFile(path.join(repository, 'electron/engine/kernel/compiled.json'), 'utf8');
  expect(checkedIn).toBe(await compileAll());
});
