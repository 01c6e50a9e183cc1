/**
 * Reads CSV and TSV: finds the table's dialect, place and values, then scans it with the kernel. csv-reference.ts reads, or rejects, what the
 * kernel does not accept.
 */

import { AppError } from '../../../shared/model/errors.ts';
import { bytesAfter, pieces } from '../core/byte-streams.ts';
import type { FormatReader, FormatScan, ReaderContext, Utf8Source } from '../core/reader.ts';
import { kernelsRun } from '../kernel/kernel.ts';
import { decideColumns, numberedColumns, uniqueNames } from './csv-columns.ts';
import { delimiterByte, readSample, settleSyntax } from './csv-dialect.ts';
import { MAX_ROW_BYTES, RowTooLong, TEXT_BYTES } from './csv-kernel.ts';
import { type Opening, openTable, textBefore } from './csv-opening.ts';
import { checkColumns, firstRowTooLarge, headerOf, isRefused, raggedFailure, readDelimited } from './csv-reference.ts';
import { CsvRows, extraCellsOf } from './csv-rows.ts';
import { NotForKernel, TableScan } from './csv-table-scan.ts';
import { settleValues } from './csv-values.ts';

/** Comma-separated, or separated by `;`, `|` or tab if the first records show that. */
export const readCsv: FormatReader = (text, context) => readTable(text, context, undefined, 'CSV', tableReader());

/** Tab-separated, with the same quoting as CSV. */
export const readTsv: FormatReader = (text, context) => readTable(text, context, '\t', 'TSV', tableReader());

const tableReader = (): TableReader => (kernelsRun() ? readWithKernel : readDelimited);

const readWithKernel: TableReader = async (text, context, opening, label) =>
  (await scanTable(text, context, opening, label)) ?? readDelimited(text, context, opening, label);

type TableReader = (text: Utf8Source, context: ReaderContext, opening: Opening, label: string) => Promise<FormatScan>;

/** Reads a table with a reader of the usual dialect. `usual`: the delimiter of the format, if it has one. */
export async function readTable(
  text: Utf8Source,
  context: ReaderContext,
  usual: string | undefined,
  label: string,
  read: TableReader,
): Promise<FormatScan> {
  const { options, signal } = context;
  const settled = await settleSyntax(text, options, usual, signal);
  const asked = settled.delimiter === undefined ? options : { ...options, delimiter: settled.delimiter };
  const { sample = await readSample(settled.text.read(signal)) } = settled;
  const found = await openTable(settled.text, asked, usual, signal, { ...sample, isCut: context.cut === true });
  const table = found.to === undefined ? settled.text : textBefore(settled.text, found.to);
  const values = await settleValues(table, context, found, label);
  const opening = { ...found, warnings: [...settled.warnings, ...found.warnings, ...values.warnings] };
  try {
    return await read(values.text, context, opening, label);
  } catch (error) {
    throw await withRaggedCount(error, values.text, context, opening, label);
  }
}

/** Text searched for such rows after the first. */
const COUNTED_BYTES = 64 * 1024 * 1024;
/** Lines that are listed. */
const LISTED = 5;

/** The error for the first row with extra cells, with their number and lines added. Other errors are returned unchanged. */
async function withRaggedCount(
  error: unknown,
  text: Utf8Source,
  { options, signal }: ReaderContext,
  { delimiter, from, trailing }: Opening,
  label: string,
): Promise<unknown> {
  if (!(error instanceof AppError) || error.details?.ragged !== true) return error;
  const rows = new CsvRows(delimiterByte(delimiter), label, from);
  const extra = extraCellsOf(options, trailing);
  const lines: number[] = [];
  let width: number | undefined;
  let count = 0;
  let cells = 0;
  let read = 0;
  const countRows = (): void => {
    while (rows.next()) {
      width ??= rows.count;
      if (rows.count <= width || !isRefused(rows, width, extra)) continue;
      if (count++ === 0) cells = rows.count;
      if (lines.length < LISTED) lines.push(rows.line);
    }
  };
  try {
    for await (const chunk of bytesAfter(text.read(signal), from.offset)) {
      read += chunk.length;
      if (read > COUNTED_BYTES) break;
      rows.push(chunk);
      countRows();
    }
    if (read <= COUNTED_BYTES) rows.end();
    countRows();
  } catch {
    // The rows after an open quote cannot be counted.
    return error;
  }
  if (width === undefined || count < 2) return error;
  return raggedFailure(label, cells, width, { rows: count, lines, more: read > COUNTED_BYTES });
}

/** The kernel refuses tables with more columns. */
const MAX_COLUMNS = 128 * 1024;

/**
 * The kernel's first pass: column types, counts, warnings and the exact length of the JSON. Undefined if the kernel cannot handle
 * the text: csv-reference.ts then reads it or reports the error.
 */
async function scanTable(
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
