/** What makes the program answer soon after it was started: code that is loaded when it is used. */
import path from 'node:path';
import { expect, it } from 'vitest';
import { openWorkspace, repository, runCli } from './support/cli.ts';

it.each([
  ['serve --stdio', 2_600_000],
  ['convert', 1_030_000],
])('%s loads less than %i bytes of code, and no MCP client before a server is used', async (command, most) => {
  const workspace = await openWorkspace();
  try {
    const file = await workspace.file('files/a.csv', 'id\n1\n');
    const env = {
      NODE_OPTIONS: `--require=${path.join(repository, 'e2e', 'fixtures', 'watch-loaded.cjs')}`,
      FILEBRIDGE_CONFIG: workspace.at('data', 'config.json'),
      FILEBRIDGE_DATA: workspace.at('data'),
    };
    const { stderr, code } = await runCli([...command.split(' '), command === 'convert' ? file : workspace.at('files')], { env });
    expect(code).toBe(0);
    const { bytes, clients } = JSON.parse(stderr.split('\n').at(-1) ?? '');
    expect(clients).toEqual([]);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(most);
  } finally {
    await workspace.remove();
  }
});
