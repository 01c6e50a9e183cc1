/** Reads PDF files with pdf.js: the text of the chosen pages in reading order with its tables, and the values of form fields. */
import type { PDFDocumentProxy, PDFPageProxy } from 'unpdf/pdfjs';
import { type Warning, warning } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { collect, EventLoopYield } from '../core/byte-streams.ts';
import type { EngineBounds } from '../core/convert-types.ts';
import { type Block, type Inline, paragraph, plain } from '../core/document.ts';
import { fileTooLarge, throwIfCancelled } from '../core/failures.ts';
import type { DocumentScan, WholeReader } from '../core/reader.ts';
import type { ByteSource } from '../core/source.ts';
import { rangesOf } from './losses.ts';
import { blocksInReadingOrder, type TextRun } from './page-text.ts';
import { documentFault, parsedBy } from './parts.ts';
import { AsianMaps } from './pdf-cmaps.ts';
import { hasSpacedLetters, PageSight, type Sight } from './pdf-hidden.ts';
import { streamsWithin } from './pdf-streams.ts';
import { symbolOf } from './symbols.ts';

export const readPdf: WholeReader = async (source, { options, bounds, signal }): Promise<DocumentScan> =>
  withPdf(source, bounds, signal, (opened) =>
    new PdfReader(opened, new Set(options.include), bounds.maxFileBytes, signal).read(options.pages),
  );

/** The files that are attached to a PDF, or to a place on its pages. */
export const attachedFiles = (
  source: ByteSource,
  bounds: Pick<EngineBounds, 'maxFileBytes'>,
  signal?: AbortSignal,
): Promise<{ name: string; content: Uint8Array }[]> =>
  withPdf(source, bounds, signal, async ({ pdf }) => {
    const attached = await documentAttachments(pdf);
    for (let number = 1; number <= pdf.numPages; number += 1) {
      throwIfCancelled(signal);
      const page = await pdf.getPage(number);
      for (const { file } of await annotationsOf(page)) if (file) addAttachment(attached, file);
      page.cleanup();
    }
    return [...attached].map(([name, content]) => ({ name, content }));
  });

/** Names of files or fonts that a warning gives. */
const NAMES_SHOWN = 10;

interface OpenedPdf {
  readonly pdf: PDFDocumentProxy;
  readonly library: PdfJs;
  readonly maps: AsianMaps;
  readonly mayHideText: boolean;
}

async function withPdf<T>(
  source: ByteSource,
  { maxFileBytes }: Pick<EngineBounds, 'maxFileBytes'>,
  signal: AbortSignal | undefined,
  use: (opened: OpenedPdf) => Promise<T>,
): Promise<T> {
  if (source.size === 0) throw documentFault('pdf', say('document.empty'));
  const tooLarge = () => fileTooLarge(null, maxFileBytes, 'maxFileBytes');
  const data = await collect(source.read(signal), maxFileBytes * PICTURES, tooLarge);
  if (!hasPdfHeader(data))
    throw documentFault('pdf', say('document.damaged', { format: 'pdf' }), say('document.broken.hint', { format: 'pdf' }));
  const { mayHideText } = await streamsWithin(data, maxFileBytes * PICTURES, tooLarge, signal);
  return parsedBy('pdf', signal, async () => {
    const maps = new AsianMaps();
    loaded ??= load();
    const library = await loaded;
    const pdf = await open(data, library, maps);
    try {
      return await use({ pdf, library, maps, mayHideText });
    } finally {
      await pdf.loadingTask.destroy();
    }
  });
}

/** A PDF may be this many times larger than its text: most of it is pictures, which are not unpacked. */
const PICTURES = 10;

/** Readers accept other bytes before the header (ISO 32000-1, annex H.3.4.1). */
const hasPdfHeader = (data: Uint8Array): boolean =>
  Buffer.from(data.buffer, data.byteOffset, Math.min(data.length, 1024)).includes('%PDF-');

type PdfJs = typeof import('unpdf/pdfjs');
let loaded: Promise<PdfJs> | undefined;

