/** The built command line on other patch versions of Node than the one that built it, as after an ordinary update. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository } from './support/cli.ts';
import { nodeOf } from './support/node-versions.ts';
import { skippedFor } from './support/skipping.ts';

const run = promisify(execFile);

const versions = ['20.19.0', '20.20.1'] as const;
const nodes = new Map<string, string>([[process.versions.node, process.execPath]]);
const missing: string[] = [];
for (const version of versions) {
  const node = await nodeOf(version);
  if (node.path === undefined) missing.push(node.missing);
  else nodes.set(version, node.path);
}
const note = skippedFor(missing.length > 0 ? missing.join('; ') : undefined);

describe(`the command line${note}`, () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'filebridge-node-versions-'));
    await writeFile(path.join(folder, 'a.csv'), 'a\n1\n');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  // The second time from what the first one compiled, where this Node keeps that.
  it.each([...nodes])('runs twice on Node %s', async (_, node) => {
    for (let time = 0; time < 2; time += 1) {
      const { stdout } = await run(node, [path.join(repository, 'dist', 'cli.js'), 'convert', path.join(folder, 'a.csv')], {
        env: { ...process.env, FILEBRIDGE_DATA: path.join(folder, 'data') },
      });
      expect(stdout).toBe('[{"a":1}]');
    }
  });
});
