import { execFileSync, fork } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, truncate, unlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../shared/lib/fixtures/eventually.ts';
import { runs } from '../../shared/lib/fixtures/property-runs.ts';
import { pause } from '../../shared/lib/fixtures/waiting.ts';
import { type LedgerEntry, MOST_SAVED } from '../../shared/model/call.ts';
import { APP_CLIENT } from '../../shared/model/client-name.ts';
import { withFileLock } from './file-lock.ts';
import { entry } from './fixtures/ledger-entries.ts';
import { openLedger } from './ledger.ts';
import { linesBackwards, linesFrom, nextRotatedFile, openIfThere } from './ledger-files.ts';
import type { Ledger } from './types.ts';

let root: string;
let opened: Ledger[] = [];
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'filebridge-ledger-'));
});
afterEach(async () => {
  for (const ledger of opened) await ledger.close();
  opened = [];
  await rm(root, { recursive: true, force: true });
});

async function open(fileBytes = 1_000_000, more: { keepCalls?: number; now?: () => Date } = {}): Promise<Ledger> {
  const ledger = await openLedger(root, { fileBytes, ...more });
  opened.push(ledger);
  return ledger;
}

const current = () => path.join(root, 'ledger.jsonl');
const rotated = async () => (await readdir(root)).filter((name) => /^ledger-.+\.jsonl$/.test(name));
const ids = (entries: LedgerEntry[]) => entries.map((each) => each.id);

describe('lines that wait for others', () => {
  const gathering = () => openLedger(root, { gatherMs: 60_000 });

  it('are visible to readers of this ledger, in order', async () => {
    const ledger = await gathering();
    const appended = [1, 2, 3].map((id) => ledger.append(entry(id)));
    expect(ids(await ledger.recent(10))).toEqual(['3', '2', '1']);
    await Promise.all(appended);
    void ledger.append(entry(4));
    expect((await ledger.totals()).all.calls).toBe(4);
    void ledger.append(entry(5));
    await ledger.written();
    expect((await readFile(current(), 'utf8')).trim().split('\n')).toHaveLength(6);
    await ledger.close();
  });

  it('are written when the ledger is closed', async () => {
    const ledger = await gathering();
    void ledger.append(entry('last'));
    await ledger.close();
    expect(ids(await (await openLedger(root)).recent(1))).toEqual(['last']);
  });

  it('keep two files open at most while others hold the ledger', async () => {
    const ledger = await openLedger(root, { gatherMs: 1 });
    const wanted = Array.from({ length: 20 }, (_, index) => String(index));
    await withFileLock(path.join(root, 'ledger.lock'), async () => {
      for (const id of wanted) {
        await ledger.append(entry(id));
        await pause(5, 'entries are gathered for 1 ms');
      }
      expect((await readdir(root)).filter((name) => name.endsWith('.waiting')).length).toBeLessThanOrEqual(2);
    });
    expect(ids(await ledger.recent(50))).toEqual(wanted.reverse());
    await ledger.close();
    expect((await readdir(root)).filter((name) => name.endsWith('.waiting'))).toEqual([]);
  });

  it('stay where they wait when the ledger cannot take them', async () => {
    const ledger = await gathering();
    await mkdir(current());
    await Promise.all([1, 2].map((id) => ledger.append(entry(id))));
    await ledger.close();
    const [file = ''] = (await readdir(root)).filter((name) => name.endsWith('.waiting'));
    expect((await readFile(path.join(root, file), 'utf8')).match(/"id":"[12]"/g)).toEqual(['"id":"1"', '"id":"2"']);
  });
});

