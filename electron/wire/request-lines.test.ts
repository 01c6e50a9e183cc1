import { describe, expect, it } from 'vitest';
import { exactJson } from '../engine/core/exact-numbers.ts';
import { type ReadLine, RequestLines } from './line-transport.ts';

/** Feeds text in pieces of the given sizes, over and over. */
function read(text: string | Buffer, sizes: readonly number[] = [1 << 20], maxBytes = 1 << 20): ReadLine[] {
  const bytes = Buffer.from(text);
  const lines = new RequestLines(maxBytes);
  const found: ReadLine[] = [];
  for (let at = 0, i = 0; at < bytes.length; i += 1) {
    const size = sizes[i % sizes.length] ?? 1;
    found.push(...lines.push(bytes.subarray(at, at + size)));
    at += size;
  }
  return found;
}

const call = (args: string, name = 'call_tool') =>
  `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;

describe('arguments', () => {
  it.each([
    ['digits that no double holds', '{"id":12345678901234567890,"x":1.00000000000000000001,"e":1E400}'],
    ['names that objects have anyway', '{"__proto__":{"a":1},"constructor":null,"hasOwnProperty":[]}'],
    ['all of Unicode', '{"ü":"日本 😀"}'],
    ['nothing', '{}'],
    ['much', JSON.stringify({ rows: Array.from({ length: 3000 }, (_, i) => ({ i, a: `"${i}" \\ü` })) })],
  ])('keep %s', (_, text) => {
    const line = call(`{"server":"db","tool_args":${text},"tool_name":"insert"}`);
    for (const sizes of [[1], [3, 7], [65_536]]) {
      const [found] = read(`${line}\n`, sizes);
      expect(found && 'message' in found && exactJson(found.message)).toBe(line);
    }
  });

  it('of a cancellation name the call by the same id', () => {
    const id = '12345678901234567890';
    const [asked, ended] = read(
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{}}\n{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}\n`,
    ) as { message: { id?: unknown; params?: { requestId?: unknown } } }[];
    expect(asked?.message.id).toBe(ended?.message.params?.requestId);
  });

  it('of other methods are what JSON makes of them', () => {
    const line = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":12345678901234567890}}';
    expect(read(`${line}\n`)).toEqual([{ message: JSON.parse(line) }]);
  });
});

describe('lines', () => {
  it('are messages, each by itself, blank ones aside', () => {
    const one = '{"jsonrpc":"2.0","method":"a"}';
    const two = call('{"tool_args":{"b":"ä"}}');
    const found = read(`${one}\n\r\n\n${two}\r\n${one}\nnot yet`, [4]);
    expect(found).toHaveLength(3);
    expect(found.map((line) => 'error' in line || ((line.message as { method?: string }).method ?? ''))).toEqual([
      'a',
      'tools/call',
      'a',
    ]);
  });

  it.each([
    '{',
    '[]',
    '7',
    'null',
    'hello',
    '{"jsonrpc":"1.0","id":1}',
    `\uFEFF${call('{}')}`,
    call('{"tool_args":{"a":01}}'),
    call('{"tool_args":{"a":"\t"}}'),
  ])('that are no message are told, and the next is read: %s', (text) => {
    const found = read(`${text}\n{"jsonrpc":"2.0","method":"a"}\n`, [6]);
    expect(found).toEqual([{ error: expect.any(Error) }, { message: { jsonrpc: '2.0', method: 'a' } }]);
  });

  it('may be as long as the bound, each by itself', () => {
    const line = `{"jsonrpc":"2.0","method":"${'a'.repeat(970)}"}`;
    expect(read(`${line}\n${line}\n`, [64], 1000)).toHaveLength(2);
    expect(() => read('x'.repeat(1001), [64], 1000)).toThrow(/longer than 1000 bytes/);
  });
});
