import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openLedger } from '../store/ledger.ts';
import { openReceipts, type ReceiptHead } from '../store/receipts.ts';
import { recordInterrupted } from './interrupted.ts';

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
    const ledger = await openLedger(path.join(root, 'ledger'), { maxBytes: 1_000_000, gatherMs: 20 });
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
