/** The parts of a Word document beside its text: styles, numbering, notes, comments, charts, headers and what is embedded. */
import type { Block } from '../core/document.ts';
import { Losses } from './losses.ts';
import { type Element, eachUnit, settingOf } from './markup.ts';
import { Numbering } from './numbering.ts';
import { linksIn, partsOf, type Relation, textOf } from './office.ts';
import type { DocumentParts } from './parts.ts';
import { blocksOfText } from './plain-blocks.ts';

/** The parts beside the text. */
export interface WordPackage {
  readonly styles: ReadonlyMap<string, WordStyle>;
  readonly defaultStyle: string | undefined;
  readonly numbering: Numbering;
  readonly links: ReadonlyMap<string, string>;
  /** XML by relationship id. */
  readonly charts: ReadonlyMap<string, string>;
  readonly diagrams: ReadonlyMap<string, string>;
  readonly furniture: ReadonlyMap<string, string>;
  /** Content that was put in as a file of its own, where it is a kind that is read. */
  readonly chunks: ReadonlyMap<string, readonly Block[]>;
  /** By their ids. */
  readonly footnotes: ReadonlyMap<string, Element>;
  readonly endnotes: ReadonlyMap<string, Element>;
  readonly comments: ReadonlyMap<string, Element>;
}

export async function packageOf(
  parts: DocumentParts,
  relations: readonly Relation[],
  signal: AbortSignal | undefined,
): Promise<WordPackage> {
  const only = async (type: string) => [...(await partsOf(parts, relations, [type])).values()][0];
  const byId = async (type: string, unit: string) => {
    const found = new Map<string, Element>();
    const xml = await only(type);
    const take = (element: Element) => found.set(element.attributes['w:id'] ?? '', element);
    if (xml !== undefined) eachUnit(xml, (name) => name === unit, take, signal);
    return found;
  };
  const chunks = new Map<string, readonly Block[]>();
  for (const { id, type, target, external } of relations) {
    if (type !== 'aFChunk' || external || !parts.exists(target)) continue;
    if (/\.te?xt$/i.test(target)) chunks.set(id, blocksOfText(await textOf(parts, target)));
    if (/\.x?html?$/i.test(target)) {
      const { blocksOfHtml } = await import('./html.ts');
      chunks.set(id, blocksOfHtml(await textOf(parts, target), { hidden: false, losses: new Losses(), isPart: true }));
    }
  }
  return {
    ...stylesIn(await only('styles'), signal),
    numbering: new Numbering(await only('numbering'), signal),
    links: linksIn(relations),
    charts: await partsOf(parts, relations, ['chart']),
    diagrams: await partsOf(parts, relations, ['diagramData']),
    furniture: await partsOf(parts, relations, ['header', 'footer']),
    chunks,
    footnotes: await byId('footnotes', 'footnote'),
    endnotes: await byId('endnotes', 'endnote'),
    comments: await byId('comments', 'comment'),
  };
}

/** A style, with its own properties. */
export interface WordStyle {
  readonly name: string;
  readonly parent: string | undefined;
  readonly element: Element;
}

function stylesIn(xml: string | undefined, signal: AbortSignal | undefined): Pick<WordPackage, 'styles' | 'defaultStyle'> {
  const styles = new Map<string, WordStyle>();
  let defaultStyle: string | undefined;
  const take = (element: Element) => {
    const id = element.attributes['w:styleId'] ?? '';
    styles.set(id, { name: settingOf(element, 'name') ?? '', parent: settingOf(element, 'basedOn'), element });
    if (element.attributes['w:type'] === 'paragraph' && isOnValue(element.attributes['w:default'] ?? '0')) defaultStyle = id;
  };
  if (xml !== undefined) eachUnit(xml, (name) => name === 'style', take, signal);
  return { styles, defaultStyle };
}

/** Whether a value switches a property on. */
export const isOnValue = (value: string): boolean => !/^(?:0|false|off|none)$/.test(value);
