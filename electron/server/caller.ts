/** Connects a running call to its client: progress, log and questions. */

import { randomUUID } from 'node:crypto';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { TokenBucket } from '../../shared/lib/rate-limit.ts';
import { clientName } from '../../shared/model/client-name.ts';
import { AppError, URL_ELICITATION_REQUIRED } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';
import type { CallerContext } from '../calls/types.ts';
import type { JsonObject, Progress, ToolResult } from '../upstream/types.ts';
import { ClientRoots, ROOTS_ANSWER_MS } from './client-roots.ts';

/** Time limit for answers by people (milliseconds). */
const QUESTION_TIMEOUT_MS = 10 * 60_000;

/** Progress of one call that is passed on: at once, and then per second. */
const PROGRESS = { burst: 256, perSecond: 50 } as const;
/** Log messages of one call that are passed on: bytes at once, and then per second. Each counts as `least` at least. */
const LOG = { burst: 4 * 1024 * 1024, perSecond: 256 * 1024, least: 512 } as const;

/** Kinds of questions the client supports. */
export interface Askable {
  elicitation: { form: boolean; url: boolean } | undefined;
  sampling: boolean;
  roots: boolean;
}

/** The channel to the client during one request. */
export interface Channel {
  /** `_meta` of the request that is meant for the server. */
  meta: JsonObject | undefined;
  /** Null when the client sent no name. */
  client: string | null;
  /** Identifies the client. */
  owner: string;
  signal: AbortSignal;
  askable: Askable;
  progress(progress: Progress): void;
  log(params: JsonObject): void;
  /** Something that the client will not hear of. */
  lost(error: Error): void;
}

const anyObject = z.record(z.string(), z.unknown());

/** A bare `elicitation: {}` means forms: modes were added later than the capability. */
function askable(capabilities: JsonObject | undefined): Askable {
  const elicitation = capabilities?.elicitation as { form?: unknown; url?: unknown } | undefined;
  return {
    elicitation: elicitation && {
      form: elicitation.form !== undefined || elicitation.url === undefined,
      url: elicitation.url !== undefined,
    },
    sampling: capabilities?.sampling !== undefined,
    roots: capabilities?.roots !== undefined,
  };
}

/** How the client introduced itself; `name` where it gave none. */
export function clientInfo(
  server: Server,
  context: ServerContext | undefined,
  name: string | null,
): { name: string | null; version: string | null } {
  const envelope = context?.mcpReq.envelope as JsonObject | undefined;
  const info = (envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion()) as
    | { name?: unknown; version?: unknown }
    | undefined;
  return { name: clientName(info?.name) ?? name, version: clientName(info?.version) };
}

/**
 * The channel of one request. In the 2025 era a client introduces itself once, in `initialize`; in the 2026 era with every
 * request, in `_meta`. `name` is that of the client its token was given to.
 */
export function channelOf(
  server: Server,
  context: ServerContext,
  { owner, name }: { owner: string; name: string | null },
): Channel {
  const { _meta: meta, signal, notify } = context.mcpReq;
  const envelope = context.mcpReq.envelope as JsonObject | undefined;
  const capabilities = (envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities()) as JsonObject | undefined;
  const progressToken = meta?.progressToken;
  const lost = (error: Error) => server.onerror?.(error);
  let last = Number.NEGATIVE_INFINITY;
  // A server may send without end, and a client may read nothing: what waits for it is bounded.
  const steps = new TokenBucket(PROGRESS.burst, PROGRESS.perSecond);
  const logged = new TokenBucket(LOG.burst, LOG.perSecond);
  let complete = false;
  let leftOut = false;
  return {
    client: clientInfo(server, context, name).name,
    owner,
    signal,
    lost,
    askable: askable(capabilities),
    meta: metaForServer(meta),
    progress(progress) {
      // The protocol requires increasing values.
      if (progressToken === undefined || progress.progress <= last) return;
      last = progress.progress;
      const completes = !complete && progress.total !== undefined && progress.progress >= progress.total;
      complete ||= completes;
      if (!completes && !steps.take()) return;
      notify({ method: 'notifications/progress', params: { ...progress, progressToken } }).catch(lost);
    },
    log(params) {
      const { level, data, logger } = params as {
        level: Parameters<typeof context.mcpReq.log>[0];
        data: unknown;
        logger?: string;
      };
      if (logged.take(Math.max(LOG.least, JSON.stringify(data ?? null).length))) {
        context.mcpReq.log(level, data, logger).catch(lost);
        return;
      }
      if (leftOut) return;
      leftOut = true;
      const notice = 'Log messages of the server are left out: it sends too many, or too long ones';
      context.mcpReq.log('warning', notice, 'filebridge').catch(lost);
    },
  };
}

