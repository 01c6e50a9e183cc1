/** Gives a document's HTML as Markdown, HTML or plain text. */
import TurndownService from 'turndown';
import type { AsMode } from '../../../shared/model/formats.ts';

type DocumentForm = 'markdown' | 'html' | 'text';

export const formOf = (as: AsMode = 'auto'): DocumentForm => (as === 'html' || as === 'text' ? as : 'markdown');

/** Takes well-formed HTML; a RangeError where its elements are nested deeper than `maxNesting`. */
export function inForm(html: string, as: AsMode | undefined, maxNesting: number): string {
  const form = formOf(as);
  if (form === 'html') return html;
  return form === 'text' ? plainTextOf(html) : markdownOf(html, maxNesting);
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' };

/** HTML as plain text: a line per paragraph and table row, tabs between cells. Takes well-formed HTML with the four entities that its writer uses. */
function plainTextOf(html: string): string {
  return html
    .replace(/<\/p>(?=<\/t[dh]>)/g, '')
    .replace(/<\/p>(?=<p>[^<>]*<\/t[dh]>)/g, ' ')
    .replace(/<\/t[dh]>(?=<t[dh])/g, '\t')
    .replace(/<br[^<>]*>|<\/(?:p|h[1-6]|tr|table)>|<\/li>|<[uo]l>/g, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(lt|gt|quot|amp);/g, (_, name: string) => entities[name] as string)
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

// GitHub Flavored Markdown by turndown, with tables and without embedded images.

/** The part of the library's DOM that is used here. */
interface MarkupNode {
  readonly nodeName: string;
  readonly parentNode: MarkupNode | null;
  readonly childNodes: ArrayLike<MarkupNode>;
  getAttribute?(name: string): string | null;
}

/** Throws a RangeError for elements nested deeper than `maxNesting`, as the library does further on. */
function markdownOf(html: string, maxNesting: number): string {
  refuseDeep(html, maxNesting);
  const service = new TurndownService({
    headingStyle: 'atx',
    hr: '---',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
  });
  service.remove(['script', 'style', 'noscript', 'template']);
  service.addRule('image', {
    filter: 'img',
    replacement(_, node) {
      const [alt, src] = [node.getAttribute('alt') ?? '', node.getAttribute('src') ?? ''];
      const shown = alt.replace(/\s+/g, ' ').trim();
      if (src === '' || /^data:/i.test(src)) return shown === '' ? '' : `![${shown}]`;
      return `![${shown}](${src})`;
    },
  });
  // Footnotes, as the Word reader marks them.
  service.addRule('note', {
    filter: (node) => node.nodeName === 'A' && NOTE.test(node.getAttribute('href') ?? ''),
    replacement: (_, node) => noteMark(node.getAttribute('href')),
  });
  service.addRule('item', { filter: 'li', replacement: itemText });
  service.addRule('strikethrough', { filter: ['del', 's'], replacement: (content) => (content ? `~~${content}~~` : '') });
  service.addRule('cell', { filter: ['th', 'td'], replacement: cellText });
  service.addRule('row', { filter: 'tr', replacement: rowText });
  service.addRule('table', {
    filter: 'table',
    replacement: (content) => `\n\n${content.replace(/\n{2,}/g, '\n').trim()}\n\n`,
  });
  for (const section of ['thead', 'tbody', 'tfoot'] as const) {
    service.addRule(section, { filter: section, replacement: (content) => content });
  }
  return service.turndown(html).trim();
}

const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;

/** The library recurses. Only tags are counted, so the HTML must close its elements. */
function refuseDeep(html: string, maxNesting: number): void {
  let depth = 0;
  for (const [tag, slash, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)[^<>]*>/g)) {
    if (slash === '/') depth -= 1;
    else if (!VOID.test(name) && !tag.endsWith('/>')) depth += 1;
    if (depth > maxNesting) throw new RangeError();
  }
}

const NOTE = /^#?(footnote|endnote)-(ref-)?(\d+)$/;

/** `[^1]` for a reference to a note; nothing for the way back from it. */
function noteMark(target: string | null | undefined): string {
  const [, kind, back, number] = NOTE.exec(target ?? '') ?? [];
  return number === undefined || back ? '' : `[^${kind === 'endnote' ? 'e' : ''}${number}]`;
}

function itemText(content: string, item: MarkupNode): string {
  const text = content.trim();
  const note = noteMark(item.getAttribute?.('id'));
  if (note !== '') return `${note}: ${text.replaceAll('\n', '\n    ')}\n`;
  const list = item.parentNode;
  const { start, numbers, last } = list === null ? noItems : itemsOf(list);
  const bullet = list?.nodeName === 'OL' ? `${start + (numbers.get(item) ?? 0)}. ` : '- ';
  return `${bullet}${text.replace(/\n(?=.)/g, `\n${' '.repeat(bullet.length)}`)}${last === item ? '' : '\n'}`;
}

interface Items {
  readonly start: number;
  readonly numbers: ReadonlyMap<MarkupNode, number>;
  readonly last: MarkupNode | undefined;
}

const noItems: Items = { start: 1, numbers: new Map(), last: undefined };

/** Worked out once per list, because a list may have 100,000 items. */
const itemsOf = oncePer((list: MarkupNode): Items => {
  const items = childrenOf(list).filter(({ nodeName }) => nodeName === 'LI');
  const start = Math.trunc(Number(list.getAttribute?.('start') ?? 1)) || 1;
  return { start, numbers: new Map(items.map((item, i) => [item, i])), last: items.at(-1) };
});

function oncePer<T>(work: (node: MarkupNode) => T): (node: MarkupNode) => T {
  const known = new WeakMap<MarkupNode, { value: T }>();
  return (node) => {
    const found = known.get(node) ?? { value: work(node) };
    known.set(node, found);
    return found.value;
  };
}

function cellText(content: string, node: MarkupNode): string {
  const text = content
    .trim()
    .replaceAll('|', '\\|')
    .replace(/\s*\n\s*/g, '<br>');
  return ` ${text} |${' |'.repeat(spanOf(node) - 1)}`;
}

/** A wider cell or table counts as this wide. */
const MOST_COLUMNS = 1000;

const spanOf = (cell: MarkupNode): number => {
  const span = Math.trunc(Number(cell.getAttribute?.('colspan') ?? 1));
  return span >= 1 ? Math.min(span, MOST_COLUMNS) : 1;
};

function rowText(content: string, row: MarkupNode): string {
  const { first, width } = tableOf(tableAround(row));
  const line = `\n|${content}`;
  if (first !== row) return line;
  // A Markdown table is as wide as its first row, which is its header.
  return `${line}${'  |'.repeat(Math.max(width - widthOf(row), 0))}\n|${' --- |'.repeat(width)}`;
}

/** The row's table, or what it is in without one. */
function tableAround(row: MarkupNode): MarkupNode {
  const parent = row.parentNode ?? row;
  return parent.nodeName === 'TABLE' ? parent : (parent.parentNode ?? parent);
}

/** Worked out once per table, because a table may have 100,000 rows. */
const tableOf = oncePer((table: MarkupNode): { first: MarkupNode | undefined; width: number } => {
  const rows = childrenOf(table).flatMap((child) => (isRow(child) ? [child] : childrenOf(child).filter(isRow)));
  const width = rows.reduce((widest, row) => Math.max(widest, widthOf(row)), 1);
  return { first: rows[0], width: Math.min(width, MOST_COLUMNS) };
});

const isRow = ({ nodeName }: MarkupNode): boolean => nodeName === 'TR';
const isCell = ({ nodeName }: MarkupNode): boolean => nodeName === 'TD' || nodeName === 'TH';

const childrenOf = ({ childNodes }: MarkupNode): MarkupNode[] => Array.from(childNodes);

const widthOf = (row: MarkupNode): number => childrenOf(row).reduce((sum, cell) => sum + (isCell(cell) ? spanOf(cell) : 0), 0);
