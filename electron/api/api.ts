/** Implements the contract over the running services and emits its events. */
import { contract, type EventName, type EventPayload } from '../../shared/contract/contract.ts';
import { createRouter, type EventMessage, type Reply, reply } from '../../shared/contract/rpc.ts';
import type { AgentLaunch } from '../agent-apps/agent-launch.ts';
import type { AgentServer } from '../app/agent-server.ts';
import type { Approvals } from '../app/approvals.ts';
import type { HostPort } from '../app/host.ts';
import { createPendingSignIns } from '../app/pending-sign-ins.ts';
import { createPractice } from '../app/practice.ts';
import type { Runtime } from '../app/runtime.ts';
import { Previews } from '../previews/previews.ts';
import { openLedgerSearch } from '../store/ledger-search.ts';
import { activityHandlers, approvalHandlers } from './handlers/activity.ts';
import { catalogueHandlers, offerHandlers, upstreamImportHandlers } from './handlers/adding.ts';
import { agentHandlers } from './handlers/agents.ts';
import { folderHandlers, folderViews } from './handlers/folders.ts';
import { previewHandlers, previewView } from './handlers/preview.ts';
import { settingsHandlers } from './handlers/settings.ts';
import { currentStatus, statusHandlers } from './handlers/status.ts';
import { signInHandlers, upstreamHandlers, upstreamViews } from './handlers/upstreams.ts';
import { createRunningTests } from './upstream-test.ts';

const LOOK_MS = 2000;
/** How often where nobody sees it: it wakes disks and network drives. Milliseconds. */
const UNSEEN_LOOK_MS = 60_000;
/** How long a page that was cut off may take to come back to its files. Milliseconds. */
const RETURN_MS = 5_000;

export interface ApiDeps {
  runtime: Runtime;
  server: AgentServer;
  host: HostPort;
  approvals: Approvals;
  /** Takes back 'always' where no configuration holds it. */
  forgetTrusted(server: string, tool: string): void;
  launch: AgentLaunch;
  version: string;
  log(line: string): void;
}

/** A listener of events. */
export interface Subscriber {
  /** Whether it is a page, which may have files open; true if absent. The tray is none. */
  page?: boolean;
  /** The same for a page that was cut off and comes back, another one for each loading of it. */
  id?: string;
  /** Whether a person sees it now; absent: always, if it is a page. */
  seen?: () => boolean;
}

export interface Api {
  /** Answers a request; never rejects. */
  request(name: string, input: unknown): Promise<Reply>;
  /**
   * Gives the function that ends it. The files that pages had open are let go of when the last of them has left: at once where it left
   * `forGood`, else after a moment in which it may come back.
   */
  subscribe(listener: (event: EventMessage) => void, subscriber?: Subscriber): (forGood?: boolean) => void;
  /** Lets go of the files that pages look at, and tells nobody anything any more. */
  close(): Promise<void>;
}

