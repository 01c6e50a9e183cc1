/** Reads web pages (.html, .htm, .xhtml) as a browser shows them, without running anything. */
import { type DefaultTreeAdapterTypes, parse, parseFragment } from 'parse5';
import {
  type Block,
  type Cell,
  cell,
  type Inline,
  type Item,
  isBlank,
  type Marks,
  paragraph,
  plain,
  wordsOf,
} from '../core/document.ts';
import type { DocumentScan, WholeReader } from '../core/reader.ts';
import { holdText } from '../input/held-text.ts';
import { ScanProgress } from '../input/input.ts';
import { readText } from '../input/text-input.ts';
import { Losses } from './losses.ts';
import type { Element as XmlElement } from './markup.ts';
import { latexOf } from './math.ts';
import { numberIn } from './number-formats.ts';
import { parsedBy } from './parts.ts';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

/** Elements nested deeper are a RangeError: this reader recurses. */
const DEEPEST = 512;

export interface PageOptions {
  /** Whether to give what is not shown. */
  readonly hidden: boolean;
  readonly losses: Losses;
  /** Whether it is a part of a page, as in a Word document. */
  readonly isPart?: boolean;
}

export const readHtml: WholeReader = (source, { options, bounds, signal }): Promise<DocumentScan> =>
  parsedBy('html', signal, async () => {
    const { text, settled } = await readText(source, {
      named: { format: 'html', compression: null },
      encoding: options.encoding,
      bound: { setting: 'maxFileBytes', limit: bounds.maxFileBytes },
      progress: new ScanProgress({ bounds }, source.size, 1),
      hashed: false,
      signal,
    });
    const html = await holdText(text, bounds.maxFileBytes, signal);
    const losses = new Losses();
    const hidden = options.include?.includes('hidden') === true;
    const document = { blocks: blocksOfHtml(html, { hidden, losses }), notes: [] };
    return { document, html, warnings: [...settled.warnings, ...losses.warnings()] };
  });

/** The blocks of a page. Throws a RangeError for elements nested too deep. */
export function blocksOfHtml(html: string, options: PageOptions): Block[] {
  const { childNodes } = options.isPart ? parseFragment(html) : parse(html);
  return new PageReader(options).blocks(childNodes);
}

/** What is no text of the page. */
const SILENT: ReadonlySet<string> = new Set(
  'head script style noscript template title svg canvas iframe object embed audio video map datalist rp colgroup source track'.split(
    ' ',
  ),
);
const BLOCKS: ReadonlySet<string> = new Set(
  'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary table tbody td tfoot th thead tr ul caption'.split(
    ' ',
  ),
);

const attribute = ({ attrs }: Element, name: string): string | undefined => attrs.find((each) => each.name === name)?.value;
const isElement = (node: Node): node is Element => 'tagName' in node;
const elementsIn = ({ childNodes }: Element): Element[] => childNodes.filter(isElement);

class PageReader {
  private readonly options: PageOptions;
  private depth = 0;

  constructor(options: PageOptions) {
    this.options = options;
  }

  /** Text between blocks makes paragraphs of its own. */
  blocks(nodes: readonly Node[], marks: Marks = {}): Block[] {
    const blocks: Block[] = [];
    let inlines: Inline[] = [];
    const flush = () => {
      const shown = trimmed(inlines);
      if (!isBlank(shown)) blocks.push(paragraph(...shown));
      inlines = [];
    };
    for (const node of nodes) {
      if (this.isLeftOut(node)) continue;
      if (isElement(node) && this.hasBlocks(node)) {
        flush();
        blocks.push(...this.deeper(() => this.blocksOf(node, marks)));
      } else this.inline(node, marks, inlines);
    }
    flush();
    return blocks;
  }

  private deeper<T>(read: () => T): T {
    this.depth += 1;
    if (this.depth > DEEPEST) throw new RangeError();
    const found = read();
    this.depth -= 1;
    return found;
  }

