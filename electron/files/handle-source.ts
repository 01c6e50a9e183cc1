/** The bytes of one open file as a source that can be read again and again, and notices when they change. */
import { type BigIntStats, fstat, read, readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { AppError } from '../../shared/model/errors.ts';
import type { ReadOptions, SharedSource } from '../engine/core/source.ts';
import { changedWhileRead, notReadable } from './failures.ts';
import type { OpenFile } from './types.ts';

const CHUNK_BYTES = 512 * 1024;
/** Whoever reads from a place often wants a little; chunks double from here. */
const FIRST_CHUNK_BYTES = 64 * 1024;
/** How long closing waits for other threads that still read. */
const CLOSING_MS = 25;

/** What tells the bytes of an open file, and reads them in any thread of this process. Plain data. */
export interface FileFacts {
  /** The path as asked for. */
  readonly asked: string;
  readonly descriptor: number;
  readonly size: number;
  readonly modifiedNs: bigint;
  /** Set by the system alone at every write and change of attributes: whoever puts the other times back changes it. */
  readonly changedNs: bigint;
  readonly links: bigint;
  readonly inode: bigint;
  readonly device: bigint;
}

/** Wraps a handle, which it owns from now on. `path` is the path as asked for. */
export async function openFileOf(handle: FileHandle, asked: string, realPath: string): Promise<OpenFile> {
  const opened = await handle.stat({ bigint: true });
  const facts: FileFacts = {
    asked,
    descriptor: handle.fd,
    size: Number(opened.size),
    modifiedNs: opened.mtimeNs,
    changedNs: opened.ctimeNs,
    links: opened.nlink,
    inode: opened.ino,
    device: opened.dev,
  };
  const bytes = new FileBytes(facts);
  const holds = new Holds();
  let closed: Promise<void> | undefined;

  async function close() {
    const unused = Promise.all([bytes.close(), holds.released()]).then(() => handle.close());
    unused.catch(() => undefined);
    // Another thread lets go of it at once, unless it is at something long; it is closed then, and nobody need wait for that.
    const waited = new AbortController();
    const { signal } = waited;
    await Promise.race([unused, delay(CLOSING_MS, undefined, { signal })]).finally(() => waited.abort());
  }

  return {
    path: asked,
    realPath,
    size: facts.size,
    modifiedMs: Number(opened.mtimeMs),
    // A link such as `latest` has no ending that would tell the format; what it leads to may.
    source: {
      name: path.extname(asked) === '' ? path.basename(realPath) : path.basename(asked),
      size: facts.size,
      identity: settledSince(opened)
        ? [opened.dev, opened.ino, opened.size, opened.mtimeNs, opened.ctimeNs].join(':')
        : undefined,
      read: (signal, options) => bytes.readFrom(0, signal, options),
      readFrom: (offset, signal, options) => bytes.readFrom(offset, signal, options),
      elsewhere: { facts, hold: () => holds.hold(), readNow: (...where) => bytes.readNow(...where) },
    },
    assertUnchanged: () => bytes.assertUnchanged(),
    close() {
      closed ??= close();
      return closed;
    },
  };
}

/** The same bytes in a thread that was given their facts; whoever has the file open holds it for as long. */
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

/** Those who still read a file that is to be closed. */
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
  /** Uses of the descriptor that are under way. */
  readonly #uses = new Holds();
  #closed = false;

  constructor(facts: FileFacts) {
    this.#facts = facts;
  }

  /** No use of the descriptor begins any more; resolves when none is under way. */
  close(): Promise<void> {
    this.#closed = true;
    return this.#uses.released();
  }

  /** Counts as a use until what it gives is called. */
  hold(): () => void {
    return this.#uses.hold();
  }

  readNow(memory: Uint8Array, address: number, length: number, offset: number): number {
    this.#assertOpen();
    return readSync(this.#facts.descriptor, memory, address, length, offset);
  }

  /** What is open is as it was at opening, and so are its names: it was neither deleted nor replaced by another file. */
  async assertUnchanged(): Promise<void> {
    const now = await this.#assertSameContent();
    const { asked, changedNs, links } = this.#facts;
    if (now.nlink < links) throw changedWhileRead(asked, 'it was deleted or replaced');
    if (now.ctimeNs !== changedNs) throw changedWhileRead(asked, 'its attributes or names were changed');
  }

  /** A file that loses or gets a name while it is open is read on to its end; the system stamps that as it stamps a write. */
  async #assertSameContent(): Promise<BigIntStats> {
    const { asked, size, modifiedNs, changedNs, links, inode, device } = this.#facts;
    const now = await this.#use((descriptor) => statDescriptor(descriptor, { bigint: true }));
    if (now.size > size) throw changedWhileRead(asked, `it grew from ${size} to ${now.size} bytes`);
    if (now.size < size) throw changedWhileRead(asked, `it shrank from ${size} to ${now.size} bytes`);
    if (now.mtimeNs !== modifiedNs || now.ino !== inode || now.dev !== device) {
      throw changedWhileRead(asked, 'its content was rewritten');
    }
    if (now.ctimeNs !== changedNs && now.nlink === links) {
      throw changedWhileRead(asked, 'its content or its attributes were changed');
    }
    return now;
  }

  async #use<T>(work: (descriptor: number) => Promise<T>): Promise<T> {
    this.#assertOpen();
    const release = this.#uses.hold();
    try {
      return await work(this.#facts.descriptor);
    } finally {
      release();
    }
  }

  #assertOpen(): void {
    if (this.#closed) throw new AppError('INTERNAL', `File '${this.#facts.asked}' was read after it had been closed`);
  }

  /** The bytes at an offset: none at the end. */
  async #chunkAt(at: number, wanted: number, memory: Buffer | undefined): Promise<Uint8Array> {
    const { asked, size } = this.#facts;
    // One byte more than is left, so that growth shows even where the size the system tells lags behind.
    const length = Math.min(wanted, size - at + 1);
    const chunk = memory?.subarray(0, length) ?? Buffer.allocUnsafeSlow(length);
    const { bytesRead } = await this.#use((descriptor) =>
      readDescriptor(descriptor, chunk, 0, chunk.byteLength, at).catch((cause: unknown) => {
        throw notReadable(asked, [], cause);
      }),
    );
    // No Buffer goes out: its `slice` would share memory that is used again.
    return new Uint8Array(chunk.buffer, chunk.byteOffset, bytesRead);
  }

  async *readFrom(offset: number, signal?: AbortSignal, options?: ReadOptions): AsyncGenerator<Uint8Array> {
    const { asked, size } = this.#facts;
    const skips = options?.skips;
    const memory = options?.reuse ? new MemoryByTurns() : undefined;
    let at = offset;
    let wanted = FIRST_CHUNK_BYTES;
    let next: Promise<Uint8Array> | undefined;
    try {
      do {
        signal?.throwIfAborted();
        if (skips && skips.until > at + wanted) {
          await next;
          next = undefined;
          at = skips.until;
        }
        const chunk = await (next ?? this.#chunkAt(at, wanted, memory?.next(Math.min(wanted, size - at + 1))));
        next = undefined;
        if (skips) skips.at = at;
        if (chunk.length === 0 && at < size) throw changedWhileRead(asked, `it ended after ${at} of ${size} bytes`);
        at += chunk.length;
        wanted = Math.min(CHUNK_BYTES, wanted * 2);
        if (at > size) throw changedWhileRead(asked, `it has more than the ${size} bytes it had at first`);
        // Judged before the last bytes are given away, so that nobody takes a mixture for the whole.
        if (at === size) await this.#assertSameContent();
        // Read while the receiver is at this one; whoever took a first look only may never come back for it.
        else if (at - offset > FIRST_CHUNK_BYTES) {
          next = this.#chunkAt(at, wanted, memory?.next(Math.min(wanted, size - at + 1)));
          // Told to the receiver when it asks; one that never does must not end the program.
          next.catch(() => undefined);
        }
        signal?.throwIfAborted();
        if (chunk.length > 0) yield chunk;
      } while (at < size);
    } finally {
      // Nobody waits for it any more; the handle may be closed as soon as it is there.
      await next?.catch(() => undefined);
      memory?.end();
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

/** Memory that nobody reads into, kept by each thread: collected as garbage, it would pile up while little else is made. */
const idle: Buffer[] = [];
const MAX_IDLE = 8;

/** Two pieces of memory by turns: one is filled while the receiver is at the other. They grow with the chunks. */
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

  /** Nobody is at any of it any more. */
  end(): void {
    for (const piece of this.#memory.splice(0)) if (piece) keep(piece);
  }
}

function keep(piece: Buffer): void {
  if (idle.length < MAX_IDLE) idle.push(piece);
}
