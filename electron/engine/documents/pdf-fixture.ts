/** Writes PDF files for tests, as the smallest set of objects that readers accept (ISO 32000-1, 7.5). */
import { deflateSync } from 'node:zlib';

/** Text at a place, in points from the lower left corner; `size` is the height of its font. */
export interface DrawnText {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly size?: number;
  /** Operators before it, such as `1 g` for white or `3 Tr` for invisible; they end with it. */
  readonly style?: string;
}

interface Placed {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Text on the page that is not part of its own. */
export interface TypedText extends Placed {
  readonly kind: 'FreeText' | 'Stamp';
  readonly text: string;
}

export interface PageFixture {
  /** In the order in which it is drawn. */
  readonly texts: readonly DrawnText[];
  /** Operators before the texts. */
  readonly before?: string;
  /** Where a picture stands, below the texts. */
  readonly picture?: Placed;
  /** Text fields of a form: names and what was entered; boxes are true or false. */
  readonly fields?: Readonly<Record<string, string | boolean>>;
  readonly typed?: readonly TypedText[];
  /** Degrees by which the page is shown turned. */
  readonly rotate?: number;
}

export interface PdfFixture {
  /** How streams are stored; default: as they are. */
  readonly filters?: readonly 'FlateDecode'[];
  /** Entries of the trailer. */
  readonly trailer?: string;
  /** Entries of the catalogue. */
  readonly catalog?: string;
  /** Content streams that take the place of the pages' own. */
  readonly contents?: readonly Buffer[];
  /** The dictionary of the pages' font. */
  readonly font?: string;
  /** Attached files by name. */
  readonly attached?: Readonly<Record<string, string>>;
  /** Whether the layer /Off (`/OC /Off BDC … EMC`) is not shown; default: there are no layers. */
  readonly hasHiddenLayer?: boolean;
}

const inParentheses = (text: string): string => `(${text.replace(/[\\()]/g, '\\$&')})`;
const helvetica = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>';
const rectOf = ({ x, y, width, height }: Placed): string => `/Rect[${x} ${y} ${x + width} ${y + height}]`;

export function pdfOf(
  pages: readonly PageFixture[],
  {
    filters = [],
    trailer = '',
    catalog = '',
    contents = [],
    font: fontText = helvetica,
    attached = {},
    hasHiddenLayer = false,
  }: PdfFixture = {},
): Buffer {
  const objects: Buffer[] = [];
  const add = (...parts: (string | Buffer)[]): number => objects.push(Buffer.concat(parts.map((part) => Buffer.from(part))));
  add('');
  add('');
  const font = add(fontText);
  const layer = hasHiddenLayer ? add('<</Type/OCG/Name(Off)>>') : 0;
  const files = Object.entries(attached).map(([name, content]) => {
    const stream = add(`<</Type/EmbeddedFile/Length ${Buffer.byteLength(content)}>>\nstream\n${content}\nendstream`);
    const spec = add(`<</Type/Filespec/F${inParentheses(name)}/EF<</F ${stream} 0 R>>>>`);
    return `${inParentheses(name)} ${spec} 0 R`;
  });
  const picture = pages.some((page) => page.picture)
    ? add(
        '<</Type/XObject/Subtype/Image/Width 2/Height 2/BitsPerComponent 8/ColorSpace/DeviceGray/Length 4>>\nstream\n0000\nendstream',
      )
    : 0;
  const kids = pages.map((page, index) => {
    const { texts, before = '', fields = {}, typed = [], rotate = 0 } = page;
    const drawn = texts.map(
      ({ x, y, text, size = 12, style }) =>
        `${style ? `q ${style} ` : ''}BT /F ${size} Tf 1 0 0 1 ${x} ${y} Tm ${inParentheses(text)} Tj ET${style ? ' Q' : ''}\n`,
    );
    const placed = page.picture;
    const painted = placed ? `q ${placed.width} 0 0 ${placed.height} ${placed.x} ${placed.y} cm /Im Do Q\n` : '';
    let data = contents[index] ?? Buffer.from(`${before}\n${painted}${drawn.join('')}`, 'latin1');
    for (const _ of filters) data = deflateSync(data);
    const stream = add(
      `<</Length ${data.length}${filters.length > 0 ? `/Filter[${filters.map((name) => `/${name}`).join(' ')}]` : ''}>>\nstream\n`,
      data,
      '\nendstream',
    );
    const widgets = Object.entries(fields).map(([name, value]) =>
      add(
        typeof value === 'string'
          ? `<</Type/Annot/Subtype/Widget/FT/Tx/T${inParentheses(name)}/V${inParentheses(value)}/Rect[0 0 9 9]>>`
          : `<</Type/Annot/Subtype/Widget/FT/Btn/T${inParentheses(name)}/V/${value ? 'Yes' : 'Off'}/AS/${value ? 'Yes' : 'Off'}/AP<</N<</Yes ${font} 0 R/Off ${font} 0 R>>>>/Rect[0 0 9 9]>>`,
      ),
    );
    const notes = typed.map((each) =>
      add(`<</Type/Annot/Subtype/${each.kind}/F 4${rectOf(each)}/Contents${inParentheses(each.text)}/DA(/Helv 12 Tf 0 g)>>`),
    );
    const resources = `<</Font<</F ${font} 0 R>>${picture ? `/XObject<</Im ${picture} 0 R>>` : ''}${layer ? `/Properties<</Off ${layer} 0 R>>` : ''}${texts.some(({ style }) => style?.includes('/Clear')) ? '/ExtGState<</Clear<</ca 0>>>>' : ''}>>`;
    return add(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Rotate ${rotate}/Resources${resources}/Contents ${stream} 0 R/Annots[${references([...widgets, ...notes])}]>>`,
    );
  });
  const names = files.length > 0 ? `/Names<</EmbeddedFiles<</Names[${files.join(' ')}]>>>>` : '';
  const layers = layer ? `/OCProperties<</OCGs[${layer} 0 R]/D<</OFF[${layer} 0 R]>>>>` : '';
  objects[0] = Buffer.from(`<</Type/Catalog/Pages 2 0 R${catalog || '/AcroForm<</Fields[]>>'}${names}${layers}>>`);
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
