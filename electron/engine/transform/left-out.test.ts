/** Empty cells of columns that a tool takes as absent and not as null. */
import { describe, expect, it } from 'vitest';
import { convertBytes, jsonText, parsedOf } from '../fixtures/conversion-fixture.ts';
import { rowOf, workbookOf } from '../tables/workbook-fixture.ts';

const properties = {
  id: { type: 'integer' },
  age: { type: 'number' },
  mail: { type: 'string' },
  note: { type: ['string', 'null'] },
};
const placeWith = (required: readonly string[]) => ({
  inputSchema: { type: 'object', properties: { rows: { type: 'array', items: { type: 'object', properties, required } } } },
  segments: ['rows'],
});
const place = placeWith(['id']);
const csv = 'id,age,mail,note,more\n1,,,,\n2,30,a@b,x,y\n';
const found = [
  { id: 1, note: null, more: null },
  { id: 2, age: 30, mail: 'a@b', note: 'x', more: 'y' },
];

describe('an empty cell', () => {
  it('is left out where the schema lets it be absent and not null', async () => {
    expect(await parsedOf('a.csv', csv, { place })).toEqual(found);
    expect(await parsedOf('a.csv', 'id,age\n1\n2,30\n', { place })).toEqual([{ id: 1 }, { id: 2, age: 30 }]);
    const sheet = rowOf('id', 'age', 'mail') + rowOf(1) + rowOf(2, 30, 'a@b');
    const book = workbookOf({ sheets: [{ name: 'S', data: sheet }] });
    expect(await parsedOf('a.xlsx', book, { place })).toEqual([{ id: 1 }, { id: 2, age: 30, mail: 'a@b' }]);
  });

  it('stays where it is required, where nothing is wanted, and in lists', async () => {
    expect(await parsedOf('a.csv', csv, { place: placeWith(['id', 'age', 'mail']) })).toEqual([
      { id: 1, age: null, mail: null, note: null, more: null },
      found[1],
    ]);
    expect(await parsedOf('a.csv', csv)).toEqual([{ id: 1, age: null, mail: null, note: null, more: null }, found[1]]);
    expect(await parsedOf('a.csv', '1,\n', { place, header: false })).toEqual([[1, null]]);
  });

  it('goes by the name after rename, and all chunks of a big table hold what they held', async () => {
    const transform = { rename: { alter: 'age' } };
    expect(await parsedOf('a.csv', 'id,alter\n1,\n2,3\n', { place, transform })).toEqual([{ id: 1 }, { id: 2, age: 3 }]);
    const rows = Array.from({ length: 40_000 }, (_, id) => (id % 3 === 0 ? { id } : { id, age: id }));
    const text = `id,age\n${rows.map(({ id, age }: { id: number; age?: number }) => `${id},${age ?? ''}`).join('\n')}\n`;
    const conversion = await convertBytes('a.csv', Buffer.from(text), { place });
    expect(JSON.parse(await jsonText(conversion))).toEqual(rows);
    const half = [];
    for await (const { data } of conversion.elements({ start: 20_000 })) half.push(Buffer.from(data).toString());
    expect(JSON.parse(`[${half.join(',')}]`)).toEqual(rows.slice(20_000));
    expect(await conversion.locate([20_000])).toMatchObject({ line: 20_002 });
  });
});
