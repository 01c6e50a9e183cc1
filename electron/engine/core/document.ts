/**
 * What readers of documents give: blocks of text as the page shows them. They become Markdown, HTML, plain text or the records of a table by
 * one writer each.
 */
import { fileTooLarge } from './failures.ts';

export interface Marks {
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly struck?: boolean;
  readonly code?: boolean;
  /** Raised or lowered: 10^6, H2O. */
  readonly script?: 'super' | 'sub' | undefined;
  /** Where it leads; empty for nowhere. */
  readonly link?: string;
  /** Deleted with change tracking. */
  readonly deleted?: boolean;
}

export type Inline =
  | { readonly kind: 'text'; readonly text: string; readonly marks: Marks }
  /** `isSoft`: the page was too narrow; it ends no line that the author ended. */
  | { readonly kind: 'break'; readonly isSoft?: boolean }
  /** Without `src` it is in the file. */
  | { readonly kind: 'image'; readonly alt: string; readonly src: string }
  /** LaTeX. */
  | { readonly kind: 'math'; readonly latex: string; readonly isBlock: boolean }
  /** A reference to one of the document's notes. */
  | { readonly kind: 'note'; readonly label: string }
  | { readonly kind: 'comment'; readonly text: string };

export interface Item {
  /** Of an ordered list, as the page shows it. */
  readonly number?: number | undefined;
  readonly blocks: Block[];
}

/** A cell stands at the first place that the cells before it and above it leave free. */
export interface Cell {
  readonly blocks: readonly Block[];
  /** How many columns and rows it takes, at least 1. */
  readonly columns: number;
  readonly rows: number;
}

export type Block =
  | { readonly kind: 'paragraph'; readonly inlines: readonly Inline[] }
  | { readonly kind: 'heading'; readonly level: number; readonly inlines: readonly Inline[] }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly Item[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly Cell[])[] }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'code'; readonly text: string; readonly language: string }
  /** Words that are Markdown already. */
  | { readonly kind: 'markdown'; readonly text: string }
  | { readonly kind: 'rule' }
  /** A page or slide. `label` is its heading where it has no title of its own; plain text separates pages by form feeds. */
  | {
      readonly kind: 'page';
      readonly id: string;
      readonly label: string;
      readonly title: readonly Inline[];
      readonly blocks: readonly Block[];
    };

export type TableBlock = Extract<Block, { kind: 'table' }>;
export type PageBlock = Extract<Block, { kind: 'page' }>;

export interface Document {
  readonly blocks: readonly Block[];
  /** Footnotes and endnotes, by the labels of their references. */
  readonly notes: readonly { readonly label: string; readonly blocks: readonly Block[] }[];
}

export const plain = (text: string): Inline => ({ kind: 'text', text, marks: {} });
export const paragraph = (...inlines: Inline[]): Block => ({ kind: 'paragraph', inlines });
export const cell = (blocks: readonly Block[], columns = 1, rows = 1): Cell => ({ blocks, columns, rows });

/** The words of inlines, without marks. */
export const wordsOf = (inlines: readonly Inline[]): string =>
  inlines.map((inline) => (inline.kind === 'text' ? inline.text : inline.kind === 'break' ? ' ' : '')).join('');

/** The words of paragraphs and headings, in one line. */
export const wordsOfBlocks = (blocks: readonly Block[]): string =>
  blocks
    .map((block) => ('inlines' in block ? wordsOf(block.inlines) : ''))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();

export const isBlank = (inlines: readonly Inline[]): boolean =>
  inlines.every((inline) => inline.kind === 'break' || (inline.kind === 'text' && inline.text.trim() === ''));

/** Texts beside each other with the same marks are one. */
export function merged(inlines: readonly Inline[]): Inline[] {
  const found: Inline[] = [];
  for (const inline of inlines) {
    const last = found.at(-1);
    if (inline.kind === 'text' && last?.kind === 'text' && sameMarks(inline.marks, last.marks))
      found[found.length - 1] = { ...last, text: last.text + inline.text };
    else found.push(inline);
  }
  return found;
}

const sameMarks = (a: Marks, b: Marks): boolean =>
  !a.bold === !b.bold &&
  !a.italic === !b.italic &&
  !a.struck === !b.struck &&
  !a.code === !b.code &&
  !a.deleted === !b.deleted &&
  a.script === b.script &&
  (a.link ?? '') === (b.link ?? '');

// Lists.

/** A paragraph that belongs to a list, as formats without nested lists have them. */
export interface Listed {
  /** From 0. */
  readonly level: number;
  /** A number counts as `1.` does. Other marks (`1.2`, `a)`, `§ 3`) are words of their paragraph, which is part of the item above it. */
  readonly mark: number | 'bullet' | 'words';
  readonly blocks: readonly Block[];
}

