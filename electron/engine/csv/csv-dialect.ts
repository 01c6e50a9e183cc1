/** Finds how CSV text is written: its delimiter by the first records; quotes, escapes, comments and blanks by options or by clear evidence. */
import { type ConversionOptions, type Warning, warning } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import type { Utf8Source } from '../core/reader.ts';
import { type Cell, parseRow, rewritten, type Syntax, usualSyntax, writtenRow } from './csv-rewrite.ts';
import { CsvRows, PLAIN } from './csv-rows.ts';

/** Candidates, in order of preference if nothing else decides. */
export const candidates = [',', ';', '|', '\t'];

const QUOTE = 0x22;
const SAMPLE_BYTES = 64 * 1024;
const SAMPLE_ROWS = 20;

/** Excel's first line, which names the delimiter. */
export const SEPARATOR_LINE = /^"?sep=([^"\r\n])"?(\r\n|\r|\n|$)/i;

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

// Quotes, escapes, comments, blanks.

interface SettledText {
  readonly text: Utf8Source;
  /** Settled by the syntax; undefined if the opening decides. */
  readonly delimiter: string | undefined;
  /** The beginning of the text, if it is not rewritten. */
  readonly sample?: Sample;
  readonly warnings: readonly Warning[];
}

/** The text in the dialect that the readers know. */
export async function settleSyntax(
  text: Utf8Source,
  options: ConversionOptions,
  usual: string | undefined,
  signal?: AbortSignal,
): Promise<SettledText> {
  const asked = askedSyntax(options);
  const sample = await readSample(text.read(signal));
  const raw = Buffer.from(sample.bytes.buffer, sample.bytes.byteOffset, sample.bytes.byteLength).toString('latin1');
  const given = options.delimiter ?? SEPARATOR_LINE.exec(raw)?.[1] ?? usual;
  if (asked) {
    const syntax = { ...usualSyntax, ...asked };
    const delimiter =
      given ?? fittingDelimiter(sample, candidates, (each) => inUsual(sample, { ...syntax, delimiter: each })).delimiter;
    check({ ...syntax, delimiter });
    return { text: rewritten(text, { ...syntax, delimiter }, 0), delimiter, warnings: [] };
  }
  const { quote, escape: escaping, comment, trim } = options;
  const isGiven = [quote, escaping, comment, trim].some((option) => option !== undefined);
  const found = isGiven ? undefined : evidentSyntax(raw, sample.whole, given === undefined ? candidates : [given]);
  if (!found) return { text, delimiter: undefined, sample, warnings: [] };
  const { syntax, option } = found;
  const said = warning('CSV_DIALECT', say('warning.csvDialect', { option }));
  return { text: rewritten(text, syntax, 0), delimiter: syntax.delimiter, warnings: [said] };
}

function askedSyntax({ quote, escape: asked, comment, trim }: ConversionOptions): Partial<Syntax> | undefined {
  if ((quote ?? '"') === '"' && (asked ?? '"') === '"' && !comment && !trim) return undefined;
  const settled = quote ?? '"';
  return { quote: settled, escape: asked === settled ? '' : (asked ?? ''), comment: comment ?? '', trim: trim ?? false };
}

function check({ delimiter, quote, escape: escaping }: Syntax): void {
  const odd = [quote, escaping].find((each) => each !== '' && (each === delimiter || each < ' ' || each > '~'));
  if (odd === undefined) return;
  throw new AppError('INVALID_REQUEST', say('csv.quoteOption', { character: JSON.stringify(odd) }), {
    hint: say('csv.quoteOption.hint'),
  });
}

/** All whole rows of a sample. */
function rowsOf(raw: string, syntax: Syntax, whole: boolean): (readonly Cell[])[] {
  const rows: (readonly Cell[])[] = [];
  for (let at = 0; at < raw.length; ) {
    const row = parseRow(raw, at, syntax, whole);
    if (!row) break;
    rows.push(row.cells);
    at = row.next;
  }
  return rows;
}

function inUsual({ bytes, whole }: Sample, syntax: Syntax): Sample {
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const text = rowsOf(raw, syntax, whole)
    .map((cells) => `${writtenRow(cells, syntax.delimiter)}\n`)
    .join('');
  return { bytes: Buffer.from(text, 'latin1'), whole };
}

/** Number of columns if all rows, at least two, have the same number, more than one, and no quote is out of place; else 0. */
function evenWidth(raw: string, syntax: Syntax, whole: boolean): number {
  const rows = rowsOf(raw, syntax, whole).filter((cells) => cells.length > 1 || (cells[0]?.text ?? '').trim() !== '');
  const width = rows[0]?.length ?? 0;
  const isEven = rows.every(
    (cells) =>
      cells.length === width &&
      cells.every(
        ({ text, quoted, rest }) => rest === undefined && (quoted || syntax.quote === '' || !text.includes(syntax.quote)),
      ),
  );
  return isEven && rows.length > 1 && width > 1 ? width : 0;
}

/** How the text is written, if it can be read in no usual way and fits another one exactly. */
function evidentSyntax(
  raw: string,
  whole: boolean,
  delimiters: readonly string[],
): { syntax: Syntax; option: string } | undefined {
  const ways: [string, Partial<Syntax>][] = [];
  if (raw.includes('\\"')) ways.push(['escape: "\\\\"', { escape: '\\', escapesQuotesOnly: true }]);
  if (/[,;|\t] +"/.test(raw)) ways.push(['trim: true', { trim: true }]);
  if (/[\r\n]#/.test(raw) && !raw.startsWith('#')) ways.push(['comment: "#"', { comment: '#' }]);
  if (/(^|[,;|\t\r\n])'[^'\r\n]*[,;|\t][^'\r\n]*'([,;|\t\r\n]|$)/.test(raw)) ways.push(['quote: "\'"', { quote: "'" }]);
  if (ways.length === 0) return undefined;
  const widest = (change: Partial<Syntax>): Syntax | undefined => {
    const even = delimiters
      .map((delimiter) => ({ ...usualSyntax, ...change, delimiter }))
      .map((syntax) => ({ syntax, width: evenWidth(raw, syntax, whole) }))
      .filter(({ width }) => width > 0);
    return even.sort((a, b) => b.width - a.width)[0]?.syntax;
  };
  if (widest({})) return undefined;
  for (const [option, change] of ways) {
    const syntax = widest(change);
    if (syntax) return { syntax, option };
  }
  return undefined;
}
