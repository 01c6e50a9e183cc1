/** Writes one slide of a presentation, or its notes, as HTML (ECMA-376 part 1, PresentationML and DrawingML). */
import { type Attributes, escaped, walkXml } from './markup.ts';

export interface Slide {
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
export function readSlide(xml: string, links: ReadonlyMap<string, string>, signal?: AbortSignal): Slide {
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
