/** Measures how soon a cancelled call has released everything it opened and the next call is answered. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Filebridge, startFilebridge } from '../e2e/support/filebridge.ts';
import type { McpClient } from '../e2e/support/mcp-clients.ts';
import { fixtureServer } from '../e2e/support/upstreams.ts';
import { atMost, comparison, comparisonColumns, median, report } from './support/figures.ts';
import { MB, ordersFile } from './support/files.ts';
import { randomOf } from './support/random.ts';

const TIMES = 20;
const GOAL_MS = 50;

const rows: string[][] = [];
let file: string;
let filebridge: Filebridge;
let remote: ChildProcess;
let client: McpClient;
const chance = randomOf(7);

beforeAll(async () => {
  file = await ordersFile('csv', 100 * MB);
  const { command, args } = fixtureServer('torrent.mjs');
  remote = spawn(command, [...args, '--http'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: remote.stdout as NonNullable<typeof remote.stdout> })[Symbol.asyncIterator]();
  filebridge = await startFilebridge('stdio', {
    folders: [{ path: path.dirname(file), access: 'read' }],
    upstreams: {
      stdio: { type: 'stdio', command, args, maxMessageBytes: 2 ** 33 },
      http: { type: 'http', url: (await lines.next()).value, maxMessageBytes: 2 ** 33 },
    },
  });
  client = await filebridge.connect('v1');
});
afterAll(async () => {
  await filebridge?.stop();
  remote?.kill();
  await report('cancel', { columns: comparisonColumns, rows });
});

const quick = (server: string) => client.call('call_tool', { server, tool_name: 'hash', tool_args: { a: 1 } });

/** Files of a call that the program has open. */
function open(): string[] {
  const directory = `/proc/${client.pid}/fd`;
  return readdirSync(directory).flatMap((fd) => {
    try {
      const target = readlinkSync(path.join(directory, fd));
      return target === file || /filebridge-tmp/.test(target) ? [target] : [];
    } catch {
      return [];
    }
  });
}

interface Stage {
  figure: string;
  server: 'stdio' | 'http';
  tool: string;
  request: object;
  /** The server reads nothing until the call is cancelled. */
  stopped?: boolean;
}

const sending = { tool_name: 'hash', path: '', data_key: 'records' };
const stages: Stage[] = [
  {
    figure: '100 MB of CSV on its way to a server over stdio',
    server: 'stdio',
    tool: 'call_tool_with_file_content',
    request: sending,
  },
  { figure: 'the same over HTTP', server: 'http', tool: 'call_tool_with_file_content', request: sending },
  {
    figure: 'the same to a server that has stopped reading',
    server: 'stdio',
    tool: 'call_tool_with_file_content',
    request: sending,
    stopped: true,
  },
  {
    figure: '60 MB on their way from a server into a file',
    server: 'stdio',
    tool: 'call_tool_and_store',
    request: { tool_name: 'dump', tool_args: { megabytes: 60 } },
  },
];

it.runIf(process.platform === 'linux').each(stages)('measures: $figure', async ({ figure, server, tool, request, stopped }) => {
  await quick(server);
  const args = { server, ...request, ...('path' in request ? { path: file } : {}) };
  let whole = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 2; time += 1) {
    const began = performance.now();
    await client.call(tool, 'path' in args ? { ...args, transform: { limit: 200_000_000 + time } } : args);
    whole = Math.min(whole, performance.now() - began);
  }
  const child = Number(readFileSync(`/proc/${client.pid}/task/${client.pid}/children`, 'utf8').trim().split(' ')[0]);
  const closed: number[] = [];
  const answered: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const caller = new AbortController();
    // Otherwise the conversion would already be cached.
    const anew = 'path' in args ? { transform: { limit: 100_000_000 + time } } : {};
    const call = client.call(tool, { ...args, ...anew }, { signal: caller.signal }).then(
      () => false,
      () => true,
    );
    if (stopped) process.kill(child, 'SIGSTOP');
    await delay(whole * (0.02 + 0.96 * chance.next()));
    const since = performance.now();
    caller.abort();
    const givenUp = await call;
    while (open().length > 0) {
      expect(performance.now() - since).toBeLessThan(10_000);
      await delay(1);
    }
    const closedAfter = performance.now() - since;
    if (stopped) process.kill(child, 'SIGCONT');
    const asked = performance.now();
    await quick(server);
    if (!givenUp) continue;
    closed.push(closedAfter);
    answered.push(closedAfter + performance.now() - asked);
  }
  const worst = Math.max(...closed);
  rows.push(
    comparison({
      figure: `${figure}, given up ${closed.length} times`,
      ours: `${worst.toFixed(0)} ms at worst, ${median(closed).toFixed(0)} ms in the middle`,
      peer: `the next call is answered ${median(answered).toFixed(0)} ms after, ${Math.max(...answered).toFixed(0)} ms at worst; the whole call takes ${whole.toFixed(0)} ms`,
      verdict: atMost(GOAL_MS, worst, 'ms'),
    }),
  );
});
