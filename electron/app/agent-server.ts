/** The HTTP server for agents, over a runtime and its tokens: started, moved to another port, stopped. */

import { oneAtATime } from '../../shared/lib/one-at-a-time.ts';
import { toAppError } from '../../shared/model/errors.ts';
import type { Text } from '../../shared/model/messages/message.ts';
import { type HttpServing, serveMcpHttp } from '../server/http.ts';
import { openTokens, type TokenStore } from '../store/tokens.ts';
import { programInfo } from './program-info.ts';
import type { Runtime } from './runtime.ts';

/** The port asked for, or the configured one. */
export const agentPort = (runtime: Runtime, port: number | undefined): number => port ?? runtime.effective().server.port;

/** The tokens that open the server, in the runtime's data directory. */
export const agentTokens = (runtime: Runtime): Promise<TokenStore> => openTokens(runtime.dataDirectory);

/** Starts serving. Throws CONFIG_INVALID for a taken port. */
export function serveAgents(
  runtime: Runtime,
  tokens: TokenStore,
  port: number | undefined,
  log: (line: string) => void,
): Promise<HttpServing> {
  return serveMcpHttp({
    service: runtime.calls,
    info: programInfo,
    sources: runtime.sources,
    offers: runtime.offers,
    present: runtime.present,
    host: '127.0.0.1',
    port: agentPort(runtime, port),
    tokens: () => tokens.list(),
    onLog: log,
  });
}

/** The server as a window knows it: there or not, and why not. */
export interface AgentServer {
  readonly tokens: TokenStore;
  /** `problem`: why it could not be started. */
  state(): { url: string | null; port: number; problem: Text | null };
  /**
   * Listens on another port. While that fails the old address stays; throws CONFIG_INVALID for a taken port. Agents that are
   * connected by the old address lose it.
   */
  move(port: number): Promise<void>;
  /** Ends the sessions of tokens that are no longer valid. */
  tokensChanged(): Promise<void>;
  close(): Promise<void>;
}

/** Never throws for a taken port: the state says it, since the window is where a person learns of it. */
export async function openAgentServer(
  runtime: Runtime,
  port: number | undefined,
  log: (line: string) => void,
): Promise<AgentServer> {
  const tokens = await agentTokens(runtime);
  let wanted = agentPort(runtime, port);
  let serving: HttpServing | null = null;
  let problem: ReturnType<AgentServer['state']>['problem'] = null;
  try {
    serving = await serveAgents(runtime, tokens, wanted, log);
  } catch (error) {
    const known = toAppError(error);
    problem = known.asText;
    log(known.text);
  }
  // One after the other: the same port asked for twice is a port that is had, not one that is taken.
  const inTurn = oneAtATime();
  const move = async (to: number): Promise<void> => {
    if (serving && serving.port === to) return;
    const next = await serveAgents(runtime, tokens, to, log);
    const old = serving;
    serving = next;
    wanted = to;
    problem = null;
    await old?.close();
  };
  return {
    tokens,
    state: () => ({ url: serving?.url ?? null, port: serving?.port ?? wanted, problem }),
    move: (to) => inTurn(() => move(to)),
    tokensChanged: async () => serving?.tokensChanged(),
    close: async () => serving?.close(),
  };
}

/**
 * Moves the server and keeps the new port. Where that cannot be kept, the server goes back, so that agents find it after the next start
 * where they find it now.
 */
export async function moveAndKeep(server: AgentServer, port: number, keep: () => Promise<unknown>): Promise<void> {
  const before = server.state();
  await server.move(port);
  try {
    await keep();
  } catch (error) {
    if (before.url !== null) await server.move(before.port);
    throw error;
  }
}
