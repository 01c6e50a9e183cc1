/** Batched calls to a server that fails in every way, resumed through further failures: no accepted record is ever sent again. */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { RecordRange } from '../shared/model/call.ts';
import { changeConfig, endProcess, type Filebridge, startFilebridge } from './support/filebridge.ts';
import type { McpClient } from './support/mcp-clients.ts';
import { seeded } from './support/seeded-content.ts';
import { fixtureServer } from './support/upstreams.ts';

const RECORDS = 60;
/** More than half of the batches fail. */
const FAULT_FACTOR = '3';
const SEEDS = Array.from({ length: Number(process.env.RESUME_SEEDS ?? 3) }, (_, index) => index + 1);

type Outcome = 'accepted' | 'refused' | 'not_sent' | 'unknown';
type Ranges = Record<Outcome, RecordRange[]>;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A program with one faulty server over stdio and one over HTTP. */
async function open(seed: number): Promise<{ filebridge: Filebridge; client: McpClient; logOf(server: string): string }> {
  const filebridge = await startFilebridge('stdio', { limits: { callTimeoutMs: 5_000 } });
  closing.unshift(() => filebridge.stop());
  const logOf = (server: string) => filebridge.workspace.at(`${server}.jsonl`);
  const env = { FAULT_FACTOR };
  const overHttp = fixtureServer('faulty.mjs', [logOf('http'), `${seed}`, 'http']);
  const child = spawn(overHttp.command, overHttp.args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  closing.push(() => endProcess(child));
  const url = await new Promise<string>((resolve) => {
    child.stdout.once('data', (said: Buffer) => resolve(/http:\S+/.exec(said.toString())?.[0] ?? ''));
  });
  await changeConfig(filebridge, {
    upstreams: {
      stdio: { ...fixtureServer('faulty.mjs', [logOf('stdio'), `${seed}`, 'stdio']), env },
      http: { type: 'http', url },
    },
  });
  return { filebridge, client: await filebridge.connect('v1'), logOf };
}

/** How often the server kept each record. */
async function keptIn(log: string): Promise<number[]> {
  const kept = Array.from({ length: RECORDS }, () => 0);
  const lines = await readFile(log, 'utf8').catch(() => '');
  for (const line of lines.split('\n').filter(Boolean)) {
    for (const n of (JSON.parse(line) as { n: number[] }).n) kept[n] = (kept[n] ?? 0) + 1;
  }
  return kept;
}

/** The outcome of each record; fails unless each has exactly one. */
function outcomesIn(ranges: Ranges): Outcome[] {
  const outcomes: Outcome[] = [];
  for (const [outcome, list] of Object.entries(ranges) as [Outcome, RecordRange[]][]) {
    for (const [first, last] of list) {
      for (let record = first; record <= last; record += 1) {
        expect(outcomes[record], `record ${record} is ${outcome}, too`).toBeUndefined();
        outcomes[record] = outcome;
      }
    }
  }
  expect(outcomes.filter(Boolean)).toHaveLength(RECORDS);
  return outcomes;
}

describe.each(['stdio', 'http'])('over %s', (server) => {
  it.each(SEEDS)('what a receipt says is what the server kept, through every resume (seed %i)', async (seed) => {
    const { filebridge, client, logOf } = await open(seed);
    const random = seeded(seed);
    const rows = Array.from({ length: RECORDS }, (_, n) => `call,${n}`);
    const path = await filebridge.file('rows.csv', `call,n\n${rows.join('\n')}\n`);
    const send = (batch: object) =>
      client.call('call_tool_with_file_content', {
        server,
        tool_name: 'insert',
        path,
        data_key: 'records',
        output_format: 'structured',
        batch,
      });
    const options = {
      size: 1 + Math.floor(random() * 9),
      concurrency: 1 + Math.floor(random() * 4),
      on_error: random() < 0.5 ? 'stop' : 'continue',
    };
    let id: string | undefined;
    let before: { outcomes: Outcome[]; kept: number[] } | undefined;
    /** Of a record that was sent again although its outcome was unknown, as the caller asked. */
    const resent = new Set<number>();
    for (let round = 0; round < 40; round += 1) {
      const again = round > 25;
      const answer = await send(id === undefined ? options : { resume: id, resend_unknown: again });
      const { receipt } = answer.json() as { receipt?: { id: string; ranges: Ranges } };
      // Nothing was sent: the server could not be reached.
      if (receipt === undefined) continue;
      id = receipt.id;
      const outcomes = outcomesIn(receipt.ranges);
      const kept = await keptIn(logOf(server));
      for (let record = 0; record < RECORDS; record += 1) {
        const was = before?.outcomes[record];
        if (again && was === 'unknown') resent.add(record);
        const told = `record ${record}, ${was ?? 'new'}, then ${outcomes[record]}, in round ${round} with ${JSON.stringify(options)}`;
        if (was === 'accepted') expect(kept[record], told).toBe(before?.kept[record]);
        if (was === 'unknown' && !again)
          expect([outcomes[record], kept[record]], told).toEqual(['unknown', before?.kept[record]]);
        if (resent.has(record)) continue;
        if (outcomes[record] === 'accepted') expect(kept[record], told).toBe(1);
        if (outcomes[record] === 'refused' || outcomes[record] === 'not_sent') expect(kept[record], told).toBe(0);
        if (outcomes[record] === 'unknown') expect(kept[record], told).toBeLessThanOrEqual(1);
      }
      before = { outcomes, kept };
      if (outcomes.every((outcome) => outcome === 'accepted')) break;
      if (!again && outcomes.every((outcome) => outcome === 'accepted' || outcome === 'unknown')) round = Math.max(round, 25);
    }
    expect(before?.outcomes.every((outcome) => outcome === 'accepted')).toBe(true);
    expect(before?.kept.every((times) => times >= 1)).toBe(true);
    if (resent.size === 0) expect(before?.kept.every((times) => times === 1)).toBe(true);
  });
});
