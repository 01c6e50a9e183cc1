/**
 * Reads Word documents (.docx, .docm) as their pages show them (ECMA-376 part 1, WordprocessingML). Elements that are not known give what is in
 * them: a wrapper that a newer Word puts around text takes none of it away.
 */

import type { Warning } from '../../../shared/model/conversion.ts';
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
import { chartBlocks } from './chart.ts';
import { type Included, Losses } from './losses.ts';
import {
  childOf,
  contentOf,
  descendantOf,
  type Element,
  eachUnit,
  elementsOf,
  isLink,
  outermost,
  settingOf,
  textIn,
} from './markup.ts';
import { latexOf, latexOfField } from './math.ts';
import { diagramBlocks, relationsOf, textOf } from './office.ts';
import { openParts, parsedBy } from './parts.ts';
import { symbolOf } from './symbols.ts';
import { isOnValue, packageOf, type WordPackage, type WordStyle } from './word-package.ts';

export const readWord: WholeReader = async (source, { options, bounds, signal }): Promise<DocumentScan> => {
  const parts = await openParts(source, 'docx', bounds, signal);
  return parsedBy('docx', signal, async () => {
    const [main] = (await relationsOf(parts, '.', signal)).filter(({ type }) => type === 'officeDocument');
    const name = main?.target ?? 'word/document.xml';
    const relations = await relationsOf(parts, name, signal);
    const reader = new WordReader(await packageOf(parts, relations, signal), new Set(options.include), signal);
    const document = reader.read(await textOf(parts, name));
    if (!reader.isText) throw new SyntaxError();
    return { document, warnings: reader.warnings() };
  });
};

/** Whether a property is switched on; undefined where it is not there. */
function toggled(element: Element | undefined, name: string): boolean | undefined {
  const found = childOf(element, name);
  return found && isOnValue(found.attributes['w:val'] ?? '1');
}

interface Field {
  instruction: string;
  isResult: boolean;
  link: string;
}

/** What a paragraph is made of while it is read. */
interface Line {
  readonly inlines: Inline[];
  /** Text boxes, charts: they stand after the paragraph that holds them. */
  readonly beside: Block[];
}

/** Styles are based on one another in a chain at most this long. */
const MOST_PARENTS = 50;

class WordReader {
  isText = false;
  private readonly parts: WordPackage;
  private readonly include: Included;
  private readonly signal: AbortSignal | undefined;
  private readonly losses = new Losses();
  private readonly fields: Field[] = [];
  private readonly notes = new Map<string, { label: string; blocks: Block[] }>();
  private readonly furniture = new Map<string, { kind: string; blocks: Block[] }>();
  private pending: Listed[] = [];

  constructor(parts: WordPackage, include: Included, signal: AbortSignal | undefined) {
    this.parts = parts;
    this.include = include;
    this.signal = signal;
  }

  read(xml: string): Document {
    const blocks: Block[] = [];
    const isUnit = (name: string) => {
      if (name === 'body') this.isText = true;
      return this.isText && UNITS.has(name);
    };
    eachUnit(xml, isUnit, (unit) => this.readBlock(unit, blocks), this.signal);
    this.flush(blocks);
    const furniture = this.include.has('headers') ? [...this.furniture.values()] : [];
    const around = (kind: string) =>
      furniture.filter((each) => each.kind === kind).map(({ blocks: own }): Block => ({ kind: 'quote', blocks: own }));
    const notes = [...this.notes.values()];
    return { blocks: [...around('header'), ...blocks, ...around('footer')], notes };
  }

  warnings(): Warning[] {
    if (!this.include.has('headers'))
      for (const { blocks } of this.furniture.values()) this.losses.add('headers', 1, wordsOfBlocks(blocks));
    return this.losses.warnings();
  }

  // Blocks.

  private flush(blocks: Block[]): void {
    if (this.pending.length > 0) blocks.push(...nested(this.pending));
    this.pending = [];
  }

