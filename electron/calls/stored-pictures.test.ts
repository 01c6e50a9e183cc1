/** Answers with pictures, stored under the name that was asked for. */
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { configSchema } from '../../shared/model/config.ts';
import { createFileAccess } from '../files/file-access.ts';
import type { JsonObject } from '../upstream/types.ts';
import { createResponses } from './stored-answers.ts';

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'filebridge-pictures-')));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const image = (mimeType: string, bytes: string) => ({ type: 'image', mimeType, data: Buffer.from(bytes).toString('base64') });
const text = (words: string) => ({ type: 'text', text: words });

async function stored(filename: string, ...content: JsonObject[]) {
  const responses = createResponses({
    config: () => configSchema.parse({ version: 1 }),
    files: createFileAccess({ folders: () => [{ path: root, access: 'read-write' }] }),
    responsesDirectory: path.join(root, 'answers'),
  });
  const target = { server: 'web', tool: 'shoot' };
  const { warnings } = await responses.store({ content }, { storage_path: root, filename }, target);
  const names = (await readdir(root)).sort();
  const contents = await Promise.all(names.map((name) => readFile(path.join(root, name), 'utf8')));
  return {
    files: Object.fromEntries(names.map((name, index) => [name, contents[index]])),
    warnings: warnings.map(({ code }) => code),
  };
}

it.each([
  ['the only picture', 'shot.png', [image('image/png', 'P')], { 'shot.png': 'P' }],
  [
    'a picture with words beside it',
    'shot.png',
    [text('Done'), image('image/png', 'P')],
    { 'shot.png': 'P', 'shot.txt': 'Done' },
  ],
  [
    'the first of several',
    'shot.jpg',
    [image('image/png', 'P'), image('image/jpeg', 'J')],
    { 'shot-1.png': 'P', 'shot.jpg': 'J' },
  ],
])('gives %s its name', async (_, filename, content, files) => {
  expect(await stored(filename, ...content)).toEqual({ files, warnings: [] });
});

it.each([
  ['a picture of another kind', 'shot.png', [image('image/gif', 'G')], { 'shot-1.gif': 'G' }, 'NOT_NAMED'],
  [
    'words and a picture of another kind',
    'shot.png',
    [text('Done'), image('image/gif', 'G')],
    { 'shot-2.gif': 'G', 'shot.png.txt': 'Done' },
    'NOT_NAMED',
  ],
  ['words alone', 'shot.png', [text('No page')], { 'shot.png.txt': 'No page' }, 'FORMAT_NOT_WRITTEN'],
  ['a picture without extension', 'shot', [image('image/png', 'P')], { 'shot-1.png': 'P' }, 'NOT_NAMED'],
])('never calls %s so, and says it', async (_, filename, content, files, code) => {
  expect(await stored(filename, ...content)).toEqual({ files, warnings: [code] });
});

it('says under which name a picture is stored where its name is taken', async () => {
  await writeFile(path.join(root, 'shot.png'), 'old');
  expect(await stored('shot.png', image('image/png', 'P'))).toEqual({
    files: { 'shot.png': 'old', 'shot-2.png': 'P' },
    warnings: ['NOT_NAMED'],
  });
});
