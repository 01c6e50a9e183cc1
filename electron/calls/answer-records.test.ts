import { describe, expect, it } from 'vitest';
import { answerTable, dataIn } from './answer-records.ts';

const rows = [
  { id: 1, name: 'a' },
  { id: 2, name: 'b' },
];
const placeOf = (value: unknown, wanted?: string) => {
  const found = answerTable(value, wanted);
  if (found === undefined) return undefined;
  return 'several' in found ? found.several : found.at.join('.');
};

describe('the table of an answer', () => {
  it.each([
    ['is the answer itself', rows, ''],
    ['is a member', { rows, total: 2 }, 'rows'],
    ['is found at any depth', { result: { page: { items: rows } } }, 'result.page.items'],
    ['is the least deep list where none is longer', { rows, meta: { columns: [{ name: 'id', type: 'int' }] } }, 'rows'],
    ['is not chosen among lists at one depth', { rows, errors: rows }, ['rows', 'errors']],
    ['is not chosen where a deeper list is longer', { errors: [{ at: 1 }], result: { rows } }, ['result.rows', 'errors']],
    ['is empty where the only list is', { rows: [], total: 0 }, 'rows'],
    ['is the list with records where others are empty', { rows, errors: [] }, 'rows'],
    ['may be a list of lists', { columns: ['a', 'b'], values: [[1, 2]] }, 'values'],
    ['is missing in plain values', { ok: true }, undefined],
  ])('%s', (_, value, place) => {
    expect(placeOf(value)).toEqual(place);
  });

  it('is at the place that is asked for', () => {
    expect(placeOf({ rows, errors: rows }, 'errors')).toBe('errors');
    expect(placeOf({ a: [{ rows }] }, 'a[0].rows')).toBe('a.0.rows');
    expect(placeOf({ rows }, 'items')).toBeUndefined();
  });

  it('takes the names of its columns from a list beside it', () => {
    expect(answerTable({ columns: ['a', 'b'], rows: [[1, 2]] })).toMatchObject({ columns: ['a', 'b'], named: true });
    expect(answerTable({ fields: [{ name: 'a' }, { name: 'b' }], rows: [[1, 2]] })).toMatchObject({ columns: ['a', 'b'] });
    expect(answerTable({ columns: ['a'], rows: [[1, 2]] })).toMatchObject({ named: false });
  });

  it('says what it leaves out', () => {
    expect(answerTable({ rows, meta: { columns: [{ name: 'id' }] } })).toMatchObject({ besides: ['meta.columns'] });
  });
});

describe('the data in a text', () => {
  it.each([
    ['JSON', '[{"id":1,"name":"a"},{"id":2,"name":"b"}]'],
    ['JSON after a sentence', 'Found 2 rows:\n[{"id":1,"name":"a"},{"id":2,"name":"b"}]'],
    ['JSON on the line of the sentence', 'Rows: [{"id":1,"name":"a"},{"id":2,"name":"b"}]'],
    ['JSON between sentences with brackets', 'See [1].\n[{"id":1,"name":"a"},\n{"id":2,"name":"b"}]\nDone [ok].'],
    ['JSON in a fence', '```json\n[\n  {"id":1,"name":"a"},\n  {"id":2,"name":"b"}\n]\n```'],
    ['JSON in a JSON string', JSON.stringify('Result: \n[{"id":1,"name":"a"},{"id":2,"name":"b"}]')],
    ['JSON Lines', '{"id":1,"name":"a"}\n{"id":2,"name":"b"}\n'],
  ])('may be %s', (_, text) => {
    expect(answerTable(dataIn(text))).toMatchObject({ records: rows });
  });

  it('may be a Markdown table, whose cells are texts', () => {
    const table = 'Users:\n\n| id | name |\n| --- | :---: |\n| 1 | a \\| b |\n| 2 |  |\n\nThat is all.';
    expect(dataIn(table)).toEqual([
      { id: '1', name: 'a | b' },
      { id: '2', name: '' },
    ]);
    expect(dataIn('| a | a |\n|---|---|\n| 1 | 2 |')).toEqual([{ a: '1', a_2: '2' }]);
  });

  it.each(['No rows, sorry.', '', '- a\n- b', 'a | b, or c', '{"id":'])('is missing in %j', (text) => {
    expect(dataIn(text)).toBeUndefined();
  });

  it('is looked for in reasonable time', () => {
    expect(dataIn('[{'.repeat(50_000))).toBeUndefined();
    expect(dataIn('[{\n'.repeat(50_000))).toBeUndefined();
    expect(dataIn('| --- '.repeat(20_000))).toBeUndefined();
  });
});
