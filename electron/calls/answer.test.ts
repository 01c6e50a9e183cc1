import { describe, expect, it } from 'vitest';
import type { ToolResult } from '../upstream/types.ts';
import {
  answerText,
  answerValue,
  binaryBlocks,
  encodedBytes,
  formatOfName,
  mentionsFailures,
  renderResponse,
  saysItFailed,
  storedOtherwise,
  toHtml,
  toMarkdown,
  toXml,
} from './answer.ts';

describe('an answer', () => {
  it('is the text alone, joined, or the structured content', () => {
    expect(answerText({ content: [{ type: 'text', text: 'a' }] })).toBe('a');
    expect(
      answerText({
        content: [
          { type: 'text', text: 'a' },
          { type: 'image', data: 'x' },
          { type: 'text', text: 'b' },
        ],
      }),
    ).toBe('a\nb');
    expect(answerText({ content: [], structuredContent: { n: 1 } })).toBe('{"n":1}');
  });
  it('is parsed where it is JSON', () => {
    expect(answerValue({ content: [{ type: 'text', text: ' {"n":1}' }] })).toEqual({ n: 1 });
    expect(answerValue({ content: [{ type: 'text', text: '{broken' }] })).toBe('{broken');
    expect(answerValue({ content: [{ type: 'text', text: '12' }] })).toBe('12');
  });
  it('is the text where the structured content only repeats it', () => {
    const content = [{ type: 'text', text: '[{"n":1}]' }];
    expect(answerValue({ content, structuredContent: { content: '[{"n":1}]' } })).toEqual([{ n: 1 }]);
    expect(answerValue({ content, structuredContent: { content: '[{"n":1}]', more: 1 } })).toEqual({
      content: '[{"n":1}]',
      more: 1,
    });
    expect(answerValue({ content, structuredContent: { content: 'other' } })).toEqual({ content: 'other' });
  });
  it('lists its binary blocks', () => {
    const result = {
      content: [
        { type: 'text', text: 'a' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'x:y', blob: 'BBBB' } },
      ],
    };
    expect(binaryBlocks(result)).toEqual([
      { index: 1, mimeType: 'image/png', base64: 'AAAA' },
      { index: 2, mimeType: 'application/octet-stream', base64: 'BBBB' },
    ]);
  });
});

const text = (value: string): ToolResult => ({ content: [{ type: 'text', text: value }] });

