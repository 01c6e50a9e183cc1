/** Reads OpenDocument texts (.odt, .ott): headings, lists, tables, links, emphasis and notes. */
import { type Warning, warning } from '../../../shared/model/conversion.ts';
import { say } from '../../../shared/model/messages/message.ts';
import type { DocumentText, WholeReader } from '../core/reader.ts';
import { inForm } from './forms.ts';
import { type Attributes, escaped, isLink, Markup, walkXml } from './markup.ts';
import { documentFault, openParts, parsedBy } from './parts.ts';

export const readOpenDocument: WholeReader = async (source, { options, bounds, signal }): Promise<DocumentText> => {
  const parts = await openParts(source, 'odt', bounds, signal);
  return parsedBy('odt', signal, async () => {
    const manifest = 'META-INF/manifest.xml';
    if (parts.exists(manifest) && /<(?:\w+:)?encryption-data\b/.test((await parts.read(manifest, 'utf-8')) as string)) {
      throw documentFault('odt', say('document.protected', { format: 'odt' }), say('document.protected.hint', { format: 'odt' }));
    }
    const reader = new BodyReader(bounds.maxFileBytes);
    walkXml((await parts.read('content.xml', 'utf-8')) as string, skipped, reader, signal);
    if (!reader.isText)
      throw documentFault('odt', say('document.damaged', { format: 'odt' }), say('document.broken.hint', { format: 'odt' }));
    const warnings: Warning[] = [];
    if (reader.images > 0) warnings.push(warning('DOCUMENT_IMAGES', say('document.images', { images: reader.images })));
    const text = inForm(reader.html(), options.as, bounds.maxNesting);
    if (text === '') warnings.push(warning('DOCUMENT_EMPTY', say('document.noText')));
    return { text, warnings };
  });
};

/** Deleted text, comments, and what is written again where it is used. */
const skipped: ReadonlySet<string> = new Set(['tracked-changes', 'annotation', 'note-citation', 'forms', 'sequence-decls']);
/** Cells that a table repeats: more are rather the empty rest of a line. */
const MOST_REPEATS = 100;
/** Blanks that one element stands for. */
const MOST_BLANKS = 1000;

interface Style {
  bold: boolean;
  italic: boolean;
  parent: string;
}

/** Takes the events of `content.xml` (OpenDocument 1.3 part 3) and writes HTML. */
class BodyReader {
  isText = false;
  images = 0;
  private readonly limit: number;
  private readonly styles = new Map<string, Style>();
  /** Styles of lists whose first level is numbered. */
  private readonly numbered = new Set<string>();
  private style: Style | undefined;
  private listStyle = '';
  /** The document, and the note within it that is being read. */
  private readonly outputs: Markup[];
  private readonly notes: string[] = [];
  /** End tags of the elements that are open. */
  private readonly ends: string[] = [];
  private paragraphs = 0;
  /** How many paragraphs are open around each open note. */
  private readonly outer: number[] = [];
  private inBody = false;
  private readonly lists: string[] = [];
  private repeats = 1;

  constructor(limit: number) {
    this.limit = limit;
    this.outputs = [new Markup(limit)];
  }

  html(): string {
    const body = String(this.outputs[0]).replace(/<\/(strong|em)><\1>/g, '');
    const notes = this.notes.map((note, i) => `<li id="footnote-${i + 1}">${note}</li>`).join('');
    return notes === '' ? body : `${body}<ol>${notes}</ol>`;
  }

  open(name: string, attributes: Attributes): void {
    this.ends.push(this.inBody ? this.begin(name, attributes) : this.prelude(name, attributes));
  }

  close(name: string): void {
    const end = this.ends.pop() ?? '';
    if (end === NOTE) {
      this.notes.push(String(this.outputs.pop()));
      this.paragraphs = this.outer.pop() ?? 0;
      return;
    }
    if (name === 'p' || name === 'h') this.paragraphs -= 1;
    if (name === 'list') this.lists.pop();
    if (end === BODY) this.inBody = false;
    else if (end !== '') this.push(end);
    if (name === 'table-cell' || name === 'covered-table-cell') this.push('<td></td>'.repeat(this.repeats - 1));
    if (name === 'table-cell' || name === 'covered-table-cell') this.repeats = 1;
  }

