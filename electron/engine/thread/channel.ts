/** Calls and streams between two threads over one port; both sides can ask and answer. */

import { parentPort } from 'node:worker_threads';
import { AppError, type ErrorCode, type ErrorDetails, toAppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { type CallName, type Handler, keepMemory, type StreamName, toTransferred } from './handlers.ts';

/** A `Worker` on one side, its `parentPort` on the other. */
interface Port {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

/** From the caller. `credits`: number of pieces that may be in flight. */
type Question =
  | { kind: 'call'; id: number; name: string; input: unknown }
  | { kind: 'stream'; id: number; name: string; input: unknown; credits: number; reuse: boolean }
  | { kind: 'cancel'; id: number }
  /** A piece was consumed. `spare`: its memory, for reuse. */
  | { kind: 'credit'; id: number; spare?: ArrayBuffer | undefined };

/** From the answering side. */
type Answer =
  | { kind: 'event' | 'item' | 'result'; id: number; value: unknown }
  | { kind: 'end'; id: number }
  | { kind: 'failure'; id: number; error: WireError };

interface AskOptions {
  signal?: AbortSignal | undefined;
  /** Lifetime of the answer; its abort reason is the error. */
  until?: AbortSignal | undefined;
  /** Takes almost no time and does not count as work. */
  brief?: boolean | undefined;
}

interface StreamOptions extends AskOptions {
  /**
   * The receiver has finished with a piece when it asks for the next: the memory of the typed array, or of its `data`, is
   * sent back for reuse.
   */
  reuse?: boolean | undefined;
}

/** Pieces of a stream in flight, besides the one that the receiver is processing. */
const CREDITS = 3;

/** A pending request to the other thread. */
interface Asked {
  readonly brief?: boolean | undefined;
  onAnswer(answer: Answer): void;
  onGone(error: Error): void;
}

/** A request that this thread is answering. */
interface Answering {
  readonly abort: AbortController;
  credits: number;
  readonly spare: ArrayBuffer[];
  onCredit(): void;
}

export class Channel {
  private readonly port: Port;
  private readonly handlers = new Map<string, Handler>();
  private readonly asked = new Map<number, Asked>();
  private readonly answering = new Map<number, Answering>();
  private lastId = 0;
  private gone: Error | undefined;

  constructor(port: Port) {
    this.port = port;
    port.on('message', (message) => this.receive(message as Question | Answer));
  }

  /** Offers these handlers to the other side. */
  serve(handlers: readonly Handler[]): void {
    for (const handler of handlers) this.handlers.set('call' in handler ? handler.call : handler.stream, handler);
  }

  /** Number of this side's pending requests that count as work. */
  get underWay(): number {
    let count = 0;
    for (const { brief } of this.asked.values()) if (!brief) count += 1;
    return count;
  }

  /** Sends a request and waits for the answer; rejects with CANCELLED as soon as a signal is aborted. */
  call<Input, Output, Event = never>(
    { call }: CallName<Input, Output, Event>,
    input: Input,
    { signal, until, brief, onEvent }: AskOptions & { onEvent?: ((event: Event) => void) | undefined } = {},
  ): Promise<Output> {
    return new Promise((resolve, reject) => {
      if (this.gone) return reject(this.gone);
      const stopped = stopOf(signal, until);
      if (stopped) return reject(stopped);
      const id = this.nextId();
      const settle = () => {
        this.asked.delete(id);
        signal?.removeEventListener('abort', onAbort);
        until?.removeEventListener('abort', onAbort);
      };
      const leave = (reason: unknown) => {
        settle();
        this.post({ kind: 'cancel', id });
        reject(reason);
      };
      const onAbort = () => leave(stopOf(signal, until));
      const hear = (event: Event) => {
        try {
          onEvent?.(event);
        } catch (error) {
          leave(error);
        }
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      until?.addEventListener('abort', onAbort, { once: true });
      this.asked.set(id, {
        brief,
        onAnswer(answer) {
          if (answer.kind === 'event') return hear(answer.value as Event);
          settle();
          if (answer.kind === 'failure') reject(fromWire(answer.error));
          else if (answer.kind === 'result') resolve(answer.value as Output);
        },
        onGone(error) {
          settle();
          reject(error);
        },
      });
      try {
        this.post({ kind: 'call', id, name: call, input });
      } catch (error) {
        settle();
        reject(error);
      }
    });
  }

  /** Requests a stream when the iteration begins. A slow receiver slows the sender; leaving the iteration stops it. */
  async *stream<Input, Item>(
    { stream }: StreamName<Input, Item>,
    input: Input,
    { signal, until, reuse = false }: StreamOptions = {},
  ): AsyncGenerator<Item> {
    if (this.gone) throw this.gone;
    const stopped = stopOf(signal, until);
    if (stopped) throw stopped;
    const id = this.nextId();
    const items: Item[] = [];
    let ended = false;
    let failure: Error | undefined;
    let wake = () => {};
    const leave = () => {
      signal?.removeEventListener('abort', leave);
      until?.removeEventListener('abort', leave);
      if (this.asked.delete(id) && !ended && failure === undefined) this.post({ kind: 'cancel', id });
      wake();
    };
    // Also if the receiver is busy or never continues.
    signal?.addEventListener('abort', leave, { once: true });
    until?.addEventListener('abort', leave, { once: true });
    this.asked.set(id, {
      onAnswer(answer) {
        if (answer.kind === 'item') items.push(answer.value as Item);
        else if (answer.kind === 'failure') failure = fromWire(answer.error);
        else if (answer.kind === 'end') ended = true;
        wake();
      },
      onGone(error) {
        failure = error;
        wake();
      },
    });
    try {
      this.post({ kind: 'stream', id, name: stream, input, credits: CREDITS, reuse });
      for (;;) {
        const reason = stopOf(signal, until);
        if (reason) throw reason;
        if (items.length > 0) {
          const item = items.shift() as Item;
          const goesOn = () => !ended && failure === undefined && this.asked.has(id);
          if (!reuse && goesOn()) this.post({ kind: 'credit', id });
          yield item;
          // Also at the end of the stream, for the next one.
          if (reuse) this.giveBack(id, item);
        } else if (failure) throw failure;
        else if (ended) return;
        else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    } finally {
      leave();
    }
  }

  /** The other side has ended: all pending and future requests fail with this error. */
  lose(error: Error): void {
    this.gone ??= error;
    for (const asked of [...this.asked.values()]) asked.onGone(this.gone);
    for (const { abort, onCredit } of [...this.answering.values()]) {
      abort.abort();
      onCredit();
    }
  }

  private giveBack(id: number, item: unknown): void {
    const piece = ArrayBuffer.isView(item) ? item : (item as { data?: unknown }).data;
    const spare = ArrayBuffer.isView(piece) && piece.buffer instanceof ArrayBuffer ? piece.buffer : undefined;
    this.post({ kind: 'credit', id, spare }, spare && [spare]);
  }

  private nextId(): number {
    this.lastId += 1;
    return this.lastId;
  }

  private post(message: Question | Answer, transfer?: ArrayBuffer[]): void {
    if (!this.gone) this.port.postMessage(message, transfer);
  }

  private receive(message: Question | Answer): void {
    switch (message.kind) {
      case 'call':
      case 'stream':
        void this.answer(message);
        return;
      case 'cancel': {
        const answering = this.answering.get(message.id);
        answering?.abort.abort();
        answering?.onCredit();
        return;
      }
      case 'credit': {
        const answering = this.answering.get(message.id);
        if (!answering) {
          if (message.spare) keepMemory(message.spare);
          return;
        }
        answering.credits += 1;
        if (message.spare) answering.spare.push(message.spare);
        answering.onCredit();
        return;
      }
      default:
        // Answers after a cancellation are ignored.
        this.asked.get(message.id)?.onAnswer(message);
    }
  }

  private async answer(question: Extract<Question, { name: string }>): Promise<void> {
    const { id, name, input } = question;
    const abort = new AbortController();
    const credits = question.kind === 'stream' ? question.credits : 0;
    const answering: Answering = { abort, credits, spare: [], onCredit: () => {} };
    this.answering.set(id, answering);
    try {
      const handler = this.handlers.get(name);
      if (handler === undefined) throw new AppError('INTERNAL', `No thread offers '${name}'`);
      if ('call' in handler) {
        const result = await handler.run(input, {
          signal: abort.signal,
          tell: (value) => this.post({ kind: 'event', id, value }),
        });
        const { value, transfer } = toTransferred(result);
        this.post({ kind: 'result', id, value }, transfer);
        return;
      }
      const spare = question.kind === 'stream' && question.reuse ? () => answering.spare.pop() : undefined;
      for await (const item of handler.run(input, abort.signal, spare)) {
        if (abort.signal.aborted) return;
        const { value, transfer } = toTransferred(item);
        this.post({ kind: 'item', id, value }, transfer);
        answering.credits -= 1;
        while (answering.credits <= 0 && !abort.signal.aborted) {
          await new Promise<void>((resolve) => {
            answering.onCredit = resolve;
          });
        }
        if (abort.signal.aborted) return;
      }
      this.post({ kind: 'end', id });
    } catch (error) {
      this.post({ kind: 'failure', id, error: toWire(error) });
    } finally {
      this.answering.delete(id);
      for (const memory of answering.spare) keepMemory(memory);
    }
  }
}

/** The reason to stop, if any. */
function stopOf(signal: AbortSignal | undefined, until: AbortSignal | undefined): Error | undefined {
  if (signal?.aborted) return new AppError('CANCELLED', say('call.cancelled'), { cause: signal.reason });
  return until?.aborted ? toAppError(until.reason) : undefined;
}

/** An error as plain data. */
interface WireError {
  /** Null for errors other than AppError. */
  readonly code: ErrorCode | null;
  readonly name: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly said?: AppError['said'];
  readonly details?: ErrorDetails | undefined;
  readonly stack?: string | undefined;
  readonly cause?: WireError | undefined;
}

/** Maximum depth of causes. */
const DEPTH = 4;

function toWire(error: unknown, depth = 0): WireError {
  if (!(error instanceof Error)) return { code: null, name: 'Error', message: String(error) };
  const { name, message, stack } = error;
  const cause = error.cause === undefined || depth === DEPTH ? undefined : toWire(error.cause, depth + 1);
  if (!(error instanceof AppError)) return { code: null, name, message, stack, cause };
  return { code: error.code, name, message, hint: error.hint, said: error.said, details: plain(error.details), stack, cause };
}

function fromWire({ code, name, message, hint, said = {}, details, stack, cause }: WireError): Error {
  const options = cause === undefined ? {} : { cause: fromWire(cause) };
  const error =
    code === null
      ? Object.assign(new Error(message, options), { name })
      : new AppError(code, said.message ?? message, {
          ...options,
          ...(hint === undefined ? {} : { hint: said.hint ?? hint }),
          ...(details ? { details } : {}),
        });
  // The stack of the original error is more useful than the receiver's.
  if (stack !== undefined) error.stack = stack;
  return error;
}

/** Details without values that cannot be posted to another thread. */
function plain(details: ErrorDetails): ErrorDetails {
  try {
    return structuredClone(details);
  } catch {
    return JSON.parse(JSON.stringify(details)) as ErrorDetails;
  }
}

/** A kind of work for worker threads: given the channel to the owner, returns the handlers. */
export type Job = (channel: Channel) => readonly Handler[];

/** Runs jobs in this worker thread for the thread that started it. */
export function serveJobs(jobs: readonly Job[]): void {
  if (parentPort === null) throw new Error('This file is run by worker threads of Filebridge');
  const channel = new Channel(parentPort);
  for (const job of jobs) channel.serve(job(channel));
}
