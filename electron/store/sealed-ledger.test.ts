import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { restoredIds, SEALED_NAME, sealedFile } from './fixtures/sealed-ledger.ts';
import { openLedger } from './ledger.ts';
import { openLedgerSearch } from './ledger-search.ts';
import { restoreSealed } from './sealed-ledger.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'sealed-ledger-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const ids = async () => (await openLedgerSearch(directory).find({}, 0, 100)).entries.map(({ id }) => id);
const put = (bytes: Buffer, name = SEALED_NAME) => writeFile(path.join(directory, name), bytes);
const opened = async (keepCalls?: number) => (await openLedger(directory, keepCalls === undefined ? {} : { keepCalls })).close();

it('becomes lines again, with ids, hashes and letters as they were', async () => {
  await put(sealedFile);
  await put(Buffer.from('half'), 'ledger-20261120T120000000Z.jsonl.sealing');
  await opened();
  expect(await readdir(directory)).toEqual(['ledger-20261120T120000000Z.jsonl']);
  expect(await ids()).toEqual(restoredIds);
  const [entry] = (await openLedgerSearch(directory).find({}, 0, 1)).entries;
  expect(entry).toMatchObject({ paths: ['/data/Bücher 3.csv'], receipt: { sha256: 'ab12'.repeat(16) } });
});

it('goes where enough newer calls are there', async () => {
  await put(sealedFile);
  await put(sealedFile, 'ledger-20261121T120000000Z.jsonl.sealed');
  await opened(4);
  expect(await readdir(directory)).toEqual(['ledger-20261121T120000000Z.jsonl']);
});

it.each([
  ['cut short', () => sealedFile.subarray(0, 100)],
  ['of zeros', () => Buffer.alloc(1000)],
  ['empty', () => Buffer.alloc(0)],
  [
    'that says it is enormous',
    () => Buffer.concat([sealedFile.subarray(0, -22), Buffer.alloc(6, 0xff), sealedFile.subarray(-16)]),
  ],
])('%s is put aside, and the ledger goes on', async (_, damaged) => {
  await put(damaged());
  await opened();
  expect(await readdir(directory)).toEqual([`${SEALED_NAME}.damaged`]);
});

it('stays for the next start where the disk refuses it now', async () => {
  await put(sealedFile);
  const inItsPlace = path.join(directory, SEALED_NAME.replace('.sealed', ''));
  await mkdir(path.join(inItsPlace, 'x'), { recursive: true });
  await restoreSealed(directory, 100);
  await rm(inItsPlace, { recursive: true });
  await restoreSealed(directory, 100);
  expect(await ids()).toEqual(restoredIds);
});

it('with a damaged block loses its calls only, and is put aside', async () => {
  await put(Buffer.concat([sealedFile.subarray(0, 20), Buffer.alloc(20), sealedFile.subarray(40)]));
  await opened();
  expect(await ids()).toEqual([]);
  expect((await readdir(directory)).sort()).toEqual([SEALED_NAME.replace('.sealed', ''), `${SEALED_NAME}.damaged`]);
  expect(await readFile(path.join(directory, SEALED_NAME.replace('.sealed', '')), 'utf8')).toBe('\n');
});
