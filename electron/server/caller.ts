/** Connects a running call to its client: progress, log and questions. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { TokenBucket } from '../../shared/lib/rate-limit.ts';
import { clientName } from '../../shared/model/client-name.ts';
import { type AppError, URL_ELICITATION_REQUIRED } from '../../shared/model/errors.ts';
import type { CallerContext } from '../calls/types.ts';
import type { JsonObject, Progress } from '../upstream/types.ts';

/** Time limit for answers by people (milliseconds). */
export const QUESTION_TIMEOUT_MS = 10 * 60_000;

/** Progress of one call that is passed on: at once, and then per second. */
const PROGRESS = { burst: 256, perSecond: 50 } as const;
/** Log messages of one call that are passed on: bytes at once, and then per second. Each counts as `least` at least. */
const LOG = { burst: 4 * 1024 * 1024, perSecond: 256 * 1024, least: 512 } as const;

/** Kinds of questions the client supports. */
export interface Askable {
  elicitation: { form: boolean; url: boolean } | undefined;
  sampling: boolean;
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
export function raisesFor(client: Askable): (error: AppError) => boolean {
  return ({ details: { rpc } }) => rpc?.code === URL_ELICITATION_REQUIRED && client.elicitation?.url === true;
}

/** Whether a client can be asked this; a client that cannot show a page is not asked to. */
export const canElicit = (client: Askable, params: JsonObject): boolean =>
  params.mode === 'url' ? client.elicitation?.url === true : client.elicitation?.form === true;

/** The caller of a request of the 2025 era, who is asked by requests of ours while the call runs. */
export function pushingCaller(channel: Channel, context: ServerContext): CallerContext {
  const ask = (method: string, params: JsonObject): Promise<JsonObject> =>
    context.mcpReq.send({ method, params }, anyObject, { timeout: QUESTION_TIMEOUT_MS, signal: channel.signal });
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
  };
}