async function open(data: Uint8Array, { getDocument, VerbosityLevel }: PdfJs, maps: AsianMaps): Promise<PDFDocumentProxy> {
  try {
    return await getDocument({
      data,
      verbosity: VerbosityLevel.ERRORS,
      isEvalSupported: false,
      disableFontFace: true,
      useSystemFonts: false,
      enableXfa: false,
      useWorkerFetch: false,
      // Pictures are not needed.
      maxImageSize: 1,
      CMapReaderFactory: class {
        fetch({ name }: { name: string }) {
          return maps.fetch(name);
        }
      },
    }).promise;
  } catch (error) {
    if ((error as Error).name !== 'PasswordException') throw error;
    throw documentFault('pdf', say('document.password'), say('document.password.hint'));
  }
}

/** The library prints a warning when it is loaded, but standard output may carry the protocol. */
async function load(): Promise<PdfJs> {
  const { log } = console;
  console.log = () => undefined;
  try {
    return await import('unpdf/pdfjs');
  } finally {
    console.log = log;
  }
}

/** Pages, and letters on them. */
interface Found {
  readonly pages: Set<number>;
  letters: number;
}

class PdfReader {
  private readonly opened: OpenedPdf;
  private readonly showsHidden: boolean;
  private readonly limit: number;
  private readonly signal: AbortSignal | undefined;
  private readonly empty: number[] = [];
  private readonly unseen: Found = { pages: new Set(), letters: 0 };
  private readonly scanned: Found = { pages: new Set(), letters: 0 };
  private readonly unmapped: Found = { pages: new Set(), letters: 0 };
  private attached = new Map<string, Uint8Array>();
  private isLayerShown: ((group: unknown) => boolean) | undefined;
  private length = 0;

  constructor(opened: OpenedPdf, include: ReadonlySet<string>, limit: number, signal: AbortSignal | undefined) {
    this.opened = opened;
    this.showsHidden = include.has('hidden');
    this.limit = limit;
    this.signal = signal;
  }

  async read(pages: string | undefined): Promise<DocumentScan> {
    const { pdf } = this.opened;
    const numbers = chosenPages(pages, pdf.numPages);
    this.attached = await documentAttachments(pdf);
    const layers = await pdf.getOptionalContentConfig();
    if ([...layers].some(([, { visible }]) => !visible)) this.isLayerShown = (group) => layers.isVisible(group as never);
    const blocks: Block[] = [];
    const eventLoop = new EventLoopYield();
    for (const number of numbers) {
      if (eventLoop.due) await eventLoop.pause();
      throwIfCancelled(this.signal);
      const page = await pdf.getPage(number);
      const own = await this.blocksOf(page, number);
      page.cleanup();
      if (own.length === 0) this.empty.push(number);
      else blocks.push({ kind: 'page', id: `page-${number}`, label: `Page ${number}`, title: [], blocks: own });
    }
    const entries = [...this.attached.keys()];
    const warnings = await this.warnings(blocks.length, numbers.length);
    return { document: { blocks, notes: [] }, warnings, ...(entries.length > 0 ? { entries } : {}) };
  }

  private async blocksOf(page: PDFPageProxy, number: number): Promise<Block[]> {
    const annotations = await annotationsOf(page);
    for (const { file } of annotations) if (file) addAttachment(this.attached, file);
    const runs = withTyped(await this.runsOf(page, number), typedOn(page, annotations));
    const fields = fieldsIn(annotations);
    return [...blocksInReadingOrder(runs), ...(fields.length > 0 ? [paragraph(...fields)] : [])];
  }

