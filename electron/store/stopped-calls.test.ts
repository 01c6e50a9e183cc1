import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { StoppedCall } from '../../shared/model/call.ts';
import { openStoppedCalls } from './stopped-calls.ts';

let directory: string;
let lines: string[];
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'filebridge-stopped-'));
  lines = [];
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const open = () => openStoppedCalls(directory, (line) => void lines.push(line));
const call = (receipt: string, endedAt = new Date().toISOString()): StoppedCall => ({
  receipt,
  entry: `entry ${receipt}`,
  client: 'Cursor',
  server: 'db',
  tool: 'insert',
  paths: ['/data/a.csv'],
  endedAt,
  total: 10,
  accepted: 4,
  left: 6,
  unknown: 0,
});
const kept = (receipt: string, endedAt?: string) => ({
  call: call(receipt, endedAt),
  by: 'agent' as const,
  request: { id: receipt },
});
const receipts = async () => (await open().read()).map((each) => each.call.receipt);

it('keeps what several processes put there, each receipt once, and drops what is done', async () => {
  expect(await receipts()).toEqual([]);
  await Promise.all([open().put(kept('a')), open().put(kept('b'))]);
  await open().put({ ...kept('a'), request: { later: true } });
  expect(await open().read()).toMatchObject([{ call: { receipt: 'b' } }, { call: { receipt: 'a' }, request: { later: true } }]);
  await open().drop('b');
  expect(await receipts()).toEqual(['a']);
  expect(lines).toEqual([]);
});

it('keeps the newest twenty, for thirty days', async () => {
  const long = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000).toISOString();
  await open().put(kept('old', long));
  for (let i = 0; i < 22; i += 1) await open().put(kept(`r${i}`));
  expect(await receipts()).toEqual(Array.from({ length: 20 }, (_, i) => `r${i + 2}`));
});

it.skipIf(process.platform === 'win32')('is readable by the user only', async () => {
  await open().put(kept('a'));
  expect((await stat(path.join(directory, 'stopped-calls.json'))).mode & 0o777).toBe(0o600);
});

it('is empty where the file is damaged, leaves out entries of another form, and says so', async () => {
  await writeFile(path.join(directory, 'stopped-calls.json'), '[{"call"');
  expect(await receipts()).toEqual([]);
  expect(lines).toHaveLength(1);
  await writeFile(path.join(directory, 'stopped-calls.json'), JSON.stringify([{ by: 'nobody' }, kept('a')]));
  expect(await receipts()).toEqual(['a']);
});

it('lies on disk sealed where there is a keychain, and opens with it only', async () => {
  const cipher = {
    encrypt: (text: string) => Buffer.from(text).reverse().toString('base64'),
    decrypt: (sealed: string) => Buffer.from(sealed, 'base64').reverse().toString(),
  };
  const sealing = openStoppedCalls(
    directory,
    () => undefined,
    () => ({ cipher }),
  );
  await sealing.put({ ...kept('a'), request: { tool_args: { password: 'open sesame' } } });
  expect(await readFile(path.join(directory, 'stopped-calls.json'), 'utf8')).not.toMatch(/tool_args|sesame/);
  const [found] = await sealing.read();
  expect(found && sealing.requestOf(found)).toEqual({ tool_args: { password: 'open sesame' } });
  expect(() => found && open().requestOf(found)).toThrow();
});

it('is not written in clear where something in it looks like a secret', async () => {
  const secrets = [
    { tool_args: { api_key: 'abc' } },
    { toolArgs: '{"token":"abc"}' },
    { tool_args: { to: ['postgres://ada:pw@db/x'] } },
  ];
  for (const request of secrets) await open().put({ ...kept('a'), request });
  expect(await receipts()).toEqual([]);
  // One that was written before goes, too.
  await open().put(kept('a'));
  await open().put({ ...kept('a'), request: secrets[0] });
  expect(await receipts()).toEqual([]);
});
