/** The built command line on other patch versions of Node than the one that built it, as after an ordinary update. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
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

  describe.each([...nodes])('built by Node %s', (builder, builderPath) => {
    const app = () => path.join(folder, builder);
    beforeAll(async () => {
      await mkdir(app());
      await cp(path.join(repository, 'dist'), path.join(app(), 'dist'), {
        recursive: true,
        filter: (file) => path.basename(file) !== 'compiled',
      });
      await cp(path.join(repository, 'package.json'), path.join(app(), 'package.json'));
      const dist = path.join(app(), 'dist');
      const compile = `import { compileAhead } from ${JSON.stringify(path.join(repository, 'electron/launch/compile-ahead.mjs'))};
        compileAhead(${JSON.stringify(dist)}, ${JSON.stringify(path.join(dist, 'compiled'))});`;
      await run(builderPath, ['--input-type=module', '-e', compile]);
    });

    it('keeps what was compiled under the name of that Node', async () => {
      const [only, ...more] = await readdir(path.join(app(), 'dist', 'compiled'));
      expect(only).toContain(`v${builder}_`);
      expect(more).toEqual([]);
    });

    it.each([...nodes])('runs on Node %s', async (_, node) => {
      const { stdout } = await run(node, [path.join(app(), 'dist', 'cli.js'), 'convert', path.join(folder, 'a.csv')], {
        env: { ...process.env, FILEBRIDGE_DATA: path.join(folder, 'data') },
      });
      expect(stdout).toBe('[{"a":1}]');
    });
  });
});
