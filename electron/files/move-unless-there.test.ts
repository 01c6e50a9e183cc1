/** A file moves to a name that is free, on disks with hard links and without. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { moveUnlessThere } from './pending-file.ts';

/** A disk that has none, such as FAT, takes privileges to mount, and a system that knows it. */
const disk = vi.hoisted(() => ({ hasLinks: true }));
vi.mock('node:fs/promises', async (original) => {
  const system = await original<typeof import('node:fs/promises')>();
  const link: typeof system.link = async (...names) => {
    if (!disk.hasLinks) throw Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' });
    await system.link(...names);
  };
  return { ...system, link };
});

describe.each([
  ['with hard links', true],
  ['without', false],
])('on a disk %s', (_, hasLinks) => {
  let folder: string;
  const at = (name: string) => path.join(folder, name);
  beforeEach(async () => {
    disk.hasLinks = hasLinks;
    folder = await mkdtemp(path.join(os.tmpdir(), 'filebridge-move-'));
    await writeFile(at('from'), 'moved');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('a file goes to a free name', async () => {
    await moveUnlessThere(at('from'), at('to'));
    expect(await readdir(folder)).toEqual(['to']);
    expect(await readFile(at('to'), 'utf8')).toBe('moved');
  });

  it('a taken name stays what it is', async () => {
    await writeFile(at('to'), 'first');
    await expect(moveUnlessThere(at('from'), at('to'))).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await readFile(at('to'), 'utf8')).toBe('first');
    expect(await readFile(at('from'), 'utf8')).toBe('moved');
  });

  it('nothing is left where there is nothing to move', async () => {
    await expect(moveUnlessThere(at('gone'), at('to'))).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await readdir(folder)).toEqual(['from']);
  });
});
