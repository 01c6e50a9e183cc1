/** The change to an app's settings file line by line, with secrets masked. */
import { diffArrays } from 'diff';
import type { AgentPlan } from '../../shared/contract/agents.ts';
import { scalarText } from '../../shared/lib/scalar-text.ts';
import { looksSecret } from '../../shared/lib/secret-looks.ts';
import { MASK, maskedArguments, maskedWords } from '../upstream/masking.ts';
import type { Change } from './client-config.ts';
import { isObject } from './plain.ts';

type Line = AgentPlan['lines'][number];

/** Unchanged lines shown around a change. */
const CONTEXT = 8;
/** A file on one line is not shown whole. */
const LONGEST_LINE = 2000;
/** Time limit for the comparison, in milliseconds; after it, all lines in between are shown as changed. */
const MAX_MS = 1000;

/**
 * Lines that differ, with some around them; `…` stands for more. `content` is the file's parsed content, in which secrets are looked for;
 * every value in `values`, by the names of variables or headers, is masked besides.
 */
export function shownChange(change: Change, content: unknown, values: Readonly<Record<string, string>> = {}): Line[] {
  const mask = maskerOf(content, values);
  return changedLines(change).map(({ kind, text }) => ({ kind, text: mask(text) }));
}

function changedLines({ before, after }: Change): Line[] {
  const old = linesOf(before);
  const next = linesOf(after);
  const parts = diffArrays(old, next, { timeout: MAX_MS }) ?? [
    { value: old, removed: true, added: false },
    { value: next, removed: false, added: true },
  ];
  if (!parts.some(({ added, removed }) => added || removed)) return [];
  return parts.flatMap(({ value, added, removed }, index) => {
    if (added || removed) return value.map((text): Line => ({ kind: added ? 'added' : 'removed', text }));
    const head = index === 0 ? [] : value.slice(0, CONTEXT);
    const rest = value.slice(head.length);
    const tail = index === parts.length - 1 ? [] : rest.slice(-CONTEXT);
    const more = rest.length > tail.length ? ['…'] : [];
    return [...head, ...more, ...tail].map((text): Line => ({ kind: 'same', text }));
  });
}

function linesOf(text: string | null): string[] {
  if (text === null || text === '') return [];
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Masks in a line of a file what looks like a secret anywhere in its content. */
function maskerOf(content: unknown, values: Readonly<Record<string, string>>): (line: string) => string {
  const found = new Map<string, string>();
  collect(content, found);
  for (const value of Object.values(values)) add(found, value, MASK);
  // Longest first: a secret that contains another is masked completely.
  const replacements = [...found].sort(([one], [other]) => other.length - one.length);
  return (line) => {
    const known = replacements.reduce((text, [secret, by]) => text.replaceAll(secret, () => by), line);
    const masked = maskedWords(maskedPairs(maskedValue(known, values)));
    return masked.length > LONGEST_LINE ? `${masked.slice(0, LONGEST_LINE)} …` : masked;
  };
}

/** A value on a line of its own, as `NAME: 12` in YAML, which is no text that could be searched for. */
const maskedValue = (line: string, values: Readonly<Record<string, string>>): string =>
  line.replace(
    /^(\s*(["']?)([\w.-]{1,256})\2\s*[:=]\s*)(["']?)[^\s{[].*?(,?\s*)$/,
    (whole, start: string, _, name: string, quote: string, end: string) =>
      Object.hasOwn(values, name) ? `${start}${quote}${MASK}${quote}${end}` : whole,
  );

/** Comments are not parsed, but can contain disabled entries: `"NAME": "value"` and `name = "value"`. */
const maskedPairs = (line: string): string =>
  line.replace(
    /(["']?)([A-Za-z][\w-]{0,255})\1(\s*[:=]\s*)(["'])((?:\\.|(?!\4)[^\\])*)\4/g,
    (whole, quote: string, name: string, sign: string, valueQuote: string, value: string) =>
      value !== MASK && looksSecret(name, value) ? `${quote}${name}${quote}${sign}${valueQuote}${MASK}${valueQuote}` : whole,
  );

function collect(value: unknown, found: Map<string, string>): void {
  if (Array.isArray(value)) {
    const words = value.map((item) => (typeof item === 'string' ? item : ''));
    maskedArguments(words).forEach((shown, index) => {
      add(found, words[index] ?? '', shown);
    });
    for (const item of value) if (typeof item !== 'string') collect(item, found);
    return;
  }
  if (!isObject(value)) return;
  for (const [name, item] of Object.entries(value)) {
    if (typeof item === 'object') collect(item, found);
    else if (typeof item !== 'boolean') {
      const text = scalarText(item);
      add(found, text, looksSecret(name, text) ? MASK : (maskedArguments([text])[0] ?? text));
    }
  }
}

/** The text as it may stand in a file: escaped, or spread over lines. */
function add(found: Map<string, string>, text: string, shown: string): void {
  if (text === shown) return;
  const pairs = shown === MASK ? text.split(/\r?\n/).map((line) => [line.trim(), MASK] as const) : [];
  for (const [from, to] of [[text, shown] as const, ...pairs]) {
    // A short secret occurs in too many harmless words, so only quoted occurrences count.
    const isShort = from.length < 4;
    if (from === '') continue;
    if (!isShort) found.set(from, to);
    found.set(isShort ? JSON.stringify(from) : JSON.stringify(from).slice(1, -1), isShort ? JSON.stringify(to) : to);
  }
}
