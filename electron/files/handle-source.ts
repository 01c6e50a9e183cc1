/** The bytes of one open file as a source that can be read again and again, and notices when they change. */
import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../shared/model/errors.ts';
import type { ReadOptions } from '../engine/source.ts';
import { changedWhileRead, notReadable } from './failures.ts';
import type { OpenFile } from './types.ts';

const CHUNK_BYTES = 512 * 1024;
/** Whoever reads from a place often wants a little; chunks double from here. */
const FIRST_CHUNK_BYTES = 64 * 1024;

/** Wraps a handle, which it owns from now on. `path` is the path as asked for. */
export async function openFileOf(handle: FileHandle, asked: string, realPath: string): Promise<OpenFile> {
  const opened = await handle.stat({ bigint: true });
  const size = Number(opened.size);
  let closed: Promise<void> | undefined;

  const assertUnchanged = async () => {
    const now = await statOf();
    if (now.size > opened.size) throw changedWhileRead(asked, `it grew from ${opened.size} to ${now.size} bytes`);
    if (now.size < opened.size) throw changedWhileRead(asked, `it shrank from ${opened.size} to ${now.size} bytes`);
    if (now.mtimeNs !== opened.mtimeNs || now.ino !== opened.ino || now.dev !== opened.dev) {
      throw changedWhileRead(asked, 'its content was rewritten');
    }
  };

  async function statOf(): Promise<BigIntStats> {
    assertOpen();
    return await handle.stat({ bigint: true });
  }

  function assertOpen() {
    if (closed) throw new AppError('INTERNAL', `File '${asked}' was read after it had been closed`);
  }

  /** The bytes at an offset: none at the end. */
  async function chunkAt(at: number, wanted: number, memory: Buffer | undefined): Promise<Uint8Array> {
    assertOpen();
    // One byte more than is left, so that growth shows even where the size the system tells lags behind.
    const length = Math.min(wanted, size - at + 1);
    const chunk = memory?.subarray(0, length) ?? Buffer.allocUnsafeSlow(length);
    const { bytesRead } = await handle.read(chunk, 0, chunk.byteLength, at).catch((cause: unknown) => {
      throw notReadable(asked, [], cause);
    });
    return chunk.subarray(0, bytesRead);
  }

  async function* readFrom(offset: number, signal?: AbortSignal, options?: ReadOptions): AsyncGenerator<Uint8Array> {
    const nextMemory = options?.reuse ? takingTurns(Math.min(CHUNK_BYTES, size - offset + 1)) : () => undefined;
    let at = offset;
    let wanted = FIRST_CHUNK_BYTES;
    let next: Promise<Uint8Array> | undefined;
    try {
      do {
        signal?.throwIfAborted();
        const chunk = await (next ?? chunkAt(at, wanted, nextMemory()));
        next = undefined;
        if (chunk.length === 0 && at < size) throw changedWhileRead(asked, `it ended after ${at} of ${size} bytes`);
        at += chunk.length;
        wanted = Math.min(CHUNK_BYTES, wanted * 2);
        if (at > size) throw changedWhileRead(asked, `it has more than the ${size} bytes it had at first`);
        // Judged before the last bytes are given away, so that nobody takes a mixture for the whole.
        if (at === size) await assertUnchanged();
        // Read while the receiver is at this one; whoever took a first look only may never come back for it.
        else if (at - offset > FIRST_CHUNK_BYTES) {
          next = chunkAt(at, wanted, nextMemory());
          // Told to the receiver when it asks; one that never does must not end the program.
          next.catch(() => undefined);
        }
        signal?.throwIfAborted();
        if (chunk.length > 0) yield chunk;
      } while (at < size);
    } finally {
      // Nobody waits for it any more; the handle may be closed as soon as it is there.
      await next?.catch(() => undefined);
    }
  }

  return {
    path: asked,
    realPath,
    size,
    modifiedMs: Number(opened.mtimeMs),
    // A link such as `latest` has no ending that would tell the format; what it leads to may.
    source: {
      name: path.extname(asked) === '' ? path.basename(realPath) : path.basename(asked),
      size,
      identity: settledSince(opened) ? [opened.dev, opened.ino, opened.size, opened.mtimeNs].join(':') : undefined,
      read: (signal, options) => readFrom(0, signal, options),
      readFrom,
    },
    assertUnchanged,
    close() {
      closed ??= handle.close();
      return closed;
    },
  };
}

/**
 * Whether a file's times tell its content apart: written to twice within one tick of the clock that stamps it, they stay the
 * same (coarse file systems count in 2 s).
 */
function settledSince({ mtimeMs }: BigIntStats): boolean {
  return Date.now() - Number(mtimeMs) > 2_000;
}

/** Two pieces of memory by turns: one is filled while the receiver is at the other. */
function takingTurns(bytes: number): () => Buffer {
  const memory: Buffer[] = [];
  let turn = 0;
  return () => {
    turn ^= 1;
    memory[turn] ??= Buffer.allocUnsafeSlow(bytes);
    return memory[turn] as Buffer;
  };
}
