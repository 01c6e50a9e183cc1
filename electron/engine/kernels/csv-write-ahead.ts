/** Stretches of a table that the second thread writes, for the first one, which gives out all of them in order. */
import type { Table } from '../formats/csv.ts';
import type { StoredText } from '../formats/reader.ts';
import type { ElementChunk, SourceMark } from '../payload.ts';
import type { ResumePoints } from '../resume-points.ts';
import { type SecondRun, type SecondThread, STOP } from '../second-thread.ts';
import type { ReadNow } from '../source.ts';
import type { WritePlan } from './csv-plan.ts';
import {
  CLAIMS,
  DONE,
  EMPTIED,
  FILLED,
  FREE,
  keepSlots,
  PART,
  SLEEPS,
  Slot,
  stretchParts,
  TAKEN_BY_FIRST,
  takeSlots,
  type WriteTask,
} from './csv-second-write.ts';
import { takeOut } from './kernel.ts';

/** Text of a stretch, at least. */
const STRETCH_BYTES = 512 * 1024;
/** With fewer stretches to go, one thread is done as soon. */
const FEWEST_STRETCHES = 16;

export class WriteAhead {
  private readonly task: WriteTask;
  private readonly readNow: ReadNow;
  private readonly release: () => void;
  private readonly run: SecondRun | undefined;
  private emptied = 0;
  private ended = false;
  private wake: () => void = () => undefined;

  /** Undefined where there is no second thread, or too little text from `from` on. */
  static begin(
    text: StoredText,
    table: Table,
    plan: WritePlan,
    from: SourceMark,
    points: ResumePoints,
    second: SecondThread,
  ): WriteAhead | undefined {
    if (text.size - from.offset < FEWEST_STRETCHES * STRETCH_BYTES) return undefined;
    const marks = stretches(from, points, text.size);
    if (marks.length <= FEWEST_STRETCHES) return undefined;
    const ahead = new WriteAhead(text, table, plan, marks, second);
    return ahead.run ? ahead : undefined;
  }

  private constructor(text: StoredText, table: Table, plan: WritePlan, marks: readonly SourceMark[], second: SecondThread) {
    const { elsewhere, base } = text;
    this.release = elsewhere.hold();
    this.readNow = elsewhere.readNow;
    this.task = {
      kind: 'csv-write',
      control: new Int32Array(new SharedArrayBuffer(4 * (CLAIMS + marks.length))),
      facts: elsewhere.facts,
      base,
      table,
      plan,
      offsets: Float64Array.from(marks, ({ offset }) => offset),
      lines: Float64Array.from(marks, ({ line }) => line),
      slots: takeSlots(),
    };
    this.run = second.begin(
      this.task,
      () => this.wake(),
      () => {
        this.ended = true;
        this.wake();
      },
    );
    if (!this.run) this.release();
  }

  /** Stretches in all. */
  get count(): number {
    return this.task.offsets.length - 1;
  }

  /** Where a stretch starts and ends. */
  bounds(stretch: number): { from: SourceMark; to: number | undefined } {
    const { offsets, lines } = this.task;
    const from = { offset: offsets[stretch] as number, line: lines[stretch] as number };
    return { from, to: stretch === this.count - 1 ? undefined : offsets[stretch + 1] };
  }

  /**
   * A stretch as it is written here, or by the second thread. Ends with false where more of it is to be written by the usual
   * way, as always of the last one. Memory is used again for what comes later, unless `reuse` is false. Stretches are to be asked for in order.
   */
  async *parts(stretch: number, reuse: boolean): AsyncGenerator<ElementChunk, boolean> {
    if (stretch === this.count - 1) return false;
    if (Atomics.compareExchange(this.task.control, CLAIMS + stretch, FREE, TAKEN_BY_FIRST) !== FREE)
      return yield* this.theirs(reuse);
    const parts = stretchParts(this.task, this.readNow, stretch);
    try {
      for (;;) {
        const { value, done } = parts.next();
        if (done) return value;
        yield reuse ? value : copyOf(value as Required<ElementChunk>);
      }
    } catch {
      // Reading by the usual way fails in words.
      return false;
    } finally {
      parts.return(false);
    }
  }

  /** What the second thread has written of its next stretch. */
  private async *theirs(reuse: boolean): AsyncGenerator<ElementChunk, boolean> {
    const { control, slots } = this.task;
    for (;;) {
      if (Atomics.load(control, FILLED) === this.emptied && !(await this.another())) return false;
      const slot = new Slot(slots, this.emptied);
      const [, what, bytes = 0, records = 0] = slot.head;
      try {
        if (what !== PART) return what === DONE;
        const part = {
          data: slot.data.subarray(0, bytes),
          ends: slot.ends.subarray(0, records),
          lines: slot.lines.subarray(0, records),
          mark: { offset: slot.mark[0] as number, line: slot.mark[1] as number },
        };
        yield reuse ? part : copyOf(part);
      } finally {
        this.emptied += 1;
        Atomics.store(control, EMPTIED, this.emptied);
        Atomics.notify(control, EMPTIED);
      }
    }
  }

  async stop(): Promise<void> {
    Atomics.store(this.task.control, STOP, 1);
    Atomics.add(this.task.control, EMPTIED, 1);
    Atomics.notify(this.task.control, EMPTIED);
    await this.run?.stop();
    keepSlots(this.task.slots);
    this.release();
  }

  /** Waits until another slot is filled; false where none will be. */
  private async another(): Promise<boolean> {
    const { control } = this.task;
    while (Atomics.load(control, FILLED) === this.emptied) {
      if (this.ended) return false;
      const woken = new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      Atomics.store(control, SLEEPS, 1);
      // It may have filled one, or ended, before it could see that.
      if (Atomics.load(control, FILLED) !== this.emptied || this.ended) break;
      await woken;
    }
    return Atomics.load(control, FILLED) !== this.emptied;
  }
}

/** In memory of its own. */
function copyOf({ data, ends, lines, mark }: Required<ElementChunk>): ElementChunk {
  return { data: takeOut(data), ends: ends.slice(), lines: lines.slice(), mark };
}

/** Where stretches of one size or more start, and where the last one ends. */
function stretches(from: SourceMark, points: ResumePoints, size: number): SourceMark[] {
  const marks: SourceMark[] = [from];
  let last = from.offset;
  for (let i = 0; i < points.count; i++) {
    const point = points.at(i);
    if (point.offset - last < STRETCH_BYTES) continue;
    marks.push({ offset: point.offset, line: point.line });
    last = point.offset;
  }
  marks.push({ offset: size, line: 0 });
  return marks;
}
