import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../shared/lib/fixtures/property-runs.ts';
import { indentJson } from './indent-json.ts';

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
