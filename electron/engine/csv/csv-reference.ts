/** Reference reader of CSV and TSV: an array of objects by header, or of arrays without one. */

import type { Warning } from '../../../shared/model/conversion.ts';
import { warning } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { ElementBuilder } from '../core/byte-builder.ts';
import type { EngineBounds } from '../core/convert-types.ts';
import type { Checkpoint, ElementChunk } from '../core/payload.ts';
import { type FormatReader, type FormatScan, type ReaderContext, textFrom, type Utf8Source } from '../core/reader.ts';
import type { ResumePoints } from '../core/resume-points.ts';
import { bytesAfter } from '../input/input.ts';
import { delimiterByte } from './csv-dialect.ts';
import { type ExtraCells, extraCellsOf } from './csv-extra.ts';
import { type ColumnNames, numberedColumns, uniqueNames } from './csv-header.ts';
import type { Opening } from './csv-opening.ts';
import { isRefused, raggedFailure } from './csv-ragged.ts';
import { CsvWriter } from './csv-reference-writer.ts';
import { CsvRows } from './csv-rows.ts';
import { readTable } from './csv-table.ts';
import { type ColumnPlans, ColumnTypes, decideColumns } from './csv-types.ts';

/** Comma-separated, or separated by `;`, `|` or tab if the first records show that. */
export const readCsv: FormatReader = async (text, context) => readTable(text, context, undefined, 'CSV', readDelimited);

/** Tab-separated, with the same quoting as CSV. */
export const readTsv: FormatReader = async (text, context) => readTable(text, context, '\t', 'TSV', readDelimited);

/** Results of the scan that the second pass needs. */
export interface Table {
  readonly delimiter: number;
  /** Where the header is, or the first record of a table without a header. */
  readonly from: Checkpoint;
  readonly label: string;
  readonly keyed: boolean;
  readonly names: ColumnNames;
  readonly extra: ExtraCells;
  readonly plans: ColumnPlans;
  /** Whether the text is cut off before the end of the file. */
  readonly cut: boolean;
}

/** Reads a table whose start and delimiter are known. */
export async function readDelimited(
  text: Utf8Source,
  context: ReaderContext,
  { delimiter, from, trailing, warnings }: Opening,
  label: string,
): Promise<FormatScan> {
  const { options, columnAdvice, signal, cut = false } = context;
  const keyed = options.header !== false;
  const byte = delimiterByte(delimiter);
  const rows = new CsvRows(byte, label, from);
  const extra = extraCellsOf(options, trailing);
  const ragged = new RaggedRows(extra, label);
  let names: ColumnNames | undefined;
  let types: ColumnTypes | undefined;
  let records = 0;

  for await (const chunk of chunksThenEnd(text, from, signal)) {
    if (chunk) rows.push(chunk);
    else if (!cut) rows.end();
    while (rows.next()) {
      if (!types || !names) {
        // Names and types of all columns are held in memory.
        const { maxFileBytes } = context.bounds;
        if (rows.rowBytes > maxFileBytes) throw firstRowTooLarge(rows.rowBytes, maxFileBytes);
        checkColumns(rows.count, context.bounds);
        names = keyed ? uniqueNames(headerOf(rows)) : numberedColumns(rows.count);
        types = new ColumnTypes(names.names, decideColumns(names.names, options, columnAdvice), label);
        if (keyed) continue;
      }
      records++;
      ragged.see(rows, names.names.length);
      types.see(rows);
    }
  }

  names ??= numberedColumns(0);
  const isEmpty = types === undefined;
  types ??= new ColumnTypes([], [], label);
  const plans = types.plans();
  const table: Table = { delimiter: byte, from, label, keyed, names, extra, plans, cut };
  return {
    kind: 'array',
    columns: types.columns(plans),
    delimiter,
    warnings: [...warnings, ...tableWarnings(table, ragged, isEmpty ? null : records)],
    async *json() {
      yield* [];
    },
    elements: (again, from) => elementsOf(text, table, again, from),
    locate: (pointer) => locate(text, table, pointer),
  };
}

/** Warnings about an unusual but valid table. `records` is null if there is no header. */
export function tableWarnings({ keyed, names, cut }: Table, ragged: RaggedRows, records: number | null): Warning[] {
  const warnings = ragged.warnings();
  if (!records && !cut) {
    warnings.push(warning('EMPTY_FILE', say(records === null ? 'warning.emptyTable' : 'warning.headerOnly')));
  }
  if (keyed && names.invented.length > 0)
    warnings.push(warning('HEADER_COMPLETED', say('warning.headerCompleted', { names: names.invented })));
  return warnings;
}