  /** Whether it is a block, or an inline element around one. */
  private hasBlocks(element: Element, depth = 0): boolean {
    if (BLOCKS.has(element.tagName)) return true;
    if (depth > DEEPEST) throw new RangeError();
    return (
      element.tagName !== 'ruby' &&
      element.tagName !== 'math' &&
      elementsIn(element).some((each) => this.hasBlocks(each, depth + 1))
    );
  }

  private isLeftOut(node: Node): boolean {
    if (!isElement(node)) return node.nodeName !== '#text';
    if (SILENT.has(node.tagName)) return true;
    const isHidden =
      attribute(node, 'hidden') !== undefined ||
      /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attribute(node, 'style') ?? '') ||
      (node.tagName === 'input' && attribute(node, 'type') === 'hidden');
    if (!isHidden || this.options.hidden) return false;
    this.options.losses.add('hidden', textOf(node).trim().length);
    return true;
  }

  private blocksOf(element: Element, marks: Marks): Block[] {
    const { tagName, childNodes } = element;
    switch (tagName) {
      case 'h1':
      case 'h2':
      case 'h3':
      case 'h4':
      case 'h5':
      case 'h6': {
        const inlines = trimmed(this.inlines(childNodes, marks));
        if (isBlank(inlines)) return [];
        this.options.losses.under(wordsOf(inlines));
        return [{ kind: 'heading', level: Number(tagName[1]), inlines }];
      }
      case 'ul':
      case 'ol':
      case 'menu':
      case 'dir':
        return this.list(element, marks);
      case 'dl':
        return this.blocks(childNodes, marks);
      case 'dt':
        return this.blocks(childNodes, { ...marks, bold: true });
      case 'blockquote': {
        const blocks = this.blocks(childNodes, marks);
        return blocks.length === 0 ? [] : [{ kind: 'quote', blocks }];
      }
      case 'pre': {
        const code = elementsIn(element).find((each) => each.tagName === 'code');
        const [, language = ''] =
          /\blanguage-([\w+#-]+)/.exec(`${attribute(element, 'class') ?? ''} ${code ? (attribute(code, 'class') ?? '') : ''}`) ??
          [];
        return [{ kind: 'code', text: this.preformatted(childNodes).replace(/^\n/, ''), language }];
      }
      case 'hr':
        return [{ kind: 'rule' }];
      case 'table':
        return this.table(element);
      default:
        return this.blocks(childNodes, marks);
    }
  }

  private list(element: Element, marks: Marks): Block[] {
    const isOrdered = element.tagName === 'ol';
    const items: Item[] = [];
    const strays: Node[] = [];
    const entries = elementsIn(element).filter(({ tagName }) => tagName === 'li').length;
    const isReversed = isOrdered && attribute(element, 'reversed') !== undefined;
    let number = Number.parseInt(attribute(element, 'start') ?? '', 10);
    if (Number.isNaN(number)) number = isReversed ? entries : 1;
    for (const node of element.childNodes) {
      if (this.isLeftOut(node)) continue;
      if (!isElement(node) || node.tagName !== 'li') {
        // A list between the items belongs to the item before it.
        const last = items.at(-1);
        if (isElement(node) && last) last.blocks.push(...this.blocks([node], marks));
        else if (!/^\s*$/.test(textOf(node))) strays.push(node);
        continue;
      }
      const own = Number.parseInt(attribute(node, 'value') ?? '', 10);
      if (!Number.isNaN(own)) number = own;
      items.push({ number: isOrdered ? number : undefined, blocks: this.deeper(() => this.blocks(node.childNodes, marks)) });
      number += isReversed ? -1 : 1;
    }
    const format = isOrdered ? LETTERS[attribute(element, 'type') ?? ''] : undefined;
    // Letters and Roman numbers are words of their items: a list of Markdown has digits.
    const lettered = () =>
      items.flatMap(({ number: count = 1, blocks: [first, ...others] }) => [
        first?.kind === 'paragraph'
          ? paragraph(plain(`${numberIn(count, format ?? '') ?? count}. `), ...first.inlines)
          : paragraph(plain(`${numberIn(count, format ?? '') ?? count}.`)),
        ...(first?.kind === 'paragraph' || first === undefined ? [] : [first]),
        ...others,
      ]);
    const list: Block[] = items.length === 0 ? [] : format ? lettered() : [{ kind: 'list', isOrdered, items }];
    return [...this.blocks(strays, marks), ...list];
  }

  private table(element: Element): Block[] {
    const rows: Cell[][] = [];
    const above: Block[] = [];
    const parts: readonly string[] = ['thead', 'tbody', 'tfoot'];
    const sections = elementsIn(element).filter(({ tagName }) => parts.includes(tagName));
    // A foot stands at the end, wherever it is written.
    for (const section of sections.toSorted((a, b) => order(a) - order(b))) {
      const lines = elementsIn(section).filter((row) => row.tagName === 'tr' && !this.isLeftOut(row));
      // A cell ends with its part of the table, however many rows it asks for.
      for (const [at, row] of lines.entries()) rows.push(this.cells(row, lines.length - at));
    }
    const caption = elementsIn(element).find(({ tagName }) => tagName === 'caption');
    if (caption) above.push(...this.blocks(caption.childNodes));
    return rows.some((row) => row.length > 0) ? [...above, { kind: 'table', rows }] : above;
  }

  private cells(row: Element, rowsLeft: number): Cell[] {
    return elementsIn(row).flatMap((each) => {
      const isEmpty = this.isLeftOut(each);
      // What is invisible keeps its place; what is not displayed has none.
      if (isEmpty && !/visibility\s*:\s*hidden/i.test(attribute(each, 'style') ?? '')) return [];
      const blocks = isEmpty ? [] : this.deeper(() => this.blocks(each.childNodes));
      return [cell(blocks, span(each, 'colspan'), Math.min(span(each, 'rowspan'), rowsLeft))];
    });
  }

  /** Text with its line ends, and one after each block. */
  private preformatted(nodes: readonly Node[]): string {
    let text = '';
    for (const node of nodes) {
      if (this.isLeftOut(node)) continue;
      if (!isElement(node)) {
        text += 'value' in node ? node.value : '';
        continue;
      }
      const inside = node.tagName === 'br' ? '\n' : this.deeper(() => this.preformatted(node.childNodes));
      const isBlock = BLOCKS.has(node.tagName) && node.tagName !== 'td' && node.tagName !== 'th';
      if (isBlock && text !== '' && !text.endsWith('\n')) text += '\n';
      text += inside + (node.tagName === 'td' || node.tagName === 'th' ? '\t' : '');
      if (isBlock && !text.endsWith('\n')) text += '\n';
    }
    return text;
  }

  private inlines(nodes: readonly Node[], marks: Marks): Inline[] {
    const found: Inline[] = [];
    for (const node of nodes) if (!this.isLeftOut(node)) this.inline(node, marks, found);
    return found;
  }

  private inline(node: Node, marks: Marks, found: Inline[]): void {
    if (!isElement(node)) {
      if ('value' in node) found.push({ kind: 'text', text: node.value.replace(/[ \t\r\n\f]+/g, ' '), marks });
      return;
    }
    const inside = (more: Marks = {}) =>
      this.deeper(() => {
        for (const each of node.childNodes) if (!this.isLeftOut(each)) this.inline(each, { ...marks, ...more }, found);
      });
    switch (node.tagName) {
      case 'b':
      case 'strong':
        inside({ bold: true });
        break;
      case 'i':
      case 'em':
        inside({ italic: true });
        break;
      case 's':
      case 'del':
      case 'strike':
        inside({ struck: true });
        break;
      case 'code':
      case 'kbd':
      case 'samp':
      case 'tt':
        inside({ code: true });
        break;
      case 'sup':
        inside({ script: 'super' });
        break;
      case 'sub':
        inside({ script: 'sub' });
        break;
      case 'a':
        inside(linkOf(attribute(node, 'href')));
        break;
      case 'br':
        found.push({ kind: 'break' });
        break;
      case 'img': {
        const src = attribute(node, 'src') ?? '';
        if (/^data:/i.test(src) || src === '') this.options.losses.add('images');
        found.push({
          kind: 'image',
          alt: attribute(node, 'alt') ?? '',
          src: /^(?:data|javascript):/i.test(src) ? '' : src.trim(),
        });
        break;
      }
      case 'q':
        found.push({ kind: 'text', text: '“', marks });
        inside();
        found.push({ kind: 'text', text: '”', marks });
        break;
      case 'rt':
        found.push({ kind: 'text', text: '(', marks });
        inside();
        found.push({ kind: 'text', text: ')', marks });
        break;
      case 'math':
        found.push({ kind: 'math', latex: latexOf(xmlOf(node)), isBlock: attribute(node, 'display') === 'block' });
        break;
      case 'input':
        found.push({ kind: 'text', text: inputText(node), marks });
        break;
      case 'select': {
        const options = elementsIn(node).flatMap((each) => (each.tagName === 'optgroup' ? elementsIn(each) : [each]));
        const chosen = options.filter((each) => attribute(each, 'selected') !== undefined);
        const isList = attribute(node, 'multiple') !== undefined;
        const shown = isList ? chosen : (chosen.length > 0 ? chosen : options).slice(0, 1);
        if (shown.length > 0) found.push({ kind: 'text', text: shown.map((each) => textOf(each).trim()).join(', '), marks });
        break;
      }
      default:
        inside();
        break;
    }
  }
}

const LETTERS: Readonly<Record<string, string>> = { a: 'lowerLetter', A: 'upperLetter', i: 'lowerRoman', I: 'upperRoman' };

const order = ({ tagName }: Element): number => (tagName === 'thead' ? 0 : tagName === 'tfoot' ? 2 : 1);

function span(element: Element, name: 'colspan' | 'rowspan'): number {
  const given = Number.parseInt(attribute(element, name) ?? '1', 10);
  // 0 is: to the end of the rows.
  if (given === 0 && name === 'rowspan') return Number.POSITIVE_INFINITY;
  return Math.max(given || 1, 1);
}

/** Addresses, also those that are relative to the page's. */
function linkOf(target: string | undefined): Marks {
  const link = target?.trim() ?? '';
  const isAddress =
    link !== '' && !link.startsWith('#') && (/^(?:https?|mailto):/i.test(link) || !/^[a-z][a-z0-9+.-]*:/i.test(link));
  return isAddress ? { link } : {};
}

const inputText = (element: Element): string => {
  const type = (attribute(element, 'type') ?? 'text').toLowerCase();
  if (type === 'checkbox' || type === 'radio') return attribute(element, 'checked') === undefined ? '[ ] ' : '[x] ';
  return type === 'password' || type === 'file' || type === 'image' ? '' : (attribute(element, 'value') ?? '');
};

const textOf = (node: Node): string => {
  if ('value' in node) return node.value;
  if (!('childNodes' in node)) return '';
  let text = '';
  // Not by recursion: pages may be nested to any depth.
  const open: Node[] = [...node.childNodes].reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    if ('value' in next) text += next.value;
    else if ('tagName' in next && next.tagName === 'br') text += '\n';
    else if ('childNodes' in next) open.push(...[...next.childNodes].reverse());
  }
  return text;
};

const xmlOf = ({ tagName, attrs, childNodes }: Element): XmlElement => ({
  name: tagName,
  attributes: Object.fromEntries(attrs.map(({ name, value }) => [name, value])),
  children: childNodes.flatMap((node): (XmlElement | string)[] =>
    isElement(node) ? [xmlOf(node)] : 'value' in node ? [node.value] : [],
  ),
});

/** Blanks beside each other are one, and there is none at the ends of lines. */
function trimmed(inlines: readonly Inline[]): Inline[] {
  const found: Inline[] = [];
  let isAfterBlank = true;
  for (const inline of inlines) {
    if (inline.kind !== 'text') {
      found.push(inline);
      isAfterBlank = inline.kind === 'break';
      continue;
    }
    const text = isAfterBlank ? inline.text.replace(/^ +/, '') : inline.text;
    if (text === '') continue;
    found.push({ ...inline, text });
    isAfterBlank = text.endsWith(' ');
  }
  const last = found.at(-1);
  if (last?.kind === 'text') found[found.length - 1] = { ...last, text: last.text.trimEnd() };
  return found;
}
