/** Errors for rows with more cells than there are columns. */
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { parseFailure } from '../core/failures.ts';
import type { ReaderContext, Utf8Source } from '../core/reader.ts';
import { bytesAfter } from '../input/input.ts';
import { delimiterByte } from './csv-dialect.ts';
import { type ExtraCells, extraCellsOf } from './csv-extra.ts';
import type { Opening } from './csv-opening.ts';
import { CsvRows, PLAIN } from './csv-rows.ts';

/** Text searched for such rows after the first. */
const COUNTED_BYTES = 64 * 1024 * 1024;
/** Lines that are listed. */
const LISTED = 5;

/** `more`: the file may have more of them. */
interface RaggedCount {
  readonly rows: number;
  readonly lines: readonly number[];
  readonly more?: boolean;
}

/** Whether a row with extra cells is an error. */
export function isRefused({ count, starts, ends, kinds }: CsvRows, width: number, extra: ExtraCells): boolean {
  if (extra === 'emptyCut') return count > width + 1 || starts[width] !== ends[width] || kinds[width] !== PLAIN;
  return extra === 'refused';
}

export function raggedFailure(label: string, cells: number, columns: number, { rows, lines, more }: RaggedCount): AppError {
  return parseFailure(
    label,
    say('csv.ragged', { cells, columns }),
    { line: lines[0] ?? 0, column: columns + 1 },
    { hint: say('csv.ragged.hint', { rows, lines, more }), details: { ragged: true, rows } },
  );
}

/** The error for the first row with extra cells, with their number and lines added. Other errors are returned unchanged. */
export async function withRaggedCount(
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
