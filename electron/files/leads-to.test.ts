import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isWithin, leadsTo } from './leads-to.ts';

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'filebridge-leads-')));
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('leadsTo', () => {
  it('is the real path of what exists', async () => {
    await mkdir(path.join(root, 'real'));
    await writeFile(path.join(root, 'real', 'a'), '');
    await symlink('real', path.join(root, 'link'));
    expect(await leadsTo(path.join(root, 'link', 'a'))).toBe(path.join(root, 'real', 'a'));
  });

  it('follows links as far as they go and appends what is missing', async () => {
    await mkdir(path.join(root, 'real'));
    await symlink('real', path.join(root, 'link'));
    expect(await leadsTo(path.join(root, 'link', 'no', 'such'))).toBe(path.join(root, 'real', 'no', 'such'));
  });

  it('tells where a dangling link points', async () => {
    await symlink('../../elsewhere/x', path.join(root, 'dangling'));
    expect(await leadsTo(path.join(root, 'dangling'))).toBe(path.resolve(root, '../../elsewhere/x'));
    await symlink('/no/such/place', path.join(root, 'absolute'));
    expect(await leadsTo(path.join(root, 'absolute', 'y'))).toBe(path.join('/no/such/place', 'y'));
  });

  it('ends on links in a circle', async () => {
    await symlink('b', path.join(root, 'a'));
    await symlink('a', path.join(root, 'b'));
    expect(isWithin(await leadsTo(path.join(root, 'a', 'x')), root)).toBe(true);
  });
});

describe('isWithin', () => {
  it('compares whole segments', () => {
    const inside = path.join(path.sep, 'data');
    expect(isWithin(path.join(inside, 'a', 'b'), inside)).toBe(true);
    expect(isWithin(inside, inside)).toBe(true);
    expect(isWithin(`${inside}-secret`, inside)).toBe(false);
    expect(isWithin(inside, path.join(inside, 'a'))).toBe(false);
    expect(isWithin(inside, path.sep)).toBe(true);
  });
});
