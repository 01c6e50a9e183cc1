/** Parses data keys: paths that name the place of a payload in a tool's arguments. */
import { AppError } from '../../shared/model/errors.ts';

/** A longer list must be filled from a file, not item by item. */
const MAX_INDEX = 10_000;
const REFUSED = new Set(['__proto__', 'constructor', 'prototype']);
const ESCAPED = new Set(['.', '[', ']', '\\']);

/**
 * Parses `records`, `config.database.users`, `files[0].content`. A literal dot, bracket or backslash in a name is escaped
 * with a backslash. Throws DATA_KEY_INVALID with the position of the character, from 1.
 */
export function parseDataKey(key: string): (string | number)[] {
  const fail = (reason: string, at: number): never => {
    throw new AppError('DATA_KEY_INVALID', `data_key '${key}' is not a path: ${reason} at character ${at + 1}`, {
      hint: 'Write it like records, config.users or files[0].content, with \\. for a dot inside a name',
      details: { dataKey: key, character: at + 1 },
    });
  };
  const segments: (string | number)[] = [];
  let at = 0;

  const readName = (): string => {
    const start = at;
    let name = '';
    while (at < key.length && key[at] !== '.' && key[at] !== '[') {
      const char = key[at] as string;
      if (char === ']') fail("']' without '['", at);
      if (char === '\\') {
        const next = key[at + 1];
        if (next === undefined || !ESCAPED.has(next)) fail('a backslash that escapes nothing', at);
        name += next;
        at += 2;
      } else {
        name += char;
        at += 1;
      }
    }
    if (name === '') fail('an empty name', start);
    if (REFUSED.has(name)) fail(`the name '${name}', which is not allowed,`, start);
    return name;
  };

  const readIndex = (): number => {
    const start = at + 1;
    const close = key.indexOf(']', start);
    if (close < 0) fail("'[' without ']'", at);
    const digits = key.slice(start, close);
    if (!/^\d+$/.test(digits)) fail('an index that is not a whole number', start);
    if (digits.length > 1 && digits.startsWith('0')) fail('an index with a leading zero', start);
    const index = Number(digits);
    if (index > MAX_INDEX) fail(`an index over ${MAX_INDEX}`, start);
    at = close + 1;
    return index;
  };

  segments.push(key[0] === '[' ? readIndex() : readName());
  while (at < key.length) {
    if (key[at] === '[') {
      segments.push(readIndex());
    } else if (key[at] === '.') {
      at += 1;
      segments.push(readName());
    } else {
      fail("text after ']'", at);
    }
  }
  return segments;
}

/** Formats segments as a data key: the inverse of `parseDataKey`. No segments give an empty text. */
export function formatDataKey(segments: readonly (string | number)[]): string {
  return segments.reduce<string>((key, segment) => {
    if (typeof segment === 'number') return `${key}[${segment}]`;
    const name = segment.replace(/[.[\]\\]/g, '\\$&');
    return key === '' ? name : `${key}.${name}`;
  }, '');
}
