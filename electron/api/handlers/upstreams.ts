/** Servers: health, settings, tools, tests. */

import type { Handlers } from '../../../shared/contract/rpc.ts';
import type { ToolChangeView, UpstreamDraft, UpstreamToolView, UpstreamView } from '../../../shared/contract/upstreams.ts';
import type { Config, Upstream } from '../../../shared/model/config.ts';
import { AppError, toAppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import type { PendingSignIns } from '../../app/pending-sign-ins.ts';
import type { Runtime } from '../../app/runtime.ts';
import { parametersOf, payloadPlaces } from '../../binding/data-key.ts';
import { entryFingerprint } from '../../calls/approve.ts';
import { fileParameters } from '../../companions/file-parameters.ts';
import { changeConfig } from '../../store/secret-store.ts';
import { secretReference } from '../../store/secrets.ts';
import { revisionOf, type ToolChange, toolParts } from '../../store/server-tools.ts';
import { shownTarget } from '../../upstream/masking.ts';
import { isAllowed } from '../../upstream/pool-entry.ts';
import { hasCredentials } from '../../upstream/sign-in/sign-ins.ts';
import { isDestructive, isReadOnly, type UpstreamTool } from '../../upstream/types.ts';
import { detailOf, exportText, readDraft } from '../upstream-draft.ts';
import { isSameServer, nameTaken, removeUnusedBundles } from '../upstream-import.ts';
import { type RunningTests, testUpstream, trouble } from '../upstream-test.ts';
import type { HandlerDeps } from './deps.ts';

type Named = { name: string };
type Drafted = { draft: UpstreamDraft; previousName: string | null };

export function upstreamViews(runtime: Runtime, name?: string): UpstreamView[] {
  const { upstreams } = runtime.effective();
  return runtime.upstreams.status(name).flatMap((status) => {
    const upstream = find(upstreams, status.name);
    // Between a change of the configuration and the pool's hearing of it.
    if (!upstream) return [];
    const { enabled, confirm, confirmExcept = [] } = upstream;
    const signIn = signInView(runtime, upstream);
    const toolChanges = runtime.serverTools.changes(status.name, entryFingerprint(upstream)).length;
    const { lastError: _message, lastHint: _hint, error, ...rest } = status;
    const lastFailure = error && trouble(error);
    const target = shownTarget(upstream);
    const fixed = runtime.fixed.upstreams;
    return [{ ...rest, lastFailure, target, enabled, confirm, exceptions: confirmExcept.length, toolChanges, signIn, fixed }];
  });
}

function upstreamView(runtime: Runtime, name: string): UpstreamView {
  const [found] = upstreamViews(runtime, name);
  return found ?? fail(unknown(name));
}

function signInView({ signIns }: Runtime, upstream: Upstream): UpstreamView['signIn'] {
  if (upstream.type === 'stdio' || hasCredentials(upstream)) return null;
  try {
    const state = signIns.state(upstream.url);
    return state && { ...state, until: state.until === null ? null : new Date(state.until).toISOString() };
  } catch {
    // A keychain that is locked: the next connection says so.
    return null;
  }
}

export function upstreamHandlers(
  { runtime, log, forgetTrusted }: Pick<HandlerDeps, 'runtime' | 'log' | 'forgetTrusted'>,
  tests: RunningTests,
) {
  const view = (name: string) => upstreamView(runtime, name);

  /** The server's state after `work`; what goes wrong in it is part of the state. */
  const viewAfter = async (name: string, work: () => Promise<unknown>): Promise<UpstreamView> => {
    runtime.upstreams.config(name);
    try {
      await work();
    } catch (error) {
      log(`server '${name}': ${toAppError(error).text}`);
    }
    return view(name);
  };

  /** Changes one entry; null removes it. */
  const change = async (name: string, edit: (upstream: Upstream) => Upstream | null): Promise<void> => {
    assertChangeable(runtime);
    await changeConfig(runtime, [], (config) => {
      const upstream = find(config.upstreams, name) ?? fail(unknown(name));
      return withUpstream(config, name, name, edit(upstream));
    });
  };

  return {
    ...toolChangeHandlers(runtime, view),
    'upstreams.list': async () => upstreamViews(runtime),
    'upstreams.get': async ({ name }: Named) => detailOf(name, configured(runtime, name)),
    'upstreams.tools': async ({ name }: Named) => {
      const tools = await runtime.upstreams.tools(name, { all: true });
      const upstream = runtime.upstreams.config(name);
      return tools.map((tool) => toolView(tool, isAllowed(upstream, tool.name)));
    },
    'upstreams.log': async ({ name }: Named) => runtime.upstreams.log(name).map(({ time, text }) => ({ time, text })),
    'upstreams.export': async () => ({ text: exportText(runtime.effective().upstreams) }),

    'upstreams.twin': async ({ draft, previousName }: Drafted) => {
      const { upstreams } = runtime.effective();
      try {
        const { secrets, entry } = readDraft(draft);
        const drafted = entry(secrets, previousName === null ? undefined : find(upstreams, previousName));
        const twin = Object.entries(upstreams).find(([name, other]) => name !== previousName && isSameServer(drafted, other));
        return { name: twin?.[0] ?? null };
      } catch (error) {
        // Saving says what is wrong with it.
        if (toAppError(error).code === 'INVALID_REQUEST') return { name: null };
        throw error;
      }
    },

    'upstreams.check': ({ name }: Named) => viewAfter(name, () => runtime.upstreams.tools(name, { refresh: true })),
    'upstreams.restart': ({ name }: Named) =>
      viewAfter(name, async () => {
        await runtime.upstreams.restart(name);
        await runtime.upstreams.tools(name, { refresh: true });
      }),

    'upstreams.test': async ({ id, draft, previousName }: Drafted & { id: string }) => {
      const drafted = readDraft(draft);
      const ids = drafted.secrets.map((_, index) => `draft-${index}`);
      const previous = previousName === null ? undefined : configured(runtime, previousName);
      const secretsById = new Map(drafted.secrets.map((value, index) => [ids[index] ?? '', value]));
      const entry = drafted.entry(ids.map(secretReference), previous);
      return tests.run(id, (signal) =>
        testUpstream(draft.name, entry, (upstreams) => runtime.poolOf(upstreams, secretsById, previous), { signal }),
      );
    },
    'upstreams.endTest': async ({ id }: { id: string }) => {
      tests.end(id);
      return {};
    },
    'upstreams.save': async ({ draft, previousName }: Drafted) => {
      assertChangeable(runtime);
      const drafted = readDraft(draft);
      await changeConfig(runtime, drafted.secrets, (config, references) => {
        const previous =
          previousName === null ? undefined : (find(config.upstreams, previousName) ?? fail(unknown(previousName)));
        if (draft.name !== previousName && find(config.upstreams, draft.name)) throw nameTaken(draft.name);
        return withUpstream(config, previousName, draft.name, drafted.entry(references, previous));
      });
      return view(draft.name);
    },
    'upstreams.remove': async ({ name }: Named) => {
      const upstream = configured(runtime, name);
      await change(name, () => null);
      await removeUnusedBundles(runtime, upstream);
      const others = Object.values(runtime.effective().upstreams);
      if (upstream.type !== 'stdio' && !others.some((other) => other.type !== 'stdio' && other.url === upstream.url))
        // Nobody has signed in to an address whose placeholders cannot be filled.
        await runtime.signIns.signOut(upstream.url).catch((error: unknown) => {
          if (toAppError(error).code !== 'CONFIG_INVALID') throw error;
        });
      return {};
    },
    'upstreams.setEnabled': async ({ name, enabled }: Named & { enabled: boolean }) => {
      await change(name, (upstream) => ({ ...upstream, enabled }));
      return view(name);
    },
    'upstreams.setTool': async ({ name, tool, enabled }: Named & { tool: string; enabled: boolean }) => {
      await change(name, (upstream) => ({ ...upstream, tools: switched(upstream.tools, tool, enabled) }));
      return {};
    },
    'upstreams.setConfirm': async ({ name, confirm }: Named & { confirm: Upstream['confirm'] }) => {
      await change(name, (upstream) => ({ ...upstream, confirm }));
      return view(name);
    },
    'upstreams.askAgain': async ({ name, tool }: Named & { tool: string }) => {
      if (runtime.fixed.upstreams) {
        forgetTrusted(name, tool);
        return {};
      }
      await change(name, (upstream) => {
        const rest = upstream.confirmExcept?.filter((excepted) => excepted !== tool) ?? [];
        const { [tool]: _, ...seen } = upstream.confirmSeen ?? {};
        return {
          ...upstream,
          confirmExcept: rest.length === 0 ? undefined : rest,
          confirmSeen: rest.length === 0 ? undefined : seen,
        };
      });
      return {};
    },
  } satisfies Partial<Handlers>;
}

/** The configuration with one entry replaced in its place, added at the end, or removed. */
function withUpstream(config: Config, from: string | null, to: string, upstream: Upstream | null): Config {
  const entries = Object.entries(config.upstreams);
  const replacement = upstream === null ? [] : [[to, upstream] as const];
  const next = entries.flatMap((entry) => (entry[0] === from ? replacement : [entry]));
  return { ...config, upstreams: Object.fromEntries(from === null ? [...entries, ...replacement] : next) };
}

/** The lists with a tool let through or held back. Where there is a list of the allowed ones, that is the one to change. */
function switched(lists: Upstream['tools'], tool: string, enabled: boolean): Upstream['tools'] {
  const without = (names: readonly string[] = []) => names.filter((name) => name !== tool);
  const allow = lists?.allow && (enabled ? [...without(lists.allow), tool] : without(lists.allow));
  const deny = enabled || allow ? without(lists?.deny) : [...without(lists?.deny), tool];
  if (allow === undefined && deny.length === 0) return undefined;
  return { ...(allow === undefined ? {} : { allow }), ...(deny.length === 0 ? {} : { deny }) };
}

function toolView(tool: UpstreamTool, enabled: boolean): UpstreamToolView {
  const { annotations = {}, inputSchema } = tool;
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
  const payloads = fileParameters(tool);
  const likely = new Set(payloads.map(({ parameter }) => parameter.replaceAll('[]', '[0]')));
  const places = payloadPlaces(inputSchema);
  return {
    name: tool.name,
    title: text(tool.title) ?? text(annotations.title),
    description: text(tool.description),
    enabled,
    readOnly: isReadOnly(annotations),
    destructive: isDestructive(annotations),
    parameters: parametersOf(inputSchema),
    // The likely ones first.
    dataKeys: [...new Set([...places.filter((place) => likely.has(place)), ...places])],
    payloads,
  };
}

/** Names come from outside, and may be those of an object's own members. */
const find = (upstreams: Readonly<Record<string, Upstream>>, name: string): Upstream | undefined =>
  Object.hasOwn(upstreams, name) ? upstreams[name] : undefined;

const configured = (runtime: Runtime, name: string): Upstream => find(runtime.effective().upstreams, name) ?? fail(unknown(name));

export function assertChangeable(runtime: Runtime): void {
  if (!runtime.fixed.upstreams) return;
  throw new AppError('INVALID_REQUEST', say('servers.fixed'), {
    hint: say('servers.fixed.hint'),
  });
}

const unknown = (name: string) =>
  new AppError('UPSTREAM_UNKNOWN', say('servers.unknown', { server: name }), { hint: say('servers.unknown.hint') });

function fail(error: AppError): never {
  throw error;
}

/** `view` gives a server's state, or throws UPSTREAM_UNKNOWN. */
function toolChangeHandlers(runtime: Runtime, view: (name: string) => UpstreamView) {
  const entryOf = (name: string): string => {
    view(name);
    const upstream = runtime.effective().upstreams[name];
    return upstream === undefined ? '' : entryFingerprint(upstream);
  };
  return {
    'upstreams.toolChanges': async ({ name }: { name: string }) => {
      const changes = runtime.serverTools.changes(name, entryOf(name));
      return { revision: revisionOf(changes), changes: changes.map(changeView) };
    },
    'upstreams.acceptTools': async ({ name, revision }: { name: string; revision: string }) => {
      if (!(await runtime.serverTools.acknowledge(name, entryOf(name), revision)))
        throw new AppError('INVALID_REQUEST', say('servers.toolsChanged', { server: name }), {
          hint: say('servers.toolsChanged.hint'),
        });
      return view(name);
    },
  } satisfies Partial<Handlers>;
}

function changeView({ name, before, after, past }: ToolChange): ToolChangeView {
  return {
    name,
    change: before === null ? 'added' : after === null ? 'removed' : 'changed',
    past,
    parts: toolParts
      .map((part) => ({ part, before: shown(before?.[part]), after: shown(after?.[part]) }))
      .filter((part) => part.before !== part.after),
  };
}

const shown = (value: unknown): string | null =>
  value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value, null, 2);

