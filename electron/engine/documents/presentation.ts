/** Reads presentations (.pptx, .pptm, .ppsx) as people read their slides (ECMA-376 part 1, PresentationML and DrawingML). */
import type { Warning } from '../../../shared/model/conversion.ts';
import { say } from '../../../shared/model/messages/message.ts';
import {
  type Block,
  type Cell,
  cell,
  type Inline,
  isBlank,
  type Listed,
  type Marks,
  nested,
  paragraph,
  plain,
  wordsOfBlocks,
} from '../core/document.ts';
import type { DocumentScan, WholeReader } from '../core/reader.ts';
import { chartBlocks } from './chart.ts';
import { type Included, Losses } from './losses.ts';
import { childOf, contentOf, descendantOf, type Element, eachUnit, outermost, textIn, walkXml } from './markup.ts';
import { latexOf } from './math.ts';
import { numberIn } from './number-formats.ts';
import { diagramBlocks, linksIn, partsOf, type Relation, relationsOf, textOf } from './office.ts';
import { type DocumentParts, documentFault, openParts, parsedBy } from './parts.ts';

const PRESENTATION = 'ppt/presentation.xml';

export const readPresentation: WholeReader = async (source, { options, bounds, signal }): Promise<DocumentScan> => {
  const parts = await openParts(source, 'pptx', bounds, signal);
  return parsedBy('pptx', signal, async () => {
    const reader = new SlideReader(parts, new Set(options.include), signal);
    const blocks: Block[] = [];
    for (const [index, part] of (await slidesOf(parts, signal)).entries()) blocks.push(await reader.read(part, index + 1));
    return { document: { blocks, notes: [] }, warnings: reader.warnings() };
  });
};

/** Names of the slides' parts, in the order in which they are shown. */
async function slidesOf(parts: DocumentParts, signal: AbortSignal | undefined): Promise<string[]> {
  if (!parts.exists(PRESENTATION)) throw documentFault('pptx', say('document.damaged', { format: 'pptx' }));
  const targets = new Map((await relationsOf(parts, PRESENTATION, signal)).map(({ id, target }) => [id, target]));
  const slides: string[] = [];
  const open = (name: string, attributes: Readonly<Record<string, string>>) => {
    const target = name === 'sldId' ? targets.get(attributes['r:id'] ?? '') : undefined;
    if (target !== undefined) slides.push(target);
  };
  walkXml(await textOf(parts, PRESENTATION), new Set(), { open }, signal);
  return slides;
}

/** Where a shape stands, in the slide's units. */
interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

interface Shape {
  /** Undefined where neither the slide nor its layout says it. */
  readonly box: Box | undefined;
  readonly blocks: readonly Block[];
}

/** What the slides of a layout have from it, and from the master behind it. */
interface Layout {
  /** Of placeholders, by type and by index. */
  readonly places: ReadonlyMap<string, Box>;
  /** Texts that stand on each slide. */
  readonly drawn: readonly Shape[];
}

const NO_LAYOUT: Layout = { places: new Map(), drawn: [] };

/** A slide's relations and what the parts hold that they lead to. */
interface Slide extends Layout {
  readonly links: ReadonlyMap<string, string>;
  readonly charts: ReadonlyMap<string, string>;
  readonly diagrams: ReadonlyMap<string, string>;
  readonly isNotes: boolean;
  title: Inline[];
}

/** Placeholders that repeat on every slide, and the slide's picture above its notes. */
const furniture: ReadonlySet<string> = new Set(['sldNum', 'dt', 'hdr', 'sldImg']);
const titles: ReadonlySet<string> = new Set(['title', 'ctrTitle']);
/** Levels of a list that the format knows. */
const DEEPEST = 8;

class SlideReader {
  private readonly parts: DocumentParts;
  private readonly include: Included;
  private readonly signal: AbortSignal | undefined;
  private readonly losses = new Losses();
  /** By their parts. */
  private readonly layouts = new Map<string, Layout>();
  /** Words that repeat on slides. */
  private readonly repeated = new Set<string>();

  constructor(parts: DocumentParts, include: Included, signal: AbortSignal | undefined) {
    this.parts = parts;
    this.include = include;
    this.signal = signal;
  }

