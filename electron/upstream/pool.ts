/** Pool of one connection per upstream: opened on first use, shared, closed when idle, reopened after failures. */

import { createHash } from 'node:crypto';
import { limitedLog } from '../../shared/lib/rate-limit.ts';
import type { Upstream } from '../../shared/model/config.ts';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import type { JsonStream } from '../engine/core/payload.ts';
import { createNetwork, type Network } from '../wire/network.ts';
import type { CallOptions, Connection } from './connection.ts';
import { exactTarget, masked, maskedError, secretTexts, shownTarget } from './masking.ts';
import { entryFor, rootsFor } from './own-entries.ts';
import {
  assertAllowed,
  assertEnabled,
  assertOfferAllowed,
  connectsAlike,
  type Entry,
  isAllowed,
  isOfferAllowed,
  maxMessageBytes,
  newEntry,
  statusOf,
  unknownServer,
  unknownTool,
  withTokensMasked,
} from './pool-entry.ts';
import { askedOnce } from './roots.ts';
import { environmentFor } from './shell-path.ts';
import { type Authorization, hasCredentials } from './sign-in/sign-ins.ts';
import { StartSlots, startTime } from './start-limits.ts';
import type { CallHooks, JsonObject, LogLine, Offer, ToolResult, UpstreamPool, UpstreamStatus, UpstreamTool } from './types.ts';
import { unlessAborted } from './unless-aborted.ts';

/** Changes of tools that follow each other are listed once (milliseconds). */
const CHANGE_MS = 300;

/** Back-off after a failed connection: doubles from the first value to the second (milliseconds). */
const BACKOFF_MS = { first: 1_000, longest: 60_000 } as const;

export interface UpstreamPoolOptions {
  upstreams: Record<string, Upstream>;
  /** Read for every call. */
  limits: () => { callTimeoutMs: number; upstreamIdleMs: number; maxAnswerBytes?: number };
  /** How Filebridge introduces itself to upstreams. */
  clientInfo: { name: string; version: string };
  /** Resolves references and sealed secrets of an entry just before connecting. The values are masked in log and errors. */
  resolveSecrets?: (name: string, upstream: Upstream) => Upstream;
  /** The tokens of sign-ins to remote servers. */
  authorization?: (name: string, url: string) => Authorization;
  /** The way to remote servers; default: this process's variables. */
  network?: Network | undefined;
  /** The environment that children inherit PATH and the like from; by default this process's, with the login shell's PATH. */
  env?: () => Promise<NodeJS.ProcessEnv>;
  /** Default working folder of child processes; this process's if absent. */
  workingDirectory?: string | undefined;
  /** Called with every tool list of a server. */
  onTools?: (name: string, upstream: Upstream, tools: readonly UpstreamTool[]) => void;
  /** Called with every list of prompts, resources and templates of a server. */
  onOffers?: (name: string, upstream: Upstream, offers: readonly Offer[]) => void;
  /** Called when a server has introduced itself. */
  onGreeting?: (name: string, upstream: Upstream, greeting: { instructions: string | null }) => void;
  /** One line at a time, without payloads or secrets. */
  log?: (line: string) => void;
  /** Time limit for start and handshake; by the kind of program if absent. */
  connectTimeoutMs?: number;
  /** Time limit of the era probe; by the kind of transport if absent. */
  probeTimeoutMs?: number;
}

export function createUpstreamPool(options: UpstreamPoolOptions): UpstreamPool {
  return new Pool(options);
}

class Pool implements UpstreamPool {
  readonly #options: UpstreamPoolOptions;
  readonly #toolListeners = new Set<(name: string) => void>();
  readonly #offerListeners = new Set<(name: string) => void>();
  readonly #statusListeners = new Set<(name: string) => void>();
  #entries = new Map<string, Entry>();
  readonly #starts = new StartSlots();
  readonly #network: Network;
  #closed = false;

  constructor(options: UpstreamPoolOptions) {
    this.#options = options;
    this.#network = options.network ?? createNetwork();
    for (const [name, upstream] of Object.entries(options.upstreams)) this.#entries.set(name, newEntry(name, upstream));
  }

