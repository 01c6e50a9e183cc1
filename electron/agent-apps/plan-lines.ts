/** Shows a change to a file line by line, with other entries' secrets masked. */
import type { AgentPlan } from '../../shared/contract/agents.ts';
import { looksSecret } from '../../shared/lib/secret-looks.ts';
import { MASK, maskedArguments, maskedWords } from '../upstream/masking.ts';
import { isObject } from './plain.ts';

type Line = AgentPlan['lines'][number];

/** Unchanged lines shown around a change. */
const CONTEXT = 8;
/** A file on one line is not shown whole. */
const LONGEST_LINE = 2000;

/** Lines that differ, with some around them; `…` stands for more. Null is no file. */
export function changedLines({ before, after }: { before: string | null; after: string | null }): Line[] {
  const old = linesOf(before);
  const next = linesOf(after);
  const shorter = Math.min(old.length, next.length);
  let head = 0;
  while (head < shorter && old[head] === next[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === next.at(-1 - tail)) tail += 1;
  if (head === old.length && head === next.length) return [];
  const line = (kind: Line['kind']) => (text: string) => ({ kind, text });
  const more = [{ kind: 'same' as const, text: '…' }];
  return [
    ...(head > CONTEXT ? more : []),
    ...old.slice(Math.max(0, head - CONTEXT), head).map(line('same')),
    ...old.slice(head, old.length - tail).map(line('removed')),
    ...next.slice(head, next.length - tail).map(line('added')),
    ...old.slice(old.length - tail, old.length - tail + CONTEXT).map(line('same')),
    ...(tail > CONTEXT ? more : []),
  ];
}

function linesOf(text: string | null): string[] {
  if (text === null || text === '') return [];
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Masks in a line of a file what looks like a secret anywhere in its content. */
export function maskerOf(content: unknown): (line: string) => string {
  const found = new Map<string, string>();
  collect(content, found);
  // Longest first: a secret that contains another is masked completely.
  const replacements = [...found].sort(([one], [other]) => other.length - one.length);
  return (line) => {
    const known = replacements.reduce((text, [secret, by]) => text.replaceAll(secret, () => by), line);
    const masked = maskedWords(maskedPairs(known));
    return masked.length > LONGEST_LINE ? `${masked.slice(0, LONGEST_LINE)} …` : masked;
  };
}

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
    if (typeof item === 'string') add(found, item, looksSecret(name, item) ? MASK : (maskedArguments([item])[0] ?? item));
    else collect(item, found);
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
