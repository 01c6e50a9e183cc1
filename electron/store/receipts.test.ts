import { appendFile, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openReceipts, type ReceiptHead, type StoredReceipt } from './receipts.ts';

let root: string;
let directory: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'filebridge-receipts-'));
  directory = path.join(root, 'receipts');
});
afterEach(() => rm(root, { recursive: true, force: true }));

const headOf = (id: string): ReceiptHead => ({
  receipt: 1,
  id,
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
});
const fileOf = (id: string) => path.join(directory, `${id}.jsonl`);

it('keeps what was sent before it goes out, and adds to it later', async () => {
  const receipts = openReceipts(directory);
  await receipts.write(headOf('aaaaaaaa'), 'new', async (journal) => {
    await journal.sent(0, 4);
    expect(await readFile(fileOf('aaaaaaaa'), 'utf8')).toContain('["sent",0,4]\n');
    await journal.outcome('accepted', 0, 4);
  });
  // A crash in the middle of a line.
  await appendFile(fileOf('aaaaaaaa'), '["sent",5,');
  const again = openReceipts(directory);
  await again.write(headOf('aaaaaaaa'), 'again', async (journal) => {
    await Promise.all([journal.sent(5, 6), journal.sent(7, 9)]);
    await journal.outcome('refused', 5, 6);
  });
  expect(await again.read('aaaaaaaa')).toEqual({
    head: headOf('aaaaaaaa'),
    events: [
      ['sent', 0, 4],
      ['accepted', 0, 4],
      ['sent', 5, 6],
      ['sent', 7, 9],
      ['refused', 5, 6],
    ],
    noted: false,
  });
});

it('a line that a full disk cuts short takes no later line with it', async () => {
  const receipts = openReceipts(directory);
  const handle = await open(path.join(root, 'any'), 'w');
  const handles = Object.getPrototypeOf(handle) as { appendFile(text: string): Promise<void> };
  await handle.close();
  await receipts.write(headOf('aaaabbbb'), 'new', async (journal) => {
    const whole = handles.appendFile;
    const full = vi.spyOn(handles, 'appendFile').mockImplementationOnce(async function (this: typeof handles, text) {
      await whole.call(this, text.slice(0, 6));
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    });
    try {
      await expect(journal.sent(0, 4)).rejects.toMatchObject({ code: 'FILE_WRITE_FAILED' });
      await journal.sent(5, 9);
    } finally {
      full.mockRestore();
    }
  });
  expect((await receipts.read('aaaabbbb'))?.events).toEqual([['sent', 5, 9]]);
});

it('lets one call at a time write a receipt', async () => {
  const receipts = openReceipts(directory);
  await receipts.write(headOf('bbbbbbbb'), 'new', async () => {
    expect(await receipts.isOpen('bbbbbbbb')).toBe(true);
    expect(await openReceipts(directory).isOpen('bbbbbbbb')).toBe(true);
    await expect(receipts.write(headOf('bbbbbbbb'), 'again', async () => undefined)).rejects.toThrow('is still under way');
  });
  expect(await openReceipts(directory).isOpen('bbbbbbbb')).toBe(false);
});

it('knows no other files by an id, and none that is broken', async () => {
  const receipts = openReceipts(directory);
  await writeFile(path.join(root, 'tokens.jsonl'), `${JSON.stringify(headOf('x'))}\n`);
  expect(await receipts.read('../tokens')).toBeUndefined();
  expect(await receipts.read('cccccccc')).toBeUndefined();
  await receipts.write(headOf('dddddddd'), 'new', async () => undefined);
  await writeFile(fileOf('dddddddd'), 'half a l');
  expect(await receipts.read('dddddddd')).toBeUndefined();
});

it('keeps a bounded number', async () => {
  const receipts = openReceipts(directory);
  await receipts.write(headOf('00000000'), 'new', async () => undefined);
  await Promise.all(
    Array.from({ length: 1_100 }, (_, each) => writeFile(fileOf((each + 1).toString(16).padStart(8, '0')), '{}\n')),
  );
  await receipts.write(headOf('eeeeeeee'), 'new', async () => undefined);
  const names = await readdir(directory);
  expect(names).toHaveLength(1_000);
  expect(names).toContain('eeeeeeee.jsonl');
});

it('begins nothing where it cannot be written', async () => {
  await writeFile(directory, 'a file');
  let begun = false;
  const writing = openReceipts(directory).write(headOf('ffffffff'), 'new', async () => {
    begun = true;
  });
  await expect(writing).rejects.toMatchObject({ code: 'FILE_WRITE_FAILED' });
  expect(begun).toBe(false);
});

it('tells once of each receipt whose process has ended', async () => {
  const receipts = openReceipts(directory);
  await receipts.write(headOf('99999999'), 'new', async (journal) => {
    await journal.sent(0, 4);
    await receipts.tellInterrupted(async () => expect.unreachable('it is being written'));
  });
  await appendFile(fileOf('99999999'), '["acce');
  const ended = { pid: 2 ** 30, host: os.hostname(), nonce: '0123456789abcdef' };
  await writeFile(path.join(directory, '99999999.lock'), JSON.stringify(ended));
  expect(await receipts.isOpen('99999999')).toBe(false);
  const unfinished: string[] = [];
  const tell = async ({ head, events }: StoredReceipt) => void unfinished.push(`${head.id} ${JSON.stringify(events)}`);
  await Promise.all([receipts.tellInterrupted(tell), openReceipts(directory).tellInterrupted(tell)]);
  expect(unfinished).toEqual(['99999999 [["sent",0,4]]']);
  expect(await receipts.read('99999999')).toMatchObject({ events: [['sent', 0, 4]], noted: true });
  await receipts.write(headOf('99999999'), 'again', (journal) => journal.sent(0, 4));
  expect(await receipts.read('99999999')).toMatchObject({ noted: false });
});