// Signing in to remote servers from the window

export function signInHandlers({ runtime, host, log }: HandlerDeps, pending: PendingSignIns) {
  const urlOf = (name: string): string => {
    const upstream = runtime.upstreams.config(name);
    if (upstream.type !== 'stdio' && !hasCredentials(upstream)) return upstream.url;
    throw new AppError('INVALID_REQUEST', say('signIn.ownCredentials', { server: name }), {
      hint: say('signIn.ownCredentials.hint'),
    });
  };

  /** Connects anew; what goes wrong in it is part of the server's state. */
  const reconnect = async (name: string): Promise<void> => {
    try {
      await runtime.upstreams.restart(name);
      await runtime.upstreams.tools(name, { refresh: true });
    } catch (error) {
      log(`server '${name}': ${toAppError(error).text}`);
    }
  };

  return {
    'upstreams.signIn': async ({ name, clientId, clientSecret }: Named & { clientId?: string; clientSecret?: string }) => {
      const url = urlOf(name);
      const link = await pending.start(name, async (onLink, signal) => {
        await runtime.signIns.signIn(name, url, {
          onLink,
          signal,
          client: clientId === undefined ? undefined : { id: clientId, secret: clientSecret || undefined },
        });
        await reconnect(name);
      });
      const opened = await host.openSignIn?.(link).then(
        () => true,
        () => false,
      );
      return { link, opened: opened ?? false };
    },
    'upstreams.finishSignIn': async ({ name }: Named) => {
      await pending.finished(name);
      return upstreamView(runtime, name);
    },
    'upstreams.endSignIn': async ({ name }: Named) => {
      pending.cancel(name);
      return {};
    },
    'upstreams.signOut': async ({ name }: Named) => {
      await runtime.signIns.signOut(urlOf(name));
      await reconnect(name);
      return upstreamView(runtime, name);
    },
  } satisfies Partial<Handlers>;
}
