/** Where the engine's bytes come from, in this thread and in a second one. The engine opens no files: the caller passes it a source. */
/** How chunks are yielded. */
export interface ReadOptions {
  /**
   * The receiver has finished with a chunk when it asks for the next, so its memory may be reused. A source may yield
   * separate chunks anyway.
   */
  readonly reuse?: boolean | undefined;
  /** Ranges that need not be read. A source may read them anyway. */
  readonly skips?: Skips | undefined;
}

/** Bytes that the receiver of a stream does not need; updated while reading. Offsets in the source, in bytes. */
export interface Skips {
  /** Bytes before this offset are not needed; it is below the source's size. Set by the receiver. */
  until: number;
  /** Start of the chunk that was yielded last. Set by the source. */
  at: number;
}

/** Bytes that can be read from the start repeatedly, with the same result each time. */
export interface ByteSource {
  /** Base name, used only to detect format and compression. */
  readonly name: string;
  /** Size in bytes before decompression. */
  readonly size: number;
  /** Equal only for sources with equal bytes: for a file, its identity and modification time. Absent if unknown. */
  readonly identity?: string | undefined;
  /**
   * Streams the bytes from the start. The receiver owns the chunks, unless it allows memory to be reused. Chunks are not
   * Buffers.
   */
  read(signal?: AbortSignal, options?: ReadOptions): AsyncIterable<Uint8Array>;
  /** Streams the bytes from an offset on without reading earlier ones; absent if unsupported. */
  readFrom?(offset: number, signal?: AbortSignal, options?: ReadOptions): AsyncIterable<Uint8Array>;
  /** Reads at once, blocking the thread; absent if bytes come from another thread. */
  readonly readNow?: ReadNow | undefined;
  /** Content of the write-ahead log beside a database file when the file was opened; absent without a log. */
  readonly log?: Uint8Array | undefined;
  /** Whether there is a log that could not be read. */
  readonly logUnread?: boolean | undefined;
  /** Whether a rollback journal is beside a database file: a change to it is not finished. */
  readonly isUnfinished?: boolean | undefined;
  /** How another thread of this process can read the bytes directly; absent if they must be sent to it. */
  readonly elsewhere?: Elsewhere | undefined;
}

/** Access to a source's bytes from another thread. */
export interface Elsewhere {
  /** Plain data from which the other thread's `OpenElsewhere` opens a source. */
  readonly facts: unknown;
  /** Keeps the bytes readable there until the returned function is called, even if the source is closed. */
  hold(): () => void;
  /** The same in this thread: reads synchronously. */
  readonly readNow: ReadNow;
}

/** Reads up to `length` bytes from `offset` into memory at `address`, blocking the thread; returns the number read. */
export type ReadNow = (memory: Uint8Array, address: number, length: number, offset: number) => number;

/** A source as another thread reads it. */
export interface SharedSource extends Required<Pick<ByteSource, 'read' | 'readFrom'>>, Pick<Elsewhere, 'hold' | 'readNow'> {
  /** Once this resolves, nothing is read any more. */
  close(): Promise<void>;
}

export type OpenElsewhere = (facts: unknown) => SharedSource;

// The second thread for large files: it takes a task and reports results.

/** A task: plain data, in which `control` is shared memory. */
export interface SecondTask {
  readonly kind: string;
  /** Description of the source, for `OpenElsewhere`. */
  readonly facts: unknown;
  /** Its first word is set to 1 to stop the task. */
  readonly control: Int32Array;
}

export interface SecondRun {
  /** Stops the task; resolves when the thread reads nothing for it any more. Can be called repeatedly. */
  stop(): Promise<void>;
}

/** Minimum text of the pieces that two threads share out. Bytes. */
export interface Pieces {
  /** A whole multiple of 64 KiB. */
  readonly scanned: number;
  readonly written: number;
}

export interface SecondThread {
  /** Default: pieces that are worth a message between threads. */
  readonly pieces?: Pieces;
  /**
   * Begins a task. Undefined if the thread is busy or unavailable: the caller then does the work alone. `onFound`
   * receives the task's reports; `onEnd` is called once, after the last one.
   */
  begin(task: SecondTask, onFound: (found: unknown) => void, onEnd: () => void): SecondRun | undefined;
}

/** Index in `control` of the word that stops a task. */
export const STOP = 0;
