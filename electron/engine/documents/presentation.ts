/** Reads presentations (.pptx, .pptm, .ppsx): a heading per slide, its texts, lists and tables, and the speaker's notes. */
import path from 'node:path/posix';
import { type Warning, warning } from '../../../shared/model/conversion.ts';
import { say } from '../../../shared/model/messages/message.ts';
import type { DocumentText, WholeReader } from '../core/reader.ts';
import { inForm } from './forms.ts';
import { type Attributes, escaped, isLink, Markup, walkXml } from './markup.ts';
import { type DocumentParts, documentFault, openParts, parsedBy } from './parts.ts';

const PRESENTATION = 'ppt/presentation.xml';
const nothing: ReadonlySet<string> = new Set();

export const readPresentation: WholeReader = async (source, { options, bounds, signal }): Promise<DocumentText> => {
  const parts = await openParts(source, 'pptx', bounds, signal);
  return parsedBy('pptx', signal, async () => {
    const found = new Markup(bounds.maxFileBytes);
    const left = { images: 0, drawings: 0, hidden: 0 };
    for (const [index, part] of (await slidesOf(parts, signal)).entries()) {
      const relations = await relationsOf(parts, part, signal);
      const slide = readSlide(await textOf(parts, part), linksIn(relations), signal);
      found.push(`<h2>${slide.title || `Slide ${index + 1}`}</h2>${slide.html}`);
      const notes = relations.find(({ type }) => type.endsWith('/notesSlide'));
      if (notes !== undefined && parts.exists(notes.target)) {
        const { html } = readSlide(await textOf(parts, notes.target), new Map(), signal);
        if (html !== '') found.push(`<blockquote>${html}</blockquote>`);
      }
      left.images += slide.images;
      left.drawings += slide.drawings;
      left.hidden += slide.hidden ? 1 : 0;
    }
    const warnings: Warning[] = [];
    if (left.images > 0) warnings.push(warning('DOCUMENT_IMAGES', say('document.images', { images: left.images })));
    if (left.drawings > 0) warnings.push(warning('DOCUMENT_DRAWINGS', say('document.drawings', { drawings: left.drawings })));
    if (left.hidden > 0) warnings.push(warning('HIDDEN_SLIDES', say('document.hiddenSlides', { slides: left.hidden })));
    const text = inForm(found.toString(), options.as, bounds.maxNesting);
    if (text === '') warnings.push(warning('DOCUMENT_EMPTY', say('document.noText')));
    return { text, warnings };
  });
};

async function textOf(parts: DocumentParts, name: string): Promise<string> {
  return (await parts.read(name, 'utf-8')) as string;
}

/** Names of the slides' parts, in the order in which they are shown. */
async function slidesOf(parts: DocumentParts, signal: AbortSignal | undefined): Promise<string[]> {
  if (!parts.exists(PRESENTATION)) throw documentFault('pptx', say('document.damaged', { format: 'pptx' }));
  const targets = new Map((await relationsOf(parts, PRESENTATION, signal)).map(({ id, target }) => [id, target]));
  const slides: string[] = [];
  const open = (name: string, attributes: Readonly<Record<string, string>>) => {
    const target = name === 'sldId' ? targets.get(attributes['r:id'] ?? '') : undefined;
    if (target !== undefined) slides.push(target);
  };
  walkXml(await textOf(parts, PRESENTATION), nothing, { open }, signal);
  return slides;
}

interface Relation {
  readonly id: string;
  readonly type: string;
  /** The name of a part, or an address. */
  readonly target: string;
  readonly external: boolean;
}

async function relationsOf(parts: DocumentParts, part: string, signal: AbortSignal | undefined): Promise<Relation[]> {
  const folder = path.dirname(part);
  const name = `${folder}/_rels/${path.basename(part)}.rels`;
  if (!parts.exists(name)) return [];
  const found: Relation[] = [];
  const open = (element: string, { Id = '', Type = '', Target = '', TargetMode }: Readonly<Record<string, string>>) => {
    if (element !== 'Relationship') return;
    const external = TargetMode === 'External';
    const target = external ? Target : Target.startsWith('/') ? Target.slice(1) : path.join(folder, Target);
    found.push({ id: Id, type: Type, target, external });
  };
  walkXml(await textOf(parts, name), nothing, { open }, signal);
  return found;
}

const linksIn = (relations: readonly Relation[]): ReadonlyMap<string, string> =>
  new Map(relations.filter(({ external, target }) => external && isLink(target)).map(({ id, target }) => [id, target]));

// Slides and notes (ECMA-376 part 1, PresentationML and DrawingML).

interface Slide {
  /** As HTML; empty without one. */
  readonly title: string;
  readonly html: string;
  readonly images: number;
  /** Charts, diagrams and embedded objects. */
  readonly drawings: number;
  readonly hidden: boolean;
}

/** Old programs' copies of newer content. */
const skipped: ReadonlySet<string> = new Set(['Fallback']);
/** Placeholders that repeat on every slide (number, date, header, footer), and the slide's picture above its notes. */
const furniture: ReadonlySet<string> = new Set(['sldNum', 'dt', 'hdr', 'ftr', 'sldImg']);
const titles: ReadonlySet<string> = new Set(['title', 'ctrTitle']);
const TABLE = /\/table$/;
/** Levels of a list that the format knows. */
const DEEPEST = 8;

interface Paragraph {
  html: string;
  level: number;
  /** Undefined where the slide leaves it to its layout. */
  list: 'ul' | 'ol' | 'none' | undefined;
}

