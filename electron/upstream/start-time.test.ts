import { expect, it } from 'vitest';
import { upstreamSchema } from '../../shared/model/config.ts';
import { startTime } from './start-time.ts';

const command = (line: string) => upstreamSchema.parse({ type: 'stdio', command: line });

it('gives programs that fetch a server first three minutes', () => {
  for (const line of ['npx', '/usr/local/bin/uvx', 'C:\\Program Files\\nodejs\\npx.cmd', 'docker'])
    expect([line, startTime(command(line))]).toEqual([line, 180_000]);
  for (const line of ['node', '/opt/npx/server', 'npx-server']) expect([line, startTime(command(line))]).toEqual([line, 60_000]);
  expect(startTime(upstreamSchema.parse({ type: 'http', url: 'https://example.com/mcp' }))).toBe(60_000);
});
