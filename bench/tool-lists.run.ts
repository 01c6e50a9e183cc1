/** Counts the tokens of tool lists in a model's context: of eleven servers from npm, directly and through Filebridge. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openWorkspace, type Workspace } from '../e2e/support/cli.ts';
import { changeConfig, type Filebridge, startFilebridge } from '../e2e/support/filebridge.ts';
import type { JsonObject, McpClient, Tool } from '../e2e/support/mcp-clients.ts';
import { type RealUpstreams, startRealUpstreams } from '../e2e/support/real-upstreams.ts';
import type { StdioEntry } from '../e2e/support/upstreams.ts';
import { countTokens } from '../electron/engine/tokens/tokens.ts';
import { until } from '../shared/lib/fixtures/waiting.ts';
import { report } from './support/figures.ts';

const number = (value: number): string => value.toLocaleString('en');
const tokensOf = (tools: readonly Tool[]): Promise<number> => countTokens(JSON.stringify(tools));
const rows: string[][] = [];

let place: Workspace;
let real: RealUpstreams;
let filebridge: Filebridge;
let client: McpClient;

beforeAll(async () => {
  place = await openWorkspace();
  real = await startRealUpstreams(place);
  expect(real.missing).toEqual({});
  filebridge = await startFilebridge('http', {
    upstreams: Object.fromEntries(real.upstreams.map(({ name, entry }) => [name, entry])),
  });
  client = await filebridge.connect('v1');
});
afterAll(async () => {
  await filebridge?.stop();
  await real?.stop();
  await place?.remove();
  await report('tool-lists', { columns: ['in the context', 'tools', 'tokens'], rows, packages: ['gpt-tokenizer'] });
});

/**
 * The list for a client that supports elicitation and sampling, as Filebridge does; some servers list fewer tools for
 * others.
 */
async function ownList({ command, args, env }: StdioEntry): Promise<Tool[]> {
  const direct = new Client(
    { name: 'bench', version: '1.0.0' },
    { capabilities: { elicitation: { form: {}, url: {} }, sampling: {} } },
  );
  const environment = { ...(process.env as Record<string, string>), ...env };
  await direct.connect(new StdioClientTransport({ command, args, env: environment, stderr: 'ignore' }));
  const { tools } = await direct.request({ method: 'tools/list' }, z.looseObject({ tools: z.array(z.unknown()) }));
  await direct.close();
  return tools as Tool[];
}

/** The running program reloads its configuration. */
async function expose(settings: JsonObject, settled: (tools: readonly Tool[]) => boolean): Promise<Tool[]> {
  await changeConfig(filebridge, { expose: settings });
  let tools: Tool[] = [];
  await until(async () => {
    tools = await client.tools();
    return settled(tools);
  });
  return tools;
}

const companions = (tools: readonly Tool[]) =>
  new Set(tools.flatMap(({ name }) => (name.includes('__') ? [name.split('__')[0]] : [])));
const has = (name: string) => (tools: readonly Tool[]) => tools.some((tool) => tool.name === name);

describe('tokens of lists', () => {
  it('of the servers themselves', async () => {
    const lists = await Promise.all(real.upstreams.map(({ entry }) => ownList(entry)));
    const tokens = await Promise.all(lists.map(tokensOf));
    rows.push([
      `the lists of ${lists.length} servers, connected without Filebridge`,
      number(lists.flat().length),
      number(tokens.reduce((sum, each) => sum + each, 0)),
    ]);
  });

  it('of Filebridge', async () => {
    const off = { fileTools: false };
    const lists = {
      'Filebridge, `upstreamTools: "companions"`': await expose(
        { ...off, upstreamTools: 'companions' },
        (tools) => companions(tools).size === real.upstreams.length,
      ),
      'Filebridge, `upstreamTools: "search"`': await expose({ ...off, upstreamTools: 'search' }, has('find_tools')),
      'Filebridge, `upstreamTools: "none"`': await expose(
        { ...off, upstreamTools: 'none' },
        (tools) => !has('find_tools')(tools) && companions(tools).size === 0,
      ),
    };
    for (const [title, tools] of Object.entries(lists)) {
      rows.push([title, number(tools.length), number(await tokensOf(tools))]);
    }
  });

  it('of an answer of find_tools', async () => {
    await expose({ fileTools: false, upstreamTools: 'search' }, has('find_tools'));
    for (const query of ['insert rows', 'write a file', 'commit message']) {
      const { text, isError } = await client.call('find_tools', { query });
      expect(isError, text).toBe(false);
      const { tools } = JSON.parse(text) as { tools: unknown[] };
      rows.push([`what find_tools answers to "${query}"`, number(tools.length), number(await countTokens(text))]);
    }
  });
});
