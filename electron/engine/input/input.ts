/** Reads a source for a format: limits its size, counts and hashes bytes, and yields to the event loop. */

import { createHash } from 'node:crypto';
import { EventLoopYield, firstBytes } from '../core/byte-streams.ts';
import type { ConvertRequest } from '../core/convert-types.ts';
import { fileTooLarge, type SizeSetting, throwIfCancelled } from '../core/failures.ts';
import type { ByteSource } from '../core/source.ts';

/** A setting that limits the size, and its value in bytes. */
export interface SizeBound {
  readonly setting: SizeSetting;
  readonly limit: number;
}

/** Reports the progress of several passes as one: pass 2 of 4 starts at a quarter of the total. */
export class ScanProgress {
  private pass = 0;
  private finished = false;
  private reported = 0;
  private passes: number;
  private readonly request: ConvertRequest;
  private readonly total: number;

  constructor(request: ConvertRequest, total: number, passes: number) {
    this.request = request;
    this.total = total;
    this.passes = passes;
  }

  read(bytes: number): void {
    if (this.finished) return;
    const scaled = Math.min(this.total, Math.floor((this.pass * this.total + bytes) / this.passes));
    // A pass may read the start of the file repeatedly; progress never decreases.
    if (scaled <= this.reported) return;
    this.reported = scaled;
    this.request.onProgress?.(scaled, this.total);
  }

  /** More passes than expected are needed. */
  restart(passes: number): void {
    this.pass = 0;
    this.passes = passes;
  }

  nextPass(): void {
    this.pass = Math.min(this.pass + 1, this.passes - 1);
  }

  /** The scan has ended: later reads are not reported. */
  finish(): void {
    this.request.onProgress?.(this.total, this.total);
    this.finished = true;
  }
}

/** The stored bytes, with progress, hash and size limit applied. */
export async function* stored(
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
  tap?: (chunk: Uint8Array, bytesRead: number) => void,
): AsyncIterable<Uint8Array> {
  const yielding = new EventLoopYield();
  let bytes = 0;
  for await (const chunk of chunks) {
    throwIfCancelled(signal);
    bytes += chunk.length;
    tap?.(chunk, bytes);
    if (yielding.due) {
      await yielding.pause();
      throwIfCancelled(signal);
    }
    yield chunk;
  }
  throwIfCancelled(signal);
}

export async function* bounded(
  chunks: AsyncIterable<Uint8Array>,
  bound: SizeBound,
  known: number | null,
): AsyncIterable<Uint8Array> {
  if (known !== null && known > bound.limit) throw fileTooLarge(known, bound.limit, bound.setting);
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > bound.limit) throw fileTooLarge(null, bound.limit, bound.setting);
    yield chunk;
  }
}

/** Facts about a source after its first pass. */
export interface Input {
  /** SHA-256 of the stored bytes, in lower-case hex; empty if not requested. */
  readonly sha256: string;
  /** Number of stored bytes that were read. */
  readonly bytes: number;
  /** Whether only the beginning was read, to which hash and size then refer. */
  readonly cut: boolean;
}

/** How to read bytes. */
export interface StoredRequest {
  readonly bound: SizeBound;
  readonly progress: ScanProgress;
  readonly signal?: AbortSignal | undefined;
  /** Whether the bytes are hashed. */
  readonly hashed: boolean;
  /** Reads only this many bytes, after decompression. */
  readonly head?: number | undefined;
}

/**
 * First pass over the stored bytes, for payloads that contain them verbatim: `see` must read them all. Chunks' memory is
 * reused.
 */
export async function readStored(
  source: ByteSource,
  { bound, progress, signal, hashed, head }: StoredRequest,
  see: (chunks: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<Input & { read(signal?: AbortSignal): AsyncIterable<Uint8Array> }> {
  const hash = hashed ? createHash('sha256') : undefined;
  let size = 0;
  let cut = false;
  const wanted = (chunks: AsyncIterable<Uint8Array>) =>
    head === undefined
      ? chunks
      : firstBytes(chunks, head, () => {
          cut = true;
        });
  const first = stored(source.read(signal, { reuse: true }), signal, (chunk, bytes) => {
    hash?.update(chunk);
    size = bytes;
    progress.read(bytes);
  });
  await see(wanted(bounded(first, bound, source.size)));
  progress.nextPass();
  return {
    sha256: hash?.digest('hex') ?? '',
    bytes: size,
    cut,
    read: (again) => wanted(stored(source.read(again, { reuse: true }), again, (_, bytes) => progress.read(bytes))),
  };
}
