import { mkdtemp, open, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { Spool } from '../wire/spool.ts';
import { openFilesIn, until } from './fixtures/support.ts';

async function textOf(chunks: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += chunk.toString('latin1');
  return text;
}

it('gives back what it was brought, from any place', async () => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'filebridge-spool-'));
  const spool = new Spool(directory);
  for (let i = 0; i < 50_000; i += 1) spool.write(Buffer.from(`${i % 10}`.repeat(20)));
  await spool.settled();
  expect(await readdir(directory)).toEqual([]);
  expect(spool.bytes).toBe(1_000_000);
  expect(await textOf(spool.read(19, 42))).toBe('011111111111111111111222'.slice(0, 23));
  expect((await textOf(spool.read())).length).toBe(1_000_000);
  await spool.close();
  await spool.close();
  await expect(textOf(spool.read())).rejects.toThrow();
  await rm(directory, { recursive: true });
});

it('holds what no file takes, as far as it may', async () => {
  const spool = new Spool('/dev/null/nowhere', 10);
  spool.write(Buffer.from('abcde'));
  spool.write(Buffer.from('fghij'));
  await spool.settled();
  expect(await textOf(spool.read(3, 7))).toBe('defg');
  spool.write(Buffer.from('k'));
  await expect(spool.settled()).rejects.toMatchObject({ code: 'ENOTDIR' });
  await spool.close();
});

it('gives its place on the disk back once not all can be kept', async () => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'filebridge-spool-'));
  const file = await open(path.join(directory, 'file'), 'wx');
  await file.close();
  const spool = new Spool(directory, 10);
  spool.write(Buffer.alloc(1000));
  await spool.settled();
  expect(await openFilesIn(directory)).toBe(1);
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  const writing = vi.spyOn(Object.getPrototypeOf(file), 'writev').mockRejectedValue(full);
  spool.write(Buffer.alloc(1000));
  await expect(spool.settled()).rejects.toMatchObject({ code: 'ENOSPC' });
  writing.mockRestore();
  await until(async () => (await openFilesIn(directory)) === 0);
  await spool.close();
  await rm(directory, { recursive: true });
});