/** `links`: addresses by relationship id. Throws an Error for what is not well-formed. */
function readSlide(xml: string, links: ReadonlyMap<string, string>, signal?: AbortSignal): Slide {
  const slide = { title: '', html: '', images: 0, drawings: 0, hidden: false };
  let placeholder: string | undefined;
  let paragraphs: Paragraph[] = [];
  let paragraph: Paragraph | undefined;
  let run = { bold: false, italic: false, link: '' };
  let isText = false;
  let rows = '';
  let alternative = '';
  let isNotes = false;

  const finishShape = () => {
    const isList = !isNotes && placeholder !== undefined && !titles.has(placeholder) && placeholder !== 'subTitle';
    if (placeholder !== undefined && titles.has(placeholder)) {
      slide.title = [slide.title, ...paragraphs.map(({ html }) => html)].filter((html) => html.trim() !== '').join(' ');
    } else if (placeholder === undefined || !furniture.has(placeholder)) {
      slide.html += blocks(paragraphs, isList);
    }
    paragraphs = [];
    placeholder = undefined;
  };

  const open = (name: string, attributes: Attributes) => {
    switch (name) {
      case 'sld':
        slide.hidden = attributes.show === '0' || attributes.show === 'false';
        break;
      case 'notes':
        isNotes = true;
        break;
      case 'ph':
        placeholder = attributes.type ?? 'obj';
        break;
      case 'cNvPr':
        alternative = attributes.descr ?? '';
        break;
      case 'graphicData':
        if (!TABLE.test(attributes.uri ?? '')) slide.drawings += 1;
        break;
      case 'tbl':
        rows = '';
        break;
      case 'tr':
        rows += '<tr>';
        break;
      case 'p':
        paragraph = { html: '', level: 0, list: undefined };
        break;
      case 'pPr':
        if (paragraph) paragraph.level = Math.min(Math.max(Number(attributes.lvl ?? 0) || 0, 0), DEEPEST);
        break;
      case 'buNone':
        if (paragraph) paragraph.list = 'none';
        break;
      case 'buChar':
        if (paragraph) paragraph.list = 'ul';
        break;
      case 'buAutoNum':
        if (paragraph) paragraph.list = 'ol';
        break;
      case 'r':
      case 'fld':
        run = { bold: false, italic: false, link: '' };
        break;
      case 'rPr':
        run.bold = isOn(attributes.b);
        run.italic = isOn(attributes.i);
        break;
      case 'hlinkClick':
        run.link = links.get(attributes['r:id'] ?? '') ?? '';
        break;
      case 'br':
        if (paragraph) paragraph.html += '<br />';
        break;
      case 't':
        isText = true;
        break;
    }
  };

  const close = (name: string) => {
    switch (name) {
      case 't':
        isText = false;
        break;
      case 'p':
        if (paragraph && paragraph.html.trim() !== '') paragraphs.push({ ...paragraph, html: joined(paragraph.html) });
        paragraph = undefined;
        break;
      case 'tc':
        rows += `<td>${paragraphs.map(({ html }) => html).join('<br />')}</td>`;
        paragraphs = [];
        break;
      case 'tr':
        rows += '</tr>';
        break;
      case 'tbl':
        if (rows !== '') slide.html += `<table>${rows}</table>`;
        break;
      case 'pic':
        slide.images += 1;
        if (alternative.trim() !== '') slide.html += `<p><img alt="${escaped(alternative)}" src="" /></p>`;
        break;
      case 'sp':
        finishShape();
        break;
      case 'graphicFrame':
        // Its placeholder says where it stands, not what it holds.
        placeholder = undefined;
        break;
    }
  };

  const text = (found: string) => {
    if (isText && paragraph) paragraph.html += styled(found, run);
  };

  walkXml(xml, skipped, { open, close, text }, signal);
  return slide;
}

const isOn = (value: string | undefined): boolean => value === '1' || value === 'true';

/** Markup does not take in the blanks around words. */
function styled(text: string, { bold, italic, link }: { bold: boolean; italic: boolean; link: string }): string {
  const [, before = '', words = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? [];
  if (words === '') return text;
  let html = escaped(words);
  if (italic) html = `<em>${html}</em>`;
  if (bold) html = `<strong>${html}</strong>`;
  if (link !== '') html = `<a href="${escaped(link)}">${html}</a>`;
  return before + html + after;
}

/** Runs that differ in nothing we keep are one. */
const joined = (html: string): string => html.replace(/<\/(strong|em)><\1>/g, '');

/** Paragraphs, with those of lists in nested lists. */
function blocks(paragraphs: readonly Paragraph[], isList: boolean): string {
  let html = '';
  const lists: { tag: 'ul' | 'ol'; level: number }[] = [];
  const closeLists = (isOver: (list: { tag: 'ul' | 'ol'; level: number }) => boolean) => {
    for (let last = lists.at(-1); last !== undefined && isOver(last); last = lists.at(-1)) {
      html += `</li></${last.tag}>`;
      lists.pop();
    }
  };
  for (const { html: inner, level, list: tag = isList ? 'ul' : 'none' } of paragraphs) {
    if (tag === 'none') {
      closeLists(() => true);
      html += `<p>${inner}</p>`;
      continue;
    }
    closeLists((last) => last.level > level || (last.level === level && last.tag !== tag));
    if (lists.at(-1)?.level === level) html += '</li>';
    else {
      lists.push({ tag, level });
      html += `<${tag}>`;
    }
    html += `<li>${inner}`;
  }
  closeLists(() => true);
  return html;
}
