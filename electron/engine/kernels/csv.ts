/** CSV and TSV by kernel; whatever it does not take is read, or refused, by the reader in formats/csv.ts. */
import { readCsv as readCsvWithoutKernel, readDelimited, readTsv as readTsvWithoutKernel } from '../formats/csv.ts';
import { openTable } from '../formats/csv-opening.ts';
import type { FormatReader } from '../formats/reader.ts';
import { scanTable } from './csv-scan.ts';
import { kernelsRun } from './kernel.ts';

/** Comma-separated, or by `;`, `|` or tab where the first records say so. */
export const readCsv: FormatReader = async (text, context) => {
  if (!kernelsRun()) return readCsvWithoutKernel(text, context);
  const opening = await openTable(text, context.options, undefined, context.signal);
  return (await scanTable(text, context, opening, 'CSV')) ?? readDelimited(text, context, opening, 'CSV');
};

/** Tab-separated, with the same quoting as CSV. */
export const readTsv: FormatReader = async (text, context) => {
  if (!kernelsRun()) return readTsvWithoutKernel(text, context);
  const opening = await openTable(text, context.options, '\t', context.signal);
  return (await scanTable(text, context, opening, 'TSV')) ?? readDelimited(text, context, opening, 'TSV');
};
