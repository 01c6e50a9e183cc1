// @vitest-environment happy-dom

import { afterEach, describe, expect, it } from 'vitest';
import type { Column } from '../../shared/model/conversion.ts';
import { cleanup, render, screen } from './fixtures/testing-library.ts';
import { recordCells } from './json-text.ts';
import { Cell, cellOf, recordColumns } from './records.tsx';

afterEach(cleanup);

const column = (name: string, type: Column['type']): Column => ({ name, type, decidedBy: 'data', empty: 0 });

function table(columns: Column[] | null, ...rows: string[]) {
  const records = rows.map(recordCells);
  const found = recordColumns(columns, records, 'Value');
  return {
    found,
    names: found.map(({ name }) => name),
    cells: records.map((record) => found.map((each) => cellOf(record, each))),
  };
}

describe('columns of records', () => {
  it('are those the file names, in its order', () => {
    const { names, cells, found } = table([column('zip', 'string'), column('age', 'number')], '{"age":7,"zip":"01067"}');
    expect(names).toEqual(['zip', 'age']);
    expect(cells).toEqual([['"01067"', '7']]);
    expect(found.map(({ numeric }) => numeric)).toEqual([false, true]);
  });

  it('stand by place where a table has no header', () => {
    const { names, cells } = table([column('column_1', 'number'), column('column_2', 'string')], '[1,"a"]', '[2,"b"]');
    expect(names).toEqual(['column_1', 'column_2']);
    expect(cells).toEqual([
      ['1', '"a"'],
      ['2', '"b"'],
    ]);
  });

  it('are all that occur where records differ', () => {
    const { names, cells } = table(null, '{"a":1}', '{"b":2,"a":null}', '3');
    expect(names).toEqual(['a', 'b', 'Value']);
    expect(cells).toEqual([
      ['1', undefined, undefined],
      ['null', '2', undefined],
      [undefined, undefined, '3'],
    ]);
  });

  it('take in cells beyond the header', () => {
    expect(table([column('a', 'number')], '{"a":1,"_extra":["x"]}').names).toEqual(['a', '_extra']);
  });

  it('number the places of lists without names', () => expect(table(null, '[1,2]', '[1,2,3]').names).toEqual(['1', '2', '3']));

  it('are known before any row came', () => expect(table([column('a', 'number')]).names).toEqual(['a']));

  it('are wide enough for what is in them, within bounds', () => {
    const [narrow, wide] = table(null, `{"a":1,"b":"${'long '.repeat(100)}"}`).found;
    expect(narrow?.width).toBeLessThan(100);
    expect(wide?.width).toBe(340);
  });
});

describe('Cell', () => {
  it.each([
    ['"Ada"', 'Ada', 'text'],
    ['""', '""', 'empty'],
    ['12345678901234567890', '12345678901234567890', 'number'],
    ['true', 'true', 'boolean'],
    ['null', 'null', 'null'],
    ['{"a":1}', '{"a":1}', 'nested'],
  ])('shows %s as %s', (cell, text, kind) => {
    render(<Cell cell={cell} />);
    expect(screen.getByText(text).dataset.kind).toBe(kind);
  });

  it('cuts long text, and has more of it in its title', () => {
    const { container } = render(<Cell cell={JSON.stringify('x'.repeat(3000))} />);
    expect(container.textContent).toBe(`${'x'.repeat(400)}…`);
    expect(container.querySelector('.cell')?.getAttribute('title')).toHaveLength(2000);
  });

  it('names characters that cannot be seen where it is asked to', () => {
    const { container } = render(<Cell cell={'"a\\u202Eb"'} visible />);
    expect(container.textContent).toContain('U+202E');
  });

  it('shows nothing for what a record does not have', () => {
    expect(render(<Cell cell={undefined} />).container.textContent).toBe('');
  });
});
