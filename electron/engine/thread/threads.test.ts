import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { limits } from '../../../shared/lib/fixtures/limits.ts';
import { until } from '../../../shared/lib/fixtures/waiting.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { convert, convertHead } from '../convert/convert.ts';
import type { Conversion } from '../core/convert-types.ts';
import type { ByteSource } from '../core/source.ts';
import { chunkedSource, jsonText, testBounds as standardBounds, type TestOptions } from '../fixtures/conversion-fixture.ts';
import { convertInThread } from './converter.ts';
import { buildThread } from './fixtures/build-thread.ts';
import { beBusy, exitAtOnce, rest, runOutOfMemory, throwLater } from './fixtures/dying-thread-names.ts';
import { createThreadPool, type ThreadPool, type ThreadPoolOptions } from './thread-pool.ts';

/** Most of the JSON here is too long to be kept. */
const testBounds = { ...standardBounds, keptBytes: 256 * 1024 };

let directory: string;
let script: string;
let exits: Promise<string> | undefined;
let shared: ThreadPool;
beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'filebridge-thread-'));
  script = await buildThread(directory, 'fixtures/dying-thread.ts');
  shared = createThreadPool({ script });
});
afterAll(async () => {
  await shared.close();
  await rm(directory, { recursive: true, force: true });
});

/** For tests that wear it out. */
const pools: ThreadPool[] = [];
function poolOfItsOwn(options: Partial<ThreadPoolOptions> = {}): ThreadPool {
  const pool = createThreadPool({ script, ...options });
  pools.push(pool);
  return pool;
}
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())));

const MIB = 1024 * 1024;

async function inThread(source: ByteSource, options: TestOptions = {}, pool = shared): Promise<Conversion> {
  return (await convertInThread(pool, source, { bounds: testBounds, ...options })) as Conversion;
}

async function rejection(promise: Promise<unknown>): Promise<AppError> {
  const error = await promise.then(
    () => expect.fail('was expected to fail'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(AppError);
  return error as AppError;
}

interface BigTable extends ByteSource {
  bytesRead: number;
  /** How many are reading it. */
  readers: number;
}

const BLOCK = 64 * 1024;
/** More than any test waits for. MiB. */
const ENDLESS = 4000;

/** A table of a given size, generated while it is read; counts the bytes read. */
function bigTable(mebibytes: number): BigTable {
  const head = Buffer.from('id,name,zip,note\n');
  let block = '';
  for (let i = 0; block.length < BLOCK - 64; i++) block += `${i},name ${i},0${1000 + i},"a ""note"" of ${i}"\n`;
  const bytes = Buffer.from(block);
  const blocks = (mebibytes * MIB) / BLOCK;
  const size = head.length + blocks * bytes.length;
  return {
    name: 'big.csv',
    size,
    bytesRead: 0,
    readers: 0,
    async *read(signal) {
      this.readers += 1;
      try {
        yield Uint8Array.from(head);
        for (let i = 0; i < blocks; i++) {
          signal?.throwIfAborted();
          // As reading a file does.
          await setImmediate();
          this.bytesRead += bytes.length;
          yield Uint8Array.from(bytes);
        }
      } finally {
        this.readers -= 1;
      }
    },
  };
}

/** All chunks as comparable values. */
async function elementsOf(conversion: Conversion, start: number) {
  const chunks: unknown[] = [];
  for await (const { data, ends, lines, checkpoint } of conversion.elements({ start })) {
    chunks.push({ text: Buffer.from(data).toString('latin1'), ends: [...ends], lines: lines && [...lines], checkpoint });
  }
  return chunks;
}

const manyRows = `id,name,zip,ok,note\n${Array.from({ length: 9_000 }, (_, i) => `${i},Näme ${i},0${i},${i % 2 === 0},"a ""b"",\nc ${i}"`).join('\n')}\n`;
const rowsSchema = {
  type: 'object',
  properties: { rows: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } } },
};