/** The protocol's own members of `_meta`, which concern the connection between the client and us. */
const PROTOCOLS_OWN = /^(?:progressToken$|io\.modelcontextprotocol\/|modelcontextprotocol\.io\/)/;

function metaForServer(meta: object | undefined): JsonObject | undefined {
  const members = Object.entries(meta ?? {}).filter(([name]) => !PROTOCOLS_OWN.test(name));
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** A client that opens addresses for its user wants to hear of them in the way of the protocol. */
function raisesFor(client: Askable): (error: AppError) => boolean {
  return ({ details: { rpc } }) => rpc?.code === URL_ELICITATION_REQUIRED && client.elicitation?.url === true;
}

/** Whether a client can be asked this; a client that cannot show a page is not asked to. */
const canElicit = (client: Askable, params: JsonObject): boolean =>
  params.mode === 'url' ? client.elicitation?.url === true : client.elicitation?.form === true;

/** The caller of a request of the 2025 era, who is asked by requests of ours while the call runs. */
export function pushingCaller(channel: Channel, context: ServerContext, roots: ClientRoots): CallerContext {
  const ask = (method: string, params: JsonObject): Promise<JsonObject> =>
    context.mcpReq.send({ method, params }, anyObject, { timeout: QUESTION_TIMEOUT_MS, signal: channel.signal });
  const askRoots = () => context.mcpReq.send({ method: 'roots/list' }, anyObject, { timeout: ROOTS_ANSWER_MS });
  return {
    signal: channel.signal,
    client: channel.client,
    owner: channel.owner,
    progress: channel.progress,
    log: channel.log,
    raises: raisesFor(channel.askable),
    meta: channel.meta,
    elicit: channel.askable.elicitation
      ? async (params) => (canElicit(channel.askable, params) ? ask('elicitation/create', params) : { action: 'decline' })
      : undefined,
    sample: channel.askable.sampling ? (params) => ask('sampling/createMessage', params) : undefined,
    roots: channel.askable.roots ? () => roots.get(askRoots) : undefined,
  };
}

// Pending calls of 2026-era clients, which cannot receive requests: the call returns its questions as an interim result
// (`input_required`), and the client repeats the call with the answers. See "multi round-trip requests" in MCP 2026-07-28.

interface Question {
  request: { method: string; params: JsonObject };
  answer(response: JsonObject): void;
}

/** One call and its open questions. It outlives the request that started it and therefore has a separate abort signal. */
class PendingCall {
  readonly id = randomUUID();
  readonly #abort = new AbortController();
  readonly #questions = new Map<string, Question>();
  #questionCount = 0;
  #channel: Channel;
  #outcome: Promise<{ result: ToolResult } | { error: unknown }> | undefined;
  #wake = () => undefined as unknown;
  #expiry: NodeJS.Timeout | undefined;

  constructor(channel: Channel) {
    this.#channel = channel;
  }

  start(run: (caller: CallerContext) => Promise<ToolResult>): void {
    const { askable, client, owner, meta } = this.#channel;
    const roots = new ClientRoots((line) => this.#channel.lost(new Error(line)));
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
      roots: askable.roots ? () => roots.get(() => this.#ask('roots/list', {})) : undefined,
    }).then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    );
  }

  #ask(method: string, params: JsonObject): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      this.#questionCount += 1;
      this.#questions.set(`q${this.#questionCount}`, { request: { method, params }, answer: resolve });
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
      const nextQuestion = new Promise<undefined>((resolve) => {
        this.#wake = () => resolve(undefined);
        if (this.#questions.size > 0) resolve(undefined);
      });
      const outcome = await Promise.race([this.#outcome, nextQuestion]);
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
