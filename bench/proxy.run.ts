/** Measures the overhead of a call through Filebridge: the same tool called directly and through it, alternately. */
import { afterAll, expect, it } from 'vitest';
import { startFilebridge } from '../e2e/support/filebridge.ts';
import { type McpClient, openClient } from '../e2e/support/mcp-clients.ts';
import { atMost, comparison, comparisonColumns, quantile, report } from './support/figures.ts';
import { programFile } from './support/measure.ts';
import { randomOf } from './support/random.ts';

const rows: string[][] = [];

afterAll(() => report('proxy', { columns: comparisonColumns, rows, packages: ['@modelcontextprotocol/sdk'] }));

type Call = (client: { direct: McpClient; proxied: McpClient }, text: string) => Promise<{ isError: boolean; text: string }>;
const ways = {
  direct: ({ direct }, text) => direct.call('measure', { text }),
  call_tool: ({ proxied }, text) =>
    proxied.call('call_tool', { server: 'stock', tool_name: 'measure', tool_args: { text }, output_format: 'raw' }),
  companion: ({ proxied }, text) => proxied.call('stock__measure', { text }),
} satisfies Record<string, Call>;
const names = Object.keys(ways) as (keyof typeof ways)[];

/** The order changes each time, because the first call after a direct one finds the processor's caches cold. */
const random = randomOf(27);
const shuffled = () =>
  names
    .map((name) => ({ name, at: random.next() }))
    .sort((one, other) => one.at - other.at)
    .map(({ name }) => name);

it('measures calls', async () => {
  const stock = { command: process.execPath, args: [programFile('stock-server')] };
  const filebridge = await startFilebridge('stdio', {
    upstreams: { stock: { type: 'stdio', ...stock } },
    expose: { fileTools: false, upstreamTools: 'companions' },
  });
  const clients = {
    direct: await openClient('v1', { ...stock, env: filebridge.env, onStderr: () => undefined }),
    proxied: await filebridge.connect('v1'),
  };
  for (const { size, calls, figure, goal } of [
    { size: 100, calls: 600, figure: '100 bytes of arguments', goal: 0.5 },
    { size: 1e6, calls: 60, figure: '1 MB of arguments', goal: 8 },
  ]) {
    const text = 'y'.repeat(size);
    const took: Record<(typeof names)[number], number[]> = { direct: [], call_tool: [], companion: [] };
    for (let call = -calls / 5; call < calls; call += 1) {
      for (const name of shuffled()) {
        const began = performance.now();
        const answer = await ways[name](clients, text);
        const ms = performance.now() - began;
        expect(answer).toMatchObject({ isError: false, text: String(size) });
        // The first calls warm up.
        if (call >= 0) took[name].push(ms);
      }
    }
    const told = (name: (typeof names)[number]) =>
      `${quantile(took[name], 0.5).toFixed(2)} ms (p99 ${quantile(took[name], 0.99).toFixed(2)})`;
    for (const name of names.filter((way) => way !== 'direct')) {
      const added = quantile(took[name], 0.5) - quantile(took.direct, 0.5);
      rows.push(
        comparison({
          figure: `${name === 'companion' ? 'a companion' : '`call_tool`'}, ${figure}, p50`,
          ours: `${told(name)}: ${added.toFixed(2)} ms added`,
          peer: `direct: ${told('direct')}`,
          verdict: atMost(goal, added, 'ms added'),
        }),
      );
    }
  }
  await clients.direct.close();
  await filebridge.stop();
});