describe('renderResponse', () => {
  it('chooses JSON for data and text for text', async () => {
    expect(await renderResponse(text('[1]'), 'auto', 't')).toMatchObject({ format: 'json', text: '[1]' });
    expect(await renderResponse(text('hello'), 'auto', 't')).toMatchObject({ format: 'txt', text: 'hello' });
  });
  it('keeps the digits of an answer that is JSON already', async () => {
    expect((await renderResponse(text('{"id":12345678901234567890}'), 'json', 't')).text).toBe('{"id":12345678901234567890}');
  });
  it('writes records as CSV, formulas as they are', async () => {
    const body = await renderResponse(text('{"rows":[{"a":"=1+1","b":null},{"a":"x,y","b":{"c":1}}]}'), 'csv', 't');
    expect(body.text).toBe('a,b\r\n=1+1,\r\n"x,y","{""c"":1}"');
  });
  it('takes names that every object has for ordinary columns', async () => {
    const rows = text('[{"__proto__":1,"constructor":2,"a":3},{"a":4}]');
    expect((await renderResponse(rows, 'csv', 't')).text).toBe('__proto__,constructor,a\r\n1,2,3\r\n,,4');
    expect((await renderResponse(rows, 'md', 't')).text).toContain('|  |  | 4 |');
    expect((await renderResponse(rows, 'html', 't')).text).toContain('<tr><td></td><td></td><td>4</td></tr>');
  });
  it('names the lists where the one asked for is not there', async () => {
    const body = await renderResponse(text('{"items":[{"a":1}]}'), 'csv', 't', 'nodes');
    expect(storedOtherwise(body, 'a.json')[0]?.message).toBe(
      'The answer has no list at "nodes", so it was stored as json, not csv: a.json; choose one with records: "items"',
    );
    const said = async (answer: string, format: 'json' | 'jsonl') =>
      storedOtherwise(await renderResponse(text(answer), format, 't', 'result.nope'), `a.${format}`)[0]?.message;
    expect(await said('{"result":{"rows":[{"a":1}]}}', 'json')).toBe(
      'The answer has no list at "result.nope", so all of it was stored: a.json; choose one with records: "result.rows"',
    );
    expect(await said('[{"a":1}]', 'jsonl')).toBe(
      'The answer has no list at "result.nope", so it was stored as json, not jsonl: a.jsonl; it is a list itself, so leave out records',
    );
    expect(await said('{"ok":true}', 'json')).toBe(
      'The answer has no list at "result.nope", nor elsewhere, so all of it was stored: a.json',
    );
  });
  it('chooses one of several lists when asked to', async () => {
    const several = text('{"rows":[{"a":1}],"errors":[{"b":2}]}');
    expect((await renderResponse(several, 'csv', 't', 'errors')).text).toBe('b\r\n2');
    expect((await renderResponse(several, 'json', 't', 'rows')).text).toBe('[\n  {\n    "a": 1\n  }\n]');
    const body = await renderResponse(several, 'csv', 't');
    expect(storedOtherwise(body, 'a.json')[0]?.message).toContain('choose one with records: "rows" or records: "errors"');
  });
  it('makes a table of lists with their header, and an empty one of an empty list', async () => {
    expect((await renderResponse(text('{"columns":["a","b"],"rows":[[1,2]]}'), 'csv', 't')).text).toBe('a,b\r\n1,2');
    expect(await renderResponse(text('{"rows":[]}'), 'csv', 't')).toMatchObject({ format: 'csv', text: '' });
    expect((await renderResponse(text('[12345678901234567890]'), 'csv', 't')).text).toBe('12345678901234567890');
    expect((await renderResponse(text('Found 1:\n[{"a":12345678901234567890}]'), 'csv', 't')).text).toBe(
      'a\r\n12345678901234567890',
    );
  });
  it('leaves nothing out of a format that is no table', async () => {
    const several = text('{"user":{"id":1},"rows":[{"a":1}],"errors":[{"b":2}]}');
    expect((await renderResponse(several, 'jsonl', 't')).text).toBe('{"user":{"id":1},"rows":[{"a":1}],"errors":[{"b":2}]}\n');
    expect(await renderResponse(several, 'md', 't')).toMatchObject({ format: 'md', text: expect.stringContaining('**errors**') });
    expect(await renderResponse(several, 'html', 't')).toMatchObject({ format: 'html', text: expect.stringContaining('errors') });
    const deep = text('{"result":{"rows":[{"a":1}],"total":7}}');
    expect((await renderResponse(deep, 'md', 't')).text).toContain('"total":7');
    expect((await renderResponse(text('{"rows":[{"a":1}],"total":7}'), 'html', 't')).text).toContain('&quot;total&quot;: 7');
    expect((await renderResponse(text('Found 1:\n[{"a":1}]'), 'jsonl', 't')).text).toBe('{"a":1}\n');
    expect((await renderResponse(text('[]'), 'jsonl', 't')).text).toBe('');
    const lists = text('{"columns":["a"],"rows":[[1]],"more":[[2]]}');
    expect((await renderResponse(lists, 'csv', 't', 'rows')).text).toBe('a\r\n1');
  });
  it('keeps an empty list as an empty element', async () => {
    expect((await renderResponse(text('{"a":[],"b":1}'), 'xml', 't')).text).toContain('<a/>');
  });
  it('does not lose an answer that is no table', async () => {
    const body = await renderResponse(text('just words, and more:\n- one'), 'csv', 't');
    expect(body).toMatchObject({ format: 'txt', text: 'just words, and more:\n- one' });
    expect(storedOtherwise(body, 'a.txt')[0]?.message).toBe(
      'The answer has no list of records, so it was stored as txt, not csv: a.txt',
    );
  });
  it.each([
    ['JSON Lines', '{"id":1,"name":"Ada, B"}\n{"id":2,"name":"Bo"}\n', 'id,name\r\n1,"Ada, B"\r\n2,Bo'],
    ['lists in JSON Lines', '[1,2]\n[3,4]\n', '1,2\r\n3,4'],
    ['a Markdown table', '| id | name |\n| --- | --- |\n| 1 | Ada, B |\n', 'id,name\r\n1,"Ada, B"'],
    ['a Markdown table with JSON in it', '| id | tags |\n|---|---|\n| 1 | [] |\n', 'id,tags\r\n1,[]'],
  ])('makes a table of %s', async (_, content, table) => {
    expect(await renderResponse(text(content), 'csv', 't')).toMatchObject({ format: 'csv', text: table });
  });
  it.each([
    ['words with commas', 'Dear Ada, dear Bo,\nthe file, which you sent, is here.\n'],
    ['lines with commas', 'First, this\nThen, that\n\nBut no more.'],
    ['JSON Lines that break off', '{"id":1,"name":"Ada"}\n{"id":2,"name":"B'],
    ['words with a reference', 'As was found, see [1]'],
    ['one line', 'Done, all of it'],
  ])('makes no table of %s', async (_, content) => {
    const body = await renderResponse(text(content), 'csv', 't');
    expect(body).toMatchObject({ format: 'txt', text: content });
    expect(storedOtherwise(body, 'a.txt')[0]?.message).toContain('stored as txt, not csv: a.txt');
  });
  it('makes a list of JSON Lines for JSON', async () => {
    const lines = text('{"id":12345678901234567890}\n{"id":2}\n');
    const { text: json } = await renderResponse(lines, 'json', 't');
    expect(json.replaceAll(/\s/g, '')).toBe('[{"id":12345678901234567890},{"id":2}]');
  });
  it.each([
    ['md', '# Title\n\n| a |\n'],
    ['txt', 'no line end'],
    ['csv', 'id;name\r\n1;"Ada, B"\r\n'],
    ['csv', 'id,note\n1,"two\nlines, with ""commas"""\n2,| a |\n\n'],
    ['csv', 'id|name\n1|Ada\n'],
    ['tsv', 'id\tname\n1\tAda'],
    ['yaml', '# people\n- name: Ada\n  zip: 00501\n'],
    ['yaml', 'people:\n  - Ada\n'],
    ['xml', '<?xml version="1.0"?>\n<a b="1"/>\n'],
    ['html', '<!doctype html><p>Ada'],
    ['jsonl', '{"id":12345678901234567890}\n\n{"id":2}\n'],
  ] as const)('keeps a text that is %s already to the letter', async (format, content) => {
    expect(await renderResponse(text(content), format, 't')).toEqual({ format, text: content });
  });
  it('makes the format of a text that is not in it', async () => {
    expect((await renderResponse(text('just words'), 'xml', 't')).text).toContain('just words</');
    expect((await renderResponse(text('just words'), 'html', 't')).text).toContain('<html');
    expect((await renderResponse(text('just words'), 'jsonl', 't')).text).toBe('"just words"\n');
    expect((await renderResponse(text('just\nwords'), 'yaml', 't')).text).toBe('|-\njust\nwords\n');
  });
  it('writes every other format', async () => {
    const rows = text('[{"a":1},{"a":2}]');
    expect((await renderResponse(rows, 'jsonl', 't')).text).toBe('{"a":1}\n{"a":2}\n');
    expect((await renderResponse(rows, 'tsv', 't')).text).toBe('a\r\n1\r\n2');
    expect((await renderResponse(rows, 'yaml', 't')).text).toBe('- a: 1\n- a: 2\n');
    expect((await renderResponse(rows, 'md', 't')).text).toBe('| a |\n| --- |\n| 1 |\n| 2 |\n');
    expect((await renderResponse(rows, 'xml', 't')).text).toContain('<item>\n    <a>1</a>\n  </item>');
    expect((await renderResponse(rows, 'html', 't')).text).toContain('<td>2</td>');
    expect((await renderResponse(rows, 'txt', 't')).text).toBe('[{"a":1},{"a":2}]');
  });
});

