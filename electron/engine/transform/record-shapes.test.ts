/** Types of columns in files whose values have types, and empty cells of columns that a tool takes as absent and not as null. */
import { describe, expect, it } from 'vitest';
import { convert } from '../convert/convert.ts';
import { chunkedSource, convertBytes, failureOf, jsonText, parsedOf, testBounds } from '../fixtures/conversion-fixture.ts';
import { rowOf, workbookOf } from '../tables/workbook-fixture.ts';

const records = {
  'a.json': '[{"zip": 80331, "n": "1.50", "ok": "TRUE", "x": {"zip": 1}}, {"zip": null, "n": 2, "ok": false, "x": []}]',
  'a.jsonl': '{"zip": 80331, "n": "1.50", "ok": "TRUE", "x": {"zip": 1}}\n{"zip": null, "n": 2, "ok": false, "x": []}\n',
  'a.yaml': '- zip: 80331\n  n: "1.50"\n  ok: "TRUE"\n  x: {zip: 1}\n- zip: null\n  n: 2\n  ok: false\n  x: []\n',
};

describe.each(Object.entries(records))('records of %s', (name, text) => {
  it('have the types that are asked for', async () => {
    expect(await parsedOf(name, text, { types: { zip: 'string', n: 'number', ok: 'boolean', x: 'string' } })).toEqual([
      { zip: '80331', n: 1.5, ok: true, x: { zip: 1 } },
      { zip: null, n: 2, ok: false, x: [] },
    ]);
    expect(await parsedOf(name, text, { types: 'string' })).toMatchObject([
      { zip: '80331', n: '1.50' },
      { n: '2', ok: 'false' },
    ]);
  });

  it('are refused where a value does not fit, or no record has the column', async () => {
    expect(await failureOf(name, text.replace('1.50', 'many'), { types: { n: 'number' } })).toMatchObject({
      code: 'PARSE_FAILED',
      message: expect.stringMatching(/^Record 1( \(line \d\))?: column 'n' is not a number \("many"\)$/),
    });
    expect(await failureOf(name, text, { types: { postcode: 'string' } })).toMatchObject({
      code: 'INVALID_REQUEST',
      hint: expect.stringContaining('zip'),
    });
  });

  it('go by their names in the file before a transform', async () => {
    const transform = { rename: { zip: 'postcode' }, select: ['zip'] };
    expect(await parsedOf(name, text, { types: { zip: 'string' }, transform })).toEqual([
      { postcode: '80331' },
      { postcode: null },
    ]);
  });
});

it('one object is a record, and another value is none', async () => {
  expect(await parsedOf('a.json', '{"zip": 80331, "n": 1}', { types: { zip: 'string' } })).toEqual({ zip: '80331', n: 1 });
  expect(await parsedOf('a.toml', 'zip = 80331\nn = 1\n', { types: { zip: 'string' } })).toEqual({ zip: '80331', n: 1 });
  expect(await failureOf('a.json', '5', { types: { zip: 'string' } })).toMatchObject({ code: 'INVALID_REQUEST' });
});

it('the same chunks of a big list give the same records', async () => {
  const text = `[${Array.from({ length: 30_000 }, (_, id) => `{"id": ${id}, "name": "n${id}"}`).join(',\n')}]`;
  const conversion = await convert(chunkedSource('a.json', text, [1000]), { bounds: testBounds, types: { id: 'string' } });
  const found = JSON.parse(await jsonText(conversion));
  expect(found).toEqual(Array.from({ length: 30_000 }, (_, id) => ({ id: String(id), name: `n${id}` })));
  expect(await conversion.locate([20_000])).toMatchObject({ line: 20_001 });
});