const cases: [what: string, name: string, content: string | Uint8Array, options?: TestOptions][] = [
  ['a table', 'a.csv', 'id,zip\n1,01067\n2,80331\n'],
  ['a table without header', 'a.csv', '1,2\n3,4\n', { header: false }],
  ['a table with types', 'a.csv', 'id,zip\n1,2\n', { types: { zip: 'string' } }],
  ['a ragged table', 'a.csv', 'id;zip\n1;2;3\n', { ragged: 'keep', delimiter: ';' }],
  ["a table typed by the tool's schema", 'a.csv', 'id,zip\n1,2\n', { place: { inputSchema: rowsSchema, segments: ['rows'] } }],
  ['a big table', 'a.csv', manyRows],
  ['a big table in gzip', 'a.csv.gz', gzipSync(manyRows)],
  ['a table in windows-1252', 'a.tsv', Uint8Array.from(Buffer.from('n\tm\nä\tö\n', 'latin1'))],
  ['a list of JSON', 'a.json', '[{"a":12345678901234567890},[],"é😀",null]'],
  ['an object of JSON', 'a.json', '{"a":[1,2,{"b":"c"}]}'],
  [
    'a big list of JSON',
    'a.json',
    JSON.stringify(Array.from({ length: 12_000 }, (_, i) => ({ i, text: `text of ${i} ✓`, more: [i] }))),
  ],
  ['lines of JSON', 'a.jsonl', '{"a":1}\n\n[2]\n'],
  ['YAML', 'a.yaml', 'a: &x [1, 2]\nb: *x\n---\nc: 1\n'],
  ['XML', 'a.xml.br', brotliCompressSync('<a x="1"><b>1</b><b>2</b></a>')],
  ['text', 'a.txt', 'one\ntwo "three"\n'],
  ['text of an unknown name', 'a.unknown', 'one\ntwo\n'],
  ['bytes as base64', 'a.bin', Uint8Array.from({ length: 1000 }, (_, i) => i % 256), { as: 'base64' }],
  ['bytes as a data URI', 'a.png', Uint8Array.from({ length: 1000 }, (_, i) => i % 256), { as: 'data_uri' }],
  [
    'a table, transformed',
    'a.csv',
    manyRows,
    {
      transform: {
        where: [{ column: 'ok', op: '=', value: true }],
        select: ['zip', 'id'],
        rename: { zip: 'plz' },
        offset: 3,
        limit: 500,
      },
    },
  ],
  ['a table with an expression', 'a.csv', 'id,n\n1,2\n3,4\n', { transform: { expression: '$sum(n)' } }],
  ['nothing', 'a.csv', ''],
];

