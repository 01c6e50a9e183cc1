/** Big tables that two threads convert come out as they do in one: the same bytes, the same facts, the same errors. */
import { appendFile, open, truncate } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../shared/model/errors.ts';
import { convert } from '../engine/convert/convert.ts';
import type { SecondTask, SecondThread } from '../engine/core/source.ts';
import type { TestOptions } from '../engine/fixtures/conversion-fixture.ts';
import { bounds, mixedRow, type Outcome, table, twoThreads } from './fixtures/two-threads.ts';

const KIB = 1024;
const MIB = 1024 * 1024;
/** The pieces are smaller than the product's, and so are the tables. */
const pieces = { scanned: 256 * KIB, written: 48 * KIB };
/** Little more than what two threads are worth while for; its JSON is not kept in memory. */
const SHARED = 1.1 * MIB;
/** Enough for each to have its share. */
const LARGE = 2 * MIB;

const both = twoThreads(pieces);
const { inBoth, outcome, scanned, written, files, second } = both;

/** Each is made once. */
const mixedTables = new Map<number, string>();
function mixedTable(bytes: number): string {
  const text = mixedTables.get(bytes) ?? table(bytes);
  mixedTables.set(bytes, text);
  return text;
}

describe('a big table', () => {
  it('comes out the same, and both threads have their share', async () => {
    const file = await written('mixed.csv', mixedTable(LARGE));
    await inBoth(file);
    expect(both.tasks.map(({ kind }) => kind)).toContain('csv-write');
    expect(scanned().of).toBeGreaterThan(0);
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
    ['of one column', () => `one\n${'12345\n'.repeat(0.2 * MIB)}`, {}],
  ])('%s', async (name, content, options) => {
    expect(await inBoth(await written(`${name}.csv`, content()), options)).not.toBeInstanceOf(AppError);
  });

  it('that has tables in its cells is not cut within one', async () => {
    const inner = table(300 * KIB, { row: (i) => `${i},inner,0${i},x,true` });
    const row = (i: number) => (i % 4_000 === 1_000 ? `${i},outer,00,"${inner}",false` : mixedRow(i));
    const file = await written('nested.csv', table(SHARED, { row }));
    await inBoth(file);
    expect(scanned().of).toBeGreaterThan(0);
  });

  it('that has a row too long for the kernel, far down, is read by the other reader from its start', async () => {
    const giant = `1,${'x'.repeat(5 * MIB)},,,true\n`;
    const content = `${table(MIB)}${giant}${table(200 * KIB).replace('id,name,zip,note,on\n', '')}`;
    const outcome = await inBoth(await written('giant.csv', content));
    expect(outcome).toMatchObject({
      report: { columns: [{ name: 'id' }, { name: 'name' }, { name: 'zip' }, { name: 'note' }, { name: 'on' }] },
    });
  });

  it('whose last row goes over the edge of a part is read to its end', async () => {
    const long = (bytes: number) => `1,${'y'.repeat(bytes)},,,true\n`;
    const content = mixedTable(SHARED);
    const bytes = Buffer.byteLength(content);
    const missing = Math.ceil(bytes / pieces.scanned) * pieces.scanned - bytes;
    const file = `${content}${long(missing - 5000)}${long(40_000)}`;
    expect(await inBoth(await written('edge.csv', file))).toMatchObject({ report: { inputBytes: Buffer.byteLength(file) } });
  });

  it('whose types are settled by a single cell far down', async () => {
    const content = table(SHARED, { row: (i) => `${i},${i},${i},,true` });
    for (const share of [0.2, 0.6, 0.99]) {
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
      expect(latin).toMatchObject({ code: 'ENCODING_INVALID', message: expect.stringContaining('mixes two encodings') });
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
    ['shrinks', (file: string) => truncate(file, 1.25 * MIB)],
    [
      'is written over',
      async (file: string) => {
        const handle = await open(file, 'r+');
        await handle.write('x', 1.5 * MIB);
        await handle.close();
      },
    ],
  ])('and %s is noticed', async (_, how) => {
    const file = await written('changing.csv', mixedTable(LARGE));
    expect(await change(file, how, 0.6 * MIB)).toMatchObject({ code: 'FILE_CHANGED' });
  });
});

describe('the second thread', () => {
  const expectShared = async (file: string) => {
    both.tasks = [];
    await outcome(file, { bytesOnly: true, second });
    expect(scanned().of).toBeGreaterThan(0);
  };

  it('is done without where it dies, and comes back', async () => {
    const file = await written('dying.csv', mixedTable(LARGE));
    const expected = (await outcome(file, { bytesOnly: true })) as Outcome;
    for (const dies of ['csv-scan', 'csv-write', 'both'] as const) {
      const broken: SecondThread = {
        pieces,
        // A task it cannot begin ends it at once.
        begin: (task: SecondTask, onFound, onEnd) =>
          both.unwatched.begin(dies === 'both' || task.kind === dies ? { ...task, facts: undefined } : task, onFound, onEnd),
      };
      const found = (await outcome(file, { bytesOnly: true, second: broken })) as Outcome;
      expect(found).toEqual(expected);
    }
    await expectShared(file);
  });

  it('helps one conversion at a time', async () => {
    const file = await written('twice.csv', mixedTable(LARGE));
    const expected = (await outcome(file, { bytesOnly: true })) as Outcome;
    const all = (await Promise.all([1, 2, 3].map(() => outcome(file, { bytesOnly: true, second })))) as Outcome[];
    for (const each of all) expect(each).toEqual(expected);
  });

  it('stops when the conversion is cancelled, or its receiver leaves, and is there for the next', async () => {
    const file = await written('cancelled.csv', mixedTable(LARGE));
    for (const moment of ['begins', 'reports'] as const) {
      const opened = await files.open(file);
      const abort = new AbortController();
      both.onEvent = (event) => event === moment && abort.abort();
      const early = convert(opened.source, { bounds, bytesOnly: true, second, signal: abort.signal });
      await expect(early).rejects.toMatchObject({ code: 'CANCELLED' });
      both.onEvent = () => undefined;
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
    await expectShared(file);
  });
});
