/** Tells the delimiter of CSV text from its first records. */

import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { CsvRows, PLAIN } from './csv-rows.ts';

/** In this order where nothing else tells. */
export const candidates = [',', ';', '|', '\t'];

const QUOTE = 0x22;
const SAMPLE_BYTES = 64 * 1024;
const SAMPLE_ROWS = 20;

/** The byte of a delimiter asked for; INVALID_REQUEST for one that cannot be one. */
export function delimiterByte(delimiter: string): number {
  const code = delimiter.charCodeAt(0);
  if (delimiter.length !== 1 || code > 0x7f || code === 0x22 || code === 0x0a || code === 0x0d)
    throw new AppError('INVALID_REQUEST', say('csv.delimiter', { delimiter: JSON.stringify(delimiter) }), {
      hint: say('csv.delimiter.hint'),
    });
  return code;
}

/**
 * The candidate that cuts most of the first records into the same number of cells, more than one. Of two that do so equally
 * well, the one that leaves no quote in the middle of a cell, then the one that gives more cells: `id;"last, first"` has
 * two commas' cells as regular as its own, and `id;last, first;city` fewer.
 * A file in which no candidate does so has one column, and a comma serves as well as any.
 */
export function fittingDelimiter({ bytes, whole }: Sample, among: readonly string[] = candidates): { delimiter: string } & Fit {
  let best = { delimiter: ',', fit: 0, cutQuotes: 0, width: 0 };
  for (const delimiter of among) {
    // Without it all records are of one cell, which says nothing.
    if (!bytes.includes(delimiterByte(delimiter))) continue;
    const found = { delimiter, ...fitOf(bytes, whole, delimiter) };
    const better = found.fit - best.fit || best.cutQuotes - found.cutQuotes || found.width - best.width;
    if (found.fit > 0 && better > 0) best = found;
  }
  return best;
}

/** The first bytes of a text, and whether they are all of it. */
export interface Sample {
  readonly bytes: Uint8Array;
  readonly whole: boolean;
}

interface Fit {
  /** Share of the first records that are as wide as the first one; 0 where that has one cell. */
  fit: number;
  /** Cells with a quote inside that were not written in quotes. */
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
    // Quotes do not fit this delimiter from here on; what came before may tell enough, and the scan reports the error.
  }
  const width = widths[0] ?? 0;
  return { fit: width > 1 ? widths.filter((each) => each === width).length / widths.length : 0, cutQuotes, width };
}

/** The first bytes of the text, always the same however it is chunked. */
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
