/** An unnamed temporary file: its directory entry is removed at once, and closing the handle frees it. */
import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import path from 'node:path';

/** Unwritten bytes above which the producer should wait. */
const BACKLOG_BYTES = 4 * 1024 * 1024;
/** Bytes per write; `close` waits for a running write. */
const WRITE_BYTES = 1024 * 1024;
/** Block size for reads; two blocks alternate. Smaller blocks cost more memory in garbage than they save. */
const BLOCK_BYTES = 512 * 1024;

/** Memory limit for data that cannot be written to disk (bytes). */
const HELD_BYTES = 256 * 1024 * 1024;

export class TemporaryFile {
  /** Total bytes passed to `write`. */
  bytes = 0;
  readonly #maxHeld: number;
  readonly #handle: Promise<FileHandle>;
  #waiting: Uint8Array[] = [];
  #backlog = 0;
  #writing: Promise<void> | null = null;
  #written = 0;
  /** The write error. After it, further data stays in memory. */
  #failure: Error | undefined;
  /** The memory limit was exceeded and data was dropped. */
  #lost = false;
  #closed = false;

  /** `maxHeld` limits the bytes held in memory after a write error. */
  constructor(directory: string, maxHeld = HELD_BYTES) {
    this.#maxHeld = maxHeld;
    this.#handle = openNameless(directory);
    this.#handle.catch((error: Error) => this.#fail(error));
  }

  /** Takes ownership of the chunk: the caller must not change it afterwards. */
  write(chunk: Uint8Array): void {
    this.bytes += chunk.length;
    if (this.#closed || this.#lost || chunk.length === 0) return;
    this.#waiting.push(chunk);
    this.#backlog += chunk.length;
    if (this.#failure) this.#fail(this.#failure);
    else {
      this.#writing ??= this.#writeOut().finally(() => {
        this.#writing = null;
      });
    }
  }

  /** Resolves when the producer may continue; undefined when it need not wait. Never rejects. */
  get room(): Promise<void> | undefined {
    return this.#backlog > BACKLOG_BYTES ? (this.#writing ?? undefined) : undefined;
  }

  /** Resolves when all data is stored; rejects with the system's error if data was lost. */
  async settled(): Promise<void> {
    await this.#writing;
    await this.#handle.catch(() => undefined);
    if (this.#lost) throw this.#failure;
  }

  /** Reads `start` to `end` after `settled`. Each chunk is valid until the next one is requested. */
  async *read(start = 0, end = this.bytes): AsyncGenerator<Buffer> {
    const inFile = Math.min(end, this.#written);
    if (start < inFile) yield* blocksOf(await this.#handle, start, inFile);
    let at = this.#written;
    for (const chunk of this.#waiting) {
      if (this.#closed) throw new Error('what was kept of an answer is gone');
      const part = chunk.subarray(Math.max(0, start - at), Math.max(0, end - at));
      if (part.length > 0) yield Buffer.from(part.buffer, part.byteOffset, part.length);
      at += chunk.length;
    }
  }

  /** Closes the file and frees its memory. Idempotent. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#waiting = [];
    await this.#writing;
    await this.#handle.then(
      (handle) => handle.close(),
      () => undefined,
    );
  }

  async #writeOut(): Promise<void> {
    let chunks: Uint8Array[] = [];
    try {
      const handle = await this.#handle;
      while (this.#waiting.length > 0 && !this.#closed) {
        chunks = [];
        let bytes = 0;
        for (let next = this.#waiting[0]; next && bytes < WRITE_BYTES; next = this.#waiting[0]) {
          chunks.push(next);
          bytes += next.length;
          this.#waiting.shift();
        }
        await writeAll(handle, chunks, this.#written);
        this.#written += bytes;
        this.#backlog -= bytes;
      }
    } catch (error) {
      this.#waiting.unshift(...chunks);
      this.#fail(error as Error);
    }
    if (this.#closed) this.#waiting = [];
  }

  #fail(error: Error): void {
    this.#failure = error;
    if (this.#backlog <= this.#maxHeld) return;
    this.#lost = true;
    this.#waiting = [];
    // The written part is useless without the rest: free its disk space.
    this.#handle.then((handle) => handle.close()).catch(() => undefined);
  }
}

/** Reads a file in blocks and prefetches the next block while the caller uses the current one. */
async function* blocksOf(handle: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  const size = Math.min(BLOCK_BYTES, end - start);
  let block = Buffer.allocUnsafeSlow(size);
  let other = Buffer.allocUnsafeSlow(Math.min(size, end - start - size));
  const read = (into: Buffer, at: number) => {
    const reading = handle.read(into, 0, Math.min(into.length, end - at), at);
    // The consumer may stop before awaiting this read: avoid an unhandled rejection.
    reading.catch(() => undefined);
    return reading;
  };
  let reading = read(block, start);
  for (let at = start; at < end; ) {
    const { bytesRead } = await reading;
    if (bytesRead === 0) throw new Error('what was kept of an answer is gone');
    at += bytesRead;
    const ready = block.subarray(0, bytesRead);
    if (at < end) {
      if (other.length === 0) other = Buffer.allocUnsafeSlow(size);
      [block, other] = [other, block];
      reading = read(block, at);
    }
    yield ready;
  }
}

async function writeAll(handle: FileHandle, chunks: readonly Uint8Array[], at: number): Promise<void> {
  const { bytesWritten } = await handle.writev(chunks, at);
  let done = bytesWritten;
  for (const chunk of chunks) {
    // After a short write (rare), write the rest chunk by chunk.
    if (done >= chunk.length) {
      done -= chunk.length;
      continue;
    }
    const offset = at + bytesBefore(chunks, chunk);
    for (let from = done; from < chunk.length; ) {
      from += (await handle.write(chunk, from, chunk.length - from, offset + from)).bytesWritten;
    }
    done = 0;
  }
}

function bytesBefore(chunks: readonly Uint8Array[], wanted: Uint8Array): number {
  let bytes = 0;
  for (const chunk of chunks) {
    if (chunk === wanted) break;
    bytes += chunk.length;
  }
  return bytes;
}

async function openNameless(directory: string): Promise<FileHandle> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const name = path.join(directory, `.${randomBytes(8).toString('hex')}.filebridge-tmp`);
  const handle = await open(name, 'wx+', 0o600);
  try {
    await unlink(name);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return handle;
}
