/** The server for agents, over a runtime: on HTTP with tokens, and on a local socket. */

import { randomBytes } from 'node:crypto';
import { oneAtATime } from '../../shared/lib/one-at-a-time.ts';
import { toAppError } from '../../shared/model/errors.ts';
import type { Text } from '../../shared/model/messages/message.ts';
import type { StartedWith } from '../agent-apps/agent-launch.ts';
import { type HttpServing, serveMcpHttp } from '../server/http.ts';
import { type LocalSocket, listenLocally } from '../server/local-socket.ts';
import { announce, findRunning, type RunningProgram, scopeOf } from '../store/discovery.ts';
import { thisProcess } from '../store/file-lock.ts';
import { openTokens, type TokenStore } from '../store/tokens.ts';
import type { HostPort } from './host.ts';
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

// The local socket, through which stdio servers started by agents reach this program, and the file that announces it

export interface AgentSocket {
  /** How many agents are connected through it. */
  agents(): number;
  close(): Promise<void>;
}

export interface AgentSocketOptions extends StartedWith {
  host: Pick<HostPort, 'kind'>;
  log: (line: string) => void;
  /** How often it is looked whether agents still find it. Milliseconds; a quarter of a minute if absent. */
  announceEveryMs?: number | undefined;
}

const ANNOUNCE_EVERY_MS = 15_000;

/** Never throws: without it, servers that agents start stand alone, as they do beside no app. */
export async function openAgentSocket(runtime: Runtime, options: AgentSocketOptions): Promise<AgentSocket> {
  const { host, log, folders, upstreamsFile } = options;
  const token = randomBytes(32).toString('base64url');
  let socket: LocalSocket | undefined;
  try {
    socket = await listenLocally({
      service: runtime.calls,
      info: programInfo,
      sources: runtime.sources,
      offers: runtime.offers,
      present: runtime.present,
      directory: runtime.dataDirectory,
      token,
      onLog: log,
    });
    const { address, sessions, close } = socket;
    const program: RunningProgram = {
      holder: thisProcess(),
      kind: host.kind,
      version: programInfo.version,
      scope: await scopeOf({ configPath: runtime.config.path, folders, upstreamsFile }),
      address,
      token,
    };
    let announced = await announce(runtime.dataDirectory, program);
    if (!announced) log("another Filebridge runs on this configuration's data: agents' own servers go on using that one");
    // Another program that was preferred may have ended since, or the file be lost.
    const again = async () => {
      if (!(await findRunning(runtime.dataDirectory))) announced = (await announce(runtime.dataDirectory, program)) ?? announced;
    };
    let looking: Promise<void> | undefined;
    const look = () => {
      looking ??= again()
        .catch(() => undefined)
        .finally(() => {
          looking = undefined;
        });
    };
    const timer = setInterval(look, options.announceEveryMs ?? ANNOUNCE_EVERY_MS);
    timer.unref();
    return {
      agents: sessions,
      async close() {
        clearInterval(timer);
        // An announcement still in progress would remain and lead agents to a program that has ended.
        await looking;
        await announced?.withdraw();
        await close();
      },
    };
  } catch (error) {
    log(`agents' own servers cannot find this Filebridge and stand alone: ${toAppError(error).message}`);
  }
  await socket?.close();
  return { agents: () => 0, close: async () => undefined };
}
