/** Archives that are damaged, lie about their size, or have a program in front. */
import { describe, expect, it } from 'vitest';
import { convert } from '../convert/convert.ts';
import { chunkedSource, failureOf, parsedOf, testBounds } from '../fixtures/conversion-fixture.ts';
import { openZip } from './zip.ts';
import { zipOf } from './zip-fixture.ts';

const table = 'id,amount\n1,100\n';
const archive = (stored: boolean) => zipOf([{ name: 'a.csv', content: table, stored }]);
const entry = { entry: 'a.csv' };

it('a directory beyond the end is never asked for', async () => {
  const moved = Buffer.concat([archive(false)]);
  moved.writeUInt32LE(90_000, moved.length - 6);
  const source = chunkedSource('a.zip', moved);
  const asked: number[] = [];
  const readFrom: NonNullable<typeof source.readFrom> = (offset, ...rest) => {
    asked.push(offset);
    return (source.readFrom as NonNullable<typeof source.readFrom>)(offset, ...rest);
  };
  await expect(convert({ ...source, readFrom }, { bounds: testBounds })).rejects.toMatchObject({ code: 'PARSE_FAILED' });
  expect(Math.max(...asked)).toBeLessThan(moved.length);
});

describe('an entry', () => {
  it('with another byte than was packed is refused', async () => {
    const damaged = archive(true);
    damaged[damaged.indexOf('100')] = '9'.charCodeAt(0);
    expect((await failureOf('a.zip', damaged, entry)).message).toMatch(/'a\.csv' in it is damaged: its checksum is wrong/);
  });

  it('of a workbook too', async () => {
    const workbook = zipOf([{ name: 'xl/workbook.xml', content: '<workbook><sheets/></workbook>', stored: true }]);
    workbook[workbook.indexOf('sheets')] = 'S'.charCodeAt(0);
    expect((await failureOf('a.xlsx', workbook)).message).toMatch(/checksum/);
  });

  it('that is longer than the directory says is given up at that size', async () => {
    const bomb = zipOf([{ name: 'a.csv', content: 'a\n'.repeat(5_000_000), size: 100 }]);
    let read = 0;
    const broken = (reason: { code: string }) => Object.assign(new Error(reason.code), { code: reason.code }) as never;
    const opened = await openZip(chunkedSource('a.zip', bomb), {
      directoryBytes: 1e6,
      entryBytes: 1e9,
      tooLarge: () => broken({ code: 'size' }),
      broken,
    });
    const unpack = async () => {
      for await (const chunk of opened.read([...opened.entries.values()][0] as never)) read += chunk.length;
    };
    await expect(unpack()).rejects.toThrow('zip.size');
    expect(read).toBeLessThan(1_000_000);
  });
});

it.each([true, false])('an archive with a program in front is read, stored: %s', async (stored) => {
  const program = Buffer.from('MZ a program that unpacks itself');
  expect(await parsedOf('a.zip', Buffer.concat([program, archive(stored)]), entry)).toEqual([{ id: 1, amount: 100 }]);
});
