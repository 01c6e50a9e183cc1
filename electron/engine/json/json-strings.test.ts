import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../shared/lib/fixtures/property-runs.ts';
import { JsonEscape, JsonUnescape } from './json-strings.ts';

function through(machine: { push(chunk: Uint8Array): Uint8Array; end?(): Uint8Array }, bytes: Uint8Array, size: number): Buffer {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) parts.push(Buffer.from(machine.push(bytes.subarray(at, at + size))));
  if (machine.end) parts.push(machine.end());
  return Buffer.concat(parts);
}

/** A string as JSON might have it, every character spelled in one of its ways. */
const spelled = fc
  .array(
    fc
      .oneof(
        fc.constantFrom(
          '"',
          '\\',
          '/',
          '\b',
          '\f',
          '\n',
          '\r',
          '\t',
          '\u0000',
          '\u001f',
          '\u007f',
          '\ud800',
          '\udfff',
          '\ud83d',
          '\ude00',
          '�',
          '퟿',
          '',
        ),
        fc.string({ unit: 'binary', maxLength: 4 }),
      )
      .chain((text) =>
        fc.constantFrom(
          JSON.stringify(text).slice(1, -1),
          [...Array(text.length).keys()].map((i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
        ),
      ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join('').replaceAll('\\\\/', '\\/'));

describe('the inside of a JSON string', () => {
  it('becomes the bytes that it stands for, however it is cut', () => {
    fc.assert(
      fc.property(spelled, fc.integer({ min: 1, max: 9 }), (inside, size) => {
        const text: string = JSON.parse(`"${inside}"`);
        expect(through(new JsonUnescape(), Buffer.from(inside), size)).toEqual(Buffer.from(text));
      }),
      { numRuns: runs(2000) },
    );
  });

  it('is written as JSON.stringify writes it, halves of surrogate pairs too', () => {
    fc.assert(
      fc.property(spelled, fc.integer({ min: 1, max: 9 }), (inside, size) => {
        const text: string = JSON.parse(`"${inside}"`);
        const bytes = through(new JsonUnescape({ keepHalves: true }), Buffer.from(inside), size);
        expect(through(new JsonEscape(), bytes, size).toString()).toBe(JSON.stringify(text).slice(1, -1));
      }),
      { numRuns: runs(2000) },
    );
  });

  it('tells whether halves of surrogate pairs were in it', () => {
    const halves = (inside: string) => {
      const meaning = new JsonUnescape();
      through(meaning, Buffer.from(inside), 3);
      return meaning.halves;
    };
    expect([halves('\\ud83d\\ude00 ok'), halves('\\ud83d'), halves('\\ude00\\ud83d'), halves('plain')]).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});
