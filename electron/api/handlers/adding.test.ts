import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { OfferView } from '../../../shared/contract/upstreams.ts';
import { manifest, writeBundle } from '../../adding/bundle-fixture.ts';
import { consoleHost, type HostPort } from '../../app/host.ts';
import { fixturePath } from '../../upstream/fixtures/support.ts';
import { type RunningApi, sealingHost, startApi } from '../fixtures/api.ts';

let api: RunningApi;
afterEach(() => api.close());

const upstreams = () => api.config().upstreams;
const look = async (text: string): Promise<OfferView[]> => (await api.ask('upstreams.readText', { text })).servers;
const one = async (text: string): Promise<OfferView> => {
  const [offer, ...others] = await look(text);
  expect(others).toEqual([]);
  return offer as OfferView;
};
const add = async (text: string, values: Record<string, string[]> = {}, name?: string) => {
  const { id, revision } = await one(text);
  return api.ask('upstreams.importText', { text, picks: [{ id, revision, values, ...(name === undefined ? {} : { name }) }] });
};
const plain = fixturePath('plain-server.mjs');
const bundleFolders = () => readdir(path.join(api.services.runtime.dataDirectory, 'bundles')).catch(() => []);

const npx = { name: 'npx', found: true, site: 'https://nodejs.org/' };

describe('a pasted server', () => {
  const text = `API_KEY=<your key> "${process.execPath}" "${plain}" --say-key --name <name>`;

  it('is shown with what it asks for, and whether its program is there', async () => {
    api = await startApi({ host: sealingHost });
    expect(await one('docker-of-nobody-mcp run --name <your-name>')).toMatchObject({
      target: 'docker-of-nobody-mcp run --name ‹Name›',
      program: { name: 'docker-of-nobody-mcp', found: false, site: null },
      inputs: [{ id: 'name', label: 'Name', kind: 'text', secret: false, required: true, example: '<your-name>' }],
    });
    const offer = await one(text);
    expect(offer).toMatchObject({ program: { name: 'node', found: true }, variables: ['API_KEY'], secrets: ['API_KEY'] });
    expect(offer.inputs.map(({ id, secret }) => [id, secret])).toEqual([
      ['name', false],
      ['API_KEY', true],
    ]);
  });

  it('is added with the values, of which secrets go to the keychain', async () => {
    api = await startApi({ host: sealingHost });
    expect(await add(text, { API_KEY: ['plum'], name: ['me'] }, 'mine')).toEqual({ imported: ['mine'], refused: [] });
    expect(upstreams().mine).toMatchObject({
      args: [plain, '--say-key', '--name', 'me'],
      env: { API_KEY: expect.stringMatching(/^\$\{secret:\w+\}$/) },
    });
    const data = api.services.runtime.dataDirectory;
    expect(await readFile(api.services.runtime.config.path, 'utf8')).not.toContain('plum');
    expect(await readFile(path.join(data, 'secrets.json'), 'utf8')).not.toContain('plum');
  });

  it('that is added without its values is refused by name', async () => {
    api = await startApi({ host: sealingHost });
    const { imported, refused } = await add(text, { name: ['me'] });
    expect(imported).toEqual([]);
    expect(refused).toMatchObject([
      { name: 'plain-server', trouble: { message: "The server 'plain-server' needs a value for 'API_KEY'" } },
    ]);
  });

  it('may be there twice under a name of its own, for another account', async () => {
    api = await startApi({ host: sealingHost });
    await add(text, { API_KEY: ['plum'], name: ['me'] });
    expect((await add(text, { API_KEY: ['pear'], name: ['me'] })).refused[0]?.trouble.message).toContain('is there already');
    expect((await add(text, { API_KEY: ['pear'], name: ['me'] }, 'second')).imported).toEqual(['second']);
    // A name that a person gives is kept to.
    const again = await add(text, { API_KEY: ['pear'], name: ['me'] }, 'second');
    expect(again).toMatchObject({ imported: [], refused: [{ trouble: { message: "There is a server 'second' already" } }] });
  });

  it('is tested without being added, with its secret masked in the log', async () => {
    api = await startApi({ host: sealingHost });
    const asked = `KEY=<your key> "${process.execPath}" "${plain}" --say-key`;
    const { id, revision, inputs } = await one(asked);
    expect(inputs).toMatchObject([{ id: 'KEY', secret: true }]);
    const pick = { id, revision, values: { KEY: ['plum-4711'] } };
    const tested = await api.ask('upstreams.testText', { id: 'test', text: asked, pick });
    expect(tested).toMatchObject({ ok: true, error: null });
    expect(tested.log.join('\n')).toContain('using the key •••');
    expect(upstreams()).toEqual({});
    const missing = api.ask('upstreams.testText', { id: 'test', text: asked, pick: { ...pick, values: {} } });
    await expect(missing).rejects.toThrow("needs a value for 'KEY'");
  });

  it('that is another one than was shown is not added', async () => {
    api = await startApi({ host: sealingHost });
    const { id, revision } = await one('npx -y one');
    const other = api.ask('upstreams.importText', { text: 'npx -y two', picks: [{ id, revision, values: {} }] });
    await expect(other).rejects.toThrow('has changed since it was shown');
  });

  it('is never Filebridge itself', async () => {
    api = await startApi();
    expect((await one('{"mcpServers": {"filebridge": {"command": "filebridge", "args": []}}}')).refusal?.message).toContain(
      'Filebridge itself',
    );
  });
});

