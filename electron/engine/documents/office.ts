/** What Word and PowerPoint files share: relationships of parts, and diagrams (ECMA-376 part 1, DrawingML). */
import path from 'node:path/posix';
import { type Block, paragraph, plain } from '../core/document.ts';
import { allOf, type Element, eachUnit, isLink, textIn, walkXml } from './markup.ts';
import type { DocumentParts } from './parts.ts';

export interface Relation {
  readonly id: string;
  /** The end of its type: `hyperlink`. */
  readonly type: string;
  /** The name of a part, or an address. */
  readonly target: string;
  readonly external: boolean;
}

export async function relationsOf(parts: DocumentParts, part: string, signal: AbortSignal | undefined): Promise<Relation[]> {
  const folder = path.dirname(part);
  const name = path.join(folder, '_rels', `${path.basename(part)}.rels`);
  if (!parts.exists(name)) return [];
  const found: Relation[] = [];
  const open = (element: string, { Id = '', Type = '', Target = '', TargetMode }: Readonly<Record<string, string>>) => {
    if (element !== 'Relationship') return;
    const external = TargetMode === 'External';
    const target = external ? Target : Target.startsWith('/') ? Target.slice(1) : path.join(folder, Target);
    found.push({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), target, external });
  };
  walkXml(await textOf(parts, name), new Set(), { open }, signal);
  return found;
}

export async function textOf(parts: DocumentParts, name: string): Promise<string> {
  const bytes = await parts.read(name);
  // XML may be UTF-16 instead (ECMA-376 part 2, 8.1.3), and begins with a mark then.
  const [first, second] = bytes;
  const encoding = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

export const linksIn = (relations: readonly Relation[]): ReadonlyMap<string, string> =>
  new Map(relations.filter(({ external, target }) => external && isLink(target)).map(({ id, target }) => [id, target]));

/** The texts of the parts that relations of these types lead to, by relationship id. */
export async function partsOf(
  parts: DocumentParts,
  relations: readonly Relation[],
  types: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const { id, type, target, external } of relations) {
    if (!external && types.includes(type) && parts.exists(target)) found.set(id, await textOf(parts, target));
  }
  return found;
}

/** The texts of a diagram (SmartArt), a list item for each shape. */
export function diagramBlocks(xml: string, signal?: AbortSignal): Block[] {
  const texts: string[] = [];
  eachUnit(
    xml,
    (name) => name === 'pt',
    (point) => texts.push(runsIn(point)),
    signal,
  );
  const items = texts.filter((text) => text !== '').map((text) => ({ blocks: [paragraph(plain(text))] }));
  return items.length === 0 ? [] : [{ kind: 'list', isOrdered: false, items }];
}

/** The words of its paragraphs. */
export function runsIn(element: Element): string {
  return allOf(element, 'p')
    .map((each) => allOf(each, 't').map(textIn).join(''))
    .join(' ')
    .trim();
}
