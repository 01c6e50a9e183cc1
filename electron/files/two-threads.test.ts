/** Big tables that two threads convert come out as they do in one: the same bytes, the same facts, the same errors. */
import { createHash } from 'node:crypto';
import { appendFile, mkdtemp, open, realpath, rm, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConversionReport } from '../../shared/model/conversion.ts';
import { AppError } from '../../shared/model/errors.ts';
import { convert } from '../engine/convert/convert.ts';
import type { Conversion, ConvertRequest } from '../engine/core/convert-types.ts';
import type { ElementChunk } from '../engine/core/payload.ts';
import type { SecondTask, SecondThread } from '../engine/core/second-thread.ts';
import { type TestOptions, testBounds } from '../engine/fixtures/conversion-fixture.ts';
import { buildThread } from '../engine/thread/fixtures/build-thread.ts';
import { secondThread } from '../engine/thread/second-worker.ts';
import { createFileAccess } from './file-access.ts';

const MIB = 1024 * 1024;
/** Little more than what two threads are worth while for. */
const SHARED = 17 * MIB;
/** Enough for each to have its share. */
const LARGE = 32 * MIB;
const bounds = { ...testBounds, maxStreamedFileBytes: 256 * MIB };

let folder: string;
let built: string;
let second: SecondThread;
/** Tasks that the second thread was given, and what it has told of them. */
let tasks: { kind: string; told: unknown[] }[] = [];
beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'filebridge-two-')));
  built = await mkdtemp(path.join(os.tmpdir(), 'filebridge-two-thread-'));
  second = watched(secondThread(await buildThread(built)) as SecondThread);
});
afterAll(async () => {
  for (const each of [folder, built]) await rm(each, { recursive: true, force: true });
});

/** The same thread, with a note of what passes. */
function watched(thread: SecondThread): SecondThread {
  return {
    begin(task, onFound, onEnd) {
      const seen = { kind: task.kind, told: [] as unknown[] };
      const run = thread.begin(
        task,
        (found) => {
          seen.told.push(found);
          onFound(found);
        },
        onEnd,
      );
      if (run) tasks.push(seen);
      return run;
    },
  };
}

const files = createFileAccess({ folders: () => [{ path: folder, access: 'read' }] });

async function written(name: string, content: string | Uint8Array): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, content);
  return file;
}

/** Rows of several kinds, some with line breaks in quotes, until there are so many bytes. */
function table(bytes: number, { end = '\n', row = mixedRow }: { end?: string; row?: (i: number) => string } = {}): string {
  let text = `id,name,zip,note,on${end}`;
  for (let i = 0; text.length < bytes; i++) text += row(i) + end;
  return text;
}

const notes = ['plain', '"with ""quotes"""', '"of two\nlines, and a comma"', '', 'Größe 🙂', '"tab\there"'];
const mixedRow = (i: number) => `${i},name ${i * 7},0${1000 + (i % 9000)},${notes[i % notes.length]},${i % 3 === 0}`;

/** Each is made once. */
const mixedTables = new Map<number, string>();
function mixedTable(bytes: number): string {
  const text = mixedTables.get(bytes) ?? table(bytes);
  mixedTables.set(bytes, text);
  return text;
}

interface Outcome {
  json: Seen;
  report: ConversionReport;
  later: Seen;
  place: unknown;
}

/** Text of megabytes, by what tells it from another. */
interface Seen {
  bytes: number;
  hash: string;
}

async function outcome(file: string, request: Partial<ConvertRequest>): Promise<Outcome | AppError> {
  const opened = await files.open(file);
  let conversion: Conversion | undefined;
  try {
    conversion = await convert(opened.source, { bounds, ...request });
    return {
      json: await seen(conversion.json(undefined, { reuse: true })),
      report: conversion.report,
      later: await elementsFrom(conversion, Math.floor(conversion.records / 3)),
      place: await conversion.locate([Math.floor(conversion.records * 0.7), 'zip']),
    };
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  } finally {
    conversion?.close();
    await opened.close();
  }
}

async function seen(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Seen> {
  const hash = createHash('sha1');
  let bytes = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, hash: hash.digest('hex') };
}

/** Elements, and the line of each, that stay as they are while others come. */
async function elementsFrom(conversion: Conversion, start: number): Promise<Seen> {
  const chunks: ElementChunk[] = [];
  for await (const chunk of conversion.elements({ start })) chunks.push(chunk);
  const comma = Buffer.from(',');
  const lines = chunks.map((chunk) => new Uint8Array((chunk.lines as Uint32Array).slice().buffer));
  return seen([...chunks.flatMap(({ data }) => [data, comma]), ...lines]);
}

/** In one thread and in two, with the hash and without. */
async function inBoth(file: string, options: TestOptions = {}): Promise<Outcome | AppError> {
  const alone = await outcome(file, options);
  for (const bytesOnly of [true, false]) {
    tasks = [];
    const shared = await outcome(file, { ...options, bytesOnly, second });
    const uncounted = bytesOnly ? { sha256: '', tokens: expect.anything() } : {};
    expect(shared).toEqual(alone instanceof AppError ? alone : { ...alone, report: { ...alone.report, ...uncounted } });
  }
  return alone;
}