  private readBlock(element: Element, blocks: Block[]): void {
    switch (element.name) {
      case 'p':
        this.readParagraph(element, blocks);
        break;
      case 'tbl': {
        this.flush(blocks);
        const rows = this.rowsOf(element);
        if (rows.length > 0) blocks.push({ kind: 'table', rows });
        break;
      }
      case 'altChunk':
        this.flush(blocks);
        blocks.push(...this.chunkOf(element.attributes['r:id'] ?? ''));
        break;
      case 'sectPr':
        this.readSection(element);
        break;
      case 'AlternateContent':
        for (const each of contentOf({ name: '', attributes: {}, children: [element] })) this.readBlock(each, blocks);
        break;
      case 'oMathPara':
        this.flush(blocks);
        blocks.push(paragraph(...formulasIn(element)));
        break;
      default:
        if (!isProperties(element.name)) for (const each of contentOf(element)) this.readBlock(each, blocks);
    }
  }

  /** Blocks of a cell, a note, a text box: lists end with it. */
  private blocksIn(element: Element): Block[] {
    const outer = this.pending;
    this.pending = [];
    const blocks: Block[] = [];
    for (const each of contentOf(element)) this.readBlock(each, blocks);
    this.flush(blocks);
    this.pending = outer;
    return blocks;
  }

  private readParagraph(element: Element, blocks: Block[]): void {
    const properties = childOf(element, 'pPr');
    const style = settingOf(properties, 'pStyle') ?? this.parts.defaultStyle;
    const section = childOf(properties, 'sectPr');
    if (section) this.readSection(section);
    const line: Line = { inlines: [], beside: [] };
    const marks = this.isHidden(style, childOf(properties, 'rPr')) ? { hidden: true } : {};
    this.readInlines(element, marks, line);
    const { inlines, beside } = line;
    const level = this.headingLevel(properties, style);
    // An empty paragraph counts, and shows nothing but its number.
    const mark = this.markOf(properties, style);
    const prefixed = mark && !mark.isBullet && mark.text !== '' ? [plain(`${mark.text} `), ...inlines] : inlines;
    if (level !== undefined) {
      this.flush(blocks);
      if (!isBlank(inlines)) {
        blocks.push({ kind: 'heading', level, inlines: prefixed });
        this.losses.under(wordsOf(prefixed));
      }
      blocks.push(...beside);
    } else if (mark && (mark.isBullet || mark.text !== '') && (!isBlank(inlines) || beside.length > 0)) {
      const isPlain = mark.isBullet || mark.number !== undefined;
      this.pending.push({
        level: mark.level,
        mark: mark.isBullet ? 'bullet' : (mark.number ?? 'words'),
        blocks: [paragraph(...(isPlain ? inlines : prefixed)), ...beside],
      });
    } else if (!isBlank(inlines) || beside.length > 0) {
      this.flush(blocks);
      if (!isBlank(inlines)) blocks.push(paragraph(...inlines));
      blocks.push(...beside);
    }
  }

  /** A style and those that it is based on, the nearest first. */
  private *chain(style: string | undefined): Generator<WordStyle> {
    let id = style;
    for (let i = 0; id !== undefined && i < MOST_PARENTS; i += 1) {
      const found = this.parts.styles.get(id);
      if (found === undefined) return;
      yield found;
      id = found.parent;
    }
  }

  private headingLevel(properties: Element | undefined, style: string | undefined): number | undefined {
    const levelOf = (outline: string | undefined) =>
      outline === undefined ? undefined : Number(outline) < 9 ? Number(outline) + 1 : 0;
    const own = levelOf(settingOf(properties, 'outlineLvl'));
    if (own !== undefined) return own || undefined;
    for (const { name, element } of this.chain(style)) {
      const [, number] = /^heading ([1-9])$/i.exec(name) ?? [];
      if (number !== undefined) return Number(number);
      if (/^title$/i.test(name)) return 1;
      if (/^subtitle$/i.test(name)) return 2;
      const outline = levelOf(settingOf(childOf(element, 'pPr'), 'outlineLvl'));
      if (outline !== undefined) return outline || undefined;
    }
    return undefined;
  }

