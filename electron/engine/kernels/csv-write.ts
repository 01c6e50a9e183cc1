/** Second pass of the CSV kernel over a text: writes its records, from a mark on. */

import { AppError } from '../../../shared/model/errors.ts';
import type { Table } from '../formats/csv.ts';
import type { Utf8Source } from '../formats/reader.ts';
import type { ElementChunk, SourceMark } from '../payload.ts';
import type { ReadOptions } from '../source.ts';
import { CsvKernel, MOST_RECORDS, RowTooLong, TEXT_BYTES } from './csv-kernel.ts';
import { planBytes, putPlan, rowCost, type WritePlan } from './csv-plan.ts';
import { putTests, testBytes } from './csv-where.ts';
import { takeOut } from './kernel.ts';
import { pieces } from './pieces.ts';

const OUTPUT_BYTES = 384 * 1024;

/** Which records are written. */
export interface Stretch {
  /** Where reading starts; without it, there is nothing to write. */
  readonly from: SourceMark | undefined;
  /** Records from there on that are passed over. */
  readonly pass: number;
  /** Records that are written at most. */
  readonly most: number;
}

export async function* writeElements(
  text: Utf8Source,
  table: Table,
  plan: WritePlan,
  { from, pass, most }: Stretch,
  signal?: AbortSignal,
  options?: ReadOptions,
): AsyncIterable<ElementChunk> {
  if (!from || most === 0) return;
  const writer = new TableWriter(
    table,
    plan,
    { from, pass, most },
    { marked: text.readFrom !== undefined, reuse: options?.reuse === true },
  );
  try {
    yield* written(writer, textAt(text, from.offset, signal), table.cut, signal);
  } finally {
    writer.kernel.release();
  }
}

async function* written(
  writer: TableWriter,
  chunks: AsyncIterable<Uint8Array>,
  cut: boolean,
  signal?: AbortSignal,
): AsyncIterable<ElementChunk> {
  for await (const parts of pieces(chunks, TEXT_BYTES, signal)) {
    for (const piece of parts) {
      for (let at = 0; at < piece.length; ) {
        at += writer.kernel.fill(piece, at);
        if (!writer.kernel.isFull) continue;
        for (let part = writer.next(); part; part = writer.next()) yield part;
        if (writer.left === 0) return;
      }
    }
  }
  for (let part = writer.next(); part; part = writer.next()) yield part;
  if (cut || writer.left === 0) return;
  writer.kernel.endText();
  for (let part = writer.next(); part; part = writer.next()) yield part;
  if (writer.left > 0 && writer.kernel.from < writer.kernel.end) throw notAsScanned();
}

/** The text from an offset on; where it cannot be read from there, what comes before is read past. */
async function* textAt(text: Utf8Source, offset: number, signal?: AbortSignal): AsyncIterable<Uint8Array> {
  if (text.readFrom) {
    yield* text.readFrom(offset, signal, { reuse: true });
    return;
  }
  let left = offset;
  for await (const chunk of text.read(signal, { reuse: true })) {
    const skipped = Math.min(left, chunk.length);
    left -= skipped;
    if (skipped < chunk.length) yield skipped > 0 ? chunk.subarray(skipped) : chunk;
  }
}

function notAsScanned(): AppError {
  return new AppError('FILE_CHANGED', 'The file is not as it was when it was read for the first time', {
    hint: 'Try again once nothing writes to it any more.',
  });
}

class TableWriter {
  readonly kernel: CsvKernel;
  /** Records that may be written yet. */
  left: number;
  private readonly marked: boolean;
  /** Whether what is written is handed out where it stands. */
  private readonly reuse: boolean;
  /** Where the rows end that were found and not all written yet. */
  private foundTo = 0;

  constructor(
    table: Table,
    plan: WritePlan,
    { from, pass, most }: Stretch & { from: SourceMark },
    { marked, reuse }: { marked: boolean; reuse: boolean },
  ) {
    this.marked = marked;
    this.reuse = reuse;
    this.left = most;
    this.kernel = new CsvKernel(table.delimiter, planBytes(plan) + testBytes(plan.tests) + 4, OUTPUT_BYTES, from.offset);
    const { exports, fixedAt } = this.kernel;
    const { buffer } = exports.memory;
    const extraKey = putPlan(plan, table, buffer, fixedAt);
    const testsAt = fixedAt + Math.ceil(planBytes(plan) / 4) * 4;
    putTests(plan.tests, table, buffer, testsAt);
    exports.startJudging(testsAt, plan.tests.length);
    const { columns, width } = plan;
    const { keyed } = table;
    const cost = rowCost(plan);
    const extraLength = plan.extraKey.length;
    exports.startWriting(fixedAt, columns.length, width, extraKey, extraLength, keyed, cost, from.line, plan.picks, pass);
  }

  /** The next records of the text that the kernel holds; undefined when it needs more. */
  next(): ElementChunk | undefined {
    const { kernel } = this;
    const { exports } = kernel;
    while (kernel.from < kernel.end && this.left > 0) {
      if (this.foundTo === 0) {
        exports.find(kernel.from, kernel.end);
        this.foundTo = kernel.end;
      }
      const most = Math.min(MOST_RECORDS, this.left);
      const done = exports.writeRows(kernel.outputAt, kernel.outputEnd, kernel.endsAt, kernel.linesAt, most);
      this.left -= exports.written.value;
      const rest = exports.writtenTo.value;
      const part = exports.written.value > 0 ? this.part() : undefined;
      const isStuck = rest === kernel.from;
      kernel.takeTo(rest);
      if (done) {
        this.foundTo = 0;
        if (isStuck) {
          if (kernel.isFull) widen(kernel);
          return undefined;
        }
      } else if (!part) kernel.reserveOutput(exports.wanted.value);
      if (part) return part;
    }
    return undefined;
  }

  private part(): ElementChunk {
    const { kernel, marked } = this;
    const { written, writtenBytes, writtenFirstAt, writtenFirstLine } = kernel.exports;
    const data = kernel.bytes.subarray(kernel.outputAt, kernel.outputAt + writtenBytes.value);
    const ends = kernel.words.subarray(kernel.endsAt / 4, kernel.endsAt / 4 + written.value);
    const lines = kernel.words.subarray(kernel.linesAt / 4, kernel.linesAt / 4 + written.value);
    const part = this.reuse ? { data, ends, lines } : { data: takeOut(data), ends: ends.slice(), lines: lines.slice() };
    if (!marked) return part;
    return {
      ...part,
      mark: { offset: kernel.offset + writtenFirstAt.value - kernel.from, line: writtenFirstLine.value },
    };
  }
}

/** No row was too long for the scan. */
function widen(kernel: CsvKernel): void {
  try {
    kernel.widen();
  } catch (error) {
    throw error instanceof RowTooLong ? notAsScanned() : error;
  }
}
