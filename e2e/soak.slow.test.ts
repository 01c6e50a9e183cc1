/**
 * Forty agents on ten faulty servers for minutes: every record where its receipt says, every answer to its caller, every call in the
 * ledger, and nothing that grows. `npm run soak` runs it for an hour; SOAK_MINUTES and SOAK_SEED change how long and with what.
 */
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkspace } from './support/cli.ts';
import { skippedFor } from './support/skipping.ts';
import { type Fate, type Load, runLoad, type SentCall } from './support/soak/load.ts';
import { type Sample, type SoakedProgram, startSoaked } from './support/soak/program.ts';
import { ledgerFaults, recordFaults, trend } from './support/soak/verdict.ts';

const minutes = Number(process.env.SOAK_MINUTES ?? 1.5);
const seed = Number(process.env.SOAK_SEED ?? 1);
const reason = process.platform === 'linux' ? undefined : 'what a program uses is read from /proc';

/** How much may be added between warm-up and end: a share, and so much on top. */
const growth: Record<keyof Sample, { share: number; more: number }> = {
  descriptors: { share: 0.2, more: 20 },
  threads: { share: 0, more: 8 },
  children: { share: 0, more: 3 },
  heap: { share: 0.25, more: 16 * 1024 * 1024 },
};

describe('the verdict', () => {
  it('finds what was kept twice, not at all or unasked, and what the ledger lacks or has twice', async () => {
    const workspace = await openWorkspace();
    const all = { from: 0, to: 2 };
    const call = (id: string, fate: Fate): SentCall => ({
      id,
      agent: 'agent0',
      kind: 'file_call',
      path: `/${id}`,
      records: 2,
      isError: false,
      fates: [{ ...all, fate }],
    });
    const calls = [call('twice', 'kept'), call('never', 'kept'), call('refused', 'not kept'), call('unknown', 'unknown')];
    const log = await workspace.file(
      'log',
      '{"call":"twice","n":[0,0,1]}\n{"call":"refused","n":[0]}\n{"call":"unknown","n":[0]}\n',
    );
    const line = (id: string, outcome: string) => `${JSON.stringify({ kind: 'file_call', paths: [`/${id}`], outcome })}\n`;
    await workspace.file('ledger.jsonl', line('twice', 'ok').repeat(2) + line('refused', 'failed') + line('unknown', 'ok'));
    expect(await recordFaults(calls, [log])).toEqual([
      'record 0 of twice, said to be kept, was kept 2 times',
      'record 0 of never, said to be kept, was kept 0 times',
      'record 1 of never, said to be kept, was kept 0 times',
      'record 0 of refused, said to be not kept, was kept 1 times',
    ]);
    expect(await ledgerFaults(calls, workspace.root)).toEqual([
      'twice has 2 lines',
      'never has 0 lines',
      'refused is said to have ended failed, and was answered with isError: false',
    ]);
    await workspace.remove();
  });
});

describe.skipIf(reason !== undefined)(`forty agents on ten faulty servers${skippedFor(reason)}`, () => {
  let program: SoakedProgram;
  let load: Load;
  let left: number[];
  const samples: Sample[] = [];

  beforeAll(async () => {
    program = await startSoaked(seed);
    const timer = setInterval(() => {
      void program.sample().then((sample) => sample && samples.push(sample));
    }, 1_000);
    load = await runLoad(program, seed, Date.now() + minutes * 60_000);
    clearInterval(timer);
    left = await program.stop();
    const answered = load.calls.filter(({ isError }) => isError !== undefined);
    const figures = Object.keys(growth).map((measure) => {
      const { early, late } = trend(samples, measure as keyof Sample);
      return `${measure} ${early} → ${late}`;
    });
    process.stderr.write(
      `Soaked ${minutes} min with seed ${seed}: ${load.calls.length} calls, ${answered.length} answered, ${load.vanished} agents vanished; ${figures.join(', ')}\n`,
    );
  });
  afterAll(() => program?.remove());

  it('agents get answers, and failures among them', () => {
    const answered = load.calls.filter(({ isError }) => isError !== undefined);
    expect(answered.filter(({ isError }) => isError).length).toBeGreaterThan(0);
    expect(answered.filter(({ isError }) => !isError).length).toBeGreaterThan(answered.length / 2);
    expect(load.vanished).toBeGreaterThan(0);
  });

  it('every answer goes to its own caller', () => {
    expect(load.misdelivered).toEqual([]);
    expect(load.wrong).toEqual([]);
  });

  it('every record is kept as often as its receipt says', async () => {
    expect(await recordFaults(load.calls, program.logs)).toEqual([]);
  });

  it('the ledger has every answered call once', async () => {
    expect(await ledgerFaults(load.calls, program.home.dataDirectory)).toEqual([]);
  });

  it.each(Object.keys(growth) as (keyof Sample)[])('%s stay as many as after warm-up', (measure) => {
    const { early, late } = trend(samples, measure);
    expect(early).toBeGreaterThan(0);
    expect(late).toBeLessThanOrEqual(early * (1 + growth[measure].share) + growth[measure].more);
  });

  it('nothing is left behind', async () => {
    expect(left).toEqual([]);
    expect(await readdir(program.temporary)).toEqual([]);
    const state = await readdir(program.home.dataDirectory);
    expect(state.filter((name) => /\.(tmp|lock|waiting|sock)$|^running/.test(name))).toEqual([]);
  });
});
