import { mkdtemp, open, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { until } from '../../shared/lib/fixtures/waiting.ts';
import { TemporaryFile } from '../wire/temporary-file.ts';
import { openFilesIn } from './fixtures/support.ts';

async function textOf(chunks: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += chunk.toString('latin1');
  return text;
}

it('gives back what it was brought, from any place', async () => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'filebridge-incoming-'));
  const file = new TemporaryFile(directory);
  for (let i = 0; i < 50_000; i += 1) file.write(Buffer.from(`${i % 10}`.repeat(20)));
  await file.settled();
  expect(await readdir(directory)).toEqual([]);
  expect(file.bytes).toBe(1_000_000);
  expect(await textOf(file.read(19, 42))).toBe('011111111111111111111222'.slice(0, 23));
  expect((await textOf(file.read())).length).toBe(1_000_000);
  await file.close();
  await file.close();
  await expect(textOf(file.read())).rejects.toThrow();
  await rm(directory, { recursive: true });
});

it('holds what no file takes, as far as it may', async () => {
  const file = new TemporaryFile('/dev/null/nowhere', 10);
  file.write(Buffer.from('abcde'));
  file.write(Buffer.from('fghij'));
  await file.settled();
  expect(await textOf(file.read(3, 7))).toBe('defg');
  file.write(Buffer.from('k'));
  await expect(file.settled()).rejects.toMatchObject({ code: 'ENOTDIR' });
  await file.close();
});

it('frees its disk space once it cannot keep everything', async () => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'filebridge-incoming-'));
  const handle = await open(path.join(directory, 'file'), 'wx');
  await handle.close();
  const file = new TemporaryFile(directory, 10);
  file.write(Buffer.alloc(1000));
  await file.settled();
  expect(await openFilesIn(directory)).toBe(1);
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  const writing = vi.spyOn(Object.getPrototypeOf(handle), 'writev').mockRejectedValue(full);
  file.write(Buffer.alloc(1000));
  await expect(file.settled()).rejects.toMatchObject({ code: 'ENOSPC' });
  writing.mockRestore();
  await until(async () => (await openFilesIn(directory)) === 0);
  await file.close();
  await rm(directory, { recursive: true });
});
