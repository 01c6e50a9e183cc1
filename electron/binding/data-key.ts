/** Parses data keys: paths that name the place of a payload in a tool's arguments. */
import { AppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';

/** A longer list must be filled from a file, not item by item. */
const MAX_INDEX = 10_000;
const REFUSED = new Set(['__proto__', 'constructor', 'prototype']);
const ESCAPED = new Set(['.', '[', ']', '\\']);

/**
 * Parses `records`, `config.database.users`, `files[0].content`. A literal dot, bracket or backslash in a name is escaped
 * with a backslash. Throws DATA_KEY_INVALID with the position of the character, from 1.
 */
export function parseDataKey(key: string): (string | number)[] {
  const fail = (reason: Message, at: number): never => {
    const character = at + 1;
    throw new AppError('DATA_KEY_INVALID', say('dataKey.invalid', { key, reason, character }), {
      hint: say('dataKey.invalid.hint'),
      details: { dataKey: key, character },
    });
  };
  const segments: (string | number)[] = [];
  let at = 0;

  const readName = (): string => {
    const start = at;
    let name = '';
    while (at < key.length && key[at] !== '.' && key[at] !== '[') {
      const char = key[at] as string;
      if (char === ']') fail(say('dataKey.strayClosing'), at);
      if (char === '\\') {
        const next = key[at + 1];
        if (next === undefined || !ESCAPED.has(next)) fail(say('dataKey.escape'), at);
        name += next;
        at += 2;
      } else {
        name += char;
        at += 1;
      }
    }
    if (name === '') fail(say('dataKey.emptyName'), start);
    if (REFUSED.has(name)) fail(say('dataKey.nameRefused', { name }), start);
    return name;
  };

  const readIndex = (): number => {
    const start = at + 1;
    const close = key.indexOf(']', start);
    if (close < 0) fail(say('dataKey.noClosing'), at);
    const digits = key.slice(start, close);
    if (!/^\d+$/.test(digits)) fail(say('dataKey.indexNotWhole'), start);
    if (digits.length > 1 && digits.startsWith('0')) fail(say('dataKey.indexZero'), start);
    const index = Number(digits);
    if (index > MAX_INDEX) fail(say('dataKey.indexHigh', { most: MAX_INDEX }), start);
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
      fail(say('dataKey.afterClosing'), at);
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
