import { expect, it } from 'vitest';
import { asModes, type Format, formsTaken, optionsTaken } from '../../../shared/model/formats.ts';
import { failureOf, jsonOf } from '../fixtures/conversion-fixture.ts';
import { zipOf } from '../input/zip-fixture.ts';
import { rowOf, workbookOf } from '../tables/workbook-fixture.ts';

const samples: Partial<Record<Format, Buffer>> = {
  json: Buffer.from('[{"a":1}]'),
  csv: Buffer.from('a,b\n1,2\n'),
  text: Buffer.from('a line\n'),
  xlsx: workbookOf({ sheets: [{ name: 'S', data: rowOf('a') + rowOf(1) }] }),
  html: Buffer.from('<p>a</p><table><tr><td>b</td></tr><tr><td>1</td></tr></table>'),
  zip: zipOf([{ name: 'a.txt', content: 'a' }]),
};

/** Of a text, that it is no JSON or list is found when it is read. */
const contentDecides = new Set(['text json']);

it.each(Object.keys(samples) as Format[])('%s takes exactly the forms that it is said to', async (format) => {
  const name = `sample.${format === 'text' ? 'txt' : format}`;
  const sample = samples[format] as Buffer;
  for (const table of format === 'html' ? [undefined, '1'] : [undefined]) {
    for (const as of asModes) {
      if (contentDecides.has(`${format} ${as}`)) continue;
      const works = jsonOf(name, sample, { as, table: optionsTaken(format, as).includes('table') ? table : undefined }).then(
        () => true,
        () => false,
      );
      expect(await works, `${as} ${table}`).toBe(formsTaken(format, table !== undefined).includes(as));
    }
  }
});

it('bytes of no known format are passed on as such only', async () => {
  const bytes = Buffer.from([0, 1, 2, 0xff, 0xfe, 0x80]);
  expect(formsTaken('binary')).toEqual(['auto', 'base64', 'data_uri']);
  for (const as of ['json', 'csv', 'markdown', 'text', 'html'] as const) await failureOf('a.bin', bytes, { as });
});