describe('a bundle', () => {
  const write = async (changes: object = {}) =>
    writeBundle(path.join(api.root, 'weather.mcpb'), manifest(changes), [
      { name: 'server/index.mjs', content: await readFile(plain) },
    ]);
  const user_config = { place: { type: 'string', title: 'Place', required: true } };
  const run = { command: 'node', args: ['${__dirname}/server/index.mjs', '${user_config.place}'] };

  it('becomes a server from its own folder, which goes with it', async () => {
    api = await startApi({ host: sealingHost });
    const file = await write({ user_config, server: { type: 'node', mcp_config: run } });
    const offer = await one(file);
    expect(offer).toMatchObject({
      title: 'The Weather',
      target: expect.stringMatching(/^node \S*index\.mjs ‹Place›$/),
      program: { name: 'node', found: true },
    });
    expect(await bundleFolders()).toEqual([]);
    expect(await add(file, { place: ['Graz'] })).toEqual({ imported: ['weather'], refused: [] });
    expect(await api.ask('upstreams.check', { name: 'weather' })).toMatchObject({ state: 'ready' });
    expect(await bundleFolders()).toHaveLength(1);
    await add(file, { place: ['Linz'] }, 'second');
    await api.ask('upstreams.remove', { name: 'weather' });
    expect(await bundleFolders()).toHaveLength(1);
    await api.ask('upstreams.remove', { name: 'second' });
    expect(await bundleFolders()).toEqual([]);
  });

  it('is tested without being added, and leaves nothing', async () => {
    api = await startApi();
    const file = await write();
    const { id, revision } = await one(file);
    expect(await api.ask('upstreams.testText', { id: 'test', text: file, pick: { id, revision, values: {} } })).toMatchObject({
      ok: true,
    });
    expect(await bundleFolders()).toEqual([]);
  });
});

const entry = async (id: string) => {
  const found = (await api.ask('upstreams.catalogue', {})).find((each) => each.id === id);
  if (!found) throw new Error(`no ${id} in the catalogue`);
  return found;
};

describe('the catalogue of servers', () => {
  it('says in both languages what a server is for and what it needs', async () => {
    api = await startApi();
    expect(await entry('brave-search')).toMatchObject({
      title: { en: 'Brave Search', de: 'Brave Search' },
      purpose: { de: 'Sucht mit Brave im Web und nach Nachrichten, Bildern und Videos.' },
      program: { name: 'npx', found: true },
      host: null,
      asks: ['secret'],
      inputs: { BRAVE_API_KEY: { label: { en: 'API key', de: 'API-Schlüssel' }, link: expect.stringContaining('https://') } },
    });
    expect(await entry('filesystem')).toMatchObject({ asks: ['folder'] });
    expect(await entry('notion')).toMatchObject({ program: null, host: 'mcp.notion.com', signIn: true, asks: [] });
    expect(await entry('grafana')).toMatchObject({ program: { name: 'docker' }, asks: ['value', 'secret'] });
  });

  it('says which Node.js a server needs, and whether this one is older', async () => {
    api = await startApi();
    const major = Number(process.versions.node.split('.')[0]);
    expect((await entry('sqlite')).program).toEqual({ ...npx, atLeast: 24, older: major < 24 ? major : null });
    expect((await entry('memory')).program).toEqual({ ...npx, atLeast: null, older: null });
  });

  it('adds one like a pasted server, with its key in the keychain, and knows it again', async () => {
    api = await startApi({ host: sealingHost });
    const { text, present } = await entry('github');
    expect(present).toBe(false);
    const { servers } = await api.ask('upstreams.readText', { text });
    const [offer] = servers;
    expect(servers).toHaveLength(1);
    const pick = { id: offer?.id ?? '', revision: offer?.revision ?? '', values: { token: ['plum'] } };
    expect(await api.ask('upstreams.importText', { text, picks: [pick] })).toEqual({ imported: ['github'], refused: [] });
    expect(api.config().upstreams.github).toMatchObject({
      headers: { Authorization: expect.stringMatching(/^\$\{secret:\w+\}$/) },
    });
    expect((await entry('github')).present).toBe(true);
    expect((await entry('gitlab')).present).toBe(false);
  });

  it('knows a server of another version', async () => {
    api = await startApi({
      config: () => ({
        upstreams: {
          old: { type: 'stdio', command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory@0.1.0'], enabled: false },
        },
      }),
    });
    expect((await entry('memory')).present).toBe(true);
  });

  it('opens the page of a key, and no other', async () => {
    const opened: string[] = [];
    const host: HostPort = { ...consoleHost, openLink: async (link) => void opened.push(link) };
    api = await startApi({ host });
    expect(await api.ask('upstreams.openCatalogueLink', { id: 'tavily', input: 'TAVILY_API_KEY' })).toEqual({ opened: true });
    expect(opened).toEqual(['https://app.tavily.com']);
    const other = api.ask('upstreams.openCatalogueLink', { id: 'tavily', input: 'constructor' });
    await expect(other).rejects.toThrow('no page for this value');
  });

  it('opens the page of a program that it cannot install', async () => {
    const opened: string[] = [];
    api = await startApi({ host: { ...consoleHost, openLink: async (link) => void opened.push(link) } });
    expect(await api.ask('upstreams.openProgramPage', { program: 'uvx' })).toEqual({ opened: true });
    expect(opened).toEqual(['https://docs.astral.sh/uv/']);
    await expect(api.ask('upstreams.openProgramPage', { program: 'constructor' })).rejects.toThrow('no page');
  });

  it('leaves the page of a key to the browser where the window is in one', async () => {
    api = await startApi();
    expect(await api.ask('upstreams.openCatalogueLink', { id: 'tavily', input: 'TAVILY_API_KEY' })).toEqual({ opened: false });
  });
});
