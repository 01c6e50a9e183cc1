/** The way into this running program for the stdio servers that agents start: a local socket, and the file that tells of it. */
import { randomBytes } from 'node:crypto';
import { toAppError } from '../../shared/model/errors.ts';
import { type LocalSocket, listenLocally } from '../server/local-socket.ts';
import { announce, scopeOf } from '../store/discovery.ts';
import { thisProcess } from '../store/file-lock.ts';
import type { StartedWith } from './agent-launch.ts';
import type { HostPort } from './host.ts';
import { programInfo } from './program-info.ts';
import type { Runtime } from './runtime.ts';

export interface AgentSocket {
  /** How many agents are connected through it. */
  agents(): number;
  close(): Promise<void>;
}

export interface AgentSocketOptions extends StartedWith {
  host: Pick<HostPort, 'kind'>;
  log: (line: string) => void;
}

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
      directory: runtime.dataDirectory,
      token,
      onLog: log,
    });
    const { address, sessions, close } = socket;
    const announced = await announce(runtime.dataDirectory, {
      holder: thisProcess(),
      kind: host.kind,
      version: programInfo.version,
      scope: await scopeOf({ configPath: runtime.config.path, folders, upstreamsFile }),
      address,
      token,
    });
    if (announced) {
      return {
        agents: sessions,
        async close() {
          await announced.withdraw();
          await close();
        },
      };
    }
    log("another Filebridge runs on this configuration's data: agents' own servers go on using that one");
  } catch (error) {
    log(`agents' own servers cannot find this Filebridge and stand alone: ${toAppError(error).message}`);
  }
  await socket?.close();
  return { agents: () => 0, close: async () => undefined };
}
