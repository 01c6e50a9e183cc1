import { expect, it } from 'vitest';
import type { Offer, UpstreamPool, UpstreamTool } from '../upstream/types.ts';
import { Catalogue } from './upstream-catalogue.ts';
import { UpstreamOffers } from './upstream-offers.ts';

const notes: Offer = { kind: 'resource', key: 'note://1', definition: { uri: 'note://1', name: 'one' } };
const servers = ['my notes', 'work'];
const pool = {
  names: () => servers,
  status: () => servers.map((name) => ({ name, state: 'ready' })),
  offers: async () => [notes],
} as unknown as UpstreamPool;
const noTools = new Catalogue<UpstreamTool>(pool, { noun: 'tool', list: async () => [], onChange: () => () => undefined }, {});
const offers = new UpstreamOffers(pool, { tools: noTools, nameOf: (server, prompt) => `${server}__${prompt}` });
const nothingLinked = () => [];

it('marks what several servers have by valid URIs, whatever the servers are called', async () => {
  const uris = (await offers.resources(new Set())).map(({ uri }) => String(uri));
  expect(uris).toEqual(['filebridge://my%20notes/note://1', 'filebridge://work/note://1']);
  for (const [index, uri] of uris.entries()) {
    expect(new URL(uri).protocol).toBe('filebridge:');
    expect(await offers.placesOf(uri, nothingLinked)).toEqual([{ server: servers[index], key: 'note://1' }]);
  }
});

it('finds nothing for a mark that is none', async () => {
  for (const uri of ['filebridge://%ff/note://1', 'filebridge://nobody/note://1', 'filebridge://work'])
    expect(await offers.placesOf(uri, nothingLinked)).toEqual([]);
});
