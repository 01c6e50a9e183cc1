/** Bytes kept out of memory: a file that has no name, and is gone with its handle. */
import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import path from 'node:path';

/** Bytes that may wait to be written before whoever brings them should wait. */
const BACKLOG_BYTES = 4 * 1024 * 1024;
/** Bytes written at once: closing waits for them. */
const WRITE_BYTES = 1024 * 1024;
/** Bytes read at once. */
const BLOCK_BYTES = 64 * 1024;

export class Spool {
  /** Bytes that were brought. */
  bytes = 0;
  readonly #handle: Promise<FileHandle>;
  #waiting: Uint8Array[] = [];
  #backlog = 0;
  #writing: Promise<void> | null = null;
  #written = 0;
  #failure: Error | undefined;
  #closed = false;

  constructor(directory: string) {
    this.#handle = openNameless(directory);
    // Told by `settled`, also where nobody has written yet.
    this.#handle.catch((error: Error) => {
      this.#failure = error;
    });
  }

  /** Takes bytes over, which must not change any more. */
  write(chunk: Uint8Array): void {
    this.bytes += chunk.length;
    if (this.#closed || this.#failure || chunk.length === 0) return;
    this.#waiting.push(chunk);
    this.#backlog += chunk.length;
    this.#writing ??= this.#writeOut().finally(() => {
      this.#writing = null;
    });
  }

  /** Resolves when there is room again; undefined while there is. Never rejects. */
  get room(): Promise<void> | undefined {
    return this.#backlog > BACKLOG_BYTES ? (this.#writing ?? undefined) : undefined;
  }

  /** Resolves when all is written; rejects with the system's error if that is not possible. */
  async settled(): Promise<void> {
    await this.#writing;
    await this.#handle.catch(() => undefined);
    if (this.#failure) throw this.#failure;
  }

  /** The bytes from `start` to `end`. A chunk is good until the next one is asked for. */
  async *read(start = 0, end = this.bytes): AsyncGenerator<Buffer> {
    const handle = await this.#handle;
    const block = Buffer.allocUnsafeSlow(Math.min(BLOCK_BYTES, Math.max(1, end - start)));
    for (let at = start; at < end; ) {
      const { bytesRead } = await handle.read(block, 0, Math.min(block.length, end - at), at);
      if (bytesRead === 0) throw new Error('what was kept of an answer is gone');
      yield block.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  /** Ends it and frees its room on the disk. May be called again. */
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
    try {
      const handle = await this.#handle;
      while (this.#waiting.length > 0 && !this.#closed) {
        const chunks = [];
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
      this.#failure ??= error as Error;
    }
    if (this.#failure || this.#closed) {
      this.#waiting = [];
      this.#backlog = 0;
    }
  }
}

async function writeAll(handle: FileHandle, chunks: readonly Uint8Array[], at: number): Promise<void> {
  const { bytesWritten } = await handle.writev(chunks, at);
  let done = bytesWritten;
  for (const chunk of chunks) {
    // A short write is rare: what is left is written piece by piece.
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
