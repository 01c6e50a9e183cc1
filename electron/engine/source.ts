/** Where the engine's bytes come from. The engine never opens a file: whoever does hands it a source. */

/** Bytes that can be read from the start as often as needed, and are the same each time. */
export interface ByteSource {
  /** Base name, used only to tell format and compression. */
  readonly name: string;
  /** Size in bytes before decompression. */
  readonly size: number;
  /** Equal for two sources only if their bytes are: of a file, where it lies and when it was written. Absent where nothing tells. */
  readonly identity?: string | undefined;
  /** Streams the bytes from the start. A chunk belongs to the receiver. */
  read(signal?: AbortSignal): AsyncIterable<Uint8Array>;
  /** The same from a byte offset on, without reading what comes before; absent where that cannot be done. */
  readFrom?(offset: number, signal?: AbortSignal): AsyncIterable<Uint8Array>;
}
