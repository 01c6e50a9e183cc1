/** Starts the services behind a window: the runtime, the server for agents, and the API. */
import os from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import type { Config, ToolFingerprint } from '../../shared/model/config.ts';
import type { AgentLaunch } from '../agent-apps/agent-launch.ts';
import { type AgentServer, type AgentSocket, openAgentServer, openAgentSocket } from '../app/agent-server.ts';
import { createApprovals } from '../app/approvals.ts';
import type { HostPort } from '../app/host.ts';
import { programInfo } from '../app/program-info.ts';
import { openRuntime, type Runtime, type RuntimeOptions } from '../app/runtime.ts';
import { type Api, createApi } from './api.ts';

export interface ServicesOptions extends RuntimeOptions {
  /** Port for agents; the configured one if absent. */
  port?: number | undefined;
  launch: AgentLaunch;
  host: HostPort;
}

export interface Services {
  runtime: Runtime;
  server: AgentServer;
  /** The way in for servers that agents start themselves. */
  socket: AgentSocket;
  api: Api;
  close(): Promise<void>;
}

export async function startServices(options: ServicesOptions): Promise<Services> {
  // Servers from the command line have no configuration that could store 'always'.
  const trusted = new Map<string, ToolFingerprint>();
  const approvals = createApprovals({
    timeoutMs: () => runtime.effective().limits.approvalTimeoutMs,
    maxOpen: () => runtime.effective().limits.maxOpenApprovals,
    before: (server, tool) => runtime.allowedTools.read(server, tool),
    async always(server, tool, fingerprint, texts) {
      if (runtime.fixed.upstreams) trusted.set(toolKey(server, tool), fingerprint);
      else await runtime.config.update((config) => withException(config, server, tool, fingerprint));
      await runtime.allowedTools.keep(server, tool, texts);
    },
  });
  const runtime = await openRuntime({
    // A program started from a menu has no meaningful working directory; one that was given a file on the command line has.
    workingDirectory: options.upstreamsFile === undefined ? os.homedir() : undefined,
    ...options,
    trash: options.host.trash,
    systemProxy: options.host.systemProxy,
    approve: async (request, caller) =>
      isDeepStrictEqual(trusted.get(toolKey(request.server, request.tool)), request.fingerprint)
        ? 'allowed'
        : approvals.approve(request, caller),
    secrets: () => options.host.secrets(),
  });
  try {
    const server = await openAgentServer(runtime, options.port, options.log);
    const api = createApi({
      runtime,
      server,
      host: options.host,
      approvals,
      forgetTrusted: (name, tool) => trusted.delete(toolKey(name, tool)),
      launch: options.launch,
      version: programInfo.version,
      log: options.log,
    });
    const socket = await openAgentSocket(runtime, options);
    return {
      runtime,
      server,
      socket,
      api,
      async close() {
        approvals.close();
        await api.close();
        await socket.close();
        await server.close();
        await runtime.close();
      },
    };
  } catch (error) {
    await runtime.close();
    throw error;
  }
}

const toolKey = (server: string, tool: string): string => JSON.stringify([server, tool]);

/** The configuration in which a tool is not asked about again. */
function withException(config: Config, server: string, tool: string, fingerprint: ToolFingerprint): Config {
  const upstream = config.upstreams[server];
  if (!upstream) return config;
  const confirmExcept = [...new Set(upstream.confirmExcept).add(tool)];
  const confirmSeen = Object.fromEntries([...Object.entries(upstream.confirmSeen ?? {}), [tool, fingerprint]]);
  return { ...config, upstreams: { ...config.upstreams, [server]: { ...upstream, confirmExcept, confirmSeen } } };
}
