import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../shared/lib/fixtures/property-runs.ts';
import { exactJson, exactText, parseExact } from './exact-numbers.ts';

describe('numbers that a double does not hold', () => {
  it.each([
    '12345678901234567890',
    '-12345678901234567890',
    '0.1000000000000000055511151231257827',
    '1.7976931348623157e+400',
    '1E+12345678901234567',
    '1E400',
    '[1e-400,2]',
    '[12345678901234567890]',
    '{"a":12345678901234567890,"b":"12345678901234567890","c":[1,98765432109876543210]}',
    String.raw`{"a\\":"\\\"","b":12345678901234567890}`,
  ])('keep their digits: %s', (text) => {
    expect(exactJson(parseExact(text))).toBe(text);
  });

  it.each([
    '9007199254740991',
    '1000000000000000000000',
    '100.00000000000000000',
    '0.00000000000000000000',
    '-1.5000000000000000000',
    '1234567890123456.0',
  ])('others stay numbers: %s', (text) => {
    expect(parseExact(text)).toBe(Number(text));
  });

  it('keep them in tables and texts, without quotes', () => {
    const { id } = parseExact('{"id": 12345678901234567890}') as { id: string };
    expect(exactText(`id,name\r\n${id},Ann`)).toBe('id,name\r\n12345678901234567890,Ann');
    expect(id).toMatch(/^[A-Za-z0-9]+$/);
  });

  it('leave every other JSON as it was', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        expect(parseExact(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: runs(200) },
    );
  });

  it('are found among any others, in any layout', () => {
    const number = fc.tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })).map(String);
    const member = fc.oneof(
      number,
      fc.string().map((text) => JSON.stringify(text)),
      fc.double({ noNaN: true }).map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(fc.array(member, { maxLength: 8 }), fc.constantFrom('', ' ', '\n  '), (members, space) => {
        const text = `[${members.map((each) => space + each).join(',')}]`;
        const written = exactJson(parseExact(text));
        const wanted = members.map((each) => (/^-?\d+$/.test(each) ? each : JSON.stringify(JSON.parse(each))));
        // A big integer that a double holds may be written in its other form.
        const same = (one: string, other: string) => one === other || Number(one) === Number(other);
        const got = JSON.parse(written.replaceAll(/(?<=[[,])-?\d{16,}(?=[\],])/g, '"$&"')) as unknown[];
        for (const [index, each] of wanted.entries()) {
          const found = got[index];
          if (/^-?\d{16,}$/.test(each) && typeof found === 'string') expect(found).toBe(each);
          else
            expect(same(JSON.stringify(found), each) || JSON.stringify(found) === each, `${each} ${JSON.stringify(found)}`).toBe(
              true,
            );
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it('are looked for in linear time', () => {
    const text = `["${'\\\\'.repeat(2_000_000)}",12345678901234567890,"${'"'.repeat(1).replaceAll('"', '')}"]`;
    expect(exactJson(parseExact(text))).toBe(text);
  });

  it('no JSON stays none', () => {
    for (const text of [
      '12345678901234567890,',
      '{"a":012345678901234567890}',
      '["12345678901234567890',
      '--1234567890123456789',
    ]) {
      expect(() => parseExact(text)).toThrow(SyntaxError);
    }
  });
});
