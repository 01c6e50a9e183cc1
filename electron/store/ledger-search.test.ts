import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LedgerEntry } from '../../shared/model/call.ts';
import { openLedger } from './ledger.ts';
import { headLine } from './ledger-files.ts';
import { type LedgerFilter, openLedgerSearch } from './ledger-search.ts';
import { noTotals } from './ledger-totals.ts';

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

async function write(entries: LedgerEntry[], fileBytes = 1_000_000): Promise<void> {
  const ledger = await openLedger(directory, { fileBytes });
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

  it('forgets what was cleared', async () => {
    await write(
      Array.from({ length: 30 }, (_, index) => entry(index)),
      4_000,
    );
    const search = openLedgerSearch(directory);
    expect((await search.find({}, 0, 1)).total).toBe(30);
    const ledger = await openLedger(directory, { fileBytes: 4_000 });
    await ledger.clear();
    expect(await search.find({}, 0, 10)).toEqual({ entries: [], total: 0 });
    expect(await search.names()).toEqual({ servers: [], clients: [] });
    await ledger.append(entry(31));
    await ledger.close();
    expect(idsOf((await search.find({}, 0, 10)).entries)).toEqual(['call-31']);
  });

  it('finds its way in many entries, and hears of one more', async () => {
    const files = 10;
    const perFile = 2_000;
    const made = (index: number) =>
      entry(index, {
        server: ['db', 'crm', 'mail'][index % 3] ?? null,
        outcome: index % 50 === 0 ? 'failed' : 'ok',
        errorCode: index % 50 === 0 ? 'UPSTREAM_FAILED' : null,
        paths: [`/home/ann/reports/report-${index % 5000}.csv`],
        time: new Date(2026, 10, 20, 12, 0, 0 - (files * perFile - index) * 20).toISOString(),
        dataKeys: ['records'],
        receipt: { sha256: 'a'.repeat(64), recordsAccepted: 2, recordsFailed: 0, batches: 1 },
      });
    for (let file = 0; file < files; file += 1) {
      const name = file === files - 1 ? 'ledger.jsonl' : `ledger-20261120T12000000${file}Z.jsonl`;
      const head = headLine({ ledger: 1, id: `file-${file}`, all: noTotals, days: {} });
      const lines = Array.from({ length: perFile }, (_, index) => `${JSON.stringify(made(file * perFile + index))}\n`);
      await writeFile(path.join(directory, name), head + lines.join(''));
    }
    const search = openLedgerSearch(directory, () => new Date(2026, 10, 20, 13));
    expect((await search.find({}, 0, 1)).total).toBe(files * perFile);

    const page = (filter: LedgerFilter, offset: number) => search.find(filter, offset, 100);
    for (const offset of [0, 10_000, 19_900]) {
      const { entries, total } = await page({}, offset);
      expect(total).toBe(20_000);
      expect([entries[0], entries.at(-1)]).toEqual([made(19_999 - offset), made(19_900 - offset)]);
    }
    // Every fiftieth failed, every third went to db: every hundred and fiftieth is both.
    expect((await page({ servers: ['db'], outcomes: ['failed'] }, 0)).total).toBe(134);
    const words = await page({ text: 'REPORT-4950 upstream_failed' }, 0);
    expect(idsOf(words.entries)).toEqual(Array.from({ length: 4 }, (_, index) => `call-${19_950 - index * 5_000}`));
    const ledger = await openLedger(directory);
    await ledger.append(entry(20_000));
    await ledger.close();
    expect(idsOf((await page({}, 0)).entries.slice(0, 2))).toEqual(['call-20000', 'call-19999']);
    expect((await search.days(366)).reduce((sum, { calls }) => sum + calls, 0)).toBe(20_001);
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
