/** Reads CSV and TSV with the kernel; csv-reference.ts reads, or rejects, what the kernel does not accept. */

import type { FormatReader, FormatScan, ReaderContext, Utf8Source } from '../core/reader.ts';
import { kernelsRun } from '../kernel/kernel.ts';
import { type Opening, openTable } from './csv-opening.ts';
import { withRaggedCount } from './csv-ragged.ts';
import { readCsv as readCsvWithoutKernel, readDelimited, readTsv as readTsvWithoutKernel } from './csv-reference.ts';
import { scanTable } from './csv-scan.ts';

/** Comma-separated, or separated by `;`, `|` or tab if the first records show that. */
export const readCsv: FormatReader = async (text, context) => {
  if (!kernelsRun()) return readCsvWithoutKernel(text, context);
  return read(text, context, await openTable(text, context.options, undefined, context.signal), 'CSV');
};

/** Tab-separated, with the same quoting as CSV. */
export const readTsv: FormatReader = async (text, context) => {
  if (!kernelsRun()) return readTsvWithoutKernel(text, context);
  return read(text, context, await openTable(text, context.options, '\t', context.signal), 'TSV');
};

async function read(text: Utf8Source, context: ReaderContext, opening: Opening, label: string): Promise<FormatScan> {
  try {
    return (await scanTable(text, context, opening, label)) ?? (await readDelimited(text, context, opening, label));
  } catch (error) {
    throw await withRaggedCount(error, text, context, opening, label);
  }
}
