/** What the servers' tools cost a model before its first call, by each way of offering them. */
import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inProcess } from '../engine/index.ts';
import type { UpstreamTool } from '../upstream/types.ts';
import { type Companions, openCompanions } from './fixtures/companions.ts';

const { resolve } = createRequire(import.meta.url);
const server = (name: string, args: string[] = []) => ({
  type: 'stdio' as const,
  command: process.execPath,
  args: [resolve(`@modelcontextprotocol/server-${name}/dist/index.js`), ...args],
});

let companions: Companions;
beforeAll(async () => {
  companions = await openCompanions({}, { everything: server('everything', ['stdio']) });
  const files = { filesystem: server('filesystem', [companions.directory]) };
  await companions.configure((config) => ({ ...config, upstreams: { ...config.upstreams, ...entries(files) } }));
});
afterAll(() => companions?.close());

const entries = (given: Record<string, ReturnType<typeof server>>) =>
  Object.fromEntries(
    Object.entries(given).map(([name, entry]) => [
      name,
      { ...entry, env: {}, cwd: null, enabled: true, confirm: 'never' as const },
    ]),
  );

const count = async (value: unknown) => (await inProcess.countTokens(JSON.stringify(value))).count;

/** What hosts hand to a model of a tool. */
const seen = ({ name, description, inputSchema }: Pick<UpstreamTool, 'name' | 'description' | 'inputSchema'>) => {
  const { $schema: _, ...schema } = inputSchema;
  return { name, description, input_schema: schema };
};

it('is bounded, and next to nothing by search', async () => {
  const { upstreams, source, finder, configure } = companions;
  const tools = (await Promise.all(upstreams.names().map((name) => upstreams.tools(name)))).flat();
  const direct = await count(tools.map(seen));
  const offered = await source.list();
  expect(offered).toHaveLength(tools.length);
  const byCompanions = await count(offered.map(seen));
  await configure((config) => ({ ...config, expose: { ...config.expose, upstreamTools: 'search' } }));
  const bySearch = await count((await finder.list()).map(seen));
  const caller = { signal: new AbortController().signal, client: 'test', progress: () => undefined, log: () => undefined };
  const found = await finder.call('find_tools', { query: 'write a file' }, caller);
  const answer = await count(found?.content);
  process.stdout.write(
    `${tools.length} tools of ${upstreams.names().length} servers: ${direct} tokens as the servers publish them, ${byCompanions} as companions (${Math.round(
      (byCompanions - direct) / tools.length,
    )} more for each), ${bySearch} by search, and ${answer} for what one search finds\n`,
  );
  expect(byCompanions).toBeLessThan(direct * 2);
  expect((byCompanions - direct) / tools.length).toBeLessThan(70);
  expect(bySearch).toBeLessThan(150);
  expect(answer).toBeLessThan(2_500);
});
