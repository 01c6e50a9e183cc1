/** Writes records with the kernel from the text that the kernel holds. */

import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import type { Checkpoint, ElementChunk } from '../core/payload.ts';
import { takeOut } from '../kernel/kernel.ts';
import { CsvKernel, MOST_RECORDS, RowTooLong } from './csv-kernel.ts';
import { planBytes, putPlan, putTests, rowCost, testBytes, type WritePlan } from './csv-plan.ts';
import type { Table } from './csv-reference.ts';

/** Maximum bytes written at once, unless a record is longer. */
export const OUTPUT_BYTES = 768 * 1024;
/** Spare bytes before the output, for the receiver. */
export const ROOM_BYTES = 1;

/** The range of records to write. */
export interface Records {
  /** Where reading starts. */
  readonly from: Checkpoint;
  /** Records to skip from there. */
  readonly pass: number;
  /** Maximum number of records. */
  readonly most: number;
}

/** All records from there on. */
export const ALL = { pass: 0, most: Number.POSITIVE_INFINITY } satisfies Partial<Records>;

export class TableWriter {
  readonly kernel: CsvKernel;
  /** Records that may still be written. */
  left = 0;
  private readonly table: Table;
  private readonly plan: WritePlan;
  private readonly extraKey: number;
  private readonly withCheckpoints: boolean;
  /** Whether output is yielded in place, without a copy. */
  private readonly reuse: boolean;
  /** End of the rows that were found and not all written yet. */
  private foundTo = 0;

  constructor(table: Table, plan: WritePlan, { withCheckpoints, reuse }: { withCheckpoints: boolean; reuse: boolean }) {
    this.table = table;
    this.plan = plan;
    this.withCheckpoints = withCheckpoints;
    this.reuse = reuse;
    this.kernel = new CsvKernel(table.delimiter, planBytes(plan) + testBytes(plan.tests) + 4, ROOM_BYTES + OUTPUT_BYTES, 0);
    const { exports, fixedAt } = this.kernel;
    const { buffer } = exports.memory;
    this.extraKey = putPlan(plan, table, buffer, fixedAt);
    const testsAt = fixedAt + Math.ceil(planBytes(plan) / 4) * 4;
    putTests(plan.tests, table, buffer, testsAt);
    exports.startJudging(testsAt, plan.tests.length);
  }

  /** Starts with another range; drops the text that is held. */
  begin({ from, pass, most }: Records): void {
    const { kernel, plan, extraKey } = this;
    const { columns, width, picks } = plan;
    const { keyed } = this.table;
    this.left = most;
    this.foundTo = 0;
    kernel.goTo(from.offset);
    const cost = rowCost(plan);
    const extraLength = plan.extraKey.length;
    kernel.exports.startWriting(
      kernel.fixedAt,
      columns.length,
      width,
      extraKey,
      extraLength,
      keyed,
      cost,
      from.line,
      picks,
      pass,
    );
  }

  /** The next records of the text that the kernel holds; undefined if it needs more. */
  next(): ElementChunk | undefined {
    const { kernel } = this;
    const { exports } = kernel;
    while (kernel.from < kernel.end && this.left > 0) {
      if (this.foundTo === 0) {
        exports.find(kernel.from, kernel.end);
        this.foundTo = kernel.end;
      }
      const most = Math.min(MOST_RECORDS, this.left);
      const done = exports.writeRows(kernel.outputAt + ROOM_BYTES, kernel.outputEnd, kernel.endsAt, kernel.linesAt, most);
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
      } else if (!part) kernel.reserveOutput(ROOM_BYTES + exports.wanted.value);
      if (part) return part;
    }
    return undefined;
  }

  private part(): ElementChunk {
    const { kernel, withCheckpoints } = this;
    const { written, writtenBytes, writtenFirstAt, writtenFirstLine } = kernel.exports;
    const withRoom = kernel.bytes.subarray(kernel.outputAt, kernel.outputAt + ROOM_BYTES + writtenBytes.value);
    const data = withRoom.subarray(ROOM_BYTES);
    const ends = kernel.words.subarray(kernel.endsAt / 4, kernel.endsAt / 4 + written.value);
    const lines = kernel.words.subarray(kernel.linesAt / 4, kernel.linesAt / 4 + written.value);
    const part = this.reuse ? { data, withRoom, ends, lines } : { data: takeOut(data), ends: ends.slice(), lines: lines.slice() };
    if (!withCheckpoints) return part;
    return {
      ...part,
      checkpoint: { offset: kernel.offset + writtenFirstAt.value - kernel.from, line: writtenFirstLine.value },
    };
  }
}

/** The scan has read each row, so none is too long. */
function widen(kernel: CsvKernel): void {
  try {
    kernel.widen();
  } catch (error) {
    throw error instanceof RowTooLong ? notAsScanned() : error;
  }
}

export function notAsScanned(): AppError {
  return new AppError('FILE_CHANGED', say('csv.notAsScanned'), { hint: say('csv.notAsScanned.hint') });
}
