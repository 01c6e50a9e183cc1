import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openWorkspace, type Workspace } from '../../shared/lib/fixtures/workspace.ts';
import { runHere } from './fixtures/examples.ts';

let home: Workspace;
beforeEach(async () => {
  home = await openWorkspace();
  vi.stubEnv('FILEBRIDGE_CONFIG', home.at('config.json'));
  vi.stubEnv('FILEBRIDGE_DATA', home.at('program-data'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await home.remove();
});

/** What it says to a client that leaves at once. */
async function serve(...args: string[]): Promise<string> {
  const stdin = vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([]) as never);
  const { stderr, code } = await runHere(['serve', '--stdio', ...args]);
  stdin.mockRestore();
  expect(code).toBe(0);
  return stderr;
}

describe('filebridge serve --stdio', () => {
  it('says in one line that agents can do nothing, and what to do', async () => {
    expect(await serve()).toMatch(
      /^filebridge: agents can do nothing yet\. Allow a folder with 'filebridge add-folder DIR' or in the app\. Add a server with 'filebridge add-server' or in the app, or use --upstreams FILE\n$/,
    );
  });

  it('says nothing where there is a folder or a server', async () => {
    expect(await serve(home.root)).toBe('');
    const file = await home.file('servers.json', '{"mcpServers":{"db":{"command":"db-server"}}}');
    expect(await serve('--upstreams', file)).toBe('');
  });
});
