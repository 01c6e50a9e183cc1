/** One connection to an upstream: handshake, running calls, and the server's notifications. */

import { setTimeout as pause } from 'node:timers/promises';
import { Client, LOG_LEVEL_META_KEY, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import type { Upstream } from '../../shared/model/config.ts';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { inAgentsWords, say } from '../../shared/model/messages/message.ts';
import { isJsonObject } from '../engine/core/json-object.ts';
import type { JsonStream } from '../engine/core/payload.ts';
import { ArrivingAnswers } from '../wire/arriving-answers.ts';
import { isClosed, isTimeout } from '../wire/error-causes.ts';
import type { Network } from '../wire/network.ts';
import { OutgoingPayload, OutgoingPayloads } from '../wire/outgoing-payload.ts';
import { isDeeper, MOST_LEVELS, ResultTap, rawResult, toToolResult, withoutEnvelope } from '../wire/result-tap.ts';
import { CallClock, Silence } from './call-time.ts';
import { withoutContent } from './event-log.ts';
import {
  callFailure,
  closedFailure,
  connectFailure,
  isNegotiationFailure,
  listFailure,
  silentFailure,
  timeoutFailure,
} from './failures.ts';
import { HttpTransport } from './http-transport.ts';
import { describeExit } from './process-failures.ts';
import { answerOne, anyResult, requestInRounds, type Turn } from './rounds.ts';
import type { Authorization } from './sign-in/sign-ins.ts';
import { StdioTransport } from './stdio-transport.ts';
import { allOffers, allTools, offerLists } from './tool-list.ts';
import type { CallHooks, JsonObject, Offer, Root, ToolResult, UpstreamTool } from './types.ts';
import { childEnvironment, UpstreamProcess } from './upstream-process.ts';

/** Time limit of the era probe; the result is remembered (milliseconds). */
const PROBE_TIMEOUT_MS = { stdio: 3_000, http: 10_000, sse: 10_000 } as const;

/** Time for an answer already read to reach its call after the stream broke (milliseconds). */
const ANSWER_GRACE_MS = 1_000;

/** Time between a broken pipe and the exit report (milliseconds). */
const EXIT_NOTICE_MS = 300;

/** Time for a server to ask for roots once it is connected, and to take them: it does not say when it has (milliseconds). */
const ROOTS_ASKED_MS = 2_000;
const ROOTS_TAKEN_MS = 200;

/** Time limit for a silent server to answer a ping (milliseconds). */
const PING_MS = 5_000;

export type Era = 'modern' | 'legacy';

/** Time limit of a whole tool list, as a multiple of the limit for a page. */
const LISTING_TIMEOUTS = 3;

export interface ConnectOptions {
  name: string;
  /** The entry with secrets resolved. */
  upstream: Upstream;
  maxMessageBytes: number;
  /** Maximum size of an answer (bytes). */
  maxAnswerBytes: () => number;
  clientInfo: { name: string; version: string };
  network: Network;
  /** The tokens of a sign-in to a remote server. */
  authorization?: Authorization | undefined;
  /** The environment from which a child's variables are taken. */
  env: NodeJS.ProcessEnv;
  connectTimeoutMs: number;
  /** Time limit of the era probe; by the kind of transport if absent. */
  probeTimeoutMs?: number | undefined;
  /** Era found by an earlier connection, which avoids the probe. */
  era: Era | null;
  /** Default working folder of child processes; this process's if absent. */
  workingDirectory?: string | undefined;
  /** Aborts a connection attempt. */
  signal: AbortSignal;
  /** Called for each stderr line of a child. */
  onLine: (line: string) => void;
  log: (line: string) => void;
  onToolsChanged: () => void;
  /** Prompts, resources or templates have changed. */
  onOffersChanged: () => void;
  /** The content of a resource has changed that was subscribed to. */
  onResourceUpdated: (uri: string) => void;
  /** The roots that the server is told, of which it asked while these called. */
  roots: (callers: () => readonly CallHooks[]) => Promise<readonly Root[]>;
  /** Called once when the connection ends. */
  onClosed: (connection: Connection) => void;
}

export interface CallOptions {
  timeoutMs: number;
  /** Whether the timeout is set for this upstream. */
  ownTimeout: boolean;
  hooks: CallHooks;
}

export class Connection {
  readonly #options: ConnectOptions;
  readonly #client: Client;
  readonly #tap: ResultTap;
  readonly #payloads: OutgoingPayloads;
  readonly #process: UpstreamProcess | null;
  readonly #transport: StdioTransport | HttpTransport;
  /** The most recent last. */
  readonly #calls: Turn[] = [];
  readonly #silence = new Silence();
  #toldRoots = () => {};
  readonly #rootsTold = new Promise<void>((resolve) => {
    this.#toldRoots = resolve;
  });
  closed = false;

  private constructor(options: ConnectOptions, mode: 'auto' | 'legacy', probeTimeoutMs: number) {
    const { name, upstream } = options;
    this.#options = options;
    this.#tap = new ResultTap();
    this.#payloads = new OutgoingPayloads(name, options.maxMessageBytes);
    this.#client = new Client(options.clientInfo, {
      capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
      versionNegotiation: mode === 'auto' ? { mode, probe: { timeoutMs: probeTimeoutMs } } : { mode },
      listChanged: {
        tools: { autoRefresh: false, debounceMs: 0, onChanged: () => options.onToolsChanged() },
        prompts: { autoRefresh: false, debounceMs: 0, onChanged: () => options.onOffersChanged() },
        resources: { autoRefresh: false, debounceMs: 0, onChanged: () => options.onOffersChanged() },
      },
    });
    // The call it answers is known once the message is complete.
    const onBytes = () => {
      for (const call of this.#calls) call.clock.restart();
    };
    const answers = new ArrivingAnswers({ tap: this.#tap, maxBytes: options.maxAnswerBytes, onBytes });
    if (upstream.type === 'stdio') {
      const { command, args, cwd } = upstream;
      this.#process = new UpstreamProcess({
        command,
        args,
        cwd: cwd ?? options.workingDirectory ?? null,
        env: childEnvironment(options.env, upstream.env),
        onLine: options.onLine,
      });
      this.#transport = new StdioTransport({
        process: this.#process,
        payloads: this.#payloads,
        tap: this.#tap,
        answers,
        log: options.log,
      });
    } else {
      this.#process = null;
      this.#transport = new HttpTransport({
        type: upstream.type,
        url: new URL(upstream.url),
        headers: upstream.headers,
        authorization: options.authorization,
        route: (url) => options.network.route(url, upstream.proxy),
        payloads: this.#payloads,
        tap: this.#tap,
        answers,
      });
    }
    this.#client.onerror = (error) => {
      const line = withoutContent(error.message);
      if (line !== null) options.log(line);
    };
    this.#client.fallbackRequestHandler = (request) => this.#answer(request.method, request.params ?? {});
    this.#client.setNotificationHandler('notifications/resources/updated', { params: anyResult }, (params) => {
      if (isJsonObject(params) && typeof params.uri === 'string') options.onResourceUpdated(params.uri);
    });
    this.#client.setNotificationHandler('notifications/message', { params: anyResult }, (params) => {
      if (isJsonObject(params)) this.#callWith('onLog')?.hooks.onLog?.(params);
    });
  }

  /**
   * Connects in the era the server speaks. A server that ends or answers nonsense when asked for the 2026 era is
   * started again and greeted the 2025 way. UPSTREAM_UNREACHABLE.
   */
  static async open(options: ConnectOptions): Promise<Connection> {
    const { upstream, era } = options;
    // The SSE transport is older than the 2026 era.
    const mode = upstream.type === 'sse' || era === 'legacy' ? 'legacy' : 'auto';
    const started = performance.now();
    const patienceMs = options.probeTimeoutMs ?? PROBE_TIMEOUT_MS[upstream.type];
    const probeTimeoutMs = Math.min(patienceMs, options.connectTimeoutMs / 3);
    const first = await Connection.#attempt(options, mode, probeTimeoutMs);
    if (first.ok) return first.connection;
    const retry =
      mode === 'auto' && !options.signal.aborted
        ? retryAfter(first.error, upstream.type === 'stdio' && performance.now() - started >= patienceMs)
        : null;
    if (retry === null) throw first.failure;
    const leftMs = options.connectTimeoutMs - (performance.now() - started);
    if (leftMs <= 0) throw first.failure;
    const second = await Connection.#attempt(options, retry, leftMs, leftMs);
    if (second.ok) return second.connection;
    throw second.failure;
  }

  static async #attempt(
    options: ConnectOptions,
    mode: 'auto' | 'legacy',
    probeTimeoutMs: number,
    timeoutMs = options.connectTimeoutMs,
  ): Promise<{ ok: true; connection: Connection } | { ok: false; error: unknown; failure: AppError }> {
    const connection = new Connection(options, mode, probeTimeoutMs);
    try {
      if (options.signal.aborted) throw new Error('the connection was closed');
      await connection.#greet(timeoutMs);
      connection.#tap.modern = connection.#client.getProtocolEra() === 'modern';
      connection.#client.onclose = () => connection.#end();
      // It may have ended between its greeting and this line.
      if (connection.#process?.exit) throw new Error('the connection was closed');
      return { ok: true, connection };
    } catch (error) {
      // A pipe breaks a moment before the exit that broke it is known; after closing, every server has exited.
      if (!isTimeout(error)) await connection.#process?.exited(EXIT_NOTICE_MS);
      const failure = connectFailure(error, connection.#context, options.connectTimeoutMs);
      await connection.#transport.close().catch(() => {});
      return { ok: false, error, failure };
    }
  }

  /** The handshake. The SDK bounds each of its requests, but not all of them, nor the wait for an event stream to open. */
  async #greet(timeoutMs: number): Promise<void> {
    const { signal } = this.#options;
    const greeting = this.#client.connect(this.#transport, { timeout: timeoutMs });
    let timer: NodeJS.Timeout | undefined;
    let giveUp = () => {};
    const end = new Promise<never>((_, reject) => {
      giveUp = () => reject(new Error('the connection was closed'));
      signal.addEventListener('abort', giveUp);
      timer = setTimeout(() => reject(new SdkError(SdkErrorCode.RequestTimeout, 'Request timed out')), timeoutMs);
    });
    try {
      await Promise.race([greeting, end]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    }
  }

  get era(): Era {
    return this.#client.getProtocolEra() ?? 'legacy';
  }

  get protocolVersion(): string | null {
    return this.#client.getNegotiatedProtocolVersion() ?? null;
  }

  get serverInfo(): { name: string; version: string } | null {
    const info = this.#client.getServerVersion();
    return info ? { name: info.name, version: info.version } : null;
  }

  /** The server's instructions for models. */
  get instructions(): string | null {
    return this.#client.getInstructions() ?? null;
  }

  /** How its process ended, in words; null while it runs or where there is none. */
  get end(): string | null {
    return this.#process?.exit ? inAgentsWords(say('server.hasEnded', { exit: describeExit(this.#process) })) : null;
  }

  /** Every tool definition, unmodified. Throws UPSTREAM_FAILED, UPSTREAM_TIMEOUT, UPSTREAM_CLOSED. */
  async listTools(timeoutMs: number): Promise<UpstreamTool[]> {
    const { name, log } = this.#options;
    const page = async (params: JsonObject) =>
      rawResult(await this.#client.request({ method: 'tools/list', params }, anyResult, { timeout: timeoutMs }));
    try {
      return await allTools(page, name, log, performance.now() + LISTING_TIMEOUTS * timeoutMs);
    } catch (error) {
      if (isMethodUnknown(error) && !this.#client.getServerCapabilities()?.tools) return [];
      throw listFailure(error, this.#context, timeoutMs);
    }
  }

  /** Every prompt, resource and template, unmodified. A server that fails to list one kind keeps the others. Throws as `listTools`. */
  async listOffers(timeoutMs: number): Promise<Offer[]> {
    const { name, log } = this.#options;
    const has = this.#client.getServerCapabilities() ?? {};
    const lists = offerLists.filter(({ capability }) => has[capability] !== undefined);
    const offers: Offer[] = [];
    for (const list of lists) {
      const page = async (params: JsonObject) =>
        rawResult(await this.#client.request({ method: list.method, params }, anyResult, { timeout: timeoutMs }));
      try {
        offers.push(...(await allOffers(list, page, name, log, performance.now() + LISTING_TIMEOUTS * timeoutMs)));
      } catch (error) {
        // Templates are rarer than resources, and many servers do not answer about them.
        if (this.closed || isTimeout(error)) throw listFailure(error, this.#context, timeoutMs);
        if (!isMethodUnknown(error)) log(`${list.method} failed: ${listFailure(error, this.#context, timeoutMs).message}`);
      }
    }
    return offers;
  }

  /** Asks to hear of changes of a resource, or no more. Servers of the 2026 era are not asked: they have another way for it. UPSTREAM_*. */
  async subscribe(uri: string, on: boolean, timeoutMs: number): Promise<void> {
    const method = on ? 'resources/subscribe' : 'resources/unsubscribe';
    if (this.era === 'modern' || this.#client.getServerCapabilities()?.resources?.subscribe !== true)
      throw new AppError('UPSTREAM_FAILED', say('server.noSubscriptions', { server: this.#options.name }));
    try {
      await this.#client.request({ method, params: { uri } }, anyResult, { timeout: timeoutMs });
    } catch (error) {
      throw callFailure(error, method, this.#context);
    }
  }

  /** A request other than a tool call: its result as it is. Answers the server's questions. UPSTREAM_*, CANCELLED. */
  request(method: string, params: JsonObject, what: string, options: CallOptions): Promise<JsonObject> {
    return this.#attended(what, options, async (turn) => {
      const raw = await requestInRounds(this.#client, { method, params: this.#withMeta(params, options.hooks), what }, turn);
      if (!isJsonObject(raw) || isDeeper(raw, MOST_LEVELS)) throw new Error('its answer cannot be read');
      return withoutEnvelope(raw);
    });
  }

  /** Makes a request under its clock. The caller's signal and the time limit give it up, and say why. */
  async #attended<T>(what: string, { timeoutMs, ownTimeout, hooks }: CallOptions, work: (turn: Turn) => Promise<T>): Promise<T> {
    const cancelled = () => new AppError('CANCELLED', say('call.cancelledOf', { tool: what }));
    if (hooks.signal?.aborted) throw cancelled();
    const controller = new AbortController();
    const clock = new CallClock(timeoutMs, () => turn.giveUp(timeoutFailure(this.#options.name, what, timeoutMs, ownTimeout)));
    const turn: Turn = {
      hooks,
      clock,
      signal: controller.signal,
      verdict: null,
      giveUp(failure) {
        turn.verdict ??= failure;
        controller.abort(failure.message);
      },
    };
    const onAbort = () => turn.giveUp(cancelled());
    hooks.signal?.addEventListener('abort', onAbort, { once: true });
    this.#calls.push(turn);
    clock.restart();
    try {
      return await work(turn);
    } catch (error) {
      throw turn.verdict ?? callFailure(error, what, this.#context);
    } finally {
      clock.stop();
      hooks.signal?.removeEventListener('abort', onAbort);
      this.#calls.splice(this.#calls.indexOf(turn), 1);
    }
  }

  /** The request with the caller's `_meta`. The 2026 era logs only for requests that ask for it. */
  #withMeta(request: JsonObject, hooks: CallHooks): JsonObject {
    const logLevel = hooks.onLog && this.#tap.modern ? { [LOG_LEVEL_META_KEY]: 'info' } : undefined;
    return hooks.meta || logLevel ? { ...request, _meta: { ...hooks.meta, ...logLevel } } : request;
  }

  /**
   * Calls a tool and answers its questions.
   * UPSTREAM_*, CANCELLED, FILE_CHANGED, MESSAGE_TOO_LARGE.
   */
  callTool(tool: string, args: JsonStream, options: CallOptions): Promise<ToolResult> {
    const { timeoutMs, hooks } = options;
    return this.#attended(tool, options, async (turn) => {
      const silence = this.#silence.begin(this.#heard);
      const payload = new OutgoingPayload(args, timeoutMs, turn.signal);
      const forget = () => this.#tap.forget(payload.placeholder);
      turn.signal.addEventListener('abort', forget, { once: true });
      payload.onBytes = () => turn.clock.restart();
      let grace: NodeJS.Timeout | undefined;
      payload.onAnswerEnd = (resumable) => {
        if (!resumable) grace = setTimeout(() => turn.giveUp(closedFailure(tool, this.#context)), ANSWER_GRACE_MS);
      };
      this.#payloads.add(payload);
      try {
        const request = this.#withMeta({ name: tool, arguments: payload.placeholder }, hooks);
        return toToolResult(
          await requestInRounds(this.#client, { method: 'tools/call', params: request, what: tool }, turn, () =>
            clearTimeout(grace),
          ),
          tool,
        );
      } catch (error) {
        // A line in mid-write is finished first: its arguments come from a file that the caller closes next.
        await payload.settled();
        if (hasCode(turn.verdict, 'UPSTREAM_TIMEOUT') && silence.lasts(this.#heard) && !(await this.#answersPing())) {
          await this.#transport.close();
          turn.verdict = silentFailure(this.#options.name, tool, timeoutMs);
        }
        throw payload.fault === undefined ? error : toAppError(payload.fault);
      } finally {
        clearTimeout(grace);
        payload.onAnswerEnd = () => {};
        forget();
        this.#payloads.remove(payload);
      }
    });
  }

  /** Whether the server keeps a session, which it can forget. */
  get hasSession(): boolean {
    return this.#transport instanceof HttpTransport && this.#transport.sessionId !== undefined;
  }

  /** Waits until a server that asks for roots has them. */
  async rootsTaken(): Promise<void> {
    const { signal } = this.#options;
    const gone = () => undefined;
    await Promise.race([this.#rootsTold, pause(ROOTS_ASKED_MS, undefined, { signal, ref: false }).catch(gone)]);
    await pause(ROOTS_TAKEN_MS, undefined, { signal }).catch(gone);
  }

  /** Number of chunks received over stdout; 0 for HTTP servers. */
  get #heard(): number {
    return this.#transport instanceof StdioTransport ? this.#transport.heard : 0;
  }

  async #answersPing(): Promise<boolean> {
    if (!(this.#transport instanceof StdioTransport)) return true;
    const before = this.#heard;
    await this.#client.request({ method: 'ping' }, anyResult, { timeout: PING_MS }).catch(() => undefined);
    return this.#heard !== before;
  }

  async close(): Promise<void> {
    await this.#transport.close();
    this.#end();
  }

  get #context() {
    const stray = this.#transport instanceof StdioTransport ? this.#transport.stray : [];
    return { name: this.#options.name, upstream: this.#options.upstream, process: this.#process, stray };
  }

  #end(): void {
    if (this.closed) return;
    this.closed = true;
    this.#options.onClosed(this);
  }

  /**
   * The call that a message of the 2025 era is for. Over one shared channel nothing tells, so it is the most recent
   * one that listens for this kind; in the 2026 era questions come as answers and belong to their call.
   */
  #callWith(hook: keyof CallHooks): Turn | undefined {
    for (let i = this.#calls.length - 1; i >= 0; i -= 1) {
      const call = this.#calls[i];
      if (call?.hooks[hook]) return call;
    }
    return undefined;
  }

  async #answer(method: string, params: JsonObject): Promise<JsonObject> {
    if (method === 'roots/list') {
      const roots = await this.#options.roots(() => this.#calls.map(({ hooks }) => hooks));
      this.#toldRoots();
      return { roots };
    }
    const hook = method === 'elicitation/create' ? 'elicit' : 'sample';
    const call = this.#callWith(hook);
    const work = () => answerOne(method, params, call?.hooks ?? {});
    return call ? call.clock.paused(work) : work();
  }
}

/** How to retry a failed attempt in `auto` mode; null when a retry would not help. `late`: a program was not ready within the time of the probe. */
function retryAfter(error: unknown, late: boolean): 'auto' | 'legacy' | null {
  if (isNegotiationFailure(error)) return 'legacy';
  // Slow to start: it got the probe and the older greeting at once. What it made of that says nothing about either.
  if (!late || isTimeout(error)) return null;
  return isClosed(error) ? 'legacy' : 'auto';
}

function isMethodUnknown(error: unknown): boolean {
  return isJsonObject(error) && error.code === -32601;
}

const hasCode = (error: AppError | null, code: string): boolean => error?.code === code;
