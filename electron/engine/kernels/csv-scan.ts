/** First pass of the CSV kernel over a text: settles columns, counts, warnings, and the exact length of the JSON. */
import type { Transform } from '../../../shared/model/conversion.ts';

import { firstRowTooLarge, headerOf, locate, RaggedRows, type Table, tableWarnings } from '../formats/csv.ts';
import { delimiterByte } from '../formats/csv-dialect.ts';
import { numberedColumns, uniqueNames } from '../formats/csv-header.ts';
import { CsvRows } from '../formats/csv-rows.ts';
import { ColumnTypes, type Decision, decideColumns } from '../formats/csv-types.ts';
import type { FormatScan, MeasuredText, ReaderContext, Utf8Source } from '../formats/reader.ts';
import { ResumePoints } from '../resume-points.ts';
import type { Value } from '../value.ts';
import { CsvKernel, MAX_ROW_BYTES, RowTooLong, TEXT_BYTES } from './csv-kernel.ts';
import { planSelection, planWriting, type WritePlan } from './csv-plan.ts';
import { planTests } from './csv-where.ts';
import { writeElements } from './csv-write.ts';
import { pieces } from './pieces.ts';

/** Bytes of a column's record, as assembly/csv-scan.ts has it. */
const COLUMN_BYTES = 16;
/** More columns than this are not for the kernel. */
const MAX_COLUMNS = 128 * 1024;
/** Text between two resume points: its JSON is about twice as long. */
const PIECE_BYTES = 32 * 1024;

/** Most that the kernel counts to. */
const MAX_COUNT = 0xffff_ffff;

/** What a column may be at first, as assembly/csv-types.ts has it. */
const ANYTHING = 15;
const DECIDED = { string: 0, number: 32, boolean: 64 } as const;
/** What a column may be, without the bits of a decision. */
const POSSIBLE = 31;

/** Undefined where the text is not for the kernel: then the reader in formats/csv.ts takes it, or says what is wrong with it. */
export async function scanTable(
  text: Utf8Source,
  context: ReaderContext,
  delimiter: string,
  label: string,
): Promise<FormatScan | undefined> {
  const { signal, cut = false } = context;
  const rows = new CsvRows(delimiterByte(delimiter), label);
  let scan: TableScan | undefined;
  let decodedBytes = 0;
  try {
    for await (const parts of pieces(text.read(signal, { reuse: true }), TEXT_BYTES, signal)) {
      for (const piece of parts) {
        decodedBytes += piece.length;
        if (scan) scan.push(piece);
        else {
          // It keeps what it has not done with.
          rows.push(new Uint8Array(piece));
          if (rows.next()) scan = beginScan(rows, context, delimiter, label);
        }
      }
    }
    if (!scan) {
      if (!cut) rows.end();
      // What is empty costs the other reader nothing.
      if (!rows.next()) return undefined;
      scan = beginScan(rows, context, delimiter, label);
    }
    scan.end();
    return scan.result(text, decodedBytes);
  } catch (error) {
    if (error instanceof NotForKernel || error instanceof RowTooLong) return undefined;
    throw error;
  } finally {
    scan?.release();
  }
}

/** Carries no message: nobody sees it. */
class NotForKernel extends Error {}

/** The scan from the first row on, which `rows` is at. */
function beginScan(rows: CsvRows, context: ReaderContext, delimiter: string, label: string): TableScan {
  const { options, bounds, columnAdvice } = context;
  const keyed = options.header !== false;
  if (rows.rowBytes > bounds.maxFileBytes) throw firstRowTooLarge(rows.rowBytes, bounds.maxFileBytes);
  if (rows.count > MAX_COLUMNS || rows.rowBytes > MAX_ROW_BYTES) throw new NotForKernel();
  const names = keyed ? uniqueNames(headerOf(rows)) : numberedColumns(rows.count);
  const decisions = decideColumns(names.names, options, columnAdvice);
  const start = keyed
    ? { offset: rows.offset + rows.rowBytes, line: rows.nextLine, afterCr: rows.endedWithCr }
    : { offset: rows.offset, line: rows.line, afterCr: false };
  const scan = new TableScan({ context, delimiter, label, keyed, names }, decisions, start);
  scan.push(keyed ? rows.rest : rows.fromRow);
  return scan;
}

/** Undefined where the kernel cannot take the steps of the transform. */
function planTransform(
  table: Table,
  transform: Transform,
  hasExtra: boolean,
  isExact: (source: number) => boolean,
): WritePlan | undefined {
  const tests = planTests(transform.where ?? [], table, isExact);
  if (!tests || (tests.length > 0 && !table.keyed)) return undefined;
  const plan = planSelection(table, transform, hasExtra);
  return plan && { ...plan, tests };
}

