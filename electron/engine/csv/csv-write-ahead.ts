/** Yields the stretches of a table in order, including those that the second thread writes. */

import type { Checkpoint, ElementChunk } from '../core/payload.ts';
import type { StoredText } from '../core/reader.ts';
import type { ResumePoints } from '../core/resume-points.ts';
import { type SecondRun, type SecondThread, STOP } from '../core/second-thread.ts';
import type { ReadNow } from '../core/source.ts';
import { takeOut } from '../kernel/kernel.ts';
import type { WritePlan } from './csv-plan.ts';
import type { Table } from './csv-reference.ts';
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
  StretchWriter,
  TAKEN_BY_FIRST,
  takeSlots,
  type WriteTask,
} from './csv-second-write.ts';
import { ROOM_BYTES } from './csv-writer.ts';

/** Minimum text of a stretch, unless the second thread names another. */
const STRETCH_BYTES = 1024 * 1024;
/** With fewer stretches left, one thread finishes as fast. */
const FEWEST_STRETCHES = 16;

/** Undefined at the end. */
type Part = ElementChunk | undefined;

export class WriteAhead {
  private readonly task: WriteTask;
  private readonly readNow: ReadNow;
  private readonly release: () => void;
  private readonly run: SecondRun | undefined;
  /** Whether all of the stretch was yielded. */
  isDone = false;
  private writer: StretchWriter | undefined;
  private isMine = true;
  private isLast = false;
  private emptied = 0;
  private holdsSlot = false;
  private ended = false;
  private wake: () => void = () => undefined;

  /** Undefined if there is no second thread, or too little text from `from` on. */
  static begin(
    text: StoredText,
    table: Table,
    plan: WritePlan,
    from: Checkpoint,
    points: ResumePoints,
    second: SecondThread,
  ): WriteAhead | undefined {
    const least = second.pieces?.written ?? STRETCH_BYTES;
    if (text.size - from.offset < FEWEST_STRETCHES * least) return undefined;
    const checkpoints = stretches(from, points, text.size, least);
    if (checkpoints.length <= FEWEST_STRETCHES) return undefined;
    const ahead = new WriteAhead(text, table, plan, checkpoints, second);
    return ahead.run ? ahead : undefined;
  }

  private constructor(text: StoredText, table: Table, plan: WritePlan, checkpoints: readonly Checkpoint[], second: SecondThread) {
    const { elsewhere, base } = text;
    this.release = elsewhere.hold();
    this.readNow = elsewhere.readNow;
    this.task = {
      kind: 'csv-write',
      control: new Int32Array(new SharedArrayBuffer(4 * (CLAIMS + checkpoints.length))),
      facts: elsewhere.facts,
      base,
      table,
      plan,
      offsets: Float64Array.from(checkpoints, ({ offset }) => offset),
      lines: Float64Array.from(checkpoints, ({ line }) => line),
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

  /** Number of stretches. */
  get count(): number {
    return this.task.offsets.length - 1;
  }

  /** Start and end of a stretch. */
  bounds(stretch: number): { from: Checkpoint; to: number | undefined } {
    const { offsets, lines } = this.task;
    const from = { offset: offsets[stretch] as number, line: lines[stretch] as number };
    return { from, to: stretch === this.count - 1 ? undefined : offsets[stretch + 1] };
  }

  /** Begins a stretch; this thread writes it unless the second one has claimed it. Call it in order. */
  begin(stretch: number): void {
    const { control } = this.task;
    this.isDone = false;
    this.isMine = Atomics.compareExchange(control, CLAIMS + stretch, FREE, TAKEN_BY_FIRST) === FREE;
    if (!this.isMine) return;
    this.isLast = stretch === this.count - 1;
    if (this.isLast) return;
    this.writer ??= new StretchWriter(this.task, this.readNow);
    this.writer.begin(stretch);
  }

  /**
   * The next part of the stretch; undefined at the end of what is available here. `isDone` then tells whether the stretch
   * is complete; for the last stretch it never is. Memory is reused for later parts unless `reuse` is false.
   */
  next(reuse: boolean): Part | Promise<Part> {
    if (!this.isMine) return this.theirs(reuse);
    if (this.isLast || !this.writer) return undefined;
    try {
      const part = this.writer.next();
      this.isDone = this.writer.isDone;
      return part && !reuse ? copyOf(part) : part;
    } catch {
      // Reading in the usual way reports the error.
      return undefined;
    }
  }

  /** The next part that the second thread wrote. */
  private theirs(reuse: boolean): Part | Promise<Part> {
    this.handBack();
    const { control } = this.task;
    if (Atomics.load(control, FILLED) > this.emptied) return this.take(reuse);
    return this.another().then((isThere) => (isThere ? this.take(reuse) : undefined));
  }

  private take(reuse: boolean): Part {
    const slot = new Slot(this.task.slots, this.emptied);
    const [, what, bytes = 0, records = 0] = slot.head;
    this.holdsSlot = true;
    if (what !== PART) {
      this.isDone = what === DONE;
      this.handBack();
      return undefined;
    }
    const part = {
      data: slot.withRoom.subarray(ROOM_BYTES, ROOM_BYTES + bytes),
      withRoom: slot.withRoom.subarray(0, ROOM_BYTES + bytes),
      ends: slot.ends.subarray(0, records),
      lines: slot.lines.subarray(0, records),
      checkpoint: { offset: slot.checkpoint[0] as number, line: slot.checkpoint[1] as number },
    };
    return reuse ? part : copyOf(part);
  }

  /** Frees the slot that was yielded. */
  private handBack(): void {
    if (!this.holdsSlot) return;
    this.holdsSlot = false;
    this.emptied += 1;
    Atomics.store(this.task.control, EMPTIED, this.emptied);
    Atomics.notify(this.task.control, EMPTIED);
  }

  async stop(): Promise<void> {
    Atomics.store(this.task.control, STOP, 1);
    Atomics.add(this.task.control, EMPTIED, 1);
    Atomics.notify(this.task.control, EMPTIED);
    this.writer?.release();
    await this.run?.stop();
    keepSlots(this.task.slots);
    this.release();
  }

  /** Waits until another slot is filled; false if none will be. */
  private async another(): Promise<boolean> {
    const { control } = this.task;
    while (Atomics.load(control, FILLED) === this.emptied) {
      if (this.ended) return false;
      const woken = new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      Atomics.store(control, SLEEPS, 1);
      // The second thread may have filled a slot, or ended, before it saw the flag.
      if (Atomics.load(control, FILLED) !== this.emptied || this.ended) break;
      await woken;
    }
    return Atomics.load(control, FILLED) !== this.emptied;
  }
}

/** Copied into separate memory. */
function copyOf({ data, ends, lines, checkpoint }: ElementChunk): ElementChunk {
  return { data: takeOut(data), ends: ends.slice(), ...(lines && { lines: lines.slice() }), checkpoint };
}

/** Boundaries of stretches that have at least the minimum size. */
function stretches(from: Checkpoint, points: ResumePoints, size: number, least: number): Checkpoint[] {
  const checkpoints: Checkpoint[] = [from];
  let last = from.offset;
  for (let i = 0; i < points.count; i++) {
    const point = points.at(i);
    if (point.offset - last < least) continue;
    checkpoints.push({ offset: point.offset, line: point.line });
    last = point.offset;
  }
  checkpoints.push({ offset: size, line: 0 });
  return checkpoints;
}
