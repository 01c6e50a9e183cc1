/** What an upstream says reaches the client of a companion whole: fields and blocks that nobody here has heard of, too. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeConfig, type Home, openHome } from './support/filebridge.ts';
import type { JsonObject } from './support/mcp-clients.ts';
import { type Era, openRawClient, type RawClient } from './support/raw-client.ts';
import { fixtureServer } from './support/upstreams.ts';

const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const results = {
  known_blocks: {
    content: [
      { type: 'text', text: 'two\nlines "quoted"', annotations: { audience: ['user'], priority: 0.5, 'x-colour': 'red' } },
      { type: 'image', data: dot, mimeType: 'image/png', _meta: { 'example.com/dpi': 72 } },
      { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'site://page/1', name: 'page', size: 3, icons: [{ src: 'data:,' }] },
      { type: 'resource', resource: { uri: 'site://page/2', mimeType: 'text/plain', text: 'embedded', etag: 'W/"1"' } },
    ],
    structuredContent: { rows: [{ zip: '00501', empty: null, nested: { deep: [[], {}] } }] },
    _meta: { 'example.com/trace': 7 },
  },
  unknown_blocks: {
    content: [
      { type: 'hologram', beam: [1, 2.5e-7, -0.1], parts: [{ type: 'text', text: 'inside' }] },
      { type: 'text', text: 'plain', flavour: 'vanilla' },
    ],
    verdict: { unheard: 'of', list: [true, false, null] },
  },
  odd_structure: { content: [], structuredContent: ['not', 'an', 'object'] },
  no_content: { structuredContent: { only: 'this' } },
  refusal: {
    content: [
      { type: 'text', text: 'no more room' },
      { type: 'hint', where: 'attic' },
    ],
    isError: true,
    retryAfter: 30,
  },
};
type Name = keyof typeof results;
const names = Object.keys(results) as Name[];

const inputSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  'x-vendor': { kept: true },
  properties: { content: { type: 'string', 'x-widget': 'textarea' }, title: { type: 'string', maxLength: 20 } },
  required: ['content', 'title'],
};
const tools = names.map((name) => ({
  name,
  title: `The ${name}`,
  description: `Gives ${name}`,
  inputSchema,
  icons: [{ src: 'data:,', sizes: ['16x16'] }],
  annotations: { readOnlyHint: true, 'x-cost': 'free' },
  _meta: { 'example.com/since': '1.2' },
  unheardOf: ['field'],
}));

const eras: readonly Era[] = ['2025-11-25', '2026-07-28'];
const document = 'a "quoted" `text`\r\n\u2028 of\tthree lines\n';

let home: Home;
let file: string;
const clients = new Map<Era, RawClient>();

beforeAll(async () => {
  home = await openHome({ expose: { fileTools: false, upstreamTools: 'companions' } });
  const entry = async (name: string, ...flags: string[]) =>
    fixtureServer('scripted.mjs', [
      await home.workspace.file(`${name}.json`, JSON.stringify({ tools, results })),
      home.workspace.at(`${name}.ndjson`),
      ...flags,
    ]);
  await changeConfig(home, { upstreams: { older: await entry('older'), newer: await entry('newer', '--modern') } });
  file = await home.file('document.txt', document);
  for (const era of eras) clients.set(era, await openRawClient(era, home.env));
});
afterAll(async () => {
  for (const client of clients.values()) await client.close();
  await home?.workspace.remove();
});

describe.each(eras.flatMap((era) => ['older', 'newer'].map((server) => [era, server] as const)))(
  'a client of %s and the %s server',
  (era, server) => {
    const ask = async (method: string, params?: JsonObject) => {
      const { result } = JSON.parse((await clients.get(era)?.request(method, params)) ?? '') as { result: JsonObject };
      if (era === '2025-11-25') return result;
      // What every answer of the later era carries, of whoever gives it.
      const { resultType, _meta, ...rest } = result;
      expect(resultType).toBe('complete');
      const { 'io.modelcontextprotocol/serverInfo': info, ...meta } = _meta as JsonObject;
      expect(info).toMatchObject({ name: 'filebridge' });
      return Object.keys(meta).length === 0 ? rest : { ...rest, _meta: meta };
    };

    it('are told of the tool as it is, but for what takes the file', async () => {
      const { tools: published } = (await ask('tools/list')) as { tools: JsonObject[] };
      expect(published.filter(({ name }) => String(name).startsWith(`${server}__`))).toEqual(
        tools.map((tool) => ({
          ...tool,
          name: `${server}__${tool.name}`,
          inputSchema: {
            ...{ type: 'object', 'x-vendor': { kept: true } },
            properties: {
              ...inputSchema.properties,
              content_path: expect.objectContaining({ type: 'string' }),
              _file: expect.objectContaining({ type: 'object' }),
            },
            required: ['title'],
          },
        })),
      );
    });

    it.each(names)('pass on %s', async (name) => {
      const answer = await ask('tools/call', { name: `${server}__${name}`, arguments: { title: 'A', content_path: file } });
      expect(answer).toEqual({ content: [], ...results[name] });
      const calls = (await readFile(home.workspace.at(`${server}.ndjson`), 'utf8')).trim().split('\n');
      const { params } = JSON.parse(calls.at(-1) ?? '') as { params: JsonObject };
      expect(params).toMatchObject({ name, arguments: { title: 'A', content: document } });
    });
  },
);
