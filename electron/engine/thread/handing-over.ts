/** Gives bytes to another thread without copying them. */

/** A value ready to be posted, and the buffers that go with it and are gone here afterwards. */
export interface HandedOver {
  readonly value: unknown;
  readonly transfer: ArrayBuffer[];
}

/**
 * The value with each typed array in it, itself or a member of it, alone in its buffer, so that the buffer can be given away. A view of a part
 * of a buffer is copied: the rest may be in use.
 */
export function handOver(value: unknown): HandedOver {
  const transfer: ArrayBuffer[] = [];
  const own = (part: unknown): unknown => {
    if (!(part instanceof Uint8Array || part instanceof Uint32Array || part instanceof Float64Array)) return part;
    const whole = part.byteLength === part.buffer.byteLength && part.buffer instanceof ArrayBuffer;
    const alone = whole ? part : part.constructor === Buffer ? new Uint8Array(part) : part.slice();
    transfer.push(alone.buffer as ArrayBuffer);
    return alone;
  };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { value, transfer };
  if (ArrayBuffer.isView(value)) return { value: own(value), transfer };
  return { value: Object.fromEntries(Object.entries(value).map(([key, part]) => [key, own(part)])), transfer };
}
