/** Uses a ledger as one Filebridge process does, and prints the time of each step, in ms. */

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { openLedger } from '../../electron/store/ledger.ts';
import { headLine } from '../../electron/store/ledger-files.ts';
import { type LedgerFilter, openLedgerSearch } from '../../electron/store/ledger-search.ts';
import { noTotals } from '../../electron/store/ledger-totals.ts';
import type { LedgerEntry } from '../../shared/model/call.ts';
import { peakMemory } from '../support/peak-memory.ts';
import { randomOf } from '../support/random.ts';

const [task = '', directory = '', ...rest] = process.argv.slice(2);
const CALLS_PER_FILE = 2_000;

/** Hexadecimal digits from a seeded generator. */
const hex = (next: () => number, length: number) =>
  Array.from({ length: length / 4 }, () =>
    Math.floor(next() * 65_536)
      .toString(16)
      .padStart(4, '0'),
  ).join('');

function entry(index: number, next: () => number, hashes: readonly string[]): LedgerEntry {
  const file = Math.floor(next() * hashes.length);
  const records = 1 + Math.floor(next() * 20_000);
  const failed = next() < 0.02;
  const sends = next() < 0.5;
  const [server, tool] = (
    [
      ['database', 'bulk_insert'],
      ['crm', 'create_contacts'],
      ['mail', 'send_messages'],
    ] as const
  )[index % 3] as readonly [string, string];
  const id = hex(next, 32);
  return {
    id: [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)].join('-'),
    time: new Date(Date.UTC(2026, 0, 1) + index * 15_000 + Math.floor(next() * 15_000)).toISOString(),
    client: ['Claude', 'Cursor', 'Visual Studio Code'][Math.floor(next() * 3)] ?? null,
    kind: sends ? 'file_call' : 'call',
    server,
    tool,
    paths: sends ? [`/home/ann/Documents/reports/report-${file}.csv`] : [],
    inputBytes: sends ? records * 61 : 0,
    sentBytes: sends && !failed ? records * 98 : 0,
    records: sends ? records : 0,
    calls: 1,
    durationMs: Math.round(20 + next() * 400),
    outcome: failed ? 'failed' : 'ok',
    errorCode: failed ? 'UPSTREAM_FAILED' : null,
    savings: {
      arguments: { count: sends ? records * 21 : 0, method: records > 10_000 ? 'estimated' : 'measured' },
      answer: { count: Math.floor(next() * 300), method: 'measured' },
    },
    storedPath: null,
    ...(sends
      ? {
          dataKeys: ['records'],
          receipt: { sha256: hashes[file] ?? '', recordsAccepted: records, recordsFailed: 0, batches: 1 },
        }
      : {}),
  };
}

/** As many calls as are kept, in files of about the size at which one is rotated. */
async function write(calls: number): Promise<void> {
  await mkdir(directory, { recursive: true });
  const next = randomOf(7).next;
  const hashes = Array.from({ length: 5000 }, () => hex(next, 64));
  for (let from = 0; from < calls; from += CALLS_PER_FILE) {
    const stamp = new Date(Date.UTC(2026, 0, 1) + from).toISOString().replaceAll(/[-:.]/g, '');
    const last = from + CALLS_PER_FILE >= calls;
    const out = createWriteStream(path.join(directory, last ? 'ledger.jsonl' : `ledger-${stamp}.jsonl`));
    out.write(headLine({ ledger: 1, id: `file-${from}`, all: { ...noTotals, calls: from }, days: {} }));
    const until = Math.min(calls, from + CALLS_PER_FILE);
    // The current file is half full.
    for (let index = from; index < (last ? from + (until - from) / 2 : until); index += 1)
      if (!out.write(`${JSON.stringify(entry(index, next, hashes))}\n`)) await once(out, 'drain');
    out.end();
    await once(out, 'finish');
  }
}

async function timed<T>(work: () => Promise<T>): Promise<[number, T]> {
  const began = performance.now();
  const value = await work();
  return [performance.now() - began, value];
}

const open = () => openLedger(directory, { keepCalls: 1_000_000, gatherMs: 50 });

async function size(): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(directory)) bytes += (await stat(path.join(directory, name))).size;
  return bytes;
}

const filters: Record<string, LedgerFilter> = {
  all: {},
  server: { servers: ['crm'] },
  failed: { outcomes: ['failed'] },
  word: { text: 'report-4217' },
};

const tasks: Record<string, () => Promise<unknown>> = {
  async write() {
    await write(Number(rest[0]));
    return { bytes: await size() };
  },
  async start() {
    const [opened, ledger] = await timed(open);
    const [totals] = await timed(() => ledger.totals());
    const search = openLedgerSearch(directory, undefined, ledger.written);
    const [first, { total }] = await timed(() => search.find({}, 0, 100));
    const pages: Record<string, { first: number; later: number[] }> = {};
    for (const [name, filter] of Object.entries(filters)) {
      const [ms, found] = await timed(() => search.find(filter, 0, 100));
      const later: number[] = [];
      for (let step = 1; step <= 20; step += 1)
        later.push((await timed(() => search.find(filter, Math.floor((found.total * step) / 21), 100)))[0]);
      pages[name] = { first: ms, later };
    }
    const [days] = await timed(() => search.days(366));
    await ledger.close();
    return { opened, totals, first, total, pages, days, rss: peakMemory('self') };
  },
  async append() {
    const ledger = await open();
    const next = randomOf(Number(rest[1])).next;
    for (let index = 0; index < Number(rest[0]); index += 1) {
      await ledger.append({ ...entry(index, next, ['']), id: `${process.pid}-${index}` });
      if (index % 50 === 49) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await ledger.close();
    return {};
  },
};

process.stdout.write(JSON.stringify(await tasks[task]?.()));
