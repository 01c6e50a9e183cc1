import { mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { notReadable } from './failures.ts';
import { createFileAccess } from './file-access.ts';

const failure = (code: string) => notReadable('/data/a.csv', [], Object.assign(new Error(code), { code }));

describe('why a file cannot be read', () => {
  afterEach(() => vi.unstubAllGlobals());

  it.each([
    ['EDEADLK', 'not downloaded; open it once'],
    ['ETIMEDOUT', 'did not answer in time'],
    ['EBUSY', 'Another program has it open'],
    ['ESTALE', 'try again'],
    ['ENOTCONN', 'is not connected'],
    ['EHOSTDOWN', 'is not connected'],
    ['EIO', 'The disk reported an error'],
    ['EMFILE', 'Too many files are open'],
  ])('%s says what to do, and does not say that it is missing', (code, hint) => {
    const { message, hint: said } = failure(code);
    expect(message).toBe("File '/data/a.csv' cannot be read now");
    expect(said).toContain(hint);
  });

  it.each([
    ['darwin', 'EPERM', 'Privacy & Security'],
    ['win32', 'EPERM', 'Another program has it open'],
    ['win32', 'UNKNOWN', 'not downloaded'],
    ['linux', 'EPERM', 'The system does not permit reading it'],
  ])('on %s, %s', (platform, code, hint) => {
    vi.stubGlobal(
      'process',
      new Proxy(process, { get: (real, key) => (key === 'platform' ? platform : Reflect.get(real, key)) }),
    );
    expect(failure(code).hint).toContain(hint);
  });

  it.each(['ENOENT', 'EACCES'])('%s does not tell a missing file from a closed one', (code) => {
    expect(failure(code).message).toBe("File '/data/a.csv' does not exist or is not readable");
  });

  it('a name longer than the disk takes', async () => {
    const directory = await realpath(await mkdtemp(path.join(os.tmpdir(), 'filebridge-names-')));
    try {
      const files = createFileAccess({ folders: () => [{ path: directory, access: 'read' }] });
      await expect(files.open(path.join(directory, `${'x'.repeat(300)}.csv`))).rejects.toMatchObject({
        code: 'FILE_NOT_FOUND',
        hint: expect.stringContaining('longer than the disk takes'),
      });
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