  private async runsOf(page: PDFPageProxy, number: number): Promise<TextRun[]> {
    const { items } = await page.getTextContent();
    const isSpaced = items.some((item) => 'str' in item && hasSpacedLetters(item.str));
    const sight = await this.sightOf(page, isSpaced);
    const { transform, height: pageHeight } = page.getViewport({ scale: 1 });
    const view = transform as unknown as Matrix;
    const runs: (TextRun & { isTiny: boolean })[] = [];
    let unseen = 0;
    for (const item of items) {
      if (!('str' in item)) continue;
      const own = item.transform as unknown as Matrix;
      const [a, b, c, d, x, y] = multiplied(view, own);
      const height = Math.hypot(c, d);
      let text = item.str;
      if (sight && text.trim() !== '') {
        const sights = sight.of(text, ...middleOf(own, item.width, item.height));
        if (sights?.includes('scanned')) note(this.scanned, number, sights.filter((each) => each === 'scanned').length);
        if (sights?.includes('unseen')) {
          const { shown, hidden } = seenIn(text, sights);
          unseen += hidden;
          if (!this.showsHidden) text = shown;
        } else text = sight.joined(text);
      }
      text = this.readable(text, number);
      this.length += text.length;
      if (this.length > this.limit) throw fileTooLarge(null, this.limit, 'maxFileBytes');
      // Text that does not run from left to right across the page keeps its place in the file.
      const level = Math.abs(b) <= Math.abs(a) * 0.1 && a > 0;
      const isTiny = height < Math.min(SMALLEST, pageHeight / 1000) && text.trim() !== '';
      runs.push({ text, x, y, width: item.width, height, level, endsLine: item.hasEOL, isTiny });
    }
    const tiny = runs.filter(({ isTiny }) => isTiny);
    // A font's own measures may be wrong: what fills a page is no hidden text.
    if (tiny.length > 0 && lettersIn(tiny) < lettersIn(runs) / 2) {
      unseen += lettersIn(tiny);
      if (!this.showsHidden) {
        if (unseen > 0) note(this.unseen, number, unseen);
        return runs.filter(({ isTiny }) => !isTiny);
      }
    }
    if (unseen > 0) note(this.unseen, number, unseen);
    return runs;
  }

  /** How the letters of a page are drawn; undefined where that is of no importance. */
  private async sightOf(page: PDFPageProxy, isSpaced: boolean): Promise<PageSight | undefined> {
    const { library, mayHideText } = this.opened;
    if (!mayHideText && !isSpaced && this.isLayerShown === undefined) return undefined;
    const operators = await page.getOperatorList({ annotationMode: library.AnnotationMode.DISABLE });
    const [left, top, right, bottom] = page.view as [number, number, number, number];
    return new PageSight(operators, [left, top, right, bottom], library, this.isLayerShown ?? (() => true));
  }

  /** Letters of symbol fonts by what they show; those that have no meaning are counted and become U+FFFD. */
  private readable(text: string, number: number): string {
    if (!UNREADABLE.test(text)) return text;
    let letters = 0;
    const shown = text.replace(EACH_UNREADABLE, (letter) => {
      const symbol = /[\uf000-\uf0ff]/.test(letter)
        ? symbolOf('Symbol', (letter.codePointAt(0) as number).toString(16))
        : '\ufffd';
      if (symbol === '\ufffd') letters += 1;
      return symbol;
    });
    if (letters > 0) note(this.unmapped, number, letters);
    return shown;
  }

  private async warnings(written: number, asked: number): Promise<Warning[]> {
    const { pdf, maps } = this.opened;
    const { info } = (await pdf.getMetadata().catch(() => ({ info: {} }))) as { info: { IsXFAPresent?: boolean } };
    const found: Warning[] = [];
    if (written === 0) found.push(warning('DOCUMENT_EMPTY', say('document.noTextInPages', { pages: asked })));
    else if (this.empty.length > 0)
      found.push(warning('PAGES_WITHOUT_TEXT', say('document.pagesWithoutText', rangesOf(this.empty))));
    if (info.IsXFAPresent === true) found.push(warning('DOCUMENT_XFA', say('document.xfa')));
    const counts: readonly [Found, string, 'document.unseen' | 'document.recognised' | 'document.unmapped'][] = [
      [this.unseen, 'DOCUMENT_HIDDEN', 'document.unseen'],
      [this.scanned, 'DOCUMENT_OCR', 'document.recognised'],
      [this.unmapped, 'DOCUMENT_FONTS', 'document.unmapped'],
    ];
    for (const [{ pages, letters }, code, message] of counts) {
      if (letters === 0) continue;
      found.push(warning(code, say(message, { characters: letters, ...rangesOf([...pages]), isShown: this.showsHidden })));
    }
    if (maps.missing.size > 0)
      found.push(warning('DOCUMENT_FONTS', say('document.fontMaps', { maps: [...maps.missing].slice(0, NAMES_SHOWN) })));
    const names = [...this.attached.keys()];
    if (names.length > 0) {
      const shown = names.slice(0, NAMES_SHOWN);
      found.push(
        warning('DOCUMENT_ATTACHMENTS', say('document.attachments', { names: shown, more: names.length - shown.length })),
      );
    }
    return found;
  }
}