describe('totals', () => {
  it('add up calls, failures, bytes, records, and tokens by how they were found', async () => {
    const ledger = await open();
    await ledger.append(entry(1));
    await ledger.append(entry(2, { outcome: 'tool_error' }));
    await ledger.append(entry(3, { outcome: 'cancelled' }));
    await ledger.append(
      entry(4, { savings: { arguments: { count: 7, method: 'estimated' }, answer: { count: 5, method: 'measured' } } }),
    );
    await ledger.append(
      entry(5, {
        kind: 'preview',
        outcome: 'failed',
        records: 0,
        savings: { arguments: { count: 0, method: 'measured' }, answer: { count: 0, method: 'measured' } },
      }),
    );
    const { all, today } = await ledger.totals();
    expect(all).toEqual({
      calls: 4,
      agentCalls: 5,
      failed: 1,
      blocked: 0,
      inputBytes: 500,
      sentBytes: 450,
      records: 12,
      tokensMeasured: 35,
      tokensTyped: 37,
      tokensRead: 17,
      tokensEstimated: 19,
    });
    expect(today).toEqual(all);
  });

  it('count as saved what agents did, and of a call no more than an agent would have typed or read', async () => {
    const ledger = await open();
    const huge = { arguments: { count: 5_000_000, method: 'measured' }, answer: { count: 5, method: 'measured' } } as const;
    await ledger.append(entry(1, { client: APP_CLIENT, savings: huge }));
    expect((await ledger.totals()).all).toMatchObject({ calls: 1, tokensMeasured: 0, tokensTyped: 0, tokensRead: 0 });
    await ledger.append(entry(2, { savings: huge }));
    expect((await ledger.totals()).all).toMatchObject({ calls: 2, tokensTyped: MOST_SAVED, tokensRead: 5 });
  });

  it('survive restarts, rotation and the removal of old files', async () => {
    const ledger = await open(2000, { keepCalls: 30 });
    for (let index = 0; index < 60; index += 1) await ledger.append(entry(index));
    for (const name of ['ledger.jsonl', ...(await rotated())])
      expect((await stat(path.join(root, name))).size).toBeLessThanOrEqual(2000);
    const expected = { calls: 60, records: 180, tokensMeasured: 600, tokensEstimated: 240 };
    expect((await ledger.totals()).all).toMatchObject(expected);
    expect((await ledger.totals()).today).toMatchObject(expected);
    const again = await open(2000, { keepCalls: 30 });
    expect((await again.totals()).all).toMatchObject(expected);
    expect((await again.totals()).today).toMatchObject(expected);
  });

  it.each([
    [1, 2000],
    [7, 1_000_000],
    [30, 2000],
    [100, 4000],
  ])('go on where at most %i calls are kept, in files of %i bytes', async (keepCalls, fileBytes) => {
    const ledger = await open(fileBytes, { keepCalls });
    for (let index = 1; index <= 250; index += 1) {
      await ledger.append(entry(index));
      const kept = await ledger.recent(1000);
      expect(kept.length).toBeLessThanOrEqual(keepCalls);
      // Old calls go a file at a time.
      expect(kept.length).toBeGreaterThanOrEqual(Math.min(index, Math.ceil(keepCalls * 0.8)));
      expect(kept[0]?.id).toBe(String(index));
    }
    expect((await ledger.totals()).all.calls).toBe(250);
  });

  it('go on in files of the same length where programs write many lines at once', async () => {
    const ledgers = [await open(1_000_000, { keepCalls: 40 }), await open(1_000_000, { keepCalls: 40 })];
    for (let round = 0; round < 3; round += 1)
      for (const [index, ledger] of ledgers.entries())
        await Promise.all(Array.from({ length: 11 }, (_, line) => ledger.append(entry(`${round}-${index}-${line}`))));
    for (const name of ['ledger.jsonl', ...(await rotated())]) {
      const [, ...lines] = (await readFile(path.join(root, name), 'utf8')).trim().split('\n');
      expect(lines.length, name).toBeLessThanOrEqual(4);
    }
    expect((await ledgers[0]?.recent(100))?.length).toBeGreaterThanOrEqual(32);
    for (const ledger of ledgers) expect((await ledger.totals()).all.calls).toBe(66);
  });

  it('of today are those of the local day, also across midnight and rotation', async () => {
    const at = (day: number, hour: number, minute: number) => new Date(2026, 2, day, hour, minute);
    let time = at(1, 23, 59);
    const now = () => time;
    const ledger = await open(2000, { now });
    for (let index = 0; index < 10; index += 1) await ledger.append(entry(index, { time: time.toISOString() }));
    expect((await ledger.totals()).today.calls).toBe(10);
    time = at(2, 0, 1);
    expect((await ledger.totals()).today.calls).toBe(0);
    await ledger.append(entry('late', { time: at(1, 23, 58).toISOString() }));
    for (let index = 0; index < 10; index += 1) await ledger.append(entry(`b${index}`, { time: time.toISOString() }));
    expect((await ledger.totals()).today.calls).toBe(10);
    const again = await open(2000, { now });
    expect((await again.totals()).today.calls).toBe(10);
    expect((await again.totals()).all.calls).toBe(21);
  });

  it('written before arguments and answers were distinguished count as arguments', async () => {
    const totals = { calls: 4, failed: 1, inputBytes: 500, sentBytes: 450, records: 12, tokensMeasured: 35, tokensEstimated: 19 };
    await writeFile(current(), `${JSON.stringify({ ledger: 1, id: 'old', all: totals, days: {} })}\n`);
    const ledger = await open();
    expect((await ledger.totals()).all).toEqual({ ...totals, agentCalls: 0, blocked: 0, tokensTyped: 54, tokensRead: 0 });
    await ledger.append(entry(1));
    expect((await ledger.totals()).all).toMatchObject({ calls: 5, tokensTyped: 64, tokensRead: 4 });
  });

  it('are gone with the entries when the ledger is cleared, for other processes too', async () => {
    const [ledger, other] = [await open(2000), await open(2000)];
    for (let index = 0; index < 20; index += 1) await ledger.append(entry(index));
    expect((await rotated()).length).toBeGreaterThan(0);
    expect((await other.totals()).all.calls).toBe(20);
    await ledger.clear();
    expect(await rotated()).toEqual([]);
    expect(await ledger.recent(10)).toEqual([]);
    for (const each of [ledger, other, await open(2000)]) expect((await each.totals()).all.calls).toBe(0);
    await other.append(entry('new'));
    expect((await ledger.totals()).today.calls).toBe(1);
    expect(ids(await ledger.recent(10))).toEqual(['new']);
  });

  it('are the same for any sequence of sizes and restarts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ size: fc.nat(3000), restart: fc.boolean() }), { maxLength: 25 }),
        fc.integer({ min: 1, max: 4000 }),
        async (steps, fileBytes) => {
          await rm(root, { recursive: true, force: true });
          let ledger = await openLedger(root, { fileBytes, keepCalls: 10 });
          for (const [index, { size, restart }] of steps.entries()) {
            if (restart) {
              await ledger.close();
              ledger = await openLedger(root, { fileBytes, keepCalls: 10 });
            }
            await ledger.append(entry(index, { inputBytes: size, paths: ['x'.repeat(size)] }));
          }
          const sum = steps.reduce((total, { size }) => total + size, 0);
          expect((await ledger.totals()).all).toMatchObject({ calls: steps.length, inputBytes: sum });
          await ledger.close();
        },
      ),
      { numRuns: runs(25) },
    );
  });
});