  warnings(): Warning[] {
    if (!this.include.has('headers')) for (const words of this.repeated) this.losses.add('headers', 1, words);
    return this.losses.warnings();
  }

  async read(part: string, number: number): Promise<Block> {
    this.losses.under(`Slide ${number}`);
    const relations = await relationsOf(this.parts, part, this.signal);
    const slide = await this.slideOf(relations, false);
    const blocks = this.blocksOf(await textOf(this.parts, part), slide);
    const notes = relations.find(({ type }) => type === 'notesSlide');
    if (notes && this.parts.exists(notes.target)) {
      const own = await this.slideOf(await relationsOf(this.parts, notes.target, this.signal), true);
      const said = this.blocksOf(await textOf(this.parts, notes.target), own);
      if (said.length > 0) blocks.push({ kind: 'quote', blocks: said });
    }
    blocks.push(...(await this.commentsOf(relations)));
    return { kind: 'page', id: `slide-${number}`, label: `Slide ${number}`, title: slide.title, blocks };
  }

  private async slideOf(relations: readonly Relation[], isNotes: boolean): Promise<Slide> {
    return {
      links: linksIn(relations),
      charts: await partsOf(this.parts, relations, ['chart']),
      diagrams: await partsOf(this.parts, relations, ['diagramData']),
      ...(isNotes ? NO_LAYOUT : await this.layoutIn(relations.find(({ type }) => type === 'slideLayout')?.target)),
      isNotes,
      title: [],
    };
  }

  private async layoutIn(part: string | undefined): Promise<Layout> {
    if (part === undefined || !this.parts.exists(part)) return NO_LAYOUT;
    const known = this.layouts.get(part);
    if (known) return known;
    const relations = await relationsOf(this.parts, part, this.signal);
    const master = relations.find(({ type }) => type === 'slideMaster')?.target;
    const behind = master === part ? NO_LAYOUT : await this.layoutIn(master);
    const places = new Map(behind.places);
    const drawn: Shape[] = [];
    const own: Slide = {
      ...NO_LAYOUT,
      links: linksIn(relations),
      charts: new Map(),
      diagrams: new Map(),
      isNotes: false,
      title: [],
    };
    const takeShape = (shape: Element) => {
      const placeholder = descendantOf(shape, 'ph');
      const box = boxOf(shape, undefined);
      const body = childOf(shape, 'txBody');
      if (placeholder === undefined) {
        if (body) drawn.push({ box, blocks: this.textOf(body, false, own) });
        return;
      }
      if (box === undefined) return;
      const { type = 'obj', idx } = placeholder.attributes;
      if (idx !== undefined) places.set(`#${idx}`, box);
      places.set(type, box);
    };
    const take = (root: Element) => {
      if (showsMaster(root)) drawn.push(...behind.drawn);
      for (const shape of outermost(root, 'sp')) takeShape(shape);
    };
    eachUnit(await textOf(this.parts, part), (name) => name === 'sldLayout' || name === 'sldMaster', take, this.signal);
    const layout = { places, drawn };
    this.layouts.set(part, layout);
    return layout;
  }

  private async commentsOf(relations: readonly Relation[]): Promise<Block[]> {
    const blocks: Block[] = [];
    for (const xml of (await partsOf(this.parts, relations, ['comments', 'modernComment'])).values()) {
      const take = (comment: Element) => {
        const text = outermost(comment, 'text').map(textIn).join(' ') || outermost(comment, 't').map(textIn).join('');
        if (!this.include.has('comments')) this.losses.add('comments');
        else blocks.push(paragraph({ kind: 'comment', text }));
      };
      eachUnit(xml, (name) => name === 'cm', take, this.signal);
    }
    return blocks;
  }

  private blocksOf(xml: string, slide: Slide): Block[] {
    const shapes: Shape[] = [];
    const take = (root: Element) => {
      if (root.name === 'sld' && /^(?:0|false)$/.test(root.attributes.show ?? '')) this.losses.add('hiddenSlides');
      for (const tree of outermost(root, 'spTree')) this.readShapes(tree, undefined, slide, shapes);
      if (showsMaster(root)) shapes.push(...slide.drawn.filter(({ blocks }) => this.showsRepeated(blocks)));
    };
    eachUnit(xml, (name) => name === 'sld' || name === 'notes', take, this.signal);
    return inReadingOrder(shapes).flatMap(({ blocks }) => blocks);
  }

