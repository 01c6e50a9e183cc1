import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../shared/lib/fixtures/property-runs.ts';
import { shortenRecord } from './shorten-record.ts';

function shortened(text: string): string {
  // Among neighbours, as records are.
  const bytes = Buffer.from(`[${text},${text}]`);
  return shortenRecord(bytes, 1, 1 + Buffer.byteLength(text));
}

const long = 'ä"\\\n😀'.repeat(200);

describe('a record in a row', () => {
  it('is itself where it is not long', () => {
    for (const text of ['1', '"x"', '{"id":12345678901234567890,"a":[1, 2]}', '[]', 'null', '{"a":1.50}']) {
      expect(shortened(text)).toBe(text);
    }
  });

  it('keeps every member, with the long ones cut', () => {
    const record = { first: 1, text: long, nested: [{ deep: long }], empty: '', [long]: true, last: 'z' };
    const row = JSON.parse(shortened(JSON.stringify(record)));
    expect(Object.keys(row)).toHaveLength(6);
    expect(row).toMatchObject({ first: 1, empty: '', last: 'z' });
    expect(row.text).toMatch(/^ä"\\\n😀ä.*…$/s);
    expect(row.nested).toMatch(/^\[\{"deep":"ä.*…$/s);
  });

  it('is valid JSON wherever it is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 10 }),
        fc.string({ unit: 'binary', maxLength: 800 }),
        (values, text) => {
          const record = JSON.stringify([...values, text, text.repeat(3), { [text]: values }]);
          const row = JSON.parse(shortened(record));
          expect(row).toHaveLength(values.length + 3);
          if (Buffer.byteLength(record) <= 2048) expect(shortened(record)).toBe(record);
        },
      ),
      { numRuns: runs(100) },
    );
  });

  it('is only begun where it is huge', () => {
    expect(shortened(JSON.stringify({ a: 'x'.repeat(2_000_000), b: 1 })).length).toBeLessThan(500);
    const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`column ${i}`, i])));
    const row = JSON.parse(shortened(wide));
    expect(Object.keys(row).length).toBeGreaterThan(1_000);
    expect(JSON.stringify(row).length).toBeLessThan(70_000);
  });
});