describe('formatOfName', () => {
  it('knows extensions and their aliases', () => {
    expect(formatOfName('a.ndjson')).toBe('jsonl');
    expect(formatOfName('a.b.YML')).toBe('yaml');
    expect(formatOfName('report.2026')).toBeUndefined();
  });
});

describe('toMarkdown', () => {
  it('makes a table of records, with every column and no broken cell', () => {
    expect(
      toMarkdown([
        { a: 1, b: 'x|y' },
        { a: null, c: 'two\nlines' },
      ]),
    ).toBe('| a | b | c |\n| --- | --- | --- |\n| 1 | x\\|y |  |\n|  |  | two<br>lines |');
  });
  it('finds the only table in an object and keeps the rest beside it', () => {
    expect(toMarkdown({ total: 1, rows: [{ id: 7 }] })).toBe('- **total**: 1\n\n| id |\n| --- |\n| 7 |');
  });
  it('leaves text alone', () => {
    expect(toMarkdown('plain | text')).toBe('plain | text');
  });
});

describe('toHtml', () => {
  it('escapes what it shows', () => {
    expect(toHtml([{ '<b>': '<script>' }], 'a & b')).toContain('<td>&lt;script&gt;</td>');
    expect(toHtml('x', 'a & b')).toContain('<title>a &amp; b</title>');
  });
});