export function createApi(services: ApiDeps): Api {
  const { runtime } = services;
  const listeners = new Map<(event: EventMessage) => void, Subscriber>();
  const emit = <N extends EventName>(name: N, payload: EventPayload<N>) => {
    if (listeners.size === 0) return;
    const event = { name, payload: contract.events[name].parse(payload) };
    for (const listener of [...listeners.keys()]) listener(event);
  };
  const previews = new Previews({
    files: runtime.personFiles,
    bounds: () => runtime.effective().limits,
    converter: runtime.converter,
    onChange: (preview) => emit('preview.changed', previewView(preview)),
  });
  const practice = createPractice(runtime, services.launch);
  const pendingSignIns = createPendingSignIns();
  const search = openLedgerSearch(runtime.dataDirectory, undefined, runtime.ledger.written);
  const deps = { ...services, emit, previews, practice, search };
  const tests = createRunningTests();

  const router = createRouter({
    ...statusHandlers(deps),
    ...folderHandlers(deps),
    ...upstreamHandlers(deps, tests),
    ...signInHandlers(deps, pendingSignIns),
    ...upstreamImportHandlers(deps),
    ...offerHandlers(deps, tests),
    ...catalogueHandlers(deps),
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

  const pages = () => [...listeners.values()].filter(({ page = true }) => page);
  const seen = () => pages().some((page) => page.seen?.() ?? true);

  // A folder that vanishes tells nobody: while somebody looks, we look.
  let lastStatus = '';
  let lastFolders: string | undefined;
  let looking = false;
  let lookAgain = false;
  const lookAtFolders = async () => {
    const now = JSON.stringify([runtime.effective().folders, await folderViews(runtime)]);
    if (now === lastFolders) return;
    lastFolders = now;
    emit('folders.changed', {});
  };
  const lookAtStatus = async () => {
    if (listeners.size === 0) return;
    await lookAtFolders();
    const now = await currentStatus(deps);
    const seen = JSON.stringify(now);
    if (seen === lastStatus) return;
    lastStatus = seen;
    emit('status.changed', now);
  };
  const look = () => {
    // A folder on a network that hangs takes its time: looks must not queue up behind it.
    lookAgain = looking;
    if (looking) return;
    looking = true;
    lookAtStatus()
      .catch((error: unknown) => services.log(`the status could not be told: ${error}`))
      .finally(() => {
        looking = false;
        if (lookAgain) look();
      });
  };
  let timer: NodeJS.Timeout | undefined;
  let lastLook = performance.now();
  const lookIfSeen = () => {
    if (!seen() && performance.now() - lastLook < UNSEEN_LOOK_MS) return;
    lastLook = performance.now();
    look();
  };

  /** The last page that left, and the files that then are nobody's. */
  let left: { id: string | undefined; letGo(): void; timer: NodeJS.Timeout } | undefined;
  const pageLeft = ({ id }: Subscriber, forGood: boolean) => {
    if (pages().length > 0) return;
    const files = previews.shown();
    const letGo = () => {
      clearTimeout(left?.timer);
      left = undefined;
      Promise.all(files.map((file) => previews.close(file))).catch((error: unknown) =>
        services.log(`files of a page could not be closed: ${error}`),
      );
    };
    if (forGood) return letGo();
    left = { id, letGo, timer: setTimeout(letGo, RETURN_MS) };
    left.timer.unref();
  };
  const pageCame = ({ id }: Subscriber) => {
    if (left && left.id !== id) left.letGo();
    clearTimeout(left?.timer);
    left = undefined;
  };

  const leave = [
    runtime.present.onChange(() => emit('agents.moved', {})),
    runtime.stopped.onChange(() => emit('calls.changed', {})),
    runtime.running.onChange(() => emit('calls.changed', {})),
    runtime.ledger.onAppend((entry) => emit('ledger.appended', entry)),
    runtime.serverTools.onChange(lookAtUpstreams),
    runtime.upstreams.onStatusChanged(() => {
      lookAtUpstreams();
      look();
    }),
    runtime.config.onChange(() => {
      emit('settings.changed', {});
      look();
      lookAtUpstreams();
    }),
    services.approvals.onChange((change, approval) => {
      emit('approvals.changed', { id: approval.id, change });
      if (change === 'asked') services.host.approvalAsked?.(approval);
    }),
  ];

  const stopLooking = () => {
    clearInterval(timer);
    timer = undefined;
  };

  return {
    request: (name, input) => reply(() => router(name, input)),
    subscribe(listener, subscriber = {}) {
      if (listeners.size === 0) lastSeen = JSON.stringify(upstreamViews(runtime));
      listeners.set(listener, subscriber);
      if (subscriber.page ?? true) pageCame(subscriber);
      timer ??= setInterval(lookIfSeen, LOOK_MS);
      return (forGood = false) => {
        if (!listeners.delete(listener)) return;
        if (listeners.size === 0) stopLooking();
        if (subscriber.page ?? true) pageLeft(subscriber, forGood);
      };
    },
    async close() {
      pendingSignIns.close();
      stopLooking();
      clearTimeout(left?.timer);
      for (const stop of leave) stop();
      listeners.clear();
      await previews.closeAll();
      await practice.close();
    },
  };
}