  private readShapes(group: Element, outer: Scale | undefined, slide: Slide, shapes: Shape[]): void {
    for (const each of contentOf(group)) {
      if (each.name === 'grpSp') this.readShapes(each, scaleOf(each, outer), slide, shapes);
      else if (each.name === 'sp' || each.name === 'cxnSp') this.readShape(each, outer, slide, shapes);
      else if (each.name === 'pic') shapes.push({ box: boxOf(each, outer), blocks: this.pictureOf(each) });
      else if (each.name === 'graphicFrame') shapes.push({ box: boxOf(each, outer), blocks: this.frameOf(each, slide) });
    }
  }

  private readShape(element: Element, outer: Scale | undefined, slide: Slide, shapes: Shape[]): void {
    const placeholder = descendantOf(childOf(element, 'nvSpPr') ?? element, 'ph');
    const type = placeholder && (placeholder.attributes.type ?? 'obj');
    if (type !== undefined && furniture.has(type)) return;
    const body = childOf(element, 'txBody');
    const isList = !slide.isNotes && type !== undefined && !titles.has(type) && type !== 'subTitle';
    const blocks = body ? this.textOf(body, isList, slide) : [];
    if (type !== undefined && titles.has(type)) {
      for (const block of blocks) {
        if (!('inlines' in block)) continue;
        const inlines = block.inlines.map((each) => (each.kind === 'break' ? plain(' ') : each));
        slide.title.push(...(slide.title.length > 0 ? [plain(' ')] : []), ...inlines);
      }
      return;
    }
    if (type === 'ftr' && !this.showsRepeated(blocks)) return;
    const place = slide.places.get(`#${placeholder?.attributes.idx}`) ?? slide.places.get(type ?? '');
    shapes.push({ box: boxOf(element, outer) ?? place, blocks });
  }

  /** Whether words that repeat on slides are shown here: once, if they are asked for. */
  private showsRepeated(blocks: readonly Block[]): boolean {
    const words = wordsOfBlocks(blocks);
    if (words === '' || this.repeated.has(words)) return false;
    this.repeated.add(words);
    return this.include.has('headers');
  }

  private pictureOf(element: Element): Block[] {
    this.losses.add('images');
    return altOf(element);
  }

  private frameOf(element: Element, slide: Slide): Block[] {
    const table = descendantOf(element, 'tbl');
    if (table) return [{ kind: 'table', rows: this.rowsOf(table, slide) }];
    const chart = slide.charts.get(descendantOf(element, 'chart')?.attributes['r:id'] ?? '');
    if (chart !== undefined) return chartBlocks(chart, this.signal);
    const diagram = slide.diagrams.get(descendantOf(element, 'relIds')?.attributes['r:dm'] ?? '');
    if (diagram !== undefined) return diagramBlocks(diagram, this.signal);
    this.losses.add('drawings');
    return altOf(element);
  }

  private rowsOf(table: Element, slide: Slide): Cell[][] {
    return outermost(table, 'tr').map((row) =>
      outermost(row, 'tc').flatMap((each) => {
        const { gridSpan, rowSpan, hMerge, vMerge } = each.attributes;
        // What is covered belongs to a cell that takes several places.
        if (isOn(hMerge) || isOn(vMerge)) return [];
        const body = childOf(each, 'txBody');
        return [cell(body ? this.textOf(body, false, slide) : [], Number(gridSpan ?? 1) || 1, Number(rowSpan ?? 1) || 1)];
      }),
    );
  }

