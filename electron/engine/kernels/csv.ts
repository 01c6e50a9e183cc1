/** CSV and TSV by kernel; whatever it does not take is read, or refused, by the reader in formats/csv.ts. */
import { readCsv as readCsvWithoutKernel, readTsv as readTsvWithoutKernel } from '../formats/csv.ts';
import { detectDelimiter } from '../formats/csv-dialect.ts';
import type { FormatReader } from '../formats/reader.ts';
import { scanTable } from './csv-scan.ts';
import { kernelsRun } from './kernel.ts';

/** Comma-separated, or by `;`, `|` or tab where the first records say so. */
export const readCsv: FormatReader = async (text, context) => {
  if (!kernelsRun()) return readCsvWithoutKernel(text, context);
  const delimiter = context.options.delimiter ?? (await detectDelimiter(text, context.signal));
  const options = { ...context.options, delimiter };
  return (await scanTable(text, context, delimiter, 'CSV')) ?? readCsvWithoutKernel(text, { ...context, options });
};

/** Tab-separated, with the same quoting as CSV. */
export const readTsv: FormatReader = async (text, context) => {
  if (!kernelsRun()) return readTsvWithoutKernel(text, context);
  return (await scanTable(text, context, context.options.delimiter ?? '\t', 'TSV')) ?? readTsvWithoutKernel(text, context);
};
