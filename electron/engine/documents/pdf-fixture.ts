/** Writes PDF files for tests, as the smallest set of objects that readers accept (ISO 32000-1, 7.5). */
import { deflateSync } from 'node:zlib';

/** Text at a place, in points from the lower left corner; `size` is the height of its font. */
export interface DrawnText {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly size?: number;
}

export interface PageFixture {
  /** In the order in which it is drawn. */
  readonly texts: readonly DrawnText[];
  /** Text fields of a form: names and what was entered. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Degrees by which the page is shown turned. */
  readonly rotate?: number;
}

export interface PdfFixture {
  /** How streams are stored; default: as they are. */
  readonly filters?: readonly 'FlateDecode'[];
  /** Entries of the trailer. */
  readonly trailer?: string;
  /** Content streams that take the place of the pages' own. */
  readonly contents?: readonly Buffer[];
}

const inParentheses = (text: string): string => `(${text.replace(/[\\()]/g, '\\$&')})`;

export function pdfOf(pages: readonly PageFixture[], { filters = [], trailer = '', contents = [] }: PdfFixture = {}): Buffer {
  const objects: Buffer[] = [];
  const add = (...parts: (string | Buffer)[]): number => objects.push(Buffer.concat(parts.map((part) => Buffer.from(part))));
  add('<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[]>>>>');
  add('');
  const font = add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>');
  const kids = pages.map(({ texts, fields = {}, rotate = 0 }, index) => {
    const drawn = texts.map(
      ({ x, y, text, size = 12 }) => `BT /F ${size} Tf 1 0 0 1 ${x} ${y} Tm ${inParentheses(text)} Tj ET\n`,
    );
    let data = contents[index] ?? Buffer.from(drawn.join(''), 'latin1');
    for (const _ of filters) data = deflateSync(data);
    const stream = add(
      `<</Length ${data.length}${filters.length > 0 ? `/Filter[${filters.map((name) => `/${name}`).join(' ')}]` : ''}>>\nstream\n`,
      data,
      '\nendstream',
    );
    const widgets = Object.entries(fields).map(([name, value]) =>
      add(`<</Type/Annot/Subtype/Widget/FT/Tx/T${inParentheses(name)}/V${inParentheses(value)}/Rect[0 0 9 9]>>`),
    );
    return add(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Rotate ${rotate}/Resources<</Font<</F ${font} 0 R>>>>/Contents ${stream} 0 R/Annots[${references(widgets)}]>>`,
    );
  });
  objects[1] = Buffer.from(`<</Type/Pages/Count ${kids.length}/Kids[${references(kids)}]>>`);
  return written(objects, trailer);
}

const references = (numbers: readonly number[]): string => numbers.map((number) => `${number} 0 R`).join(' ');

function written(objects: readonly Buffer[], trailer: string): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let at = (parts[0] as Buffer).length;
  const push = (part: Buffer) => {
    parts.push(part);
    at += part.length;
  };
  objects.forEach((object, index) => {
    offsets.push(at);
    push(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]));
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<</Size ${objects.length + 1}/Root 1 0 R${trailer}>>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}
