/**
 * Measures delivering a file to another process: in batches to a stock server, and in one call to a receiver that only
 * drains.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { utimes } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, it } from 'vitest';
import { type Filebridge, startFilebridge } from '../e2e/support/filebridge.ts';
import type { McpClient } from '../e2e/support/mcp-clients.ts';
import {
  atLeast,
  atMost,
  comparison,
  comparisonColumns,
  inMegabytes,
  megabytes,
  report,
  speed,
  times,
} from './support/figures.ts';
import { KB, MB, ordersFile, sizeOf } from './support/files.ts';
import { alternating, programFile, type Run, runProgram } from './support/measure.ts';
import { peakMemory } from './support/peak-memory.ts';

const BATCHES_GOAL = 8;
const PEAK_MB = 150;
const DRAIN_GOAL = 0.4;
const PIPE_ROUNDS = 3;

const rows: string[][] = [];

afterAll(() => report('delivery', { columns: comparisonColumns, rows, packages: ['@modelcontextprotocol/sdk', 'papaparse'] }));

/** The program with one upstream, `peer`, connected by a call with a small file. */
async function started(
  program: string,
  folder: string,
  more: object = {},
): Promise<{ filebridge: Filebridge; client: McpClient }> {
  const filebridge = await startFilebridge('stdio', {
    folders: [{ path: folder, access: 'read' }],
    upstreams: { peer: { type: 'stdio', command: process.execPath, args: [programFile(program)], ...more } },
  });
  const client = await filebridge.connect('v1');
  await sent(client, await ordersFile('csv', 2 * KB));
  return { filebridge, client };
}

/** Sends a file's records to the upstream. Returns the time until the answer, and the program's peak memory so far. */
async function sent(client: McpClient, file: string, more: object = {}): Promise<Run> {
  const began = performance.now();
  const answer = await client.call('call_tool_with_file_content', {
    server: 'peer',
    tool_name: 'ingest',
    path: file,
    data_key: 'records',
    ...more,
  });
  const ms = performance.now() - began;
  expect(answer.isError, answer.text).toBe(false);
  return { ms, rss: peakMemory(client.pid) };
}

it('measures batches into a stock server', async () => {
  const file = await ordersFile('csv', 50 * MB);
  const size = await sizeOf(file);
  const warmUp = await ordersFile('csv', 2 * KB);
  const counted: number[] = [];
  const ways = {
    async Filebridge() {
      // A new program each time, to measure its peak memory.
      const { filebridge, client } = await started('stock-server', path.dirname(file));
      const ingested = async () =>
        Number((await client.call('call_tool', { server: 'peer', tool_name: 'ingested', output_format: 'string' })).text);
      await ingested();
      const run = await sent(client, file, { batch: 'auto' });
      counted.push(await ingested());
      await filebridge.stop();
      return run;
    },
    async naive() {
      const run = await runProgram<Run & { records: number }>('naive-client', [programFile('stock-server'), warmUp, file]);
      counted.push(run.records);
      return run;
    },
  };
  const runs = await alternating(3, ['Filebridge', 'naive'], async (way, round) =>
    way === 'naive' && round > 0 ? undefined : await ways[way](),
  );
  expect(new Set(counted).size, `records counted: ${counted}`).toBe(1);
  const text = ({ ms, rss }: Run) => `${speed(ms, size)}, ${megabytes(rss)}`;
  const ratio = runs.naive.ms / runs.Filebridge.ms;
  rows.push(
    comparison({
      figure: '50 MB of CSV into a stock SDK server over stdio, `batch: "auto"`',
      ours: text(runs.Filebridge),
      peer: `one call by the SDK's client, the server's bound lifted: ${text(runs.naive)}`,
      ratio: times(ratio),
      verdict: atLeast(BATCHES_GOAL, ratio),
    }),
    comparison({
      figure: 'peak memory of the same',
      ours: megabytes(runs.Filebridge.rss),
      peer: megabytes(runs.naive.rss),
      verdict: atMost(PEAK_MB, inMegabytes(runs.Filebridge.rss), 'MB'),
    }),
  );
});

/** Measures `cat file | receiver` until the receiver has seen the end. */
async function piped(file: string): Promise<Run> {
  const script = '{ read go; exec cat "$1"; } | "$2" "$3" raw';
  const child = spawn('sh', ['-c', script, 'sh', file, process.execPath, programFile('draining-server')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  const began = performance.now();
  child.stdin.write('go\n');
  const { value } = await lines.next();
  const ms = performance.now() - began;
  expect(JSON.parse(value)).toEqual({ bytes: await sizeOf(file) });
  await ended;
  return { ms, rss: Number.NaN };
}

it('measures one call to a receiver that only drains', async () => {
  if (process.platform === 'win32') {
    rows.push(comparison({ figure: 'one call to a receiver that only drains', ours: 'not measured: there is no `cat`' }));
    return;
  }
  const file = await ordersFile('csv', 100 * MB);
  const size = await sizeOf(file);
  const { filebridge, client } = await started('draining-server', path.dirname(file), { maxMessageBytes: 2 ** 33 });
  const runs = await alternating(PIPE_ROUNDS, ['Filebridge', 'pipe'], async (way, round) => {
    if (way === 'pipe') return await piped(file);
    // Unchanged files are cached: both passes are to be measured.
    await utimes(file, round + 1, round + 1);
    return await sent(client, file);
  });
  await filebridge.stop();
  const ratio = runs.pipe.ms / runs.Filebridge.ms;
  rows.push(
    comparison({
      figure: '100 MB of CSV in one call to a receiver that only drains',
      ours: `${speed(runs.Filebridge.ms, size)}, ${megabytes(runs.Filebridge.rss)}`,
      peer: `\`cat file \\|\` the same receiver: ${speed(runs.pipe.ms, size)}`,
      ratio: times(ratio),
      verdict: atLeast(DRAIN_GOAL, ratio),
    }),
  );
});
