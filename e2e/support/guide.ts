/** Reads the users' guide: its pages, their fenced blocks, and the answers that they show. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { repository } from './cli.ts';

/** A fenced block. `words` is what follows the language on its first line: a file's name, or `answer`, or `error`. */
export interface Block {
  language: string;
  words: string[];
  body: string;
  /** Counted from 1. */
  line: number;
}

export interface Page {
  name: string;
  text: string;
  blocks: Block[];
}

export const guideFolder = path.join(repository, 'docs', 'guide');

export async function readGuide(): Promise<Page[]> {
  const names = (await readdir(guideFolder)).filter((name) => name.endsWith('.md'));
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(path.join(guideFolder, name), 'utf8');
      return { name, text, blocks: blocksOf(text) };
    }),
  );
}

const blocksOf = (text: string): Block[] =>
  [...text.matchAll(/^```(\w+)(.*)\n([\s\S]*?)^```$/gm)].map(({ 1: language = '', 2: info = '', 3: body = '', index }) => ({
    language,
    words: info.trim().split(' ').filter(Boolean),
    body,
    line: text.slice(0, index).split('\n').length,
  }));

/** The ids of receipts and jobs that a page shows, with those of this run. */
export type Ids = Map<string, string>;

const idOnPage = /\b(?=[a-z]*\d)[0-9a-f]{8}\b/g;

/** Whether a text is the one shown, where `…` stands for anything; learns the ids in it. */
export function isText(shown: string, text: string, ids: Ids): boolean {
  const learnt = (shown.match(idOnPage) ?? []).filter((id) => !ids.has(id));
  const literal = (part: string) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = shown
    .trimEnd()
    .split('…')
    .map((part) => literal(part).replace(idOnPage, (id) => ids.get(id) ?? '([0-9a-f]{8})'))
    .join('[\\s\\S]*');
  const found = new RegExp(`^${pattern}$`).exec(text.replaceAll('\r\n', '\n').trimEnd());
  learnt.forEach((id, index) => {
    const real = found?.[index + 1];
    if (real) ids.set(id, real);
  });
  return found !== null;
}

/** Whether a value has what is shown: an object may have more members, and a list that ends in `…` more items. */
export function isValue(shown: unknown, value: unknown, ids: Ids): boolean {
  if (typeof shown === 'string') return shown === '…' || (typeof value === 'string' && isText(shown, value, ids));
  if (Array.isArray(shown)) {
    const open = shown.at(-1) === '…';
    const items = open ? shown.slice(0, -1) : shown;
    if (!Array.isArray(value) || (open ? value.length < items.length : value.length !== items.length)) return false;
    return items.every((item, index) => isValue(item, value[index], ids));
  }
  if (typeof shown !== 'object' || shown === null) return shown === value;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(shown).every(([key, item]) => isValue(item, (value as Record<string, unknown>)[key], ids));
}

/** The tables of a page between `<!-- generated: NAME -->` and `<!-- end -->`. */
export const generatedParts = (text: string): { name: string; body: string }[] =>
  [...text.matchAll(/<!-- generated: ([\w-]+) -->\n([\s\S]*?)<!-- end -->/g)].map(([, name = '', body = '']) => ({ name, body }));

/** A table. Its last column is written by hand: it is taken from the page, by the first cell of the row. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[], page: string): string {
  const byHand = new Map(
    page.split('\n').map((line) => {
      const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
      return [cells[1], cells.at(-2)] as const;
    }),
  );
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const body = rows.map((cells) => line([...cells, byHand.get(cells[0]) || 'TO BE WRITTEN']));
  return [line(head), line(head.map(() => '---')), ...body, ''].join('\n');
}
