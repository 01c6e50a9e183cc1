/** Writes workbooks for tests part by part, including unusual and broken ones. */
import { type ZipPart, zipOf } from '../input/zip-fixture.ts';

export interface SheetFixture {
  readonly name: string;
  /** The rows: the content of `<sheetData>`. */
  readonly data: string;
  readonly after?: string;
  readonly state?: 'hidden' | 'veryHidden';
}

export interface WorkbookFixture {
  readonly sheets: readonly SheetFixture[];
  /** `<si>` elements. */
  readonly texts?: string;
  /** Number format codes; cells refer to them by `s`, from 1. */
  readonly formats?: readonly string[];
  readonly date1904?: boolean;
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const related = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relationship = (id: string, kind: string, target: string) =>
  `<Relationship Id="${id}" Type="${related}/${kind}" Target="${target}"/>`;
const relationships = (...all: string[]) =>
  `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join('')}</Relationships>`;

/** The parts of a workbook, to be modified or zipped. */
export function workbookParts({ sheets, texts = '', formats = [], date1904 = false }: WorkbookFixture): ZipPart[] {
  const listed = sheets.map(
    ({ name, state }, i) => `<sheet name="${name}" sheetId="${i + 1}"${state ? ` state="${state}"` : ''} r:id="s${i + 1}"/>`,
  );
  const codes = formats.map((code, i) => `<numFmt numFmtId="${200 + i}" formatCode="${code}"/>`);
  const styles = formats.map((_, i) => `<xf numFmtId="${200 + i}"/>`);
  return [
    { name: '_rels/.rels', content: relationships(relationship('r1', 'officeDocument', 'xl/workbook.xml')) },
    {
      name: 'xl/workbook.xml',
      content: `${head}<workbook xmlns="${main}" xmlns:r="${related}"><workbookPr${date1904 ? ' date1904="1"' : ''}/><sheets>${listed.join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: relationships(
        ...sheets.map((_, i) => relationship(`s${i + 1}`, 'worksheet', `worksheets/sheet${i + 1}.xml`)),
        relationship('t', 'sharedStrings', 'sharedStrings.xml'),
        relationship('f', 'styles', '/xl/styles.xml'),
      ),
    },
    {
      name: 'xl/styles.xml',
      content: `${head}<styleSheet xmlns="${main}"><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${styles.join('')}</cellXfs></styleSheet>`,
    },
    { name: 'xl/sharedStrings.xml', content: `${head}<sst xmlns="${main}">${texts}</sst>` },
    ...sheets.map(({ data, after = '' }, i) => ({
      name: `xl/worksheets/sheet${i + 1}.xml`,
      content: `${head}<worksheet xmlns="${main}"><sheetData>${data}</sheetData>${after}</worksheet>`,
    })),
  ];
}

export const workbookOf = (fixture: WorkbookFixture): Buffer => zipOf(workbookParts(fixture));

/** A row of texts and numbers, without cell references. */
export const rowOf = (...values: readonly (string | number | boolean | null)[]): string =>
  `<row>${values.map(cellOf).join('')}</row>`;

function cellOf(value: string | number | boolean | null): string {
  if (value === null) return '<c/>';
  if (typeof value === 'number') return `<c><v>${value}</v></c>`;
  if (typeof value === 'boolean') return `<c t="b"><v>${value ? 1 : 0}</v></c>`;
  return `<c t="inlineStr"><is><t>${value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</t></is></c>`;
}