  /** Counts the paragraph in its list. */
  private markOf(properties: Element | undefined, style: string | undefined) {
    let list = settingOf(childOf(properties, 'numPr'), 'numId');
    let level = settingOf(childOf(properties, 'numPr'), 'ilvl');
    for (const each of this.chain(style)) {
      const own = childOf(childOf(each.element, 'pPr'), 'numPr');
      const inherited = settingOf(own, 'numId');
      if (list === undefined && inherited !== undefined) {
        list = inherited;
        const ofStyle = this.parts.numbering.levelOfStyle(list, each.element.attributes['w:styleId'] ?? '');
        level ??= settingOf(own, 'ilvl') ?? (ofStyle === undefined ? undefined : String(ofStyle));
      }
    }
    if (list === undefined || list === '0') return undefined;
    const at = Number(level ?? 0) || 0;
    const mark = this.parts.numbering.next(list, at);
    if (mark?.unknown !== undefined) this.losses.add('numbers', 1, mark.unknown);
    return mark && { ...mark, level: at };
  }

  // Tables.

  private rowsOf(element: Element): Cell[][] {
    interface Placed {
      at: number;
      columns: number;
      continues: boolean;
      blocks: Block[];
      rows: number;
    }
    const lines: Placed[][] = [];
    for (const row of partsIn(element, 'tr')) {
      const properties = childOf(row, 'trPr');
      if (childOf(properties, 'del') && !this.include.has('deletions')) {
        this.losses.add('changes');
        continue;
      }
      let at = Number(settingOf(properties, 'gridBefore') ?? 0) || 0;
      const line: Placed[] = at > 0 ? [{ at: 0, columns: at, continues: false, blocks: [], rows: 1 }] : [];
      for (const each of partsIn(row, 'tc')) {
        const own = childOf(each, 'tcPr');
        const columns = Math.max(Number(settingOf(own, 'gridSpan') ?? 1) || 1, 1);
        const merge = childOf(own, 'vMerge');
        const continues = merge !== undefined && merge.attributes['w:val'] !== 'restart';
        const beside = childOf(own, 'hMerge');
        const last = line.at(-1);
        if (beside && beside.attributes['w:val'] !== 'restart' && last) last.columns += columns;
        else line.push({ at, columns, continues, blocks: this.blocksIn(each), rows: 1 });
        at += columns;
      }
      lines.push(line);
    }
    for (const [index, line] of lines.entries()) {
      for (const each of line.filter(({ continues }) => continues)) {
        // The cell that it belongs to is the nearest above that does not continue one.
        let above = index - 1;
        let found = lines[above]?.find(({ at }) => at === each.at);
        while (found?.continues) found = lines[--above]?.find(({ at }) => at === each.at);
        if (found && found.columns === each.columns) {
          found.rows += 1;
          // The page does not show what a cell says that another one covers.
          this.losses.add('hidden', wordsOfBlocks(each.blocks).length);
        } else each.continues = false;
      }
    }
    return lines.map((line) =>
      line.filter(({ continues }) => !continues).map(({ blocks, columns, rows }) => cell(blocks, columns, rows)),
    );
  }

  // Text.

  private readInlines(element: Element, marks: RunMarks, line: Line): void {
    for (const each of contentOf(element)) this.readInline(each, marks, line);
  }

  private readInline(element: Element, marks: RunMarks, line: Line): void {
    switch (element.name) {
      case 'r':
        this.readRun(element, marks, line);
        break;
      case 'hyperlink': {
        const link = this.parts.links.get(element.attributes['r:id'] ?? '') ?? '';
        this.readInlines(element, link === '' ? marks : { ...marks, link }, line);
        break;
      }
      case 'fldSimple': {
        const link = linkIn(element.attributes['w:instr'] ?? '');
        this.readInlines(element, link === '' ? marks : { ...marks, link }, line);
        break;
      }
      case 'del':
      case 'moveFrom':
        // What was moved stands at its new place too.
        if (element.name === 'del' && this.include.has('deletions')) this.readInlines(element, { ...marks, deleted: true }, line);
        else {
          if (textIn(element).trim() !== '') this.losses.add('changes');
          // Fields begin and end there too.
          for (const mark of outermost(element, 'fldChar')) this.readField(mark, { ...marks, hidden: true }, line);
        }
        break;
      case 'ins':
        if (textIn(element).trim() !== '') this.losses.add('changes');
        this.readInlines(element, marks, line);
        break;
      case 'sdt': {
        const box = childOf(childOf(element, 'sdtPr'), 'checkbox');
        const content = childOf(element, 'sdtContent');
        if (box) this.put(isTicked(childOf(box, 'checked')) ? '[x]' : '[ ]', marks, line);
        else if (content) this.readInlines(content, marks, line);
        break;
      }
      case 'oMath':
        line.inlines.push({ kind: 'math', latex: latexOf(element), isBlock: false });
        break;
      case 'oMathPara':
        line.inlines.push(...formulasIn(element));
        break;
      case 'p':
      case 'tbl':
        this.readBlock(element, line.beside);
        break;
      default:
        if (!isProperties(element.name)) this.readInlines(element, marks, line);
    }
  }

