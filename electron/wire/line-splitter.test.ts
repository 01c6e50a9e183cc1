import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../shared/lib/fixtures/property-runs.ts';
import { LineSplitter } from './line-splitter.ts';

describe('LineSplitter', () => {
  it('gives the same lines for all chunk boundaries', () => {
    const lines = fc.array(fc.string({ unit: 'binary' }).map((text) => text.replace(/[\r\n]/g, '')));
    fc.assert(
      fc.property(lines, fc.array(fc.nat(64)), fc.constantFrom('\n', '\r\n'), (expected, cuts, lineEnd) => {
        const bytes = Buffer.from(expected.map((line) => line + lineEnd).join(''));
        const splitter = new LineSplitter();
        const seen: string[] = [];
        let at = 0;
        for (const cut of cuts) {
          seen.push(...splitter.push(bytes.subarray(at, at + cut)));
          at += cut;
        }
        seen.push(...splitter.push(bytes.subarray(at)));
        expect(seen).toEqual(expected.map((line) => Buffer.from(line).toString()));
      }),
      { numRuns: runs(100) },
    );
  });

  it('buffers a line until its end arrives', () => {
    const splitter = new LineSplitter();
    expect(splitter.push(Buffer.from('a\nb'))).toEqual(['a']);
    expect(splitter.push(Buffer.from('c\n'))).toEqual(['bc']);
  });

  it('rejects a line over the limit and then continues', () => {
    const splitter = new LineSplitter(4);
    expect(() => splitter.push(Buffer.from('abcde'))).toThrow(RangeError);
    expect(splitter.push(Buffer.from('f\n'))).toEqual(['f']);
  });
});
