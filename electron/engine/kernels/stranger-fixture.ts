/** What strangers may send, by chance: values with hostile names and texts, and messages that are nearly right. */
import { type Chance, damaged } from './fuzz-fixture.ts';

// biome-ignore format: a list of words
const names = [
  '__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'a.b', 'a[0]', '$ref', '$defs', 'type', 'properties', 'items',
  'required', 'pattern', 'oneOf', 'content', 'text', 'isError', 'structuredContent', '_meta', 'nextCursor', 'data_path', '_file', '_save_as',
  'id', 'method', 'params', 'result', 'error', 'name', 'arguments', 'ü\u202e', '\u0000', 'length', 'then',
];
// biome-ignore format: a list of words
const texts = [
  '', ' ', '\u0000', '\u001b[2J', '\u202e', '\ud800', '{{', '{{text}}', '../../etc/passwd', '#/$defs/a', '#', '(a+)+$', '[', 'NaN', '-0', 'null',
  'tools/call', 'ping', 'object', 'string', 'data:,', 'file:///', '\r\n', '=1+1', '<script>', '|', 'x'.repeat(5_000),
];
const numbers = [0, -0, 1, -1, 0.1, 1e308, -1e308, 2 ** 31, 2 ** 53, 5e-324];

/** Any JSON value, not deep. */
export function strangeValue(chance: Chance, depth = 3): unknown {
  const kind = chance.below(depth > 0 ? 8 : 5);
  if (kind === 0) return null;
  if (kind === 1) return chance.once(2);
  if (kind === 2) return chance.of(numbers);
  if (kind < 5) return chance.of(chance.once(3) ? names : texts);
  if (kind === 5) return Array.from({ length: chance.below(4) }, () => strangeValue(chance, depth - 1));
  return strangeObject(chance, depth);
}

export function strangeObject(chance: Chance, depth = 3): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: chance.below(5) }, () => [chance.of(names), strangeValue(chance, depth - 1)]));
}

/** A copy of JSON with a few members replaced, added, renamed, doubled or taken away. */
export function strangely(value: unknown, chance: Chance): unknown {
  if (chance.once(14)) return strangeValue(chance);
  if (Array.isArray(value)) {
    return value.flatMap((item) => (chance.once(15) ? [] : chance.once(15) ? [item, item] : [strangely(item, chance)]));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
    if (chance.once(20)) return [];
    return [[chance.once(20) ? chance.of(names) : key, strangely(item, chance)]];
  });
  if (chance.once(8)) entries.push([chance.of(names), strangeValue(chance)]);
  return Object.fromEntries(entries);
}

/** The same as text, which is damaged in one of three. */
export function strangeText(value: unknown, chance: Chance): string {
  const text = JSON.stringify(strangely(value, chance)) ?? '';
  if (chance.once(30)) return `${'['.repeat(5_000)}${text}`;
  return chance.once(3)
    ? damaged(text, chance, ['{', '}', '[', ']', '"', '\\', ',', ':', '\u0000', '\n', '\r', '\u2028', 'é', '1e999', '\\ud800'])
    : text;
}