  private readRun(element: Element, outer: RunMarks, line: Line): void {
    const marks = this.marksOf(childOf(element, 'rPr'), outer);
    for (const each of contentOf(element)) this.readPiece(each, marks, line);
  }

  private readPiece(element: Element, marks: RunMarks, line: Line): void {
    const { attributes } = element;
    switch (element.name) {
      case 't':
        this.put(textIn(element), marks, line);
        break;
      case 'delText':
        if (marks.deleted) this.put(textIn(element), marks, line);
        break;
      case 'tab':
      case 'ptab':
        this.put('\t', marks, line);
        break;
      case 'noBreakHyphen':
        this.put('\u2011', marks, line);
        break;
      case 'br':
      case 'cr':
        if (this.isShown(marks)) line.inlines.push({ kind: 'break' });
        break;
      case 'sym':
        this.put(symbolOf(attributes['w:font'] ?? '', attributes['w:char'] ?? ''), marks, line);
        break;
      case 'fldChar':
        this.readField(element, marks, line);
        break;
      case 'instrText': {
        const field = this.fields.at(-1);
        if (field && !field.isResult) field.instruction += textIn(element);
        break;
      }
      case 'footnoteReference':
        this.readNote('footnotes', '', attributes['w:id'] ?? '', line);
        break;
      case 'endnoteReference':
        this.readNote('endnotes', 'e', attributes['w:id'] ?? '', line);
        break;
      case 'commentReference':
        this.readComment(attributes['w:id'] ?? '', line);
        break;
      case 'ruby': {
        const reading = textIn(childOf(element, 'rt') ?? element).trim();
        const base = childOf(element, 'rubyBase');
        if (base) this.readInlines(base, marks, line);
        if (reading !== '') this.put(`(${reading})`, marks, line);
        break;
      }
      case 'drawing':
      case 'pict':
      case 'object':
        this.readDrawing(element, line);
        break;
      default:
        if (!isProperties(element.name) && !SIGNS.has(element.name)) this.readInline(element, marks, line);
    }
  }

  private isShown(marks: RunMarks): boolean {
    return this.fields.every(({ isResult }) => isResult) && (!marks.hidden || this.include.has('hidden'));
  }

  private put(text: string, { hidden, ...marks }: RunMarks, line: Line): void {
    if (this.fields.some(({ isResult }) => !isResult)) return;
    if (hidden && !this.include.has('hidden')) {
      this.losses.add('hidden', text.trim().length);
      return;
    }
    const link = this.fields.findLast((field) => field.link !== '')?.link;
    line.inlines.push({ kind: 'text', text, marks: link === undefined ? marks : { ...marks, link } });
  }

  private readField(element: Element, marks: RunMarks, line: Line): void {
    switch (element.attributes['w:fldCharType']) {
      case 'begin': {
        const data = childOf(element, 'ffData');
        const box = childOf(data, 'checkBox');
        const choices = childOf(data, 'ddList');
        if (box) this.put(isTicked(childOf(box, 'checked') ?? childOf(box, 'default')) ? '[x]' : '[ ]', marks, line);
        if (choices) {
          const entries = elementsOf(choices).filter(({ name }) => name === 'listEntry');
          const chosen = Number(settingOf(choices, 'result') ?? settingOf(choices, 'default') ?? 0);
          this.put(entries[chosen]?.attributes['w:val'] ?? '', marks, line);
        }
        this.fields.push({ instruction: '', isResult: false, link: '' });
        break;
      }
      case 'separate': {
        const field = this.fields.at(-1);
        if (field) {
          field.isResult = true;
          field.link = linkIn(field.instruction);
        }
        break;
      }
      case 'end': {
        const field = this.fields.pop();
        if (field && !field.isResult) this.showField(field.instruction.trim(), marks, line);
        break;
      }
    }
  }

