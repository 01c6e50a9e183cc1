/** Servers in what a person pastes or drops: shown, tested and added. */
import { createHash } from 'node:crypto';
import type { Handlers } from '../../../shared/contract/rpc.ts';
import type { OfferPick, OfferView } from '../../../shared/contract/upstreams.ts';
import type { Upstream } from '../../../shared/model/config.ts';
import { AppError, toAppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { filledOffer, outlined } from '../../adding/filled.ts';
import { readPasted } from '../../adding/pasted.ts';
import { neededProgram } from '../../adding/programs.ts';
import type { Input, Offer } from '../../adding/types.ts';
import { isOurselves } from '../../agent-apps/found-servers.ts';
import { isObject } from '../../agent-apps/plain.ts';
import { secretReference } from '../../store/secrets.ts';
import { bundleFolder, removeUnusedBundles } from '../bundles.ts';
import { importable } from '../importable.ts';
import type { RunningTests } from '../running-tests.ts';
import { valuesOf } from '../upstream-draft.ts';
import { type Candidate, importServers, secretNames, withValues } from '../upstream-import.ts';
import { testUpstream, trouble } from '../upstream-test.ts';
import type { HandlerDeps } from './deps.ts';
import { assertChangeable } from './upstreams.ts';

type Pasted = { text: string };

export function offerHandlers({ runtime, server, launch, host }: HandlerDeps, tests: RunningTests) {
  const read = async (text: string): Promise<Offer[]> => {
    const offers = await readPasted(text, { folder: bundleFolder(runtime) });
    const ours = { launch, url: server.state().url };
    return offers.map((offer) => (isOurselves(offer.name, offer.entry, ours) ? { ...offer, refusal: itself() } : offer));
  };
  const configured = () => Object.values(runtime.effective().upstreams);

  return {
    'upstreams.readText': async ({ text }: Pasted) => {
      const offers = await read(text);
      return { servers: await Promise.all(offers.map((offer, index) => viewOf(offer, index, configured()))) };
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
      const { entry, given } = sealedForTest(upstream, secrets);
      try {
        return await tests.run(id, (signal) =>
          testUpstream(pick.name ?? offer.name, entry, (upstreams) => runtime.poolOf(upstreams, given), { signal }),
        );
      } finally {
        await removeUnusedBundles(runtime, upstream);
      }
    },
  } satisfies Partial<Handlers>;
}

async function candidateOf(offer: Offer, pick: OfferPick | undefined): Promise<Candidate> {
  const name = pick?.name ?? offer.name;
  try {
    if (offer.refusal) throw offer.refusal;
    const filled = filledOffer(offer, pick?.values ?? {});
    if (filled.upstream && !filled.refusal) await offer.prepare?.();
    return { name, ...filled, named: pick?.name !== undefined && pick.name !== offer.name };
  } catch (error) {
    return { name, upstream: null, refusal: toAppError(error) };
  }
}

/** The server that the person was shown. Throws INVALID_REQUEST for another one in its place. */
function pickedFrom(offers: readonly Offer[], { id, revision }: OfferPick): Offer {
  const offer = offers[Number(id)];
  if (offer && revisionOf(offer) === revision) return offer;
  throw new AppError('INVALID_REQUEST', say('offer.gone'), { hint: say('offer.gone.hint') });
}

async function viewOf(offer: Offer, index: number, configured: readonly Upstream[]): Promise<OfferView> {
  const { upstream, refusal, secrets, shown } = outlined(offer);
  const view = importable(offer.name, { standard: isObject(offer.entry) ? offer.entry : {}, upstream }, configured);
  const failure = offer.refusal ?? refusal;
  return {
    ...view,
    target: shown(view.target),
    folder: view.folder === null ? null : shown(view.folder),
    secrets: [...new Set([...view.secrets, ...secrets])],
    id: String(index),
    revision: revisionOf(offer),
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

/** Also of what is not shown, as the values of variables. */
const revisionOf = ({ name, entry, inputs, hash = '' }: Offer): string =>
  createHash('sha256')
    .update(JSON.stringify([name, entry, inputs, hash]) ?? '')
    .digest('hex')
    .slice(0, 32);

/** With references to secrets that only the test knows, so that its log shows none. */
function sealedForTest(upstream: Upstream, secrets: readonly string[]) {
  const given = new Map<string, string>();
  const hidden = new Set([...secretNames(upstream), ...secrets]);
  const values = Object.entries(valuesOf(upstream)).map(([name, value]) => {
    if (!hidden.has(name)) return [name, value];
    const id = `offer-${given.size}`;
    given.set(id, value);
    return [name, secretReference(id)];
  });
  return { entry: withValues(upstream, Object.fromEntries(values)), given };
}

const itself = () => new AppError('INVALID_REQUEST', say('import.itself'), { hint: say('import.itself.hint') });
