/** The HTTP server for agents, over a runtime and its tokens. */
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
