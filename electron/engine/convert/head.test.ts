import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../shared/lib/fixtures/property-runs.ts';
import type { ConversionOptions } from '../../../shared/model/conversion.ts';
import { chunkedSource, convertBytes, jsonText, testBounds } from '../fixtures/conversion-fixture.ts';
import { convertHead } from './convert.ts';

const head = (name: string, content: string | Uint8Array, bytes: number, options: ConversionOptions = {}) =>
  convertHead(chunkedSource(name, content, [7]), { ...options, bounds: testBounds }, bytes);

async function headValue(name: string, content: string | Uint8Array, bytes: number, options: ConversionOptions = {}) {
  const conversion = await head(name, content, bytes, options);
  return conversion && JSON.parse(await jsonText(conversion));
}

describe('the head of a file', () => {
  it('holds the whole records in the first bytes', async () => {
    expect(await headValue('a.csv', 'a,b\n1,x\n2,"y\nz"\n3,w', 15)).toEqual([{ a: 1, b: 'x' }]);
    expect(await headValue('a.jsonl', '{"a":1}\n{"a":2}\n{"a":3}', 18)).toEqual([{ a: 1 }, { a: 2 }]);
    expect(await headValue('a.json', '[1, {"a": [2]}, "drei", 4]', 20)).toEqual([1, { a: [2] }]);
    expect(await headValue('a.txt', 'Größe', 4)).toBe('Gr\u00f6');
    expect(await headValue('a.txt', 'Größe', 3)).toBe('Gr');
  });

  it('is the whole where that is no longer', async () => {
    const text = 'a,b\n1,x\n2,y';
    const whole = await convertBytes('a.csv', text);
    expect((await head('a.csv', text, text.length))?.report).toEqual(whole.report);
    expect(await headValue('a.yaml', 'a: 1', 100)).toEqual({ a: 1 });
  });

  it('tells format, columns and counts so far, but no hash of what was not read', async () => {
    const conversion = await head('a.csv.gz', gzipSync(`\ufeffname;n\n${'Ana;1\n'.repeat(1000)}`), 500);
    expect(conversion?.report).toMatchObject({
      format: 'csv',
      compression: 'gzip',
      encoding: 'utf-8',
      delimiter: ';',
      sha256: '',
      records: 81,
      warnings: [],
      columns: [
        { name: 'name', type: 'string' },
        { name: 'n', type: 'number' },
      ],
    });
  });

  it('is told from no character that the cut broke', async () => {
    const euro = Buffer.from('a\n€\n€\n€\n');
    for (let bytes = 2; bytes < euro.length; bytes += 1) {
      expect((await head('a.csv', euro, bytes))?.report).toMatchObject({ encoding: 'utf-8', warnings: [] });
    }
    const wide = Buffer.from('\ufeffa\n😀\n😀\n', 'utf16le');
    for (let bytes = 2; bytes < wide.length; bytes += 1) {
      expect((await head('a.csv', wide, bytes))?.report.encoding).toBe('utf-16le');
    }
  });

  it('says nothing where a beginning says nothing', async () => {
    for (const name of ['a.yaml', 'a.json']) expect(await head(name, `{"a": "${'x'.repeat(100)}"}`, 50)).toBeNull();
    expect(await head('a.xml', `<a>${'x'.repeat(100)}</a>`, 50)).toBeNull();
    expect(await head('a.csv', 'a\n1', 50, { transform: { expression: '$sum(a)' } })).toBeNull();
  });

  it('fails as the whole would', async () => {
    const broken = `a,b\n"1"x,2\n${'3,4\n'.repeat(100)}`;
    await expect(head('a.csv', broken, 50)).rejects.toThrow(
      await convertBytes('a.csv', broken).then(String, ({ message }: Error) => message),
    );
    await expect(head('a.bin', Buffer.alloc(100), 50)).rejects.toMatchObject({ code: 'FORMAT_UNKNOWN' });
  });

  it('is a beginning of the whole, wherever it is cut', async () => {
    const cell = fc.constantFrom('1', 'x', '"a\nb"', '"q""q"', 'ü€', '');
    const rows = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(rows, fc.constantFrom('\n', '\r\n', '\r'), fc.nat(200), async (cells, end, bytes) => {
        const text = [['k1', 'k2'], ...cells].map((row) => row.join(',')).join(end);
        const options = { types: 'string' } as const;
        const whole = JSON.parse(await jsonText(await convertBytes('a.csv', text, options)));
        const part = await headValue('a.csv', text, bytes, options);
        expect(whole.slice(0, part.length)).toEqual(part);
      }),
      { numRuns: runs(200) },
    );
  });
});
