import { afterEach, describe, expect, it } from 'vitest';
import { upstreamSchema } from '../../shared/model/config.ts';
import { argumentsOf, poolOf, textOf } from './fixtures/support.ts';
import { allTools, toolListBounds } from './tool-list.ts';
import type { JsonObject, UpstreamPool } from './types.ts';

const tool = (name: string, description = '') => ({ name, description, inputSchema: { type: 'object' } });

describe('a list of tools', () => {
  const lines: string[] = [];
  const list = (pageOf: (params: JsonObject) => Promise<unknown>) => {
    lines.length = 0;
    return allTools(pageOf, 'hostile', (line) => lines.push(line));
  };

  it('of 100,000 on one page is cut, and says by what', async () => {
    const tools = Array.from({ length: 100_000 }, (_, index) => tool(`t${index}`));
    expect(await list(async () => ({ tools }))).toHaveLength(toolListBounds.tools);
    expect(lines).toEqual(['only the first 2000 tools are used: a server may list 2000']);
  });

  it('leaves out a tool with a schema that no recursion can read', async () => {
    let items: JsonObject = {};
    for (let level = 0; level < 20_000; level += 1) items = { items };
    const tools = [tool('one'), { ...tool('deep'), inputSchema: { type: 'object', properties: { items } } }, tool('two')];
    expect((await list(async () => ({ tools }))).map(({ name }) => name)).toEqual(['one', 'two']);
    expect(lines).toEqual(['a tool is left out: its definition is nested over 500 levels deep']);
  });

  it('leaves out tools that can only be called as tasks', async () => {
    const tools = [
      { ...tool('long'), execution: { taskSupport: 'required' } },
      { ...tool('either'), execution: { taskSupport: 'optional' } },
    ];
    expect((await list(async () => ({ tools }))).map(({ name }) => name)).toEqual(['either']);
    expect(lines).toEqual(['tools that can only be called as tasks are not offered: long']);
  });

  it('without end stops', async () => {
    let pages = 0;
    await list(async () => {
      pages += 1;
      return { tools: [tool(`t${pages}`)], nextCursor: `page ${pages}` };
    });
    expect(pages).toBe(toolListBounds.pages);
    expect(lines).toEqual(['only the first 200 tools are used: a list may have 200 pages']);
  });

  it.each([
    ['the same', ['a', 'a']],
    ['a ring of', ['a', 'b', 'c', 'a']],
  ])('with %s cursor ends', async (_, cursors) => {
    let pages = 0;
    await list(async () => {
      pages += 1;
      return { tools: [], nextCursor: cursors[(pages - 1) % cursors.length] };
    });
    expect(pages).toBe(cursors.length);
  });

  it('that is slow without end stops after a while', async () => {
    let pages = 0;
    const page = async () => {
      pages += 1;
      return { tools: [tool(`t${pages}`)], nextCursor: String(pages) };
    };
    expect(await allTools(page, 'slow', (line) => lines.push(line), performance.now() - 1)).toHaveLength(1);
    expect(lines.at(-1)).toContain('took too long');
  });

  it('leaves out definitions that are too long, and keeps the others', async () => {
    const tools = [tool('one'), tool('huge', 'x'.repeat(300_000)), tool('two')];
    expect((await list(async () => ({ tools }))).map(({ name }) => name)).toEqual(['one', 'two']);
    expect(lines).toEqual(['a tool is left out: its definition is longer than 256 KB']);
  });

  it('is bounded in all its definitions', async () => {
    const tools = Array.from({ length: 200 }, (_, index) => tool(`t${index}`, 'x'.repeat(200_000)));
    expect((await list(async () => ({ tools }))).length).toBeLessThan(100);
    expect(lines[0]).toMatch(/their definitions may take 16 MB$/);
  });
});

describe('a server that lists 100,000 tools', () => {
  let pool: UpstreamPool | undefined;
  afterEach(() => pool?.close());

  it('works, and says why a tool beyond the bound cannot be called', async () => {
    const script = `
      const tools = Array.from({ length: 100000 }, (_, i) => ({ name: 'tool_' + i, inputSchema: { type: 'object' } }));
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method, params } = JSON.parse(line);
        if (id === undefined) return;
        const results = {
          initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'many', version: '1' } },
          'tools/list': { tools },
          'tools/call': { content: [{ type: 'text', text: params?.name }] },
        };
        const result = results[method];
        const error = { code: -32601, message: 'unknown' };
        console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }));
      });`;
    pool = poolOf({ many: upstreamSchema.parse({ type: 'stdio', command: process.execPath, args: ['-e', script] }) });
    expect(await pool.tools('many')).toHaveLength(toolListBounds.tools);
    expect(textOf(await pool.callTool('many', 'tool_7', argumentsOf({})))).toBe('tool_7');
    await expect(pool.tool('many', 'a tool beyond')).rejects.toMatchObject({
      code: 'TOOL_UNKNOWN',
      hint: expect.stringContaining('more tools than the 2000 that are used'),
    });
  });
});
