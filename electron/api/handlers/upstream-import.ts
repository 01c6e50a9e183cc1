/** Servers taken over from installed agents and from pasted text. */

import { createHash } from 'node:crypto';
import type { Handlers } from '../../../shared/contract/router.ts';
import type { FoundUpstream, ImportableUpstream } from '../../../shared/contract/upstreams.ts';
import { scalarText } from '../../../shared/lib/scalar-text.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import type { Ours } from '../../agent-apps/client-config.ts';
import { type FoundServer, foundServers, isOurselves } from '../../agent-apps/found-servers.ts';
import { knownClients } from '../../agent-apps/known-clients.ts';
import { type ReadEntry, readEntry } from '../../agent-apps/server-entries.ts';
import { exactTarget, maskedArguments, maskedUrl } from '../../upstream/masking.ts';
import { pastedServers } from '../pasted-servers.ts';
import { valuesOf } from '../upstream-draft.ts';
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
    'upstreams.readText': async ({ text }: { text: string }) => {
      const configured = Object.values(runtime.effective().upstreams);
      const entries = Object.entries(await pastedServers(text));
      const servers = entries.flatMap(([name, entry]) => {
        const read = readEntry(name, entry, 'pasted text');
        return read === null ? [] : [importable(name, read, configured)];
      });
      return { servers };
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

type Configured = Parameters<typeof isSameServer>[0][];

const foundView = (found: FoundServer, configured: Configured): FoundUpstream => ({
  id: found.id,
  revision: revisionOf(found),
  client: found.client,
  file: found.file,
  ...importable(found.name, found, configured),
});

function importable(name: string, { standard, upstream }: ReadEntry, configured: Configured): ImportableUpstream {
  const address = scalarText(standard.url ?? standard.serverUrl ?? standard.httpUrl ?? '');
  const words = [standard.command, ...(Array.isArray(standard.args) ? standard.args : [])].map(scalarText);
  return {
    name,
    type: upstream?.type ?? (standard.command === undefined ? 'http' : 'stdio'),
    target: upstream ? exactTarget(upstream) : address === '' ? maskedArguments(words).join(' ') : maskedUrl(address),
    folder: upstream?.type === 'stdio' ? (upstream.cwd ?? null) : null,
    variables: upstream ? Object.keys(valuesOf(upstream)) : [],
    secrets: upstream ? secretNames(upstream) : [],
    present: upstream !== null && configured.some((other) => isSameServer(upstream, other)),
  };
}

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

const itself = () => new AppError('INVALID_REQUEST', say('import.itself'), { hint: say('import.itself.hint') });

const noServer = (name: string) =>
  new AppError('CONFIG_INVALID', say('import.noServer', { name }), { hint: say('import.noServer.hint') });