  /** What a field without a result shows: the words of a button, a sign of a font, a formula. */
  private showField(instruction: string, marks: RunMarks, line: Line): void {
    const [, name = '', rest = ''] = /^(\S+)\s*(.*)$/s.exec(instruction) ?? [];
    switch (name.toUpperCase()) {
      case 'MACROBUTTON':
      case 'GOTOBUTTON':
        this.put(rest.replace(/^\S+\s*/, ''), marks, line);
        break;
      case 'SYMBOL': {
        const [, code = ''] = /^(0x[\da-f]{1,6}|\d{1,7})/i.exec(rest) ?? [];
        const [, font = ''] = /\\f\s+"?([^"\\]+)/i.exec(rest) ?? [];
        if (Number(code) <= 0x10ffff) this.put(symbolOf(font.trim(), Number(code).toString(16)), marks, line);
        break;
      }
      case 'EQ':
        if (this.isShown(marks)) line.inlines.push({ kind: 'math', latex: latexOfField(rest), isBlock: false });
        break;
    }
  }

  private marksOf(properties: Element | undefined, outer: RunMarks): RunMarks {
    const marks = { ...outer };
    const chain = [...this.chain(settingOf(properties, 'rStyle'))].map(({ element }) => childOf(element, 'rPr'));
    const first = <T>(read: (each: Element | undefined) => T | undefined): T | undefined => {
      for (const each of [properties, ...chain]) {
        const found = read(each);
        if (found !== undefined) return found;
      }
      return undefined;
    };
    if (first((each) => toggled(each, 'b'))) marks.bold = true;
    if (first((each) => toggled(each, 'i'))) marks.italic = true;
    if (first((each) => toggled(each, 'strike')) || first((each) => toggled(each, 'dstrike'))) marks.struck = true;
    if (first((each) => toggled(each, 'vanish')) || first((each) => toggled(each, 'webHidden'))) marks.hidden = true;
    const position = first((each) => settingOf(each, 'vertAlign'));
    if (position === 'superscript') marks.script = 'super';
    if (position === 'subscript') marks.script = 'sub';
    return marks;
  }

  /** Whether its paragraph is hidden as a whole. */
  private isHidden(style: string | undefined, mark: Element | undefined): boolean {
    if (toggled(mark, 'specVanish')) return false;
    for (const { element } of this.chain(style)) {
      const hidden = toggled(childOf(element, 'rPr'), 'vanish');
      if (hidden !== undefined) return hidden;
    }
    return false;
  }

  // What is in other parts.

  private readNote(kind: 'footnotes' | 'endnotes', prefix: string, id: string, line: Line): void {
    const note = this.parts[kind].get(id);
    if (note === undefined) return;
    const known = this.notes.get(prefix + id);
    const count = [...this.notes.keys()].filter((key) => key.startsWith('e') === (prefix === 'e')).length + 1;
    const label = known?.label ?? `${prefix}${count}`;
    line.inlines.push({ kind: 'note', label });
    if (known) return;
    const entry = { label, blocks: [] as Block[] };
    this.notes.set(prefix + id, entry);
    entry.blocks.push(...this.apart(() => this.blocksIn(note)));
  }

  private readComment(id: string, line: Line): void {
    const comment = this.parts.comments.get(id);
    if (comment === undefined) return;
    if (!this.include.has('comments')) {
      this.losses.add('comments');
      return;
    }
    const author = comment.attributes['w:author'] ?? '';
    const words = wordsOfBlocks(this.apart(() => this.blocksIn(comment)));
    line.inlines.push({ kind: 'comment', text: `${author === '' ? '' : `${author}: `}${words}` });
  }

  /** Fields that are open around a note or a header do not reach into it. */
  private apart<T>(read: () => T): T {
    const outer = this.fields.splice(0);
    try {
      return read();
    } finally {
      this.fields.splice(0, this.fields.length, ...outer);
    }
  }

  private readDrawing(element: Element, line: Line): void {
    const boxes = outermost(element, 'txbxContent');
    for (const box of boxes) line.beside.push(...this.apart(() => this.blocksIn(box)));
    const chart = descendantOf(element, 'chart');
    const diagram = descendantOf(element, 'relIds');
    const chartXml = this.parts.charts.get(chart?.attributes['r:id'] ?? '');
    const diagramXml = this.parts.diagrams.get(diagram?.attributes['r:dm'] ?? '');
    if (chartXml !== undefined) line.beside.push(...chartBlocks(chartXml, this.signal));
    else if (diagramXml !== undefined) line.beside.push(...diagramBlocks(diagramXml, this.signal));
    const isPicture = outermost(element, 'pic').length + outermost(element, 'imagedata').length;
    const { descr = '', title = '' } = descendantOf(element, 'docPr')?.attributes ?? {};
    const alt = descr || title || (descendantOf(element, 'shape')?.attributes.alt ?? '');
    this.losses.add('images', isPicture);
    if (alt.trim() !== '') line.inlines.push({ kind: 'image', alt, src: '' });
    const isNothing = boxes.length === 0 && isPicture === 0 && chartXml === undefined && diagramXml === undefined;
    if (isNothing && alt.trim() === '' && (chart || diagram || element.name === 'object')) this.losses.add('drawings');
  }

  private readSection(section: Element): void {
    for (const { name, attributes } of elementsOf(section)) {
      if (name !== 'headerReference' && name !== 'footerReference') continue;
      const xml = this.parts.furniture.get(attributes['r:id'] ?? '');
      if (xml === undefined || this.furniture.has(xml)) continue;
      const blocks: Block[] = [];
      this.apart(() => {
        const outer = this.pending;
        this.pending = [];
        eachUnit(
          xml,
          (each) => each === 'p' || each === 'tbl',
          (unit) => this.readBlock(unit, blocks),
          this.signal,
        );
        this.flush(blocks);
        this.pending = outer;
      });
      if (blocks.length > 0) this.furniture.set(xml, { kind: name.slice(0, 6), blocks });
    }
  }

  private chunkOf(id: string): readonly Block[] {
    const chunk = this.parts.chunks.get(id);
    if (chunk === undefined) this.losses.add('chunks');
    return chunk ?? [];
  }
}

