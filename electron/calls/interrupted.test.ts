import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openLedger } from '../store/ledger.ts';
import { openReceipts, type ReceiptHead } from '../store/receipts.ts';
import { recordedCall } from './call.ts';
import { firstEntry } from './events.ts';

import { keptReceipt, recordInterrupted } from './receipts.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'filebridge-interrupted-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const head: ReceiptHead = {
  receipt: 1,
  id: 'aaaaaaaa',
  owner: 'one',
  client: 'agent',
  time: '2026-11-22T10:00:00.000Z',
  server: 'db',
  tool: 'insert',
  sha256: 'hash',
  request: 'request',
  paths: ['/data/people.csv'],
  records: 10,
  planned: [[0, 9]],
  batch: {},
};

it('an interrupted call is in the ledger once, wherever the program that reports it is killed; the next interruption is another', async () => {
  const receipts = openReceipts(path.join(root, 'receipts'));
  const file = path.join(root, 'receipts', 'aaaaaaaa.jsonl');
  const killedAfter = async (first: number, last: number, how: 'new' | 'again') => {
    await receipts.write(head, how, (journal) => journal.sent(first, last));
    const ended = { pid: 2 ** 30, host: os.hostname(), nonce: '0123456789abcdef' };
    await writeFile(path.join(root, 'receipts', 'aaaaaaaa.lock'), JSON.stringify(ended));
  };
  const interruptions = async () => {
    const ledger = await openLedger(path.join(root, 'ledger'), { gatherMs: 20 });
    try {
      await recordInterrupted({
        receipts: openReceipts(path.join(root, 'receipts')),
        ledger,
        log: (line) => expect.unreachable(line),
      });
      return (await ledger.recent(10)).map(({ receipt }) => receipt?.recordsUnknown);
    } finally {
      await ledger.close();
    }
  };

  await killedAfter(0, 4, 'new');
  const before = await readFile(file, 'utf8');
  expect(await interruptions()).toEqual([5]);
  // Killed before the receipt was marked, and in the middle of the mark.
  for (const marked of ['', '\n["not']) {
    await writeFile(file, `${before}${marked}`);
    expect(await interruptions()).toEqual([5]);
  }
  expect(await interruptions()).toEqual([5]);

  await rm(path.join(root, 'receipts', 'aaaaaaaa.lock'));
  await killedAfter(5, 7, 'again');
  expect(await interruptions()).toEqual([8, 5]);
});

it.each([
  ['before its line is in the ledger', false, ['10 accepted']],
  ['right after its line is in the ledger', true, ['own']],
])('a call killed once its receipt is closed, %s, is in the ledger once', async (_, isListed, expected) => {
  const directory = path.join(root, 'receipts');
  const receipts = openReceipts(directory);
  await receipts.write(head, 'new', (journal) => journal.outcome('accepted', 0, 9), 'own');
  const note = path.join(directory, 'aaaaaaaa.unlisted');
  const reports = async () => {
    const ledger = await openLedger(path.join(root, 'ledger'), { gatherMs: 20 });
    try {
      await recordInterrupted({ receipts: openReceipts(directory), ledger, log: (line) => expect.unreachable(line) });
      return (await ledger.recent(10)).map(({ id, receipt }) => (receipt ? `${receipt.recordsAccepted} accepted` : id));
    } finally {
      await ledger.close();
    }
  };
  // The process that made the call still runs.
  expect(await reports()).toEqual([]);
  expect(await readdir(directory)).toContain('aaaaaaaa.unlisted');

  await writeFile(note, JSON.stringify({ ...JSON.parse(await readFile(note, 'utf8')), pid: 2 ** 30 }));
  if (isListed) {
    const ledger = await openLedger(path.join(root, 'ledger'), { gatherMs: 20 });
    const own = firstEntry({ id: 'own', time: head.time, kind: 'file_call', client: null }, null, []);
    await ledger.append({ ...own, durationMs: 1 });
    await ledger.close();
  }
  expect(await reports()).toEqual(expected);
  expect(await reports()).toEqual(expected);
  expect(await readdir(directory)).toEqual(['aaaaaaaa.jsonl']);
});

it('a call that is in the ledger leaves no note', async () => {
  const directory = path.join(root, 'receipts');
  const receipts = openReceipts(directory);
  const ledger = await openLedger(path.join(root, 'ledger'), { gatherMs: 20 });
  const target = { server: 'db', tool: 'insert' };
  const { signal } = new AbortController();
  const caller = { client: null, signal, progress: () => undefined, log: () => undefined };
  const start = { kind: 'file_call', target, caller } as const;
  await recordedCall({ ledger, log: (line) => expect.unreachable(line) }, start, async ({ events }) => {
    await keptReceipt({ receipts, log: () => undefined }, events, head, 'new', async (journal) => {
      expect((await readdir(directory)).sort()).toEqual(['aaaaaaaa.jsonl', 'aaaaaaaa.lock', 'aaaaaaaa.unlisted']);
      await journal?.outcome('accepted', 0, 9);
    });
    expect((await readdir(directory)).sort()).toEqual(['aaaaaaaa.jsonl', 'aaaaaaaa.unlisted']);
  });
  expect(await readdir(directory)).toEqual(['aaaaaaaa.jsonl']);
  await ledger.close();
});
