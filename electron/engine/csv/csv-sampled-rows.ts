/** Rows of the beginning of a CSV text, and what is looked for in them. */
import type { Checkpoint } from '../core/payload.ts';
import { delimiterByte, type Sample } from './csv-dialect.ts';
import { CsvRows } from './csv-rows.ts';

/** Rows that confirm a header. */
export const JUDGED_ROWS = 80;
/** First character of data that a header does not start with: a digit, a sign, a decimal point. */
export const DATA_START = /^[-+.,]?\d/;
export const COMMENT = /^(#|\/\/|%)/;
/** Characters of a skipped line that a warning shows. */
export const TITLE_CHARACTERS = 40;

export interface SampledRow extends Checkpoint {
  /** The line after it. */
  readonly nextLine: number;
  readonly cells: readonly string[];
}

export function sampledRows({ bytes, whole }: Sample, from: Checkpoint, delimiter: string, most = JUDGED_ROWS): SampledRow[] {
  const found: SampledRow[] = [];
  const rows = new CsvRows(delimiterByte(delimiter), 'CSV', from);
  try {
    rows.push(bytes.subarray(from.offset));
    if (whole) rows.end();
    while (found.length < most && rows.next()) {
      const cells = Array.from({ length: rows.count }, (_, i) => rows.text(i));
      found.push({ offset: rows.offset, line: rows.line, nextLine: rows.nextLine, cells });
    }
  } catch {
    // Quotes do not fit this delimiter from here on.
  }
  return found;
}
