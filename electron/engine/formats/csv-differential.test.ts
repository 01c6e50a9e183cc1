/** CSV against other readers: csv-spectrum's expectations, and papaparse on arbitrary tables. */

import spectrum from 'csv-spectrum';
import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { chunkedSource, failureOf, jsonText, parsedOf, testBounds } from '../conversion-fixture.ts';
import { convert } from '../convert.ts';

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
      { numRuns: 150 },
    );
  });

  /**
   * On text that no writer made, the two disagree in these ways only, each of them argued:
   * 1. text after a closing quote: papaparse goes on as if the quote had been doubled and reports it aside; here it is an
   *    error, since nobody can know where the cell was meant to end;
   * 2. an unclosed quote: papaparse gives the rest of the file as one cell and reports it aside; here it is an error;
   * 3. blanks after a closing quote: papaparse drops spaces there, but not at the end of the file, and no tabs; here all
   *    of them are dropped;
   * 4. lines of mixed kinds: papaparse settles on one line end for the file; here each line ends as it ends.
   */
  it('reads any other text the same way, but for four arguable things', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ',', '"', '\n', ' '), maxLength: 24 });
    let compared = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(text, async (file) => {
        fc.pre(!/" +$/.test(file));
        const theirs = Papa.parse<string[]>(file, { delimiter: ',', newline: '\n', skipEmptyLines: false });
        const options = { header: false, types: 'string', delimiter: ',', ragged: 'keep' } as const;
        if (theirs.errors.some(({ type }) => type === 'Quotes')) {
          expect((await failureOf('a.csv', file, options)).message).toMatch(/quote/);
          refused++;
          return;
        }
        const rows = theirs.data.filter((row, i) => row.length > 1 || row[0] !== '' || isQuotedEmpty(file, theirs.data, i));
        const width = rows[0]?.length ?? 0;
        const padded = rows.map((row) => [...row, ...Array(Math.max(0, width - row.length)).fill(null)]);
        expect(await parsedOf('a.csv', file, options)).toEqual(padded);
        compared++;
      }),
      { numRuns: 2000 },
    );
    expect(compared).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(100);
  });
});

/** Whether row `i`, one empty cell, is `""` in the file: papaparse does not tell that from a blank line. */
function isQuotedEmpty(file: string, rows: readonly string[][], i: number): boolean {
  const text = Papa.parse<string[]>(file, { delimiter: ',', newline: '\n', preview: i + 1 });
  const end = text.meta.cursor;
  const start = i === 0 ? 0 : Papa.parse<string[]>(file, { delimiter: ',', newline: '\n', preview: i }).meta.cursor;
  return rows[i]?.length === 1 && file.slice(start, end).includes('"');
}
