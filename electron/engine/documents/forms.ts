/** Gives documents as Markdown, HTML or plain text, and their tables as records' text. */
import { type Outline, type Warning, warning } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import type { AsMode } from '../../../shared/model/formats.ts';
import { say } from '../../../shared/model/messages/message.ts';
import type { EngineBounds } from '../core/convert-types.ts';
import {
  type Block,
  type Cell,
  type Document,
  gridOf,
  type Inline,
  isBlank,
  type Marks,
  merged,
  mergedCells,
  Output,
  type TableBlock,
  tablesIn,
  wordsOf,
} from '../core/document.ts';
import { rangesOf } from './losses.ts';
import { writeMarkdown } from './markdown.ts';

type DocumentForm = 'markdown' | 'html' | 'text';

export const formOf = (as: AsMode = 'auto'): DocumentForm => (as === 'html' || as === 'text' ? as : 'markdown');

/** With warnings of what its form does not show. Throws FILE_TOO_LARGE for a text of more than `maxFileBytes` characters. */
export function documentText(document: Document, as: AsMode | undefined, { maxFileBytes }: Bounds): DocumentText {
  const form = formOf(as);
  const out = new Output(maxFileBytes);
  writers[form](document, out);
  const written = out.toString();
  const start = /^[\n\f]*/.exec(written)?.[0].length ?? 0;
  return {
    text: written.slice(start).trimEnd(),
    warnings: form === 'html' ? [] : mergedWarnings(tablesIn(document.blocks)),
    pages: out.pages.slice(0, PAGES_LISTED).map(({ page: { label, title }, at }) => ({
      label,
      title: shortened(wordsOf(title)),
      at: Math.max(0, at - start),
    })),
  };
}

const PAGES_LISTED = 1000;
const TABLES_LISTED = 100;
const COLUMNS_LISTED = 8;
const WORDS_LISTED = 40;
const shortened = (words: string): string =>
  words.length > WORDS_LISTED ? `${words.slice(0, WORDS_LISTED - 1).trimEnd()}…` : words;

/** The first tables of a document. */
export function tableList({ blocks }: Document): Outline['tables'] {
  const listed = blocks.flatMap((block) =>
    tablesIn([block]).map((table) => ({ table, page: block.kind === 'page' ? block.label : null })),
  );
  return listed.slice(0, TABLES_LISTED).map(({ table: { rows }, page }) => {
    const [first = []] = rows;
    return {
      rows: rows.length,
      columns: first.reduce((sum, { columns }) => sum + columns, 0),
      head: first.slice(0, COLUMNS_LISTED).map((each) => shortened(cellWords(each))),
      page,
    };
  });
}

/** `only`: the table that was asked for. */
export function mergedWarnings(tables: readonly TableBlock[], only = false): Warning[] {
  const merged = tables
    .map(({ rows }, index) => ({ number: index + 1, cells: mergedCells(rows) }))
    .filter(({ cells }) => cells > 0);
  const cells = merged.reduce((sum, each) => sum + each.cells, 0);
  const { ranges } = rangesOf(merged.map(({ number }) => number));
  return cells > 0 ? [warning('DOCUMENT_MERGED', say('document.merged', { cells, tables: only ? null : ranges }))] : [];
}

interface DocumentText {
  readonly text: string;
  readonly warnings: readonly Warning[];
  readonly pages: Outline['pages'];
}

type Bounds = Pick<EngineBounds, 'maxFileBytes'>;

/** The nth table, from 1. Throws INVALID_REQUEST where it has none, or not as many. */
export function tableOf({ blocks }: Document, asked: string | number): TableBlock {
  const tables = tablesIn(blocks);
  const number = Number(asked);
  const found = Number.isInteger(number) ? tables[number - 1] : undefined;
  if (found) return found;
  throw new AppError('INVALID_REQUEST', say('document.noTable', { table: String(asked), tables: tables.length }), {
    hint: say('document.noTable.hint', { tables: tables.length }),
  });
}

/** Throws FILE_TOO_LARGE. */
export function tableAsCsv({ rows }: TableBlock, { maxFileBytes }: Bounds): string {
  const out = new Output(maxFileBytes);
  for (const line of gridOf(rows, maxFileBytes)) {
    out.push(`${line.map((each) => csvCell(cellWords(each))).join(',')}\n`);
  }
  return out.toString();
}