  names(): string[] {
    return [...this.#entries.keys()];
  }

  config(name: string): Upstream {
    return this.#entry(name).upstream;
  }

  target(name: string): { target: string; folder: string | null } {
    const { log } = this.#entry(name);
    const upstream = this.used(name);
    const folder = upstream.type === 'stdio' ? (upstream.cwd ?? this.#options.workingDirectory ?? process.cwd()) : null;
    return { target: masked(exactTarget(upstream), log.secrets), folder };
  }

  used(name: string): Upstream {
    const { upstream, used } = this.#entry(name);
    if (upstream.type === 'stdio' && used?.type === 'stdio')
      return { ...upstream, command: used.command, args: used.args, cwd: used.cwd };
    return upstream.type !== 'stdio' && used && used.type !== 'stdio' ? { ...upstream, url: used.url } : upstream;
  }

  settingsHash(name: string): string {
    const entry = this.#entry(name);
    const used = entry.used ?? this.#filled(entry);
    const place =
      used.type === 'stdio'
        ? [used.command, used.args, used.cwd, Object.entries(used.env).sort()]
        : [used.type, used.url, Object.entries(used.headers).sort()];
    return createHash('sha256').update(JSON.stringify(place)).digest('hex');
  }

  #filled({ name, upstream }: Entry): Upstream {
    return this.#options.resolveSecrets?.(name, upstream) ?? upstream;
  }

  status(name?: string): UpstreamStatus[] {
    const entries = name === undefined ? [...this.#entries.values()] : [this.#known(name)];
    return entries.map(statusOf);
  }

  log(name: string): readonly LogLine[] {
    return this.#known(name).log.lines;
  }

  async tools(
    name: string,
    { signal, refresh = false, all = false }: { signal?: AbortSignal; refresh?: boolean; all?: boolean } = {},
  ): Promise<UpstreamTool[]> {
    const entry = this.#entry(name);
    // A list over many upstreams does not retry one that has just failed.
    if (!refresh && !entry.connection && entry.lastError && performance.now() < entry.retryAt) throw entry.lastError;
    const tools = await unlessAborted(this.#toolList(entry, refresh), signal);
    return all ? tools : tools.filter((tool) => isAllowed(entry.upstream, tool.name));
  }

  async tool(name: string, tool: string, { signal }: { signal?: AbortSignal } = {}): Promise<UpstreamTool> {
    const entry = this.#entry(name);
    const find = (tools: UpstreamTool[]) => tools.find((candidate) => candidate.name === tool);
    const found =
      find(await unlessAborted(this.#toolList(entry, false), signal)) ??
      // Servers can add tools without announcing it.
      find(await unlessAborted(this.#toolList(entry, true), signal));
    if (found) {
      assertAllowed(entry, tool);
      return found;
    }
    throw unknownTool(entry, tool);
  }

  maxMessageBytes(name: string): number {
    return maxMessageBytes(this.#known(name));
  }

  async callTool(name: string, tool: string, args: JsonStream, hooks: CallHooks = {}): Promise<ToolResult> {
    const entry = this.#entry(name);
    assertAllowed(entry, tool);
    return this.#onceMore(entry, hooks, (connection, options) => connection.callTool(tool, args, options));
  }

  async request(
    name: string,
    { method, params, about }: { method: string; params: JsonObject; about: string },
    hooks: CallHooks = {},
  ): Promise<JsonObject> {
    const entry = this.#entry(name);
    assertOfferAllowed(entry, about);
    return this.#onceMore(entry, hooks, (connection, options) => connection.request(method, params, about, options));
  }

  /** Uses a connection, and another one if the server forgot the session: then it has not processed the request. */
  async #onceMore<T>(
    shared: Entry,
    caller: CallHooks,
    work: (connection: Connection, options: CallOptions) => Promise<T>,
  ): Promise<T> {
    const hooks = askedOnce(caller);
    const entry = await entryFor(shared, hooks, this.#place(shared));
    let hadSession = false;
    const call = (connection: Connection) => {
      hadSession = connection.hasSession;
      return work(connection, { timeoutMs: this.#timeoutMs(entry), ownTimeout: entry.upstream.timeoutMs !== undefined, hooks });
    };
    try {
      return await this.#use(entry, call, hooks.signal);
    } catch (error) {
      const { isSessionLost } = await import('./failures.ts');
      // A 404 without a session proves nothing.
      if (hadSession && isSessionLost(error) && !entry.dropped) {
        await this.#disconnect(entry, 'Reconnecting: the server forgot the session');
        return await this.#use(entry, call, hooks.signal);
      }
      const failure = toAppError(error);
      this.#noteLoss(entry, failure);
      throw failure;
    }
  }

  /** Where the entry of a server is, and what takes its place. */
  #place(entry: Entry) {
    return {
      shared: () => this.#entries.get(entry.name) ?? entry,
      share: (other: Entry) => void this.#entries.set(entry.name, other),
      end: (other: Entry, why: string) => this.#end(other, why),
    };
  }

  #timeoutMs(entry: Entry): number {
    return entry.upstream.timeoutMs ?? this.#options.limits().callTimeoutMs;
  }

  async offers(name: string, { signal }: { signal?: AbortSignal } = {}): Promise<Offer[]> {
    const entry = this.#entry(name);
    if (!entry.connection && entry.lastError && performance.now() < entry.retryAt) throw entry.lastError;
    entry.offers ??= this.#use(entry, (connection) => connection.listOffers(this.#timeoutMs(entry)));
    const listing = entry.offers;
    listing.then(
      (listed) => {
        if (!entry.offersListed) this.#options.onOffers?.(name, entry.upstream, listed);
        entry.offersListed = true;
      },
      () => {
        if (entry.offers === listing) entry.offers = undefined;
      },
    );
    const offers = await unlessAborted(listing, signal);
    return offers.filter(({ key }) => isOfferAllowed(entry.upstream, key));
  }

  async subscribe(name: string, uri: string, listener: () => void): Promise<() => void> {
    const entry = this.#entry(name);
    assertOfferAllowed(entry, uri);
    const listeners = entry.subscriptions.get(uri) ?? new Set();
    if (listeners.size === 0) await this.#use(entry, (connection) => connection.subscribe(uri, true, this.#timeoutMs(entry)));
    entry.subscriptions.set(uri, listeners.add(listener));
    clearTimeout(entry.idle);
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0 || !entry.subscriptions.delete(uri)) return;
      entry.connection
        ?.subscribe(uri, false, this.#timeoutMs(entry))
        .catch((error: unknown) => this.#log(entry, toAppError(error).message));
      this.#watchIdle(entry);
    };
  }

  /** After a new start the server knows of no subscriptions, and what they are about may have changed. */
  #subscribeAgain(entry: Entry, connection: Connection): void {
    for (const [uri, listeners] of entry.subscriptions) {
      connection.subscribe(uri, true, this.#timeoutMs(entry)).then(
        () => {
          for (const listener of listeners) listener();
        },
        (error: unknown) => this.#log(entry, toAppError(error).message),
      );
    }
  }

  onOffersChanged(listener: (name: string) => void): () => void {
    this.#offerListeners.add(listener);
    return () => this.#offerListeners.delete(listener);
  }

  onToolsChanged(listener: (name: string) => void): () => void {
    this.#toolListeners.add(listener);
    return () => this.#toolListeners.delete(listener);
  }

  onStatusChanged(listener: (name: string) => void): () => void {
    this.#statusListeners.add(listener);
    return () => this.#statusListeners.delete(listener);
  }

  async restart(name: string): Promise<void> {
    const old = this.#entry(name);
    const entry = newEntry(name, old.upstream, old.log);
    // The previous tools are shown until the new list arrives.
    Object.assign(entry, { tools: old.tools, stale: true, subscriptions: old.subscriptions });
    this.#entries.set(name, entry);
    entry.log.add('filebridge', 'Restarting');
    await this.#drop(old, null);
    await this.#use(entry, async () => undefined);
  }

  async configure(upstreams: Record<string, Upstream>): Promise<void> {
    const before = this.#entries;
    const changed = new Set<string>();
    const gone: Entry[] = [];
    this.#entries = new Map();
    for (const [name, upstream] of Object.entries(upstreams)) {
      const entry = before.get(name);
      if (JSON.stringify(entry?.upstream) !== JSON.stringify(upstream)) changed.add(name);
      if (entry && connectsAlike(entry.upstream, upstream)) {
        for (const each of [entry, ...entry.byRoots.values()]) each.upstream = upstream;
        this.#entries.set(name, entry);
        continue;
      }
      const fresh = newEntry(name, upstream, entry?.log);
      if (entry) fresh.subscriptions = entry.subscriptions;
      this.#entries.set(name, fresh);
      if (entry) gone.push(entry);
    }
    for (const [name, entry] of before) {
      if (Object.hasOwn(upstreams, name)) continue;
      changed.add(name);
      gone.push(entry);
    }
    for (const name of changed) this.#tellStatus(name);
    await Promise.all(gone.map((entry) => this.#drop(entry, 'Ended: its settings were changed')));
    for (const name of changed) {
      this.#tellTools(name);
      for (const listener of this.#offerListeners) listener(name);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#entries.values()].map((entry) => this.#drop(entry, 'Ended: Filebridge was closed')));
  }

  #known(name: string): Entry {
    const entry = this.#entries.get(name);
    if (entry) return entry;
    throw unknownServer(name, this.names());
  }

  #entry(name: string): Entry {
    const entry = this.#known(name);
    assertEnabled(entry);
    return entry;
  }

  /** Every tool of an upstream; concurrent callers share one listing. */
  #toolList(entry: Entry, refresh: boolean): UpstreamTool[] | Promise<UpstreamTool[]> {
    if (entry.tools && !entry.stale && !refresh) return entry.tools;
    entry.listing ??= this.#list(entry).finally(() => {
      entry.listing = null;
    });
    return entry.listing;
  }

  async #list(entry: Entry): Promise<UpstreamTool[]> {
    return this.#use(entry, async (connection) => {
      entry.stale = false;
      const timeoutMs = this.#timeoutMs(entry);
      const before = entry.tools;
      try {
        entry.tools = await connection.listTools(timeoutMs);
      } catch (error) {
        entry.stale = true;
        throw error;
      }
      this.#options.onTools?.(entry.name, entry.upstream, entry.tools);
      const same = JSON.stringify(before) === JSON.stringify(entry.tools);
      if (!same) this.#tellStatus(entry.name);
      if (before && !same) this.#tellTools(entry.name);
      return entry.tools;
    });
  }

  /** Runs `work` on the upstream's connection, which is not closed for idleness meanwhile. */
  async #use<T>(entry: Entry, work: (connection: Connection) => Promise<T>, signal?: AbortSignal): Promise<T> {
    entry.active += 1;
    clearTimeout(entry.idle);
    try {
      return await work(await unlessAborted(this.#connect(entry), signal));
    } catch (error) {
      throw maskedError(toAppError(error), entry.log.secrets);
    } finally {
      entry.active -= 1;
      this.#watchIdle(entry);
    }
  }

  /** After a broken HTTP exchange the server may have restarted: the next call reconnects. */
  #noteLoss(entry: Entry, failure: AppError): void {
    if (!['UPSTREAM_UNREACHABLE', 'UPSTREAM_CLOSED', 'SIGN_IN_NEEDED'].includes(failure.code)) return;
    for (const each of this.#shown(entry)) each.lastError = failure;
    this.#log(entry, failure.message);
    this.#tellStatus(entry.name);
    if (entry.active === 0) this.#end(entry, null);
  }

  /** The entries whose state tells of this one: it may be one for a caller's roots. */
  #shown(entry: Entry): Set<Entry> {
    return new Set([entry, this.#entries.get(entry.name) ?? entry]);
  }

  #end(entry: Entry, why: string | null): void {
    this.#forget(entry);
    this.#disconnect(entry, why).catch((error: unknown) => this.#log(entry, toAppError(error).message));
  }

  /** An entry for a caller's roots is made again when it is needed. */
  #forget(entry: Entry): void {
    const byRoots = this.#entries.get(entry.name)?.byRoots ?? [];
    for (const [key, own] of byRoots) if (own === entry) this.#entries.get(entry.name)?.byRoots.delete(key);
  }

  #watchIdle(entry: Entry): void {
    clearTimeout(entry.idle);
    if (entry.active > 0 || entry.subscriptions.size > 0) return;
    if (!entry.connection) {
      if (!entry.connecting) this.#forget(entry);
      return;
    }
    entry.idle = setTimeout(() => {
      if (entry.active > 0 || entry.subscriptions.size > 0) return;
      this.#end(entry, 'Ended: it was idle; the next call starts it again');
    }, this.#options.limits().upstreamIdleMs);
    entry.idle.unref();
  }

  #connect(entry: Entry): Connection | Promise<Connection> {
    if (entry.dropped || this.#closed) {
      return Promise.reject(new AppError('UPSTREAM_CLOSED', say('server.changed', { server: entry.name, starting: false })));
    }
    if (entry.connection && !entry.connection.closed) return entry.connection;
    if (!entry.connecting) {
      entry.connecting = this.#open(entry).finally(() => {
        entry.connecting = null;
        this.#tellStatus(entry.name);
        // The call that started the server may have been cancelled.
        if (entry.active === 0) this.#watchIdle(entry);
      });
      this.#tellStatus(entry.name);
    }
    return entry.connecting;
  }

