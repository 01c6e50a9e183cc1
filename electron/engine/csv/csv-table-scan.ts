/** First pass over the rows of a table, in one thread or two, and its results. */

import type { Transform } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { EventLoopYield } from '../core/byte-streams.ts';
import { throwIfCancelled } from '../core/failures.ts';
import type { Value } from '../core/payload.ts';
import type { FormatScan, MeasuredText, ReaderContext, StoredText, Utf8Source } from '../core/reader.ts';
import { ResumePoints } from '../core/resume-points.ts';
import { ColumnTypes, type Decision } from './csv-columns.ts';
import { delimiterByte } from './csv-dialect.ts';
import type { Opening } from './csv-opening.ts';
import { ScanAhead, type ScannedRows } from './csv-parallel-scan.ts';
import { planSelection, planTests, planWriting, type WritePlan } from './csv-plan.ts';
import { locate, RaggedRows, type Table, tableWarnings } from './csv-reference.ts';
import { type ColumnCounts, cellOf, HAS_EXPONENT, type RecordCheckpoint, RowScan, type RowStart } from './csv-row-scan.ts';
import { CsvRows } from './csv-rows.ts';
import { writeElements, writeTable } from './csv-write.ts';

const hasExponents = (column: ColumnCounts | undefined) => ((column?.possible ?? 0) & HAS_EXPONENT) !== 0;

/** Thrown if the reference reader must take the text. Has no message, because it is never shown. */
export class NotForKernel extends Error {}

interface TableHead extends Pick<Table, 'label' | 'keyed' | 'names' | 'extra'> {
  readonly context: ReaderContext;
  readonly opening: Opening;
}

/** Fed the text after the header. The kernel scans each row, or a second thread scans some of them. */
export class TableScan {
  private readonly head: TableHead;
  private readonly decisions: (Decision | undefined)[];
  private readonly delimiterByte: number;
  private readonly rows: RowScan;
  private readonly plan: WritePlan;
  private readonly resumePoints = new ResumePoints();
  private last: RecordCheckpoint | undefined;
  /** Start of the first row that the kernel refused, to report its error. */
  private refused: CsvRows | undefined;
  private readonly stored: StoredText | undefined;
  private readonly ahead: ScanAhead | undefined;
  /** Rows that the other thread has scanned; used if the text before them ends where they start. */
  private coming: ScannedRows | undefined;
  /** The other thread scanned the text up to this offset. */
  private scannedTo = 0;

  constructor(head: TableHead, decisions: (Decision | undefined)[], start: RowStart, stored: StoredText | undefined) {
    this.head = head;
    this.decisions = decisions;
    this.delimiterByte = delimiterByte(head.opening.delimiter);
    this.plan = planWriting(head);
    const { cut, second } = head.context;
    const rowOptions = {
      delimiter: this.delimiterByte,
      decided: head.names.names.map((_, i) => decisions[i]?.type),
      extra: head.extra,
      keyBytes: this.plan.keyBytes,
    };
    this.rows = new RowScan(rowOptions, start, (checkpoint) => this.checkpoint(checkpoint));
    this.stored = stored;
    if (stored && second && !cut) this.ahead = ScanAhead.begin(stored, rowOptions, start.offset, second);
  }

  async release(): Promise<void> {
    this.rows.kernel.release();
    await this.ahead?.stop();
  }

  /** Continues at another offset. Call it before the text of another chunk is put in. */
  catchUp(): void {
    const { rows, stored } = this;
    if (!stored?.skips) return;
    const to = stored.skips.at - stored.base;
    if (to <= rows.fedTo) return;
    // The source skips only what it was told to skip.
    if (to > this.scannedTo) throw new AppError('INTERNAL', 'Text was left out that had not been scanned');
    rows.kernel.goTo(to);
  }

