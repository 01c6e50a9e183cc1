/** Cells and rows that are read by their bytes are what the scanner of XML makes of them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../shared/lib/fixtures/property-runs.ts';
import type { ZipEntry } from '../input/zip.ts';
import { numberFormat } from './number-format.ts';
import { noFacts, type SheetRow, wholeSheet } from './sheet.ts';
import { sheetRows } from './sheet-rows.ts';
import { scanPart, type XmlHandler } from './workbook-xml.ts';

const styles = [undefined, '0.00', 'dd.mm.yyyy', '00000', '"E-"0000', '0.0 "kg"'].map((code, i) => numberFormat(200 + i, code));

interface Outcome {
  rows?: SheetRow[];
  facts?: unknown;
  error?: string;
}

/** `byBytes`: with the reader of plain markup, else with the scanner alone. */
async function read(xml: string, chunkBytes: number, byBytes: boolean): Promise<Outcome> {
  const bytes = Buffer.from(xml);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield new Uint8Array(bytes.subarray(at, at + chunkBytes));
  }
  const scannerOnly = (handler: XmlHandler): XmlHandler => ({
    open: (name, attributes) => handler.open(name, attributes),
    text: (text) => handler.text(text),
    close: (name) => handler.close(name),
  });
  const facts = noFacts();
  const rows: SheetRow[] = [];
  const parts = {
    date1904: false,
    styles,
    texts: ['', 'ä', 'two'],
    scan: (_: ZipEntry, handler: XmlHandler) => scanPart(chunks(), 'sheet1.xml', byBytes ? handler : scannerOnly(handler)),
  };
  try {
    for await (const batch of sheetRows(parts, {} as ZipEntry, wholeSheet, facts)) rows.push(...batch);
    return { rows: JSON.parse(JSON.stringify(rows)) as SheetRow[], facts: { ...facts, hiddenColumns: [...facts.hiddenColumns] } };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

const value = fc.oneof(
  fc.constantFrom('0', '1', '2', '3', '-0', '0.5', '.5', '5.', '1.50', '007', '1e5', '1E-7', '0.0000001', '0.000001', '-12.25'),
  fc.constantFrom(
    '123456789012345',
    '1234567890123456',
    '0.1234567890123456',
    '99999999999999999999',
    ' 5 ',
    '+3',
    '',
    'x',
    'TRUE',
  ),
  fc.constantFrom('a&amp;b', '&#x41;', '&nope;', 'ä', 'a]]b', '2024-01-31', '_x0041_', '#N/A', '<!--c-->1', '<![CDATA[2]]>'),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.integer().map(String),
);
const attributes = fc.constantFrom(
  ['r="$" s="2"', 'r="$"', 'r="$" s="1" t="s"', 'r="$" t="str"', 'r="$" t="b"', 'r="$" t="e"', 'r="$" t="d"', 'r="$" s="3"'],
  ["r='$'", 's="4" r="$"', 'r="$" cm="1"', 'r="$"  s="5"', 's="0"', '', 'r="$" s="x"', 'r="$" t="inlineStr"', 'r = "$"'],
);
const content = fc.oneof(
  { weight: 6, arbitrary: value.map((text) => `<v>${text}</v>`) },
  value.map((text) => `<f>A1+1</f><v>${text}</v>`),
  value.map((text) => `<f t="shared" si="0"/><v>${text}</v>`),
  value.map((text) => `<is><t>${text}</t></is>`),
  value.map((text) => `<is><t xml:space="preserve">${text}</t></is>`),
  fc.constantFrom('', '<v/>', '<f>A1</f>', '<f a="b>c">A</f><v>1</v>', '<x/>', '<is><r><t>a</t></r><r><t>b</t></r></is>', '<v>1'),
);
const cell = fc
  .tuple(attributes, fc.nat(7), content, fc.nat(40), fc.constantFrom('c', 'c', 'c', 'c', 'x:c'))
  .map(([list, which, inside, column, name]) => {
    const letters = column < 26 ? String.fromCharCode(65 + column) : `A${String.fromCharCode(65 + column - 26)}`;
    const given = (list[which % list.length] as string).replaceAll('$', `${letters}1`);
    const tag = given === '' ? name : `${name} ${given}`;
    return inside === '' ? `<${tag}/>` : `<${tag}>${inside}</${name}>`;
  });
const row = fc
  .tuple(
    fc.constantFrom(
      'r="#"',
      'r="#" spans="1:3"',
      'r="#" hidden="1"',
      "r='#'",
      '',
      'r="#" ht="15" customHeight="1"',
      'r="0"',
      'r="x"',
    ),
    fc.array(cell, { maxLength: 6 }),
    fc.constantFrom('', '', '\n  ', '<!-- note -->'),
  )
  .map(([given, cells, between]) => ({ given, inside: cells.join(between) }));

describe('a sheet read by its bytes', () => {
  it('is what the scanner reads, however it is written and cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 5 }),
        fc.integer({ min: 1, max: 200 }),
        fc.constantFrom('', '', '', '</row>', '<c'),
        async (rows, chunkBytes, fault) => {
          const data = rows.map(({ given, inside }, i) =>
            inside === ''
              ? `<row ${given.replace('#', String(i + 1))}/>`
              : `<row ${given.replace('#', String(i + 1))}>${inside}</row>`,
          );
          const xml = `<?xml version="1.0"?><worksheet><cols><col min="2" max="3" hidden="1"/></cols><sheetData>${data.join('')}${fault}</sheetData></worksheet>`;
          const plain = await read(xml, chunkBytes, true);
          expect(plain).toEqual(await read(xml, chunkBytes, false));
        },
      ),
      { numRuns: runs(600) },
    );
  });

  it.each([
    ['a cell longer than what is waited for', `<c r="A1" t="str"><v>${'x'.repeat(200_000)}</v></c>`],
    ['a formula longer than that', `<c r="A1"><f>${'A1+'.repeat(60_000)}1</f><v>7</v></c>`],
    ['a reference that is cut off', '<c r="A1" t="str"><v>a&am'],
    ['bytes that are no UTF-8', Buffer.from([0x3c, 0x63, 0x20, 0x72, 0xff]).toString('latin1')],
  ])('handles %s as the scanner does', async (_name, inside) => {
    const xml = `<worksheet><sheetData><row r="1">${inside}</row></sheetData></worksheet>`;
    for (const chunkBytes of [7, 65_536]) expect(await read(xml, chunkBytes, true)).toEqual(await read(xml, chunkBytes, false));
  });
});