  async #open(entry: Entry): Promise<Connection> {
    const { name } = entry;
    const withdrawn = () => new AppError('UPSTREAM_CLOSED', say('server.changed', { server: name, starting: true }));
    clearTimeout(entry.retry);
    try {
      // The SDK is loaded with the first connection, not with the program.
      const { Connection: opener } = await import('./connection.ts');
      const upstream = this.#filled(entry);
      entry.used = upstream;
      entry.log.secrets = secretTexts(entry.upstream, upstream);
      entry.log.add('filebridge', `${upstream.type === 'stdio' ? 'Starting' : 'Connecting to'} ${shownTarget(upstream)}`);
      const env = await this.#environment(upstream);
      const open = () =>
        opener.open({
          name,
          upstream,
          maxMessageBytes: maxMessageBytes(entry),
          maxAnswerBytes: () => this.#options.limits().maxAnswerBytes ?? Number.POSITIVE_INFINITY,
          clientInfo: this.#options.clientInfo,
          network: this.#network,
          authorization: this.#authorization(entry),
          env,
          connectTimeoutMs: this.#options.connectTimeoutMs ?? startTime(upstream),
          probeTimeoutMs: this.#options.probeTimeoutMs,
          era: entry.era,
          workingDirectory: this.#options.workingDirectory,
          signal: entry.abandoned.signal,
          log: (line) => this.#log(entry, line),
          onLine: (line) => entry.log.add('server', line),
          onToolsChanged: () => this.#announced(this.#entries.get(name) ?? entry, 'tools'),
          onOffersChanged: () => this.#announced(this.#entries.get(name) ?? entry, 'offers'),
          roots: (callers) => rootsFor(entry, callers, this.#place(entry)),
          onResourceUpdated: (uri) => {
            for (const listener of entry.subscriptions.get(uri) ?? []) listener();
          },
          onClosed: (closed) => {
            if (entry.connection !== closed) return;
            entry.connection = null;
            entry.log.add('filebridge', closed.end ?? 'The connection was closed');
            this.#tellStatus(name);
          },
        });
      const connection: Connection = upstream.type === 'stdio' ? await this.#starts.run(open) : await open();
      if (entry.asksAtStart && entry.roots?.length) await connection.rootsTaken();
      if (entry.dropped || this.#closed) {
        await connection.close();
        throw withdrawn();
      }
      entry.connection = connection.closed ? null : connection;
      this.#subscribeAgain(entry, connection);
      entry.era = connection.era;
      entry.stale = true;
      this.#forgetOffers(entry);
      entry.failures = 0;
      for (const each of this.#shown(entry)) each.lastError = null;
      entry.serverInfo = connection.serverInfo;
      entry.protocolVersion = connection.protocolVersion;
      this.#options.onGreeting?.(name, entry.upstream, { instructions: connection.instructions });
      const { name: server = 'the server', version = '' } = connection.serverInfo ?? {};
      entry.log.add('filebridge', `Connected: ${server} ${version} (MCP ${connection.protocolVersion ?? 'of unknown version'})`);
      return connection;
    } catch (error) {
      if (entry.dropped) throw withdrawn();
      const failure = maskedError(toAppError(error), entry.log.secrets);
      entry.failures += 1;
      entry.retryAt = performance.now() + Math.min(BACKOFF_MS.longest, BACKOFF_MS.first * 2 ** (entry.failures - 1));
      // It may speak another era after an update; one that never answered may have choked on the newer greeting.
      entry.era = entry.era === null && failure.details.timedOut === true ? 'legacy' : null;
      const { retryAt, era } = entry;
      for (const each of this.#shown(entry)) Object.assign(each, { lastError: failure, retryAt, era });
      this.#log(entry, failure.message);
      entry.retry = setTimeout(() => this.#tellStatus(name), Math.ceil(entry.retryAt - performance.now()) + 1);
      entry.retry.unref();
      throw failure;
    }
  }

  #authorization(entry: Entry): Authorization | undefined {
    const { name, upstream } = entry;
    if (upstream.type === 'stdio' || hasCredentials(upstream)) return undefined;
    const authorization = this.#options.authorization?.(name, upstream.url);
    return authorization && withTokensMasked(entry, authorization);
  }

  async #environment(upstream: Upstream): Promise<NodeJS.ProcessEnv> {
    if (upstream.type !== 'stdio') return {};
    const env = await (this.#options.env?.() ?? environmentFor(upstream.command));
    return { ...(await this.#network.variables()), ...env };
  }

  /** `why` is written to the upstream's log; null when already logged. */
  async #disconnect(entry: Entry, why: string | null): Promise<void> {
    clearTimeout(entry.idle);
    const { connection } = entry;
    if (!connection) return;
    entry.connection = null;
    if (why !== null) entry.log.add('filebridge', why);
    this.#tellStatus(entry.name);
    await connection.close();
  }

  async #drop(entry: Entry, why: string | null): Promise<void> {
    entry.dropped = true;
    const others = [...entry.byRoots.values()].map((own) => this.#drop(own, null));
    clearTimeout(entry.retry);
    clearTimeout(entry.change);
    clearTimeout(entry.offerChange);
    const { connecting } = entry;
    entry.abandoned.abort();
    await this.#disconnect(entry, why);
    // One that is just being opened sees `dropped` and closes itself.
    await connecting?.catch(() => {});
    await Promise.allSettled(others);
  }

  /** A server that announces changes without end must not be listed without end. */
  #announced(entry: Entry, what: 'tools' | 'offers'): void {
    if (entry.dropped) return;
    const timer = what === 'tools' ? 'change' : 'offerChange';
    entry[timer] ??= setTimeout(
      () => {
        entry[timer] = undefined;
        entry.changes.take();
        if (what === 'tools') {
          entry.stale = true;
          this.#tellTools(entry.name);
        } else {
          this.#forgetOffers(entry);
          for (const listener of this.#offerListeners) listener(entry.name);
        }
      },
      Math.max(CHANGE_MS, entry.changes.waitMs()),
    ).unref();
  }

  /** A listing that is under way stays. */
  #forgetOffers(entry: Entry): void {
    if (!entry.offersListed) return;
    entry.offers = undefined;
    entry.offersListed = false;
  }

  #tellTools(name: string): void {
    for (const listener of this.#toolListeners) listener(name);
  }

  #tellStatus(name: string): void {
    for (const listener of this.#statusListeners) listener(name);
  }

  #log(entry: Entry, line: string): void {
    entry.log.add('filebridge', line);
    entry.tell ??= limitedLog((text) => this.#options.log?.(`upstream ${entry.name}: ${text}`));
    entry.tell(masked(line, entry.log.secrets));
  }
}