  /** Await the result before doing anything else. */
  push(chunk: Uint8Array): Promise<void> | undefined {
    const { rows, ahead } = this;
    for (let at = 0; at < chunk.length; ) {
      if (this.refused) {
        this.judge(chunk.subarray(at));
        return undefined;
      }
      const place = rows.fedTo;
      if (place < this.scannedTo) {
        const known = Math.min(this.scannedTo - place, chunk.length - at);
        rows.kernel.goTo(place + known);
        at += known;
        continue;
      }
      if (ahead && !this.coming && place + chunk.length - at > ahead.boundary) return this.pushAfter(chunk.subarray(at));
      const wanted = this.coming ? Math.min(chunk.length, at + this.coming.start - place) : chunk.length;
      at += rows.kernel.fill(wanted < chunk.length ? chunk.subarray(0, wanted) : chunk, at);
      const meets = this.coming?.start === rows.fedTo;
      if (meets || rows.kernel.isFull) this.run();
      if (meets) return this.meet(chunk.subarray(at));
    }
    return undefined;
  }

  end(): void {
    if (!this.refused) this.run();
    if (this.head.context.cut) return;
    const { kernel } = this.rows;
    if (!this.refused) {
      kernel.endText();
      this.run();
      // The line end that was added is text here, because a quote is not closed.
      if (!this.refused && kernel.end > kernel.from) {
        kernel.end -= 1;
        this.refuse();
      }
    }
    if (this.refused) {
      this.refused.end();
      this.judge(undefined);
      throw new NotForKernel();
    }
  }

  private async pushAfter(chunk: Uint8Array): Promise<void> {
    this.coming = await this.next(this.rows.fedTo);
    await this.push(chunk);
  }

  /** All text before the scanned-ahead rows is put in: the rows count if no row continues into them. */
  private async meet(rest: Uint8Array): Promise<void> {
    const { rows, ahead, coming, stored } = this;
    this.coming = undefined;
    if (coming && !this.refused && rows.kernel.offset === coming.start) {
      this.take(coming);
      const yielding = new EventLoopYield();
      while (stored?.skips && ahead && ahead.boundary < Number.POSITIVE_INFINITY) {
        const next = await this.next(this.scannedTo);
        if (next?.start !== this.scannedTo) {
          this.coming = next;
          break;
        }
        this.take(next);
        if (yielding.due) await yielding.pause();
        throwIfCancelled(this.head.context.signal);
      }
    }
    await this.push(rest);
  }

  /** The result for the chunk at the boundary, if it can be used at this offset. */
  private async next(place: number): Promise<ScannedRows | undefined> {
    const found = await this.ahead?.next();
    return found && found.start >= place ? found : undefined;
  }

  private take({ checkpoints, counts, end }: ScannedRows): void {
    const { rows, stored } = this;
    const { exports } = rows.kernel;
    const before = { record: exports.records.value, line: exports.scannedLine.value, json: rows.json };
    for (const { record, offset, line, json } of checkpoints) {
      this.checkpoint({ record: before.record + record, offset, line: before.line + line, json: before.json + json });
    }
    rows.add(counts);
    this.scannedTo = end;
    // The last byte is always read, to detect the end of the file.
    if (stored?.skips) stored.skips.until = stored.base + Math.min(end, stored.size - 1);
  }

  /** Whether a checkpoint is kept depends on how much JSON comes before the next one. */
  private checkpoint(next: RecordCheckpoint): void {
    const { last } = this;
    // Where the two threads' ranges meet, each may have a checkpoint for the same part.
    if (last && cellOf(last) === cellOf(next)) return;
    this.last = next;
    if (last) this.resumePoints.add(last.record, last, next.json - last.json);
  }

  private run(): void {
    if (!this.rows.run()) this.refuse();
  }

  private refuse(): void {
    const { head } = this;
    const { kernel } = this.rows;
    this.refused = new CsvRows(this.delimiterByte, head.label, { offset: kernel.offset, line: kernel.exports.scannedLine.value });
    this.judge(kernel.bytes.slice(kernel.from, kernel.end));
  }

  /** Reads the refused row with the reference reader, which throws the error. If it finds none, it reads the whole text. */
  private judge(more: Uint8Array | undefined): void {
    const { refused: rows, head, decisions } = this;
    if (!rows) return;
    if (more) rows.push(new Uint8Array(more));
    if (!rows.next()) return;
    new RaggedRows(head.extra, head.label).see(rows, head.names.names.length);
    new ColumnTypes(head.names.names, decisions, head.label).see(rows);
    throw new NotForKernel();
  }