const csvCell = (text: string): string =>
  /[",\n\r]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;

const writers: Readonly<Record<DocumentForm, (document: Document, out: Output) => void>> = {
  markdown: writeMarkdown,
  html: writeHtml,
  text: writeText,
};

// Plain text: a line per paragraph and table row, tabs between cells.

function writeText({ blocks, notes }: Document, out: Output): void {
  for (const block of blocks) writeTextBlock(block, '', out);
  for (const { label, blocks: own } of notes) {
    const [first, ...others] = own;
    out.push(`[${label}] ${first ? textOfBlock(first, out) : '\n'}`);
    for (const block of others) writeTextBlock(block, '', out);
  }
}

function textOfBlock(block: Block, out: Output): string {
  const own = new Output(out.limit);
  writeTextBlock(block, '', own);
  return out.bounded(own.toString());
}

function writeTextBlock(block: Block, indent: string, out: Output): void {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      if (!isBlank(block.inlines)) out.push(`${indent}${textOf(block.inlines).trim().replaceAll('\n', `\n${indent}`)}\n`);
      break;
    case 'list':
      for (const { number, blocks } of block.items) {
        const mark = number === undefined ? '- ' : `${number}. `;
        const inner = `${indent}${' '.repeat(mark.length)}`;
        const own = new Output(out.limit);
        for (const each of blocks) writeTextBlock(each, inner, own);
        const text = own.toString();
        out.push(text === '' ? `${indent}${mark.trimEnd()}\n` : `${indent}${mark}${text.slice(inner.length)}`);
      }
      break;
    case 'table':
      for (const line of gridOf(block.rows, out.limit)) out.push(`${line.map(cellWords).join('\t').trimEnd()}\n`);
      break;
    case 'quote':
      for (const each of block.blocks) writeTextBlock(each, indent, out);
      break;
    case 'code':
      out.push(block.text.endsWith('\n') ? block.text : `${block.text}\n`);
      break;
    case 'markdown':
      out.push(`${block.text}\n`);
      break;
    case 'rule':
      out.push('\n');
      break;
    case 'page':
      if (!out.isEmpty) out.push('\f');
      out.begin(block);
      if (!isBlank(block.title)) out.push(`${textOf(block.title).trim()}\n`);
      for (const each of block.blocks) writeTextBlock(each, indent, out);
      break;
  }
}

/** A cell's words in one line. */
export function cellWords(cell: Cell | undefined): string {
  if (cell === undefined) return '';
  const own = new Output(Number.POSITIVE_INFINITY);
  for (const block of cell.blocks) writeTextBlock(block, '', own);
  return own.toString().replace(/\s+/g, ' ').trim();
}

const textOf = (inlines: readonly Inline[]): string => merged(inlines).map(inlineAsText).join('');

function inlineAsText(inline: Inline): string {
  switch (inline.kind) {
    case 'text':
      return textWithMarks(inline.text, inline.marks);
    case 'break':
      return '\n';
    case 'image':
      return '';
    case 'math':
      return inline.latex;
    case 'note':
      return `[${inline.label}]`;
    case 'comment':
      return `[Comment: ${inline.text}]`;
  }
}

/** What would change the meaning if it were left out: a power, a word that is struck out. */
function textWithMarks(text: string, { struck, script, deleted }: Marks): string {
  const [, before = '', words = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? [];
  if (words === '') return text;
  const sign = script === 'super' ? '^' : script === 'sub' ? '_' : '';
  const shown = sign === '' ? words : `${sign}${/^[\p{L}\p{N}]+$/u.test(words) ? words : `(${words})`}`;
  return before + (deleted ? `[deleted: ${shown}]` : struck ? `~~${shown}~~` : shown) + after;
}

// HTML.

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character] as string);

function writeHtml({ blocks, notes }: Document, out: Output): void {
  for (const block of blocks) writeHtmlBlock(block, out);
  if (notes.length === 0) return;
  out.push('<ol>');
  for (const { label, blocks: own } of notes) {
    out.push(`<li id="note-${escaped(label)}">`);
    for (const block of own) writeHtmlBlock(block, out);
    out.push('</li>');
  }
  out.push('</ol>');
}

