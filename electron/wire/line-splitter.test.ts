import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../shared/lib/fixtures/property-runs.ts';
import { ChunkList, LineSplitter, LongLine } from './line-splitter.ts';

const textsOf = (lines: readonly (Buffer | LongLine)[]) =>
  lines.map((line) => (line instanceof LongLine ? `${line.bytes} bytes` : line.toString()));

describe('LineSplitter', () => {
  it('gives the same lines for all chunk boundaries, and of those over the bound their sizes and ends', () => {
    const lines = fc.array(fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.replaceAll('\n', '')));
    fc.assert(
      fc.property(lines, fc.array(fc.nat(64)), fc.integer({ min: 1, max: 60 }), (expected, cuts, most) => {
        const bytes = Buffer.from(expected.map((line) => `${line}\n`).join(''));
        const splitter = new LineSplitter(() => most);
        const seen: (Buffer | LongLine)[] = [];
        let at = 0;
        for (const cut of cuts) {
          seen.push(...splitter.push(bytes.subarray(at, at + cut)));
          at += cut;
        }
        seen.push(...splitter.push(bytes.subarray(at)));
        const meant = expected.map((line) => Buffer.from(line));
        expect(textsOf(seen)).toEqual(meant.map((line) => (line.length > most ? `${line.length} bytes` : line.toString())));
        for (const [index, line] of seen.entries()) {
          if (!(line instanceof LongLine)) continue;
          expect(line.head.equals(meant[index] as Buffer)).toBe(true);
          expect(line.tail.equals(meant[index] as Buffer)).toBe(true);
        }
        expect(splitter.unended).toBe(0);
      }),
      { numRuns: runs(100) },
    );
  });

  it('buffers a line until its end arrives', () => {
    const splitter = new LineSplitter(() => 100);
    expect(textsOf(splitter.push(Buffer.from('a\nb')))).toEqual(['a']);
    expect(splitter.unended).toBe(1);
    expect(textsOf(splitter.push(Buffer.from('c\n')))).toEqual(['bc']);
  });

  it('keeps the ends of an endless line, and no more', () => {
    const splitter = new LineSplitter(() => 10_000);
    for (let part = 0; part < 1000; part += 1) splitter.push(Buffer.from(`${part}`.padStart(1000, '.')));
    expect([splitter.unended, splitter.excess]).toEqual([1_000_000, 10_000]);
    const [line] = splitter.push(Buffer.from('end\nnext\n'));
    expect(line).toBeInstanceOf(LongLine);
    const { head, tail } = line as LongLine;
    expect([head.length, tail.length]).toEqual([1024, 1024]);
    expect(head.toString()).toMatch(/^\.+0\.+1?$/);
    expect(tail.toString()).toMatch(/999end$/);
    expect(splitter.excess).toBeUndefined();
  });
});

it('joins small chunks, and keeps large ones as they are', () => {
  const small = new ChunkList<Buffer>();
  for (let at = 0; at < 100_000; at += 1) small.push(Buffer.from([at % 251]));
  expect(small.parts.length).toBeLessThan(2_000);
  const expected = Uint8Array.from({ length: 100_000 }, (_, at) => at % 251);
  expect(Buffer.compare(small.joined(), expected)).toBe(0);

  const large = new ChunkList<Buffer>();
  const chunk = Buffer.alloc(4096, 7);
  for (let at = 0; at < 3_000; at += 1) large.push(chunk);
  expect(large.parts).toHaveLength(3_000);
  expect(large.bytes).toBe(3_000 * 4096);
});
