/** What one thread offers another: named calls and named streams, each with the types of what goes in and comes out. */

/** The name of something that is asked for and answered once; events may come before the answer. */
export interface CallName<Input, Output, Event = never> {
  readonly call: string;
  /** Types only, never there. */
  readonly types?: (input: Input, event: Event) => Output;
}

/** The name of something that comes piece by piece, at the receiver's pace. */
export interface StreamName<Input, Item> {
  readonly stream: string;
  /** Types only, never there. */
  readonly types?: (input: Input) => Item;
}

export const callName = <Input, Output, Event = never>(name: string): CallName<Input, Output, Event> => ({ call: name });
export const streamName = <Input, Item>(name: string): StreamName<Input, Item> => ({ stream: name });

/** What a handler of a call has to do with who asked. */
export interface Asker<Event> {
  /** Fires when the answer is no longer wanted. */
  readonly signal: AbortSignal;
  tell(event: Event): void;
}

interface CallHandler {
  readonly call: string;
  run(input: unknown, asker: Asker<unknown>): unknown;
}

/** Memory of an earlier item that its receiver has given back, if there is any. Absent where none is given back. */
export type Spare = (() => ArrayBuffer | undefined) | undefined;

interface StreamHandler {
  readonly stream: string;
  run(input: unknown, signal: AbortSignal, spare: Spare): AsyncIterable<unknown>;
}

export type Handler = CallHandler | StreamHandler;

/** Answers a call. Buffers of typed arrays in the answer are given away. */
export function onCall<Input, Output, Event>(
  { call }: CallName<Input, Output, Event>,
  run: (input: Input, asker: Asker<Event>) => Promise<Output> | Output,
): CallHandler {
  return { call, run: (input, asker) => run(input as Input, asker) };
}

/** Answers with a stream, whose iteration ends early when the receiver has enough. Buffers of typed arrays in the items are given away. */
export function onStream<Input, Item>(
  { stream }: StreamName<Input, Item>,
  run: (input: Input, signal: AbortSignal, spare: Spare) => AsyncIterable<Item>,
): StreamHandler {
  return { stream, run: (input, signal, spare) => run(input as Input, signal, spare) };
}
