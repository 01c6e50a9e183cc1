import { afterEach, describe, expect, it } from 'vitest';
import { argumentsOf, poolOf, repository, textOf } from './fixtures/support.ts';
import type { UpstreamPoolWithLogs } from './pool.ts';

const everything = {
  type: 'stdio' as const,
  command: 'npx',
  args: ['--no-install', 'mcp-server-everything'],
  env: {},
  cwd: repository,
  enabled: true,
  confirm: 'never' as const,
};

let pool: UpstreamPoolWithLogs;
afterEach(() => pool.close());

describe('a stock server over stdio', () => {
  it('is listed and called', async () => {
    pool = poolOf({ everything });
    const tools = await pool.tools('everything');
    expect(tools.map((tool) => tool.name)).toContain('echo');
    expect(textOf(await pool.callTool('everything', 'echo', argumentsOf({ message: 'hello' })))).toBe('Echo: hello');
    expect(pool.status()).toMatchObject([{ name: 'everything', state: 'ready', lastError: null, toolCount: tools.length }]);
  });
});