const body = (value: unknown) => toXml(value).replace('<?xml version="1.0" encoding="UTF-8"?>\n', '');

describe('toXml', () => {
  it('repeats an element for each item of a list', () => {
    expect(body({ users: { user: ['Ada', 'Bob'] } })).toBe('<users>\n  <user>Ada</user>\n  <user>Bob</user>\n</users>\n');
  });
  it('writes @name as attribute and #text as text', () => {
    expect(body({ item: { '@id': '7', '#text': 'a & b' } })).toBe('<item id="7">a &amp; b</item>\n');
  });
  it('puts a list, or several members, under one root', () => {
    expect(body([1, 2])).toBe('<response>\n  <item>1</item>\n  <item>2</item>\n</response>\n');
    expect(body({ a: 1, b: null })).toBe('<response>\n  <a>1</a>\n  <b/>\n</response>\n');
  });
  it('makes names and characters legal', () => {
    expect(body({ root: { '1st name': 'x\u0000y' } })).toBe('<root>\n  <_1st_name>x\uFFFDy</_1st_name>\n</root>\n');
  });
});

const said = (value: unknown): ToolResult => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
});

it.each([
  [{ inserted: 5, failed: 2 }, true],
  [{ errors: ['row 1: bad value'] }, true],
  [{ success: false }, true],
  [{ rejected_rows: 1 }, true],
  [{ inserted: 5, skipped: 1 }, true],
  [{ status: 'error', message: 'no such table' }, true],
  [{ status: 'partial_success' }, true],
  [{ inserted: 0 }, true],
  [{ rows_inserted: 4 }, true],
  [{ inserted: 2, updated: 2, unchanged: 1 }, false],
  [{ inserted: 7 }, false],
  [{ inserted: 5, failed: 0, errors: [], error: null }, false],
  [{ success: true }, false],
  [{ failedOver: true, name: 'failed' }, false],
  ['Error: no such table', true],
  ['Inserted 1 of 5', true],
  ['0 of 5 rows inserted', true],
  ['3 rows inserted', true],
  ['Inserted 5 rows', false],
  ['Inserted 1.250 rows', false],
  ['Inserted 2 rows, 3 rows updated', false],
  ['2 failed', false],
  [[{ failed: 1 }], false],
])('an answer to five records tells of failures without being an error: %j', (value, tells) => {
  expect(mentionsFailures(said(value), 5)).toBe(tells);
});

