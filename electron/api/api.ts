/** The contract's handlers over the running services, and the events they give rise to. */
import { contract, type EventName, type EventPayload } from '../../shared/contract/contract.ts';
import { createRouter } from '../../shared/contract/router.ts';
import { type EventMessage, type Reply, reply } from '../../shared/contract/wire.ts';
import type { AgentServer } from './agent-server.ts';
import type { AgentLaunch } from './agent-snippet.ts';
import { activityHandlers } from './handlers/activity.ts';
import { agentHandlers } from './handlers/agents.ts';
import { approvalHandlers } from './handlers/approvals.ts';
import { folderHandlers } from './handlers/folders.ts';
import { previewHandlers } from './handlers/preview.ts';
import { settingsHandlers } from './handlers/settings.ts';
import { currentStatus, statusHandlers } from './handlers/status.ts';
import { upstreamImportHandlers } from './handlers/upstream-import.ts';
import { upstreamHandlers, upstreamViews } from './handlers/upstreams.ts';
import type { HostPort } from './host.ts';
import type { Runtime } from './runtime.ts';

export interface ApiDeps {
  runtime: Runtime;
  server: AgentServer;
  host: HostPort;
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

export function createApi(given: ApiDeps): Api {
  const { runtime } = given;
  const listeners = new Set<(event: EventMessage) => void>();
  const emit = <N extends EventName>(name: N, payload: EventPayload<N>) => {
    if (listeners.size === 0) return;
    const event = { name, payload: contract.events[name].parse(payload) };
    for (const listener of listeners) listener(event);
  };
  const deps = { ...given, emit };

  const router = createRouter({
    ...statusHandlers(deps),
    ...folderHandlers(deps),
    ...upstreamHandlers(deps),
    ...upstreamImportHandlers(deps),
    ...previewHandlers(deps),
    ...activityHandlers(deps),
    ...agentHandlers(deps),
    ...settingsHandlers(deps),
    ...approvalHandlers(deps),
  });

  // The pool tells of changed catalogues only; a server that connects or dies is noticed by looking.
  let lastSeen = '';
  const lookAtUpstreams = () => {
    const now = upstreamViews(runtime);
    const seen = JSON.stringify(now);
    if (seen === lastSeen) return;
    lastSeen = seen;
    emit('upstreams.changed', now);
  };
  let timer: NodeJS.Timeout | undefined;

  const leave = [
    runtime.ledger.onAppend((entry) => {
      emit('ledger.appended', entry);
      lookAtUpstreams();
    }),
    runtime.upstreams.onToolsChanged(lookAtUpstreams),
    runtime.config.onChange(() => {
      emit('status.changed', currentStatus(deps));
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
        lastSeen = JSON.stringify(upstreamViews(runtime));
        timer = setInterval(lookAtUpstreams, given.pollMs ?? 1000);
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
