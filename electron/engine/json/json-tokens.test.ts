import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../shared/lib/fixtures/property-runs.ts';
import { COLON, JsonTokens, MORE, SCALAR } from './json-tokens.ts';

interface Token {
  kind: string;
  depth: number;
  text: string;
}

/** Tokens of a text that arrives in these pieces, cut ones put together. */
function tokensOf(pieces: readonly Uint8Array[], deepest?: number): Token[] {
  const tokens = new JsonTokens();
  const found: Token[] = [];
  for (const piece of pieces) {
    tokens.load(piece);
    for (let kind = tokens.next(deepest); kind !== MORE; kind = tokens.next(deepest)) {
      const text = Buffer.from(piece.subarray(tokens.from, tokens.to)).toString('latin1');
      if (tokens.begins) {
        found.push({ kind: kind === SCALAR ? 'scalar' : String.fromCharCode(kind), depth: tokens.depth, text });
      } else (found.at(-1) as Token).text += text;
    }
  }
  return found;
}

/** The same, from the value: without chunks, state or bytes. */
function expectedOf(value: unknown, depth = 0): Token[] {
  const sign = (kind: string, at = depth): Token => ({ kind, depth: at, text: kind });
  const string = (text: string, at: number): Token => ({
    kind: '"',
    depth: at,
    text: Buffer.from(JSON.stringify(text)).toString('latin1').slice(1, -1),
  });
  if (typeof value === 'string') return [string(value, depth)];
  if (typeof value !== 'object' || value === null) return [{ kind: 'scalar', depth, text: JSON.stringify(value) }];
  const isList = Array.isArray(value);
  const members = Object.entries(value).map(([name, member]) =>
    isList ? expectedOf(member, depth + 1) : [string(name, depth + 1), sign(':', depth + 1), ...expectedOf(member, depth + 1)],
  );
  const inside = members.flatMap((member, index) => (index === 0 ? member : [sign(',', depth + 1), ...member]));
  return [sign(isList ? '[' : '{'), ...inside, sign(isList ? ']' : '}')];
}

function cut(text: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = [0, ...places.map((place) => place % (text.length + 1)).sort((a, b) => a - b), text.length];
  return at.slice(1).map((end, index) => text.subarray(at[index], end));
}

const values = fc.jsonValue({ maxDepth: 4 });
const places = fc.array(fc.nat(), { maxLength: 40 });

describe('JsonTokens', () => {
  it('finds the tokens of any text, however it is cut and laid out', () => {
    fc.assert(
      fc.property(values, places, fc.constantFrom(undefined, 1, '\t'), (value, cuts, indent) => {
        const text = Buffer.from(JSON.stringify(value, null, indent));
        expect(tokensOf(cut(text, cuts))).toEqual(expectedOf(value));
      }),
      { numRuns: runs(2000) },
    );
  });

  it('passes over what is deeper than wanted', () => {
    fc.assert(
      fc.property(values, places, fc.nat(3), (value, cuts, deepest) => {
        const text = Buffer.from(JSON.stringify(value));
        expect(tokensOf(cut(text, cuts), deepest)).toEqual(expectedOf(value).filter(({ depth }) => depth <= deepest));
      }),
      { numRuns: runs(2000) },
    );
  });

  it('cuts a text into its bytes', () => {
    const value = { 'a\\"\u{1f600}': ['\\', '"', '\u0000', -1.5e9, true, {}, []], '': null };
    const text = Buffer.from(JSON.stringify(value));
    const bytes = [...text].map((byte) => Uint8Array.of(byte));
    expect(tokensOf(bytes)).toEqual(expectedOf(value));
    expect(tokensOf(bytes, 1)).toEqual(expectedOf(value).filter(({ depth }) => depth <= 1));
  });

  it('goes on behind a text that has more closing brackets than opening ones', () => {
    expect(tokensOf([Buffer.from(']],"a":1')]).map(({ kind, depth }) => [kind, depth])).toEqual([
      [']', -1],
      [']', -2],
      [',', -2],
      ['"', -2],
      [String.fromCharCode(COLON), -2],
      ['scalar', -2],
    ]);
  });
});
