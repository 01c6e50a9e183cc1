/** Settles how a CSV text is written: quotes, escapes, comments, blanks; by options, or by clear evidence in its beginning. */
import type { ConversionOptions, Warning } from '../../../shared/model/conversion.ts';
import { warning } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import type { Utf8Source } from '../core/reader.ts';
import { candidates, fittingDelimiter, readSample, type Sample } from './csv-dialect.ts';
import { type Cell, parseRow, rewritten, type Syntax, usualSyntax, writtenRow } from './csv-rewrite.ts';

const SEPARATOR = /^"?sep=([^"\r\n])"?(\r\n|\r|\n|$)/i;

export interface SettledText {
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
  const given = options.delimiter ?? SEPARATOR.exec(raw)?.[1] ?? usual;
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
