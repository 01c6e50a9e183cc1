/** Formats that are not read as a stream of text: workbooks and documents, each with its own reader. */

import { AppError } from '../../../shared/model/errors.ts';
import { isArchive, isDocument, type OpenedFormat } from '../../../shared/model/formats.ts';
import { say } from '../../../shared/model/messages/message.ts';
import type { ConvertRequest } from '../core/convert-types.ts';
import type { WholeReader } from '../core/reader.ts';
import { archiveList, openArchive } from '../documents/archive.ts';
import { detectFormat } from '../input/detect.ts';

/** An archive as the list of its files. */
const readArchive: WholeReader = async (source, { options, bounds, signal }) => {
  const { format, compression } = detectFormat(source.name, options.format);
  if (!isArchive(format)) throw new TypeError(`${format} is no archive`);
  const { files } = await openArchive(source, { format, compression }, bounds, signal);
  return archiveList(files);
};

/** Loads each reader on first use. */
export const wholeFormats = {
  xlsx: async () => (await import('../tables/sheet-reader.ts')).readXlsx,
  ods: async () => (await import('../tables/sheet-reader.ts')).readOds,
  pptx: async () => (await import('../documents/presentation.ts')).readPresentation,
  odt: async () => (await import('../documents/open-document.ts')).readOpenDocument,
  pdf: async () => (await import('../documents/pdf.ts')).readPdf,
  parquet: async () => (await import('../tables/parquet.ts')).readParquet,
  sqlite: async () => (await import('../tables/sqlite.ts')).readSqlite,
  zip: async () => readArchive,
  tar: async () => readArchive,
  docx: async () => (await import('../documents/word.ts')).readWord,
} as const satisfies Record<OpenedFormat, () => Promise<WholeReader>>;

/** Throws INVALID_REQUEST for what such a file never becomes: records of a document, text of a table, anything compressed. */
export function refuseUnfit(format: OpenedFormat, { as }: ConvertRequest, isCompressed: boolean): void {
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
  if (as === 'json' || as === 'csv') {
    throw new AppError('INVALID_REQUEST', say('document.noRecords'), { hint: say('document.noRecords.hint', {}) });
  }
}
