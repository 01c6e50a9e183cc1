/** Prepares a table for its reader: dialect, place, values. Both readers of CSV begin here. */
import type { FormatScan, ReaderContext, Utf8Source } from '../core/reader.ts';
import { readSample } from './csv-dialect.ts';
import { textBefore } from './csv-footer.ts';
import { type Opening, openTable } from './csv-opening.ts';
import { withRaggedCount } from './csv-ragged.ts';
import { settleSyntax } from './csv-syntax.ts';
import { settleValues } from './csv-values.ts';

export type TableReader = (text: Utf8Source, context: ReaderContext, opening: Opening, label: string) => Promise<FormatScan>;

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
