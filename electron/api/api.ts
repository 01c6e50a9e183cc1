/** The contract's handlers over the running services, and the events they give rise to. */
import { contract, type EventName, type EventPayload, type Status, type UpstreamView } from '../../shared/contract/contract.ts';
import { createRouter } from '../../shared/contract/router.ts';
import { type EventMessage, type Reply, reply } from '../../shared/contract/wire.ts';
import { toAppError } from '../../shared/model/errors.ts';
import type { FileAccess } from '../files/types.ts';
import type { ConfigStore, Ledger } from '../store/types.ts';
import type { UpstreamPool } from '../upstream/types.ts';
import { type AgentLaunch, agentSnippet } from './agent-snippet.ts';

/** The server for agents: where it answers, or why it does not. */
export interface AgentServer {
  url: string | null;
  port: number | null;
  problem: string | null;
}

export interface ApiDeps {
  config: ConfigStore;
  ledger: Ledger;
  files: FileAccess;
  upstreams: UpstreamPool;
  server(): AgentServer;
  /** The bearer token that agents without one of their own use. */
  agentToken(): Promise<string>;
  launch: AgentLaunch;
  version: string;
  log(line: string): void;
  /** How often the servers' states are looked at while somebody listens. Milliseconds. */
  pollMs?: number;
}

export interface Api {
  /** Answers a request; never rejects. */
  request(name: string, input: unknown): Promise<Reply>;
  subscribe(listener: (event: EventMessage) => void): () => void;
  close(): void;
}

export function createApi(deps: ApiDeps): Api {
  const { config, ledger, files, upstreams } = deps;

  const status = (): Status => {
    const { url, port, problem } = deps.server();
    return {
      state: url === null ? 'stopped' : 'running',
      url,
      port,
      version: deps.version,
      configPath: config.path,
      problems: [...config.problems, ...(problem === null ? [] : [problem])],
    };
  };
  const upstreamViews = (): UpstreamView[] => upstreams.status();

  const router = createRouter({
    'status.get': async () => status(),
    'folders.list': async () =>
      (await files.folders()).map(({ path, access, realPath }) => ({ path, access, exists: realPath !== null })),
    'upstreams.list': async () => upstreamViews(),
    'upstreams.check': async ({ name }) => {
      upstreams.config(name);
      try {
        await upstreams.tools(name, { refresh: true });
      } catch (error) {
        deps.log(`server '${name}': ${toAppError(error).text}`);
      }
      const [checked] = upstreams.status(name);
      if (!checked) throw new Error(`the pool lost '${name}'`);
      return checked;
    },
    'ledger.recent': ({ limit }) => ledger.recent(limit),
    'ledger.totals': () => ledger.totals(),
    'agent.snippet': async ({ reveal }) => agentSnippet(deps.launch, deps.server().url, reveal ? await deps.agentToken() : null),
  });

  const listeners = new Set<(event: EventMessage) => void>();
  const emit = <N extends EventName>(name: N, payload: EventPayload<N>) => {
    const event = { name, payload: contract.events[name].parse(payload) };
    for (const listener of listeners) listener(event);
  };

  // The pool tells of changed catalogues only; a server that connects or dies is noticed by looking.
  let lastSeen = '';
  const lookAtUpstreams = () => {
    const now = upstreamViews();
    const seen = JSON.stringify(now);
    if (seen === lastSeen) return;
    lastSeen = seen;
    emit('upstreams.changed', now);
  };
  let timer: NodeJS.Timeout | undefined;

  const leave = [
    ledger.onAppend((entry) => {
      emit('ledger.appended', entry);
      lookAtUpstreams();
    }),
    upstreams.onToolsChanged(lookAtUpstreams),
    config.onChange(() => {
      emit('status.changed', status());
      lookAtUpstreams();
    }),
  ];

  const stopPolling = () => {
    clearInterval(timer);
    timer = undefined;
  };

  return {
    request: (name, input) => reply(() => router(name, input)),
    subscribe(listener) {
      listeners.add(listener);
      if (timer === undefined) {
        lastSeen = JSON.stringify(upstreamViews());
        timer = setInterval(lookAtUpstreams, deps.pollMs ?? 1000);
        timer.unref();
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stopPolling();
      };
    },
    close() {
      stopPolling();
      for (const stop of leave) stop();
      listeners.clear();
    },
  };
}