/** FILE_TOO_LARGE if names and types of so many columns may not be held in memory. */
export function checkColumns(columns: number, { maxColumns }: EngineBounds): void {
  if (columns <= maxColumns) return;
  throw new AppError('FILE_TOO_LARGE', say('csv.tooManyColumns', { columns, limit: maxColumns }), {
    hint: say('csv.tooManyColumns.hint'),
    details: { setting: 'maxColumns', size: columns, limit: maxColumns },
  });
}

export function firstRowTooLarge(size: number, limit: number): AppError {
  return new AppError('FILE_TOO_LARGE', say('csv.firstRow', { bytes: size, limit }), {
    hint: say('csv.firstRow.hint'),
    details: { setting: 'maxFileBytes', size, limit },
  });
}

/** The chunks of a text from a table's start or a checkpoint, then one undefined for its end. */
async function* chunksThenEnd(
  text: Utf8Source,
  start: Checkpoint,
  signal?: AbortSignal,
  from?: Checkpoint,
): AsyncIterable<Uint8Array | undefined> {
  const chunks = textFrom(text, signal, from);
  yield* from || start.offset === 0 ? chunks : bytesAfter(chunks, start.offset);
  yield undefined;
}

export function headerOf(rows: CsvRows): string[] {
  return Array.from({ length: rows.count }, (_, i) => rows.text(i));
}

/** The records without the header, one row at a time; from a checkpoint if the text can be read from there. */
async function* recordsOf(text: Utf8Source, table: Table, from?: Checkpoint): AsyncIterable<CsvRows> {
  const { delimiter, label, keyed } = table;
  const rows = new CsvRows(delimiter, label, from ?? table.from);
  let inHeader = keyed && from === undefined;
  for await (const chunk of chunksThenEnd(text, table.from, undefined, from)) {
    if (chunk) rows.push(chunk);
    else rows.end();
    while (rows.next()) {
      if (!inHeader) yield rows;
      inHeader = false;
    }
  }
}

async function* elementsOf(text: Utf8Source, table: Table, signal?: AbortSignal, from?: Checkpoint): AsyncIterable<ElementChunk> {
  const sink = new ElementBuilder({ withCheckpoints: text.readFrom !== undefined });
  const writer = new CsvWriter(table, sink);
  const rows = new CsvRows(table.delimiter, table.label, from ?? table.from);
  let inHeader = table.keyed && from === undefined;
  for await (const chunk of chunksThenEnd(text, table.from, signal, from)) {
    if (chunk) rows.push(chunk);
    else if (!table.cut) rows.end();
    while (rows.next()) {
      if (!inHeader) writer.write(rows);
      inHeader = false;
      // A wide header turns a short row into much output: emit a chunk before the next row.
      const ready = sink.ready ? sink.take() : undefined;
      if (ready) yield ready;
    }
  }
  const last = sink.take();
  if (last) yield last;
}

/** Line of a record, and number and name of one of its cells. Starts reading at the nearest resume point. */
export async function locate(
  text: Utf8Source,
  table: Table,
  [record, cell]: readonly (string | number)[],
  resumePoints?: ResumePoints,
) {
  if (typeof record !== 'number') return undefined;
  const from = text.readFrom && resumePoints?.before(record);
  let index = from?.record ?? 0;
  for await (const rows of recordsOf(text, table, from)) {
    if (index++ < record) continue;
    const at = typeof cell === 'number' ? cell : table.names.names.indexOf(cell ?? '');
    if (cell === undefined || at < 0) return { line: rows.line };
    const column = { column: at + 1, columnName: table.names.names[at] };
    const line = at < rows.count ? rows.lineOf(at) : rows.line;
    return column.columnName === undefined
      ? { line, column: column.column }
      : { line, column: column.column, columnName: column.columnName };
  }
  return undefined;
}

/** Counts rows that are wider or narrower than the header. */
export class RaggedRows {
  private readonly extra: ExtraCells;
  private readonly label: string;
  /** Number of such rows, and the line of the first. */
  short = { count: 0, line: 0 };
  long = { count: 0, line: 0 };

  constructor(extra: ExtraCells, label: string) {
    this.extra = extra;
    this.label = label;
  }

  see(row: CsvRows, width: number): void {
    if (row.count < width) {
      if (this.short.count++ === 0) this.short.line = row.line;
    } else if (row.count > width) {
      if (isRefused(row, width, this.extra)) throw raggedFailure(this.label, row.count, width, { rows: 1, lines: [row.line] });
      if (this.long.count++ === 0) this.long.line = row.line;
    }
  }

  warnings(): Warning[] {
    const found: Warning[] = [];
    const { short, long } = this;
    if (short.count > 0) found.push(warning('ROWS_SHORT', say('warning.rowsShort', { rows: short.count, line: short.line })));
    if (long.count > 0 && this.extra !== 'emptyCut') {
      const code = this.extra === 'cut' ? 'warning.rowsCut' : 'warning.rowsLong';
      found.push(warning('ROWS_LONG', say(code, { rows: long.count, line: long.line })));
    }
    return found;
  }
}
