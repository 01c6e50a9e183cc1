/** Everything a window stands on: the runtime, the server for agents, and the API over both. */
import os from 'node:os';
import type { AgentLaunch } from './agent-launch.ts';
import { type AgentServer, openAgentServer } from './agent-server.ts';
import { type Api, createApi } from './api.ts';
import type { HostPort } from './host.ts';
import { programInfo } from './program-info.ts';
import { openRuntime, type Runtime, type RuntimeOptions } from './runtime.ts';

export interface ServicesOptions extends RuntimeOptions {
  /** Port for agents; the configured one if absent. */
  port?: number | undefined;
  launch: AgentLaunch;
  host: HostPort;
}

export interface Services {
  runtime: Runtime;
  server: AgentServer;
  api: Api;
  close(): Promise<void>;
}

export async function startServices(options: ServicesOptions): Promise<Services> {
  const runtime = await openRuntime({
    // What is started from a menu is started anywhere. Who names a file on a command line knows where they stand.
    workingDirectory: options.upstreamsFile === undefined ? os.homedir() : undefined,
    ...options,
    secrets: () => options.host.secrets(),
  });
  try {
    const server = await openAgentServer(runtime, options.port, options.log);
    const api = createApi({
      runtime,
      server,
      host: options.host,
      launch: options.launch,
      version: programInfo.version,
      log: options.log,
    });
    return {
      runtime,
      server,
      api,
      async close() {
        api.close();
        await server.close();
        await runtime.close();
      },
    };
  } catch (error) {
    await runtime.close();
    throw error;
  }
}
