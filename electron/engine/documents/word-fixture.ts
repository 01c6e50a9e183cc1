/** Writes Word documents for tests part by part, as Word and LibreOffice lay them out. */
import { type ZipPart, zipOf } from '../input/zip-fixture.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export const paragraph = (text: string, style?: string): string =>
  `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

/** A paragraph in a list: number 1 has bullets, number 2 has numbers. */
export const item = (text: string, list: 1 | 2, level = 0): string =>
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;

export const table = (...rows: readonly (readonly string[])[]): string =>
  `<w:tbl>${rows
    .map(
      (cells) => `<w:tr>${cells.map((cell) => `<w:tc>${cell.startsWith('<') ? cell : paragraph(cell)}</w:tc>`).join('')}</w:tr>`,
    )
    .join('')}</w:tbl>`;

const styles = ['Title', 'heading 1', 'heading 2', 'heading 3']
  .map((name) => `<w:style w:type="paragraph" w:styleId="${name.replace(' ', '')}"><w:name w:val="${name}"/></w:style>`)
  .join('');

const level = (format: string, at: number): string =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/></w:lvl>`;
const numbering = ['bullet', 'decimal']
  .map(
    (format, i) => `<w:abstractNum w:abstractNumId="${i}">${[0, 1, 2].map((at) => level(format, at)).join('')}</w:abstractNum>`,
  )
  .join('');

export interface WordFixture {
  /** Content of the document's body, as XML. */
  readonly body: string;
  /** Footnotes from 1, as XML. */
  readonly notes?: readonly string[];
  /** Parts beside or instead of the usual ones. */
  readonly parts?: readonly ZipPart[];
  /** Link targets by relationship id. */
  readonly links?: Readonly<Record<string, string>>;
}

export function wordOf({ body, notes = [], parts = [], links = {} }: WordFixture): Buffer {
  const relation = (id: string, type: string, target: string, mode = '') =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"${mode}/>`;
  const usual: ZipPart[] = [
    {
      name: '[Content_Types].xml',
      content:
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="png" ContentType="image/png"/></Types>',
    },
    {
      name: '_rels/.rels',
      content: `<Relationships xmlns="${PACKAGE}">${relation('rId1', 'officeDocument', 'word/document.xml')}</Relationships>`,
    },
    {
      name: 'word/_rels/document.xml.rels',
      content: `<Relationships xmlns="${PACKAGE}">${relation('s', 'styles', 'styles.xml')}${relation('n', 'numbering', 'numbering.xml')}${relation('f', 'footnotes', 'footnotes.xml')}${relation('i', 'image', 'media/image1.png')}${Object.entries(
        links,
      )
        .map(([id, target]) => relation(id, 'hyperlink', target, ' TargetMode="External"'))
        .join('')}</Relationships>`,
    },
    { name: 'word/styles.xml', content: `<w:styles ${W}>${styles}</w:styles>` },
    {
      name: 'word/numbering.xml',
      content: `<w:numbering ${W}>${numbering}<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num></w:numbering>`,
    },
    {
      name: 'word/footnotes.xml',
      content: `<w:footnotes ${W}>${notes.map((note, i) => `<w:footnote w:id="${i + 1}">${note}</w:footnote>`).join('')}</w:footnotes>`,
    },
    { name: 'word/media/image1.png', content: Uint8Array.of(0x89, 0x50, 0x4e, 0x47) },
    { name: 'word/document.xml', content: `<w:document ${W} ${R}><w:body>${body}</w:body></w:document>` },
  ];
  const own = new Set(parts.map(({ name }) => name));
  return zipOf([...usual.filter(({ name }) => !own.has(name)), ...parts]);
}

/** An embedded picture with a description. */
export const picture = (description: string): string =>
  `<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:docPr id="1" name="p" descr="${description}"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:embed="i"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
