/** Writes workbooks for tests part by part, including unusual and broken ones. */
import { deflateRawSync } from 'node:zlib';

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (table[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

export interface ZipPart {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** A false size for the archive's directory. */
  readonly size?: number;
  readonly stored?: boolean;
  readonly encrypted?: boolean;
}

/** A ZIP archive of parts. */
export function zipOf(parts: readonly ZipPart[], comment = ''): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, size, stored = false, encrypted = false } of parts) {
    const bytes = Buffer.from(content as string);
    const packed = stored ? bytes : deflateRawSync(bytes);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(encrypted ? 1 : 0, 2);
    fields.writeUInt16LE(stored ? 0 : 8, 4);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(size ?? bytes.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const file = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), fields, tail, Buffer.from(name)]));
    files.push(file);
    offset += file.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(Buffer.byteLength(comment), 20);
  return Buffer.concat([...files, listed, end, Buffer.from(comment)]);
}

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
