/** Measures how soon a server started by an agent has listed its tools, compared with the official filesystem server. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterAll, expect, it } from 'vitest';
import { cliFile } from '../e2e/support/cli.ts';
import { openHome } from '../e2e/support/filebridge.ts';
import { filesystem } from '../e2e/support/upstreams.ts';
import { comparison, comparisonColumns, megabytes, milliseconds, report, times } from './support/figures.ts';
import { alternating, type Run } from './support/measure.ts';
import { peakMemory } from './support/peak-memory.ts';

const ROUNDS = 15;

const rows: string[][] = [];

afterAll(() => report('start', { columns: comparisonColumns, rows, packages: ['@modelcontextprotocol/server-filesystem'] }));

const message = (method: string, id?: number, params: object = {}) =>
  `${JSON.stringify({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), method, params })}\n`;

/** From starting the process to the answer to `tools/list`, requested as soon as possible. */
async function toolsTold(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Run & { tools: number }> {
  const began = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.stdin.write(
    message('initialize', 1, { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } }),
  );
  let tools = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const answer = JSON.parse(line) as { id?: number; result?: { tools?: unknown[] } };
    if (answer.id === 1) child.stdin.write(message('notifications/initialized') + message('tools/list', 2));
    if (answer.id === 2) {
      tools = answer.result?.tools?.length ?? 0;
      break;
    }
  }
  const ms = performance.now() - began;
  const rss = peakMemory(child.pid);
  child.kill();
  await ended;
  return { ms, rss, tools };
}

it('measures starts', async () => {
  const home = await openHome({ expose: { fileTools: true, upstreamTools: 'companions' } });
  const folder = home.workspace.at('data');
  const servers = {
    Filebridge: [cliFile, 'serve', '--stdio', folder],
    official: filesystem(folder).args,
  };
  const tools = { Filebridge: 0, official: 0 };
  const run = async (name: keyof typeof servers) => {
    const told = await toolsTold(servers[name], home.env);
    expect(told.tools).toBeGreaterThan(0);
    tools[name] = told.tools;
    return told;
  };
  // The first start fills the disk cache and the compile cache.
  for (const name of ['Filebridge', 'official'] as const) await run(name);
  const runs = await alternating(ROUNDS, ['Filebridge', 'official'], run);
  await home.workspace.remove();
  const ratio = runs.Filebridge.ms / runs.official.ms;
  rows.push(
    comparison({
      figure: '`serve --stdio`: from spawn to answered `tools/list`',
      ours: `${milliseconds(runs.Filebridge.ms)}, ${megabytes(runs.Filebridge.rss)}, ${tools.Filebridge} tools`,
      peer: `official filesystem server: ${milliseconds(runs.official.ms)}, ${megabytes(runs.official.rss)}, ${tools.official} tools`,
      ratio: times(ratio),
      verdict: { goal: '≤ 1.0×', reached: ratio <= 1 },
    }),
  );
});
