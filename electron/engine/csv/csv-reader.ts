/** Reads CSV and TSV with the kernel; csv-reference.ts reads, or rejects, what the kernel does not accept. */

import type { FormatReader } from '../core/reader.ts';
import { kernelsRun } from '../kernel/kernel.ts';
import { openTable } from './csv-opening.ts';
import { readCsv as readCsvWithoutKernel, readDelimited, readTsv as readTsvWithoutKernel } from './csv-reference.ts';
import { scanTable } from './csv-scan.ts';

/** Comma-separated, or separated by `;`, `|` or tab if the first records show that. */
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