describe('recent', () => {
  it('gives the newest first, across files', async () => {
    const ledger = await open(2000);
    for (let index = 0; index < 40; index += 1) await ledger.append(entry(index));
    expect((await rotated()).length).toBeGreaterThan(1);
    expect(ids(await ledger.recent(12))).toEqual(Array.from({ length: 12 }, (_, index) => String(39 - index)));
    expect(await ledger.recent(1000)).toHaveLength(40);
    expect(await ledger.recent(0)).toEqual([]);
  });

  it('reads ten thousand rows from the end', async () => {
    const line = (index: number) => JSON.stringify(entry(index));
    await writeFile(current(), `${Array.from({ length: 10_000 }, (_, index) => line(index)).join('\n')}\n`);
    const ledger = await open(100_000_000);
    expect(ids(await ledger.recent(3))).toEqual(['9999', '9998', '9997']);
    expect((await ledger.totals()).all.calls).toBe(10_000);
  });

  it('of an empty directory is empty', async () => {
    const ledger = await open();
    expect(await ledger.recent(10)).toEqual([]);
    expect((await ledger.totals()).all.calls).toBe(0);
  });
});

describe('what is written', () => {
  it('holds what belongs to an entry and nothing else', async () => {
    const ledger = await open();
    await ledger.append({ ...entry(1), payload: 'hunter2' } as LedgerEntry);
    expect(await readFile(current(), 'utf8')).not.toContain('hunter2');
    if (process.platform !== 'win32') expect((await stat(current())).mode & 0o777).toBe(0o600);
  });

  it('goes on after a line that was torn by a crash', async () => {
    const first = await open();
    await first.append(entry(1));
    await first.append(entry(2));
    await truncate(current(), (await stat(current())).size - 20);
    const second = await open();
    expect((await second.totals()).all.calls).toBe(1);
    expect(ids(await second.recent(10))).toEqual(['1']);
    await second.append(entry(3));
    expect(ids(await second.recent(10))).toEqual(['3', '1']);
    expect((await second.totals()).all.calls).toBe(2);
    expect((await (await open()).totals()).all.calls).toBe(2);
  });

  it('goes on when a crash came in the middle of a rotation', async () => {
    const first = await open(2000);
    for (let index = 0; index < 10; index += 1) await first.append(entry(index));
    await rename(
      current(),
      nextRotatedFile(
        root,
        (await rotated()).sort().map((name) => path.join(root, name)),
        new Date(),
      ),
    );
    const second = await open(2000);
    expect((await second.totals()).all.calls).toBe(10);
    await second.append(entry('next'));
    expect((await second.totals()).all.calls).toBe(11);
    expect((await first.totals()).all.calls).toBe(11);
    expect((await (await open(2000)).totals()).all.calls).toBe(11);
  });

  it('skips lines that are no entries', async () => {
    const ledger = await open();
    await ledger.append(entry(1));
    await appendFile(current(), 'rubbish\n{"id":1}\n\n[]\n');
    await ledger.append(entry(2));
    expect(ids(await ledger.recent(10))).toEqual(['2', '1']);
    expect((await ledger.totals()).all.calls).toBe(2);
  });

  it('is refused after the end', async () => {
    const ledger = await open();
    await ledger.close();
    await expect(ledger.append(entry(1))).rejects.toMatchObject({ code: 'INTERNAL' });
  });

  it('fails in plain words when there is no place for it', async () => {
    const ledger = await open();
    await rm(root, { recursive: true });
    await expect(ledger.append(entry(1))).rejects.toMatchObject({ code: 'FILE_WRITE_FAILED' });
  });
});

