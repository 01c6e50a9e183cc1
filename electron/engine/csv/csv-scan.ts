/** First pass of the CSV kernel over a text: column types, counts, warnings, and the exact length of the JSON. */

import type { FormatScan, ReaderContext, Utf8Source } from '../core/reader.ts';
import { bytesAfter } from '../input/input.ts';
import { pieces } from '../kernel/pieces.ts';
import { delimiterByte } from './csv-dialect.ts';
import { extraCellsOf } from './csv-extra.ts';
import { numberedColumns, uniqueNames } from './csv-header.ts';
import { MAX_ROW_BYTES, RowTooLong, TEXT_BYTES } from './csv-kernel.ts';
import type { Opening } from './csv-opening.ts';
import { checkColumns, firstRowTooLarge, headerOf } from './csv-reference.ts';
import { CsvRows } from './csv-rows.ts';
import { NotForKernel, TableScan } from './csv-table-scan.ts';
import { decideColumns } from './csv-types.ts';

/** The kernel refuses tables with more columns. */
const MAX_COLUMNS = 128 * 1024;

/** Undefined if the kernel cannot handle the text: csv-reference.ts then reads it or reports the error. */
export async function scanTable(
  text: Utf8Source,
  context: ReaderContext,
  opening: Opening,
  label: string,
): Promise<FormatScan | undefined> {
  const { signal, cut = false } = context;
  const { delimiter, from } = opening;
  const rows = new CsvRows(delimiterByte(delimiter), label, from);
  let scan: TableScan | undefined;
  try {
    const chunks = text.read(signal, { reuse: true });
    for await (const parts of pieces(from.offset === 0 ? chunks : bytesAfter(chunks, from.offset), TEXT_BYTES, signal)) {
      scan?.catchUp();
      for (const piece of parts) {
        // Awaits rarely happen.
        const waiting = scan?.push(piece);
        if (waiting) await waiting;
        if (scan) continue;
        // The kernel keeps text that it has not processed.
        rows.push(new Uint8Array(piece));
        if (!rows.next()) continue;
        const begun = beginScan(rows, text, context, opening, label);
        scan = begun.scan;
        await scan.push(begun.held);
      }
    }
    if (!scan) {
      if (!cut) rows.end();
      // The reference reader handles an empty text at no cost.
      if (!rows.next()) return undefined;
      const begun = beginScan(rows, text, context, opening, label);
      scan = begun.scan;
      await scan.push(begun.held);
    }
    scan.end();
    return scan.result(text);
  } catch (error) {
    if (error instanceof NotForKernel || error instanceof RowTooLong) return undefined;
    throw error;
  } finally {
    await scan?.release();
  }
}

/** The scan of all rows from the one at which `rows` stands, including the text that `rows` holds. */
function beginScan(
  rows: CsvRows,
  text: Utf8Source,
  context: ReaderContext,
  opening: Opening,
  label: string,
): { scan: TableScan; held: Uint8Array } {
  const { options, bounds, columnAdvice } = context;
  const keyed = options.header !== false;
  if (rows.rowBytes > bounds.maxFileBytes) throw firstRowTooLarge(rows.rowBytes, bounds.maxFileBytes);
  checkColumns(rows.count, bounds);
  if (rows.count > MAX_COLUMNS || rows.rowBytes > MAX_ROW_BYTES) throw new NotForKernel();
  const names = keyed ? uniqueNames(headerOf(rows)) : numberedColumns(rows.count);
  const decisions = decideColumns(names.names, options, columnAdvice);
  const extra = extraCellsOf(options, opening.trailing);
  const start = keyed
    ? { offset: rows.offset + rows.rowBytes, line: rows.nextLine, afterCr: rows.endedWithCr }
    : { offset: rows.offset, line: rows.line, afterCr: false };
  const scan = new TableScan({ context, opening, label, keyed, names, extra }, decisions, start, text.stored);
  return { scan, held: keyed ? rows.rest : rows.fromRow };
}
