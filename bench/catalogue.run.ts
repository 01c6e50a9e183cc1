/**
 * Starts every npm server of the catalogue once, with made-up values, through the program's own test of a server, and lists its tools:
 * `npm run catalogue`, or `npm run catalogue -- -t slack` for one. Needs the npm registry.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { node24 } from '../e2e/support/node-versions.ts';
import { catalogueServers } from '../electron/adding/catalogue/catalogue.ts';
import { type RunningApi, sealingHost, startApi } from '../electron/api/fixtures/api.ts';
import type { CatalogueEntry, OfferInput } from '../shared/contract/upstreams.ts';

/** Environment variables that some servers need to start. */
const madeUp: Readonly<Record<string, string>> = {
  DSN: 'sqlite:///:memory:',
  MDB_MCP_CONNECTION_STRING: 'mongodb://127.0.0.1:9/none',
  WP_API_URL: 'http://127.0.0.1:9/',
};

/** Why one cannot list its tools here. */
const cannotStart: Readonly<Record<string, string>> = {
  apify: 'asks Apify which programs there are first',
  slack: 'asks Slack for its users first',
  wordpress: 'asks the site for its tools',
};

const local = catalogueServers().filter(({ way }) => way === 'npm');
const rows: string[] = [];
let api: RunningApi;
let place: string;
let entries: readonly CatalogueEntry[];

beforeAll(async () => {
  // Some need it.
  const node = await node24();
  if (node.path) process.env.PATH = [path.dirname(node.path), process.env.PATH].join(path.delimiter);
  api = await startApi({ host: sealingHost });
  place = await mkdtemp(path.join(os.tmpdir(), 'filebridge-catalogue-'));
  // An Obsidian vault is known by this folder in it.
  await mkdir(path.join(place, 'folder', '.obsidian'), { recursive: true });
  await writeFile(path.join(place, 'file.json'), '{}');
  entries = await api.ask('upstreams.catalogue', {});
});
afterAll(async () => {
  await api?.close();
  await rm(place, { recursive: true, force: true });
  process.stdout.write(`\n${rows.sort().join('\n')}\n`);
});

function valueFor({ id, kind, choices }: OfferInput): string {
  if (madeUp[id] !== undefined) return madeUp[id];
  if (kind === 'folder') return path.join(place, 'folder');
  if (kind === 'file') return path.join(place, 'file.json');
  return choices[0] ?? (kind === 'number' ? '1' : kind === 'boolean' ? 'true' : 'made-up');
}

describe('the catalogue', () => {
  it.concurrent.each(local.map(({ id }) => id))('starts %s', async (id) => {
    const { text } = entries.find((entry) => entry.id === id) as CatalogueEntry;
    const [offer] = (await api.ask('upstreams.readText', { text })).servers;
    if (!offer) throw new Error('no offer');
    const asked = offer.inputs.filter(({ required, preset }) => required && preset.length === 0);
    const values = Object.fromEntries(asked.map((input) => [input.id, [valueFor(input)]]));
    const { ok, tools, milliseconds, log, error } = await api.ask('upstreams.testText', {
      id,
      text,
      pick: { id: offer.id, revision: offer.revision, values },
    });
    const outcome = ok ? `${tools.length} tools` : (cannotStart[id] ?? error?.message);
    rows.push(`${offer.target}: ${outcome}, ${(milliseconds / 1000).toFixed(1)} s`);
    if (cannotStart[id] !== undefined) return;
    expect({ error, log: ok ? [] : log }).toEqual({ error: null, log: [] });
    expect(tools.length).toBeGreaterThan(0);
  });
});
