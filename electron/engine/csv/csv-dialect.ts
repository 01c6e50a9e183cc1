/** Detects the delimiter of CSV text from its first records. */

import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { CsvRows, PLAIN } from './csv-rows.ts';

/** Candidates, in order of preference if nothing else decides. */
export const candidates = [',', ';', '|', '\t'];

const QUOTE = 0x22;
const SAMPLE_BYTES = 64 * 1024;
const SAMPLE_ROWS = 20;

/** The byte of a requested delimiter; INVALID_REQUEST if it cannot be a delimiter. */
export function delimiterByte(delimiter: string): number {
  const code = delimiter.charCodeAt(0);
  if (delimiter.length !== 1 || code > 0x7f || code === 0x22 || code === 0x0a || code === 0x0d)
    throw new AppError('INVALID_REQUEST', say('csv.delimiter', { delimiter: JSON.stringify(delimiter) }), {
      hint: say('csv.delimiter.hint'),
    });
  return code;
}

/**
 * The candidate that splits most of the first records into the same number of cells, more than one. On a tie, the one
 * that leaves fewer quotes inside unquoted cells wins, then the one with more cells: in `id;"last, first"` the comma
 * splits as regularly as the semicolon. Where even that decides nothing, any other wins over the comma, which numbers and words contain:
 * `Umsatz, EUR;Datum` over `1,50;2024`. `readAs`: the sample in the usual dialect, for each candidate. If no candidate qualifies, the file has one column and the comma is returned.
 */
export function fittingDelimiter(
  sample: Sample,
  among: readonly string[] = candidates,
  readAs: (delimiter: string) => Sample = () => sample,
): { delimiter: string } & Fit {
  let best = { delimiter: ',', fit: 0, cutQuotes: 0, width: 0 };
  for (const delimiter of among) {
    // Without the delimiter every record is one cell, which decides nothing.
    if (!sample.bytes.includes(delimiterByte(delimiter))) continue;
    const { bytes, whole } = readAs(delimiter);
    const found = { delimiter, ...fitOf(bytes, whole, delimiter) };
    const better = found.fit - best.fit || best.cutQuotes - found.cutQuotes || found.width - best.width;
    if (found.fit > 0 && (better > 0 || (better === 0 && best.delimiter === ','))) best = found;
  }
  return best;
}

/** The first bytes of a text, and whether they are the whole text. */
export interface Sample {
  readonly bytes: Uint8Array;
  readonly whole: boolean;
}

interface Fit {
  /** Share of the first records that have as many cells as the first one; 0 if that has one cell. */
  fit: number;
  /** Unquoted cells that contain a quote. */
  cutQuotes: number;
  /** Cells of the first record. */
  width: number;
}

function fitOf(sample: Uint8Array, whole: boolean, delimiter: string): Fit {
  const widths: number[] = [];
  let cutQuotes = 0;
  const rows = new CsvRows(delimiterByte(delimiter), 'CSV');
  try {
    rows.push(sample);
    if (whole) rows.end();
    while (widths.length < SAMPLE_ROWS && rows.next()) {
      widths.push(rows.count);
      for (let i = 0; i < rows.count; i++) {
        if (rows.kinds[i] === PLAIN && rows.bytes.subarray(rows.starts[i], rows.ends[i]).includes(QUOTE)) cutQuotes++;
      }
    }
    // A header may be longer than the sample.
    if (widths.length === 0) widths.push(rows.unfinishedFields);
  } catch {
    // Quotes do not fit this delimiter from here on. The records before may decide; the scan reports the error.
  }
  const width = widths[0] ?? 0;
  return { fit: width > 1 ? widths.filter((each) => each === width).length / widths.length : 0, cutQuotes, width };
}

/** The first bytes of the text, independent of its chunk boundaries. */
export async function readSample(chunks: AsyncIterable<Uint8Array>): Promise<Sample> {
  const sample = new Uint8Array(SAMPLE_BYTES);
  let length = 0;
  for await (const chunk of chunks) {
    const part = chunk.subarray(0, SAMPLE_BYTES - length);
    sample.set(part, length);
    length += part.length;
    if (part.length < chunk.length) return { bytes: sample, whole: false };
  }
  return { bytes: sample.subarray(0, length), whole: true };
}
