/** Reads OpenDocument texts (.odt, .ott) as their pages show them (OpenDocument 1.3 part 3). */
import type { Warning } from '../../../shared/model/conversion.ts';
import { say } from '../../../shared/model/messages/message.ts';
import {
  type Block,
  type Cell,
  cell,
  type Document,
  type Inline,
  isBlank,
  type Listed,
  type Marks,
  nested,
  paragraph,
  plain,
  wordsOf,
  wordsOfBlocks,
} from '../core/document.ts';
import type { DocumentScan, WholeReader } from '../core/reader.ts';
import { type Included, Losses } from './losses.ts';
import { childOf, descendantOf, type Element, eachUnit, elementsOf, isLink, textIn } from './markup.ts';
import { latexOf } from './math.ts';
import { formatOfSamples, numberIn } from './number-formats.ts';
import { textOf } from './office.ts';
import { type DocumentParts, documentFault, openParts, parsedBy } from './parts.ts';

export const readOpenDocument: WholeReader = async (source, { options, bounds, signal }): Promise<DocumentScan> => {
  const parts = await openParts(source, 'odt', bounds, signal);
  return parsedBy('odt', signal, async () => {
    const manifest = 'META-INF/manifest.xml';
    if (parts.exists(manifest) && /<(?:\w+:)?encryption-data\b/.test(await textOf(parts, manifest))) {
      throw documentFault('odt', say('document.protected', { format: 'odt' }), say('document.protected.hint', { format: 'odt' }));
    }
    const xml = await textOf(parts, 'content.xml');
    const reader = new TextReader(await objectsOf(parts, xml), new Set(options.include), signal);
    const styles = parts.exists('styles.xml') ? await textOf(parts, 'styles.xml') : undefined;
    if (styles !== undefined) reader.readStyles(styles);
    const document = reader.read(xml);
    if (!reader.isText)
      throw documentFault('odt', say('document.damaged', { format: 'odt' }), say('document.broken.hint', { format: 'odt' }));
    return { document, warnings: reader.warnings() };
  });
};

/** The content of formulas and charts, by their names. */
async function objectsOf(parts: DocumentParts, xml: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const [, name = ''] of xml.matchAll(/xlink:href="\.\/([^"/]{1,200})"/g)) {
    if (!found.has(name) && parts.exists(`${name}/content.xml`)) found.set(name, await textOf(parts, `${name}/content.xml`));
  }
  return found;
}

/** Cells and rows that a table repeats: more are rather the empty rest of a line. */
const MOST_REPEATS = 100;
/** Blanks that one element stands for. */
const MOST_BLANKS = 1000;
const MOST_PARENTS = 50;

interface Style {
  readonly parent: string | undefined;
  readonly marks: Partial<TextMarks>;
}

type TextMarks = { -readonly [Mark in keyof Marks]: Marks[Mark] } & { hidden?: boolean };

interface Level {
  readonly isBullet: boolean;
  readonly format: string;
  readonly before: string;
  readonly after: string;
  readonly start: number;
  /** How many levels it shows. */
  readonly shown: number;
}

interface List {
  readonly style: string;
  readonly counters: (number | undefined)[];
}

/** What a paragraph is made of while it is read. */
interface Line {
  readonly inlines: Inline[];
  readonly beside: Block[];
}

const UNITS: ReadonlySet<string> = new Set([
  'style',
  'list-style',
  'outline-style',
  'forms',
  'tracked-changes',
  'section',
  'p',
  'h',
  'list',
  'table',
]);
const FURNITURE: ReadonlySet<string> = new Set([
  'header',
  'header-left',
  'header-first',
  'footer',
  'footer-left',
  'footer-first',
]);
/** Elements whose text is not shown at their place, or again where it is used. */
const SILENT: ReadonlySet<string> = new Set([
  'note-citation',
  'number',
  'sequence-decls',
  'variable-decls',
  'user-field-decls',
  'table-of-content-source',
  'desc',
  'annotation-end',
]);

