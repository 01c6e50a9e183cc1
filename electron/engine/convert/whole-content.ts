/** The content of a file that is not read as a stream of text: of a workbook, a document or an archive, each with its own reader. */

import { type Outline, warning } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { isArchive, isDocument, type OpenedFormat, optionsOfTables } from '../../../shared/model/formats.ts';
import { say } from '../../../shared/model/messages/message.ts';
import type { ConvertRequest } from '../core/convert-types.ts';
import type { DocumentScan, FormatScan, Utf8Source, WholeReader } from '../core/reader.ts';
import type { ByteSource } from '../core/source.ts';
import { archiveList, openArchive } from '../documents/archive.ts';
import { detectFormat } from '../input/detect.ts';
import { readStored, type ScanProgress } from '../input/input.ts';
import { columnAdvice } from '../schema/schema-advice.ts';
import { type Content, isHashed, readers, sizeBound } from './text-content.ts';

/** An archive as the list of its files. */
const readArchive: WholeReader = async (source, { options, bounds, signal }) => {
  const { format, compression } = detectFormat(source.name, options.format);
  if (!isArchive(format)) throw new TypeError(`${format} is no archive`);
  const { files } = await openArchive(source, { format, compression }, bounds, signal);
  return archiveList(files);
};

/** Loads each reader on first use. */
const wholeFormats = {
  xlsx: async () => (await import('../tables/sheet-reader.ts')).readXlsx,
  ods: async () => (await import('../tables/sheet-reader.ts')).readOds,
  pptx: async () => (await import('../documents/presentation.ts')).readPresentation,
  odt: async () => (await import('../documents/open-document.ts')).readOpenDocument,
  pdf: async () => (await import('../documents/pdf.ts')).readPdf,
  parquet: async () => (await import('../tables/parquet.ts')).readParquet,
  sqlite: async () => (await import('../tables/sqlite.ts')).readSqlite,
  zip: async () => readArchive,
  tar: async () => readArchive,
  html: async () => (await import('../documents/html.ts')).readHtml,
  eml: async () => (await import('../documents/mail.ts')).readMail,
  mbox: async () => (await import('../documents/mail.ts')).readMailbox,
  docx: async () => (await import('../documents/word.ts')).readWord,
  ipynb: async () => (await import('../documents/notebook.ts')).readNotebook,
} as const satisfies Record<WholeFormat, () => Promise<WholeReader>>;

/** A notebook is a value, JSON, unless its text is asked for. */
export type WholeFormat = OpenedFormat | 'ipynb';

/**
 * A file that is read out of order, or by a library; before that it is read whole for its hash. Null for a `head`: the
 * directory of most such files is at their end.
 */
export async function wholeContent(
  format: WholeFormat,
  source: ByteSource,
  request: ConvertRequest,
  progress: ScanProgress,
): Promise<Content> {
  const { bounds, place, signal } = request;
  refuseUnfit(format, request, detectFormat(source.name, request.format).compression !== null);
  const read = await wholeFormats[format]();
  const wanted = { bound: sizeBound(request, null), progress, signal, hashed: isHashed(request) };
  const stored = await readStored(source, wanted, async (chunks) => {
    for await (const _ of chunks);
  });
  const found = await read(source, {
    options: request,
    bounds,
    columnAdvice: place && columnAdvice(place.inputSchema, place.segments),
    signal,
  });
  const { value, heldBytes, outline } =
    'document' in found
      ? await documentValue(found, format === 'ipynb' ? { ...request, as: 'auto' } : request)
      : { value: found, heldBytes: 0, outline: undefined };
  return {
    value,
    measured: value.measured,
    seekable: () => false,
    close: () => undefined,
    heldBytes: () => heldBytes,
    report: {
      format: format === 'ipynb' ? 'json' : format,
      compression: null,
      encoding: null,
      delimiter: null,
      columns: value.columns,
      sheets: 'sheets' in found ? found.sheets : undefined,
      entries: 'entries' in found ? found.entries : undefined,
      outline,
      warnings: [...value.warnings],
      inputBytes: stored.bytes,
      sha256: stored.sha256,
    },
  };
}

