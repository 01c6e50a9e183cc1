/** What Word and PowerPoint files share: relationships of parts, charts and diagrams (ECMA-376 part 1, DrawingML). */
import path from 'node:path/posix';
import { type Block, cell, paragraph, plain } from '../core/document.ts';
import { childOf, descendantOf, type Element, eachUnit, elementsOf, isLink, textIn, walkXml } from './markup.ts';
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

export const textOf = async (parts: DocumentParts, name: string): Promise<string> => (await parts.read(name, 'utf-8')) as string;

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

/** Rows of a chart's table. */
const MOST_POINTS = 1000;

/** A chart's title, and its values as a table: a row for each category, a column for each series. */
export function chartBlocks(xml: string, signal?: AbortSignal): Block[] {
  const blocks: Block[] = [];
  const take = (chart: Element) => {
    const title = descendantOf(chart, 'title');
    const words = title ? runsIn(title) : '';
    blocks.push(paragraph(plain(words === '' ? 'Chart' : `Chart: ${words}`)));
    const series: { name: string; values: Map<number, string> }[] = [];
    const categories = new Map<number, string>();
    for (const each of allOf(chart, 'ser')) {
      const named = childOf(each, 'tx');
      const values = pointsOf(childOf(each, 'val') ?? childOf(each, 'yVal'));
      for (const [index, text] of pointsOf(childOf(each, 'cat') ?? childOf(each, 'xVal'))) categories.set(index, text);
      series.push({ name: named ? [...pointsOf(named).values()].join(' ') || textIn(named).trim() : '', values });
    }
    const rows = [...new Set([...categories.keys(), ...series.flatMap(({ values }) => [...values.keys()])])].sort(
      (a, b) => a - b,
    );
    if (rows.length === 0) return;
    const line = (texts: readonly string[]) => texts.map((text) => cell([paragraph(plain(text))]));
    const header = line(['', ...series.map(({ name }, i) => name || `Series ${i + 1}`)]);
    const body = rows
      .slice(0, MOST_POINTS)
      .map((index) => line([categories.get(index) ?? String(index + 1), ...series.map(({ values }) => values.get(index) ?? '')]));
    blocks.push({ kind: 'table', rows: [header, ...body] });
  };
  eachUnit(xml, (name) => name === 'chart', take, signal);
  return blocks;
}

/** The values that a chart keeps of the cells it shows, by their places. */
function pointsOf(element: Element | undefined): Map<number, string> {
  const found = new Map<number, string>();
  for (const point of element ? allOf(element, 'pt') : []) {
    const value = childOf(point, 'v');
    if (value) found.set(Number(point.attributes.idx ?? found.size), textIn(value).trim());
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

function runsIn(element: Element): string {
  return allOf(element, 'p')
    .map((each) => allOf(each, 't').map(textIn).join(''))
    .join(' ')
    .trim();
}

/** All elements of that name inside, but for those inside one. */
function allOf(element: Element, name: string): Element[] {
  return elementsOf(element).flatMap((each) => (each.name === name ? [each] : allOf(each, name)));
}
