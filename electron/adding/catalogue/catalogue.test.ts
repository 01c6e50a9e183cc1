import { describe, expect, it } from 'vitest';
import { filledOffer } from '../filled.ts';
import type { Input, InputValues, Offer } from '../offer.ts';
import { readPasted } from '../pasted.ts';
import { catalogueServers } from './catalogue.ts';
import { registrySchema } from './registry-fixture.ts';
import data from './servers.json' with { type: 'json' };

const servers = catalogueServers();
const offerOf = async (text: string): Promise<Offer> => {
  const offers = await readPasted(text, { folder: '/data' });
  expect(offers).toHaveLength(1);
  return offers[0] as Offer;
};
const sample = ({ kind, choices, preset, multiple }: Input): string | string[] => {
  const value =
    choices[0] ?? (preset === null ? { number: '1', boolean: 'true', file: '/f', folder: '/d', text: 't' }[kind] : '');
  return multiple ? [value] : value;
};
const samples = (inputs: readonly Input[]): InputValues =>
  Object.fromEntries(inputs.filter(({ preset }) => preset === null).map((input) => [input.id, sample(input)]));

/** As WCAG 2 defines it. */
function contrastWithWhite(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

describe('the catalogue', () => {
  it("holds to the registry's schema of 2025-12-11", () => {
    const faults = data.servers.flatMap((server) => registrySchema.safeParse(server).error?.issues ?? []);
    expect(faults).toEqual([]);
    const [first] = data.servers;
    expect(registrySchema.safeParse({ ...first, description: 'x'.repeat(101) }).success).toBe(false);
    expect(registrySchema.safeParse({ ...first, homepage: 'x' }).success).toBe(false);
  });

  it('has some fifty servers of every kind, each once', () => {
    expect(servers.length).toBeGreaterThanOrEqual(50);
    expect(new Set(servers.map(({ id }) => id)).size).toBe(servers.length);
    expect(new Set(servers.map(({ way }) => way))).toEqual(new Set(['npm', 'pypi', 'oci', 'remote']));
  });

  it('keeps the servers of a category together', () => {
    const turns = servers.filter(({ category }, index) => servers[index - 1]?.category !== category);
    expect(turns).toHaveLength(new Set(servers.map(({ category }) => category)).size);
  });

  it.each(servers.map((server) => [server.id, server] as const))('adds %s with its values', async (_id, server) => {
    const offer = await offerOf(server.text);
    expect(offer.name).toBe(server.id);
    const { upstream, refusal, secrets } = filledOffer(offer, samples(offer.inputs));
    expect(refusal).toBeNull();
    expect(upstream).not.toBeNull();
    // Every input is worded in both languages, and no wording is left over.
    expect(Object.keys(server.inputs ?? {}).sort()).toEqual(offer.inputs.map(({ id }) => id).sort());
    for (const { id, description } of offer.inputs)
      expect([id, server.inputs?.[id]?.description !== undefined]).toEqual([id, description !== null]);
    // Arguments are not kept in the keychain: other programs can read them.
    const hidden = offer.inputs.filter(({ secret }) => secret).length;
    expect(secrets).toHaveLength(hidden);
    const runs = JSON.stringify(upstream);
    expect(runs).toContain(server.target);
    if (server.way === 'npm') expect(runs).toMatch(/[^/"]@\d+\.\d+\.\d+/);
  });

  it.each(servers.map(({ id, colour }) => [id, colour] as const))('shows the letters of %s readably', (_id, colour) => {
    expect(contrastWithWhite(colour)).toBeGreaterThan(4.5);
  });
});