class TextReader {
  isText = false;
  private readonly objects: ReadonlyMap<string, string>;
  private readonly include: Included;
  private readonly signal: AbortSignal | undefined;
  private readonly losses = new Losses();
  private readonly styles = new Map<string, Style>();
  private readonly listStyles = new Map<string, Map<number, Level>>();
  private readonly controls = new Map<string, Element>();
  private readonly deletions = new Map<string, Element>();
  private readonly notes: { label: string; blocks: Block[] }[] = [];
  private readonly furniture = new Map<string, { kind: string; blocks: Block[] }>();
  /** Lists that may be counted on: by their ids, and the last of each style. */
  private readonly lists = new Map<string, List>();
  private readonly outline: (number | undefined)[] = [];

  constructor(objects: ReadonlyMap<string, string>, include: Included, signal: AbortSignal | undefined) {
    this.objects = objects;
    this.include = include;
    this.signal = signal;
  }

  readStyles(xml: string): void {
    const isUnit = (name: string) => UNITS.has(name) || FURNITURE.has(name);
    const take = (unit: Element) => {
      if (!FURNITURE.has(unit.name)) return this.readDefinition(unit);
      const blocks = this.blocksIn(unit);
      const words = wordsOfBlocks(blocks);
      if (words !== '') this.furniture.set(words, { kind: unit.name.slice(0, 6), blocks });
    };
    eachUnit(xml, isUnit, take, this.signal);
  }

  read(xml: string): Document {
    const blocks: Block[] = [];
    const isUnit = (name: string) => {
      if (name === 'text') this.isText = true;
      return UNITS.has(name);
    };
    const take = (unit: Element) => {
      if (this.isText) this.readBlock(unit, blocks);
      else this.readDefinition(unit);
    };
    eachUnit(xml, isUnit, take, this.signal);
    const furniture = this.include.has('headers') ? [...this.furniture.values()] : [];
    const around = (wanted: string) =>
      furniture.filter(({ kind }) => kind === wanted).map(({ blocks: own }): Block => ({ kind: 'quote', blocks: own }));
    return { blocks: [...around('header'), ...blocks, ...around('footer')], notes: this.notes };
  }

  warnings(): Warning[] {
    if (!this.include.has('headers')) for (const words of this.furniture.keys()) this.losses.add('headers', 1, words);
    return this.losses.warnings();
  }

  // Definitions.

  private readDefinition(unit: Element): void {
    const { attributes } = unit;
    if (unit.name === 'style') {
      const key = `${attributes['style:family'] ?? ''} ${attributes['style:name'] ?? ''}`;
      this.styles.set(key, {
        parent: attributes['style:parent-style-name'],
        marks: marksIn(childOf(unit, 'text-properties')),
      });
    } else if (unit.name === 'list-style') this.listStyles.set(attributes['style:name'] ?? '', levelsIn(unit));
    else if (unit.name === 'outline-style') this.listStyles.set(OUTLINE, levelsIn(unit));
  }

  private *chain(family: string, style: string | undefined): Generator<Style> {
    let name = style;
    for (let i = 0; name !== undefined && i < MOST_PARENTS; i += 1) {
      const found = this.styles.get(`${family} ${name}`);
      if (found === undefined) return;
      yield found;
      name = found.parent;
    }
  }

  // Blocks.

  private blocksIn(element: Element): Block[] {
    const blocks: Block[] = [];
    for (const each of elementsOf(element)) this.readBlock(each, blocks);
    return blocks;
  }

  private readBlock(element: Element, blocks: Block[]): void {
    const { attributes } = element;
    switch (element.name) {
      case 'p':
        this.readParagraph(element, blocks);
        break;
      case 'h':
        this.readHeading(element, blocks);
        break;
      case 'list':
        blocks.push(...nested(this.listed(element)));
        break;
      case 'table': {
        const rows = this.rowsOf(element);
        if (rows.length > 0) blocks.push({ kind: 'table', rows });
        break;
      }
      case 'section':
        if (attributes['text:display'] === 'none' && !this.include.has('hidden'))
          this.losses.add('hidden', textIn(element).trim().length);
        else for (const each of elementsOf(element)) this.readBlock(each, blocks);
        break;
      case 'forms':
        this.readForms(element);
        break;
      case 'tracked-changes':
        for (const region of elementsOf(element)) {
          this.losses.add('changes');
          const deletion = childOf(region, 'deletion');
          if (deletion) this.deletions.set(region.attributes['text:id'] ?? region.attributes['xml:id'] ?? '', deletion);
        }
        break;
      case 'change':
        blocks.push(...this.deleted(attributes['text:change-id'] ?? ''));
        break;
      default:
        if (!SILENT.has(element.name)) for (const each of elementsOf(element)) this.readBlock(each, blocks);
    }
  }

