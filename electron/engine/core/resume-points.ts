/** Keeps evenly spread checkpoints of a big list, in bounded memory, so that reading can resume there. */
import type { Checkpoint, ResumePoint } from './payload.ts';

/** Initial distance between two points in the JSON. Bytes. */
const FIRST_STRIDE = 64 * 1024;
/** At this many points every second one is dropped: 1.5 MB. */
const MAX_POINTS = 64 * 1024;

export class ResumePoints {
  count = 0;
  private records = new Float64Array(256);
  private offsets = new Float64Array(256);
  private lines = new Float64Array(256);
  private stride = FIRST_STRIDE;
  /** JSON bytes since the last point that was kept. */
  private since = Number.POSITIVE_INFINITY;

  /** Registers a chunk: the index of its first element, its checkpoint, and its size in bytes. */
  add(record: number, checkpoint: Checkpoint, bytes: number): void {
    if (this.since >= this.stride) {
      this.since = 0;
      if (this.count === MAX_POINTS) this.thin();
      if (this.count === this.records.length) this.grow();
      this.records[this.count] = record;
      this.offsets[this.count] = checkpoint.offset;
      this.lines[this.count] = checkpoint.line;
      this.count += 1;
    }
    this.since += bytes;
  }

  /** The last point at or before an element; undefined if there is none. */
  before(record: number): ResumePoint | undefined {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.records[middle] as number) <= record) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return undefined;
    return this.at(low - 1);
  }

  /** The first point at or after an offset; undefined if there is none. */
  from(offset: number): ResumePoint | undefined {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.offsets[middle] as number) < offset) low = middle + 1;
      else high = middle;
    }
    return low < this.count ? this.at(low) : undefined;
  }

  /** A point by its index, from 0. */
  at(index: number): ResumePoint {
    return {
      record: this.records[index] as number,
      offset: this.offsets[index] as number,
      line: this.lines[index] as number,
    };
  }

  /** Approximate JSON bytes between two points. */
  get spacing(): number {
    return this.stride;
  }

  private thin(): void {
    for (const list of [this.records, this.offsets, this.lines]) {
      for (let i = 0; i < this.count; i += 2) list[i / 2] = list[i] as number;
    }
    this.count = Math.ceil(this.count / 2);
    this.stride *= 2;
  }

  private grow(): void {
    const wider = (old: Float64Array<ArrayBuffer>) => {
      const grown = new Float64Array(old.length * 2);
      grown.set(old);
      return grown;
    };
    this.records = wider(this.records);
    this.offsets = wider(this.offsets);
    this.lines = wider(this.lines);
  }
}
