/** Writes the records of a table out of text that its kernel is given. */
import { AppError } from '../../../shared/model/errors.ts';
import type { Table } from '../formats/csv.ts';
import type { ElementChunk, SourceMark } from '../payload.ts';
import { CsvKernel, MOST_RECORDS, RowTooLong } from './csv-kernel.ts';
import { planBytes, putPlan, rowCost, type WritePlan } from './csv-plan.ts';
import { putTests, testBytes } from './csv-where.ts';
import { takeOut } from './kernel.ts';

/** Most that is written at once, unless a record is longer. */
export const OUTPUT_BYTES = 384 * 1024;

/** Which records are written. */
export interface Stretch {
  /** Where reading starts; without it, there is nothing to write. */
  readonly from: SourceMark | undefined;
  /** Where it ends, if not with the text: the offset at which a record starts. */
  readonly to?: number | undefined;
  /** Records from there on that are passed over. */
  readonly pass: number;
  /** Records that are written at most. */
  readonly most: number;
}

export class TableWriter {
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

export function notAsScanned(): AppError {
  return new AppError('FILE_CHANGED', 'The file is not as it was when it was read for the first time', {
    hint: 'Try again once nothing writes to it any more.',
  });
}
