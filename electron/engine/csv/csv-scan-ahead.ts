/** What the second thread finds out about a text's chunks, for the first one, which reads all of the text. */

import type { StoredText } from '../core/reader.ts';
import type { SecondRun, SecondThread } from '../core/second-thread.ts';
import { STOP } from '../core/second-thread.ts';
import type { ReadNow } from '../core/source.ts';
import type { RowScanOptions } from './csv-row-scan.ts';
import {
  CHUNK_BYTES,
  CLAIMS,
  FREE,
  RowStarts,
  type ScannedChunk,
  type ScannedRows,
  type ScanTask,
  scanChunk,
  TAKEN_BY_FIRST,
} from './csv-second-scan.ts';

/** With fewer chunks to go, one thread is done as soon. */
const FEWEST_CHUNKS = 3;

export class ScanAhead {
  /** Where the chunk starts that is to be asked for next. */
  boundary: number;
  private readonly task: ScanTask;
  private readonly readNow: ReadNow;
  /** Only where not all of the text need be read in this thread. */
  private readonly starts: RowStarts | undefined;
  private readonly found = new Map<number, ScannedRows | null>();
  private readonly release: () => void;
  private readonly run: SecondRun | undefined;
  private ended = false;
  private wake: () => void = () => undefined;

  /** Undefined where there is no second thread, or too little text after `start` to begin. */
  static begin(text: StoredText, options: RowScanOptions, start: number, second: SecondThread): ScanAhead | undefined {
    const from = Math.floor(start / CHUNK_BYTES) + 1;
    // The last chunk, which may lack its end, is the first thread's.
    const to = Math.floor(text.size / CHUNK_BYTES);
    if (to - from < FEWEST_CHUNKS) return undefined;
    const ahead = new ScanAhead(text, options, from, to, second);
    return ahead.run ? ahead : undefined;
  }

  private constructor(text: StoredText, options: RowScanOptions, from: number, to: number, second: SecondThread) {
    const { elsewhere, base, skips } = text;
    this.boundary = from * CHUNK_BYTES;
    const control = new Int32Array(new SharedArrayBuffer(4 * (CLAIMS + to - from)));
    this.task = { kind: 'csv-scan', control, facts: elsewhere.facts, base, options, from, to };
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
   * What is found in the chunk at the boundary, which is the next one's from then on. Undefined where the text has to be scanned
   * as it comes: because the guess fails, or because the chunk is nobody's and all has to be read here anyway.
   */
  async next(): Promise<ScannedRows | undefined> {
    const { found } = this;
    const { control, from, to } = this.task;
    const chunk = this.boundary / CHUNK_BYTES;
    this.boundary = chunk + 1 < to ? this.boundary + CHUNK_BYTES : Number.POSITIVE_INFINITY;
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
      // Whatever it was, reading the text as it comes meets it too, and says so.
      return undefined;
    }
  }

  async stop(): Promise<void> {
    Atomics.store(this.task.control, STOP, 1);
    await this.run?.stop();
    this.release();
  }
}
