import { expect, it } from 'vitest';
import type { Block } from '../core/document.ts';
import { chartBlocks } from './chart.ts';
import { tableAsCsv } from './forms.ts';

const points = (...values: (string | undefined)[]) =>
  values.map((value, at) => (value === undefined ? '' : `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`)).join('');
const numbers = (...values: string[]) =>
  `<c:numRef><c:numCache><c:formatCode>General</c:formatCode>${points(...values)}</c:numCache></c:numRef>`;
const words = (text: string) => `<c:tx><c:rich><a:p><a:r><a:t>${text}</a:t></a:r></a:p></c:rich></c:tx>`;
const series = (name: string, rest: string) =>
  `<c:ser><c:idx val="0"/><c:tx><c:strRef><c:strCache>${points(name)}</c:strCache></c:strRef></c:tx>${rest}</c:ser>`;
const chart = (plot: string, title = '', more = '') =>
  `<c:chartSpace>${more}<c:chart>${title === '' ? '' : `<c:title>${words(title)}</c:title>`}<c:plotArea>${plot}</c:plotArea></c:chart></c:chartSpace>`;

/** Its first line, and its table as CSV. */
function said(xml: string): [string, string] {
  const [title, table] = chartBlocks(xml);
  const [first] = (title as Extract<Block, { kind: 'paragraph' }>).inlines;
  const text = first?.kind === 'text' ? first.text : '';
  return [text, table?.kind === 'table' ? tableAsCsv(table, { maxFileBytes: 1e6 }) : ''];
}

it.each<[string, string, string, string]>([
  [
    'categories of several levels',
    chart(
      series(
        'Sales',
        `<c:cat><c:multiLvlStrRef><c:multiLvlStrCache><c:lvl>${points('SF', 'LA', 'NY')}</c:lvl><c:lvl>${points('CA', undefined, 'NY')}</c:lvl></c:multiLvlStrCache></c:multiLvlStrRef></c:cat><c:val>${numbers('1', '2', '3')}</c:val>`,
      ),
    ),
    'Chart',
    ',Sales\nCA / SF,1\nCA / LA,2\nNY / NY,3\n',
  ],
  [
    'dates, and numbers with the digits of cells',
    chart(
      series(
        'S',
        `<c:cat><c:numRef><c:numCache><c:formatCode>m/d/yyyy</c:formatCode>${points('37261.0')}</c:numCache></c:numRef></c:cat><c:val>${numbers('4.4000000000000004')}</c:val>`,
      ),
    ),
    'Chart',
    ',S\n2002-01-05,4.4\n',
  ],
  [
    'dates that count from 1904',
    chart(
      series(
        'S',
        `<c:cat><c:numRef><c:numCache><c:formatCode>yyyy</c:formatCode>${points('0')}</c:numCache></c:numRef></c:cat><c:val>${numbers('1')}</c:val>`,
      ),
      '',
      '<c:date1904 val="1"/>',
    ),
    'Chart',
    ',S\n1904-01-01,1\n',
  ],
  [
    'titles of the chart and its axes',
    chart(
      `${series('S', `<c:val>${numbers('1')}</c:val>`)}<c:catAx><c:title>${words('Year')}</c:title></c:catAx><c:valAx><c:title>${words('kEUR')}</c:title></c:valAx>`,
      'Sales',
    ),
    'Chart: Sales (axes: Year, kEUR)',
    ',S\n1,1\n',
  ],
  [
    'the title of an axis, where the chart has none',
    chart(`${series('S', `<c:val>${numbers('1')}</c:val>`)}<c:valAx><c:title>${words('kEUR')}</c:title></c:valAx>`),
    'Chart (axes: kEUR)',
    ',S\n1,1\n',
  ],
  [
    'labels written by hand, and sizes of bubbles',
    chart(
      series(
        'S',
        `<c:dLbls><c:dLbl><c:idx val="1"/>${words('the crisis')}</c:dLbl></c:dLbls><c:xVal>${numbers('0.5', '0.7')}</c:xVal><c:yVal>${numbers('1', '2')}</c:yVal><c:bubbleSize>${numbers('9', '8')}</c:bubbleSize>`,
      ),
    ),
    'Chart',
    ',S,S (size)\n0.5,1,9\n0.7,2 (the crisis),8\n',
  ],
])('gives %s', (_, xml, title, table) => {
  expect(said(xml)).toEqual([title, table]);
});

it('says how many points its table leaves out', () => {
  const many = chart(series('S', `<c:val>${numbers(...Array.from({ length: 1002 }, (_, at) => String(at)))}</c:val>`));
  expect(JSON.stringify(chartBlocks(many).at(-1))).toContain('(2 more points of the chart)');
});
