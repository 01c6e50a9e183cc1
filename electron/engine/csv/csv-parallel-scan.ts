/**
 * Scans a big table with two threads: the second scans chunks ahead of the first, guessing at which line break a row
 * starts. When the first thread gets there, it checks the guess and scans a chunk itself if the guess was wrong.
 */
import { isUtf8 } from 'node:buffer';
import type { StoredText } from '../core/reader.ts';
import { type ReadNow, type SecondRun, type SecondTask, type SecondThread, STOP } from '../core/source.ts';
import { type RecordCheckpoint, type RowCounts, RowScan, type RowScanOptions } from './csv-row-scan.ts';

/** Offset of the words that say which thread has claimed each chunk. */
export const CLAIMS = 1;
/** Not claimed yet. */
const FREE = 0;
const TAKEN_BY_FIRST = 1;
const TAKEN_BY_SECOND = 2;

/** Text searched for the start of a row, and number of line breaks that are tried. */
const GUESSED_BYTES = 64 * 1024;
const GUESSED_LINES = 16;
/** Text that is checked for being rows. */
const LOOKED_AT_BYTES = 8 * 1024;
const LF = 0x0a;

export interface ScanTask extends SecondTask {
  readonly kind: 'csv-scan';
  /** Where the text starts in the source. */
  readonly base: number;
  readonly options: RowScanOptions;
  /** Text of a chunk; the first chunk starts where the text does. */
  readonly chunkBytes: number;
  /** Chunks that may be claimed: from one, up to but excluding another. */
  readonly from: number;
  readonly to: number;
}

/** The result for a chunk; null if it is of no use. */
interface ScannedChunk {
  readonly chunk: number;
  readonly found: ScannedRows | null;
}

/** Rows from the first one that starts in a chunk to the first one of the next. Plain data. */
export interface ScannedRows {
  readonly start: number;
  readonly end: number;
  readonly counts: RowCounts;
  /** Counted from the start, except for their offsets. */
  readonly checkpoints: readonly RecordCheckpoint[];
}

/** Claims and scans chunks until none is left, and reports each. */
export function scanAhead(task: ScanTask, readNow: ReadNow, tell: (found: ScannedChunk) => void): void {
  const { control } = task;
  const starts = new RowStarts(task, readNow);
  for (const chunk of inOrder(task)) {
    if (Atomics.load(control, STOP) === 1) return;
    if (Atomics.compareExchange(control, CLAIMS + chunk - task.from, FREE, TAKEN_BY_SECOND) !== FREE) continue;
    tell({ chunk, found: scanChunk(task, readNow, starts, chunk) });
  }
}

/** Every second chunk, so that both threads read nearby parts of the file; then the remaining ones, from the end. */
function* inOrder({ from, to }: ScanTask): Iterable<number> {
  for (let chunk = from; chunk < to; chunk += 2) yield chunk;
  for (let chunk = to - 1; chunk >= from; chunk -= 1) yield chunk;
}

function scanChunk(task: ScanTask, readNow: ReadNow, starts: RowStarts, chunk: number): ScannedRows | null {
  const start = starts.of(chunk);
  const end = starts.of(chunk + 1);
  if (start === undefined || end === undefined) return null;
  const checkpoints: RecordCheckpoint[] = [];
  const rows = new RowScan(task.options, { offset: start, line: 0, afterCr: false }, (checkpoint) =>
    checkpoints.push(checkpoint),
  );
  // The first thread handles refused rows and reports their errors.
  return scanUntil(rows, end, task, readNow) ? { start, end, counts: rows.counts(), checkpoints } : null;
}

/** Scans whole rows up to an offset. False, and the end of this scan, if no row ends there or a row is refused. */
function scanUntil(rows: RowScan, end: number, { base }: ScanTask, readNow: ReadNow): boolean {
  try {
    while (rows.fedTo < end) {
      const count = rows.kernel.fillBy((memory, address, room) =>
        readNow(memory, address, Math.min(room, end - rows.fedTo), base + rows.fedTo),
      );
      const { kernel } = rows;
      const from = kernel.from;
      if (count === 0 || !rows.run()) return false;
      // Whole rows contain whole characters.
      const taken = Buffer.from(kernel.bytes.buffer, from, kernel.from - from);
      if (!isUtf8(taken) || taken.includes(0)) return false;
    }
    return rows.kernel.offset === end;
  } finally {
    rows.kernel.release();
  }
}

/** The guessed start of each chunk's first row: after a line break, which may turn out to be inside quotes. */
class RowStarts {
  private readonly task: ScanTask;
  private readonly readNow: ReadNow;
  private readonly known = new Map<number, number | undefined>();

  constructor(task: ScanTask, readNow: ReadNow) {
    this.task = task;
    this.readNow = readNow;
  }

  /** Undefined if no line break follows soon. */
  of(chunk: number): number | undefined {
    if (!this.known.has(chunk)) this.known.set(chunk, this.guess(chunk * this.task.chunkBytes));
    return this.known.get(chunk);
  }

  private guess(from: number): number | undefined {
    const { task, readNow } = this;
    const text = Buffer.alloc(GUESSED_BYTES);
    const count = readNow(text, 0, text.length, task.base + from - 1);
    const lines: number[] = [];
    for (let at = text.indexOf(LF); at >= 0 && at < count; at = text.indexOf(LF, at + 1)) {
      lines.push(at + 1);
      if (lines.length > GUESSED_LINES) break;
    }
    const [first] = lines;
    if (first === undefined) return undefined;
    const start =
      lines.find(
        (at, i) => i < GUESSED_LINES && this.isRow(text.subarray(at, Math.min(at + LOOKED_AT_BYTES, count)), from - 1 + at),
      ) ?? first;
    return from - 1 + start;
  }

  /** Whether the text starts with rows that have as many cells as the table has columns. */
  private isRow(text: Uint8Array, offset: number): boolean {
    const { options } = this.task;
    const rows = new RowScan(options, { offset, line: 0, afterCr: false }, () => undefined);
    try {
      rows.kernel.fill(text, 0);
      if (!rows.run()) return false;
      const { records, shortRows, longRows } = rows.counts();
      return records > 0 && shortRows + longRows === 0;
    } finally {
      rows.kernel.release();
    }
  }
}

// The first thread's side.

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
