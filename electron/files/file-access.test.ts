import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileAccess } from './file-access.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'filebridge-files-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));
describe('x', () => {
  it('opens and creates', async () => {
    await writeFile(path.join(root, 'a.csv'), 'a,b\n1,2\n');
    await symlink('/etc/passwd', path.join(root, 'out'));
    const access = createFileAccess({ folders: () => [{ path: root, access: 'read-write' }] });
    const file = await access.open('a.csv');
    const chunks: Uint8Array[] = [];
    for await (const chunk of file.source.read()) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe('a,b\n1,2\n');
    await file.close();
    await expect(access.open('out')).rejects.toThrow('not within');
    const pending = await access.create(path.join(root, 'sub', 'deep'), 'x.txt');
    await pending.write(Buffer.from('hello'));
    const done = await pending.commit();
    expect(await readFile(done.path, 'utf8')).toBe('hello');
  });
});
