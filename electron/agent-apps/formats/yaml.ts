/** Edits YAML: adds our item to its block map as separate lines, and keeps every other line. */
import { isMap, isPair, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { plain } from '../plain.ts';
import { applyEdits, type Edit, type Format, lineEnd } from './types.ts';

export const yamlFormat: Format = {
  async parse(text) {
    const document = parseDocument(text, { prettyErrors: true });
    const [error] = document.errors;
    if (error) {
      const [place] = error.linePos ?? [];
      const where = place ? ` at line ${place.line}, column ${place.col}` : '';
      // Only the first line: the rest quotes the text.
      const reason = (error.message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');
      return { ok: false, problem: `${reason}${where}` };
    }
    if (document.contents === null) return { ok: true, value: undefined };
    try {
      return { ok: true, value: plain(document.toJS({ maxAliasCount: 100 })) };
    } catch {
      return { ok: false, problem: 'an alias has no anchor before it, or aliases stand for too much' };
    }
  },
  put(text, keys, entry) {
    const { contents } = parseDocument(text);
    if (isMap(contents)) return put(text, contents, keys, entry, '');
    const head = text.trim() === '' ? '' : finished(text);
    return head + printed(keys, entry, '', lineEnd(text));
  },
  remove(text, keys) {
    let map: unknown = parseDocument(text).contents;
    let holder: YAMLMap | undefined;
    let pair: Pair | undefined;
    let parent: Pair | undefined;
    for (const key of keys) {
      parent = pair;
      holder = isMap(map) ? map : undefined;
      pair = holder && pairOf(holder, key);
      map = pair?.value;
    }
    if (!pair || !holder) return text;
    if (holder.flow) return applyEdits(text, [outOfFlow(holder, pair)]);
    const span = { start: lineStart(text, startOf(pair)), end: endOfPair(text, pair), text: '' };
    if (!parent || holder.items.length > 1) return applyEdits(text, [span]);
    // A key without anything under it would stand for nothing at all, not for an empty map.
    const key = isScalar(parent.key) ? (parent.key.range?.[1] ?? 0) : 0;
    const colon = text.indexOf(':', key) + 1;
    return applyEdits(text, [{ start: colon, end: colon, text: ' {}' }, span]);
  },
};

/** With the comma before it, or the one after it for the first. */
function outOfFlow({ items }: YAMLMap, pair: Pair): Edit {
  const index = items.indexOf(pair);
  const previous = items[index - 1];
  const next = items[index + 1];
  const start = previous && !next ? endOf(previous) : startOf(pair);
  return { start, end: next ? startOf(next) : endOf(pair), text: '' };
}

function put(text: string, map: YAMLMap, [key = '', ...rest]: readonly string[], entry: object, indent: string): string {
  const eol = lineEnd(text);
  const pair = pairOf(map, key);
  const own = map.items[0] && !map.flow ? columnOf(text, startOf(map.items[0])) : indent;
  if (pair) {
    const { value } = pair;
    if (isMap(value) && rest.length > 0 && !value.flow && value.items.length > 0) return put(text, value, rest, entry, own);
    if (isMap(value) && rest.length > 0 && value.flow && value.items.length > 0) return intoFlow(text, value, rest, entry);
    const lines = printed([key, ...rest], entry, own, eol);
    return applyEdits(text, [{ start: lineStart(text, startOf(pair)), end: endOfPair(text, pair), text: lines }]);
  }
  const last = map.items.at(-1);
  if (map.flow || !last) return map.flow ? intoFlow(text, map, [key, ...rest], entry) : text;
  const end = endOfPair(text, last);
  const before = end > 0 && text[end - 1] !== '\n' ? eol : '';
  return applyEdits(text, [{ start: end, end, text: before + printed([key, ...rest], entry, own, eol) }]);
}

/** JSON is YAML, too. */
function intoFlow(text: string, map: YAMLMap, [key = '', ...rest]: readonly string[], entry: object): string {
  const value = rest.reduceRight((inner: unknown, name) => ({ [name]: inner }), entry);
  const existing = pairOf(map, key)?.value as { range?: [number, number, number] } | null | undefined;
  if (existing?.range) {
    return applyEdits(text, [{ start: existing.range[0], end: existing.range[1], text: JSON.stringify(value) }]);
  }
  const close = (map.range?.[1] ?? 0) - 1;
  const comma = map.items.length > 0 && !/,\s*$/.test(text.slice(0, close)) ? ', ' : '';
  return applyEdits(text, [{ start: close, end: close, text: `${comma}${JSON.stringify(key)}: ${JSON.stringify(value)}` }]);
}

/** Keys under one another, and the object's own, each with its value as JSON, which every YAML reader takes. */
function printed(keys: readonly string[], entry: object, indent: string, eol: string): string {
  const lines = keys.map((key, depth) => `${indent}${'  '.repeat(depth)}${name(key)}:`);
  const inner = indent + '  '.repeat(keys.length);
  for (const [key, value] of Object.entries(entry)) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0) {
      lines.push(`${inner}${name(key)}:`);
      for (const [item, text] of Object.entries(value)) lines.push(`${inner}  ${name(item)}: ${JSON.stringify(text)}`);
    } else if (Array.isArray(value) && value.length > 0) {
      lines.push(`${inner}${name(key)}:`, ...value.map((item) => `${inner}- ${JSON.stringify(item)}`));
    } else {
      lines.push(`${inner}${name(key)}: ${JSON.stringify(value)}`);
    }
  }
  return lines.map((line) => line + eol).join('');
}

/** Bare where no reader takes it for anything but a word. */
const name = (key: string): string =>
  /^[A-Za-z][A-Za-z0-9_-]{2,}$/.test(key) && !/^(?:null|true|false|yes|off)$/i.test(key) ? key : JSON.stringify(key);

const pairOf = (map: YAMLMap, key: string): Pair | undefined =>
  map.items.find((item) => isPair(item) && (isScalar(item.key) ? item.key.value : item.key) === key);

const startOf = (pair: Pair): number => (isScalar(pair.key) ? (pair.key.range?.[0] ?? 0) : 0);

/** Where its value ends, or its key where there is none. */
function endOf(pair: Pair): number {
  const key = isScalar(pair.key) ? (pair.key.range?.[1] ?? 0) : 0;
  const value = pair.value as { range?: [number, number, number] | null } | null;
  return value?.range?.[1] ?? key;
}

const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;

const columnOf = (text: string, offset: number): string => text.slice(lineStart(text, offset), offset);

/** After the line on which the pair's value ends. */
function endOfPair(text: string, pair: Pair): number {
  const end = deepEnd(text, pair.value) ?? endOf(pair);
  if (end > 0 && text[end - 1] === '\n') return end;
  const newline = text.indexOf('\n', end);
  return newline === -1 ? text.length : newline + 1;
}

/** A block map's own range takes in comments after it, which may belong to what follows. */
function deepEnd(text: string, value: unknown): number | undefined {
  if (!isMap(value) || value.flow) return undefined;
  const last = value.items.at(-1);
  return last ? endOfPair(text, last) : undefined;
}

const finished = (text: string): string => (text.endsWith('\n') ? text : text + lineEnd(text));