/** Chunks that the second thread has scanned, and could not. */
function scanned(): { of: number; failed: number } {
  const told = tasks.filter(({ kind }) => kind === 'csv-scan').flatMap((task) => task.told as { found: unknown }[]);
  return { of: told.length, failed: told.filter(({ found }) => found === null).length };
}

/** On a busy machine the second thread may come too late for a share: then the same again. */
async function untilShared(work: () => Promise<unknown>, least = 1): Promise<void> {
  for (let tries = 0; tries < 5; tries += 1) {
    tasks = [];
    await work();
    if (scanned().of >= least) return;
  }
  expect(scanned().of).toBeGreaterThanOrEqual(least);
}

describe('a big table', () => {
  it('comes out the same, and both threads have their share', async () => {
    const file = await written('mixed.csv', mixedTable(LARGE));
    await untilShared(() => inBoth(file), 2);
    expect(tasks.map(({ kind }) => kind)).toContain('csv-write');
    expect(scanned().failed).toBe(0);
  });

  it.each<[name: string, content: () => string, options: TestOptions]>([
    ['with CRLF', () => table(SHARED, { end: '\r\n' }), {}],
    ['with CR only, where no line is found', () => table(SHARED, { end: '\r', row: (i) => `${i},n${i},0,x,true` }), {}],
    ['with a byte-order mark', () => `\ufeff${mixedTable(SHARED)}`, {}],
    ['without a line break at its end', () => mixedTable(SHARED).slice(0, -1), {}],
    ['without a header', () => mixedTable(SHARED), { header: false }],
    [
      'with semicolons',
      () => table(SHARED, { row: (i) => mixedRow(i).replaceAll(',', ';') }).replace('id,name,zip,note,on', 'id;name;zip;note;on'),
      {},
    ],
    ['whose columns are decided', () => mixedTable(SHARED), { types: { id: 'string', on: 'boolean' } }],
    [
      'with short and long rows',
      () =>
        table(SHARED, {
          row: (i) => (i % 1000 === 7 ? `${i},short` : i % 1000 === 8 ? `${mixedRow(i)},more,"and\nmore"` : mixedRow(i)),
        }),
      { ragged: 'keep' },
    ],
    ['with blank lines', () => table(SHARED, { row: (i) => (i % 5 === 0 ? `\n${mixedRow(i)}\n` : mixedRow(i)) }), {}],
    ['of one column', () => `one\n${'12345\n'.repeat(3 * MIB + 7)}`, {}],
  ])('%s', async (name, content, options) => {
    expect(await inBoth(await written(`${name}.csv`, content()), options)).not.toBeInstanceOf(AppError);
  });

  it('that has tables in its cells is not cut within one', async () => {
    const inner = table(3 * MIB, { row: (i) => `${i},inner,0${i},x,true` });
    const row = (i: number) => (i % 20_000 === 500 ? `${i},outer,00,"${inner}",false` : mixedRow(i));
    const file = await written('nested.csv', table(SHARED, { row }));
    await untilShared(() => inBoth(file));
  });

  it('that has a row too long for the kernel, far down, is read by the other reader from its start', async () => {
    const giant = `1,${'x'.repeat(5 * MIB)},,,true\n`;
    const content = `${table(12 * MIB)}${giant}${table(MIB).replace('id,name,zip,note,on\n', '')}`;
    const outcome = await inBoth(await written('giant.csv', content));
    expect(outcome).toMatchObject({
      report: { columns: [{ name: 'id' }, { name: 'name' }, { name: 'zip' }, { name: 'note' }, { name: 'on' }] },
    });
  });

  it('whose last row goes over the edge of a part is read to its end', async () => {
    const long = (bytes: number) => `1,${'y'.repeat(bytes)},,,true\n`;
    const content = mixedTable(SHARED);
    const missing = Math.ceil(content.length / (4 * MIB)) * 4 * MIB - Buffer.byteLength(content);
    const file = `${content}${long(missing - 5000)}${long(40_000)}`;
    expect(await inBoth(await written('edge.csv', file))).toMatchObject({ report: { inputBytes: Buffer.byteLength(file) } });
  });

  it('whose types are settled by a single cell far down', async () => {
    const content = table(SHARED, { row: (i) => `${i},${i},${i},,true` });
    for (const share of [0.2, 0.5, 0.8, 0.99]) {
      const at = content.indexOf('\n', Math.floor(content.length * share));
      const late = `${content.slice(0, at)}\n007,x,1.0,"",no${content.slice(at)}`;
      const { report } = (await inBoth(await written('late.csv', late))) as Outcome;
      expect(report).toMatchObject({
        columns: [{ type: 'string' }, { type: 'string' }, { type: 'number' }, { type: 'string' }, { type: 'string' }],
      });
    }
  });

  const around = (share: number) => {
    const content = mixedTable(SHARED);
    const from = Math.floor(content.length * share);
    // Where a row ends, and not a line within one.
    const at = from + content.slice(from, from + 1000).search(/\n\d/);
    return (text: string | Uint8Array) =>
      Buffer.concat([Buffer.from(content.slice(0, at)), Buffer.from(text as string), Buffer.from(content.slice(at))]);
  };

  it.each([
    ['a cell too many', 0.4, '\n1,2,3,4,true,6', {}],
    ['text after a quote', 0.6, '\n1,2,3,"4" x,true', {}],
    ['no number', 0.9, '\nnone,2,3,4,true', { types: { id: 'number' } }],
    ['a quote that is never closed', 0.3, '\n1,2,3,"never closed', {}],
  ] as [string, number, string, TestOptions][])('with %s is refused in the same words', async (name, share, wrong, options) => {
    const error = await inBoth(await written(`${name}.csv`, around(share)(wrong)), options);
    expect(error).toBeInstanceOf(AppError);
  });

  it('that is not UTF-8, or holds NUL, is read as in one thread', async () => {
    for (const share of [0.3, 0.55]) {
      const latin = await inBoth(await written('latin.csv', around(share)(Buffer.from('\n1,\xe9,,,', 'latin1'))));
      expect(latin).toMatchObject({ report: { encoding: 'windows-1252' } });
      const nul = await inBoth(await written('nul.csv', around(share)('\n1,\0,,,')));
      expect(nul).toMatchObject({ report: { warnings: [{ code: 'NUL_CHARACTERS' }] } });
    }
  });
});

