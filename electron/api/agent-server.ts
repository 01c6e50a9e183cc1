/** The HTTP server for agents, over a runtime and its tokens: started, moved to another port, stopped. */
import { toAppError } from '../../shared/model/errors.ts';
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
    host: '127.0.0.1',
    port: agentPort(runtime, port),
    tokens: () => tokens.list(),
    onLog: log,
  });
}

/** The server as a window knows it: there or not, and why not. */
export interface AgentServer {
  readonly tokens: TokenStore;
  state(): { url: string | null; port: number; problem: string | null };
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
  let problem: string | null = null;
  try {
    serving = await serveAgents(runtime, tokens, wanted, log);
  } catch (error) {
    problem = toAppError(error).text;
    log(problem);
  }
  return {
    tokens,
    state: () => ({ url: serving?.url ?? null, port: serving?.port ?? wanted, problem }),
    async move(to) {
      if (serving && serving.port === to) return;
      const next = await serveAgents(runtime, tokens, to, log);
      const old = serving;
      serving = next;
      wanted = to;
      problem = null;
      await old?.close();
    },
    tokensChanged: async () => serving?.tokensChanged(),
    close: async () => serving?.close(),
  };
}
