/** CSV against other readers: csv-spectrum's expectations, and papaparse on arbitrary tables. */

import spectrum from 'csv-spectrum';
import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../shared/lib/fixtures/property-runs.ts';
import { convert } from '../convert/convert.ts';
import { chunkedSource, jsonText, parsedOf, testBounds } from '../fixtures/conversion-fixture.ts';
import { besidePapaparse, papaparseLetters } from './papaparse-fixture.ts';

const samples = await new Promise<Parameters<Parameters<typeof spectrum>[0]>[1]>((resolve, reject) => {
  spectrum((error, data) => (error ? reject(error) : resolve(data)));
});

describe('csv-spectrum, with every cell as text', () => {
  it('has its twelve files', () => expect(samples).toHaveLength(12));

  it.each(samples.filter(({ name }) => name !== 'location_coordinates').map(({ name, csv, json }) => [name, csv, json] as const))(
    '%s',
    async (_, csv, json) => {
      expect(await parsedOf('a.csv', csv, { types: 'string' })).toEqual(JSON.parse(new TextDecoder().decode(json)));
    },
  );

  /** Its expectation is one object instead of a list, with a telephone number that the CSV does not hold. */
  it('location_coordinates, whose expectation belongs to another file', async () => {
    const sample = samples.find(({ name }) => name === 'location_coordinates');
    expect(await parsedOf('a.csv', sample?.csv ?? '', { types: 'string' })).toEqual([
      {
        'Contact Phone Number': '2095257564',
        'Location Coordinates': `37\ufffd36'37.8"N 121\ufffd2'17.9"W`,
        Cities: 'Modesto',
        Counties: 'Stanislaus',
      },
    ]);
  });
});

const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', '1', ',', ';', '"', '\n', '\r', ' ', '\t', 'ä', '😀', '\\', '|'), maxLength: 6 }),
  fc.constantFrom('', '0', '007', 'true', '""', ' x '),
);

describe('papaparse', () => {
  const table = fc
    .integer({ min: 1, max: 4 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }));

  it.each([
    [',', '\n'],
    [';', '\r\n'],
    ['\t', '\r'],
    ['|', '\n'],
  ])('what it writes with %j and %j reads back the same, at any chunking', async (delimiter, newline) => {
    await fc.assert(
      fc.asyncProperty(table, fc.boolean(), fc.integer({ min: 1, max: 9 }), async (rows, quotes, size) => {
        // A row of one empty cell is a blank line unless it is quoted, and a mark at the start is no text.
        const file = Papa.unparse(rows, { delimiter, newline, quotes: quotes || rows[0]?.length === 1 });
        const source = chunkedSource('a.csv', file, [size]);
        const conversion = await convert(source, { bounds: testBounds, header: false, types: 'string', delimiter });
        expect(JSON.parse(await jsonText(conversion))).toEqual(rows);
      }),
      { numRuns: runs(150) },
    );
  });

  it('reads any other text the same way, but for six arguable things', async () => {
    const text = fc.string({ unit: fc.constantFrom(...papaparseLetters), maxLength: 24 });
    const seen = { equal: 0, refused: 0, unclear: 0 };
    await fc.assert(
      fc.asyncProperty(text, async (file) => {
        const outcome = await besidePapaparse(file);
        expect(outcome).toBeOneOf(['equal', 'refused', 'unclear']);
        seen[outcome as keyof typeof seen] += 1;
      }),
      { numRuns: runs(2000), seed: 1 },
    );
    expect(seen.equal).toBeGreaterThan(runs(100));
    expect(seen.refused).toBeGreaterThan(runs(100));
  });
});
