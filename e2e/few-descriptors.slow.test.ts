/** A program that may open few files: what cannot be started is a failed row, and everything else goes on. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliFile } from './support/cli.ts';
import { type Home, openHome } from './support/filebridge.ts';
import { openClient } from './support/mcp-clients.ts';

const SERVERS = 40;

describe.runIf(process.platform !== 'win32')('with few file descriptors', () => {
  let home: Home;
  beforeAll(async () => {
    const practice = { type: 'stdio', command: process.execPath, args: [cliFile, 'practice-server'] };
    home = await openHome({ upstreams: Object.fromEntries(Array.from({ length: SERVERS }, (_, i) => [`s${i}`, practice])) });
    await home.file('a.csv', 'a\n1\n');
  });
  afterAll(() => home?.workspace.remove());

  it.each([64, 40])('%d of them, the list of tools has a row for each server', async (descriptors) => {
    let stderr = '';
    const client = await openClient('v1', {
      command: '/bin/sh',
      args: ['-c', `ulimit -n ${descriptors}; exec "$0" "$@"`, process.execPath, cliFile, 'serve', '--stdio'],
      env: home.env,
      onStderr: (text) => {
        stderr += text;
      },
    });
    try {
      const { servers } = (await client.call('list_upstream_tools', {})).json() as {
        servers: { server: string; tools?: unknown[]; error?: string }[];
      };
      expect(servers).toHaveLength(SERVERS);
      const failed = servers.filter(({ error }) => error !== undefined);
      expect(failed.length, stderr).toBeGreaterThan(0);
      // Whatever there were too few for: the process, or what it opens itself.
      for (const { server, error } of failed) expect(error).toContain(`Server '${server}' could not be started`);
      expect((await client.call('list_allowed_directories', {})).isError).toBe(false);
    } finally {
      await client.close();
    }
  });
});