describe('a conversion in a thread', () => {
  it.each(cases)('of %s gives what one in process gives', async (_what, name, content, options = {}) => {
    const source = chunkedSource(name, content, [20_000]);
    const here = await convert(source, { bounds: testBounds, ...options });
    const there = await inThread(source, options);
    expect(there.report).toEqual(here.report);
    expect([there.kind, there.records, there.bytes, there.seeks]).toEqual([here.kind, here.records, here.bytes, here.seeks]);
    const text = await jsonText(here);
    expect(await jsonText(there)).toBe(text);
    expect(Buffer.byteLength(text)).toBe(there.bytes);
    if (here.kind === 'array') {
      for (const start of [0, 1, here.records >> 1, here.records]) {
        expect(await elementsOf(there, start)).toEqual(await elementsOf(here, start));
      }
    } else {
      expect(() => there.elements()).toThrow(/so it has no elements/);
    }
    for (const pointer of [[], [0], [1, 'zip'], ['a'], [here.records - 1, 'id']]) {
      expect(await there.locate(pointer)).toEqual(await here.locate(pointer));
    }
    there.close();
  });

  it('of a database comes with the log beside it', async () => {
    const part = (name: string) =>
      new Uint8Array(gunzipSync(readFileSync(new URL(`../tables/fixtures/${name}.gz`, import.meta.url))));
    const source = { ...chunkedSource('a.db', part('open.db')), log: part('open.db-wal') };
    const there = await inThread(source);
    expect(JSON.parse(await jsonText(there))).toHaveLength(59);
    there.close();
  });

  it('of a beginning gives what one in process gives, or null', async () => {
    const source = chunkedSource('a.csv', manyRows);
    const [here, there] = await Promise.all([
      convertHead(source, { bounds: testBounds }, MIB / 8),
      convertInThread(shared, source, { bounds: testBounds }, { head: MIB / 8 }),
    ]);
    expect(there?.report).toEqual(here?.report);
    expect(await jsonText(there as Conversion)).toBe(await jsonText(here as Conversion));
    expect(
      await convertInThread(shared, chunkedSource('a.yaml', `a: ${'x'.repeat(100)}`), { bounds: testBounds }, { head: 10 }),
    ).toBeNull();
  });

  it.each<[string, string, string | Uint8Array, TestOptions?]>([
    ['malformed content', 'a.csv', 'a,b\n1,2\n"3,4\n'],
    ['a cell that does not fit', 'a.csv', 'a\n1\nx\n', { types: { a: 'number' } }],
    ['an unknown format', 'a.bin', Uint8Array.of(1, 0, 2)],
    ['a broken archive', 'a.csv.gz', 'no gzip'],
    ['a bound', 'a.yaml', 'a: 1\n'.repeat(1000), { bounds: { ...testBounds, maxFileBytes: 1000 } }],
    ['an unknown column', 'a.csv', 'a\n1\n', { transform: { select: ['b'] } }],
    ['an expression that fails', 'a.csv', 'a\n1\n', { transform: { expression: '$nosuch(1)' } }],
    ['an unknown encoding', 'a.csv', 'a\n1\n', { encoding: 'klingon' }],
  ])('fails at %s as one in process does', async (_what, name, content, options = {}) => {
    const source = chunkedSource(name, content);
    const here = await rejection(convert(source, { bounds: testBounds, ...options }));
    const there = await rejection(inThread(source, options));
    const facts = ({ code, message, hint, details, text }: AppError) => ({ code, message, hint, details, text });
    expect(facts(there)).toEqual(facts(here));
  });

  it.each([
    ['of ours', new AppError('FILE_CHANGED', 'it grew', { hint: 'wait', details: { path: '/a.csv' } })],
    ['of the system', Object.assign(new Error('the disk is gone'), { name: 'SystemError' })],
  ])('fails with an error %s as its source does', async (_whose, error) => {
    const failing = {
      ...chunkedSource('a.csv', 'a\n1\n'),
      async *read() {
        yield Uint8Array.of(0x61, 0x0a);
        throw error;
      },
    };
    const { name, message } = error;
    const ours = error instanceof AppError ? { code: error.code, hint: error.hint, details: error.details } : {};
    await expect(inThread(failing)).rejects.toMatchObject({ name, message, ...ours });
  });

  it('reports progress as one in process does', async () => {
    const progress = async (run: (options: TestOptions) => Promise<Conversion>) => {
      const told: [number, number][] = [];
      (await run({ onProgress: (bytes, total) => told.push([bytes, total]) })).close();
      return told;
    };
    const source = chunkedSource('a.csv', manyRows, [30_000]);
    const there = await progress((options) => inThread(source, options));
    expect(there).toEqual(await progress((options) => convert(source, { bounds: testBounds, ...options })));
    expect(there.length).toBeGreaterThan(5);
  });

  it('can be streamed several times concurrently', async () => {
    const source = chunkedSource('a.csv', manyRows, [20_000]);
    const conversions = await Promise.all([inThread(source), inThread(source), inThread(source)]);
    const texts = await Promise.all(conversions.flatMap((conversion) => [jsonText(conversion), jsonText(conversion)]));
    expect(new Set(texts).size).toBe(1);
  });

  it('cannot be read after it is closed, and is freed', async () => {
    const conversion = await inThread(bigTable(2));
    const reading = conversion.elements()[Symbol.asyncIterator]();
    await reading.next();
    conversion.close();
    conversion.close();
    for (const use of [reading.next(), jsonText(conversion), conversion.locate([0])]) {
      expect((await rejection(use)).message).toBe('The conversion was closed');
    }
  });
});

describe('cancelled work', () => {
  it('is stopped, and the caller is notified at once', async () => {
    const source = bigTable(ENDLESS);
    const caller = new AbortController();
    const converting = rejection(inThread(source, { signal: caller.signal }));
    await until(() => source.bytesRead >= MIB);
    caller.abort();
    expect((await converting).code).toBe('CANCELLED');
    await until(() => source.readers === 0);
    expect(source.bytesRead).toBeLessThan(source.size);
    expect(await rejection(inThread(source, { signal: AbortSignal.abort() }))).toMatchObject({ code: 'CANCELLED' });
  });

  it('stops reading when its receiver leaves', async () => {
    const source = bigTable(6);
    const conversion = await inThread(source);
    for (const read of [() => conversion.elements(), () => conversion.json()]) {
      const before = source.bytesRead;
      for await (const _ of read()) break;
      await until(() => source.readers === 0);
      expect(source.bytesRead - before).toBeLessThan(source.size - 2 * MIB);
    }
    conversion.close();
  });

  it('does not read far ahead of a slow receiver', async () => {
    const pool = poolOfItsOwn({ maxThreads: 1 });
    const source = bigTable(8);
    const conversion = await inThread(source, {}, pool);
    const scanned = source.bytesRead;
    let taken = 0;
    for await (const { data } of conversion.elements()) {
      taken += data.length;
      // The same thread does other work meanwhile, as much as it takes to read on.
      for (let i = 0; i < 3; i += 1) (await inThread(bigTable(1), {}, pool)).close();
      // A record's JSON is longer than its line, so even less was read ahead.
      expect(source.bytesRead - scanned - taken).toBeLessThan(2 * MIB);
      if (taken > MIB / 2) break;
    }
    conversion.close();
  });

  it('ends its thread if it does not stop', async () => {
    const pool = poolOfItsOwn({ graceMs: 1, maxThreads: 1 });
    const lease = pool.lease();
    const busy = rejection(lease.channel.call(beBusy, null));
    lease.release(lease.channel.call(beBusy, null));
    expect((await busy).message).toMatch(/^The thread that converts files has ended unexpectedly/);
    const conversion = await inThread(chunkedSource('a.csv', 'a\n1\n'), {}, pool);
    expect(conversion.records).toBe(1);
  });
});