/** A document as a string, or as the records of the table that is asked for, typed as those of a CSV file. */
async function documentValue(
  { document, html, warnings: read }: DocumentScan,
  request: ConvertRequest,
): Promise<{ value: FormatScan; heldBytes: number; outline: Outline }> {
  const { table, as, bounds, signal } = request;
  const found = [...read];
  const { documentText, mergedWarnings, tableAsCsv, tableList, tableOf } = await import('../documents/forms.ts');
  const only = table === undefined ? undefined : tableOf(document, table);
  const isText = only === undefined || as === 'html' || as === 'text';
  const shown = only === undefined ? document : { blocks: [only], notes: [] };
  const own = as === 'html' && only === undefined ? html : undefined;
  const text =
    own !== undefined
      ? { text: own, warnings: [], pages: [] }
      : isText
        ? documentText(shown, as, bounds)
        : { text: tableAsCsv(only, bounds), warnings: mergedWarnings([only], true), pages: [] };
  const bytes = Buffer.from(text.text);
  const held: Utf8Source = {
    async *read() {
      yield new Uint8Array(bytes);
    },
  };
  const { encoding: _, ...options } = request;
  const value = isText
    ? await (await readers.text())(held, { options, bounds, signal })
    : await (await readers.csv())(held, {
        options: { ...options, delimiter: ',' },
        bounds,
        columnAdvice: request.place && columnAdvice(request.place.inputSchema, request.place.segments),
        signal,
      });
  if (html !== undefined && own === undefined && only === undefined && as !== 'text' && request.place !== undefined)
    found.push(warning('PAGE_AS_MARKDOWN', say('document.pageAsMarkdown')));
  // That the text is empty is said of the document.
  const warnings = [...found, ...text.warnings, ...value.warnings.filter(({ code }) => code !== 'EMPTY_FILE')];
  if (text.text === '' && !warnings.some(({ code }) => code === 'DOCUMENT_EMPTY'))
    warnings.push(warning('DOCUMENT_EMPTY', say('document.noText')));
  return { value: { ...value, warnings }, heldBytes: bytes.length, outline: { pages: text.pages, tables: tableList(document) } };
}

/** Throws INVALID_REQUEST for what such a file never becomes: records of a document, text of a table, anything compressed. */
function refuseUnfit(format: WholeFormat, request: ConvertRequest, isCompressed: boolean): void {
  const { as } = request;
  if (format === 'ipynb') return;
  if (isArchive(format)) {
    if (as === 'text' || as === 'html') {
      throw new AppError('INVALID_REQUEST', say('archive.noText'), { hint: say('archive.noText.hint', {}) });
    }
    if (format === 'zip' && isCompressed)
      throw new AppError('INVALID_REQUEST', say('document.compressed'), { hint: say('document.compressed.hint') });
    return;
  }
  if (!isDocument(format)) {
    if (isCompressed)
      throw new AppError('INVALID_REQUEST', say('workbook.compressed'), { hint: say('workbook.compressed.hint') });
    if (as === 'text' || as === 'html') {
      throw new AppError('INVALID_REQUEST', say('workbook.noText'), { hint: say('workbook.noText.hint', {}) });
    }
    return;
  }
  if (isCompressed) throw new AppError('INVALID_REQUEST', say('document.compressed'), { hint: say('document.compressed.hint') });
  if (request.table === undefined && (as === 'json' || as === 'csv')) {
    throw new AppError('INVALID_REQUEST', say('document.noRecords'), { hint: say('document.noRecords.hint', {}) });
  }
  const needsTable = optionsOfTables.find((name) => request[name] !== undefined);
  if (request.table === undefined && needsTable !== undefined) {
    throw new AppError('INVALID_REQUEST', say('document.needsTable', { option: needsTable }), {
      hint: say('document.needsTable.hint', {}),
    });
  }
}
