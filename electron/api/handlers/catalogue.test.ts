import { afterEach, describe, expect, it } from 'vitest';
import { consoleHost, type HostPort } from '../../app/host.ts';
import { type RunningApi, sealingHost, startApi } from '../fixtures/api.ts';

let api: RunningApi;
afterEach(() => api.close());

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
    expect((await entry('sqlite')).program).toEqual({ name: 'npx', found: true, atLeast: 24, older: major < 24 ? major : null });
    expect((await entry('memory')).program).toEqual({ name: 'npx', found: true, atLeast: null, older: null });
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

  it('leaves the page of a key to the browser where the window is in one', async () => {
    api = await startApi();
    expect(await api.ask('upstreams.openCatalogueLink', { id: 'tavily', input: 'TAVILY_API_KEY' })).toEqual({ opened: false });
  });
});