describe('a full disk', () => {
  it('refuses the line, keeps the others, and goes on when there is room again', async (context) => {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) return context.skip('mounting takes root on Linux');
    const disk = path.join(root, 'disk');
    await mkdir(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk], { stdio: 'pipe' });
    } catch (error) {
      return context.skip(`mount is not permitted here: ${String(error)}`);
    }
    try {
      const ledger = await openLedger(disk);
      await ledger.append(entry(1));
      await writeFile(path.join(disk, 'filler'), Buffer.alloc(100_000)).catch(() => undefined);
      let written = 1;
      const fill = async () => {
        for (; ; written += 1) await ledger.append(entry(written + 1));
      };
      await expect(fill()).rejects.toMatchObject({
        code: 'FILE_WRITE_FAILED',
        message: expect.stringContaining('the disk is full'),
      });
      expect((await ledger.totals()).all.calls).toBe(written);
      await unlink(path.join(disk, 'filler'));
      await ledger.append(entry('room'));
      expect((await ledger.totals()).all.calls).toBe(written + 1);
      expect((await ledger.recent(1))[0]?.id).toBe('room');
      await ledger.close();
    } finally {
      execFileSync('umount', ['-l', disk]);
    }
  });
});

describe('several at once', () => {
  it('lose nothing, and know of each other', async () => {
    const [one, two] = [await open(20_000), await open(20_000)];
    const heard = new Set<string>();
    one.onAppend((each) => heard.add(each.id));
    await Promise.all(Array.from({ length: 400 }, (_, index) => (index % 2 ? one : two).append(entry(index))));
    for (const ledger of [one, two]) {
      expect((await ledger.totals()).all.calls).toBe(400);
      expect(new Set(ids(await ledger.recent(1000))).size).toBe(400);
    }
    expect((await rotated()).length).toBeGreaterThan(1);
    expect(heard.size).toBe(400);
  });

  it('hear of lines that others wrote, and of none twice', async () => {
    const one = await open(2000);
    const two = await open(2000);
    const heard: string[] = [];
    const leave = one.onAppend((each) => heard.push(each.id));
    for (let index = 0; index < 20; index += 1) await two.append(entry(index));
    await eventually(() => expect(heard).toHaveLength(20));
    expect(heard).toEqual(Array.from({ length: 20 }, (_, index) => String(index)));
    leave();
    await two.append(entry('unheard'));
    await one.totals();
    expect(heard).toHaveLength(20);
  });

  it('as processes of their own lose nothing, even if one is killed', async () => {
    const program = await bundled();
    const run = (name: string, count: number) => fork(program, [root, name, String(count)], { stdio: 'inherit' });
    const ended = (child: ReturnType<typeof run>) => new Promise<number | null>((resolve) => child.once('exit', resolve));
    const killed = run('killed', 1_000_000);
    const children = [run('a', 500), run('b', 500)];
    const ends = children.map(ended);
    const killedEnd = ended(killed);
    await eventually(async () => expect(await readFile(current(), 'utf8')).toContain('killed-'));
    killed.kill('SIGKILL');
    await killedEnd;
    expect(await Promise.all(ends)).toEqual([0, 0]);
    const ledger = await open(30_000);
    const all = await ledger.recent(10_000_000);
    expect(new Set(ids(all)).size).toBe(all.length);
    expect(all.filter((each) => each.id.startsWith('a-'))).toHaveLength(500);
    expect(all.filter((each) => each.id.startsWith('b-'))).toHaveLength(500);
    expect((await ledger.totals()).all.calls).toBe(all.length);
  });
});

