/**
 * Work that changes files, killed at each of its file operations in turn, and on disks that fail from there on: the content is the old or
 * the new one, whole, what was answered is kept, and the next start leaves nothing behind. A sample of the points; `npm run chaos` tries all.
 */

import { mkdtemp, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildThread } from '../electron/engine/thread/fixtures/build-thread.ts';
import { restoredIds } from '../electron/store/fixtures/sealed-ledger.ts';
import { chaosProgram, prepare, type Run, run, type State } from './support/chaos.ts';

/** One point in so many is tried. */
const every = Number(process.env.CHAOS_EVERY ?? 7);
const tried = { kills: 0, recoveries: 0, failures: 0, jumps: 0 };

let root: string;
let program: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'filebridge-chaos-'));
  program = await buildThread(path.join(root, 'program'), chaosProgram, 'es');
});
afterAll(async () => {
  process.stdout.write(
    `chaos: killed at ${tried.kills} operations and at ${tried.recoveries} of the start after it, ` +
      `${tried.failures} points on failing disks, ${tried.jumps} runs with jumps of the clock\n`,
  );
  await rm(root, { recursive: true, force: true });
});

/** What the work may leave: the content before and after it. */
interface Job {
  name: string;
  before: string | null;
  after: string;
  /** The content that counts, read from what a start left and from what it has in force. */
  content(directory: string, state: State): Promise<string | null>;
}

const textOf =
  (...names: string[]) =>
  async (directory: string): Promise<string | null> =>
    readFile(path.join(directory, ...names), 'utf8').catch(() => null);
const target = textOf('files', 'target.txt');

const jobs: Job[] = [
  { name: 'create', before: null, after: 'new', content: target },
  { name: 'replace', before: 'old', after: 'new', content: target },
  { name: 'append', before: 'old', after: 'oldmore', content: target },
  { name: 'edit', before: 'old', after: 'new', content: target },
  { name: 'answer', before: null, after: 'new', content: textOf('data', 'responses', 'answer.txt') },
  { name: 'config', before: '/old', after: '/old,/new', content: async (_, { folders }) => folders.join() },
  { name: 'secrets', before: '', after: 'db', content: async (directory) => serversIn(await configOf(directory)) },
];

const configOf = (directory: string) => readFile(path.join(directory, 'config', 'config.json'), 'utf8');
const serversIn = (config: string) => Object.keys((JSON.parse(config) as { upstreams?: object }).upstreams ?? {}).join();

let number = 0;
async function prepared(job: string): Promise<string> {
  number += 1;
  const directory = path.join(root, `${number}-${job}`);
  await prepare(job, directory);
  return directory;
}

async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => path.join(entry.parentPath, entry.name));
}

/** A minute passes: a lock whose holder died before it could name itself is known by its age. */
async function letTimePass(directory: string): Promise<void> {
  for (const file of await filesIn(directory)) {
    const { atime, mtimeMs } = await stat(file);
    await utimes(file, atime, new Date(mtimeMs - 60_000));
  }
}

/** The lock of a receipt tells that its call was interrupted. */
const known =
  /^(?:config\/config\.json|files\/target\.txt|data\/(?:tokens|secrets|secret-targets|seen-tools)\.json|data\/ledger.*\.jsonl(?:\.seal(?:ed|ing))?|data\/responses\/answer\.txt|data\/receipts\/aaaaaaaa\.(?:jsonl|lock))$/;

/** The next start: it has a state, and leaves nothing that does not belong there. */
async function started(directory: string, where: string): Promise<State> {
  await letTimePass(directory);
  const { state, failed } = await run(program, 'start', directory);
  if (state === undefined) throw new Error(`no start ${where}: ${failed}`);
  expect(state.problems, where).toEqual([]);
  const left = (await filesIn(directory)).map((file) => path.relative(directory, file).replaceAll(path.sep, '/'));
  expect(
    left.filter((file) => !known.test(file)),
    where,
  ).toEqual([]);
  return state;
}

/** Killed at one operation, and the start after it at another; then a start that is let through. */
async function killedAt(
  job: string,
  at: number,
  mode: string,
  recoverAt: number,
): Promise<{ state: State; run: Run; directory: string }> {
  const directory = await prepared(job);
  const killed = await run(program, job, directory, at, mode);
  expect(killed.killed, `${job} ${mode} ${at}`).toBe(true);
  tried.kills += 1;
  await letTimePass(directory);
  const recovery = await run(program, 'start', directory, recoverAt, mode);
  if (recovery.killed) tried.recoveries += 1;
  return { state: await started(directory, `${job} ${mode} ${at}, start ${recoverAt}`), run: killed, directory };
}

