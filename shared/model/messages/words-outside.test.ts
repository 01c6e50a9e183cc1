import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Folders and files whose texts are in the tables, except for `notYet`. */
const moved = [
  'electron/engine',
  'electron/binding',
  'electron/companions',
  'electron/calls',
  'electron/agent-apps',
  'electron/upstream',
  'electron/server',
  'electron/wire',
  'electron/api',
  'electron/app',
  'electron/cli',
  'electron/console',
  'electron/files',
  'electron/shell',
  'electron/store',
];

/** Files of those that still have words of their own. Take a file off the list when its words are in the tables; put none on it. */
const notYet: readonly string[] = [
  'electron/engine/core/failures.ts',
  'electron/engine/csv/csv-types.ts',
  'electron/engine/csv/csv-reference.ts',
  'electron/engine/csv/csv-table-scan.ts',
  'electron/engine/csv/csv-writer.ts',
  'electron/engine/json/json-reader.ts',
  'electron/engine/kernel/kernel.ts',
  'electron/engine/thread/channel.ts',
  'electron/engine/thread/conversion-job.ts',
  'electron/engine/thread/converter.ts',
  'electron/engine/thread/hash-beside.ts',
  'electron/engine/thread/transferable-source.ts',
  'electron/engine/thread/thread-pool.ts',
  'electron/engine/xlsx/workbook.ts',
];

/** Words where an error, a hint or a warning is made. */
const words = [
  /new AppError\(\s*'[A-Z_]+',\s*[`'"]/,
  /\bparseFailure\(\s*[^,]+,\s*[`'"]/,
  /\bwarning\(\s*'[A-Z_]+',\s*[`'"]/,
  /\b(hint|message): [`'"][A-Z]/,
];

const sources = (place: string): string[] =>
  place.endsWith('.ts')
    ? [place]
    : readdirSync(path.join(root, place), { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? sources(`${place}/${entry.name}`) : entry.name.endsWith('.ts') ? [`${place}/${entry.name}`] : [],
      );

it('texts for people are in the tables, outside only where the list says so', () => {
  const found = moved
    .flatMap(sources)
    .filter((file) => !/\.test\.ts$|fixture/.test(file))
    .filter((file) => words.some((pattern) => pattern.test(readFileSync(path.join(root, file), 'utf8'))));
  expect(found.filter((file) => !notYet.includes(file))).toEqual([]);
  const stale = notYet.filter((file) => existsSync(path.join(root, file)) && !found.includes(file));
  expect(stale).toEqual([]);
});