function writeHtmlBlock(block: Block, out: Output): void {
  switch (block.kind) {
    case 'paragraph':
      if (!isBlank(block.inlines)) out.push(`<p>${htmlOf(block.inlines)}</p>`);
      break;
    case 'heading': {
      const level = Math.min(Math.max(block.level, 1), 6);
      if (!isBlank(block.inlines)) out.push(`<h${level}>${htmlOf(block.inlines)}</h${level}>`);
      break;
    }
    case 'list': {
      const start = block.items[0]?.number ?? 1;
      out.push(block.isOrdered ? (start === 1 ? '<ol>' : `<ol start="${start}">`) : '<ul>');
      for (const [index, { number, blocks }] of block.items.entries()) {
        out.push(number === undefined || number === start + index ? '<li>' : `<li value="${number}">`);
        const [first, ...others] = blocks;
        if (first?.kind === 'paragraph') out.push(htmlOf(first.inlines));
        for (const each of first?.kind === 'paragraph' ? others : blocks) writeHtmlBlock(each, out);
        out.push('</li>');
      }
      out.push(block.isOrdered ? '</ol>' : '</ul>');
      break;
    }
    case 'table':
      out.push('<table>');
      for (const row of block.rows) {
        out.push('<tr>');
        for (const each of row) writeHtmlCell(each, out);
        out.push('</tr>');
      }
      out.push('</table>');
      break;
    case 'quote':
      out.push('<blockquote>');
      for (const each of block.blocks) writeHtmlBlock(each, out);
      out.push('</blockquote>');
      break;
    case 'code':
      out.push(`<pre><code>${escaped(block.text)}</code></pre>`);
      break;
    case 'markdown':
      out.push(`<pre>${escaped(block.text)}</pre>`);
      break;
    case 'rule':
      out.push('<hr />');
      break;
    case 'page':
      out.begin(block);
      out.push(`<section id="${escaped(block.id)}">`);
      if (!isBlank(block.title)) out.push(`<h2>${htmlOf(block.title)}</h2>`);
      for (const each of block.blocks) writeHtmlBlock(each, out);
      out.push('</section>');
      break;
  }
}

function writeHtmlCell({ blocks, columns, rows }: Cell, out: Output): void {
  out.push(`<td${columns > 1 ? ` colspan="${columns}"` : ''}${rows > 1 ? ` rowspan="${rows}"` : ''}>`);
  const [only, ...others] = blocks;
  if (only?.kind === 'paragraph' && others.length === 0) out.push(htmlOf(only.inlines));
  else for (const each of blocks) writeHtmlBlock(each, out);
  out.push('</td>');
}

const htmlOf = (inlines: readonly Inline[]): string => merged(inlines).map(inlineAsHtml).join('').trim();

function inlineAsHtml(inline: Inline): string {
  switch (inline.kind) {
    case 'text':
      return htmlWithMarks(inline.text, inline.marks);
    case 'break':
      return '<br />';
    case 'image':
      return inline.alt.trim() === '' && inline.src === ''
        ? ''
        : `<img alt="${escaped(inline.alt)}" src="${escaped(inline.src)}" />`;
    case 'math':
      return escaped(inline.isBlock ? `$$${inline.latex}$$` : `$${inline.latex}$`);
    case 'note':
      return `<a href="#note-${escaped(inline.label)}">[${escaped(inline.label)}]</a>`;
    case 'comment':
      return `<span class="comment">${escaped(inline.text)}</span>`;
  }
}

function htmlWithMarks(text: string, { bold, italic, struck, code, script, link = '', deleted }: Marks): string {
  const [, before = '', words = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? [];
  if (words === '') return text;
  const tags = [
    code && 'code',
    script === 'super' && 'sup',
    script === 'sub' && 'sub',
    struck && 's',
    italic && 'em',
    bold && 'strong',
  ];
  let html = escaped(words);
  for (const tag of tags) if (tag) html = `<${tag}>${html}</${tag}>`;
  if (link !== '') html = `<a href="${escaped(link)}">${html}</a>`;
  return before + (deleted ? `<del>${html}</del>` : html) + after;
}