/** Consecutive paragraphs of lists as nested ones. */
export function nested(paragraphs: readonly Listed[]): Block[] {
  const found: Block[] = [];
  const open: { level: number; isOrdered: boolean; items: { number?: number | undefined; blocks: Block[] }[] }[] = [];
  const innermost = () => open.at(-1)?.items.at(-1)?.blocks ?? found;
  for (const { level, mark, blocks } of paragraphs) {
    const isOrdered = typeof mark === 'number';
    const isOver = (list: { level: number; isOrdered: boolean }) =>
      list.level > level || (list.level === level && (mark === 'words' || list.isOrdered !== isOrdered));
    for (let last = open.at(-1); last && isOver(last); last = open.at(-1)) open.pop();
    if (mark === 'words') {
      innermost().push(...blocks);
      continue;
    }
    if (open.at(-1)?.level !== level) {
      const items: Item[] = [];
      innermost().push({ kind: 'list', isOrdered, items });
      open.push({ level, isOrdered, items });
    }
    open.at(-1)?.items.push({ number: isOrdered ? mark : undefined, blocks: [...blocks] });
  }
  return found;
}

// Tables.

/** A wider table, or a cell that takes more rows, counts as this large. */
const MOST_COLUMNS = 1000;
const MOST_ROWS = 100_000;

/**
 * A table's places, row by row, each row as long as the longest. A cell that takes several places stands in the first, and the others are
 * empty, as in workbooks. Throws FILE_TOO_LARGE where there are more places than `most`.
 */
export function gridOf(rows: readonly (readonly Cell[])[], most: number): (Cell | undefined)[][] {
  const grid: (Cell | undefined)[][] = rows.map(() => []);
  /** Rows, counted from the one that is filled, in which a column is taken by a cell above. */
  const taken: number[] = [];
  let width = 0;
  for (const [index, row] of rows.entries()) {
    const line = grid[index] as (Cell | undefined)[];
    let at = 0;
    for (const each of row) {
      while ((taken[at] ?? 0) > 0) at += 1;
      const columns = Math.min(Math.max(each.columns, 1), MOST_COLUMNS - at);
      if (columns <= 0) break;
      line[at] = each;
      const end = at + columns;
      for (; at < end; at += 1) taken[at] = Math.min(Math.max(each.rows, 1), MOST_ROWS);
    }
    width = Math.max(width, at, taken.findLastIndex((left) => left > 0) + 1);
    for (let column = 0; column < taken.length; column += 1) taken[column] = Math.max((taken[column] ?? 0) - 1, 0);
    if (width * rows.length > most) throw fileTooLarge(null, most, 'maxFileBytes');
  }
  return grid.map((line) => Array.from({ length: width }, (_, column) => line[column]));
}

/** Cells that take more than one place. */
export const mergedCells = (rows: readonly (readonly Cell[])[]): number =>
  rows.reduce((sum, row) => sum + row.filter(({ columns, rows: height }) => columns > 1 || height > 1).length, 0);

/** All tables of a document in order, those in cells after the one around them. */
export function tablesIn(blocks: readonly Block[]): TableBlock[] {
  return blocks.flatMap((block) => {
    switch (block.kind) {
      case 'table':
        return [block, ...tablesIn(block.rows.flat().flatMap((each) => each.blocks))];
      case 'list':
        return tablesIn(block.items.flatMap((item) => item.blocks));
      case 'quote':
      case 'page':
        return tablesIn(block.blocks);
      default:
        return [];
    }
  });
}

// What is written.

/** Text that is written piece by piece. Throws FILE_TOO_LARGE beyond `limit` characters. */
export class Output {
  readonly limit: number;
  /** Where pages begin. */
  readonly pages: { page: PageBlock; at: number }[] = [];
  private readonly pieces: string[] = [];
  private length = 0;
  private kept = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  push(text: string): void {
    this.pieces.push(text);
    this.length += text.length;
    if (this.length > this.limit) throw fileTooLarge(null, this.limit, 'maxFileBytes');
  }

  /** What follows is this page. */
  begin(page: PageBlock): void {
    this.pages.push({ page, at: this.length });
  }

  /** A part that is written later, counted now. */
  bounded(text: string): string {
    this.kept += text.length;
    if (this.kept > 2 * this.limit) throw fileTooLarge(null, this.limit, 'maxFileBytes');
    return text;
  }

  get isEmpty(): boolean {
    return this.length === 0;
  }

  toString(): string {
    return this.pieces.join('');
  }
}
