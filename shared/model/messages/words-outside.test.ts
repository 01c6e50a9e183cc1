import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Rooms whose texts for people and agents are in the tables. */
const rooms = ['electron', 'renderer', 'shared'];

/** Tables themselves, tests, and the samples of the component gallery. */
const exempt = /^shared\/model\/messages\/|\.test\.tsx?$|[-/]fixtures?[-/.]|\/assembly\/|\.attacks\.|^renderer\/gallery\//;

/** Words where an error, a hint or a warning is made. INTERNAL faults are for those who repair the program. */
const words = [
  /new AppError\(\s*'(?!INTERNAL)[A-Z_]+',\s*[`'"]/,
  /\bparseFailure\(\s*[^,]+,\s*[`'"]/,
  /\bwarning\(\s*'[A-Z_]+',\s*[`'"]/,
  /\b(hint|message): [`'"][A-Z]/,
];

const sources = (place: string): string[] =>
  readdirSync(path.join(root, place), { withFileTypes: true }).flatMap((entry) => {
    const file = `${place}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : sources(file);
    return /\.tsx?$/.test(entry.name) && !exempt.test(file) ? [file] : [];
  });

it('texts for people are in the tables', () => {
  const files = rooms.flatMap(sources);
  expect(files.length).toBeGreaterThan(300);
  const found = files.filter((file) => words.some((pattern) => pattern.test(readFileSync(path.join(root, file), 'utf8'))));
  expect(found).toEqual([]);
});
