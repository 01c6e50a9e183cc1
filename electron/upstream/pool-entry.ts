/** The pool's state for one upstream, connected or not. */
import { TokenBucket } from '../../shared/lib/rate-limit.ts';
import { defaultMessageBytes, type Upstream } from '../../shared/model/config.ts';
import { AppError } from '../../shared/model/errors.ts';
import { nearNames, say } from '../../shared/model/messages/message.ts';
import type { Connection, Era } from './connection.ts';
import { EventLog } from './event-log.ts';
import type { Authorization } from './sign-in/sign-ins.ts';
import { toolListBounds } from './tool-list.ts';
import { isDestructive, type Offer, type Root, type UpstreamState, type UpstreamStatus, type UpstreamTool } from './types.ts';

export interface Entry {
  name: string;
  upstream: Upstream;
  /** What the server was told when it asked for roots; undefined as long as it has not. */
  roots: readonly Root[] | undefined;
  /** While it is found out whose roots it was told: new calls wait for it. */
  deciding: Promise<unknown> | null;
  /** It asks for roots as soon as it is connected, not in a call. */
  asksAtStart: boolean;
  /** The same server once more for callers with other roots, by these; empty in those. */
  readonly byRoots: Map<string, Entry>;
  /** With its placeholders and secrets filled, as the last connection was made with it. */
  used: Upstream | undefined;
  connection: Connection | null;
  connecting: Promise<Connection> | null;
  /** Protocol era found earlier, which avoids the probe next time. */
  era: Era | null;
  failures: number;
  retryAt: number;
  lastError: AppError | null;
  /** Timer for the pause after a failure, in which lists do not reconnect. */
  retry: NodeJS.Timeout | undefined;
  readonly log: EventLog;
  /** Passes its lines on to the program's log. */
  tell: ((line: string) => void) | undefined;
  /** All tools, unfiltered. Kept while an idle connection is closed, so that a list need not start the server. */
  tools: UpstreamTool[] | null;
  listing: Promise<UpstreamTool[]> | null;
  /** The tools are from an earlier connection, or the server announced a change. */
  stale: boolean;
  /** Prompts, resources and templates, unfiltered; undefined until they are listed, and when they may have changed. */
  offers: Promise<Offer[]> | undefined;
  /** They were listed, by this connection or an earlier one. */
  offersListed: boolean;
  /** Who hears that a resource has changed, by its URI. */
  subscriptions: Map<string, Set<() => void>>;
  /** As `change`, of prompts, resources or templates. */
  offerChange: NodeJS.Timeout | undefined;
  /** How often the server's announcements of changed tools are followed. */
  readonly changes: TokenBucket;
  /** An announcement that is followed later, with all that come until then. */
  change: NodeJS.Timeout | undefined;
  serverInfo: { name: string; version: string } | null;
  protocolVersion: string | null;
  active: number;
  idle: NodeJS.Timeout | undefined;
  /** The entry was replaced or removed: do not connect any more. */
  dropped: boolean;
  /** Aborts a connection attempt. */
  readonly abandoned: AbortController;
}

/** Each followed announcement costs a listing of all tools. */
const CHANGES = { burst: 5, perSecond: 0.2 } as const;

/** `log` is reused when an entry is replaced by one of the same name. */
export function newEntry(name: string, upstream: Upstream, log = new EventLog()): Entry {
  return {
    name,
    upstream,
    roots: undefined,
    deciding: null,
    asksAtStart: false,
    byRoots: new Map(),
    used: undefined,
    connection: null,
    connecting: null,
    era: null,
    failures: 0,
    retryAt: 0,
    lastError: null,
    retry: undefined,
    log,
    tell: undefined,
    tools: null,
    listing: null,
    stale: false,
    offers: undefined,
    offersListed: false,
    subscriptions: new Map(),
    offerChange: undefined,
    changes: new TokenBucket(CHANGES.burst, CHANGES.perSecond),
    change: undefined,
    serverInfo: null,
    protocolVersion: null,
    active: 0,
    idle: undefined,
    dropped: false,
    abandoned: new AbortController(),
  };
}

function stateOf(entry: Entry): UpstreamState {
  if (!entry.upstream.enabled) return 'disabled';
  const all = [entry, ...entry.byRoots.values()];
  if (all.some(({ connection }) => connection)) return 'ready';
  if (all.some(({ connecting }) => connecting)) return 'connecting';
  if (!entry.lastError) return 'idle';
  if (entry.lastError.code === 'SIGN_IN_NEEDED') return 'needs_sign_in';
  return performance.now() < entry.retryAt ? 'backoff' : 'failed';
}

