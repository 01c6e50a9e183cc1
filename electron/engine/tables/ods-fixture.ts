/** Writes OpenDocument spreadsheets for tests part by part, as LibreOffice lays them out. */
import { type ZipPart, zipOf } from '../input/zip-fixture.ts';

const namespaces = ['office', 'style', 'text', 'table']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(' ');

export interface OdsSheet {
  readonly name: string;
  /** The rows as XML. */
  readonly rows: string;
  readonly hidden?: boolean;
}

const styles =
  '<office:automatic-styles><style:style style:name="seen" style:family="table"><style:table-properties table:display="true"/></style:style>' +
  '<style:style style:name="hidden" style:family="table"><style:table-properties table:display="false"/></style:style></office:automatic-styles>';

const bodyOf = (sheets: readonly OdsSheet[], before = ''): string =>
  `<office:body><office:spreadsheet>${before}${sheets
    .map(
      ({ name, rows, hidden }) =>
        `<table:table table:name="${name}" table:style-name="${hidden ? 'hidden' : 'seen'}"><table:table-column table:number-columns-repeated="16384"/>${rows}</table:table>`,
    )
    .join('')}<table:named-expressions/></office:spreadsheet></office:body>`;

/** A spreadsheet in one XML file (.fods). */
export const flatOds = (sheets: readonly OdsSheet[], before?: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><office:document ${namespaces} office:mimetype="application/vnd.oasis.opendocument.spreadsheet">${styles}${bodyOf(sheets, before)}</office:document>`;

/** A spreadsheet as an archive (.ods). `parts` take the place of its own, or stand beside them. */
export function odsOf(sheets: readonly OdsSheet[], parts: readonly ZipPart[] = []): Buffer {
  const own: ZipPart[] = [
    { name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet' },
    { name: 'META-INF/manifest.xml', content: '<manifest><file-entry full-path="/"/></manifest>' },
    {
      name: 'content.xml',
      content: `<office:document-content ${namespaces}>${styles}${bodyOf(sheets)}</office:document-content>`,
    },
  ];
  const replaced = new Set(parts.map(({ name }) => name));
  return zipOf([...own.filter(({ name }) => !replaced.has(name)), ...parts]);
}

type Value = string | number | boolean | null;

export const odsRow = (...values: readonly Value[]): string =>
  `<table:table-row>${values.map(odsCell).join('')}</table:table-row>`;

function odsCell(value: Value): string {
  if (value === null) return '<table:table-cell/>';
  if (typeof value === 'number') return typed('float', `office:value="${value}"`, String(value));
  if (typeof value === 'boolean') return typed('boolean', `office:boolean-value="${value}"`, String(value).toUpperCase());
  return typed('string', '', value.replaceAll('&', '&amp;').replaceAll('<', '&lt;'));
}

/** A cell with a type, its value, and the text that is shown. */
export const typed = (type: string, value: string, shown: string, more = ''): string =>
  `<table:table-cell office:value-type="${type}" ${value} ${more}><text:p>${shown}</text:p></table:table-cell>`;
