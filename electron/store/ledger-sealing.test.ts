import { mkdtemp, open, readdir, readFile, rm, stat, truncate, unlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runs } from '../../shared/lib/fixtures/property-runs.ts';
import type { LedgerEntry } from '../../shared/model/call.ts';
import { withFileLock } from './file-lock.ts';
import { openLedger } from './ledger.ts';
import { packBlock, unpackBlock } from './ledger-blocks.ts';
import { headLine, linesBackwards, linesFrom, openIfThere, SEALED } from './ledger-files.ts';
import { GrowingIndex } from './ledger-index.ts';
import { sealRotated } from './ledger-sealing.ts';
import { openLedgerSearch } from './ledger-search.ts';
import { writeSegment } from './ledger-segment.ts';
import { noTotals } from './totals.ts';

vi.setConfig({ testTimeout: 120_000 });

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ledger-sealing-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const entry = (id: number, more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  id: `call-${id}`,
  time: new Date(2026, 10, 20, 12, 0, id % 60).toISOString(),
  client: 'Claude',
  kind: 'file_call',
  server: id % 3 === 0 ? 'crm' : 'db',
  tool: 'bulk_insert',
  paths: [`/data/report ${id % 7}.csv`],
  inputBytes: 10,
  sentBytes: 20,
  records: 2,
  calls: 1,
  durationMs: 5,
  outcome: id % 10 === 0 ? 'failed' : 'ok',
  errorCode: id % 10 === 0 ? 'UPSTREAM_FAILED' : null,
  savings: { arguments: { count: 100, method: 'measured' }, answer: { count: 5, method: 'estimated' } },
  storedPath: null,
  ...more,
});

const lock = () => path.join(directory, 'ledger.lock');
const seal = (more: object = {}) => sealRotated({ directory, lock: lock(), ...more });
const names = async (end: string) => (await readdir(directory)).filter((name) => name.endsWith(end)).sort();
const ids = (entries: readonly LedgerEntry[]) => entries.map(({ id }) => id);
const newestFirst = (count: number) => Array.from({ length: count }, (_, index) => `call-${count - 1 - index}`);

async function write(from: number, to: number, maxBytes = 4000, keepFiles = 1000): Promise<void> {
  const ledger = await openLedger(directory, { maxBytes, keepFiles });
  for (let id = from; id < to; id += 1) await ledger.append(entry(id));
  await ledger.close();
}

describe('a block', () => {
  it('is given back byte by byte, whatever it holds', async () => {
    const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 });
    const piece = fc.oneof(fc.uuid(), hex, fc.uint8Array({ maxLength: 40 }), fc.constantFrom('\u0001', '\u0002', '{"id":"'));
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
        const raw = Buffer.concat(pieces.map((each) => Buffer.from(each as string)));
        expect(unpackBlock(await packBlock(raw), raw.byteLength)).toEqual(raw);
      }),
      { numRuns: runs(200) },
    );
  });
});

