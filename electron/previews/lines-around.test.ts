import { expect, it } from 'vitest';
import { jsonStreamOf } from '../engine/core/payload.ts';
import { linesAround } from './lines-around.ts';

const around = async (text: string, line: number, chunk = 7) => {
  const json = Buffer.from(JSON.stringify(text));
  const parts = Array.from({ length: Math.ceil(json.length / chunk) }, (_, i) => json.subarray(i * chunk, (i + 1) * chunk));
  const lines = await linesAround(jsonStreamOf(...parts), line, new AbortController().signal);
  return lines.map(({ number, text: shown, isCut }) => `${number}${isCut ? '…' : ''} ${shown}`);
};

const ten = Array.from({ length: 10 }, (_, i) => `line ${i + 1}`).join('\n');

it.each([1, 2, 7, 1000])('gives the lines around one, in chunks of %d bytes', async (chunk) => {
  expect(await around(ten, 5, chunk)).toEqual([2, 3, 4, 5, 6, 7, 8].map((n) => `${n} line ${n}`));
  expect(await around(ten, 1, chunk)).toEqual([1, 2, 3, 4].map((n) => `${n} line ${n}`));
  expect(await around(`${ten}\n`, 10, chunk)).toEqual([7, 8, 9, 10].map((n) => `${n} line ${n}`));
});

it('keeps escapes, quotes, Windows line ends and other letters apart', async () => {
  expect(await around('a\\n"b"\r\n\\\\\r\nä😀\t\n', 2)).toEqual(['1 a\\n"b"', '2 \\\\', '3 ä😀\t']);
});

it('cuts long lines, also inside of an escape, and finds the next one', async () => {
  for (const length of [998, 999, 1000, 1001]) {
    const [first = '', second] = await around(`${'x'.repeat(length)}"\\"\nnext`, 2);
    expect(first.replace(/^1…? x+/, '')).toMatch(/^(?:"\\?"?)?$/);
    expect(second).toBe('2 next');
  }
});

it('gives nothing beyond the end', async () => expect(await around('one', 9)).toEqual([]));
