/** Reference reader of CSV and TSV: an array of objects by header, or of arrays without one. */
import { type Warning, warning } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { ByteBuilder, ElementBuilder, writeEscaped } from '../core/byte-builder.ts';
import { bytesAfter } from '../core/byte-streams.ts';
import type { EngineBounds } from '../core/convert-types.ts';
import { parseFailure } from '../core/failures.ts';
import type { Checkpoint, ElementChunk } from '../core/payload.ts';
import { type FormatScan, type ReaderContext, textFrom, type Utf8Source } from '../core/reader.ts';
import type { ResumePoints } from '../core/resume-points.ts';
import { type ColumnNames, type ColumnPlans, ColumnTypes, decideColumns, numberedColumns, uniqueNames } from './csv-columns.ts';
import { delimiterByte } from './csv-dialect.ts';
import type { Opening } from './csv-opening.ts';
import { CsvRows, type ExtraCells, extraCellsOf, PLAIN, WITH_QUOTES } from './csv-rows.ts';

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

// Writing.

const encoder = new TextEncoder();
const NULL = encoder.encode('null');
const EMPTY = encoder.encode('""');
const TRUE = encoder.encode('true');
const FALSE = encoder.encode('false');
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

const STRING = 0;
const NUMBER = 1;
const BOOLEAN = 2;

interface WrittenTable {
  readonly plans: ColumnPlans;
  readonly keyed: boolean;
  readonly names: ColumnNames;
  readonly extra: ExtraCells;
}

class CsvWriter {
  private readonly sink: ElementBuilder;
  private readonly keyed: boolean;
  private readonly width: number;
  private readonly keepsExtra: boolean;
  /** Per column: the text before its value, `{"id":` or `,"name":`; only commas if rows are arrays. */
  private readonly before = new ByteBuilder(1024);
  private beforeEnds: Uint32Array | null = null;
  private readonly types: Uint8Array;
  private readonly plans: ColumnPlans;
  private readonly extraKey: Uint8Array;

  constructor({ plans, keyed, names, extra }: WrittenTable, sink: ElementBuilder) {
    this.sink = sink;
    this.keyed = keyed;
    this.plans = plans;
    this.keepsExtra = extra === 'kept';
    this.width = plans.names.length;
    this.types = Uint8Array.from(plans.types, (type) => (type === 'string' ? STRING : type === 'number' ? NUMBER : BOOLEAN));
    this.extraKey = encoder.encode(`${this.width > 0 ? ',' : ''}${JSON.stringify(names.extra)}:[`);
  }

  /** Appends one row as an element. Cells beyond the header go under the extra key, as strings. */
  write(row: CsvRows): void {
    const { sink, keyed, width, before } = this;
    this.beforeEnds ??= this.writeKeys();
    const { beforeEnds } = this;
    const { out } = sink;
    sink.startElement(row.line, row.offset);
    out.byte(keyed ? 0x7b : 0x5b);
    const cells = Math.min(row.count, width);
    let from = 0;
    for (let i = 0; i < width; i++) {
      const to = beforeEnds[i] as number;
      out.bytes(before.buffer, from, to);
      from = to;
      if (i < cells) this.cell(row, i);
      else out.bytes(NULL);
    }
    if (this.keepsExtra && row.count > width) {
      if (keyed) out.bytes(this.extraKey);
      for (let i = width; i < row.count; i++) {
        if (!keyed || i > width) out.byte(COMMA);
        this.string(row, i);
      }
      if (keyed) out.byte(0x5d);
    }
    out.byte(keyed ? 0x7d : 0x5d);
    sink.endElement();
  }

  private writeKeys(): Uint32Array {
    const { before } = this;
    return Uint32Array.from(this.plans.names, (name, i) => {
      if (i > 0) before.byte(COMMA);
      if (this.keyed) before.bytes(encoder.encode(`${JSON.stringify(name)}:`));
      return before.length;
    });
  }

  private cell(row: CsvRows, i: number): void {
    const { out } = this.sink;
    const start = row.starts[i] as number;
    const end = row.ends[i] as number;
    const type = this.types[i] as number;
    if (start === end && (type !== STRING || row.kinds[i] === PLAIN)) out.bytes(this.plans.emptyAsText[i] === 1 ? EMPTY : NULL);
    else if (type === STRING) this.string(row, i);
    else if (type === NUMBER) out.bytes(row.bytes, start, end);
    else out.bytes(end - start === TRUE.length ? TRUE : FALSE);
  }

  private string(row: CsvRows, i: number): void {
    const { out } = this.sink;
    const start = row.starts[i] as number;
    const end = row.ends[i] as number;
    out.byte(QUOTE);
    if (row.kinds[i] === WITH_QUOTES) this.unquoted(row.bytes, start, end);
    else writeEscaped(out, row.bytes, start, end);
    out.byte(QUOTE);
  }

  /** Each `""` in the file is one quote, which JSON writes as `\"`. */
  private unquoted(bytes: Uint8Array, start: number, end: number): void {
    const { out } = this.sink;
    let from = start;
    for (let i = start; i < end; i++) {
      if (bytes[i] !== QUOTE) continue;
      writeEscaped(out, bytes, from, i);
      out.byte(BACKSLASH);
      out.byte(QUOTE);
      from = ++i + 1;
    }
    writeEscaped(out, bytes, from, end);
  }
}
