/** Writes presentations for tests part by part, as PowerPoint and LibreOffice lay them out. */
import { type ZipPart, zipOf } from '../input/zip-fixture.ts';

const namespaces =
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A paragraph of runs, given as XML or as text. */
export const line = (content: string, properties = ''): string =>
  `<a:p>${properties}${content.startsWith('<') ? content : `<a:r><a:t>${content}</a:t></a:r>`}</a:p>`;

/** A shape with text; `placeholder` is its type, '' for the usual one of a slide's content. */
export const shape = (lines: readonly string[], placeholder?: string): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:cNvSpPr/><p:nvPr>${
    placeholder === undefined ? '' : `<p:ph${placeholder === '' ? ' idx="1"' : ` type="${placeholder}"`}/>`
  }</p:nvPr></p:nvSpPr><p:txBody><a:bodyPr/>${lines.map((each) => (each.startsWith('<a:p>') ? each : line(each))).join('')}</p:txBody></p:sp>`;

export const frame = (uri: string, content: string): string =>
  `<p:graphicFrame><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/${uri}">${content}</a:graphicData></a:graphic></p:graphicFrame>`;

export const slideTable = (...rows: readonly (readonly string[])[]): string =>
  frame(
    'table',
    `<a:tbl>${rows.map((cells) => `<a:tr>${cells.map((cell) => `<a:tc><a:txBody>${line(cell)}</a:txBody></a:tc>`).join('')}</a:tr>`).join('')}</a:tbl>`,
  );

export interface SlideFixture {
  /** Shapes, as XML. */
  readonly shapes: string;
  readonly notes?: string;
  readonly hidden?: boolean;
  /** Shapes of a layout of its own. */
  readonly layout?: string;
  /** Attributes of the slide. */
  readonly attributes?: string;
  /** Addresses by relationship id. */
  readonly links?: Readonly<Record<string, string>>;
}

const relations = (list: readonly string[]): string => `<Relationships xmlns="${PACKAGE}">${list.join('')}</Relationships>`;
const tree = (shapes: string): string => `<p:cSld><p:spTree>${shapes}</p:spTree></p:cSld>`;

/** The slides are shown in the order given; their parts are named in the opposite one. */
export function presentationOf(slides: readonly SlideFixture[], parts: readonly ZipPart[] = []): Buffer {
  const partOf = (index: number) => `slide${slides.length - index}.xml`;
  const usual: ZipPart[] = [
    {
      name: 'ppt/presentation.xml',
      content: `<p:presentation ${namespaces}><p:sldIdLst>${slides.map((_, i) => `<p:sldId id="${256 + i}" r:id="rId${i}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    },
    {
      name: 'ppt/_rels/presentation.xml.rels',
      content: relations(
        slides.map((_, i) => `<Relationship Id="rId${i}" Type="${OFFICE}/slide" Target="slides/${partOf(i)}"/>`),
      ),
    },
    ...slides.flatMap(({ shapes, notes, hidden, layout, attributes = '', links = {} }, i): ZipPart[] => [
      {
        name: `ppt/slides/${partOf(i)}`,
        content: `<p:sld ${namespaces}${hidden ? ' show="0"' : ''}${attributes}>${tree(shapes)}</p:sld>`,
      },
      {
        name: `ppt/slides/_rels/${partOf(i)}.rels`,
        content: relations([
          ...Object.entries(links).map(
            ([id, target]) => `<Relationship Id="${id}" Type="${OFFICE}/hyperlink" Target="${target}" TargetMode="External"/>`,
          ),
          ...(notes === undefined
            ? []
            : [`<Relationship Id="n" Type="${OFFICE}/notesSlide" Target="../notesSlides/notes${i}.xml"/>`]),
          ...(layout === undefined
            ? []
            : [`<Relationship Id="l" Type="${OFFICE}/slideLayout" Target="../slideLayouts/layout${i}.xml"/>`]),
        ]),
      },
      ...(layout === undefined
        ? []
        : [{ name: `ppt/slideLayouts/layout${i}.xml`, content: `<p:sldLayout ${namespaces}>${tree(layout)}</p:sldLayout>` }]),
      ...(notes === undefined
        ? []
        : [{ name: `ppt/notesSlides/notes${i}.xml`, content: `<p:notes ${namespaces}>${tree(notes)}</p:notes>` }]),
    ]),
  ];
  const names = new Set(parts.map(({ name }) => name));
  return zipOf([...usual.filter(({ name }) => !names.has(name)), ...parts]);
}