it('numbers of records are compared only where records were sent', () => {
  expect(mentionsFailures(said({ inserted: 0 }))).toBe(false);
  expect(mentionsFailures(said({ failed: 1 }))).toBe(true);
});

it.each([
  [{ success: false }, true],
  [{ ok: false, message: 'no such table' }, true],
  [{ status: 'error', message: 'no such table' }, true],
  [{ state: 'FAILED: no such table' }, true],
  [{ outcome: 'rejected' }, true],
  [{ inserted: 0, updated: 0 }, false],
  [{ status: 'ok', inserted: 0, skipped: 5 }, false],
  ['Error: no such table', true],
  ['Error 1062: duplicate entry', true],
  ['Failed to insert 5 rows', true],
  ['0 of 5 rows inserted', false],
  [{ success: true }, false],
  [{ success: false, inserted: 3 }, false],
  [{ status: 'error', inserted: 3, failed: 2 }, false],
  [{ status: 'partial_success' }, false],
  [{ status: 'failed_over' }, false],
  [{ inserted: 0, unchanged: 5 }, false],
  [{ failed: 5 }, false],
  [{ errors: ['row 1: bad value'] }, false],
  ['Failed: 2 of 5 rows', false],
  ['Failed rows: 2. 3 rows inserted', false],
  ['Error: 2 of 5 rows are bad', false],
  ['Errors: 0', false],
  ['Inserted 1 of 5', false],
  ['Error-free', false],
  [[{ success: false }], false],
])('an answer says that it failed: %j', (value, says) => {
  expect(saysItFailed(said(value))).toBe(says);
});

it('says that it failed in structured content that repeats its text', () => {
  const text = '{"status":"error"}';
  expect(saysItFailed({ ...said(text), structuredContent: { result: text } })).toBe(true);
  expect(saysItFailed({ ...said('Error: no'), structuredContent: { result: 'Error: no' } })).toBe(true);
});

describe('bytes in an answer', () => {
  const bytes = Buffer.alloc(60, 7);
  const base64 = bytes.toString('base64');

  it.each<[string, unknown, string | undefined]>([
    ['as its text', base64, undefined],
    ['as a data URI', `data:image/png;base64,${base64}`, undefined],
    ['in its one such member', { name: 'a picture', data: base64 }, undefined],
    ['in a member named for bytes, however short', { name: 'QUJD', file_base64: base64.slice(0, 16) }, undefined],
    ['at a place', { files: [{ content: base64 }, { content: base64 }] }, 'files[1].content'],
  ])('are found %s', (_, value, at) => {
    expect(encodedBytes(said(value), at)).toEqual(JSON.stringify(value).includes(base64) ? bytes : bytes.subarray(0, 12));
  });

  it.each<[string, unknown]>([
    ['words', 'these are words and no bytes, however long the sentence that they make up may be'],
    ['a short text', 'QUJD'],
    ['two of them', { a: base64, b: base64 }],
  ])('are not guessed from %s', (_, value) => {
    expect(encodedBytes(said(value), undefined)).toBeUndefined();
  });
});

it('a table that is a page of a longer list says so', async () => {
  const page = { rows: [{ a: 1 }], total: 99, has_more: true, next_cursor: 'x', limit: 1 };
  const body = await renderResponse(said(page), 'csv', 't', undefined);
  expect(storedOtherwise(body, 'a.csv').map(({ message }) => message)).toEqual([
    'The answer is a page of a longer list: 1 record is in the file; the server says total: 99, has_more: true, next_cursor: "x"',
  ]);
  const whole = await renderResponse(
    said({ rows: [{ a: 1 }], total: 1, has_more: false, next_cursor: null }),
    'csv',
    't',
    undefined,
  );
  expect(storedOtherwise(whole, 'a.csv')).toEqual([]);
});
