/** Reads CSV and TSV with the kernel; csv-reference.ts reads, or rejects, what the kernel does not accept. */

import type { FormatReader } from '../core/reader.ts';
import { kernelsRun } from '../kernel/kernel.ts';
import { readCsv as readCsvWithoutKernel, readDelimited, readTsv as readTsvWithoutKernel } from './csv-reference.ts';
import { scanTable } from './csv-scan.ts';
import { readTable, type TableReader } from './csv-table.ts';

/** Comma-separated, or separated by `;`, `|` or tab if the first records show that. */
export const readCsv: FormatReader = async (text, context) => {
  if (!kernelsRun()) return readCsvWithoutKernel(text, context);
  return readTable(text, context, undefined, 'CSV', read);
};

/** Tab-separated, with the same quoting as CSV. */
export const readTsv: FormatReader = async (text, context) => {
  if (!kernelsRun()) return readTsvWithoutKernel(text, context);
  return readTable(text, context, '\t', 'TSV', read);
};

const read: TableReader = async (text, context, opening, label) =>
  (await scanTable(text, context, opening, label)) ?? readDelimited(text, context, opening, label);
