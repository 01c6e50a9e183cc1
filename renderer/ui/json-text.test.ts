import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../shared/lib/fixtures/property-runs.ts';
import { cellContent, indentJson, jsonLines, recordCells } from './json-text.ts';

const members = (json: string) => {
  const record = recordCells(json);
  return record.kind === 'object' ? Object.fromEntries(record.cells) : record;
};

describe('records as cells', () => {
  it('takes an object apart at its own level', () => {
    expect(members('{"id":1, "name" : "Ada, {Byron}" ,"tags":["a","b,]"],"at":{"x":{"y":[]}}}')).toEqual({
      id: '1',
      name: '"Ada, {Byron}"',
      tags: '["a","b,]"]',
      at: '{"x":{"y":[]}}',
    });
  });

  it('keeps every digit of a number', () => {
    expect(members('{"big":12345678901234567890,"exact":1.10}')).toEqual({ big: '12345678901234567890', exact: '1.10' });
  });

  it('reads escapes in names', () => expect(members('{"a\\"b\\u00e9":1}')).toEqual({ 'a"bé': '1' }));

  it('takes lists and single values as they are', () => {
    expect(recordCells('[1,"two",null]')).toEqual({ kind: 'list', cells: ['1', '"two"', 'null'] });
    expect(recordCells('"only, this"')).toEqual({ kind: 'value', cell: '"only, this"' });
    expect(recordCells('{}')).toEqual({ kind: 'object', cells: new Map() });
  });

  it('gives what is there of a text that was cut short', () => {
    expect(members('{"a":"one","b":"tw…')).toEqual({ a: '"one"', b: '"tw…' });
    expect(members('{"a":1,"b…')).toEqual({ a: '1' });
    expect(members('{"a":{"b":[1,2…')).toEqual({ a: '{"b":[1,2…' });
  });

  it('tells text, numbers, truth, null and nested values apart', () => {
    expect(cellContent('"null"')).toEqual({ kind: 'text', text: 'null' });
    expect(cellContent('null')).toEqual({ kind: 'null', text: 'null' });
    expect(cellContent('""')).toEqual({ kind: 'text', text: '' });
    expect(cellContent('-12.50')).toEqual({ kind: 'number', text: '-12.50' });
    expect(cellContent('true')).toEqual({ kind: 'boolean', text: 'true' });
    expect(cellContent('[1]')).toEqual({ kind: 'nested', text: '[1]' });
    expect(cellContent('"cut sh…')).toEqual({ kind: 'text', text: 'cut sh…' });
  });
});

describe('indented JSON', () => {
  it('is laid out as usual', () =>
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
      }),
      { numRuns: runs(100) },
    ));

  it('keeps digits, and what is in quotes', () => {
    expect(indentJson('{"a":12345678901234567890,"b":"x, {y}: \\"z\\""}')).toBe(
      '{\n  "a": 12345678901234567890,\n  "b": "x, {y}: \\"z\\""\n}',
    );
  });

  it('shows what is there of a text that was cut short', () =>
    expect(indentJson('{"a":["b","c…')).toBe('{\n  "a": [\n    "b",\n    "c…'));
});

describe('lines of JSON', () => {
  it('know which line closes them', () => {
    expect(jsonLines('{"a":[1,{"b":"] {"}],"c":[],"d":{')).toEqual([
      { text: '{', depth: 0 },
      { text: '"a": [', depth: 1, end: 6 },
      { text: '1,', depth: 2 },
      { text: '{', depth: 2, end: 5 },
      { text: '"b": "] {"', depth: 3 },
      { text: '}', depth: 2 },
      { text: '],', depth: 1 },
      { text: '"c": [],', depth: 1 },
      { text: '"d": {', depth: 1 },
      { text: '', depth: 2 },
    ]);
  });

  it('are the indented text', () =>
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = jsonLines(JSON.stringify(value)).map((line) => '  '.repeat(line.depth) + line.text);
        expect(text.join('\n')).toBe(JSON.stringify(value, null, 2));
      }),
      { numRuns: runs(100) },
    ));
});
