/** Servers taken over from installed agents. */

import { createHash } from 'node:crypto';
import type { Handlers } from '../../../shared/contract/rpc.ts';
import type { FoundUpstream } from '../../../shared/contract/upstreams.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import type { Ours } from '../../agent-apps/client-config.ts';
import { type FoundServer, foundServers } from '../../agent-apps/found-servers.ts';
import { knownClients } from '../../agent-apps/known-clients.ts';
import type { ReadEntry } from '../../agent-apps/server-entries.ts';
import { importable } from '../importable.ts';
import { type Candidate, importServers, isSameServer } from '../upstream-import.ts';
import type { HandlerDeps } from './deps.ts';
import { assertChangeable } from './upstreams.ts';

export function upstreamImportHandlers({ runtime, server, launch, host }: HandlerDeps) {
  const ours = (): Ours => ({ launch, url: server.state().url });
  const found = async (): Promise<FoundServer[]> => foundServers(await knownClients(), ours());

  return {
    'upstreams.found': async () => {
      const configured = Object.values(runtime.effective().upstreams);
      return withoutTwins(await found()).map((candidate) => foundView(candidate, configured));
    },
    'upstreams.import': async ({ ids, shown = {} }: { ids: string[]; shown?: Record<string, string> }) => {
      assertChangeable(runtime);
      const all = await found();
      const candidates = ids.map((id): Candidate => {
        const candidate = all.find((each) => each.id === id);
        if (!candidate) return gone(id);
        const seen = Object.hasOwn(shown, id) ? shown[id] : undefined;
        return seen === undefined || seen === revisionOf(candidate) ? candidate : changed(candidate.name);
      });
      return importServers(runtime, host.secrets(), candidates);
    },
  } satisfies Partial<Handlers>;
}

/** The same server in several apps is one find. */
function withoutTwins(found: readonly FoundServer[]): FoundServer[] {
  return found.filter(
    ({ upstream }, index) =>
      upstream === null || !found.slice(0, index).some((other) => other.upstream && isSameServer(upstream, other.upstream)),
  );
}

type Configured = Parameters<typeof isSameServer>[0][];

const foundView = (found: FoundServer, configured: Configured): FoundUpstream => ({
  id: found.id,
  revision: revisionOf(found),
  client: found.client,
  file: found.file,
  ...importable(found.name, found, configured),
});

/** Also of what is not shown, as the values of variables. */
const revisionOf = ({ standard, upstream }: ReadEntry): string =>
  createHash('sha256')
    .update(JSON.stringify([standard, upstream]))
    .digest('hex')
    .slice(0, 32);

const changed = (name: string): Candidate => {
  const refusal = new AppError('INVALID_REQUEST', say('import.changed', { server: name }), {
    hint: say('import.changed.hint'),
  });
  return { name, upstream: null, refusal };
};

const gone = (id: string): Candidate => {
  const name = id.replace(/^[^:]*:/, '');
  const refusal = new AppError('INVALID_REQUEST', say('import.gone', { server: name }), { hint: say('import.gone.hint') });
  return { name, upstream: null, refusal };
};
