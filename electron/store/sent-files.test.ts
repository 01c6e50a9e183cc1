import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSentFiles, type SentFiles, type SentTo } from './sent-files.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'filebridge-sent-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const to: SentTo = { server: 'db', target: 'node db.js', folder: '/srv', settings: 'a', tool: 'insert' };
const sent = (id: string, sha256 = 'a'.repeat(64)) => ({
  id,
  time: '2026-01-02T03:04:05.000Z',
  owner: 'token',
  client: 'agent',
  path: '/data/a.csv',
  state: 'sent' as const,
  sha256,
});
const hash = 'a'.repeat(64);
const lastOf = async (files: SentFiles, where: SentTo, sha256: string, id: string) =>
  (await files.recent(where, [sha256], id))[0]?.[0];

it('knows what went to the same tool of the same server, in every process', async () => {
  await openSentFiles(directory, '/c.json').note(to, [sent('11111111'), sent('11111111', 'b'.repeat(64))]);
  const files = openSentFiles(directory, '/c.json');
  expect(await lastOf(files, to, hash, '22222222')).toEqual({
    id: '11111111',
    time: '2026-01-02T03:04:05.000Z',
    owner: 'token',
    client: 'agent',
    path: '/data/a.csv',
    state: 'sent',
  });
  expect(await lastOf(files, to, 'b'.repeat(64), '22222222')).toMatchObject({ id: '11111111' });
  for (const other of [{ target: 'node other.js' }, { folder: '/elsewhere' }, { settings: 'b' }, { tool: 'delete' }])
    expect(await lastOf(files, { ...to, ...other }, hash, '22222222')).toBeUndefined();
  expect(await lastOf(files, to, 'c'.repeat(64), '22222222')).toBeUndefined();
  expect(await lastOf(openSentFiles(directory, '/other.json'), to, hash, '22222222')).toBeUndefined();
});

it('leaves out the receipt that goes on, and what no server took', async () => {
  const files = openSentFiles(directory, '/c.json');
  await files.note(to, [sent('11111111')]);
  expect(await lastOf(files, to, hash, '11111111')).toBeUndefined();
  await files.note(to, [sent('22222222')]);
  await files.note(to, [{ ...sent('22222222'), state: 'withdrawn' }]);
  expect(await lastOf(files, to, hash, '33333333')).toMatchObject({ id: '11111111' });
});

it('is bounded, keeps the latest, and holds no more than names and hashes', async () => {
  const files = openSentFiles(directory, '/c.json');
  for (let round = 0; round < 8; round += 1) {
    const many = Array.from({ length: 1_000 }, (_, index) => sent('11111111', `${round}-${index}`.padEnd(64, '0')));
    await files.note(to, many);
  }
  await files.note(to, [sent('22222222')]);
  expect(await lastOf(files, to, hash, '33333333')).toMatchObject({ id: '22222222' });
  const sizes = await Promise.all((await readdir(directory)).map(async (name) => (await stat(path.join(directory, name))).size));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(2 * 1024 * 1024);
  expect(await readFile(path.join(directory, 'sent-files.jsonl'), 'utf8')).not.toContain('node db.js');
});
