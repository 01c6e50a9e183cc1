import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSeenTools } from './seen-tools.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'seen-tools-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const open = (lines: string[] = []) => openSeenTools(directory, (line) => lines.push(line));

describe('tools as they were first seen', () => {
  it('stay what they were, in this process and the next', async () => {
    const seen = open();
    expect(seen.readOnlyAtFirst('db', 'one', 'list')).toBe(false);
    await seen.note('db', 'one', { list: true, drop: false });
    await seen.note('db', 'one', { list: false, drop: true, count: true });
    const next = open();
    await next.note('db', 'one', { drop: true, list: true });
    for (const each of [seen, next]) {
      expect(['list', 'drop', 'count'].map((tool) => each.readOnlyAtFirst('db', 'one', tool))).toEqual([true, false, true]);
    }
    expect(next.readOnlyAtFirst('other', 'one', 'list')).toBe(false);
    expect(next.readOnlyAtFirst('db', 'one', 'constructor')).toBe(false);
  });

  it('are seen anew on a server whose entry changed', async () => {
    const seen = open();
    await seen.note('db', 'one', { list: true, drop: false });
    expect(seen.readOnlyAtFirst('db', 'two', 'list')).toBe(false);
    await seen.note('db', 'two', { drop: true });
    expect(seen.readOnlyAtFirst('db', 'two', 'drop')).toBe(true);
    expect(seen.readOnlyAtFirst('db', 'two', 'list')).toBe(false);
  });

  it('are kept whatever other processes note at the same time', async () => {
    await Promise.all(['a', 'b', 'c'].map((server) => open().note(server, 'one', { list: true })));
    const seen = open();
    await seen.note('d', 'one', { list: false });
    for (const server of ['a', 'b', 'c']) expect(seen.readOnlyAtFirst(server, 'one', 'list')).toBe(true);
    expect(seen.readOnlyAtFirst('d', 'one', 'list')).toBe(false);
  });

  it('are seen for the first time again where the file is broken', async () => {
    await writeFile(path.join(directory, 'seen-tools.json'), '{"version":1,');
    const seen = open();
    await seen.note('db', 'one', { list: true });
    expect(seen.readOnlyAtFirst('db', 'one', 'list')).toBe(true);
    expect(JSON.parse(await readFile(path.join(directory, 'seen-tools.json'), 'utf8')).version).toBe(1);
  });

  it('are remembered by the process where nothing can be written', async () => {
    const file = path.join(directory, 'a-file');
    await writeFile(file, '');
    const lines: string[] = [];
    const seen = openSeenTools(file, (line) => lines.push(line));
    await seen.note('db', 'one', { drop: false });
    await seen.note('db', 'one', { drop: true });
    expect(seen.readOnlyAtFirst('db', 'one', 'drop')).toBe(false);
    expect(lines[0]).toContain("'db'");
  });
});