describe('what the tool wants as a text', () => {
  const rows = { type: 'array', items: { type: 'object', properties: { zip: { type: 'string' }, n: { type: 'number' } } } };
  const schema = { type: 'object', properties: { rows, config: rows.items } };
  const list = { inputSchema: schema, segments: ['rows'] };
  const config = { inputSchema: schema, segments: ['config'] };

  it.each([
    ['a.yaml', '- zip: 01067\n  n: 1\n- zip: 80331\n  n: 2\n'],
    ['a.yaml', '- {zip: 01067, n: 1}\n- {zip: 80331, n: 2}\n'],
    ['a.yaml', '- &a\n  zip: 01067\n  n: 1\n- <<: *a\n  zip: 80331\n  n: 2\n'],
  ])('is as it is written: %s %j', async (name, text) => {
    expect(await parsedOf(name, text, { place: list })).toEqual([
      { zip: '01067', n: 1 },
      { zip: '80331', n: 2 },
    ]);
    expect((await convertBytes(name, Buffer.from(text), { place: list })).report.warnings).toEqual([]);
  });

  it.each([
    ['a.yaml', 'zip: 0e12345\nn: 1\n'],
    ['a.yaml', '{zip: 0e12345, n: 1}\n'],
  ])('is as it is written in one object: %s %j', async (name, text) => {
    expect(await parsedOf(name, text, { place: config })).toEqual({ zip: '0e12345', n: 1 });
    expect(await parsedOf(name, text, { types: { zip: 'string' } })).toEqual({ zip: '0e12345', n: 1 });
  });

  it('is a text in TOML and after an expression, and JSON stays as it is', async () => {
    expect(await parsedOf('a.toml', 'zip = 80331\n', { place: config })).toEqual({ zip: '80331' });
    const transform = { expression: '$.{"zip": id, "n": id}' };
    expect(await parsedOf('a.csv', 'id\n1\n2\n', { place: list, transform })).toEqual([
      { zip: '1', n: 1 },
      { zip: '2', n: 2 },
    ]);
    expect(await parsedOf('a.json', '[{"zip": 1}]', { place: list })).toEqual([{ zip: 1 }]);
  });

  it('goes by the name after rename', async () => {
    const transform = { rename: { plz: 'zip' } };
    expect(await parsedOf('a.yaml', '- plz: 01067\n', { place: list, transform })).toEqual([{ zip: '01067' }]);
  });
});

describe('YAML that may lose something', () => {
  const warningsOf = async (text: string) =>
    (await convertBytes('a.yaml', Buffer.from(text))).report.warnings.map(({ message }) => message);

  it.each([
    ['zip: 01067\n', /^1 unquoted value .* \(such as zip: 01067, which became 1067\).*types: \{"zip": "string"\}/],
    ['v: 1.10\nsha: 1234e8\nzip: 01067\nplz: 01069\n', /^3 unquoted values .*\(such as zip: 01067/],
    ['tel: +4930123456\n', /tel: \+4930123456, which became 4930123456/],
    ['- sha: 1234e8\n- sha: 0e12345\n', /^2 unquoted values .*sha: 1234e8/],
    ['"a b": &x 0644\nc: *x\n', /a b: 0644, which became 644/],
  ])('names a value that may be a code, one with a leading zero first: %j', async (text, says) => {
    expect(await warningsOf(text)).toEqual([expect.stringMatching(says)]);
  });

  it.each([
    'a: 10\nb: 1.5\nc: 1.0\nd: 0\ne: 0.5\nf: 0o17\ng: 0x1F\nh: 1e3x\ni: "01067"\nj: 1.5e3\n',
    'mac: 12:34\n',
    'v: 1.10\nw: [12.10]\nx: +15\n',
  ])('says nothing of %j', async (text) => {
    expect(await warningsOf(text)).toEqual([]);
  });

  it('says that version 1.1 is read as 1.2, and reads numbers by their tag', async () => {
    expect(await warningsOf('%YAML 1.1\n---\na: yes\n')).toEqual([expect.stringMatching(/YAML 1\.1, and was read as YAML 1\.2/)]);
    expect(await jsonText(await convertBytes('a.yaml', Buffer.from('f: !!float 1\nt: !!str 007\ni: !!int "3"\n')))).toBe(
      '{"f":1,"t":"007","i":3}',
    );
  });

  it.each([
    ['msg: error: not found\n', /a value holds a colon.*line 1/, /quotes/],
    ['a:\n\t- 1\n', /tab/, undefined],
    ['a: @b\n', /needs quotes/, undefined],
    ['a: "\\q"\n', /escape/, undefined],
    ['a: "b\n', /missing/, undefined],
  ])('is refused in our words: %j', async (text, message, hint) => {
    const error = await failureOf('a.yaml', text);
    expect(error.message).toMatch(message);
    if (hint) expect(error.hint).toMatch(hint);
  });
});

// Empty cells.

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
