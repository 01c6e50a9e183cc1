/** A byte source over one open file that can be read repeatedly and detects changes. */
import { type BigIntStats, fstat, read, readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import type { ReadOptions, SharedSource } from '../engine/core/source.ts';
import { diskKey, diskTimeoutMs, onDisk } from './disk.ts';
import { changedWhileRead, notReadable } from './failures.ts';
import type { OpenFile } from './types.ts';

const CHUNK_BYTES = 512 * 1024;
/** Size of the first chunk. Reads from an offset are often short, so chunks start small and double. */
const FIRST_CHUNK_BYTES = 64 * 1024;
/** How long closing waits for reads in other threads. */
const CLOSING_MS = 25;

/** Transferable handle of an open file: identifies its bytes and reads them in any thread of this process. Plain data. */
interface FileFacts {
  /** The path as asked for. */
  readonly requested: string;
  readonly descriptor: number;
  readonly size: number;
  readonly modifiedNs: bigint;
  /** The system sets ctime at every write and change of attributes, so resetting the other times changes it. */
  readonly changedNs: bigint;
  readonly links: bigint;
  readonly inode: bigint;
  readonly device: bigint;
  /** Whose reads are watched together, and how long one may take (milliseconds): other threads do not know the folders. */
  readonly disk: string | null;
  readonly timeoutMs: number;
}

/** Wraps a handle and owns it. `path` is the path as requested. */
export async function openFileOf(handle: FileHandle, requested: string, realPath: string): Promise<OpenFile> {
  const opened = await handle.stat({ bigint: true });
  const facts: FileFacts = {
    requested,
    descriptor: handle.fd,
    size: Number(opened.size),
    modifiedNs: opened.mtimeNs,
    changedNs: opened.ctimeNs,
    links: opened.nlink,
    inode: opened.ino,
    device: opened.dev,
    disk: diskKey(realPath),
    timeoutMs: diskTimeoutMs(),
  };
  const bytes = new FileBytes(facts);
  const holds = new Holds();
  let closed: Promise<void> | undefined;

  async function close() {
    const unused = Promise.all([bytes.close(), holds.released()]).then(() => handle.close());
    unused.catch(() => undefined);
    // Another thread usually releases it at once. After a long operation it is closed in the background.
    const waited = new AbortController();
    const { signal } = waited;
    await Promise.race([unused, delay(CLOSING_MS, undefined, { signal })]).finally(() => waited.abort());
  }

  return {
    path: requested,
    realPath,
    size: facts.size,
    modifiedMs: Number(opened.mtimeMs),
    // A link such as `latest` has no extension to detect the format by; its target may have one.
    source: {
      name: path.extname(requested) === '' ? path.basename(realPath) : path.basename(requested),
      size: facts.size,
      identity: settledSince(opened)
        ? [opened.dev, opened.ino, opened.size, opened.mtimeNs, opened.ctimeNs].join(':')
        : undefined,
      read: (signal, options) => bytes.readFrom(0, signal, options),
      readFrom: (offset, signal, options) => bytes.readFrom(offset, signal, options),
      readNow: (...where) => bytes.readNow(...where),
      elsewhere: { facts, hold: () => holds.hold(), readNow: (...where) => bytes.readNow(...where) },
    },
    assertUnchanged: () => bytes.assertUnchanged(),
    close() {
      closed ??= close();
      return closed;
    },
  };
}

/** A source made from a transferable handle in another thread. The owner of the handle keeps the file open. */
export function openElsewhere(facts: unknown): SharedSource {
  const bytes = new FileBytes(facts as FileFacts);
  return {
    read: (signal, options) => bytes.readFrom(0, signal, options),
    readFrom: (offset, signal, options) => bytes.readFrom(offset, signal, options),
    readNow: (...where) => bytes.readNow(...where),
    hold: () => bytes.hold(),
    close: () => bytes.close(),
  };
}

/** Counts reads in progress of a file that is to be closed. */
class Holds {
  #count = 0;
  #waiting: (() => void)[] = [];

  hold(): () => void {
    this.#count += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#count -= 1;
      if (this.#count > 0) return;
      for (const resolve of this.#waiting) resolve();
      this.#waiting = [];
    };
  }

  async released(): Promise<void> {
    if (this.#count > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

const readDescriptor = promisify(read);
const statDescriptor = promisify(fstat);

/** Reads a file by its descriptor, which somebody else closes after `close` here. */
class FileBytes {
  readonly #facts: FileFacts;
  /** Uses of the descriptor in progress. */
  readonly #uses = new Holds();
  #closed = false;

  constructor(facts: FileFacts) {
    this.#facts = facts;
  }

  /** Prevents new uses of the descriptor; resolves when none is in progress. */
  close(): Promise<void> {
    this.#closed = true;
    return this.#uses.released();
  }

  /** Counts as a use until the returned function is called. */
  hold(): () => void {
    return this.#uses.hold();
  }

  readNow(memory: Uint8Array, address: number, length: number, offset: number): number {
    this.#assertOpen();
    return readSync(this.#facts.descriptor, memory, address, length, offset);
  }

  /** Checks that the open file is unchanged since opening, and neither deleted nor replaced. */
  async assertUnchanged(): Promise<void> {
    const now = await this.#assertSameContent();
    const { requested, changedNs, links } = this.#facts;
    if (now.nlink < links) throw changedWhileRead(requested, say('changed.goneOrReplaced'));
    if (now.ctimeNs !== changedNs) throw changedWhileRead(requested, say('changed.attributes'));
  }

  /** A rename or link during reading does not stop it; ctime changes as for a write. */
  async #assertSameContent(): Promise<BigIntStats> {
    const { requested, size, modifiedNs, changedNs, links, inode, device } = this.#facts;
    const now = await this.#use((descriptor) => statDescriptor(descriptor, { bigint: true })).catch((cause: unknown) => {
      throw notReadable(requested, [], cause);
    });
    if (now.size > size) throw changedWhileRead(requested, say('changed.grew', { from: Number(size), to: Number(now.size) }));
    if (now.size < size) throw changedWhileRead(requested, say('changed.shrank', { from: Number(size), to: Number(now.size) }));
    if (now.mtimeNs !== modifiedNs || now.ino !== inode || now.dev !== device) {
      throw changedWhileRead(requested, say('changed.rewritten'));
    }
    if (now.ctimeNs !== changedNs && now.nlink === links) {
      throw changedWhileRead(requested, say('changed.contentOrAttributes'));
    }
    return now;
  }

  /** The descriptor is in use until `work` ends, also when nobody waits for it any more. */
  #use<T>(work: (descriptor: number) => Promise<T>, signal?: AbortSignal): Promise<T> {
    this.#assertOpen();
    const { requested: place, descriptor, disk: key, timeoutMs } = this.#facts;
    return onDisk({
      place,
      key,
      timeoutMs,
      signal,
      make: () => work(descriptor).finally(this.#uses.hold()),
    });
  }

  #assertOpen(): void {
    if (this.#closed) throw new AppError('INTERNAL', say('ours.readAfterEnd', { path: this.#facts.requested }));
  }

  /** The bytes at an offset: none at the end. */
  async #chunkAt(at: number, wanted: number, memory: Buffer | undefined, signal?: AbortSignal): Promise<Uint8Array> {
    const { requested, size } = this.#facts;
    // One byte more than remains, to detect growth even where the reported size lags behind.
    const length = Math.min(wanted, size - at + 1);
    const chunk = memory?.subarray(0, length) ?? Buffer.allocUnsafeSlow(length);
    const reading = this.#use((descriptor) => readDescriptor(descriptor, chunk, 0, chunk.byteLength, at), signal);
    const { bytesRead } = await reading.catch((cause: unknown) => {
      throw signal?.aborted ? cause : notReadable(requested, [], cause);
    });
    // Never return a Buffer: its `slice` would share memory that is reused.
    return new Uint8Array(chunk.buffer, chunk.byteOffset, bytesRead);
  }

  async *readFrom(offset: number, signal?: AbortSignal, options?: ReadOptions): AsyncGenerator<Uint8Array> {
    const { requested, size } = this.#facts;
    const skips = options?.skips;
    const memory = options?.reuse ? new MemoryByTurns() : undefined;
    let at = offset;
    let wanted = FIRST_CHUNK_BYTES;
    let next: Promise<Uint8Array> | undefined;
    let isIdle = true;
    try {
      do {
        signal?.throwIfAborted();
        if (skips && skips.until > at + wanted) {
          await next;
          next = undefined;
          at = skips.until;
        }
        const chunk = await (next ?? this.#chunkAt(at, wanted, memory?.next(Math.min(wanted, size - at + 1)), signal));
        next = undefined;
        if (skips) skips.at = at;
        if (chunk.length === 0 && at < size) throw changedWhileRead(requested, say('changed.ended', { at, size }));
        at += chunk.length;
        wanted = Math.min(CHUNK_BYTES, wanted * 2);
        if (at > size) throw changedWhileRead(requested, say('changed.longer', { size }));
        // Check before the last bytes are returned, so that a mixture of old and new never looks complete.
        if (at === size) await this.#assertSameContent();
        // Read ahead while the receiver uses this chunk; a receiver that reads only the beginning never asks for it.
        else if (at - offset > FIRST_CHUNK_BYTES) {
          next = this.#chunkAt(at, wanted, memory?.next(Math.min(wanted, size - at + 1)), signal);
          // The error reaches the receiver with its next request; without one it must not end the program.
          next.catch(() => undefined);
        }
        signal?.throwIfAborted();
        if (chunk.length > 0) yield chunk;
      } while (at < size);
    } catch (error) {
      isIdle = false;
      throw error;
    } finally {
      // The result is not needed any more; the handle can be closed when the read ends.
      await next?.catch(() => {
        isIdle = false;
      });
      // A read that was given up may still write into its memory.
      if (isIdle) memory?.end();
    }
  }
}

/**
 * Whether a file's times tell its content apart: written to twice within one tick of the clock that stamps it, they stay the
 * same (coarse file systems count in 2 s).
 */
function settledSince({ mtimeMs }: BigIntStats): boolean {
  return Date.now() - Number(mtimeMs) > 2_000;
}

/** Free read buffers of this thread, kept for reuse: garbage collection would free them too late. */
const idle: Buffer[] = [];
const MAX_IDLE = 8;

/** Two alternating buffers: one is filled while the receiver reads the other. They grow with the chunks. */
class MemoryByTurns {
  readonly #memory: Buffer[] = [];
  #turn = 0;

  next(bytes: number): Buffer {
    this.#turn ^= 1;
    const last = this.#memory[this.#turn];
    if (last && last.length >= bytes) return last;
    if (last) keep(last);
    const fitting = idle.findIndex(({ length }) => length >= bytes);
    const piece = idle.splice(fitting, fitting === -1 ? 0 : 1)[0] ?? Buffer.allocUnsafeSlow(bytes);
    this.#memory[this.#turn] = piece;
    return piece;
  }

  /** Returns the buffers; neither is in use any more. */
  end(): void {
    for (const piece of this.#memory.splice(0)) if (piece) keep(piece);
  }
}

function keep(piece: Buffer): void {
  if (idle.length < MAX_IDLE) idle.push(piece);
}
