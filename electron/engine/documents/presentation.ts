/** Reads presentations (.pptx, .pptm, .ppsx): a heading per slide, its texts, lists and tables, and the speaker's notes. */
import path from 'node:path/posix';
import { type Warning, warning } from '../../../shared/model/conversion.ts';
import { say } from '../../../shared/model/messages/message.ts';
import type { DocumentText, WholeReader } from '../core/whole-reader.ts';
import { documentFault, parsedBy } from './failures.ts';
import { inForm } from './forms.ts';
import { isLink, Markup, walkXml } from './markup.ts';
import { type DocumentParts, openParts } from './parts.ts';
import { readSlide } from './slide.ts';

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
