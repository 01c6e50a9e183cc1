import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { openRuntime } from './runtime.ts';

it('clears what a crash left of answers that were arriving', async () => {
  const root = await mkdtemp(path.join(os.tmpdir(), 'filebridge-runtime-'));
  const incoming = path.join(root, 'incoming');
  await mkdir(incoming);
  const [old, young] = ['.0123456789abcdef.filebridge-tmp', '.fedcba9876543210.filebridge-tmp'];
  for (const name of [old, young]) await writeFile(path.join(incoming, name), 'x');
  const twoDaysAgo = new Date(Date.now() - 48 * 3_600_000);
  await utimes(path.join(incoming, old), twoDaysAgo, twoDaysAgo);
  vi.stubEnv('FILEBRIDGE_DATA', root);
  const runtime = await openRuntime({ configPath: path.join(root, 'config.json'), log: () => undefined });
  await vi.waitFor(async () => expect(await readdir(incoming)).toEqual([young]), { timeout: 10_000 });
  await runtime.close();
  vi.unstubAllEnvs();
  await rm(root, { recursive: true });
});
