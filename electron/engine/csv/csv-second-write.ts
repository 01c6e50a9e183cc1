/**
 * Writes a big table with two threads, each some stretches of it: the second writes into slots of shared memory, in the
 * order of the file, and the first reads them.
 */

import type { ElementChunk } from '../core/payload.ts';
import { type SecondTask, STOP } from '../core/second-thread.ts';
import type { ReadNow } from '../core/source.ts';
import { MOST_RECORDS } from './csv-kernel.ts';
import type { WritePlan } from './csv-plan.ts';
import type { Table } from './csv-reference.ts';
import { ALL, OUTPUT_BYTES, ROOM_BYTES, TableWriter } from './csv-writer.ts';

// Words of `control`, besides STOP: slots filled, slots read, and whether the first thread sleeps.
export const FILLED = 1;
export const EMPTIED = 2;
export const SLEEPS = 3;
/** Offset of the words that say which thread has claimed each stretch. */
export const CLAIMS = 4;
export const FREE = 0;
export const TAKEN_BY_FIRST = 1;
const TAKEN_BY_SECOND = 2;

export const SLOTS = 5;
/** A slot's header: stretch, kind, bytes, records; then offset and line of the first record's checkpoint. */
const HEAD_BYTES = 64;
const LIST_BYTES = 4 * MOST_RECORDS;
/** A whole number of words. */
const DATA_BYTES = OUTPUT_BYTES + HEAD_BYTES;
const SLOT_BYTES = HEAD_BYTES + DATA_BYTES + 2 * LIST_BYTES;

/** Kinds of slot: records; end of a stretch; end of what could be written of a stretch. */
export const PART = 0;
export const DONE = 1;
export const GIVEN_UP = 2;

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

export function takeSlots(): SharedArrayBuffer {
  const slots = idleSlots ?? new SharedArrayBuffer(SLOTS * SLOT_BYTES);
  idleSlots = undefined;
  return slots;
}

/** Both threads have finished with them. */
export function keepSlots(slots: SharedArrayBuffer): void {
  idleSlots = slots;
}

/** One slot as both threads see it. */
export class Slot {
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
export class StretchWriter {
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
