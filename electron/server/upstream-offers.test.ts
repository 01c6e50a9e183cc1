import { expect, it } from 'vitest';
import type { Offer, UpstreamPool, UpstreamTool } from '../upstream/types.ts';
import { UpstreamLists } from './upstream-lists.ts';
import { fitsTemplate, UpstreamOffers } from './upstream-offers.ts';

const notes: Offer = { kind: 'resource', key: 'note://1', definition: { uri: 'note://1', name: 'one' } };
const servers = ['my notes', 'work'];
const pool = {
  names: () => servers,
  status: () => servers.map((name) => ({ name, state: 'ready' })),
  offers: async () => [notes],
} as unknown as UpstreamPool;
const noTools = new UpstreamLists<UpstreamTool>(
  pool,
  { noun: 'tool', list: async () => [], onChange: () => () => undefined },
  {},
);
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

it.each([
  ['page://a/{id}', 'page://a/7', true],
  ['page://a/{id}', 'page://b/7', false],
  ['page://a/{id}/end', 'page://a/7/end', true],
  ['page://a/{id}/end', 'page://a/end', false],
  ['page://a/{id}/{part}.txt', 'page://a/7/8.txt', true],
  ['page://a/{id}/{part}.txt', 'page://a/7.txt', false],
  ['page://a{?q}', 'page://a', true],
  ['page://a', 'page://a', true],
  ['page://a', 'page://ab', false],
  ['{+uri}', 'https://example.com', true],
  ['a{x}a', 'a', false],
])('%s fits %s: %s', (template, uri, fits) => {
  expect(fitsTemplate(template, uri)).toBe(fits);
});

it('takes linear time for a hostile template', () => {
  const template = `${'{a}x'.repeat(400)}{b}y`;
  expect(fitsTemplate(template, 'x'.repeat(2_000_000))).toBe(false);
});

it('does not try how a URI may be cut among expressions', () => {
  expect(fitsTemplate(`a://${'{a}{b}{c}{d}{e}{f}'.repeat(100)}!`, `a://${'x'.repeat(100_000)}`)).toBe(false);
});
