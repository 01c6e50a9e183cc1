/** Compares the conversion of a CSV text with papaparse's. */
import { isDeepStrictEqual } from 'node:util';
import Papa from 'papaparse';
import { AppError } from '../../../shared/model/errors.ts';
import { parsedOf } from '../fixtures/conversion-fixture.ts';

/** Alphabet of random CSV texts. */
export const papaparseLetters = ['a', 'b', ',', '"', '\n', ' '] as const;

/**
 * `equal`, `refused` where both find a quote misplaced, `unclear` where papaparse contradicts itself, or what differs. On text that no
 * writer made, the two disagree in these ways only, each of them argued:
 * 1. text after a closing quote: papaparse goes on as if the quote had been doubled and reports it aside; here it is an
 *    error, since nobody can know where the cell was meant to end;
 * 2. an unclosed quote: papaparse gives the rest of the file as one cell and reports it aside; here it is an error;
 * 3. blanks after a closing quote: papaparse drops spaces there, but not at the end of the file, and no tabs; here all
 *    of them are dropped;
 * 4. lines of mixed kinds: papaparse settles on one line end for the file; here each line ends as it ends;
 * 5. lines of blanks: papaparse gives them as a cell; here they are no records;
 * 6. blanks before an opening quote: papaparse takes the quote for text; here they are dropped, with a warning, where every row fits.
 */
export async function besidePapaparse(file: string): Promise<string> {
  if (/" +$/.test(file)) return 'unclear';
  const theirs = Papa.parse<string[]>(file, { delimiter: ',', newline: '\n', skipEmptyLines: false });
  const ours = await parsedOf('a.csv', file, { header: false, types: 'string', delimiter: ',', ragged: 'keep' }).catch(refusal);
  if (theirs.errors.some(({ type }) => type === 'Quotes')) {
    if (typeof ours === 'string' && ours.includes('quote')) return 'refused';
    return blankBeforeQuote.test(file) ? 'unclear' : `${JSON.stringify(file)} was not refused`;
  }
  const rows = theirs.data.filter((row, i) => row.length > 1 || row[0]?.trim() !== '' || isQuotedBlank(file, theirs.data, i));
  const width = rows[0]?.length ?? 0;
  const padded = rows.map((row) => [...row, ...Array(Math.max(0, width - row.length)).fill(null)]);
  if (isDeepStrictEqual(ours, padded)) return 'equal';
  return blankBeforeQuote.test(file)
    ? 'unclear'
    : `${JSON.stringify(file)}: ${JSON.stringify(ours)}, not ${JSON.stringify(padded)}`;
}

const blankBeforeQuote = /(^|[,\n]) +"/;

function refusal(error: unknown): string {
  if (error instanceof AppError) return error.message;
  throw error;
}

/** Whether row `i`, one cell without text, is quoted in the file: papaparse does not distinguish that from a blank line. */
function isQuotedBlank(file: string, rows: readonly string[][], i: number): boolean {
  const text = Papa.parse<string[]>(file, { delimiter: ',', newline: '\n', preview: i + 1 });
  const end = text.meta.cursor;
  const start = i === 0 ? 0 : Papa.parse<string[]>(file, { delimiter: ',', newline: '\n', preview: i }).meta.cursor;
  return rows[i]?.length === 1 && file.slice(start, end).includes('"');
}
