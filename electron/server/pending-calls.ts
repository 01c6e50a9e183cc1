/**
 * Pending calls of 2026-era clients, which cannot receive requests: the call returns its questions as an interim result
 * (`input_required`), and the client repeats the call with the answers. See "multi round-trip requests" in MCP 2026-07-28.
 */

import { randomUUID } from 'node:crypto';
import { AppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';
import type { CallerContext } from '../calls/types.ts';
import type { JsonObject, ToolResult } from '../upstream/types.ts';
import { type Channel, canElicit, QUESTION_TIMEOUT_MS, raisesFor } from './caller.ts';

interface Question {
  request: { method: string; params: JsonObject };
  answer(response: JsonObject): void;
}

/** One call and its open questions. It outlives the request that started it and therefore has a separate abort signal. */
class PendingCall {
  readonly id = randomUUID();
  readonly #abort = new AbortController();
  readonly #questions = new Map<string, Question>();
  #asked = 0;
  #channel: Channel;
  #outcome: Promise<{ result: ToolResult } | { error: unknown }> | undefined;
  #wake = () => undefined as unknown;
  #expiry: NodeJS.Timeout | undefined;

  constructor(channel: Channel) {
    this.#channel = channel;
  }

  start(run: (caller: CallerContext) => Promise<ToolResult>): void {
    const { askable, client, owner, meta } = this.#channel;
    this.#outcome = run({
      signal: this.#abort.signal,
      client,
      owner,
      progress: (progress) => this.#channel.progress(progress),
      log: (params) => this.#channel.log(params),
      raises: raisesFor(askable),
      meta,
      elicit: askable.elicitation
        ? async (params) => (canElicit(askable, params) ? this.#ask('elicitation/create', params) : { action: 'decline' })
        : undefined,
      sample: askable.sampling ? (params) => this.#ask('sampling/createMessage', params) : undefined,
    }).then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    );
  }

  #ask(method: string, params: JsonObject): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      this.#asked += 1;
      this.#questions.set(`q${this.#asked}`, { request: { method, params }, answer: resolve });
      this.#abort.signal.addEventListener('abort', () => reject(this.#abort.signal.reason), { once: true });
      this.#wake();
    });
  }

  /** Waits for one request until the call ends or asks a question. */
  async next(channel: Channel, responses: JsonObject): Promise<ToolResult | JsonObject> {
    clearTimeout(this.#expiry);
    this.#channel = channel;
    for (const [key, question] of this.#questions) {
      const response = responses[key];
      if (typeof response !== 'object' || response === null) continue;
      this.#questions.delete(key);
      question.answer(response as JsonObject);
    }
    const cancel = () => this.cancel(say('call.cancelled'));
    channel.signal.addEventListener('abort', cancel, { once: true });
    if (channel.signal.aborted) cancel();
    try {
      const asked = new Promise<undefined>((resolve) => {
        this.#wake = () => resolve(undefined);
        if (this.#questions.size > 0) resolve(undefined);
      });
      const outcome = await Promise.race([this.#outcome, asked]);
      if (outcome === undefined) return this.#askClient();
      if ('error' in outcome) throw outcome.error;
      return outcome.result;
    } finally {
      channel.signal.removeEventListener('abort', cancel);
    }
  }

  #askClient(): JsonObject {
    this.#expiry = setTimeout(() => this.cancel(say('question.late')), QUESTION_TIMEOUT_MS).unref();
    const inputRequests = Object.fromEntries([...this.#questions].map(([key, { request }]) => [key, request]));
    return { resultType: 'input_required', inputRequests, requestState: this.id };
  }

  get waiting(): boolean {
    return this.#questions.size > 0;
  }

  /** Resolves when the call has ended, with or without an error. */
  async ended(): Promise<void> {
    await this.#outcome;
  }

  cancel(why: Message): void {
    clearTimeout(this.#expiry);
    this.#abort.abort(new AppError('CANCELLED', why));
  }
}

/** Maximum pending calls of one client; beyond it the oldest is cancelled. */
const MAX_WAITING = 64;

export class PendingCalls {
  readonly #calls = new Map<string, { call: PendingCall; owner: string }>();

  /** Runs a call until its result or its first question. */
  begin(owner: string, channel: Channel, run: (caller: CallerContext) => Promise<ToolResult>): Promise<ToolResult | JsonObject> {
    const waiting = [...this.#calls.values()].filter((pending) => pending.owner === owner && pending.call.waiting);
    if (waiting.length >= MAX_WAITING) waiting[0]?.call.cancel(say('question.many'));
    const call = new PendingCall(channel);
    this.#calls.set(call.id, { call, owner });
    call.start(run);
    void call.ended().then(() => this.#calls.delete(call.id));
    return call.next(channel, {});
  }

  /** Resumes a call with the client's answers. Throws CANCELLED when it has ended or belongs to another client. */
  async resume(owner: string, id: string, channel: Channel, responses: JsonObject): Promise<ToolResult | JsonObject> {
    const pending = this.#calls.get(id);
    if (!pending?.call.waiting || pending.owner !== owner)
      throw new AppError('CANCELLED', say('question.closed'), { hint: say('question.closed.hint') });
    return pending.call.next(channel, responses);
  }

  /** Cancels the calls of all other owners. */
  keepOnly(owners: ReadonlySet<string>): void {
    for (const { call, owner } of this.#calls.values()) if (!owners.has(owner)) call.cancel(say('question.token'));
  }

  /** Cancels every call, pending or running. */
  close(): void {
    for (const { call } of this.#calls.values()) call.cancel(say('question.closing'));
  }
}
