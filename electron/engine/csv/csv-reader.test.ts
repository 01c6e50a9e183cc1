/** Tests that the kernel's reader of CSV gives the same output and errors as the reference reader. */
import { describe, expect, it } from 'vitest';
import { runs } from '../../../shared/lib/fixtures/property-runs.ts';
import type { ConversionOptions } from '../../../shared/model/conversion.ts';
import { testBounds } from '../fixtures/conversion-fixture.ts';
import { Chance, elementsOf, sourceOf } from '../fixtures/fuzz-fixture.ts';
import { applyTransform } from '../transform/apply-transform.ts';
import { type CsvCase, csvBy, csvDifference, whereDifference } from './csv-fuzz-fixture.ts';
import { readCsv } from './csv-reader.ts';

function given(text: string, options: ConversionOptions = {}, rest: Partial<CsvCase> = {}): CsvCase {
  return {
    ...{ text, options, sizes: [256 * 1024], seekable: true, bounds: testBounds, format: 'csv', cut: false, advice: undefined },
    ...rest,
  } as CsvCase;
}

const scanOf = (text: string, options: ConversionOptions = {}) =>
  readCsv(sourceOf(given(text, options)), { options, bounds: testBounds });

it('random tables, valid and damaged, in chunks of any size', async () => {
  const chance = new Chance(1);
  for (let i = 0; i < runs(500); i += 1) expect(await csvDifference(csvBy(chance))).toBeUndefined();
});

it('random comparisons in where', async () => {
  const chance = new Chance(3);
  for (let i = 0; i < runs(30); i += 1) expect(await whereDifference(chance)).toBeUndefined();
});

it('every truncation of a text', async () => {
  const text = 'id,"a ""b""",on\r\n1,"x, \\ y""z""\r\n\t",true\r\n\r\n-2.50,,"false"\n007,"é"  ,false\r3,5" pipe,true';
  for (let length = 0; length <= text.length; length += 1)
    for (const sizes of [[1], [7, 3], [1000]])
      for (const cut of [true, false])
        expect(await csvDifference(given(text.slice(0, length), {}, { sizes, cut }))).toBeUndefined();
});

describe('long texts', () => {
  const line = (i: number) => `${i},name ${i},"a note, ""quoted"" ${'.'.repeat(i % 90)}",${i % 2 === 0},\n`;
  const lines = (count: number) => Array.from({ length: count }, (_, i) => line(i)).join('');

  it('are split into pieces that end anywhere', async () => {
    const body = lines(8000);
    for (const sizes of [[100_000], [1, 65_535], [131_072]])
      expect(await csvDifference(given(`id,name,note,flag,rest\n${body}`, {}, { sizes }))).toBeUndefined();
  });

  it('can be resumed at each of their resume points', async () => {
    const scan = await scanOf(`id,name,note,flag,rest\n${lines(12_000)}`);
    const all = await elementsOf(scan.elements());
    const points = scan.measured?.resumePoints;
    expect(points?.count).toBeGreaterThan(10);
    for (let i = 0; i < (points?.count ?? 0); i += 3) {
      const point = points?.at(i);
      expect(await elementsOf(scan.elements(undefined, point))).toEqual(all.slice(point?.record));
    }
  });

  it('of 100,000 short rows give chunks of an efficient size', async () => {
    const scan = await scanOf(`${Array.from({ length: 50 }, (_, i) => `column ${i}`).join(',')}\n${'1\n'.repeat(100_000)}`, {});
    const sizes: number[] = [];
    let records = 0;
    for await (const { data, ends } of scan.elements()) {
      sizes.push(data.length);
      records += ends.length;
    }
    expect(records).toBe(100_000);
    expect(Math.max(...sizes)).toBeLessThan(1024 * 1024);
  });

  it('with a row longer than all buffers, and then one beyond the limit', async () => {
    for (const size of [200_000, 4_300_000]) {
      const text = `a,b\n1,"${'x "" \n'.repeat(size / 6)}"\n2,y\n`;
      expect(await csvDifference(given(text))).toBeUndefined();
    }
  });
});

describe('select, rename, offset and limit on many records', () => {
  const text = `id,note,flag\n${Array.from({ length: 30_000 }, (_, i) => `${i},"a \\ ""b""\n${i}",${i % 2 === 0}\n`).join('')}`;

  it('start close to the offset', async () => {
    let bytesRead = 0;
    const source = sourceOf(given(text, {}, { sizes: [10_000] }));
    const counted = {
      ...source,
      async *readFrom(offset: number) {
        for await (const chunk of source.readFrom?.(offset) ?? []) {
          bytesRead += chunk.length;
          yield chunk;
        }
      },
    };
    const scan = await readCsv(counted, { options: {}, bounds: testBounds });
    const transform = { select: ['flag', 'note'], rename: { note: 'text' }, offset: 25_000, limit: 2 };
    const { value } = await applyTransform(scan, transform, testBounds);
    expect(await elementsOf(value.elements())).toEqual([
      ['{"flag":true,"text":"a \\\\ \\"b\\"\\n25000"}', 50_002],
      ['{"flag":false,"text":"a \\\\ \\"b\\"\\n25001"}', 50_004],
    ]);
    expect(bytesRead).toBeLessThan(text.length / 2);
  });

  it('past the last record give nothing', async () => {
    const scan = await scanOf(text);
    for (const offset of [30_000, 2 ** 32 + 5]) {
      const { value } = await applyTransform(scan, { offset }, testBounds);
      expect(await elementsOf(value.elements())).toEqual([]);
    }
  });
});

describe('errors far from the start are reported as usual', () => {
  const rows = 'a,b\n'.concat('1,"x\ny"\n'.repeat(20_000));
  it.each([
    ['an extra cell', '1,2,3\n'],
    ['text after a quote', '1,"2"3\n'],
    ['a quote that is never closed', '1,"2\n'],
    ['nothing', ''],
  ])('%s', async (_, end) => {
    expect(await csvDifference(given(`${rows}${end}`))).toBeUndefined();
    expect(await csvDifference(given(`${rows}${end}1,2\n`))).toBeUndefined();
  });

  it('a cell that is not of the type asked for', async () => {
    for (const cell of ['x', '1.', '0x1', '"01"', '-'])
      expect(await csvDifference(given(`${rows}${cell},2\n`, { types: { a: 'number' } }))).toBeUndefined();
  });
});

describe('worst-case files', () => {
  it.each([
    ['commas', `a,b\n${','.repeat(250_000)}`],
    ['quotes', '"'.repeat(100_001)],
    ['line ends', `a\n${'\r\n'.repeat(50_000)}1\n`],
    ['quotes inside cells', `a\n${'5" '.repeat(30_000)}\n${'x"\n'.repeat(10_000)}`],
    ['backslashes', `a\n${'\\'.repeat(100_000)}\n1`],
    ['10,000 columns', `${'c,'.repeat(10_000)}\n${'1,'.repeat(10_000)}\n2\n`],
    ['nothing but zero bytes', '\0'.repeat(30_000)],
  ])('%s', async (_, text) => {
    expect(await csvDifference(given(text, { ragged: 'keep' }))).toBeUndefined();
    expect(await csvDifference(given(text, { header: false }))).toBeUndefined();
  });
});