describe('a process killed while its lines wait', () => {
  it('loses none that it was told are kept, and leaves none twice', async () => {
    const program = await bundled();
    for (const gatherMs of [0.01, 1, 15, 60_000]) {
      const name = `killed-${gatherMs}`;
      const child = fork(program, [root, name, '1000000', String(gatherMs)], { stdio: 'inherit' });
      let kept = -1;
      child.on('message', (last) => {
        kept = Number(last);
        if (kept > 200) child.kill('SIGKILL');
      });
      await new Promise((resolve) => child.once('exit', resolve));
      const ledger = await open(30_000);
      await ledger.written();
      const all = ids(await ledger.recent(10_000_000));
      expect(new Set(all).size).toBe(all.length);
      for (let index = 0; index <= kept; index += 1) expect(all).toContain(`${name}-${index}`);
      expect((await ledger.totals()).all.calls).toBe(all.length);
      // One that was killed between making its file and writing into it leaves it for a while.
      for (const file of await readdir(root))
        if (file.endsWith('.waiting')) expect((await stat(path.join(root, file))).size).toBe(0);
    }
  });
});

/** A program that appends, made of the sources, since a child process can't read TypeScript itself. */
async function bundled(): Promise<string> {
  const { build } = await import('vite');
  const source = path.join(root, 'appender.mjs');
  const ledger = fileURLToPath(new URL('ledger.ts', import.meta.url));
  await writeFile(
    source,
    `import { openLedger } from ${JSON.stringify(ledger)};
     const [root, name, count, gatherMs] = process.argv.slice(2);
     const ledger = await openLedger(root, { fileBytes: 30000, gatherMs: Number(gatherMs ?? 0) });
     const entry = ${JSON.stringify(entry('x'))};
     for (let index = 0; index < Number(count); index += 5) {
       await Promise.all([0, 1, 2, 3, 4].map((more) => ledger.append({ ...entry, id: name + '-' + (index + more) })));
       if (gatherMs !== undefined) process.send(index + 4);
     }
     await ledger.close();`,
  );
  const outDir = path.join(root, 'program');
  await build({
    configFile: false,
    logLevel: 'silent',
    root,
    ssr: { noExternal: true },
    build: { ssr: source, outDir, rollupOptions: { output: { entryFileNames: 'appender.mjs' } } },
  });
  return path.join(outDir, 'appender.mjs');
}

describe('reading lines', () => {
  it('forwards and backwards gives the same whole lines for any block boundaries', async () => {
    const file = path.join(root, 'lines');
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.string({ unit: 'grapheme', maxLength: 20 }),
            fc.nat(150_000).map((size) => 'é'.repeat(size / 2)),
          ),
          { maxLength: 8 },
        ),
        fc.boolean(),
        async (texts, torn) => {
          const lines = texts.map((text) => text.replaceAll('\n', ' '));
          await writeFile(file, lines.map((line) => `${line}\n`).join('') + (torn ? 'torn' : ''));
          const handle = await openIfThere(file);
          if (!handle) throw new Error('The file is gone');
          const forwards: string[] = [];
          for await (const { line } of linesFrom(handle, 0)) forwards.push(line);
          const backwards: string[] = [];
          for await (const line of linesBackwards(handle)) backwards.unshift(line);
          await handle.close();
          expect(forwards).toEqual(lines);
          expect(backwards).toEqual(lines);
        },
      ),
      { numRuns: runs(40) },
    );
    await unlink(file);
  });
});

describe('names of rotated files', () => {
  it('sort by age even if the clock goes back', () => {
    const first = nextRotatedFile(root, [], new Date('2026-03-01T10:00:00.000Z'));
    const second = nextRotatedFile(root, [first], new Date('2026-02-01T10:00:00.000Z'));
    const third = nextRotatedFile(root, [first, second], new Date('2026-03-01T10:00:00.000Z'));
    expect([third, first, second].sort()).toEqual([first, second, third]);
    expect(path.basename(first)).toBe('ledger-20260301T100000000Z.jsonl');
  });
});
