/** Where the engine's bytes come from. The engine never opens a file: whoever does hands it a source. */

/** How chunks are given. */
export interface ReadOptions {
  /**
   * The receiver is done with a chunk when it asks for the next: its memory may be used again for that one. A source may give
   * chunks of their own all the same.
   */
  readonly reuse?: boolean | undefined;
  /** What need not be read. A source may read it all the same. */
  readonly skips?: Skips | undefined;
}

/** What the receiver of a stream does without, as it comes to know of it. Offsets in the source, in bytes. */
export interface Skips {
  /** Nothing before this is wanted any more; less than the source has. Set by the receiver. */
  until: number;
  /** Where the chunk starts that was given last. Set by the source. */
  at: number;
}

/** Bytes that can be read from the start as often as needed, and are the same each time. */
export interface ByteSource {
  /** Base name, used only to tell format and compression. */
  readonly name: string;
  /** Size in bytes before decompression. */
  readonly size: number;
  /** Equal for two sources only if their bytes are: of a file, where it lies and when it was written. Absent where nothing tells. */
  readonly identity?: string | undefined;
  /** Streams the bytes from the start. A chunk belongs to the receiver, unless it lets memory be reused. It is no Buffer. */
  read(signal?: AbortSignal, options?: ReadOptions): AsyncIterable<Uint8Array>;
  /** The same from a byte offset on, without reading what comes before; absent where that cannot be done. */
  readFrom?(offset: number, signal?: AbortSignal, options?: ReadOptions): AsyncIterable<Uint8Array>;
  /** How another thread of this process reads the bytes itself; absent where they have to be sent there. */
  readonly elsewhere?: Elsewhere | undefined;
}

/** What a source gives to have its bytes read in another thread. */
export interface Elsewhere {
  /** Plain data, which the other thread's `OpenElsewhere` makes a source of. */
  readonly facts: unknown;
  /** Keeps the bytes readable there until what it gives is called, even if the source is closed meanwhile. */
  hold(): () => void;
  /** The same in this thread: reads at once. */
  readonly readNow: ReadNow;
}

/** Puts up to `length` bytes from `offset` on into memory at `address` while the thread waits; gives how many. */
export type ReadNow = (memory: Uint8Array, address: number, length: number, offset: number) => number;

/** A source as another thread reads it. */
export interface SharedSource extends Required<Pick<ByteSource, 'read' | 'readFrom'>>, Pick<Elsewhere, 'hold' | 'readNow'> {
  /** Nothing is read any more once this has resolved. */
  close(): Promise<void>;
}

export type OpenElsewhere = (facts: unknown) => SharedSource;
