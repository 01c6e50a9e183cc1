/** Everything a window stands on: the runtime, the server for agents, and the API over both. */
import { toAppError } from '../../shared/model/errors.ts';
import type { HttpServing } from '../server/http.ts';
import { agentPort, agentTokens, serveAgents } from './agent-server.ts';
import type { AgentLaunch } from './agent-snippet.ts';
import { type Api, createApi } from './api.ts';
import { programInfo } from './program-info.ts';
import { openRuntime, type Runtime, type RuntimeOptions } from './runtime.ts';

export interface ServicesOptions extends RuntimeOptions {
  /** Port for agents; the configured one if absent. */
  port?: number | undefined;
  launch: AgentLaunch;
}

export interface Services {
  runtime: Runtime;
  api: Api;
  /** Where agents connect; null when the server could not be started, which the window says too. */
  url: string | null;
  close(): Promise<void>;
}

export async function startServices(options: ServicesOptions): Promise<Services> {
  const runtime = await openRuntime(options);
  try {
    const tokens = await agentTokens(runtime);
    const port = agentPort(runtime, options.port);
    let serving: HttpServing | null = null;
    let problem: string | null = null;
    try {
      serving = await serveAgents(runtime, tokens, port, options.log);
    } catch (error) {
      // The window is where a person learns of this, so it must open all the same.
      problem = toAppError(error).text;
      options.log(problem);
    }
    const url = serving?.url ?? null;
    const api = createApi({
      config: runtime.config,
      ledger: runtime.ledger,
      files: runtime.files,
      upstreams: runtime.upstreams,
      server: () => ({ url, port: serving?.port ?? port, problem }),
      agentToken: () => tokens.issue('default'),
      launch: options.launch,
      version: programInfo.version,
      log: options.log,
    });
    return {
      runtime,
      api,
      url,
      async close() {
        api.close();
        await serving?.close();
        await runtime.close();
      },
    };
  } catch (error) {
    await runtime.close();
    throw error;
  }
}
