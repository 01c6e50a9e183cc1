/** What makes the program answer soon after it was started. */
import path from 'node:path';
import { expect, it } from 'vitest';
import { openWorkspace, repository, runCli } from './support/cli.ts';

it('runs what was compiled at the build', async () => {
  const workspace = await openWorkspace();
  try {
    const file = await workspace.file('files/a.csv', 'id\n1\n');
    const preload = path.join(repository, 'e2e', 'fixtures', 'watch-compiled.cjs');
    const env = {
      NODE_OPTIONS: `--require=${preload}`,
      FILEBRIDGE_CONFIG: workspace.at('data', 'config.json'),
      FILEBRIDGE_DATA: workspace.at('data'),
    };
    for (const args of [
      ['convert', file],
      ['serve', '--stdio', workspace.at('files')],
    ]) {
      const { stderr, code } = await runCli(args, { env });
      expect(code).toBe(0);
      const { taken, refused, without } = JSON.parse(stderr.split('\n').at(-1) ?? '');
      expect(taken.length).toBeGreaterThan(5);
      expect(refused).toEqual([]);
      expect(without).toEqual(['cli.cjs']);
    }
  } finally {
    await workspace.remove();
  }
});