/** The records as the streaming steps of a transform have them. */
function transformedElements(
  text: Utf8Source,
  table: Table,
  plan: WritePlan,
  { offset = 0, limit = Number.POSITIVE_INFINITY }: Transform,
  resumePoints: ResumePoints,
): Value['elements'] {
  return (signal, from, again) => {
    // What comes before the offset need not be read where reading can start close to it, and all records count.
    const near = text.readFrom && plan.tests.length === 0 ? resumePoints.before(offset) : undefined;
    const start = from ?? near ?? resumePoints.before(0);
    const pass = from || !start ? 0 : Math.min(offset - start.record, MAX_COUNT);
    return writeElements(text, table, plan, { from: start, pass, most: limit - (from?.record ?? 0) }, signal, again);
  };
}

interface TableHead extends Pick<Table, 'label' | 'keyed' | 'names'> {
  readonly context: ReaderContext;
  readonly delimiter: string;
}

/** Fed the text after the header, with a kernel that looks at every row. */
class TableScan {
  private readonly head: TableHead;
  private readonly decisions: (Decision | undefined)[];
  private readonly width: number;
  private readonly keepExtra: boolean;
  private readonly delimiterByte: number;
  private readonly kernel: CsvKernel;
  private readonly plan: WritePlan;
  private readonly resumePoints = new ResumePoints();
  /** Reads from the first row that the kernel refused, to say what is wrong with it. */
  private refused: CsvRows | undefined;

  constructor(
    head: TableHead,
    decisions: (Decision | undefined)[],
    { offset, line, afterCr }: { offset: number; line: number; afterCr: boolean },
  ) {
    this.head = head;
    this.decisions = decisions;
    this.width = head.names.names.length;
    this.keepExtra = head.context.options.ragged === 'keep';
    this.delimiterByte = delimiterByte(head.delimiter);
    this.plan = planWriting(head);
    this.kernel = new CsvKernel(this.delimiterByte, this.width * COLUMN_BYTES, 0, offset);
    const { words, fixedAt, exports } = this.kernel;
    words.fill(0, fixedAt / 4, (fixedAt + this.width * COLUMN_BYTES) / 4);
    for (let i = 0; i < this.width; i++) {
      const type = decisions[i]?.type;
      words[(fixedAt + i * COLUMN_BYTES) / 4] = type === undefined ? ANYTHING : DECIDED[type];
    }
    exports.startScan(fixedAt, this.width, this.keepExtra, line, afterCr);
  }

