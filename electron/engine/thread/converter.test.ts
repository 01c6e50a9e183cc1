/** An unchanged file is not scanned again after it was converted once; the time of a conversion is limited. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ByteSource } from '../core/source.ts';
import { chunkedSource, jsonText, testBounds } from '../fixtures/conversion-fixture.ts';
import { type CacheEntry, ConversionCache, type Converter, threadedConverter, timeLimited } from './converter.ts';
import { engineThread } from './fixtures/build-thread.ts';

let directory: string;
let script: string;
let converter: Converter;
beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'filebridge-cache-'));
  script = engineThread();
  converter = threadedConverter({ script });
});
afterAll(async () => {
  await converter.close();
  await rm(directory, { recursive: true, force: true });
});

const rows = `id,name\n${Array.from({ length: 150_000 }, (_, i) => `${i},name ${i}\n`).join('')}`;

/** An opened file that counts the bytes read from it. */
function opened(identity: string | undefined, name = 'a.csv', content: string | Uint8Array = rows) {
  const source = chunkedSource(name, content);
  const seen = { bytes: 0 };
  const tap = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      seen.bytes += chunk.length;
      yield chunk;
    }
  };
  const { readFrom } = source;
  const tapped: ByteSource = {
    ...source,
    identity,
    read: (signal) => tap(source.read(signal)),
    ...(readFrom ? { readFrom: (offset: number, signal?: AbortSignal) => tap(readFrom(offset, signal)) } : {}),
  };
  return { source: tapped, seen };
}

describe('a closed conversion', () => {
  it('is reused for the same file, and reads through the newly opened file', async () => {
    const first = opened('same');
    const conversion = await converter.convert(first.source, { bounds: testBounds });
    const text = await jsonText(conversion);
    conversion.close();
    const readFirst = first.seen.bytes;

    const second = opened('same');
    const again = await converter.convert(second.source, { bounds: testBounds });
    expect(second.seen.bytes).toBe(0);
    expect(again.report).toEqual(conversion.report);
    expect(await jsonText(again)).toBe(text);
    expect(second.seen.bytes).toBeLessThanOrEqual(rows.length);
    expect(second.seen.bytes).toBeGreaterThan(0);
    expect(first.seen.bytes).toBe(readFirst);
    again.close();
    await expect(jsonText(again)).rejects.toThrow('The conversion was closed');
  });

  it.each([
    ['another identity', opened('other'), {}],
    ['no identity', opened(undefined), {}],
    ['other options', opened('same'), { types: 'string' as const }],
    ['another name', opened('same', 'a.tsv'), {}],
  ])('is not taken for %s', async (_, { source, seen }, options) => {
    const known = await converter.convert(opened('same').source, { bounds: testBounds });
    known.close();
    const conversion = await converter.convert(source, { bounds: testBounds, ...options });
    expect(seen.bytes).toBeGreaterThanOrEqual(rows.length);
    conversion.close();
  });

  it('is not shared by two callers that have it open at the same time', async () => {
    const [one, two] = [opened('twice'), opened('twice')];
    const first = await converter.convert(one.source, { bounds: testBounds });
    const second = await converter.convert(two.source, { bounds: testBounds });
    first.close();
    expect(await jsonText(second)).toHaveLength(second.bytes);
    second.close();
  });

  it('keeps an archive unpacked', async () => {
    const archive = gzipSync(rows);
    const first = await converter.convert(opened('zip', 'a.csv.gz', archive).source, { bounds: testBounds });
    expect(first.heldBytes).toBeGreaterThanOrEqual(rows.length);
    first.close();
    const again = opened('zip', 'a.csv.gz', archive);
    const second = await converter.convert(again.source, { bounds: testBounds });
    expect(await jsonText(second)).toHaveLength(second.bytes);
    expect(again.seen.bytes).toBe(0);
    second.close();
  });

  it('is converted again after its thread has ended', async () => {
    const short = threadedConverter({ script, idleMs: 1 });
    (await short.convert(opened('short').source, { bounds: testBounds })).close();
    await expect
      .poll(async () => {
        const { source, seen } = opened('short');
        (await short.convert(source, { bounds: testBounds })).close();
        return seen.bytes;
      })
      .toBeGreaterThanOrEqual(rows.length);
    await short.close();
  });
});

describe('conversion cache', () => {
  class Car implements CacheEntry {
    dropped = false;
    alive = true;
    readonly bytes: number;
    constructor(bytes: number) {
      this.bytes = bytes;
    }
    drop = () => {
      this.dropped = true;
    };
  }

  it('evicts the oldest entries when their total size is too large', () => {
    const cache = new ConversionCache<Car>();
    const cars = [30, 30, 30].map((mebibytes) => new Car(mebibytes * 1024 * 1024));
    for (const [i, car] of cars.entries()) cache.put(String(i), car);
    expect(cars.map(({ dropped }) => dropped)).toEqual([true, false, false]);
    expect(cache.take('0')).toBeUndefined();
    expect(cache.take('2')).toBe(cars[2]);
    expect(cache.take('2')).toBeUndefined();
  });

  it('evicts the oldest entries when there are too many, and all when it is cleared', () => {
    const cache = new ConversionCache<Car>();
    const cars = Array.from({ length: 20 }, () => new Car(0));
    for (const [i, car] of cars.entries()) cache.put(String(i), car);
    expect(cars.map(({ dropped }) => dropped).indexOf(false)).toBe(4);
    cache.clear();
    expect(cars.every(({ dropped }) => dropped)).toBe(true);
  });

  it('drops the older of two entries for a key, and returns no entry whose thread has ended', () => {
    const cache = new ConversionCache<Car>();
    const [old, young] = [new Car(1), new Car(1)];
    cache.put('a', old);
    cache.put('a', young);
    expect([old.dropped, young.dropped]).toEqual([true, false]);
    young.alive = false;
    expect(cache.take('a')).toBeUndefined();
  });
});

const request = { bounds: testBounds };
const ended = (signal: AbortSignal | undefined) =>
  new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));

describe('the time limit of a conversion', () => {
  it('ends a PDF, and says so', async () => {
    const limit = timeLimited(chunkedSource('a.pdf', ''), request, 0.01);
    expect(() => limit.throwIfOver()).not.toThrow();
    await ended(limit.signal);
    expect(() => limit.throwIfOver()).toThrow('Failed to parse PDF file: reading it took more than 0.01 seconds');
    limit.end();
  });

  it('passes on that the caller cancels, and is no reason then', async () => {
    const caller = new AbortController();
    const limit = timeLimited(chunkedSource('a.bin', ''), { ...request, format: 'pdf', signal: caller.signal });
    caller.abort(new Error('enough'));
    expect(limit.signal?.reason).toEqual(new Error('enough'));
    expect(() => limit.throwIfOver()).not.toThrow();
    limit.end();
    expect(timeLimited(chunkedSource('a.pdf', ''), { ...request, signal: caller.signal }).signal?.aborted).toBe(true);
  });

  it('does not concern other formats, or bytes as they are', () => {
    const { signal } = new AbortController();
    expect(timeLimited(chunkedSource('a.csv', ''), { ...request, signal }).signal).toBe(signal);
    expect(timeLimited(chunkedSource('a.pdf', ''), { ...request, signal, as: 'base64' }).signal).toBe(signal);
  });
});