/** Letters without meaning: controls, private use, and what the library itself could not read. */
const UNREADABLE = /(?![\t\n\r])\p{Cc}|\p{Co}|\ufffd/u;
const EACH_UNREADABLE = new RegExp(UNREADABLE, 'gu');
/** Smaller letters are not read by anybody. Points. */
const SMALLEST = 1;

function note(found: Found, page: number, letters: number): void {
  found.pages.add(page);
  found.letters += letters;
}

const lettersIn = (runs: readonly TextRun[]): number => runs.reduce((sum, { text }) => sum + text.replace(/\s/g, '').length, 0);

/** A text without the letters that are not seen. */
function seenIn(text: string, sights: readonly Sight[]): { shown: string; hidden: number } {
  let shown = '';
  let hidden = 0;
  for (const [at, sight] of sights.entries()) {
    if (sight === 'unseen') hidden += 1;
    else shown += text[at];
  }
  return { shown: shown.trim() === '' ? '' : shown.replace(/\s+/g, ' '), hidden };
}

/** The middle of a text, in the page's own coordinates. */
function middleOf([a, b, c, d, x, y]: Matrix, width: number, height: number): [number, number] {
  const along = width / 2 / (Math.hypot(a, b) || 1);
  const up = (height || Math.hypot(c, d)) / 4 / (Math.hypot(c, d) || 1);
  return [x + a * along + c * up, y + b * along + d * up];
}

type Matrix = readonly [number, number, number, number, number, number];

