/**
 * Writes a big table with two threads, each some stretches of it: the second writes into slots of shared memory, in the
 * order of the file, and the first reads them.
 */
import type { Checkpoint, ElementChunk } from '../core/payload.ts';
import type { StoredText } from '../core/reader.ts';
import type { ResumePoints } from '../core/resume-points.ts';
import { type ReadNow, type SecondRun, type SecondTask, type SecondThread, STOP } from '../core/source.ts';
import { takeOut } from '../kernel/kernel.ts';
import { MOST_RECORDS } from './csv-kernel.ts';
import type { WritePlan } from './csv-plan.ts';
import type { Table } from './csv-reference.ts';
import { ALL, OUTPUT_BYTES, ROOM_BYTES, TableWriter } from './csv-writer.ts';

// Words of `control`, besides STOP: slots filled, slots read, and whether the first thread sleeps.
const FILLED = 1;
const EMPTIED = 2;
const SLEEPS = 3;
/** Offset of the words that say which thread has claimed each stretch. */
export const CLAIMS = 4;
const FREE = 0;
const TAKEN_BY_FIRST = 1;
const TAKEN_BY_SECOND = 2;

const SLOTS = 5;
/** A slot's header: stretch, kind, bytes, records; then offset and line of the first record's checkpoint. */
const HEAD_BYTES = 64;
const LIST_BYTES = 4 * MOST_RECORDS;
/** A whole number of words. */
const DATA_BYTES = OUTPUT_BYTES + HEAD_BYTES;
const SLOT_BYTES = HEAD_BYTES + DATA_BYTES + 2 * LIST_BYTES;

/** Kinds of slot: records; end of a stretch; end of what could be written of a stretch. */
const PART = 0;
const DONE = 1;
const GIVEN_UP = 2;

export interface WriteTask extends SecondTask {
  readonly kind: 'csv-write';
  /** Where the text starts in the source. */
  readonly base: number;
  readonly table: Table;
  readonly plan: WritePlan;
  /** Where each stretch starts, and where the last one ends. */
  readonly offsets: Float64Array;
  readonly lines: Float64Array;
  readonly slots: SharedArrayBuffer;
}

/** Slots are reused for the next table, because the garbage collector would free them late. */
let idleSlots: SharedArrayBuffer | undefined;

function takeSlots(): SharedArrayBuffer {
  const slots = idleSlots ?? new SharedArrayBuffer(SLOTS * SLOT_BYTES);
  idleSlots = undefined;
  return slots;
}

/** Both threads have finished with them. */
function keepSlots(slots: SharedArrayBuffer): void {
  idleSlots = slots;
}

/** One slot as both threads see it. */
class Slot {
  readonly head: Int32Array;
  /** Offset and line of the first record. */
  readonly checkpoint: Float64Array;
  /** The part's data, after the spare byte of an ElementChunk. */
  readonly withRoom: Uint8Array;
  readonly ends: Uint32Array;
  readonly lines: Uint32Array;

  constructor(slots: SharedArrayBuffer, index: number) {
    const at = (index % SLOTS) * SLOT_BYTES;
    this.head = new Int32Array(slots, at, 4);
    this.checkpoint = new Float64Array(slots, at + 16, 2);
    this.withRoom = new Uint8Array(slots, at + HEAD_BYTES, ROOM_BYTES + OUTPUT_BYTES);
    this.ends = new Uint32Array(slots, at + HEAD_BYTES + DATA_BYTES, MOST_RECORDS);
    this.lines = new Uint32Array(slots, at + HEAD_BYTES + DATA_BYTES + LIST_BYTES, MOST_RECORDS);
  }
}

