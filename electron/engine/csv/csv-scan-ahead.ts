/** Gives the first thread the results of chunks that the second thread scanned ahead. */

import type { StoredText } from '../core/reader.ts';
import type { SecondRun, SecondThread } from '../core/second-thread.ts';
import { STOP } from '../core/second-thread.ts';
import type { ReadNow } from '../core/source.ts';
import type { RowScanOptions } from './csv-row-scan.ts';
import {
  CLAIMS,
  FREE,
  RowStarts,
  type ScannedChunk,
  type ScannedRows,
  type ScanTask,
  scanChunk,
  TAKEN_BY_FIRST,
} from './csv-second-scan.ts';

const CHUNK_BYTES = 4 * 1024 * 1024;
/** With fewer chunks left, one thread finishes as fast. */
const FEWEST_CHUNKS = 3;

export class ScanAhead {
  /** Start of the chunk to ask for next. */
  boundary: number;
  private readonly task: ScanTask;
  private readonly readNow: ReadNow;
  /** Set only if this thread need not read all of the text. */
  private readonly starts: RowStarts | undefined;
  private readonly found = new Map<number, ScannedRows | null>();
  private readonly release: () => void;
  private readonly run: SecondRun | undefined;
  private ended = false;
  private wake: () => void = () => undefined;

  /** Undefined if there is no second thread, or too little text after `start`. */
  static begin(text: StoredText, options: RowScanOptions, start: number, second: SecondThread): ScanAhead | undefined {
    const chunkBytes = second.pieces?.scanned ?? CHUNK_BYTES;
    const from = Math.floor(start / chunkBytes) + 1;
    // The first thread always scans the last chunk, which may be cut off.
    const to = Math.floor(text.size / chunkBytes);
    if (to - from < FEWEST_CHUNKS) return undefined;
    const ahead = new ScanAhead(text, { options, chunkBytes, from, to }, second);
    return ahead.run ? ahead : undefined;
  }

  private constructor(text: StoredText, chunks: Pick<ScanTask, 'options' | 'chunkBytes' | 'from' | 'to'>, second: SecondThread) {
    const { elsewhere, base, skips } = text;
    const { chunkBytes, from, to } = chunks;
    this.boundary = from * chunkBytes;
    const control = new Int32Array(new SharedArrayBuffer(4 * (CLAIMS + to - from)));
    this.task = { kind: 'csv-scan', control, facts: elsewhere.facts, base, ...chunks };
    this.readNow = elsewhere.readNow;
    this.starts = skips && new RowStarts(this.task, this.readNow);
    this.release = elsewhere.hold();
    this.run = second.begin(
      this.task,
      (message) => {
        const { chunk, found } = message as ScannedChunk;
        this.found.set(chunk, found);
        this.wake();
      },
      () => {
        this.ended = true;
        this.wake();
      },
    );
    if (!this.run) this.release();
  }

  /**
   * The result for the chunk at the boundary; the boundary then moves to the next chunk. Undefined if this thread must
   * scan the text: because the guessed row start is wrong, or because no thread has claimed the chunk and this thread
   * reads everything anyway.
   */
  async next(): Promise<ScannedRows | undefined> {
    const { found } = this;
    const { control, chunkBytes, from, to } = this.task;
    const chunk = this.boundary / chunkBytes;
    this.boundary = chunk + 1 < to ? this.boundary + chunkBytes : Number.POSITIVE_INFINITY;
    if (Atomics.compareExchange(control, CLAIMS + chunk - from, FREE, TAKEN_BY_FIRST) === FREE) {
      return this.starts && this.scanned(chunk, this.starts);
    }
    while (!found.has(chunk) && !this.ended) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    const rows = found.get(chunk);
    found.delete(chunk);
    return rows ?? undefined;
  }

  private scanned(chunk: number, starts: RowStarts): ScannedRows | undefined {
    try {
      return scanChunk(this.task, this.readNow, starts, chunk) ?? undefined;
    } catch {
      // Reading the text in this thread meets the same error and reports it.
      return undefined;
    }
  }

  async stop(): Promise<void> {
    Atomics.store(this.task.control, STOP, 1);
    await this.run?.stop();
    this.release();
  }
}