/** PDF's transformation matrices (ISO 32000-1, 8.3.4): `second` applied first. */
const multiplied = ([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix => [
  a * g + c * h,
  b * g + d * h,
  a * i + c * j,
  b * i + d * j,
  a * k + c * l + e,
  b * k + d * l + f,
];

// Annotations: form fields, text that a person put on the page, attached files.

interface Annotation {
  readonly subtype?: unknown;
  readonly rect?: readonly number[];
  readonly fieldName?: unknown;
  readonly fieldValue?: unknown;
  readonly exportValue?: unknown;
  readonly buttonValue?: unknown;
  readonly radioButton?: unknown;
  readonly checkBox?: unknown;
  readonly contentsObj?: { readonly str?: unknown };
  readonly textContent?: readonly string[];
  readonly defaultAppearanceData?: { readonly fontSize?: number };
  readonly file?: AttachedFile;
}

const annotationsOf = async (page: PDFPageProxy): Promise<readonly Annotation[]> => page.getAnnotations();

/** The values of the page's form fields, as `name: value`. */
function fieldsIn(annotations: readonly Annotation[]): Inline[] {
  const found = new Map<string, string>();
  for (const { fieldName, fieldValue, exportValue, radioButton, checkBox, buttonValue } of annotations) {
    if (typeof fieldName !== 'string' || (radioButton === true && buttonValue !== fieldValue)) continue;
    const value = Array.isArray(fieldValue) ? fieldValue.join(', ') : fieldValue;
    if (checkBox === true) found.set(fieldName, value === exportValue && value !== 'Off' ? '[x]' : '[ ]');
    else if (typeof value === 'string' && value !== '' && value !== 'Off') found.set(fieldName, value);
  }
  return [...found].flatMap(([name, value], index) => [
    ...(index === 0 ? [] : [{ kind: 'break' } as const]),
    plain(`${name}: ${value}`),
  ]);
}

/** Text boxes and stamps, whose text is no part of the page's own. */
function typedOn(page: PDFPageProxy, annotations: readonly Annotation[]): TextRun[] {
  return annotations.slice(0, MOST_TYPED).flatMap(({ subtype, rect, textContent, contentsObj, defaultAppearanceData }) => {
    if ((subtype !== 'FreeText' && subtype !== 'Stamp') || rect?.length !== 4) return [];
    const contents = typeof contentsObj?.str === 'string' ? contentsObj.str.split(/\r\n?|\n/) : [];
    const lines = (textContent ?? contents).map((line) => line.trim()).filter((line) => line !== '');
    const view = page.getViewport({ scale: 1 }).transform as unknown as Matrix;
    const corners = [
      multiplied(view, [1, 0, 0, 1, rect[0] as number, rect[1] as number]),
      multiplied(view, [1, 0, 0, 1, rect[2] as number, rect[3] as number]),
    ];
    const left = Math.min(...corners.map(([, , , , x]) => x));
    const [top = 0, bottom = 0] = corners.map(([, , , , , y]) => y).sort((a, b) => a - b);
    const space = (bottom - top) / Math.max(lines.length, 1);
    const height = Math.min(defaultAppearanceData?.fontSize || TYPED, space);
    const width = Math.max(...corners.map(([, , , , x]) => x)) - left;
    return lines.map((text, index) => ({
      text,
      x: left,
      // In the middle of its part of the box.
      y: top + space * (index + 0.5) + height * 0.35,
      width: Math.min(width, text.length * height * 0.5),
      height,
      level: true,
      endsLine: true,
    }));
  });
}

/** Annotations of a page that are looked at for text. */
const MOST_TYPED = 2000;
/** Size of text that a person typed, where the file does not say. */
const TYPED = 10;

/** Puts what was typed behind the text that stands before it in its line; else it is read as drawn last. */
function withTyped(runs: readonly TextRun[], typed: readonly TextRun[]): TextRun[] {
  const found = [...runs];
  for (const run of typed) {
    const at = found.findLastIndex(
      ({ x, y, width, height, text, level }) =>
        level &&
        text.trim() !== '' &&
        Math.abs(y - run.y) < 0.7 * Math.max(height, run.height) &&
        x + width <= run.x + run.height / 2,
    );
    const before = found[at];
    if (before === undefined) found.push(run);
    else found.splice(at, 1, { ...before, endsLine: false }, { ...run, y: before.y, endsLine: before.endsLine });
  }
  return found;
}

interface AttachedFile {
  readonly filename?: string;
  readonly content?: Uint8Array | null;
}

async function documentAttachments(pdf: PDFDocumentProxy): Promise<Map<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  const attached = (await pdf.getAttachments()) as Readonly<Record<string, AttachedFile>> | null;
  for (const file of Object.values(attached ?? {})) addAttachment(found, file);
  return found;
}

/** Files of the same name are counted: `data.xml`, `data.xml (2)`. */
function addAttachment(found: Map<string, Uint8Array>, { filename, content }: AttachedFile): void {
  if (!filename || !content) return;
  // The same file may be attached to the document and to a page.
  const same = found.get(filename);
  if (same && Buffer.compare(same, content) === 0) return;
  let name = filename;
  for (let number = 2; found.has(name); number += 1) name = `${filename} (${number})`;
  found.set(name, content);
}

/** Page numbers from 1, each once, in the order asked for; all of them if nothing is. Throws INVALID_REQUEST. */
function chosenPages(asked: string | undefined, count: number): number[] {
  if (asked === undefined) return Array.from({ length: count }, (_, index) => index + 1);
  const chosen = new Set<number>();
  for (const part of asked.split(',')) {
    const [, first, dash, last] = /^\s*(\d{0,9})\s*(?:([-–])\s*(\d{0,9}))?\s*$/.exec(part) ?? [];
    if (first === undefined || (first === '' && (last ?? '') === '')) throw misread(asked);
    const from = first === '' ? 1 : Number(first);
    const to = dash === undefined ? from : last ? Number(last) : count;
    if (from < 1 || (last && to < from)) throw misread(asked);
    if (from > count) throw beyond(asked, count);
    for (let number = from; number <= Math.min(to, count); number++) chosen.add(number);
  }
  return [...chosen];
}

const misread = (pages: string): AppError =>
  new AppError('INVALID_REQUEST', say('document.pagesMisread', { pages }), { hint: say('document.pagesMisread.hint', {}) });

const beyond = (pages: string, count: number): AppError =>
  new AppError('INVALID_REQUEST', say('document.pagesBeyond', { pages, count }), { hint: say('document.pagesMisread.hint', {}) });