/** Writes every second stretch that is unclaimed when it gets there, except the last. `tell` wakes the first thread. */
export function writeAhead(task: WriteTask, readNow: ReadNow, tell: (found: null) => void): void {
  const slots = new SlotsToFill(task, () => tell(null));
  const writer = new StretchWriter(task, readNow);
  try {
    for (let stretch = 1; stretch < task.offsets.length - 2; stretch += 2) {
      if (slots.stopped) return;
      if (Atomics.compareExchange(task.control, CLAIMS + stretch, FREE, TAKEN_BY_SECOND) !== FREE) continue;
      slots.fill(stretch, fillFrom(writer, stretch, slots) ? DONE : GIVEN_UP);
    }
  } finally {
    writer.release();
  }
}

function fillFrom(writer: StretchWriter, stretch: number, slots: SlotsToFill): boolean {
  writer.begin(stretch);
  for (let part = writer.next(); part; part = writer.next()) {
    if (part.data.length > OUTPUT_BYTES || slots.stopped || !slots.fill(stretch, PART, part)) return false;
  }
  return writer.isDone;
}

/** Reads stretches straight into the kernel's memory and writes them. */
class StretchWriter {
  private readonly task: WriteTask;
  private readonly readNow: ReadNow;
  private readonly writer: TableWriter;
  /** Unread rest of the stretch. */
  private at = 0;
  private end = 0;
  /** Whether the held text may contain whole records. */
  private isLoaded = false;

  constructor(task: WriteTask, readNow: ReadNow) {
    this.task = task;
    this.readNow = readNow;
    this.writer = new TableWriter(task.table, task.plan, { withCheckpoints: true, reuse: true });
  }

  begin(stretch: number): void {
    const { offsets, lines } = this.task;
    this.at = offsets[stretch] as number;
    this.end = offsets[stretch + 1] as number;
    this.isLoaded = false;
    this.writer.begin({ ...ALL, from: { offset: this.at, line: lines[stretch] as number } });
  }

  /** The next records, in memory that later records reuse; undefined if none are left or readable. */
  next(): ElementChunk | undefined {
    const { kernel } = this.writer;
    for (;;) {
      const part = this.isLoaded ? this.writer.next() : undefined;
      if (part) return part;
      if (this.at === this.end) return undefined;
      const count = kernel.fillBy((memory, address, room) =>
        this.readNow(memory, address, Math.min(room, this.end - this.at), this.task.base + this.at),
      );
      if (count === 0) return undefined;
      this.at += count;
      this.isLoaded = kernel.isFull || this.at === this.end;
    }
  }

  /** Whether the stretch was written to its end. */
  get isDone(): boolean {
    const { kernel } = this.writer;
    return this.at === this.end && kernel.from === kernel.end;
  }

  release(): void {
    this.writer.kernel.release();
  }
}

class SlotsToFill {
  private readonly task: WriteTask;
  private readonly wake: () => void;
  private filled = 0;

  constructor(task: WriteTask, wake: () => void) {
    this.task = task;
    this.wake = wake;
  }

  get stopped(): boolean {
    return Atomics.load(this.task.control, STOP) === 1;
  }

  /** Waits for a slot; false if the task is to end. */
  fill(stretch: number, what: number, part?: ElementChunk): boolean {
    const { control, slots } = this.task;
    for (;;) {
      const emptied = Atomics.load(control, EMPTIED);
      if (this.filled - emptied < SLOTS) break;
      if (this.stopped) return false;
      Atomics.wait(control, EMPTIED, emptied);
    }
    const slot = new Slot(slots, this.filled);
    slot.head.set([stretch, what, part?.data.length ?? 0, part?.ends.length ?? 0]);
    if (part) {
      slot.checkpoint.set([part.checkpoint?.offset ?? 0, part.checkpoint?.line ?? 0]);
      slot.withRoom.set(part.data, ROOM_BYTES);
      slot.ends.set(part.ends);
      if (part.lines) slot.lines.set(part.lines);
    }
    this.filled += 1;
    Atomics.store(control, FILLED, this.filled);
    if (Atomics.exchange(control, SLEEPS, 0) === 1) this.wake();
    return true;
  }
}

// The first thread's side: yields the stretches in order.

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