describe('a file that changes while two threads are at it', () => {
  const change = async (file: string, how: (file: string) => Promise<void>, after: number): Promise<unknown> => {
    const opened = await files.open(file);
    const conversion = await convert(opened.source, { bounds, bytesOnly: true, second });
    let given = 0;
    try {
      for await (const chunk of conversion.json(undefined, { reuse: true })) {
        if (given < after && given + chunk.length >= after) await how(file);
        given += chunk.length;
      }
      return 'whole';
    } catch (error) {
      return error;
    } finally {
      conversion.close();
      await opened.close();
    }
  };

  it.each([
    ['grows', (file: string) => appendFile(file, '1,2,3,4,true\n')],
    ['shrinks', (file: string) => truncate(file, 20 * MIB)],
    [
      'is written over',
      async (file: string) => {
        const handle = await open(file, 'r+');
        await handle.write('x', 24 * MIB);
        await handle.close();
      },
    ],
  ])('and %s is noticed', async (_, how) => {
    const file = await written('changing.csv', mixedTable(LARGE));
    expect(await change(file, how, 10 * MIB)).toMatchObject({ code: 'FILE_CHANGED' });
  });
});

describe('the second thread', () => {
  it('is done without where it dies, and comes back', async () => {
    const file = await written('dying.csv', mixedTable(LARGE));
    const expected = (await outcome(file, { bytesOnly: true })) as Outcome;
    for (const dies of ['csv-scan', 'csv-write', 'both'] as const) {
      const broken: SecondThread = {
        // A task it cannot begin ends it at once.
        begin: (task: SecondTask, onFound, onEnd) =>
          second.begin(dies === 'both' || task.kind === dies ? { ...task, facts: undefined } : task, onFound, onEnd),
      };
      const found = (await outcome(file, { bytesOnly: true, second: broken })) as Outcome;
      expect(found).toEqual(expected);
    }
    await untilShared(() => outcome(file, { bytesOnly: true, second }));
  });

  it('helps one conversion at a time', async () => {
    const file = await written('twice.csv', mixedTable(LARGE));
    const expected = (await outcome(file, { bytesOnly: true })) as Outcome;
    const all = (await Promise.all([1, 2, 3].map(() => outcome(file, { bytesOnly: true, second })))) as Outcome[];
    for (const each of all) expect(each).toEqual(expected);
  });

  it('stops when the conversion is cancelled, or its receiver leaves, and is there for the next', async () => {
    const file = await written('cancelled.csv', mixedTable(LARGE));
    for (const after of [0, 1, 5, 20]) {
      const opened = await files.open(file);
      const abort = new AbortController();
      setTimeout(() => abort.abort(), after);
      const early = await convert(opened.source, { bounds, bytesOnly: true, second, signal: abort.signal }).catch(
        (error: unknown) => error,
      );
      if (early instanceof Error) expect(early).toMatchObject({ code: 'CANCELLED' });
      const conversion = await convert(opened.source, { bounds, bytesOnly: true, second });
      for await (const _ of conversion.json()) break;
      const stop = new AbortController();
      const reading = (async () => {
        for await (const chunk of conversion.json(stop.signal)) if (chunk.length > 1) stop.abort();
      })();
      await expect(reading).rejects.toThrow(/aborted|cancelled/);
      conversion.close();
      await opened.close();
    }
    await untilShared(() => outcome(file, { bytesOnly: true, second }));
  });
});