  /** The paragraphs of a shape, those of lists nested. */
  private textOf(body: Element, isList: boolean, slide: Slide): Block[] {
    const blocks: Block[] = [];
    let listed: Listed[] = [];
    const counters: (number | undefined)[] = [];
    const flush = () => {
      blocks.push(...nested(listed));
      listed = [];
    };
    for (const element of contentOf(body).filter(({ name }) => name === 'p')) {
      const properties = childOf(element, 'pPr');
      const inlines = this.inlinesOf(element, slide);
      const level = Math.min(Math.max(Number(properties?.attributes.lvl ?? 0) || 0, 0), DEEPEST);
      const numbered = childOf(properties, 'buAutoNum');
      const hasBullet = childOf(properties, 'buChar') !== undefined || (isList && childOf(properties, 'buNone') === undefined);
      if (isBlank(inlines)) continue;
      if (!numbered) counters.length = Math.min(counters.length, level);
      if (numbered) {
        const start = Number(numbered.attributes.startAt ?? 1) || 1;
        const number = counters[level] === undefined ? start : counters[level] + 1;
        counters[level] = number;
        counters.length = level + 1;
        const scheme = numbered.attributes.type ?? 'arabicPeriod';
        const known = labelOf(number, scheme);
        if (known === undefined) this.losses.add('numbers', 1, scheme);
        const label = known ?? `${number}.`;
        const isPlain = /^\d+[.)]?$/.test(label);
        listed.push({
          level,
          mark: isPlain ? number : 'words',
          blocks: [paragraph(...(isPlain ? inlines : [plain(`${label} `), ...inlines]))],
        });
      } else if (hasBullet) listed.push({ level, mark: 'bullet', blocks: [paragraph(...inlines)] });
      else {
        flush();
        blocks.push(paragraph(...inlines));
      }
    }
    flush();
    return blocks;
  }

  private inlinesOf(element: Element, slide: Slide): Inline[] {
    const inlines: Inline[] = [];
    for (const each of contentOf(element)) {
      if (each.name === 'r' || each.name === 'fld') {
        const text = outermost(each, 't').map(textIn).join('');
        inlines.push({ kind: 'text', text, marks: marksOf(childOf(each, 'rPr'), slide.links) });
      } else if (each.name === 'br') inlines.push({ kind: 'break' });
      else {
        const isBlock = each.name === 'oMathPara' || descendantOf(each, 'oMathPara') !== undefined;
        for (const math of each.name === 'oMath' ? [each] : outermost(each, 'oMath'))
          inlines.push({ kind: 'math', latex: latexOf(math), isBlock });
      }
    }
    return inlines;
  }
}

/** Whether a slide or a layout shows what is drawn on what is behind it. */
const showsMaster = ({ attributes: { showMasterSp } }: Element): boolean => !/^(?:0|false)$/.test(showMasterSp ?? '');

const isOn = (value: string | undefined): boolean => value === '1' || value === 'true';

function marksOf(properties: Element | undefined, links: ReadonlyMap<string, string>): Marks {
  const { b, i, strike, baseline } = properties?.attributes ?? {};
  const raised = Number.parseInt(baseline ?? '0', 10);
  const link = links.get(childOf(properties, 'hlinkClick')?.attributes['r:id'] ?? '');
  return {
    ...(isOn(b) ? { bold: true } : {}),
    ...(isOn(i) ? { italic: true } : {}),
    ...(strike !== undefined && strike !== 'noStrike' ? { struck: true } : {}),
    ...(raised > 0 ? { script: 'super' as const } : raised < 0 ? { script: 'sub' as const } : {}),
    ...(link === undefined ? {} : { link }),
  };
}

/** Beginnings of `ST_TextAutonumberScheme`, and the formats that they stand for. */
const schemes: readonly (readonly [RegExp, string])[] = [
  [/^alphaLc/, 'lowerLetter'],
  [/^alphaUc/, 'upperLetter'],
  [/^romanLc/, 'lowerRoman'],
  [/^romanUc/, 'upperRoman'],
  [/^arabicDb/, 'decimalFullWidth'],
  [/^arabic(?:P|$)/, 'decimal'],
  [/^circleNum/, 'decimalEnclosedCircle'],
  [/^ea1(?:Chs|Cht)/, 'chineseCounting'],
  [/^ea1Jpn(?!.*Db)/, 'japaneseCounting'],
  [/^arabic1Minus/, 'arabicAlpha'],
  [/^arabic2Minus/, 'arabicAbjad'],
  [/^hebrew2Minus/, 'hebrew2'],
  [/^thaiAlpha/, 'thaiLetters'],
  [/^thaiNum/, 'thaiNumbers'],
  [/^hindiAlpha1/, 'hindiConsonants'],
  [/^hindiAlpha/, 'hindiVowels'],
  [/^hindiNum/, 'hindiNumbers'],
];