export function statusOf(entry: Entry): UpstreamStatus {
  const allowed = entry.tools?.filter((tool) => isAllowed(entry.upstream, tool.name));
  return {
    name: entry.name,
    type: entry.upstream.type,
    state: stateOf(entry),
    lastError: entry.lastError?.message ?? null,
    lastHint: entry.lastError?.hint ?? null,
    error: entry.lastError,
    serverInfo: entry.serverInfo,
    protocolVersion: entry.protocolVersion,
    toolCount: allowed?.length ?? null,
    destructive: allowed?.flatMap(({ name, annotations }) => (isDestructive(annotations) ? [name] : [])) ?? [],
  };
}

/** Whether a connection made for one entry serves the other too: they differ at most in what is read anew for each call. */
export function connectsAlike(one: Upstream, other: Upstream): boolean {
  const connecting = ({ timeoutMs: _t, tools: _l, confirm: _c, confirmExcept: _e, confirmSeen: _s, ...rest }: Upstream) =>
    JSON.stringify(rest);
  return connecting(one) === connecting(other);
}

/** Tokens are masked like other secrets. */
export function withTokensMasked({ log }: Entry, authorization: Authorization): Authorization {
  const noted = (token: string | undefined) => {
    if (token !== undefined) log.token = token;
    return token;
  };
  return {
    token: async () => noted(await authorization.token()),
    renewed: async (refused) => noted(await authorization.renewed(refused)),
    lacking: (scopes) => authorization.lacking(scopes),
  };
}

/** Maximum JSON-RPC message size of the upstream (bytes). */
export function maxMessageBytes({ upstream }: Entry): number {
  return upstream.maxMessageBytes ?? defaultMessageBytes[upstream.type];
}

/** Whether the entry's allow and deny lists let a tool through. */
export function isAllowed(upstream: Upstream, tool: string): boolean {
  const { allow, deny } = upstream.tools ?? {};
  return (allow === undefined || allow.includes(tool)) && !deny?.includes(tool);
}

/** Whether the deny list lets a prompt, resource or template through. The allow list is of tools only. */
export const isOfferAllowed = (upstream: Upstream, key: string): boolean => !upstream.tools?.deny?.includes(key);

/** Throws UPSTREAM_DISABLED for a prompt or resource that the deny list excludes. */
export function assertOfferAllowed(entry: Entry, key: string): void {
  if (!isOfferAllowed(entry.upstream, key)) throw switchedOff(entry, key);
}

/** Throws UPSTREAM_DISABLED for a tool that the lists exclude. */
export function assertAllowed(entry: Entry, tool: string): void {
  if (!isAllowed(entry.upstream, tool)) throw switchedOff(entry, tool);
}

const switchedOff = (entry: Entry, tool: string): AppError =>
  new AppError('UPSTREAM_DISABLED', say('tool.off', { server: entry.name, tool }), {
    hint: say('tool.off.hint', { server: entry.name }),
  });

/** Names for a message, truncated when there are too many. */
function listed(names: readonly string[]): { names: readonly string[]; more: number } {
  const shown = names.slice(0, 20);
  return { names: shown, more: names.length - shown.length };
}

export function unknownServer(name: string, names: readonly string[]): AppError {
  return new AppError('UPSTREAM_UNKNOWN', say('server.unknown', { server: name }), {
    hint:
      names.length === 0
        ? say('server.unknown.none')
        : say('server.unknown.known', { near: nearNames(name, names) ?? null, ...listed(names) }),
  });
}

/** Throws UPSTREAM_DISABLED. */
export function assertEnabled({ name, upstream }: Entry): void {
  if (upstream.enabled) return;
  throw new AppError('UPSTREAM_DISABLED', say('server.off', { server: name }), { hint: say('server.off.hint') });
}

export function unknownTool(entry: Entry, tool: string): AppError {
  const names = (entry.tools ?? []).map((candidate) => candidate.name).filter((known) => isAllowed(entry.upstream, known));
  return new AppError('TOOL_UNKNOWN', say('tool.unknown', { server: entry.name, tool }), {
    hint:
      nearNames(tool, names) ??
      (names.length === 0
        ? say('tool.unknown.none')
        : names.length >= toolListBounds.tools
          ? say('tool.unknown.many', { most: toolListBounds.tools })
          : say('tool.unknown.known', listed(names))),
  });
}