  result(text: Utf8Source): FormatScan {
    const { head, resumePoints, decisions, last } = this;
    if (last) resumePoints.add(last.record, last, this.rows.json - last.json);
    const { exports } = this.rows.kernel;
    const { label, keyed, names, extra, context } = head;
    const columns = this.rows.columnCounts();
    const types = new ColumnTypes(names.names, decisions, label);
    for (const [i, { possible, empty, missing }] of columns.entries()) types.take(i, possible, empty + missing);
    const plans = types.plans();
    const { delimiter, from, warnings } = head.opening;
    const table: Table = { delimiter: this.delimiterByte, from, label, keyed, names, extra, plans, cut: context.cut === true };
    const ragged = new RaggedRows(extra, label);
    ragged.short = { count: exports.shortRows.value, line: exports.shortLine.value };
    ragged.long = { count: exports.longRows.value, line: exports.longLine.value };
    const { plan } = this;
    const hasExtra = extra === 'kept' && exports.longRows.value > 0;
    const first = resumePoints.count > 0 ? resumePoints.at(0) : undefined;
    const measured: MeasuredText = {
      bytes: this.jsonBytes(columns, table),
      records: exports.records.value,
      resumePoints,
    };
    return {
      kind: 'array',
      columns: types.columns(plans),
      delimiter,
      warnings: [...warnings, ...tableWarnings(table, ragged, exports.records.value)],
      measured,
      async *json() {
        yield* [];
      },
      elements: (signal, from = first, again) =>
        writeTable(text, table, plan, from, { second: context.second, points: resumePoints }, signal, again),
      transformedElements: (transform) => {
        const isPlain = (source: number) => decisions[source] === undefined && !hasExponents(columns[source]);
        const plan = planTransform(table, transform, hasExtra, isPlain);
        return plan && transformedElements(text, table, plan, transform, resumePoints);
      },
      locate: (pointer) => locate(text, table, pointer, resumePoints),
    };
  }

  private jsonBytes(columns: readonly ColumnCounts[], { keyed, plans, extra }: Table): number {
    const { records, textBytes, longRows, extraCells } = this.rows.kernel.exports;
    const { keyBytes, extraKey } = this.plan;
    const NULL = 4;
    const QUOTES = 2;
    let bytes = 2 + Math.max(0, records.value - 1) + records.value * keyBytes + textBytes.value;
    for (const [i, { empty, quotedEmpty, missing }] of columns.entries()) {
      const nothing = plans.emptyAsText[i] === 1 ? QUOTES : NULL;
      const asString = plans.types[i] === 'string' ? quotedEmpty : 0;
      bytes += (empty - asString) * nothing + missing * NULL;
      if (plans.types[i] === 'string') bytes += (records.value - missing - empty + quotedEmpty) * QUOTES;
    }
    if (extra !== 'kept') return bytes;
    bytes += longRows.value * (extraKey.length + (keyed ? 1 : 0)) + extraCells.value * QUOTES;
    return bytes + extraCells.value - longRows.value;
  }
}

/** Largest count of the kernel. */
const MAX_COUNT = 0xffff_ffff;

/** Undefined if the kernel cannot do the transform's steps. */
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

/** The records after the streaming steps of a transform. */
function transformedElements(
  text: Utf8Source,
  table: Table,
  plan: WritePlan,
  { offset = 0, limit = Number.POSITIVE_INFINITY }: Transform,
  resumePoints: ResumePoints,
): Value['elements'] {
  return (signal, from, again) => {
    // Text before the offset is skipped if reading can start close to it and all records count.
    const near = text.readFrom && plan.tests.length === 0 ? resumePoints.before(offset) : undefined;
    const start = from ?? near ?? resumePoints.before(0);
    const pass = from || !start ? 0 : Math.min(offset - start.record, MAX_COUNT);
    return writeElements(text, table, plan, { from: start, pass, most: limit - (from?.record ?? 0) }, signal, again);
  };
}
