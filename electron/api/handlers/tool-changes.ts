/** How a server's tools changed since the person last accepted them. */
import type { Handlers } from '../../../shared/contract/router.ts';
import type { ToolChangeView, UpstreamView } from '../../../shared/contract/upstreams.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import type { Runtime } from '../../app/runtime.ts';
import { entryFingerprint } from '../../calls/tool-fingerprint.ts';
import { revisionOf, type ToolChange, toolParts } from '../../store/server-tools.ts';

/** `view` gives a server's state, or throws UPSTREAM_UNKNOWN. */
export function toolChangeHandlers(runtime: Runtime, view: (name: string) => UpstreamView) {
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
