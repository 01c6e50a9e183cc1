/** Formats an edit as the official server does: a unified diff in a fence of backticks. */
import { createTwoFilesPatch } from 'diff';
import { formatBytes } from '../../../shared/lib/bytes.ts';
import { MAX_ANSWER_BYTES } from './text-parts.ts';

/** Time limit for comparing very different texts, in milliseconds; after it, the whole middle is shown as changed. */
const MAX_MS = 1000;
const CONTEXT = 4;

export function fencedDiff(file: string, before: string, after: string): string {
  const diff = unified(file, before, after);
  if (Buffer.byteLength(diff) > MAX_ANSWER_BYTES)
    return `The changes are too long to show: the text went from ${formatBytes(Buffer.byteLength(before))} to ${formatBytes(Buffer.byteLength(after))}\n\n`;
  const longest = (diff.match(/`+/g) ?? []).reduce((most, ticks) => Math.max(most, ticks.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}diff\n${diff}${fence}\n\n`;
}

function unified(file: string, before: string, after: string): string {
  return (
    createTwoFilesPatch(file, file, before, after, 'original', 'modified', { timeout: MAX_MS }) ?? coarse(file, before, after)
  );
}

function coarse(file: string, before: string, after: string): string {
  const old = before.split('\n');
  const next = after.split('\n');
  let head = 0;
  while (head < old.length && head < next.length && old[head] === next[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < next.length - head && old.at(-1 - tail) === next.at(-1 - tail)) tail += 1;
  const from = Math.max(0, head - CONTEXT);
  const kept = Math.min(tail, CONTEXT);
  const oldLines = old.slice(from, old.length - tail + kept);
  const newLines = next.slice(from, next.length - tail + kept);
  return [
    '===================================================================',
    `--- ${file}\toriginal`,
    `+++ ${file}\tmodified`,
    `@@ -${from + 1},${oldLines.length} +${from + 1},${newLines.length} @@`,
    ...old.slice(from, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...next.slice(head, next.length - tail).map((line) => `+${line}`),
    ...old.slice(old.length - tail, old.length - tail + kept).map((line) => ` ${line}`),
    '',
  ].join('\n');
}
