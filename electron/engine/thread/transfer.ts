/** Prepares values for posting to another thread without copying their bytes. */

/** A value ready to be posted, and the buffers to transfer, which become unusable in this thread. */
export interface Transferred {
  readonly value: unknown;
  readonly transfer: ArrayBuffer[];
}

/** Buffers from `messageMemory`, which hold only one message's data, even if a view covers only a part. */
const pooled = new WeakSet<ArrayBufferLike>();

/** Buffers returned after their stream ended. They are reused, because the garbage collector would free them late. */
const idle: ArrayBuffer[] = [];
const MAX_IDLE = 8;

export function keepMemory(memory: ArrayBuffer): void {
  if (idle.length < MAX_IDLE) idle.push(memory);
}

/** A buffer of at least `room` bytes that will be filled and transferred. It is not zeroed. */
export function messageMemory(room: number, spare: ArrayBuffer | undefined): ArrayBuffer {
  const kept = spare ?? idle.pop();
  const memory = kept && kept.byteLength >= room ? kept : (Buffer.allocUnsafeSlow(room).buffer as ArrayBuffer);
  pooled.add(memory);
  return memory;
}

/**
 * The value with each typed array, itself or a member of it, in a separate buffer that can be transferred. A view of a
 * part of a buffer is copied, because the rest may be in use, unless the buffer is from `messageMemory`.
 */
export function toTransferred(value: unknown): Transferred {
  const transfer: ArrayBuffer[] = [];
  const own = (part: unknown): unknown => {
    if (!(part instanceof Uint8Array || part instanceof Uint32Array || part instanceof Float64Array)) return part;
    const whole = pooled.has(part.buffer) || (part.byteLength === part.buffer.byteLength && part.buffer instanceof ArrayBuffer);
    const alone = whole ? part : part.constructor === Buffer ? new Uint8Array(part) : part.slice();
    transfer.push(alone.buffer as ArrayBuffer);
    return alone;
  };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { value, transfer };
  if (ArrayBuffer.isView(value)) return { value: own(value), transfer };
  return { value: Object.fromEntries(Object.entries(value).map(([key, part]) => [key, own(part)])), transfer };
}
