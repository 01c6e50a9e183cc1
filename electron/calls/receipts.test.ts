import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runs } from '../../shared/lib/fixtures/property-runs.ts';
import { openLedger } from '../store/ledger.ts';
import { openReceipts, type ReceiptHead } from '../store/receipts.ts';
import { recordedCall } from './call.ts';
import { firstEntry } from './events.ts';
import { keptReceipt, type OutcomeEvent, RecordOutcomes, recordInterrupted } from './receipts.ts';

type Noted = [OutcomeEvent, number, number];
const outcomes = ['accepted', 'refused', 'not_sent', 'unknown'] as const;

it('tells of each record what the events say of it one by one', () => {
  const events = fc.array(
    fc
      .tuple(fc.constantFrom('sent' as const, ...outcomes), fc.nat(30), fc.nat(8))
      .map(([event, first, more]): Noted => [event, first, Math.min(30, first + more)]),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(events, (given) => {
      const ranges = new RecordOutcomes([
        [2, 9],
        [12, 30],
      ]);
      const each = Array.from({ length: 31 }, (_, record) => ({
        now: record < 2 || record === 10 || record === 11 ? undefined : ('not_sent' as string | undefined),
        before: undefined as string | undefined,
      }));
      for (const [event, first, last] of given) {
        ranges.note([event, first, last]);
        for (const record of each.slice(first, last + 1)) {
          if (record.now === undefined || record.now === 'accepted') continue;
          const before = event === 'sent' ? record.now : undefined;
          if (event === 'sent') record.now = 'unknown';
          else if (event === 'not_sent') record.now = record.before ?? record.now;
          else record.now = event;
          record.before = before;
        }
      }
      for (const outcome of outcomes) {
        const listed = ranges.of(outcome).flatMap(([first, last]) => each.map((_, at) => at).slice(first, last + 1));
        expect(listed).toEqual(each.flatMap(({ now }, at) => (now === outcome ? [at] : [])));
      }
    }),
    { numRuns: runs(100) },
  );
});

it('what is unknown stays so where sending it again did not begin', () => {
  const ranges = new RecordOutcomes([[0, 9]]);
  const events: Noted[] = [
    ['sent', 0, 4],
    ['sent', 0, 4],
    ['not_sent', 0, 4],
  ];
  for (const event of events) ranges.note(event);
  expect(ranges.ranges()).toEqual({ accepted: [], refused: [], not_sent: [[5, 9]], unknown: [[0, 4]] });
});

it('keeps batches apart that may be sent again, and joins those that were accepted', () => {
  const ranges = new RecordOutcomes([[0, 7]]);
  for (const first of [0, 2, 4, 6]) {
    ranges.note(['sent', first, first + 1]);
    if (first < 4) ranges.note(['accepted', first, first + 1]);
  }
  expect(ranges.of('accepted')).toEqual([[0, 3]]);
  expect(ranges.of('unknown')).toEqual([
    [4, 5],
    [6, 7],
  ]);
});

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
