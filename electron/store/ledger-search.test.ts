import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LedgerEntry } from '../../shared/model/call.ts';
import { openLedger } from './ledger.ts';
import { openLedgerSearch } from './ledger-search.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ledger-search-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

function entry(id: number, part: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    id: `call-${id}`,
    time: new Date(2026, 10, 20, 12, 0, 0).toISOString(),
    client: 'Claude',
    kind: 'file_call',
    server: 'db',
    tool: 'bulk_insert',
    paths: ['/data/users.csv'],
    inputBytes: 10,
    sentBytes: 20,
    records: 2,
    calls: 1,
    durationMs: 5,
    outcome: 'ok',
    errorCode: null,
    savings: { arguments: { count: 100, method: 'measured' }, answer: { count: 5, method: 'estimated' } },
    storedPath: null,
    ...part,
  };
}

async function write(entries: LedgerEntry[], maxBytes = 1_000_000): Promise<void> {
  const ledger = await openLedger(directory, { maxBytes, keepFiles: 1000 });
  await Promise.all(entries.map((each) => ledger.append(each)));
  await ledger.close();
}

const idsOf = (entries: LedgerEntry[]) => entries.map((each) => each.id);

describe('searching the ledger', () => {
  it('is empty where nothing was written', async () => {
    const search = openLedgerSearch(directory);
    expect(await search.find({}, 0, 10)).toEqual({ entries: [], total: 0 });
    expect(await search.get('call-1')).toBeUndefined();
  });

  it('gives pages, newest first, across rotated files', async () => {
    await write(
      Array.from({ length: 200 }, (_, index) => entry(index)),
      4_000,
    );
    const search = openLedgerSearch(directory);
    const page = await search.find({}, 150, 20);
    expect(page.total).toBe(200);
    expect(idsOf(page.entries)).toEqual(Array.from({ length: 20 }, (_, index) => `call-${49 - index}`));
    expect(await search.get('call-3')).toEqual(entry(3));
  });

  it('sees what is added after the first question, through a rotation too', async () => {
    await write([entry(0)]);
    const search = openLedgerSearch(directory);
    await search.find({}, 0, 1);
    await write(
      Array.from({ length: 50 }, (_, index) => entry(index + 1)),
      4_000,
    );
    const { entries, total } = await search.find({}, 0, 500);
    expect(total).toBe(51);
    expect(idsOf(entries)).toEqual(Array.from({ length: 51 }, (_, index) => `call-${50 - index}`));
  });

  it('filters by words in any field, outcome, server and client', async () => {
    await write([
      entry(0),
      entry(1, { server: 'crm', outcome: 'failed', errorCode: 'UPSTREAM_FAILED' }),
      entry(2, { client: 'Cursor', paths: ['C:\\docs\\Plan.md'] }),
      entry(3, { server: null, tool: null, kind: 'preview' }),
    ]);
    const search = openLedgerSearch(directory);
    const found = async (filter: Parameters<typeof search.find>[0]) => idsOf((await search.find(filter, 0, 10)).entries);
    expect(await found({ text: 'PLAN cursor' })).toEqual(['call-2']);
    expect(await found({ text: 'upstream_failed' })).toEqual(['call-1']);
    // A directory is no file name: /data is in no line's words.
    expect(await found({ text: 'data' })).toEqual([]);
    expect(await found({ servers: ['db'], outcomes: ['ok'] })).toEqual(['call-2', 'call-0']);
    expect(await found({ clients: ['Cursor'] })).toEqual(['call-2']);
    expect(await search.names()).toEqual({ servers: ['crm', 'db'], clients: ['Claude', 'Cursor'] });
  });

  it('sums by day of the local calendar, quiet days included, measured and estimated apart', async () => {
    await write([
      entry(0, { time: new Date(2026, 10, 19, 0, 0, 1).toISOString() }),
      entry(1, { time: new Date(2026, 10, 19, 23, 59, 59).toISOString() }),
      entry(2, { time: new Date(2026, 10, 21, 0, 0, 0).toISOString(), kind: 'preview' }),
      entry(3, { time: new Date(2026, 10, 1).toISOString() }),
    ]);
    const search = openLedgerSearch(directory, () => new Date(2026, 10, 21, 8));
    expect(await search.days(3)).toEqual([
      { day: '2026-11-19', calls: 2, tokensMeasured: 200, tokensEstimated: 10 },
      { day: '2026-11-20', calls: 0, tokensMeasured: 0, tokensEstimated: 0 },
      { day: '2026-11-21', calls: 0, tokensMeasured: 100, tokensEstimated: 5 },
    ]);
  });
});
