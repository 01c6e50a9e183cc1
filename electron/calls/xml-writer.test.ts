import { describe, expect, it } from 'vitest';
import { toXml } from './response-format.ts';

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
