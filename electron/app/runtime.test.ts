import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { eventually } from '../../shared/lib/fixtures/eventually.ts';
import type { AppError } from '../../shared/model/errors.ts';
import { openRuntime, type Runtime } from './runtime.ts';

it('clears what a former version left of answers that were arriving', async () => {
  const root = await mkdtemp(path.join(os.tmpdir(), 'filebridge-runtime-'));
  const incoming = path.join(root, 'incoming');
  await mkdir(incoming);
  const [old, young] = ['.0123456789abcdef.filebridge-tmp', '.fedcba9876543210.filebridge-tmp'];
  for (const name of [old, young]) await writeFile(path.join(incoming, name), 'x');
  const twoDaysAgo = new Date(Date.now() - 48 * 3_600_000);
  await utimes(path.join(incoming, old), twoDaysAgo, twoDaysAgo);
  vi.stubEnv('FILEBRIDGE_DATA', root);
  const runtime = await openRuntime({ configPath: path.join(root, 'config.json'), log: () => undefined });
  await eventually(async () => expect(await readdir(incoming)).toEqual([young]));
  await runtime.close();
  vi.unstubAllEnvs();
  await rm(root, { recursive: true });
});

it('says where the user can allow more: wherever the folders in force were named', async () => {
  const root = await mkdtemp(path.join(os.tmpdir(), 'filebridge-runtime-'));
  const inside = path.join(root, 'inside');
  await mkdir(inside);
  await writeFile(path.join(inside, '.env'), 'KEY=1');
  vi.stubEnv('FILEBRIDGE_DATA', path.join(root, 'data'));
  const configPath = path.join(root, 'config.json');
  const open = (folders?: string[]) => openRuntime({ configPath, folders, log: () => undefined });
  const hintOf = async ({ files }: { files: Runtime['files'] }, file: string) => {
    const error = await files.open(path.join(inside, file)).then(
      () => undefined,
      (refusal: AppError) => refusal,
    );
    return error?.hint;
  };
  try {
    const named = await open([inside]);
    expect(await hintOf(named, '../a.csv')).toMatch(/; the user can add one to the command line that starts Filebridge$/);
    expect(await hintOf(named, '.env')).toMatch(/in a folder of the Folders page.*; folders on the command line stand instead/);
    named.replaceFolders([inside]);
    expect(await hintOf(named, '../a.csv')).toMatch(/; the user can add one to the client's roots$/);
    expect(await hintOf(named, '.env')).toMatch(/in a folder of the Folders page.*; the client's roots stand instead/);
    await named.close();

    await writeFile(configPath, JSON.stringify({ version: 1, folders: [{ path: inside }] }));
    const configured = await open();
    expect(await hintOf(configured, '../a.csv')).toMatch(/; ask the user to add one on the Folders page of Filebridge$/);
    expect(await hintOf(configured, '.env')).toMatch(/ask the user to allow this one file on the Folders page of Filebridge$/);
    await configured.close();
  } finally {
    vi.unstubAllEnvs();
    await rm(root, { recursive: true });
  }
});
