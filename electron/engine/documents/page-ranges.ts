/** Reads the choice of pages: `3`, `3-5`, `7-`, `-2`, and several of them with commas. */
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';

/** Page numbers from 1, each once, in the order asked for; all of them if nothing is. Throws INVALID_REQUEST. */
export function chosenPages(asked: string | undefined, count: number): number[] {
  if (asked === undefined) return Array.from({ length: count }, (_, index) => index + 1);
  const chosen = new Set<number>();
  for (const part of asked.split(',')) {
    const [, first, dash, last] = /^\s*(\d{0,9})\s*(?:([-–])\s*(\d{0,9}))?\s*$/.exec(part) ?? [];
    if (first === undefined || (first === '' && (last ?? '') === '')) throw misread(asked);
    const from = first === '' ? 1 : Number(first);
    const to = dash === undefined ? from : last ? Number(last) : count;
    if (from < 1 || (last && to < from)) throw misread(asked);
    if (from > count) throw beyond(asked, count);
    for (let number = from; number <= Math.min(to, count); number++) chosen.add(number);
  }
  return [...chosen];
}

const misread = (pages: string): AppError =>
  new AppError('INVALID_REQUEST', say('document.pagesMisread', { pages }), { hint: say('document.pagesMisread.hint', {}) });

const beyond = (pages: string, count: number): AppError =>
  new AppError('INVALID_REQUEST', say('document.pagesBeyond', { pages, count }), { hint: say('document.pagesMisread.hint', {}) });
