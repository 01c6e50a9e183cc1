/** Prompts, resources, resource templates and completions of servers reach the agent, and go to the server they are of. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../shared/lib/fixtures/waiting.ts';
import { cliFile } from './support/cli.ts';
import { changeConfig, type Home, openHome } from './support/filebridge.ts';
import { type ClientKind, type JsonObject, openClient } from './support/mcp-clients.ts';
import { type Era, openRawClient, type RawClient } from './support/raw-client.ts';
import { readAllUnder } from './support/session.ts';
import { everything, fixtureServer } from './support/upstreams.ts';

const icons = [{ src: 'https://example.com/icon.png' }];
const scriptOf = (name: string) => ({
  name,
  tools: [
    { name: 'link', inputSchema: { type: 'object', properties: { uri: { type: 'string' } } } },
    { name: 'chart', inputSchema: { type: 'object' }, _meta: { ui: { resourceUri: `ui://${name}/chart` } } },
  ],
  prompts: [
    {
      name: 'review',
      title: 'Review',
      description: 'Reviews',
      arguments: [{ name: 'code', required: true }],
      icons,
      unheardOf: 1,
    },
    { name: 'refuse' },
    { name: 'ask' },
  ],
  resources: [
    { uri: `note://${name}/1`, name: 'one', mimeType: 'text/plain', size: 3, _meta: { own: 1 } },
    { uri: 'note://shared', name: 'shared' },
    { uri: 'note://denied', name: 'denied' },
  ],
  templates: [
    { uriTemplate: `page://${name}/{id}`, name: 'page', description: 'A page' },
    { uriTemplate: 'any://{id}', name: 'any' },
  ],
});

let home: Home;
beforeAll(async () => {
  home = await openHome({ expose: { fileTools: false, upstreamTools: 'companions' } });
  const entry = async (name: string, ...flags: string[]) => ({
    ...fixtureServer('features.mjs', [
      await home.workspace.file(`${name}.json`, JSON.stringify(scriptOf(name))),
      home.workspace.at(`${name}.ndjson`),
      ...flags,
    ]),
    tools: { deny: ['note://denied'] },
  });
  await changeConfig(home, {
    upstreams: { older: await entry('older'), newer: await entry('newer', '--modern'), everything: everything() },
  });
});
afterAll(() => home?.workspace.remove());

const asked = async (server: string) => {
  const lines = (await readFile(home.workspace.at(`${server}.ndjson`), 'utf8')).trim().split('\n');
  return JSON.parse(lines.at(-1) ?? '') as { method: string; params: JsonObject };
};

interface Response {
  result: JsonObject;
  error: JsonObject & { code: number; message: string };
}

describe.each<Era>(['2025-11-25', '2026-07-28'])('a client of %s', (era) => {
  let client: RawClient;
  beforeAll(async () => {
    client = await openRawClient(era, home.env);
    // A list does not wait long for servers that are starting.
    await until(async () => {
      const lists = [await list('prompts/list', 'prompts'), await list('resources/templates/list', 'resourceTemplates')];
      const text = JSON.stringify([...lists, await list('resources/list', 'resources')]);
      const parts = ['older', 'newer'].flatMap((name) => [`${name}__review`, `page://${name}`, `note://${name}/1`]);
      return [...parts, 'everything__simple-prompt', 'demo://resource/'].every((part) => text.includes(part));
    });
  });
  afterAll(() => client?.close());

  const ask = async (method: string, params: JsonObject = {}) => JSON.parse(await client.request(method, params)) as Response;
  const list = async (method: string, member: string) => (await ask(method)).result[member] as JsonObject[];
  const read = async (uri: string) => ask('resources/read', { uri });

  describe.each(['older', 'newer'])('with the %s server', (server) => {
    it('lists its prompts under its name, with everything it says of them', async () => {
      const prompts = await list('prompts/list', 'prompts');
      const [review] = scriptOf(server).prompts;
      expect(prompts.find(({ name }) => name === `${server}__review`)).toEqual({ ...review, name: `${server}__review` });
    });

    it('gets a prompt as the server gives it', async () => {
      const { result } = await ask('prompts/get', { name: `${server}__review`, arguments: { code: 'a = 1' } });
      expect(result).toMatchObject({
        description: 'as asked',
        messages: [{ role: 'user', content: { type: 'text', text: `${server}: {"code":"a = 1"}` } }, {}],
        unheardOf: true,
      });
      expect((await asked(server)).params).toMatchObject({ name: 'review', arguments: { code: 'a = 1' } });
      expect((await read(`note://${server}/linked`)).result.contents).toMatchObject([
        { text: `${server} has note://${server}/linked` },
      ]);
    });

    it('gets the error of a prompt, with code and data', async () => {
      const { error } = await ask('prompts/get', { name: `${server}__refuse` });
      expect(error).toEqual({ code: 4711, message: 'Out of paper', data: { row: 3 } });
    });

    it('lists and reads its resources', async () => {
      const resources = await list('resources/list', 'resources');
      const [one] = scriptOf(server).resources;
      expect(resources.find(({ uri }) => uri === `note://${server}/1`)).toEqual(one);
      expect((await read(`note://${server}/1`)).result.contents).toEqual([
        { uri: `note://${server}/1`, mimeType: 'text/plain', text: `${server} has note://${server}/1`, unheardOf: 1 },
      ]);
    });

    it('lists its templates and reads what fits them', async () => {
      const templates = await list('resources/templates/list', 'resourceTemplates');
      expect(templates).toContainEqual(scriptOf(server).templates[0]);
      expect((await read(`page://${server}/7`)).result.contents).toMatchObject([{ text: `${server} has page://${server}/7` }]);
    });

    it('reads the page of an app that a tool comes with', async () => {
      expect((await read(`ui://${server}/chart`)).result.contents).toMatchObject([
        { text: `${server} has ui://${server}/chart` },
      ]);
    });

    it('reads what an answer linked to, and nothing that was neither listed nor linked', async () => {
      const uri = `note://${server}/of-${era}`;
      const before = await read(uri);
      expect(before.error).toMatchObject({ message: expect.stringContaining('does not exist') });
      const { result } = await ask('tools/call', { name: `${server}__link`, arguments: { uri } });
      expect(result.content).toMatchObject([{ type: 'resource_link', uri }]);
      expect((await read(uri)).result.contents).toMatchObject([{ text: `${server} has ${uri}` }]);
      for (const tool of ['call_tool', 'call_tool_and_store']) {
        const other = `${uri}-${tool}`;
        await ask('tools/call', { name: tool, arguments: { server, tool_name: 'link', tool_args: { uri: other } } });
        expect((await read(other)).result.contents).toMatchObject([{ text: `${server} has ${other}` }]);
      }
    });

    it('marks a URI and a template that several servers have, and reads each from its server', async () => {
      const uri = `filebridge://${server}/note://shared`;
      expect((await list('resources/list', 'resources')).map((each) => each.uri)).toContain(uri);
      expect((await read(uri)).result.contents).toMatchObject([{ uri, text: `${server} has note://shared` }]);
      const templates = (await list('resources/templates/list', 'resourceTemplates')).map(({ uriTemplate }) => uriTemplate);
      expect(templates).toContain(`filebridge://${server}/any://{id}`);
      expect((await read(`filebridge://${server}/any://5`)).result.contents).toMatchObject([{ text: `${server} has any://5` }]);
    });

    it('completes arguments of its prompts and templates', async () => {
      const argument = { name: 'code', value: 'a' };
      const ofPrompt = await ask('completion/complete', { ref: { type: 'ref/prompt', name: `${server}__review` }, argument });
      const completion = (ref: JsonObject) => ({ values: [server, JSON.stringify(ref), 'a'], total: 3, hasMore: false });
      expect(ofPrompt.result.completion).toEqual(completion({ type: 'ref/prompt', name: 'review' }));
      const uri = `page://${server}/{id}`;
      const ofTemplate = await ask('completion/complete', { ref: { type: 'ref/resource', uri }, argument });
      expect(ofTemplate.result.completion).toEqual(completion({ type: 'ref/resource', uri }));
    });
  });

  it('is asked which server is meant by a URI that several have', async () => {
    for (const uri of ['note://shared', 'any://5']) {
      const { error } = await read(uri);
      expect(error.message).toContain(`filebridge://older/${uri}`);
      expect(error.message).toContain(`filebridge://newer/${uri}`);
    }
  });

  it('gets nothing that the lists of the server entry hold back', async () => {
    expect((await list('resources/list', 'resources')).map(({ uri }) => uri)).not.toContain('note://denied');
    for (const uri of ['note://denied', 'filebridge://older/note://denied']) {
      await ask('tools/call', { name: 'older__link', arguments: { uri: 'note://denied' } });
      expect((await read(uri)).error.message).toContain('switched off');
      expect((await asked('older')).method).toBe('tools/call');
    }
  });

  it('hears of unknown prompts and servers', async () => {
    expect((await ask('prompts/get', { name: 'older__nothing' })).error).toMatchObject({ code: -32602 });
    expect((await read('filebridge://nobody/note://shared')).error.message).toContain('does not exist');
    expect(
      (await ask('completion/complete', { ref: { type: 'ref/prompt', name: 'no' }, argument: { name: 'a', value: '' } })).error,
    ).toMatchObject({ code: -32602 });
  });

  it('reads, prompts and completes with the reference server', async () => {
    const prompts = (await list('prompts/list', 'prompts')).map(({ name }) => name);
    expect(prompts).toContain('everything__simple-prompt');
    const { result } = await ask('prompts/get', { name: 'everything__simple-prompt' });
    expect(result.messages).toHaveLength(1);
    const resources = (await list('resources/list', 'resources')).map(({ uri }) => String(uri));
    const demo = resources.find((uri) => uri.startsWith('demo://')) ?? '';
    expect((await read(demo)).result.contents).toMatchObject([{ uri: demo }]);
  });

  it('leaves a line for each request in the ledger', async () => {
    await read(`page://older/${era}?key=secret`);
    await ask('prompts/get', { name: 'newer__refuse' });
    const text = async () => [...(await readAllUnder(home.dataDirectory)).values()].join('\n');
    await expect.poll(text).toContain(`"server":"older","tool":"resources/read page://older/${era}"`);
    await expect.poll(text).toContain('"server":"newer","tool":"prompts/get refuse"');
    expect(await text()).not.toContain('key=secret');
  });
});

describe.each<ClientKind>(['v1', 'v2 negotiating'])('a prompt that asks the user first, for a client (%s)', (kind) => {
  it.each(['older', 'newer'])('gets the answer, at the %s server', async (server) => {
    const questions: JsonObject[] = [];
    const onQuestion = (params: JsonObject) => {
      questions.push(params);
      return { colour: 'green' };
    };
    const way = { command: process.execPath, args: [cliFile, 'serve', '--stdio'], env: home.env, onStderr: () => undefined };
    const client = await openClient(kind, way, { onQuestion });
    try {
      const name = `${server}__ask`;
      await until(async () => JSON.stringify(await client.request('prompts/list')).includes(name));
      const { messages } = await client.request('prompts/get', { name });
      expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: `${server}: green` } }]);
      expect(questions).toMatchObject([{ message: 'Which colour?' }]);
    } finally {
      await client.close();
    }
  });
});
