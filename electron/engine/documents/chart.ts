/** Charts of Word and PowerPoint files: their titles, and their values as a table (ECMA-376 part 1, 21.2). */
import { type Block, cell, paragraph, plain } from '../core/document.ts';
import { dateStyleOf, isoOf } from '../tables/number-format.ts';
import { allOf, childOf, type Element, eachUnit, elementsOf, settingOf, textIn } from './markup.ts';
import { runsIn } from './office.ts';

/** Rows of a chart's table. */
const MOST_POINTS = 1000;

/** A row for each category, a column for each series; labels that were written by hand are in brackets. */
export function chartBlocks(xml: string, signal?: AbortSignal): Block[] {
  const blocks: Block[] = [];
  const date1904 = /<(?:\w+:)?date1904(?![^>]*\bval="(?:0|false)")/.test(xml);
  eachUnit(
    xml,
    (name) => name === 'chart',
    (chart) => blocks.push(...blocksOf(chart, date1904)),
    signal,
  );
  return blocks;
}

interface Series {
  readonly name: string;
  readonly columns: readonly { readonly title: string; readonly values: ReadonlyMap<number, string> }[];
}

function blocksOf(chart: Element, date1904: boolean): Block[] {
  const title = titleOf(chart);
  const axes = ['catAx', 'dateAx', 'serAx', 'valAx'].flatMap((name) => allOf(chart, name)).map(titleOf);
  const named = axes.filter((words) => words !== '');
  const words = `${title === '' ? 'Chart' : `Chart: ${title}`}${named.length === 0 ? '' : ` (axes: ${named.join(', ')})`}`;
  const categories = new Map<number, string>();
  const series = allOf(chart, 'ser').map((each, index): Series => {
    for (const [at, text] of categoriesOf(childOf(each, 'cat') ?? childOf(each, 'xVal'), date1904)) categories.set(at, text);
    const name = childOf(each, 'tx');
    const values = withLabels(pointsOf(childOf(each, 'val') ?? childOf(each, 'yVal'), date1904), labelsOf(each));
    const sizes = pointsOf(childOf(each, 'bubbleSize'), date1904);
    const label = (name && ([...pointsOf(name, date1904).values()].join(' ') || textIn(name).trim())) || `Series ${index + 1}`;
    return {
      name: label,
      columns: [{ title: label, values }, ...(sizes.size > 0 ? [{ title: `${label} (size)`, values: sizes }] : [])],
    };
  });
  const columns = series.flatMap((each) => each.columns);
  const rows = [...new Set([...categories.keys(), ...columns.flatMap(({ values }) => [...values.keys()])])].sort((a, b) => a - b);
  if (rows.length === 0) return [paragraph(plain(words))];
  const line = (texts: readonly string[]) => texts.map((text) => cell([paragraph(plain(text))]));
  const header = line(['', ...columns.map((column) => column.title)]);
  const body = rows
    .slice(0, MOST_POINTS)
    .map((at) => line([categories.get(at) ?? String(at + 1), ...columns.map(({ values }) => values.get(at) ?? '')]));
  const more = rows.length - body.length;
  return [
    paragraph(plain(words)),
    { kind: 'table', rows: [header, ...body] },
    ...(more > 0 ? [paragraph(plain(`(${more} more points of the chart)`))] : []),
  ];
}

const titleOf = (element: Element): string => {
  const title = childOf(element, 'title');
  if (title === undefined) return '';
  return runsIn(title) || [...pointsOf(title, false).values()].join(' ');
};

/** Of several levels, the outer ones first: `Europe / Oslo`; what stands once counts for those that follow. */
function categoriesOf(element: Element | undefined, date1904: boolean): ReadonlyMap<number, string> {
  const levels = element ? allOf(element, 'lvl').map((level) => pointsOf(level, date1904)) : [];
  if (levels.length === 0) return pointsOf(element, date1904);
  const [inner = new Map<number, string>(), ...outer] = levels;
  const found = new Map<number, string>();
  const said = outer.map(() => '');
  for (const at of [...new Set(levels.flatMap((level) => [...level.keys()]))].sort((a, b) => a - b)) {
    for (const [level, texts] of outer.entries()) said[level] = texts.get(at) ?? (said[level] as string);
    found.set(at, [...said.toReversed(), inner.get(at) ?? ''].filter((text) => text !== '').join(' / '));
  }
  return found;
}

/** The values that a chart keeps of the cells it shows, by their places: numbers as they are typed, dates in ISO 8601. */
function pointsOf(element: Element | undefined, date1904: boolean): Map<number, string> {
  const found = new Map<number, string>();
  if (element === undefined) return found;
  const format = settingText(element, 'formatCode');
  const isNumber = allOf(element, 'numCache').length + allOf(element, 'numLit').length > 0;
  for (const point of allOf(element, 'pt')) {
    const value = childOf(point, 'v');
    if (value === undefined) continue;
    const text = textIn(value).trim();
    const at = Number(point.attributes.idx ?? found.size);
    found.set(at, isNumber ? numberText(text, point.attributes.formatCode ?? format, date1904) : text);
  }
  return found;
}

const settingText = (element: Element, name: string): string => allOf(element, name).map(textIn)[0]?.trim() ?? '';

/** Fifteen digits count, as in the cells that the chart shows. */
function numberText(text: string, format: string, date1904: boolean): string {
  const number = Number(text);
  if (text === '' || !Number.isFinite(number)) return text;
  const style = format === '' ? undefined : dateStyleOf(0, format);
  const date = style && isoOf(number, style, date1904);
  return date ?? String(Number(number.toPrecision(15)));
}

/** Labels of points that say other words than the value. */
function labelsOf(series: Element): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  const labels = childOf(series, 'dLbls');
  for (const each of labels ? elementsOf(labels).filter(({ name }) => name === 'dLbl') : []) {
    const own = childOf(each, 'tx');
    const words = own ? runsIn(own) : '';
    if (words !== '') found.set(Number(settingOf(each, 'idx') ?? 0), words);
  }
  return found;
}

const withLabels = (values: ReadonlyMap<number, string>, labels: ReadonlyMap<number, string>): ReadonlyMap<number, string> =>
  new Map(
    [...values].map(([at, text]) => [at, labels.has(at) && labels.get(at) !== text ? `${text} (${labels.get(at)})` : text]),
  );
