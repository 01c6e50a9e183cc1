/** Handlers that add servers: from the catalogue, from what a person pastes or drops, and from the settings of installed agents. */

import { createHash } from 'node:crypto';
import type { Handlers } from '../../../shared/contract/rpc.ts';
import type {
  CatalogueEntry,
  FoundUpstream,
  ImportableUpstream,
  OfferPick,
  OfferView,
} from '../../../shared/contract/upstreams.ts';
import { scalarText } from '../../../shared/lib/scalar-text.ts';
import type { Upstream } from '../../../shared/model/config.ts';
import { AppError, toAppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { searchedTexts, standsInFor } from '../../adding/catalogue/also-called.ts';
import { type CatalogueServer, catalogueServers } from '../../adding/catalogue/catalogue.ts';
import { filledOffer, outlined } from '../../adding/filled.ts';
import type { Input, Offer } from '../../adding/offer.ts';
import { readPasted } from '../../adding/pasted.ts';
import { neededProgram, nodeVersion, programSites } from '../../adding/programs.ts';
import { type FoundServer, foundServers, isOurselves, type Ours } from '../../agent-apps/client-config.ts';
import { knownClients } from '../../agent-apps/known-clients.ts';
import { isObject } from '../../agent-apps/plain.ts';
import type { ReadEntry } from '../../agent-apps/server-entries.ts';
import type { Runtime } from '../../app/runtime.ts';
import { secretReference } from '../../store/secrets.ts';
import { exactTarget, maskedArguments, maskedUrl } from '../../upstream/masking.ts';
import { valuesOf } from '../upstream-draft.ts';
import {
  bundleFolder,
  type Candidate,
  importServers,
  isSameServer,
  removeUnusedBundles,
  secretNames,
  withValues,
} from '../upstream-import.ts';
import { type RunningTests, testUpstream, trouble } from '../upstream-test.ts';
import type { HandlerDeps } from './deps.ts';
import { assertChangeable } from './upstreams.ts';

/** The catalogue of servers: what each is for, and what it needs on this computer. */
export function catalogueHandlers({ runtime, host }: HandlerDeps) {
  const openPage = async (link: string | undefined) => {
    if (link === undefined) throw new AppError('INVALID_REQUEST', say('catalogue.noLink'));
    await host.openLink?.(link);
    return { opened: host.openLink !== undefined };
  };
  return {
    'upstreams.catalogue': async () => {
      const configured = Object.values(runtime.effective().upstreams);
      const programs = new Map<string, ReturnType<typeof neededProgram>>();
      /** Several entries need the same few programs. */
      const program = (upstream: Upstream) => {
        const command = upstream.type === 'stdio' ? upstream.command : '';
        const known = programs.get(command) ?? neededProgram(upstream);
        programs.set(command, known);
        return known;
      };
      const node = await nodeVersion();
      return Promise.all(
        catalogueServers().map(async (server): Promise<CatalogueEntry> => {
          const [offer] = await readPasted(server.text, { folder: bundleFolder(runtime) });
          const upstream = offer === undefined ? null : outlined(offer).upstream;
          const inputs = offer?.inputs ?? [];
          return {
            ...wordsOf(server, inputs),
            id: server.id,
            category: server.category,
            searched: searchedTexts(server),
            standsInFor: standsInFor(server),
            mark: server.mark,
            colour: server.colour,
            text: server.text,
            program: versioned(upstream === null ? null : await program(upstream), server.node ?? null, node),
            host: server.way === 'remote' ? new URL(server.target).host : null,
            signIn: server.signIn ?? false,
            asks: [...new Set(inputs.filter(isAsked).map(answerKind))],
            present: configured.some((other) => isOf(server, other)),
          };
        }),
      );
    },
    'upstreams.openCatalogueLink': async ({ id, input }: { id: string; input: string }) => {
      const inputs = catalogueServers().find((server) => server.id === id)?.inputs ?? {};
      const link = Object.hasOwn(inputs, input) ? inputs[input]?.link : undefined;
      return openPage(link);
    },
    'upstreams.openProgramPage': async ({ program }: { program: string }) => openPage(programSites.get(program)),
  } satisfies Partial<Handlers>;
}

function wordsOf(
  server: CatalogueServer,
  inputs: readonly Input[],
): Pick<CatalogueEntry, 'title' | 'purpose' | 'needs' | 'inputs'> {
  const entries = Object.entries(server.inputs ?? {}).map(([id, { label, description, link = null }]) => {
    const english = inputs.find((input) => input.id === id)?.description;
    const both = english && description ? { en: english, de: description.de } : null;
    return [id, { label, description: both, link }];
  });
  return {
    title: { en: server.title, de: server.de.title ?? server.title },
    purpose: { en: server.description, de: server.de.description },
    needs: server.needs ?? null,
    inputs: Object.fromEntries(entries),
  };
}

function versioned(
  program: Awaited<ReturnType<typeof neededProgram>>,
  atLeast: number | null,
  node: number | null,
): CatalogueEntry['program'] {
  const isOlder = atLeast !== null && node !== null && node < atLeast;
  return program && { ...program, atLeast, older: isOlder ? node : null };
}

/** One that has a preset needs no answer. */
const isAsked = ({ required, preset }: Input): boolean => required && preset === null;

const answerKind = ({ secret, kind }: Input): CatalogueEntry['asks'][number] =>
  secret ? 'secret' : kind === 'folder' || kind === 'file' ? kind : 'value';

/** Whether the entry runs the server's package or reaches its address, in whatever version. */
function isOf({ way, target }: CatalogueServer, upstream: Upstream): boolean {
  if (upstream.type !== 'stdio') return way === 'remote' && upstream.url === target;
  return upstream.args.some((word) => word === target || word.startsWith(`${target}@`) || word.startsWith(`${target}:`));
}

// What a person pastes or drops: shown, tested and added

type Pasted = { text: string };

/** The servers in a pasted text. Filebridge itself is refused. */
export async function offersIn(text: string, runtime: Runtime, ours: Ours): Promise<Offer[]> {
  const offers = await readPasted(text, { folder: bundleFolder(runtime) });
  return offers.map((offer) => (isOurselves(offer.name, offer.entry, ours) ? { ...offer, refusal: itself() } : offer));
}

export function offerHandlers({ runtime, server, launch, host }: HandlerDeps, tests: RunningTests) {
  const read = (text: string) => offersIn(text, runtime, { launch, url: server.state().url });

  return {
    'upstreams.readText': async ({ text }: Pasted) => {
      const offers = await read(text);
      return { servers: await Promise.all(offers.map((offer, index) => viewOf(offer, index, runtime.effective().upstreams))) };
    },
    'upstreams.importText': async ({ text, picks }: Pasted & { picks?: OfferPick[] | undefined }) => {
      assertChangeable(runtime);
      const offers = await read(text);
      const picked =
        picks?.map((pick) => ({ offer: pickedFrom(offers, pick), pick })) ?? offers.map((offer) => ({ offer, pick: undefined }));
      const candidates: Candidate[] = [];
      for (const { offer, pick } of picked) candidates.push(await candidateOf(offer, pick));
      return importServers(runtime, host.secrets(), candidates);
    },
    'upstreams.testText': async ({ id, text, pick }: Pasted & { id: string; pick: OfferPick }) => {
      const offer = pickedFrom(await read(text), pick);
      const { upstream, refusal, secrets } = filledOffer(offer, pick.values);
      if (refusal || !upstream) throw refusal ?? new AppError('CONFIG_INVALID', say('import.unreadable', { server: offer.name }));
      await offer.prepare?.();
      const { entry, secretsById } = sealedForTest(upstream, secrets);
      try {
        return await tests.run(id, (signal) =>
          testUpstream(pick.name ?? offer.name, entry, (upstreams) => runtime.poolOf(upstreams, secretsById), { signal }),
        );
      } finally {
        await removeUnusedBundles(runtime, upstream);
      }
    },
  } satisfies Partial<Handlers>;
}

/** The offer with the person's name and values. What is wrong with them is its refusal. */
export async function candidateOf(offer: Offer, pick?: Partial<Pick<OfferPick, 'name' | 'values'>>): Promise<Candidate> {
  const name = pick?.name ?? offer.name;
  try {
    if (offer.refusal) throw offer.refusal;
    const filled = filledOffer(offer, pick?.values ?? {});
    if (filled.upstream && !filled.refusal) await offer.prepare?.();
    return { name, ...filled, named: pick?.name !== undefined };
  } catch (error) {
    return { name, upstream: null, refusal: toAppError(error) };
  }
}

/** The server that the person was shown. Throws INVALID_REQUEST for another one in its place. */
function pickedFrom(offers: readonly Offer[], { id, revision }: OfferPick): Offer {
  const offer = offers[Number(id)];
  if (offer && offerRevision(offer) === revision) return offer;
  throw new AppError('INVALID_REQUEST', say('offer.gone'), { hint: say('offer.gone.hint') });
}

async function viewOf(offer: Offer, index: number, configured: Configured): Promise<OfferView> {
  const { upstream, refusal, secrets, shown } = outlined(offer);
  const view = importable(offer.name, { standard: isObject(offer.entry) ? offer.entry : {}, upstream }, configured);
  const failure = offer.refusal ?? refusal;
  return {
    ...view,
    target: shown(view.target),
    folder: view.folder === null ? null : shown(view.folder),
    secrets: [...new Set([...view.secrets, ...secrets])],
    id: String(index),
    revision: offerRevision(offer),
    title: offer.title,
    description: offer.description,
    way: offer.way,
    inputs: offer.inputs.map(inputView),
    program: upstream === null || offer.prepare ? await programOfBundle(offer, upstream) : await neededProgram(upstream),
    refusal: failure && trouble(failure),
  };
}

/** A bundle's own program is there once it is unpacked. */
async function programOfBundle(offer: Offer, upstream: Upstream | null) {
  if (upstream?.type !== 'stdio' || offer.prepare === undefined || /[\\/]/.test(upstream.command)) return null;
  return neededProgram(upstream);
}

const inputView = ({ preset, choices, ...input }: Input): OfferView['inputs'][number] => ({
  ...input,
  choices: [...choices],
  preset: preset === null ? [] : [preset].flat(),
});

const offerRevision = ({ name, entry, inputs, hash = '' }: Offer): string => revisionOf([name, entry, inputs, hash]);

/** With references to secrets that only the test knows, so that its log shows none. */
function sealedForTest(upstream: Upstream, secrets: readonly string[]) {
  const secretsById = new Map<string, string>();
  const hidden = new Set([...secretNames(upstream), ...secrets]);
  const values = Object.entries(valuesOf(upstream)).map(([name, value]) => {
    if (!hidden.has(name)) return [name, value];
    const id = `offer-${secretsById.size}`;
    secretsById.set(id, value);
    return [name, secretReference(id)];
  });
  return { entry: withValues(upstream, Object.fromEntries(values)), secretsById };
}

const itself = () => new AppError('INVALID_REQUEST', say('import.itself'), { hint: say('import.itself.hint') });

// Servers taken over from installed agents

export function upstreamImportHandlers({ runtime, server, launch, host }: HandlerDeps) {
  const ours = (): Ours => ({ launch, url: server.state().url });
  const found = async (): Promise<FoundServer[]> => foundServers(await knownClients(), ours());

  return {
    'upstreams.found': async () => {
      const { upstreams } = runtime.effective();
      return withoutTwins(await found()).map((candidate) => foundView(candidate, upstreams));
    },
    'upstreams.import': async ({ ids, shown = {} }: { ids: string[]; shown?: Record<string, string> }) => {
      assertChangeable(runtime);
      const all = await found();
      const candidates = ids.map((id): Candidate => {
        const candidate = all.find((each) => each.id === id);
        if (!candidate) return gone(id);
        const seen = Object.hasOwn(shown, id) ? shown[id] : undefined;
        return seen === undefined || seen === foundRevision(candidate) ? candidate : changed(candidate.name);
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

type Configured = Readonly<Record<string, Upstream>>;

const foundView = (found: FoundServer, configured: Configured): FoundUpstream => ({
  id: found.id,
  revision: foundRevision(found),
  client: found.client,
  file: found.file,
  ...importable(found.name, found, configured),
});

const foundRevision = ({ standard, upstream }: ReadEntry): string => revisionOf([standard, upstream]);

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

/** A key of everything that is added, also of what is not shown, as the values of variables. */
const revisionOf = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);

/** What a server would run or connect to, to be shown before it is added. */
function importable(
  name: string,
  { standard, upstream }: Pick<ReadEntry, 'standard' | 'upstream'>,
  configured: Configured,
): ImportableUpstream {
  const address = scalarText(standard.url ?? standard.serverUrl ?? standard.httpUrl ?? '');
  const words = [standard.command, ...(Array.isArray(standard.args) ? standard.args.flat() : [])].map(scalarText).filter(Boolean);
  return {
    name,
    type: upstream?.type ?? (standard.command === undefined ? 'http' : 'stdio'),
    target: upstream ? exactTarget(upstream) : address === '' ? maskedArguments(words).join(' ') : maskedUrl(address),
    folder: upstream?.type === 'stdio' ? (upstream.cwd ?? null) : null,
    variables: upstream ? Object.keys(valuesOf(upstream)) : [],
    secrets: upstream ? secretNames(upstream) : [],
    twin: upstream && (Object.entries(configured).find(([, other]) => isSameServer(upstream, other))?.[0] ?? null),
  };
}
