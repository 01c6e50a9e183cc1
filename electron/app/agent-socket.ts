/** Local socket through which stdio servers started by agents reach this program, and the file that announces it. */
import { randomBytes } from 'node:crypto';
import { toAppError } from '../../shared/model/errors.ts';
import type { StartedWith } from '../agent-apps/agent-launch.ts';
import { type LocalSocket, listenLocally } from '../server/local-socket.ts';
import { announce, findRunning, type RunningProgram, scopeOf } from '../store/discovery.ts';
import { thisProcess } from '../store/file-lock.ts';
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