/** `alphaLcParenR` is `a)`. Undefined for a scheme that is not known. */
function labelOf(number: number, scheme: string): string | undefined {
  const format = schemes.find(([beginning]) => beginning.test(scheme))?.[1];
  const text = numberIn(number, format ?? '');
  if (text === undefined) return undefined;
  if (/ParenBoth$/.test(scheme)) return `(${text})`;
  return `${text}${/ParenR$/.test(scheme) ? ')' : /Period$/.test(scheme) ? '.' : /Minus$/.test(scheme) ? '-' : ''}`;
}

function altOf(element: Element): Block[] {
  const { descr = '', title = '' } = descendantOf(element, 'cNvPr')?.attributes ?? {};
  const alt = descr.trim() || title.trim();
  return alt === '' ? [] : [paragraph({ kind: 'image', alt, src: '' })];
}

// Places.

/** Turns the units of a group into those of the slide. */
interface Scale {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
}

function transformOf(element: Element) {
  const transform = childOf(childOf(element, 'spPr') ?? childOf(element, 'grpSpPr') ?? element, 'xfrm');
  const number = (name: string, attribute: string) => Number(childOf(transform, name)?.attributes[attribute] ?? Number.NaN);
  return { x: number('off', 'x'), y: number('off', 'y'), width: number('ext', 'cx'), height: number('ext', 'cy'), number };
}

function scaleOf(group: Element, outer: Scale | undefined): Scale | undefined {
  const { x, y, width, height, number } = transformOf(group);
  const [left, top] = [number('chOff', 'x'), number('chOff', 'y')];
  const [across, down] = [width / number('chExt', 'cx') || 1, height / number('chExt', 'cy') || 1];
  if (Number.isNaN(x + y + left + top)) return outer;
  const [ofX, ofY] = [outer?.x ?? ((value: number) => value), outer?.y ?? ((value: number) => value)];
  return { x: (value) => ofX(x + (value - left) * across), y: (value) => ofY(y + (value - top) * down) };
}

function boxOf(element: Element, outer: Scale | undefined): Box | undefined {
  const { x, y, width, height } = transformOf(element);
  if (Number.isNaN(x + y + width + height)) return undefined;
  const [ofX, ofY] = [outer?.x ?? ((value: number) => value), outer?.y ?? ((value: number) => value)];
  return { left: ofX(x), top: ofY(y), right: ofX(x + width), bottom: ofY(y + height) };
}

/**
 * Shapes as people read them: column by column where a gap runs down between them, else from the top. Shapes without a place keep the one
 * they have in the file.
 */
function inReadingOrder(shapes: readonly Shape[]): Shape[] {
  const placed = shapes.filter((shape): shape is Shape & { box: Box } => shape.box !== undefined);
  if (placed.length < shapes.length) return [...shapes];
  return ordered(placed);
}

type Placed = Shape & { readonly box: Box };

function ordered(shapes: readonly Placed[]): Placed[] {
  if (shapes.length < 2) return [...shapes];
  const columns = parted(
    shapes,
    ({ left }) => left,
    ({ right }) => right,
  );
  if (columns.length > 1) return columns.flatMap(ordered);
  const rows = parted(
    shapes,
    ({ top }) => top,
    ({ bottom }) => bottom,
  );
  if (rows.length === 1) return [...shapes].sort((a, b) => a.box.top - b.box.top || a.box.left - b.box.left);
  // Rows that share a gap down between their shapes are read as columns.
  const bands: Placed[][] = [];
  for (const row of rows) {
    const together = [...(bands.at(-1) ?? []), ...row];
    const isShared =
      bands.length > 0 &&
      parted(
        together,
        ({ left }) => left,
        ({ right }) => right,
      ).length > 1;
    if (isShared) bands[bands.length - 1] = together;
    else bands.push(row);
  }
  return bands.flatMap((band) =>
    band.length === shapes.length ? [...band].sort((a, b) => a.box.top - b.box.top) : ordered(band),
  );
}

/** The shapes in parts between which there is a gap, in order. */
function parted(shapes: readonly Placed[], from: (box: Box) => number, to: (box: Box) => number): Placed[][] {
  const parts: Placed[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const shape of [...shapes].sort((a, b) => from(a.box) - from(b.box))) {
    const last = parts.at(-1);
    if (last && from(shape.box) < end) last.push(shape);
    else parts.push([shape]);
    end = Math.max(end, to(shape.box));
  }
  return parts;
}