type RunMarks = { -readonly [Mark in keyof Marks]: Marks[Mark] } & { hidden?: boolean };

/** What is read at once of the body. */
const UNITS: ReadonlySet<string> = new Set(['p', 'tbl', 'altChunk', 'sectPr', 'AlternateContent']);

/** Elements without text that is shown. */
const SIGNS: ReadonlySet<string> = new Set([
  'footnoteRef',
  'endnoteRef',
  'annotationRef',
  'separator',
  'continuationSeparator',
  'softHyphen',
  'lastRenderedPageBreak',
  'delInstrText',
  'binData',
]);
const isProperties = (name: string): boolean =>
  /(?:Pr|PrEx|PrChange|Change)$/.test(name) || name === 'sdtEndPr' || name === 'tblGrid';

const isTicked = (element: Element | undefined): boolean =>
  element !== undefined && isOnValue(element.attributes['w14:val'] ?? element.attributes['w:val'] ?? '1');

const linkIn = (instruction: string): string => {
  const [, target = ''] = /^\s*HYPERLINK\s+"([^"]*)"/i.exec(instruction) ?? [];
  return isLink(target) ? target : '';
};

const formulasIn = (element: Element): Inline[] =>
  elementsOf(element)
    .filter(({ name }) => name === 'oMath')
    .map((each) => ({ kind: 'math', latex: latexOf(each), isBlock: true }));

/** Rows of a table or cells of a row, also those in wrappers. */
function partsIn(element: Element, name: 'tr' | 'tc'): Element[] {
  return contentOf(element).flatMap((each) =>
    each.name === name ? [each] : each.name === 'tbl' || each.name === 'p' || isProperties(each.name) ? [] : partsIn(each, name),
  );
}
