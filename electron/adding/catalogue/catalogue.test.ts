import { describe, expect, it } from 'vitest';
import { catalogueCategories } from '../../../shared/contract/upstreams.ts';
import { searchWords } from '../../../shared/lib/word-search.ts';
import { filledOffer } from '../filled.ts';
import type { Input, InputValues, Offer } from '../offer.ts';
import { readPasted } from '../pasted.ts';
import { meantByWords, searchedTexts, standsInFor } from './also-called.ts';
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

describe('the search in the catalogue', () => {
  const search = (typed: string) => {
    const { found, near } = searchWords(servers, typed, searchedTexts);
    return { found: found.map(({ id }) => id), near: near.map(({ id }) => id) };
  };

  it('knows other words only for what is there', () => {
    const known = new Set<string>([...catalogueCategories, ...servers.map(({ id }) => id)]);
    expect(meantByWords().filter((meant) => !known.has(meant))).toEqual([]);
  });

  it('takes no server for a product that is not there', () => {
    const products = [...new Set(servers.flatMap(standsInFor))];
    expect(products).toContain('Dropbox');
    expect(products.filter((product) => search(product).found.length > 0)).toEqual([]);
  });

  it.each([
    ['spreadsheet', 'excel'],
    ['Tabelle', 'excel'],
    ['Tabellenkalkulation', 'excel'],
    ['send email', 'google-workspace'],
    ['mail', 'google-workspace'],
    ['E-Mail', 'google-workspace'],
    ['E-Mails schreiben', 'google-workspace'],
    ['read my emails', 'google-workspace'],
    ['calendar', 'google-workspace'],
    ['Kalender', 'google-workspace'],
    ['Termine', 'microsoft-365'],
    ['notes', 'notion'],
    ['Notizen', 'obsidian'],
    ['tasks', 'todoist'],
    ['to do list', 'todoist'],
    ['to-do', 'todoist'],
    ['Aufgaben', 'todoist'],
    ['CRM', 'monday'],
    ['customers', 'stripe'],
    ['database', 'dbhub'],
    ['Datenbank', 'dbhub'],
    ['postgres', 'dbhub'],
    ['photo', 'canva'],
    ['Fotos', 'canva'],
    ['PDF', 'markitdown'],
    ['Power Point', 'markitdown'],
    ['chat', 'slack'],
    ['payments', 'stripe'],
    ['invoices', 'stripe'],
    ['Rechnung', 'stripe'],
    ['Rechnungsprogramm', 'stripe'],
    ['shop', 'shopify-dev'],
    ['code', 'github'],
    ['browser', 'playwright'],
    ['weather', 'brave-search'],
    ['Wetter', 'brave-search'],
    ['map', 'mapbox'],
    ['Karte', 'mapbox'],
    ['files', 'filesystem'],
    ['Ordner', 'filesystem'],
    ['web search', 'brave-search'],
    ['Präsentation', 'markitdown'],
    ['postgress', 'dbhub'],
    ['smart home', 'home-assistant'],
    ['Heizung', 'home-assistant'],
    ['Sheets Google', 'google-workspace'],
    ['Google Drive', 'google-workspace'],
    ['blog', 'wordpress'],
    ['voice', 'elevenlabs'],
    ['time zone', 'time'],
    ['diagram', 'drawio'],
  ])('finds for “%s” %s among the first', (typed, id) => {
    expect(search(typed).found.slice(0, 6)).toContain(id);
  });

  it('puts a name before a description', () => {
    expect(search('git').found[0]).toBe('git');
    expect(search('excel').found[0]).toBe('excel');
    expect(search('memory').found[0]).toBe('memory');
    expect(search('notion').found).toEqual(['notion']);
  });

  it.each([
    ['postgers', 'dbhub'],
    ['Praesentation', 'markitdown'],
    ['spreadsheat', 'excel'],
    ['calender', 'google-workspace'],
    ['ecxel', 'excel'],
    ['notoin', 'notion'],
    ['Kalendar', 'google-workspace'],
    ['gihtub', 'github'],
    ['spreadsheet budget', 'excel'],
  ])('says for “%s” what is near it', (typed, id) => {
    const { found, near } = search(typed);
    expect(found).toEqual([]);
    expect(near).toContain(id);
    expect(near.length).toBeLessThanOrEqual(6);
  });

  it.each(['xyzzy', 'qwertz uiop', 'translate'])('finds nothing like “%s”', (typed) => {
    expect(search(typed)).toEqual({ found: [], near: [] });
  });
});