const modes = ['before', 'after'] as const;

/** Points of the work in turn, and with each of them another point of the start after it. */
async function eachKill(
  job: string,
  check: (outcome: Awaited<ReturnType<typeof killedAt>>, where: string) => Promise<void>,
): Promise<void> {
  const { operations } = await run(program, job, await prepared(job));
  expect(operations, job).toBeGreaterThan(3);
  for (let point = 0; point < operations * modes.length; point += every) {
    const mode = modes[point % modes.length] ?? 'before';
    const at = 1 + Math.floor(point / modes.length);
    await check(await killedAt(job, at, mode, 1 + (point % 12)), `${job} ${mode} ${at}`);
  }
}

describe.each(jobs)('$name', ({ name, before, after, content }) => {
  it('killed at any operation leaves the old or the new content, and loses no answer', async () => {
    await eachKill(name, async ({ directory, state, run: { did } }, where) => {
      const now = await content(directory, state);
      expect([before, after], where).toContain(now);
      if (did.length > 0) expect(now, where).toBe(after);
      expect(state.missing, where).toEqual([]);
    });
  });

  it.each(['ENOSPC', 'EROFS', 'EIO'])(
    'on a disk that fails with %s says so, and leaves the old content or the new',
    async (code) => {
      const { operations } = await run(program, name, await prepared(name));
      for (let at = 1; at <= operations; at += Math.max(1, every - 1)) {
        const directory = await prepared(name);
        const { did, failed, killed } = await run(program, name, directory, at, code);
        tried.failures += 1;
        const where = `${name} ${code} ${at}`;
        expect(killed, where).toBe(false);
        if (did.length === 0) expect(failed, where).toMatch(/^(?:FILE_WRITE_FAILED|FILE_[A-Z_]+) .*\S/);
        const now = await content(directory, await started(directory, where));
        expect([before, after], where).toContain(now);
        if (did.length > 0) expect(now, where).toBe(after);
      }
    },
  );

  it('is done while the clock jumps by a day between any two operations', async () => {
    const directory = await prepared(name);
    const { did, failed } = await run(program, name, directory, 0, 'clock');
    tried.jumps += 1;
    expect(failed).toBeUndefined();
    expect(did).toHaveLength(1);
    expect(await content(directory, await started(directory, `${name} clock`))).toBe(after);
  });
});

it('a token that was given out is valid after a kill at any operation', async () => {
  await eachKill('tokens', async ({ state, run: { did } }, where) => {
    expect(state.tokens, where).toHaveLength(1);
    for (const token of did) expect(state.tokens, where).toEqual([token]);
  });
});

it('a call that was answered is in the ledger once after a kill at any operation', async () => {
  await eachKill('ledger', async ({ state, run: { did } }, where) => {
    expect(new Set(state.calls).size, where).toBe(state.calls.length);
    for (const id of did) expect(state.calls, where).toContain(id);
  });
});

it('every call is in the ledger once after a kill at any operation of restoring a file that a former version compressed', async () => {
  await eachKill('restore', async ({ state }, where) => {
    expect(state.calls, where).toEqual(restoredIds);
  });
});

it('a batch that was noted as sent or accepted is in its receipt after a kill at any operation', async () => {
  await eachKill('receipts', async ({ state, run: { did } }, where) => {
    const events = state.receipt.map((event) => JSON.stringify(event));
    expect(events.slice(0, did.length), where).toEqual(did);
    // What was not yet said is the one event under way.
    expect(events.length - did.length, where).toBeLessThanOrEqual(1);
  });
});

it('a batched call is in the ledger once after a kill at any operation, if its receipt has any batch', async () => {
  await eachKill('batched', async ({ state, run: { did } }, where) => {
    expect(state.calls.length, where).toBeLessThanOrEqual(1);
    if (state.receipt.length > 0 || did.length > 0) expect(state.calls, where).toHaveLength(1);
  });
});

it('the ledger keeps its order while the clock jumps', async () => {
  const directory = await prepared('ledger');
  const { did } = await run(program, 'ledger', directory, 0, 'clock');
  tried.jumps += 1;
  expect((await started(directory, 'ledger clock')).calls).toEqual([...did].reverse());
});
