/** Tests finding tools instead of listing them all, and calling them with files by `call_tool`. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { kinds, stdioEndpoint } from '../server/fixtures/endpoints.ts';
import { hostFaults } from '../server/fixtures/host-rules.ts';
import type { JsonObject, ToolResult } from '../upstream/types.ts';
import { openCompanions } from './fixtures/companions.ts';
import { searchTools } from './tool-search.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const tool = (name: string, description: string, properties: JsonObject = {}) => ({
  name,
  description,
  inputSchema: { type: 'object', properties },
});
const db = [
  tool('bulk_insert', 'Inserts many rows into a table.', { table: { type: 'string' }, rows: { type: 'array' } }),
  tool('execute_query', 'Runs SQL that reads.', { query: { type: 'string' } }),
  tool('listTables', 'Lists the tables.'),
];
const mail = [tool('send', 'Sends a message.', { to: { type: 'string' }, body: { type: 'string' } })];

const jsonOf = (result: ToolResult) => JSON.parse(String(result.content[0]?.text)) as JsonObject;
const forever = new AbortController().signal;
const caller = { signal: forever, client: 'test', progress: () => undefined, log: () => undefined };

async function open(others: Parameters<typeof openCompanions>[1] = {}, firstWaitMs?: number) {
  const companions = await openCompanions({ db, mail }, others, {
    upstreamTools: 'search',
    ...(firstWaitMs === undefined ? {} : { firstWaitMs }),
  });
  ends.push(() => companions.close());
  const find = async (args: JsonObject) => {
    const result = await companions.finder.call('find_tools', args, caller);
    if (!result) throw new Error('find_tools is not offered');
    return jsonOf(result);
  };
  const found = async (args: JsonObject) => ((await find(args)).tools as JsonObject[]).map(({ tool_name }) => tool_name);
  return { ...companions, find, found };
}

it('ranks by name before description, and rare words before common ones', () => {
  const all = [...db, ...mail].map((each) => ({ server: 's', tool: each }));
  const names = (query: string) => searchTools(all, query).map((each) => each.tool.name);
  expect(names('insert rows')[0]).toBe('bulk_insert');
  expect(names('list tables')[0]).toBe('listTables');
  expect(names('SQL query')[0]).toBe('execute_query');
  expect(names('messages')).toEqual(['send']);
  expect(names('body')).toEqual(['send']);
  expect(names('a message to the team')[0]).toBe('send');
  expect(names('weather of the day')).toEqual([]);
  expect(names(' ?! ')).toEqual(['bulk_insert', 'execute_query', 'listTables', 'send']);
});

describe('find_tools', () => {
  it('returns the best tools with their parameters', async () => {
    const { find, found } = await open();
    const answer = await find({ query: 'insert', limit: 1 });
    expect(answer.tools).toMatchObject([
      { server: 'db', tool_name: 'bulk_insert', description: 'Inserts many rows into a table.' },
    ]);
    const [{ parameters }] = answer.tools as [{ parameters: { properties: object } }];
    expect(Object.keys(parameters.properties)).toContain('rows_path');
    expect(await found({ query: 'message table', server: 'mail' })).toEqual(['send']);
  });

  it('gives the best whole, and a line for each other', async () => {
    const { find } = await open();
    const { tools, others } = (await find({ query: 'tables rows query' })) as { tools: JsonObject[]; others?: unknown };
    expect(tools.length).toBeGreaterThan(1);
    expect(tools.map((each) => Object.hasOwn(each, 'parameters'))).toEqual(tools.map((_, at) => at === 0));
    expect(others).toBeUndefined();
  });

  it('lists what exists if nothing matches, and which server does not answer', async () => {
    const { find } = await open({ dead: { type: 'stdio', command: '/no/such/program' } });
    const nothing = await find({ query: 'weather' });
    expect(JSON.stringify(nothing)).toMatch(/^\{"nothing_found":"No tool fits \\"weather\\"\. Try other words/);
    expect(nothing).toMatchObject({
      tools: [],
      others: { mail: ['send'] },
      unavailable: { dead: expect.stringContaining('could not be started') },
    });
    expect(await find({ query: 'x', server: 'dbb' })).toMatchObject({
      code: 'UPSTREAM_UNKNOWN',
      hint: expect.stringContaining("'db'"),
    });
    expect(await find({ query: '' })).toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await find({})).toMatchObject({
      error: "Missing parameter 'query'",
      hint: 'For example {"query":"insert rows"}',
    });
    expect(await find({ query: 'x', limit: 0 })).toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('reports that there is no tool at all', async () => {
    const companions = await openCompanions({}, {}, { upstreamTools: 'search' });
    ends.push(() => companions.close());
    const result = await companions.finder.call('find_tools', { query: 'x' }, caller);
    expect(result && jsonOf(result)).toMatchObject({
      tools: [],
      nothing_found: expect.stringContaining('No server offers a tool now'),
    });
  });

  it('replaces all companions, and only if configured', async () => {
    const { finder, source, configure } = await open();
    expect(await source.list()).toEqual([]);
    expect((await finder.list()).map(({ name }) => name)).toEqual(['find_tools']);
    expect(hostFaults(await finder.list())).toEqual([]);
    let changes = 0;
    ends.push(async () => stop?.());
    const stop = finder.onChange?.(() => {
      changes += 1;
    });
    await configure((config) => ({ ...config, expose: { ...config.expose, upstreamTools: 'none' } }));
    expect(changes).toBe(1);
    expect(await finder.list()).toEqual([]);
    expect(finder.call('find_tools', { query: 'x' }, caller)).toBeUndefined();
  });
});

describe.each(kinds)('by call_tool, a host with the %s', (kind) => {
  it('takes files for parameters and a storage place', async () => {
    const { service, finder, file, directory, ledger } = await open();
    const endpoint = stdioEndpoint(service, [finder]);
    ends.push(() => endpoint.close());
    const host = await endpoint.connect(kind);
    ends.push(() => host.close());
    const rows_path = await file('rows.csv', 'id,name\n1,Ann\n');
    const call = (tool_args: JsonObject) =>
      host.callTool('call_tool', { server: 'db', tool_name: 'bulk_insert', tool_args, output_format: 'string' });
    expect(jsonOf(await call({ table: 't', rows_path }))).toEqual({ table: 't', rows: [{ id: 1, name: 'Ann' }] });
    expect(ledger[0]).toMatchObject({ kind: 'file_call', paths: [rows_path] });
    const stored = { server: 'db', tool_name: 'bulk_insert', tool_args: { table: 't', rows_path, _file: { types: 'string' } } };
    await host.callTool('call_tool_and_store', { ...stored, filename: 'answer.json' });
    expect(JSON.parse(await readFile(path.join(directory, 'answer.json'), 'utf8'))).toEqual({
      table: 't',
      rows: [{ id: '1', name: 'Ann' }],
    });
    const both = await call({ rows: [], rows_path });
    expect(both.isError).toBe(true);
    expect(String(both.content[0]?.text)).toBe(
      'Error in bulk_insert: give rows or rows_path, not both. Give rows as a value, or the path of a file that holds it',
    );
  });
});

it('passes arguments on unchanged if no tools are exposed', async () => {
  const { service, configure } = await open();
  await configure((config) => ({ ...config, expose: { ...config.expose, upstreamTools: 'none' } }));
  const request = { server: 'db', tool_name: 'bulk_insert', tool_args: { rows_path: '/x' }, output_format: 'string' as const };
  expect(jsonOf(await service.call(request, caller))).toEqual({ rows_path: '/x' });
});
