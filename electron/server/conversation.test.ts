/** What a host can expect, whichever SDK and era it speaks and whichever way it is connected. */
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { APP_CLIENT } from '../../shared/model/client-name.ts';
import type { JsonObject, Progress, ToolResult } from '../upstream/types.ts';
import { type Endpoint, httpEndpoint, kinds, stdioEndpoint } from './fixtures/endpoints.ts';
import type { Host, HostOptions } from './fixtures/hosts.ts';
import { type MemoryTool, memoryCallService, text } from './fixtures/memory-call-service.ts';
import type { ToolSource } from './tool-source.ts';

const form = { requestedSchema: { type: 'object', properties: { table: { type: 'string' } } } };
const textOf = (result: ToolResult): string => String(result.content[0]?.text);
const callOf = (tool_name: string, tool_args: JsonObject = {}) => ({ server: 'db', tool_name, tool_args });

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

describe.each([
  ['stdio', stdioEndpoint],
  ['HTTP', httpEndpoint],
] as const)('over %s', (_name, open) => {
  describe.each(kinds)('a host with the %s', (kind) => {
    async function meet(tools: Record<string, MemoryTool> = {}, options: HostOptions = {}, sources?: readonly ToolSource[]) {
      const service = memoryCallService(tools);
      const endpoint: Endpoint = await open(service, sources);
      ends.push(() => endpoint.close());
      const host: Host = await endpoint.connect(kind, options);
      ends.push(() => host.close());
      return { service, host };
    }

    it('lists the tools and calls one, under its own name', async () => {
      const { service, host } = await meet();
      const { tools } = await host.request('tools/list');
      expect((tools as JsonObject[]).map((tool) => tool.name)).toContain('call_tool_with_file_content');
      const request = { server: 'db', tool_name: 'bulk_insert', path: '/data/users.csv', data_key: 'records' };
      const result = await host.callTool('call_tool_with_file_content', request);
      expect(JSON.parse(textOf(result))).toEqual({ method: 'callWithFile', request });
      expect(service.asked).toEqual([
        { method: 'callWithFile', request, client: kind.includes('2026') ? 'host-of-2026' : 'host-of-2025' },
      ]);
    });

    it.each([
      [`<b>Claude</b>\u202E\n${'x'.repeat(5000)}`, /^<b>Claude<\/b> x{49}…$/],
      [APP_CLIENT, undefined],
    ])('cannot pass for the app or fill a window with its name', async (name, shown) => {
      const { service, host } = await meet({}, { name });
      await host.callTool('call_tool', callOf('echo'));
      if (shown) expect(service.asked[0]?.client).toMatch(shown);
      else expect(service.asked[0]?.client).not.toBe(APP_CLIENT);
    });

    it('gets the last step of a flood of progress, and a bounded part of the others', async () => {
      const heard: Progress[] = [];
      const { host } = await meet({
        flood: async (_args, caller) => {
          for (let progress = 1; progress <= 20_000; progress += 1) caller.progress({ progress, total: 20_000 });
          return text('done');
        },
      });
      const result = await host.callTool('call_tool', callOf('flood'), { onprogress: (progress) => heard.push(progress) });
      expect(textOf(result)).toBe('done');
      expect(heard.at(-1)?.progress).toBe(20_000);
      expect(heard.length).toBeLessThan(10_000);
    });

    it('reads which parameter is unknown and which was meant', async () => {
      const { service, host } = await meet();
      const result = await host.callTool('preview_file', { path: '/a.csv', row: 3 });
      expect(result.isError).toBe(true);
      expect(JSON.parse(textOf(result))).toMatchObject({
        error: "Unknown parameter 'row'",
        hint: "Did you mean 'rows'?",
        code: 'INVALID_REQUEST',
        tool: 'filebridge:preview_file',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      });
      expect(service.asked).toEqual([]);
    });

    it('is told which tool it may have meant', async () => {
      const { host } = await meet();
      await expect(host.callTool('preview_fil', {})).rejects.toThrow(/Unknown tool 'preview_fil'\. Did you mean 'preview_file'/);
    });

    it('hears how a call gets on', async () => {
      const { host } = await meet({
        slow: (_args, caller) => {
          for (const progress of [1, 2, 2, 3]) caller.progress({ progress, total: 3, message: `part ${progress}` });
          return text('done');
        },
      });
      const heard: Progress[] = [];
      const result = await host.callTool('call_tool', callOf('slow'), { onprogress: (progress) => heard.push(progress) });
      expect(textOf(result)).toBe('done');
      // The protocol requires increasing values.
      expect(heard).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3, message: `part ${progress}` })));
    });

    it('can cancel a call', async () => {
      const started = new AbortController();
      const ended = new AbortController();
      const { host } = await meet({
        hang: async (_args, caller) => {
          started.abort();
          await once(caller.signal, 'abort');
          ended.abort();
          return text('too late');
        },
      });
      const cancel = new AbortController();
      const call = host.callTool('call_tool', callOf('hang'), { signal: cancel.signal });
      if (!started.signal.aborted) await once(started.signal, 'abort');
      cancel.abort();
      await expect(call).rejects.toThrow();
      if (!ended.signal.aborted) await once(ended.signal, 'abort');
    });

    it('is asked during a call, as often as need be', async () => {
      const questions: string[] = [];
      const { host } = await meet(
        {
          ask: async (_args, caller) => {
            const first = await caller.elicit?.({ message: 'Which table?', ...form });
            const second = await caller.elicit?.({ message: 'Are you sure?', ...form });
            return text([first, second]);
          },
        },
        {
          onQuestion: (message) => {
            questions.push(message);
            return { table: `answer ${questions.length}` };
          },
        },
      );
      const result = await host.callTool('call_tool', callOf('ask'));
      expect(questions).toEqual(['Which table?', 'Are you sure?']);
      expect(JSON.parse(textOf(result))).toEqual([
        { action: 'accept', content: { table: 'answer 1' } },
        { action: 'accept', content: { table: 'answer 2' } },
      ]);
    });

    it('lends its model to a call', async () => {
      const { host } = await meet(
        {
          think: async (_args, caller) =>
            text(
              await caller.sample?.({ messages: [{ role: 'user', content: { type: 'text', text: '6 × 7?' } }], maxTokens: 9 }),
            ),
        },
        { onSample: () => '42' },
      );
      expect(JSON.parse(textOf(await host.callTool('call_tool', callOf('think'))))).toMatchObject({
        content: { type: 'text', text: '42' },
      });
    });

    it('is not asked where it cannot be', async () => {
      const { host } = await meet({ ask: (_args, caller) => text(typeof caller.elicit) });
      expect(textOf(await host.callTool('call_tool', callOf('ask')))).toBe('undefined');
    });

    it('is not asked to open a page where it can only show forms', async () => {
      const { host } = await meet(
        {
          ask: async (_args, caller) =>
            text(await caller.elicit?.({ mode: 'url', message: 'Log in', url: 'https://example.org' })),
        },
        { onQuestion: () => ({}) },
      );
      expect(JSON.parse(textOf(await host.callTool('call_tool', callOf('ask'))))).toEqual({ action: 'decline' });
    });

    it('gets fields it does not know of', async () => {
      const { host } = await meet({
        rich: () => ({
          content: [
            { type: 'text', text: 'hi', vendorField: { deep: [1] }, annotations: { audience: ['user'], priority: 1, odd: true } },
          ],
          structuredContent: { rows: [{ id: 1 }] },
          _meta: { 'example.org/trace': 'x' },
          vendorResult: 7,
        }),
      });
      expect(await host.callTool('call_tool', callOf('rich'))).toMatchObject({
        content: [
          { type: 'text', text: 'hi', vendorField: { deep: [1] }, annotations: { audience: ['user'], priority: 1, odd: true } },
        ],
        structuredContent: { rows: [{ id: 1 }] },
        _meta: { 'example.org/trace': 'x' },
        vendorResult: 7,
      });
    });

    it('finds stored answers, reads them, and is told of new ones', async () => {
      let changed = () => undefined as unknown;
      const change = new Promise<void>((resolve) => {
        changed = resolve;
      });
      const { service, host } = await meet({}, { onResourcesChanged: () => changed() });
      // A round trip, after which the client's own `initialized` has arrived.
      expect(await host.request('resources/list')).toMatchObject({ resources: [] });
      const uri = 'filebridge://responses/users.csv';
      const store = () =>
        service.store({ uri, name: 'users.csv', path: '/r/users.csv', mimeType: 'text/csv', size: 8 }, 'id\n1\n2\n');
      store();
      // Over HTTP the stream for such news may open only after a client is ready: news before that are lost.
      const again = setInterval(store, 1000);
      await change;
      clearInterval(again);
      const { resources } = await host.request('resources/list');
      expect(resources).toEqual([{ uri, name: 'users.csv', mimeType: 'text/csv', size: 8 }]);
      const { contents } = await host.request('resources/read', { uri });
      expect(contents).toEqual([{ uri, mimeType: 'text/csv', text: 'id\n1\n2\n' }]);
      await expect(host.request('resources/read', { uri: `${uri}.old` })).rejects.toMatchObject({ code: -32602 });
    });

    it('calls tools of other sources as it calls ours', async () => {
      const source: ToolSource = {
        list: async () => [{ name: 'db__insert', inputSchema: { type: 'object', 'x-vendor': 1 } }],
        call: (name, args) => (name === 'db__insert' ? Promise.resolve(text({ inserted: args })) : undefined),
      };
      const { host } = await meet({}, {}, [source]);
      const { tools } = await host.request('tools/list');
      expect(tools).toContainEqual({ name: 'db__insert', inputSchema: { type: 'object', 'x-vendor': 1 } });
      expect(textOf(await host.callTool('db__insert', { rows: [1] }))).toBe('{"inserted":{"rows":[1]}}');
    });
  });

  describe.each(kinds.filter((kind) => kind.includes('2025')))('a host with the %s', (kind) => {
    it('gets blocks of types it does not know of', async () => {
      const service = memoryCallService({
        odd: () => ({ content: [{ type: 'hologram', cubes: 3 }], structuredContent: [1, 2] }),
      });
      const endpoint = await open(service);
      ends.push(() => endpoint.close());
      const host = await endpoint.connect(kind);
      ends.push(() => host.close());
      expect(await host.callTool('call_tool', callOf('odd'))).toEqual({
        content: [{ type: 'hologram', cubes: 3 }],
        structuredContent: [1, 2],
      });
    });

    it('reads what a call logs', async () => {
      const logged: unknown[] = [];
      const endpoint = await open(
        memoryCallService({
          talk: (_args, caller) => {
            caller.log({ level: 'info', data: { rows: 3 }, logger: 'db' });
            return text('done');
          },
        }),
      );
      ends.push(() => endpoint.close());
      const host = await endpoint.connect(kind, { onLog: (data) => logged.push(data) });
      ends.push(() => host.close());
      await host.callTool('call_tool', callOf('talk'));
      expect(logged).toEqual([{ rows: 3 }]);
    });
  });
});
