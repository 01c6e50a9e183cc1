/** Measures time and memory of sending 400 MB into a tool, and of storing an answer of 60 MB, about as long as one may be, in a file. */
import { open, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Filebridge, startFilebridge } from '../e2e/support/filebridge.ts';
import { torrents, torrentWays } from '../e2e/support/torrents.ts';
import { atMost, comparison, comparisonColumns, inMegabytes, megabytes, report, speed } from './support/figures.ts';
import { MB } from './support/files.ts';
import { peakMemory } from './support/peak-memory.ts';

const SIZE = 400 * MB;
const ANSWER = 60 * MB;
const PEAK_MB = 150;
const rows: string[][] = [];
let filebridge: Filebridge;
let servers: Awaited<ReturnType<typeof torrents>>;
let list: string;

beforeAll(async () => {
  servers = await torrents();
  filebridge = await startFilebridge('stdio', { upstreams: servers.upstreams });
  list = filebridge.at('list.json');
  const file = await open(list, 'w');
  const record = JSON.stringify({ id: 1234567, name: 'Grüße', note: 'x'.repeat(80) });
  const piece = Array.from({ length: 10_000 }, () => record).join(',');
  await file.write('[');
  for (let bytes = 0; bytes < SIZE; bytes += piece.length) await file.write(bytes === 0 ? piece : `,${piece}`);
  await file.write(']');
  await file.close();
});
afterAll(async () => {
  await filebridge?.stop();
  servers?.stop();
  await report('payloads', { columns: comparisonColumns, rows });
});

/** Runs the call in a new program, after a small call. */
async function measured(server: string, tool: string, request: object): Promise<{ ms: number; rss: number; before: number }> {
  const client = await filebridge.connect('v1');
  await client.call('call_tool', { server, tool_name: 'hash', tool_args: {} });
  const before = peakMemory(client.pid);
  const began = performance.now();
  const answer = await client.call(tool, { server, ...request });
  const ms = performance.now() - began;
  expect(answer.isError, answer.text).toBe(false);
  const rss = peakMemory(client.pid);
  await client.close();
  return { ms, rss, before };
}

const row = (
  figure: string,
  size: number,
  { ms, rss, before }: { ms: number; rss: number; before: number },
  peakMb: number | null = PEAK_MB,
) =>
  rows.push(
    comparison({
      figure,
      ours: `${speed(ms, size)}, ${megabytes(rss)}`,
      peer: `before the call: ${megabytes(before)}`,
      ...(peakMb === null ? {} : { verdict: atMost(peakMb, inMegabytes(rss), 'MB') }),
    }),
  );

it.each(torrentWays)('measures arguments over %s', async (server) => {
  const size = (await stat(list)).size;
  const run = await measured(server, 'call_tool_with_file_content', { tool_name: 'hash', path: list, data_key: 'records' });
  row(`400 MB of JSON in one call over ${server}`, size, run);
});

it.each(torrentWays.flatMap((server) => [false, true].map((records) => [server, records] as const)))(
  'measures an answer over %s (records: %s)',
  async (server, records) => {
    const filename = `dump.${records ? 'json' : 'txt'}`;
    const stored = filebridge.at(filename);
    const run = await measured(server, 'call_tool_and_store', {
      tool_name: 'dump',
      tool_args: { megabytes: ANSWER / 1_000_000, rows: records },
      storage_path: path.dirname(stored),
      filename,
    });
    await rm(stored);
    row(`60 MB of ${records ? 'structured records' : 'text'} from ${server} into a file`, ANSWER, run, null);
  },
);
