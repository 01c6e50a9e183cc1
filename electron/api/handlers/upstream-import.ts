/** Servers taken over from installed agents and from pasted text. */
import type { Handlers } from '../../../shared/contract/router.ts';
import type { FoundUpstream } from '../../../shared/contract/upstreams.ts';
import { AppError } from '../../../shared/model/errors.ts';
import type { Ours } from '../../clients/client-config.ts';
import { type FoundServer, foundServers, isOurselves } from '../../clients/found-servers.ts';
import { knownClients } from '../../clients/known-clients.ts';
import { readEntry } from '../../clients/server-entries.ts';
import { maskedArguments, maskedUrl, shownTarget } from '../../upstream/masking.ts';
import { pastedServers } from '../pasted-servers.ts';
import { type Candidate, importServers, isSameServer, secretNames } from '../upstream-import.ts';
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
    'upstreams.import': async ({ ids }: { ids: string[] }) => {
      assertChangeable(runtime);
      const all = await found();
      const candidates = ids.map((id): Candidate => all.find((candidate) => candidate.id === id) ?? gone(id));
      return importServers(runtime, host.secrets(), candidates);
    },
    'upstreams.importText': async ({ text }: { text: string }) => {
      assertChangeable(runtime);
      const candidates = Object.entries(await pastedServers(text)).map(([name, entry]): Candidate => {
        if (isOurselves(name, entry, ours())) return { name, upstream: null, refusal: itself() };
        const read = readEntry(name, entry, 'pasted text');
        return { name, upstream: read?.upstream ?? null, refusal: read === null ? noServer(name) : read.refusal };
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

function foundView(
  { id, name, client, file, standard, upstream }: FoundServer,
  configured: Parameters<typeof isSameServer>[0][],
): FoundUpstream {
  const address = String(standard.url ?? standard.serverUrl ?? standard.httpUrl ?? '');
  const words = [standard.command, ...(Array.isArray(standard.args) ? standard.args : [])].map(String);
  return {
    id,
    name,
    client,
    file,
    type: upstream?.type ?? (standard.command === undefined ? 'http' : 'stdio'),
    target: upstream ? shownTarget(upstream) : address === '' ? maskedArguments(words).join(' ') : maskedUrl(address),
    secrets: upstream ? secretNames(upstream) : [],
    present: upstream !== null && configured.some((other) => isSameServer(upstream, other)),
  };
}

const gone = (id: string): Candidate => {
  const name = id.replace(/^[^:]*:/, '');
  const refusal = new AppError('INVALID_REQUEST', `The server '${name}' is no longer there`, { hint: 'Look for servers again' });
  return { name, upstream: null, refusal };
};

const itself = () =>
  new AppError('INVALID_REQUEST', 'This is Filebridge itself, which would call itself', { hint: 'Leave it out' });

const noServer = (name: string) =>
  new AppError('CONFIG_INVALID', `'${name}' is not a server: it has neither 'command' nor 'url'`, { hint: 'Correct its entry' });
