/** Typed names and handlers of the calls and streams that one thread offers another. */

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
