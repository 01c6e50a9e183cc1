/** The contract's handlers over the running services, and the events they give rise to. */
import { contract, type EventName, type EventPayload } from '../../shared/contract/contract.ts';
import { createRouter } from '../../shared/contract/router.ts';
import { type EventMessage, type Reply, reply } from '../../shared/contract/wire.ts';
import type { AgentLaunch } from './agent-launch.ts';
import type { AgentServer } from './agent-server.ts';
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

  let lastSeen = '';
  const lookAtUpstreams = () => {
    if (listeners.size === 0) return;
    const now = upstreamViews(runtime);
    const seen = JSON.stringify(now);
    if (seen === lastSeen) return;
    lastSeen = seen;
    emit('upstreams.changed', now);
  };

  const leave = [
    runtime.ledger.onAppend((entry) => emit('ledger.appended', entry)),
    runtime.upstreams.onStatusChanged(lookAtUpstreams),
    runtime.config.onChange(() => {
      emit('status.changed', currentStatus(deps));
      lookAtUpstreams();
    }),
  ];

  return {
    request: (name, input) => reply(() => router(name, input)),
    subscribe(listener) {
      if (listeners.size === 0) lastSeen = JSON.stringify(upstreamViews(runtime));
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      for (const stop of leave) stop();
      listeners.clear();
    },
  };
}