describe('a compressed file', () => {
  it('reads as the original did, forwards and backwards, and is much smaller and private', async () => {
    const file = path.join(directory, 'ledger-20261120T120000000Z.jsonl');
    const lines = Array.from({ length: 1000 }, (_, id) => JSON.stringify(entry(id, { paths: ['é'.repeat(id)] })));
    const original = `${headLine({ ledger: 1, id: 'x', all: noTotals, days: {} })}rubbish\n${lines.join('\n')}\ntorn`;
    await writeFile(file, original);
    const read = async () => {
      const handle = await openIfThere(file);
      if (!handle) throw new Error('The file is gone');
      const forwards: unknown[] = [];
      for await (const each of linesFrom(handle, 0)) forwards.push(each);
      const backwards: string[] = [];
      for await (const line of linesBackwards(handle)) backwards.push(line);
      await handle.close();
      return { forwards, backwards };
    };
    const before = await read();
    expect(await seal()).toBe(1);
    expect(await readdir(directory)).toEqual([path.basename(file) + SEALED]);
    expect(await read()).toEqual(before);
    const stats = await stat(file + SEALED);
    expect(stats.size).toBeLessThan(original.length / 5);
    if (process.platform !== 'win32') expect(stats.mode & 0o777).toBe(0o600);
  });

  it('answers every question as the original did', async () => {
    await write(0, 300);
    const answers = async () => {
      const search = openLedgerSearch(directory, () => new Date(2026, 10, 20, 13));
      const filters = [
        {},
        { servers: ['crm'] },
        { outcomes: ['failed' as const] },
        { servers: ['db'], text: 'upstream_failed 4.CSV' },
        { text: 'report bulk_' },
        { text: 'nowhere' },
      ];
      return {
        pages: await Promise.all(filters.flatMap((filter) => [0, 7, 100].map((offset) => search.find(filter, offset, 20)))),
        found: await Promise.all([search.get('call-4'), search.get('call-299'), search.get('call-300')]),
        days: await search.days(3),
        names: await search.names(),
        clients: await search.clients(),
        all: await search.all({ clients: ['Claude'] }),
      };
    };
    const before = await answers();
    expect(ids(before.pages[0]?.entries ?? [])).toEqual(newestFirst(300).slice(0, 20));
    expect(await seal()).toBeGreaterThan(10);
    expect(await names('.jsonl')).toEqual(['ledger.jsonl']);
    expect(await answers()).toEqual(before);
  });

  it('of a version that kept no sums of clients has them from its entries', async () => {
    const file = path.join(directory, 'ledger-20261120T120000000Z.jsonl');
    const index = new GrowingIndex();
    let text = headLine({ ledger: 1, id: 'x', all: noTotals, days: {} });
    for (let id = 0; id < 500; id += 1) {
      const line = entry(id, { client: id % 5 === 0 ? 'Zed' : 'Claude' });
      index.add(line, Buffer.byteLength(text));
      text += `${JSON.stringify(line)}\n`;
    }
    index.clients.clear();
    await writeFile(file, text);
    const source = await openIfThere(file);
    const to = await open(file + SEALED, 'wx');
    if (!source) throw new Error('The file is there');
    await writeSegment(to, source, 'x', index, () => false);
    await Promise.all([to.close(), source.close()]);
    await unlink(file);
    const sums = (calls: number) => ({ calls, tokensMeasured: 100 * calls, tokensEstimated: 5 * calls });
    expect(await openLedgerSearch(directory).clients()).toEqual([
      { client: 'Zed', ...sums(100), last: entry(55).time },
      { client: 'Claude', ...sums(400), last: entry(59).time },
    ]);
  });

  it('is followed by those who read its original before: entries, totals and news', async () => {
    await write(0, 5);
    const search = openLedgerSearch(directory);
    expect((await search.find({}, 0, 1)).total).toBe(5);
    const reader = await openLedger(directory, { maxBytes: 4000 });
    const heard: string[] = [];
    reader.onAppend(({ id }) => heard.push(id));
    await write(5, 60);
    await seal();
    expect((await reader.totals()).all.calls).toBe(60);
    expect([...heard].sort()).toEqual(newestFirst(60).slice(0, 55).sort());
    expect(ids(await reader.recent(100))).toEqual(newestFirst(60));
    expect(ids((await search.find({}, 0, 100)).entries)).toEqual(newestFirst(60));
    await reader.close();
  });

  it('goes when the ledger is cleared, and when it is too old', async () => {
    await write(0, 200);
    await seal();
    const left = (await names(SEALED)).slice(0, 2).flatMap((name) => [`${name}.damaged`, name.replace(SEALED, '.sealing')]);
    for (const name of left) await writeFile(path.join(directory, name), 'left by a crash');
    const kept = (await names(SEALED)).length;
    await write(200, 260, 4000, 3);
    expect((await names(SEALED)).length).toBeLessThan(kept);
    const ledger = await openLedger(directory, { maxBytes: 4000 });
    expect((await ledger.totals()).all.calls).toBe(260);
    await ledger.clear();
    expect(await readdir(directory)).toEqual(['ledger.jsonl']);
    await ledger.close();
  });
});