  private deleted(id: string): Block[] {
    const deletion = this.deletions.get(id);
    if (deletion === undefined || !this.include.has('deletions')) return [];
    return this.blocksIn(deletion).map((block) =>
      'inlines' in block
        ? {
            ...block,
            inlines: block.inlines.map((each) =>
              each.kind === 'text' ? { ...each, marks: { ...each.marks, deleted: true } } : each,
            ),
          }
        : block,
    );
  }

  private lineOf(element: Element): Line {
    const line: Line = { inlines: [], beside: [] };
    const hidden = [...this.chain('paragraph', element.attributes['text:style-name'])].some(({ marks }) => marks.hidden);
    this.readInlines(element, hidden ? { hidden: true } : {}, line);
    return line;
  }

  private readParagraph(element: Element, blocks: Block[]): void {
    const { inlines, beside } = this.lineOf(element);
    const style = element.attributes['text:style-name'] ?? '';
    const names = [style, ...[...this.chain('paragraph', style)].map(({ parent }) => parent)];
    const level = names.includes('Title') ? 1 : names.includes('Subtitle') ? 2 : undefined;
    if (!isBlank(inlines)) blocks.push(level === undefined ? paragraph(...inlines) : this.heading(level, inlines));
    blocks.push(...beside);
  }

  private readHeading(element: Element, blocks: Block[], mark?: string): void {
    const { inlines, beside } = this.lineOf(element);
    const level = Math.min(Math.max(Number(element.attributes['text:outline-level']) || 1, 1), 10);
    const isNumbered = element.attributes['text:is-list-header'] !== 'true';
    const own = mark ?? (isNumbered ? this.outlineMark(level, element.attributes) : '');
    if (!isBlank(inlines)) {
      const prefix = own === '' ? [] : [plain(`${own} `)];
      blocks.push(this.heading(level, [...prefix, ...inlines]));
    }
    blocks.push(...beside);
  }

  private heading(level: number, inlines: readonly Inline[]): Block {
    this.losses.under(wordsOf(inlines));
    return { kind: 'heading', level, inlines };
  }

  /** `1.2.`: the numbers of the levels that it shows. */
  private labelOf(counters: readonly (number | undefined)[], level: number, levels: ReadonlyMap<number, Level>): string {
    const own = levels.get(level);
    if (own === undefined || (own.format === '' && own.before + own.after === '')) return '';
    const numbers: string[] = [];
    for (let at = Math.max(level - own.shown + 1, 1); at <= level; at += 1) {
      const { format = '1', start = 1, isBullet = false } = levels.get(at) ?? {};
      if (format !== '' && !isBullet) {
        const count = counters[at] ?? start;
        const known = numberIn(count, formatOfSamples(format) ?? '');
        if (known === undefined) this.losses.add('numbers', 1, format);
        numbers.push(known ?? String(count));
      }
    }
    return `${own.before}${numbers.join('.')}${own.after}`.trim();
  }

  private outlineMark(level: number, attributes: Element['attributes']): string {
    const levels = this.listStyles.get(OUTLINE);
    const own = levels?.get(level);
    if (own === undefined || own.format === '') return '';
    count(
      this.outline,
      level,
      own.start,
      attributes['text:restart-numbering'] === 'true' ? Number(attributes['text:start-value'] ?? own.start) : undefined,
    );
    return this.labelOf(this.outline, level, levels as Map<number, Level>);
  }

  // Lists.