  release(): void {
    this.kernel.release();
  }

  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.refused) {
        this.judge(chunk.subarray(at));
        return;
      }
      at += this.kernel.fill(chunk, at);
      if (this.kernel.isFull) this.run();
    }
  }

  end(): void {
    if (!this.refused) this.run();
    if (this.head.context.cut) return;
    if (!this.refused) {
      this.kernel.endText();
      this.run();
      // A quote that is never closed takes the line end that was added for text.
      if (!this.refused && this.kernel.end > this.kernel.from) {
        this.kernel.end -= 1;
        this.refuse();
      }
    }
    if (this.refused) {
      this.refused.end();
      this.judge(undefined);
      throw new NotForKernel();
    }
  }

  /** Takes all whole rows that the kernel holds. */
  private run(): void {
    const { kernel, resumePoints } = this;
    const { exports } = kernel;
    let piece = PIECE_BYTES;
    while (kernel.from < kernel.end) {
      const until = Math.min(kernel.from + piece, kernel.end);
      const before = exports.records.value;
      const jsonBefore = this.jsonSoFar();
      exports.scan(kernel.from, until);
      const records = exports.records.value;
      if (records > before) {
        const mark = {
          offset: kernel.offset + exports.scannedFirstAt.value - kernel.from,
          line: exports.scannedFirstLine.value,
        };
        resumePoints.add(before, mark, this.jsonSoFar() - jsonBefore);
      }
      const rest = exports.scannedTo.value;
      const isStuck = rest === kernel.from;
      kernel.takeTo(rest);
      if (exports.refused.value) {
        this.refuse();
        return;
      }
      if (!isStuck) piece = PIECE_BYTES;
      else if (until < kernel.end) piece *= 2;
      else {
        if (kernel.isFull) kernel.widen();
        return;
      }
    }
  }

  /** About what the records so far come to. */
  private jsonSoFar(): number {
    const { records, textBytes } = this.kernel.exports;
    return records.value * this.plan.keyBytes + textBytes.value;
  }

  private refuse(): void {
    const { kernel, head } = this;
    this.refused = new CsvRows(this.delimiterByte, head.label, { offset: kernel.offset, line: kernel.exports.scannedLine.value });
    this.judge(kernel.bytes.slice(kernel.from, kernel.end));
  }

  /** Looks at the refused row as the other reader would, whose errors these are. Should it find none, it is to read the text. */
  private judge(more: Uint8Array | undefined): void {
    const { refused: rows, head, decisions, width } = this;
    if (!rows) return;
    if (more) rows.push(new Uint8Array(more));
    if (!rows.next()) return;
    new RaggedRows(this.keepExtra, head.label).see(rows, width);
    new ColumnTypes(head.names.names, decisions, head.label).see(rows);
    throw new NotForKernel();
  }

  result(text: Utf8Source, decodedBytes: number): FormatScan {
    const { head, kernel, keepExtra, resumePoints, decisions } = this;
    const { exports } = kernel;
    const { label, keyed, names, context } = head;
    const columns = this.columnCounts();
    const types = new ColumnTypes(names.names, decisions, label);
    for (const [i, { possible, empty, missing }] of columns.entries()) types.take(i, possible, empty + missing);
    const plans = types.plans();
    const table: Table = { delimiter: this.delimiterByte, label, keyed, names, plans, cut: context.cut === true };
    const ragged = new RaggedRows(keepExtra, label);
    ragged.short = { count: exports.shortRows.value, line: exports.shortLine.value };
    ragged.long = { count: exports.longRows.value, line: exports.longLine.value };
    const { plan } = this;
    const hasExtra = exports.longRows.value > 0;
    const first = resumePoints.count > 0 ? resumePoints.at(0) : undefined;
    const measured: MeasuredText = {
      bytes: this.jsonBytes(columns, table),
      records: exports.records.value,
      resumePoints,
    };
    return {
      kind: 'array',
      columns: types.columns(plans),
      delimiter: head.delimiter,
      warnings: tableWarnings(table, ragged, false),
      decodedBytes,
      measured,
      async *json() {
        yield* [];
      },
      elements: (signal, from = first, again) =>
        writeElements(text, table, plan, { from, pass: 0, most: Number.POSITIVE_INFINITY }, signal, again),
      transformedElements: (transform) => {
        const plan = planTransform(table, transform, hasExtra, (source) => decisions[source] === undefined);
        return plan && transformedElements(text, table, plan, transform, resumePoints);
      },
      locate: (pointer) => locate(text, table, pointer, resumePoints),
    };
  }

  private columnCounts(): ColumnCounts[] {
    const { words, fixedAt } = this.kernel;
    let missing = 0;
    return Array.from({ length: this.width }, (_, i) => {
      const at = (fixedAt + i * COLUMN_BYTES) / 4;
      // Rows that end before a column lack all those after it too.
      missing += words[at + 3] as number;
      return {
        possible: (words[at] as number) & POSSIBLE,
        empty: words[at + 1] as number,
        quotedEmpty: words[at + 2] as number,
        missing,
      };
    });
  }

  private jsonBytes(columns: readonly ColumnCounts[], { keyed, plans }: Table): number {
    const { records, textBytes, longRows, extraCells } = this.kernel.exports;
    const { keyBytes, extraKey } = this.plan;
    const NULL = 4;
    const QUOTES = 2;
    let bytes = 2 + Math.max(0, records.value - 1) + records.value * keyBytes + textBytes.value;
    for (const [i, { empty, quotedEmpty, missing }] of columns.entries()) {
      const nothing = plans.emptyAsText[i] === 1 ? QUOTES : NULL;
      const asString = plans.types[i] === 'string' ? quotedEmpty : 0;
      bytes += (empty - asString) * nothing + missing * (plans.missingAsText[i] === 1 ? QUOTES : NULL);
      if (plans.types[i] === 'string') bytes += (records.value - missing - empty + quotedEmpty) * QUOTES;
    }
    bytes += longRows.value * (extraKey.length + (keyed ? 1 : 0)) + extraCells.value * QUOTES;
    return bytes + extraCells.value - longRows.value;
  }
}

/** Cells of a column: `empty` counts those written `""` too. */
interface ColumnCounts {
  readonly possible: number;
  readonly empty: number;
  readonly quotedEmpty: number;
  readonly missing: number;
}
