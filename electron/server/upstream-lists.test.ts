import { expect, it } from 'vitest';
import type { UpstreamPool } from '../upstream/types.ts';
import { MAX_TOOLS_IN_ALL, upstreamToolLists } from './upstream-lists.ts';

it('offers a bounded number of tools in all, and says once whose are left out', async () => {
  const names = Array.from({ length: 7 }, (_, index) => `s${index}`);
  const tools = Array.from({ length: 2_000 }, (_, index) => ({ name: `t${index}`, inputSchema: { type: 'object' } }));
  const pool: Partial<UpstreamPool> = {
    names: () => names,
    status: () => names.map((name) => ({ name, state: 'ready' })) as ReturnType<UpstreamPool['status']>,
    tools: async () => tools,
  };
  const lines: string[] = [];
  const toolLists = upstreamToolLists(pool as UpstreamPool, { log: (line) => lines.push(line) });
  await toolLists.whole(names);
  const lists = await toolLists.soon();
  expect([...lists.values()].reduce((sum, list) => sum + list.length, 0)).toBe(MAX_TOOLS_IN_ALL);
  expect(lines.at(-1)).toBe(
    "agents are offered 10000 tools in all, and not every tool of 's5', 's6': switch off servers or tools",
  );
  toolLists.now();
  expect(lines.filter((line) => line === lines.at(-1))).toHaveLength(1);
});
