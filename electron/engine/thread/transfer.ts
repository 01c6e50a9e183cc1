/** Gives bytes to another thread without copying them. */

/** A value ready to be posted, and the buffers that go with it and are gone here afterwards. */
export interface Transferred {
  readonly value: unknown;
  readonly transfer: ArrayBuffer[];
}

/** Buffers of which nothing else is in use, whatever part a view has. */
const pooled = new WeakSet<ArrayBufferLike>();

/** What was given back too late for its stream: collected as garbage, it would pile up while little else is made. */
const idle: ArrayBuffer[] = [];
const MAX_IDLE = 8;

export function keepMemory(memory: ArrayBuffer): void {
  if (idle.length < MAX_IDLE) idle.push(memory);
}

/** Memory to be filled and given away, of at least `room` bytes. It is not cleared. */
export function messageMemory(room: number, spare: ArrayBuffer | undefined): ArrayBuffer {
  const kept = spare ?? idle.pop();
  const memory = kept && kept.byteLength >= room ? kept : (Buffer.allocUnsafeSlow(room).buffer as ArrayBuffer);
  pooled.add(memory);
  return memory;
}

/**
 * The value with each typed array in it, itself or a member of it, alone in its buffer, so that the buffer can be given away. A view of a part
 * of a buffer is copied, as the rest may be in use, unless it is of `messageMemory`.
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
