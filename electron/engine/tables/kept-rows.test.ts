/** Rows kept in compact form are the rows that were read. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../shared/lib/fixtures/property-runs.ts';
import { jsonOf, testBounds } from '../fixtures/conversion-fixture.ts';
import { KeptRows, type WrittenColumn } from './kept-rows.ts';
import { BOOLEAN, type Cell, JSON_VALUE, NUMBER, type SheetRow, TEXT } from './sheet.ts';
import { rowOf, workbookOf } from './workbook-fixture.ts';

const content = fc.oneof<fc.Arbitrary<Omit<Cell, 'column'>>[]>(
  fc.string({ unit: 'binary', maxLength: 300 }).map((value) => ({ kind: TEXT, value })),
  fc.string({ maxLength: 20 }).map((value) => ({ kind: TEXT, value })),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => ({ kind: NUMBER, value: JSON.stringify(value) })),
  fc.boolean().map((value) => ({ kind: BOOLEAN, value: String(value) })),
  fc.jsonValue({ maxDepth: 1 }).map((value) => ({ kind: JSON_VALUE, value: JSON.stringify([value, 'ü']) })),
  fc.nat(99_999).map((value) => ({ kind: TEXT, value: String(value).padStart(5, '0'), number: String(value) })),
  fc.constantFrom('day' as const, 'time' as const).map((date) => ({ kind: TEXT, value: '2024-01-31', date })),
);
const rows = fc
  .array(
    fc.tuple(
      fc.integer({ min: 1, max: 70_000 }),
      fc.array(fc.tuple(fc.integer({ min: 1, max: 300 }), content), { maxLength: 8 }),
    ),
    {
      maxLength: 12,
    },
  )
  .map((list) => {
    let row = 100;
    return list.map(([down, cells]): SheetRow => {
      row = Math.max(0, row + down);
      let column = -1;
      return {
        row,
        cells: cells.map(([right, cell]) => {
          column += right;
          return { column, ...cell };
        }),
      };
    });
  });

const keptOf = (list: readonly SheetRow[]): KeptRows => {
  const kept = new KeptRows();
  for (const each of list) kept.add(each);
  return kept;
};

it('rows are given back as they were', () => {
  fc.assert(
    fc.property(rows, (list) => {
      const back = [...keptOf(list).rows()].flat();
      expect(JSON.parse(JSON.stringify(back))).toEqual(JSON.parse(JSON.stringify(list)));
    }),
    { numRuns: runs(300) },
  );
});

it('records are the JSON of the rows below the header, with a blank for each cell that is not there', () => {
  fc.assert(
    fc.property(rows, fc.boolean(), fc.nat(2), (list, keyed, skipped) => {
      const ats = [...new Set(list.flatMap(({ cells }) => cells.map(({ column }) => column)))].sort((a, b) => a - b);
      const columns = ats.map(
        (at, i): WrittenColumn => ({
          at,
          key: (i === 0 ? '' : ',') + (keyed ? `"c${at}":` : ''),
          asText: true,
          hasTimes: i % 2 === 0,
          isBoolean: false,
          keepsJson: i % 3 === 0,
          blank: 'null',
        }),
      );
      const chunks = [...keptOf(list).elements(columns, { keyed, skipped })];
      const json = `[${chunks.map(({ data }) => Buffer.from(data).toString()).join(',')}]`;
      const expected = list.slice(skipped).map(({ cells }) => {
        const values = columns.map(({ at, hasTimes, keepsJson }) => {
          const cell = cells.find(({ column }) => column === at);
          if (cell === undefined) return null;
          if (cell.kind === JSON_VALUE && keepsJson) return JSON.parse(cell.value) as unknown;
          return hasTimes && cell.date === 'day' ? `${cell.value}T00:00:00` : cell.value;
        });
        return keyed ? Object.fromEntries(values.map((value, i) => [`c${ats[i]}`, value])) : values;
      });
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(expected)));
      expect(chunks.flatMap(({ lines }) => [...(lines ?? [])])).toEqual(list.slice(skipped).map(({ row }) => row + 1));
    }),
    { numRuns: runs(300) },
  );
});

describe('a table that is too large to be kept', () => {
  it('is read again, with the same result', async () => {
    const data = Array.from({ length: 60_000 }, (_, i) => rowOf(i, `name "${i}"`, i % 3 === 0 ? null : i / 4)).join('');
    const book = workbookOf({ sheets: [{ name: 'S', data: rowOf('id', 'name', 'part') + data }] });
    const small = { ...testBounds, keptBytes: 1024 };
    const transform = { offset: 59_998 };
    const kept = await jsonOf('a.xlsx', book, { transform });
    expect(kept).toBe(
      '[{"id":59998,"name":"name \\"59998\\"","part":14999.5},{"id":59999,"name":"name \\"59999\\"","part":14999.75}]',
    );
    expect(await jsonOf('a.xlsx', book, { transform, bounds: small })).toBe(kept);
  });
});
