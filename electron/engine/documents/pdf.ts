/** Reads PDF files with pdf.js: the text of the chosen pages in reading order, and the values of form fields. */

import { createInflate } from 'node:zlib';
import type { PDFDocumentProxy, PDFPageProxy } from 'unpdf/pdfjs';
import { type Warning, warning } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { collect, EventLoopYield } from '../core/byte-streams.ts';
import { fileTooLarge, throwIfCancelled } from '../core/failures.ts';
import type { DocumentText, WholeReader } from '../core/reader.ts';
import { formOf } from './forms.ts';
import { escaped } from './markup.ts';
import { type Line, linesInReadingOrder, type TextRun } from './page-text.ts';
import { documentFault, parsedBy } from './parts.ts';

export const readPdf: WholeReader = async (source, { options, bounds, signal }): Promise<DocumentText> => {
  if (source.size === 0) throw documentFault('pdf', say('document.empty'));
  const tooLarge = () => fileTooLarge(null, bounds.maxFileBytes, 'maxFileBytes');
  const data = await collect(source.read(signal), bounds.maxFileBytes * PICTURES, tooLarge);
  if (!hasPdfHeader(data))
    throw documentFault('pdf', say('document.damaged', { format: 'pdf' }), say('document.broken.hint', { format: 'pdf' }));
  await streamsWithin(data, bounds.maxFileBytes * PICTURES, tooLarge, signal);
  return parsedBy('pdf', signal, async () => {
    const pdf = await open(data);
    try {
      return await textOf(pdf, options.pages, formOf(options.as), { limit: bounds.maxFileBytes, tooLarge, signal });
    } finally {
      await pdf.loadingTask.destroy();
    }
  });
};

/** A PDF may be this many times larger than its text: most of it is pictures, which are not unpacked. */
const PICTURES = 10;

/** Readers accept other bytes before the header (ISO 32000-1, annex H.3.4.1). */
const hasPdfHeader = (data: Uint8Array): boolean =>
  Buffer.from(data.buffer, data.byteOffset, Math.min(data.length, 1024)).includes('%PDF-');

type PdfJs = typeof import('unpdf/pdfjs');
let library: Promise<PdfJs> | undefined;

