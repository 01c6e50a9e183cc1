/** A difference between two texts, line by line: what went, what came, and in a line that was replaced, which part of it. */
import './code-block.css';
import './difference.css';
import { diffWordsWithSpace } from 'diff';
import { type ReactNode, useMemo } from 'react';
import { visibleText } from '../../shared/lib/visible-text.ts';
import { t } from './ui-texts.ts';

/** `diff`: the lines of a unified diff. `children` stand behind its last line. */
export function Difference({ name, diff, children }: { name: string; diff: string; children?: ReactNode }) {
  const lines = useMemo(() => differenceLines(diff), [diff]);
  return (
    <section className="code-block difference" aria-label={name}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what around it scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        {lines.map(({ kind, parts }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text that does not change
          <span key={index} data-kind={kind}>
            {kind === 'note'
              ? t('noLastLineEnd')
              : // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text that does not change
                parts.map(({ text, changed }, at) => (changed ? <mark key={at}>{text}</mark> : text))}
            {'\n'}
          </span>
        ))}
        {children}
      </pre>
    </section>
  );
}

interface Part {
  text: string;
  /** It is not so in the line that this one replaces, or is replaced by. */
  changed: boolean;
}

export interface DifferenceLine {
  kind: 'removed' | 'added' | 'same' | 'gap' | 'note';
  /** With the line's sign. */
  parts: readonly Part[];
}

const kinds: Readonly<Record<string, DifferenceLine['kind']>> = { '-': 'removed', '+': 'added', '⋯': 'gap', '\\': 'note' };
/** Longer lines, and more of them, are not compared word by word. */
const COMPARED_CHARS = 2_000;
const COMPARED_LINES = 500;
/** All of the comparing of words, and of one line, at most: the text comes from others, and the page must not stand still. Milliseconds. */
const COMPARED_MS = 200;
const LINE_MS = 20;

export function differenceLines(diff: string): DifferenceLine[] {
  const lines = visibleText(withoutPositions(diff), { keepLines: true }).replace(/\n$/, '').split('\n');
  const parts: (readonly Part[])[] = lines.map((text) => [{ text, changed: false }]);
  const end = performance.now() + COMPARED_MS;
  for (const [removed, added] of replacedLines(lines).slice(0, COMPARED_LINES)) {
    if (performance.now() > end) break;
    const [before = '', after = ''] = [lines[removed], lines[added]];
    const compared = comparedLines(before, after);
    if (compared) [parts[removed], parts[added]] = compared;
  }
  return lines.map((line, at) => ({ kind: kinds[line[0] ?? ''] ?? 'same', parts: parts[at] ?? [] }));
}

/** Lines at the same place of what went and of what came in its place, by their indices. */
function replacedLines(lines: readonly string[]): [removed: number, added: number][] {
  const pairs: [number, number][] = [];
  let removed: number[] = [];
  let added: number[] = [];
  for (const [at, line] of [...lines, ''].entries()) {
    if (line.startsWith('\\')) continue;
    if (line.startsWith('+')) added.push(at);
    else {
      if (added.length > 0 || !line.startsWith('-')) {
        pairs.push(
          ...added.flatMap((each, index): [number, number][] => (removed[index] === undefined ? [] : [[removed[index], each]])),
        );
        [removed, added] = [[], []];
      }
      if (line.startsWith('-')) removed.push(at);
    }
  }
  return pairs;
}

/** Undefined for lines that have little in common, or that would take too long. */
function comparedLines(before: string, after: string): [Part[], Part[]] | undefined {
  const longer = Math.max(before.length, after.length);
  if (longer > COMPARED_CHARS) return undefined;
  const changes = diffWordsWithSpace(before.slice(1), after.slice(1), { timeout: LINE_MS });
  if (changes === undefined) return undefined;
  const same = changes.reduce((sum, { added, removed, value }) => sum + (added || removed ? 0 : value.length), 0);
  if (same * 3 < longer) return undefined;
  const side = (line: string, other: 'added' | 'removed'): Part[] => [
    { text: line.slice(0, 1), changed: false },
    ...changes.flatMap((each) => (each[other] ? [] : [{ text: each.value, changed: each.added || each.removed }])),
  ];
  return [side(before, 'added'), side(after, 'removed')];
}

/**
 * A difference without its positions, which only programs read. Lines end as where it was made, at line feeds only: nothing else that looks
 * like an end may hide what follows.
 */
const withoutPositions = (diff: string): string =>
  diff
    .replaceAll('\r\n', '\n')
    .split('\n')
    .flatMap((line, index) => (line.startsWith('@@ -') ? (index === 0 ? [] : ['⋯']) : [line]))
    .join('\n');