  /** The paragraphs of a list, as they follow each other. */
  private listed(element: Element): Listed[] {
    const style = element.attributes['text:style-name'] ?? '';
    const known =
      element.attributes['text:continue-list'] ??
      (element.attributes['text:continue-numbering'] === 'true' ? `style ${style}` : '');
    const list = this.lists.get(known) ?? { style, counters: [] };
    const found: Listed[] = [];
    this.readItems(element, list, style, 1, found);
    const id = element.attributes['xml:id'];
    if (id !== undefined) this.lists.set(id, list);
    this.lists.set(`style ${style}`, list);
    return found;
  }

  private readItems(element: Element, list: List, outer: string, level: number, found: Listed[]): void {
    const style = element.attributes['text:style-name'] ?? outer;
    const levels = this.listStyles.get(style) ?? new Map<number, Level>();
    const own = levels.get(level) ?? BULLET;
    for (const entry of elementsOf(element)) {
      if (entry.name !== 'list-item' && entry.name !== 'list-header') continue;
      let isFirst = entry.name === 'list-item';
      for (const each of elementsOf(entry)) {
        if (each.name === 'list') {
          this.readItems(each, list, style, level + 1, found);
          continue;
        }
        if (SILENT.has(each.name)) continue;
        let label = '';
        if (isFirst) {
          const start = entry.attributes['text:start-value'];
          count(list.counters, level, own.start, start === undefined ? undefined : Number(start));
          label = own.isBullet ? '' : this.labelOf(list.counters, level, levels);
        }
        const number = list.counters[level] ?? 1;
        const isPlain = own.isBullet || /^\d+[.)]?$/.test(label);
        const blocks: Block[] = [];
        if (each.name === 'h') this.readHeading(each, blocks, isFirst ? label : '');
        else this.readBlock(each, blocks);
        const [head] = blocks;
        const marked =
          isFirst && !isPlain && label !== '' && head?.kind === 'paragraph'
            ? [paragraph(plain(`${label} `), ...head.inlines), ...blocks.slice(1)]
            : blocks;
        const mark =
          !isFirst || (label === '' && !own.isBullet) || !isPlain || each.name === 'h'
            ? 'words'
            : own.isBullet
              ? 'bullet'
              : number;
        if (blocks.length > 0 || isFirst) found.push({ level: isFirst ? level - 1 : level, mark, blocks: marked });
        isFirst = false;
      }
    }
  }

  // Tables.

  private rowsOf(element: Element): Cell[][] {
    const rows: Cell[][] = [];
    for (const row of tableRows(element)) {
      const cells: Cell[] = [];
      for (const each of elementsOf(row)) {
        // What is covered belongs to a cell that takes several places.
        if (each.name !== 'table-cell') continue;
        const { attributes } = each;
        const number = (name: string) => Math.max(Number(attributes[`table:number-${name}`]) || 1, 1);
        const blocks = this.blocksIn(each);
        const made = cell(blocks, number('columns-spanned'), number('rows-spanned'));
        for (let i = Math.min(number('columns-repeated'), MOST_REPEATS); i > 0; i -= 1) cells.push(made);
      }
      const repeats = Math.max(Number(row.attributes['table:number-rows-repeated']) || 1, 1);
      for (let i = Math.min(repeats, MOST_REPEATS); i > 0; i -= 1) rows.push(cells);
    }
    return rows;
  }

  // Text.

  private readInlines(element: Element, marks: TextMarks, line: Line): void {
    for (const each of element.children) {
      if (typeof each === 'string') this.put(each.replace(/[ \t\r\n]+/g, ' '), marks, line);
      else this.readInline(each, marks, line);
    }
  }

  private put(text: string, { hidden, ...marks }: TextMarks, line: Line): void {
    if (hidden && !this.include.has('hidden')) this.losses.add('hidden', text.trim().length);
    else if (text !== '') line.inlines.push({ kind: 'text', text, marks });
  }

  private readInline(element: Element, marks: TextMarks, line: Line): void {
    const { attributes } = element;
    switch (element.name) {
      case 'span': {
        const own: TextMarks = { ...marks };
        for (const { marks: found } of [...this.chain('text', attributes['text:style-name'])].reverse())
          Object.assign(own, found);
        this.readInlines(element, own, line);
        break;
      }
      case 'a': {
        const link = attributes['xlink:href'] ?? '';
        this.readInlines(element, isLink(link) ? { ...marks, link } : marks, line);
        break;
      }
      case 's':
        this.put(' '.repeat(Math.min(Math.max(Number(attributes['text:c']) || 1, 1), MOST_BLANKS)), marks, line);
        break;
      case 'tab':
        this.put('\t', marks, line);
        break;
      case 'line-break':
        line.inlines.push({ kind: 'break' });
        break;
      case 'note':
        this.readNote(element, line);
        break;
      case 'annotation':
        if (this.include.has('comments')) {
          const author = childOf(element, 'creator');
          const words = wordsOfBlocks(
            elementsOf(element).flatMap((each) => (each.name === 'p' || each.name === 'list' ? this.blocksOf(each) : [])),
          );
          line.inlines.push({ kind: 'comment', text: `${author ? `${textIn(author)}: ` : ''}${words}` });
        } else this.losses.add('comments');
        break;
      case 'ruby': {
        const [base, reading] = [childOf(element, 'ruby-base'), childOf(element, 'ruby-text')];
        if (base) this.readInlines(base, marks, line);
        if (reading && textIn(reading).trim() !== '') this.put(`(${textIn(reading).trim()})`, marks, line);
        break;
      }
      case 'hidden-text':
      case 'hidden-paragraph':
        this.put(
          attributes['text:string-value'] ?? textIn(element),
          { ...marks, hidden: attributes['text:is-hidden'] !== 'false' },
          line,
        );
        break;
      case 'change': {
        for (const block of this.deleted(attributes['text:change-id'] ?? ''))
          if ('inlines' in block) line.inlines.push(...block.inlines);
        break;
      }
      case 'frame':
        this.readFrame(element, line);
        break;
      case 'control': {
        const control = this.controls.get(attributes['draw:control'] ?? '');
        if (control) this.put(controlText(control), marks, line);
        break;
      }
      case 'custom-shape':
      case 'rect':
      case 'line':
      case 'path':
      case 'polygon':
      case 'polyline':
      case 'ellipse':
      case 'circle':
      case 'connector':
      case 'caption':
      case 'g':
        // Their title describes them, and is no text of theirs.
        for (const each of elementsOf(element)) if (each.name !== 'title') this.readInline(each, marks, line);
        break;
      case 'p':
      case 'h':
      case 'list':
      case 'table':
        // Those of a drawn shape.
        this.readBlock(element, line.beside);
        break;
      default:
        if (!SILENT.has(element.name)) this.readInlines(element, marks, line);
    }
  }

  private blocksOf(element: Element): Block[] {
    const blocks: Block[] = [];
    this.readBlock(element, blocks);
    return blocks;
  }

  private readNote(element: Element, line: Line): void {
    const prefix = element.attributes['text:note-class'] === 'endnote' ? 'e' : '';
    const before = this.notes.filter(({ label }) => label.startsWith('e') === (prefix === 'e')).length;
    const note = { label: `${prefix}${before + 1}`, blocks: [] as Block[] };
    line.inlines.push({ kind: 'note', label: note.label });
    this.notes.push(note);
    const body = childOf(element, 'note-body');
    if (body) note.blocks.push(...this.blocksIn(body));
  }

  private readFrame(element: Element, line: Line): void {
    const alt = ['title', 'desc'].map((name) => childOf(element, name)).find((each) => each && textIn(each).trim() !== '');
    const box = childOf(element, 'text-box');
    const object = childOf(element, 'object');
    const xml = this.objects.get((object?.attributes['xlink:href'] ?? '').replace(/^\.\//, ''));
    if (box) line.beside.push(...this.blocksIn(box));
    if (xml !== undefined && this.readObject(xml, line)) return;
    const inline = childOf(object, 'math');
    if (inline) line.inlines.push({ kind: 'math', latex: latexOf(inline), isBlock: false });
    else if (childOf(element, 'image')) this.losses.add('images');
    else if (object || childOf(element, 'object-ole')) this.losses.add('drawings');
    if (alt) line.inlines.push({ kind: 'image', alt: textIn(alt), src: '' });
  }

  /** A formula, or a chart with its title and the table of its values. */
  private readObject(xml: string, line: Line): boolean {
    let isRead = false;
    const take = (unit: Element) => {
      if (unit.name === 'math') {
        const latex = latexOf(unit);
        line.inlines.push({ kind: 'math', latex, isBlock: false });
        isRead = latex !== '';
        return;
      }
      const title = childOf(unit, 'title');
      const table = descendantOf(unit, 'table');
      line.beside.push(paragraph(plain(title ? `Chart: ${textIn(title).trim()}` : 'Chart')));
      if (table) line.beside.push({ kind: 'table', rows: this.rowsOf(table) });
      isRead = true;
    };
    eachUnit(xml, (name) => name === 'math' || name === 'chart', take, this.signal);
    return isRead;
  }

  private readForms(element: Element): void {
    for (const each of elementsOf(element)) {
      const id = each.attributes['form:id'] ?? each.attributes['xml:id'];
      if (id !== undefined) this.controls.set(id, each);
      this.readForms(each);
    }
  }
}

const OUTLINE = ' outline';
const BULLET: Level = { isBullet: true, format: '', before: '', after: '', start: 1, shown: 1 };

const controlText = ({ name, attributes }: Element): string => {
  const label = attributes['form:label'] ?? '';
  if (name === 'checkbox' || name === 'radio') {
    const state = attributes['form:current-state'] ?? attributes['form:state'] ?? attributes['form:current-selected'];
    return `${state === 'checked' || state === 'true' ? '[x]' : '[ ]'}${label === '' ? '' : ` ${label}`}`;
  }
  return attributes['form:current-value'] ?? attributes['form:value'] ?? label;
};

function marksIn(properties: Element | undefined): Partial<TextMarks> {
  const attributes = properties?.attributes ?? {};
  const marks: Partial<TextMarks> = {};
  const {
    'fo:font-weight': weight,
    'fo:font-style': slant,
    'style:text-position': position,
    'text:display': display,
  } = attributes;
  const line = attributes['style:text-line-through-style'] ?? attributes['style:text-line-through-type'];
  if (weight !== undefined) marks.bold = /^(?:bold|[6-9]00)$/.test(weight);
  if (slant !== undefined) marks.italic = /^(?:italic|oblique)$/.test(slant);
  if (line !== undefined) marks.struck = line !== 'none';
  if (display !== undefined) marks.hidden = display === 'none';
  if (position !== undefined)
    marks.script = /^(?:super|[1-9])/.test(position) ? 'super' : /^(?:sub|-)/.test(position) ? 'sub' : undefined;
  return marks;
}

function levelsIn(element: Element): Map<number, Level> {
  const levels = new Map<number, Level>();
  for (const { name, attributes } of elementsOf(element)) {
    const at = Number(attributes['text:level']);
    if (!(at > 0)) continue;
    levels.set(at, {
      isBullet: !/number|outline/.test(name),
      format: attributes['style:num-format'] ?? (/number/.test(name) ? '1' : ''),
      before: attributes['style:num-prefix'] ?? '',
      after: attributes['style:num-suffix'] ?? (attributes['style:num-format'] === undefined ? '.' : ''),
      start: Number(attributes['text:start-value'] ?? 1),
      shown: Number(attributes['text:display-levels'] ?? 1),
    });
  }
  return levels;
}

function count(counters: (number | undefined)[], level: number, start: number, given: number | undefined): void {
  counters[level] = given ?? (counters[level] === undefined ? start : counters[level] + 1);
  counters.length = level + 1;
}

/** Rows of a table, those of its header and of groups too, but not those of tables inside. */
function tableRows(element: Element): Element[] {
  return elementsOf(element).flatMap((each) => {
    if (each.name === 'table-row') return [each];
    return /^table-(?:header-rows|rows|row-group)$/.test(each.name) ? tableRows(each) : [];
  });
}
