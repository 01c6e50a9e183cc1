/** Files made to hurt: each is read, or refused with a clear error, in time that grows with its size. */
import { describe, expect, it } from 'vitest';
import { convertBytes, failureOf, jsonText, testBounds } from './fixtures/conversion-fixture.ts';

const MB = 1_000_000;

describe('CSV', () => {
  it('1 MB of commas as a header, and 5 MB as a row', async () => {
    const bounds = { ...testBounds, maxColumns: 2 * MB };
    const { records, outputBytes, columns } = (await convertBytes('a.csv', Buffer.alloc(MB, ','), { bounds })).report;
    expect({ records, outputBytes, columns: columns?.length }).toEqual({ records: 0, outputBytes: 2, columns: MB + 1 });

    const row = Buffer.concat([Buffer.from('a,b\n'), Buffer.alloc(5 * MB, ',')]);
    expect((await failureOf('a.csv', row)).message).toContain('at line 2');
    const kept = await convertBytes('a.csv', row, { ragged: 'keep' });
    expect(kept.bytes).toBe('[{"a":null,"b":null,"_extra":[]}]'.length + 3 * (5 * MB - 1) - 1);
  });

  it('5 MB of short rows', async () => {
    const { records } = await convertBytes('a.csv', `a,b\n${',\n'.repeat(2.5 * MB)}`);
    expect(records).toBe(2.5 * MB);
  });

  it('100,000 columns, all of one name', async () => {
    const wide = Array(100_000).fill('c');
    const conversion = await convertBytes('a.csv', `${wide.join(',')}\n${wide.join(',')}\n`);
    expect(Object.keys(JSON.parse(await jsonText(conversion))[0])).toHaveLength(100_000);
    expect(conversion.report.columns?.at(-1)?.name).toBe('c_100000');
  });

  it('more columns than the bound', async () => {
    for (const text of [
      Buffer.alloc(5 * MB, ','),
      `${','.repeat(2 * MB)}\n${','.repeat(2 * MB)}\n`,
      `a${',b'.repeat(200_000)}`,
    ]) {
      const error = await failureOf('a.csv', text);
      expect(error).toMatchObject({ code: 'FILE_TOO_LARGE', details: { setting: 'maxColumns' } });
      expect(error.hint).toContain('limits.maxColumns');
    }
  });

  it('a header that no memory should hold', async () => {
    const error = await failureOf('a.csv', Buffer.alloc(2 * MB, ','), { bounds: { ...testBounds, maxFileBytes: MB } });
    expect(error.code).toBe('FILE_TOO_LARGE');
    expect(error.hint).toContain('limits.maxFileBytes');
  });

  it('one cell of 50 MB', async () => {
    const field = Buffer.alloc(50 * MB, 'x y ');
    const { bytes, records } = await convertBytes('a.csv', Buffer.concat([Buffer.from('a\n"'), field, Buffer.from('"\n')]));
    expect({ bytes, records }).toEqual({ bytes: 50 * MB + '[{"a":""}]'.length, records: 1 });
  });

  it('a quote that never closes', async () => {
    const error = await failureOf('a.csv', Buffer.concat([Buffer.from('a\n1\n"'), Buffer.alloc(5 * MB, 'x,\n')]));
    expect(error.message).toBe('Failed to parse CSV file: a quote is opened and never closed at line 3, column 1');
  });

  it('nothing but quotes', async () => {
    const { records } = await convertBytes('a.csv', Buffer.alloc(4 * MB, '"'), { header: false });
    expect(records).toBe(1);
  });
});

describe('JSON', () => {
  it('one string, one number and one array of many megabytes', async () => {
    for (const [open, fill, close] of [
      ['"', 'x', '"'],
      ['', '1', ''],
      ['[', '0,', '0]'],
    ] as const) {
      const file = Buffer.concat([Buffer.from(open), Buffer.alloc(8 * MB, fill), Buffer.from(close)]);
      expect((await convertBytes('a.json', file)).bytes).toBe(file.length);
    }
  });

  it('white space alone', async () => {
    expect((await failureOf('a.json', Buffer.alloc(5 * MB, ' '))).message).toContain('the file is empty');
  });
});
