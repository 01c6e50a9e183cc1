/** What one thread offers another: typed names and handlers of calls and streams, and the memory in which their messages travel. */
/** The name of a call with one answer; events may come before the answer. */
export interface CallName<Input, Output, Event = never> {
  readonly call: string;
  /** Exists only as a type. */
  readonly types?: (input: Input, event: Event) => Output;
}

/** The name of a stream whose pace the receiver sets. */
export interface StreamName<Input, Item> {
  readonly stream: string;
  /** Exists only as a type. */
  readonly types?: (input: Input) => Item;
}

export const callName = <Input, Output, Event = never>(name: string): CallName<Input, Output, Event> => ({ call: name });
export const streamName = <Input, Item>(name: string): StreamName<Input, Item> => ({ stream: name });

/** Context of a call's handler. */
export interface Asker<Event> {
  /** Aborted when the answer is no longer needed. */
  readonly signal: AbortSignal;
  tell(event: Event): void;
}

interface CallHandler {
  readonly call: string;
  run(input: unknown, asker: Asker<unknown>): unknown;
}

/** Memory of an earlier item that the receiver has returned, if any. Absent if the receiver returns none. */
export type Spare = (() => ArrayBuffer | undefined) | undefined;

interface StreamHandler {
  readonly stream: string;
  run(input: unknown, signal: AbortSignal, spare: Spare): AsyncIterable<unknown>;
}

export type Handler = CallHandler | StreamHandler;

/** Answers a call. Buffers of typed arrays in the answer are transferred. */
export function onCall<Input, Output, Event>(
  { call }: CallName<Input, Output, Event>,
  run: (input: Input, asker: Asker<Event>) => Promise<Output> | Output,
): CallHandler {
  return { call, run: (input, asker) => run(input as Input, asker) };
}

/**
 * Answers with a stream, whose iteration ends early if the receiver stops. Buffers of typed arrays in the items are
 * transferred.
 */
export function onStream<Input, Item>(
  { stream }: StreamName<Input, Item>,
  run: (input: Input, signal: AbortSignal, spare: Spare) => AsyncIterable<Item>,
): StreamHandler {
  return { stream, run: (input, signal, spare) => run(input as Input, signal, spare) };
}

// Values posted without copying their bytes.

/** A value ready to be posted, and the buffers to transfer, which become unusable in this thread. */
interface Transferred {
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
