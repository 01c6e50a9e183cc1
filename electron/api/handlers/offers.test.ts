import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { OfferView } from '../../../shared/contract/upstreams.ts';
import { manifest, writeBundle } from '../../adding/bundle-fixture.ts';
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

describe('a pasted server', () => {
  const text = `API_KEY=<your key> "${process.execPath}" "${plain}" --say-key --name <name>`;

  it('is shown with what it asks for, and whether its program is there', async () => {
    api = await startApi({ host: sealingHost });
    expect(await one('docker-of-nobody-mcp run --name <your-name>')).toMatchObject({
      target: 'docker-of-nobody-mcp run --name ‹Name›',
      program: { name: 'docker-of-nobody-mcp', found: false },
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