async function open(data: Uint8Array): Promise<PDFDocumentProxy> {
  library ??= load();
  const { getDocument, VerbosityLevel } = await library;
  try {
    return await getDocument({
      data,
      verbosity: VerbosityLevel.ERRORS,
      isEvalSupported: false,
      disableFontFace: true,
      useSystemFonts: false,
      enableXfa: false,
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

interface ReadLimits {
  readonly limit: number;
  readonly tooLarge: () => AppError;
  readonly signal: AbortSignal | undefined;
}

async function textOf(
  pdf: PDFDocumentProxy,
  pages: string | undefined,
  form: ReturnType<typeof formOf>,
  { limit, tooLarge, signal }: ReadLimits,
): Promise<DocumentText> {
  const numbers = chosenPages(pages, pdf.numPages);
  const texts: string[] = [];
  const empty: number[] = [];
  const eventLoop = new EventLoopYield();
  let length = 0;
  for (const number of numbers) {
    if (eventLoop.due) await eventLoop.pause();
    throwIfCancelled(signal);
    const page = await pdf.getPage(number);
    const lines = [...(await linesOf(page)), ...(await fieldsOf(page))];
    page.cleanup();
    if (lines.length === 0) empty.push(number);
    else texts.push(writePage[form](number, lines));
    length += texts.at(-1)?.length ?? 0;
    if (length > limit) throw tooLarge();
  }
  const warnings: Warning[] = [];
  if (texts.length === 0) warnings.push(warning('DOCUMENT_EMPTY', say('document.noTextInPages', { pages: numbers.length })));
  else if (empty.length > 0) warnings.push(warning('PAGES_WITHOUT_TEXT', say('document.pagesWithoutText', rangesOf(empty))));
  return { text: texts.join(form === 'text' ? '\f' : '\n\n'), warnings };
}

const writePage: Readonly<Record<ReturnType<typeof formOf>, (number: number, lines: readonly Line[]) => string>> = {
  markdown: (number, lines) => `## Page ${number}\n\n${plainLines(lines)}`,
  text: (_, lines) => plainLines(lines),
  html: (number, lines) =>
    `<section id="page-${number}">${paragraphs(lines)
      .map((paragraph) => `<p>${paragraph.map(escaped).join('<br>')}</p>`)
      .join('')}</section>`,
};

const plainLines = (lines: readonly Line[]): string =>
  paragraphs(lines)
    .map((paragraph) => paragraph.join('\n'))
    .join('\n\n');

function paragraphs(lines: readonly Line[]): string[][] {
  const found: string[][] = [];
  for (const { text, startsParagraph } of lines) {
    if (startsParagraph || found.length === 0) found.push([text]);
    else found.at(-1)?.push(text);
  }
  return found;
}

async function linesOf(page: PDFPageProxy): Promise<Line[]> {
  const { items } = await page.getTextContent();
  const view = page.getViewport({ scale: 1 }).transform as unknown as Matrix;
  const runs: TextRun[] = [];
  for (const item of items) {
    if (!('str' in item)) continue;
    const [a, b, c, d, x, y] = multiplied(view, item.transform as unknown as Matrix);
    const height = Math.hypot(c, d);
    // Text that does not run from left to right across the page keeps its place in the file.
    const level = Math.abs(b) <= Math.abs(a) * 0.1 && a > 0;
    runs.push({ text: item.str, x, y, width: item.width, height, level, endsLine: item.hasEOL });
  }
  return linesInReadingOrder(runs);
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

/** The values of the page's form fields, as `name: value`. */
async function fieldsOf(page: PDFPageProxy): Promise<Line[]> {
  const annotations = (await page.getAnnotations()) as readonly {
    fieldName?: unknown;
    fieldValue?: unknown;
    exportValue?: unknown;
    buttonValue?: unknown;
    radioButton?: unknown;
  }[];
  const found = new Map<string, string>();
  for (const { fieldName, fieldValue, radioButton, buttonValue } of annotations) {
    if (typeof fieldName !== 'string' || (radioButton === true && buttonValue !== fieldValue)) continue;
    const value = Array.isArray(fieldValue) ? fieldValue.join(', ') : fieldValue;
    if (typeof value === 'string' && value !== '' && value !== 'Off') found.set(fieldName, value);
  }
  return [...found].map(([name, value], index) => ({ text: `${name}: ${value}`, startsParagraph: index === 0 }));
}

/** `2, 5–7, 9, …`: the first of the ranges, as text. */
function rangesOf(numbers: readonly number[]): { pages: number; ranges: string } {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  const shown = ranges.slice(0, MOST_RANGES).map(([from, to]) => (from === to ? String(from) : `${from}-${to}`));
  return { pages: numbers.length, ranges: shown.join(', ') + (ranges.length > MOST_RANGES ? ', …' : '') };
}

const MOST_RANGES = 10;

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

// Bounds the size of a PDF file's compressed streams before a library unpacks them in memory.

const KEYWORD = Buffer.from('stream');
/** Streams may be compressed several times over. */
const MOST_LAYERS = 3;
/** All streams together may have this many times as many bytes as one. */
const ALL_STREAMS = 10;

/** Throws what `tooLarge` returns if a deflated stream has more than `limit` bytes, or all of them ten times as many. */
async function streamsWithin(data: Uint8Array, limit: number, tooLarge: () => Error, signal?: AbortSignal): Promise<void> {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
  let left = limit * ALL_STREAMS;
  for (let at = bytes.indexOf(KEYWORD); at >= 0; at = bytes.indexOf(KEYWORD, at)) {
    throwIfCancelled(signal);
    at += KEYWORD.length;
    if (bytes[at] === 0x0d) at += 1;
    if (bytes[at] === 0x0a) at += 1;
    if (!isZlib(bytes, at)) continue;
    const { unpacked, packed } = await sizes(bytes.subarray(at), limit, 1);
    left -= unpacked;
    if (unpacked > limit || left < 0) throw tooLarge();
    at += packed;
  }
}

/** A zlib header (RFC 1950): deflate, a window of up to 32 KB, and a check that fits. */
function isZlib(bytes: Buffer, at: number): boolean {
  const method = bytes[at] ?? 0;
  return (method & 0x0f) === 8 && method >> 4 <= 7 && (method * 256 + (bytes[at + 1] ?? 0)) % 31 === 0;
}

/** How many bytes a stream takes and gives; stops soon after it gives more than `limit`. */
function sizes(stream: Buffer, limit: number, layer: number): Promise<{ unpacked: number; packed: number }> {
  return new Promise((resolve) => {
    const inflate = createInflate();
    let unpacked = 0;
    let inner: Buffer[] | undefined;
    const done = () => {
      const packed = Math.max(inflate.bytesWritten, 1);
      const end = (more: number) => resolve({ unpacked: unpacked + more, packed });
      if (inner === undefined || unpacked > limit || layer === MOST_LAYERS) end(0);
      else void sizes(Buffer.concat(inner), limit - unpacked, layer + 1).then((more) => end(more.unpacked));
    };
    inflate.on('data', (chunk: Buffer) => {
      if (unpacked === 0 && isZlib(chunk, 0)) inner = [];
      unpacked += chunk.length;
      inner?.push(chunk);
      if (unpacked > limit) inflate.destroy();
    });
    inflate.on('close', done);
    // Data after the stream or a damaged stream ends inflating; the library reports real damage.
    inflate.on('error', () => undefined);
    inflate.end(stream);
  });
}