describe('a thread that dies', () => {
  it.each([
    ['by leaving', exitAtOnce, /^The thread that converts files has ended unexpectedly: it ended with exit code 3\. Try again/],
    ['of an error outside of any call', throwLater, /has ended unexpectedly: thrown outside of any call\. Try again/],
    ['for want of memory', runOutOfMemory, /^Converting the file took more memory than there is for it\. Use a smaller file/],
  ])('%s fails what it was at, and the next conversion gets a new one', async (_how, deed, says) => {
    const pool = poolOfItsOwn({ maxThreads: 1, maxHeapMb: 32 });
    const source = bigTable(4);
    const open = await inThread(source, {}, pool);
    const reading = open.json()[Symbol.asyncIterator]();
    await reading.next();
    const converting = rejection(inThread(bigTable(ENDLESS), {}, pool));
    const lease = pool.lease();
    const asked = rejection(lease.channel.call(deed as typeof exitAtOnce, null));
    for (const error of [await asked, await converting, await rejection(drained(reading)), await rejection(open.locate([0]))]) {
      expect(error.code).toBe('INTERNAL');
      expect(error.text).toMatch(says);
    }
    open.close();
    lease.release(asked);
    expect(await jsonText(await inThread(chunkedSource('a.csv', 'a\n1\n'), {}, pool))).toBe('[{"a":1}]');
  });

  it('before it has started reports the reason', async () => {
    const lost = poolOfItsOwn({ script: path.join(directory, 'none.cjs') });
    const source = chunkedSource('a.csv', 'a\n1\n');
    expect((await rejection(convertInThread(lost, source, { bounds: testBounds }))).message).toMatch(/Cannot find module/);
  });
});

describe('the pool', () => {
  it('starts a second thread if one is busy, and no third', () => {
    const pool = poolOfItsOwn({ maxThreads: 2 });
    const one = pool.lease();
    const two = pool.lease();
    expect(two.channel).toBe(one.channel);
    const done: Promise<unknown>[] = [one.channel.call(rest, null)];
    const three = pool.lease();
    expect(three.channel).not.toBe(one.channel);
    done.push(three.channel.call(rest, null), three.channel.call(rest, null));
    const four = pool.lease();
    expect(four.channel).toBe(one.channel);
    for (const lease of [one, two, three, four]) lease.release(Promise.allSettled(done));
  });

  it('ends a thread that has been idle for a while', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const pool = poolOfItsOwn({ idleMs: 50 });
      const first = pool.lease();
      first.release(Promise.resolve());
      await vi.advanceTimersByTimeAsync(49);
      const second = pool.lease();
      expect(second.channel).toBe(first.channel);
      await vi.advanceTimersByTimeAsync(1000);
      expect(second.alive).toBe(true);
      second.release(Promise.resolve());
      await vi.advanceTimersByTimeAsync(50);
      const third = pool.lease();
      expect(third.channel).not.toBe(first.channel);
      third.release(Promise.resolve());
    } finally {
      vi.useRealTimers();
    }
  });

  it('fails pending and later work after it is closed', async () => {
    const pool = poolOfItsOwn();
    const source = bigTable(ENDLESS);
    const converting = rejection(inThread(source, {}, pool));
    await until(() => source.bytesRead >= MIB);
    await pool.close();
    for (const error of [await converting, await rejection(inThread(source, {}, pool))]) {
      expect(error).toMatchObject({ code: 'CANCELLED', message: 'Filebridge is being closed' });
    }
  });

  it.each([
    ['left idle', 'idle', '2 records\n'],
    ['closed amid work', 'close', '2 records\nFilebridge is being closed\n'],
  ])('keeps no process alive when it is %s', async (_what, how, output) => {
    exits ??= buildThread(directory, 'fixtures/exits.ts', 'es');
    const { stdout } = await promisify(execFile)(process.execPath, [await exits, script, how], { timeout: limits.wait });
    expect(stdout).toBe(output);
  });
});

async function drained(iterator: AsyncIterator<unknown>): Promise<void> {
  while (!(await iterator.next()).done);
}