  text(found: string): void {
    if (this.inBody && this.paragraphs > 0) this.push(escaped(found.replace(/[ \t\r\n]+/g, ' ')));
  }

  private push(html: string): void {
    this.outputs.at(-1)?.push(html);
  }

  /** Before the text: which styles are bold, italic or numbered. */
  private prelude(name: string, attributes: Attributes): string {
    if (name === 'style') {
      this.style = { bold: false, italic: false, parent: attributes['style:parent-style-name'] ?? '' };
      this.styles.set(attributes['style:name'] ?? '', this.style);
    } else if (name === 'text-properties' && this.style) {
      this.style.bold = /^(?:bold|[6-9]00)$/.test(attributes['fo:font-weight'] ?? '');
      this.style.italic = /^(?:italic|oblique)$/.test(attributes['fo:font-style'] ?? '');
    } else if (name === 'list-style') this.listStyle = attributes['style:name'] ?? '';
    else if (name === 'list-level-style-number' && attributes['text:level'] === '1') this.numbered.add(this.listStyle);
    else if (name === 'text') {
      this.isText = true;
      this.inBody = true;
      return BODY;
    }
    return '';
  }

  /** Writes the start of an element, and returns what ends it. */
  private begin(name: string, attributes: Attributes): string {
    switch (name) {
      case 'h':
        return this.paragraph(`h${Math.min(Math.max(Number(attributes['text:outline-level']) || 1, 1), 6)}`);
      case 'p': {
        const style = attributes['text:style-name'] ?? '';
        const names = [style, this.styles.get(style)?.parent];
        return this.paragraph(names.includes('Title') ? 'h1' : names.includes('Subtitle') ? 'h2' : 'p');
      }
      case 'span': {
        const { bold = false, italic = false } = this.styles.get(attributes['text:style-name'] ?? '') ?? {};
        return this.element(bold ? 'strong' : '', italic ? 'em' : '');
      }
      case 'a': {
        const target = attributes['xlink:href'] ?? '';
        if (!isLink(target)) return '';
        this.push(`<a href="${escaped(target)}">`);
        return '</a>';
      }
      case 'list': {
        const own = attributes['text:style-name'] ?? this.lists.at(-1) ?? '';
        this.lists.push(own);
        return this.element(this.numbered.has(own) ? 'ol' : 'ul');
      }
      case 'list-item':
      case 'list-header':
        return this.element('li');
      case 'table':
        return this.element('table');
      case 'table-row':
        return this.element('tr');
      case 'table-cell':
      case 'covered-table-cell':
        this.repeats = Math.min(Math.max(Number(attributes['table:number-columns-repeated']) || 1, 1), MOST_REPEATS);
        return this.element('td');
      case 's':
        this.push(' '.repeat(Math.min(Math.max(Number(attributes['text:c']) || 1, 1), MOST_BLANKS)));
        return '';
      case 'tab':
        this.push('\t');
        return '';
      case 'line-break':
        this.push('<br />');
        return '';
      case 'image':
        this.images += 1;
        return '';
      case 'note-body': {
        const number = this.notes.length + 1;
        this.push(`<a href="#footnote-${number}" id="footnote-ref-${number}">[${number}]</a>`);
        this.outputs.push(new Markup(this.limit));
        this.outer.push(this.paragraphs);
        this.paragraphs = 0;
        return NOTE;
      }
      default:
        return '';
    }
  }

  private paragraph(tag: string): string {
    this.paragraphs += 1;
    // One within another is that of a text frame.
    return this.paragraphs > 1 ? '<br />' : this.element(tag);
  }

  private element(...tags: string[]): string {
    const named = tags.filter((tag) => tag !== '');
    this.push(named.map((tag) => `<${tag}>`).join(''));
    return named
      .reverse()
      .map((tag) => `</${tag}>`)
      .join('');
  }
}

/** Marks in the list of ends for what is more than a tag. */
const BODY = 'body';
const NOTE = 'note';