describe('compressing', () => {
  it('goes on after it was stopped anywhere, and leaves no entry out nor twice', async () => {
    await write(0, 100);
    const originals = await names('.jsonl');
    for (let stop = 1; (await names('.jsonl')).length > 1; stop += 3) {
      let looks = 0;
      const stopped = () => {
        looks += 1;
        return looks > stop;
      };
      await seal({ stopped });
      const search = openLedgerSearch(directory);
      expect(ids((await search.find({}, 0, 500)).entries)).toEqual(newestFirst(100));
    }
    expect(await names(SEALED)).toHaveLength(originals.length - 1);
    expect(await names('.sealing')).toEqual([]);
  });

  it('takes up what a crash left: an original beside its compressed file, and a half-done one', async () => {
    await write(0, 50);
    const [first = ''] = await names('.jsonl');
    const bytes = await readFile(path.join(directory, first));
    await seal();
    await writeFile(path.join(directory, first), bytes);
    await writeFile(path.join(directory, `${first}.sealing`), 'half');
    expect(ids(await openLedgerSearch(directory).all({}))).toEqual(newestFirst(50));
    await seal();
    expect(await names('.jsonl')).toEqual(['ledger.jsonl']);
    expect(await names('.sealing')).toEqual([]);
    expect(ids(await openLedgerSearch(directory).all({}))).toEqual(newestFirst(50));
  });

  it('does not bring back what was cleared meanwhile', async () => {
    await write(0, 50);
    const ledger = await openLedger(directory, { maxBytes: 4000 });
    let sealing: Promise<number> | undefined;
    // Compression runs while this holds the lock, and has to wait with its last step.
    await withFileLock(lock(), async () => {
      sealing = seal();
      await expect.poll(() => names('.sealing')).toHaveLength(1);
      for (const name of await names('.jsonl')) await unlink(path.join(directory, name));
    });
    await sealing;
    await ledger.clear();
    expect(await names(SEALED)).toEqual([]);
    expect(await names('.sealing')).toEqual([]);
    await ledger.close();
  });

  it('puts a damaged file aside, says so, and shows the rest', async () => {
    await write(0, 60);
    await seal();
    const [first = '', second = ''] = await names(SEALED);
    await truncate(path.join(directory, first), 100);
    const flipped = await readFile(path.join(directory, second));
    flipped.fill(0xff, flipped.length - 60, flipped.length - 20);
    await writeFile(path.join(directory, second), flipped);
    const messages: string[] = [];
    const shown = async () => ids(await openLedgerSearch(directory).all({}));
    const rest = await shown();
    expect(rest.length).toBeGreaterThan(20);
    expect(newestFirst(60).slice(0, rest.length)).toEqual(rest);
    await seal({ verify: true, log: (message: string) => messages.push(message) });
    expect(messages).toEqual([expect.stringContaining(first), expect.stringContaining(second)]);
    expect(await names('.damaged')).toEqual([`${first}.damaged`, `${second}.damaged`]);
    expect(await shown()).toEqual(rest);
    const ledger = await openLedger(directory, { maxBytes: 4000 });
    expect((await ledger.totals()).all.calls).toBe(60);
    await ledger.close();
  });

  it('loses only the lines of a damaged block', async () => {
    const file = path.join(directory, 'ledger-20261120T120000000Z.jsonl');
    await writeFile(file, Array.from({ length: 1000 }, (_, id) => `${JSON.stringify(entry(id))}\n`).join(''));
    await seal();
    const bytes = await readFile(file + SEALED);
    bytes.fill(0, 20, 60);
    await writeFile(file + SEALED, bytes);
    const left = await openLedgerSearch(directory).all({});
    expect(left.length).toBeGreaterThan(700);
    expect(left.length).toBeLessThan(1000);
    const ledger = await openLedger(directory, { maxBytes: 4000 });
    expect(await ledger.recent(2000)).toEqual(left);
    await ledger.close();
  });

  it('is done by one process at a time, and by an open ledger in the background', async () => {
    await write(0, 50);
    await withFileLock(path.join(directory, 'ledger-sealing.lock'), async () => {
      await expect(seal()).rejects.toMatchObject({ code: 'FILE_WRITE_FAILED' });
    });
    const ledger = await openLedger(directory, { maxBytes: 4000, sealAfterMs: 10 });
    await expect.poll(() => names('.jsonl')).toEqual(['ledger.jsonl']);
    await ledger.close();
    expect(ids(await openLedgerSearch(directory).all({}))).toEqual(newestFirst(50));
  });
});

describe('old files that are not compressed yet', () => {
  it('show their newest calls at once, and the others with further questions', async () => {
    const files = 3;
    const perFile = 500;
    for (let file = 0; file < files; file += 1) {
      const lines = Array.from({ length: perFile }, (_, index) =>
        JSON.stringify(entry(file * perFile + index, { paths: [`/${'x'.repeat(25_000)}.csv`] })),
      );
      await writeFile(path.join(directory, `ledger-20261120T12000000${file}Z.jsonl`), `${lines.join('\n')}\n`);
    }
    const search = openLedgerSearch(directory);
    const first = await search.find({}, 0, 10);
    expect(ids(first.entries)).toEqual(newestFirst(files * perFile).slice(0, 10));
    expect(first).toMatchObject({ total: perFile, more: true });
    const totals: number[] = [];
    for (let found = first; found.more; ) {
      found = await search.find({}, 0, 10);
      totals.push(found.total);
    }
    expect(totals.at(-1)).toBe(files * perFile);
    expect(ids(await openLedgerSearch(directory).all({}))).toEqual(newestFirst(files * perFile));
  });
});
