/** Servers in pasted text: what would run, what the person has to fill in, and a test before anything is added. */
import type { OfferPick, OfferView } from '../../../shared/contract/upstreams.ts';
import { visibleText } from '../../../shared/lib/visible-text.ts';
import { words } from '../../i18n/words.ts';
import { Badge, Trouble } from '../../ui/feedback.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { WhatRuns } from './found-servers.tsx';
import { hasValues, OfferForm, type Values } from './offer-form.tsx';
import { t } from './servers-texts.ts';

/** Selection and entered values by server id. */
export interface Picks {
  readonly ticked: ReadonlySet<string>;
  readonly values: Readonly<Record<string, Values>>;
}

/** One server is picked as it is; of several, those that can be added, and each in one way. */
export function firstPicks(offers: readonly OfferView[]): Picks {
  const names = new Set<string>();
  const ticked = offers.filter(({ name, present, refusal }) => {
    if (offers.length === 1) return true;
    if (present || refusal !== null || names.has(name)) return false;
    names.add(name);
    return true;
  });
  return { ticked: new Set(ticked.map(({ id }) => id)), values: {} };
}

export const pickOf = ({ id, revision }: OfferView, { values }: Picks): OfferPick => ({ id, revision, values: values[id] ?? {} });

/** Whether every value that a ticked server needs is there. */
export const isComplete = (offers: readonly OfferView[], { ticked, values }: Picks): boolean =>
  offers.every((offer) => !ticked.has(offer.id) || hasValues(offer, values[offer.id]));

export function PastedServers({
  text,
  offers,
  picks,
  onPick,
}: {
  text: string;
  offers: readonly OfferView[];
  picks: Picks;
  onPick: (picks: Picks) => void;
}) {
  const tick = (id: string, on: boolean) => {
    const ticked = new Set(picks.ticked);
    if (on) ticked.add(id);
    else ticked.delete(id);
    onPick({ ...picks, ticked });
  };
  return (
    <ul className="found" aria-label={t('importRead')}>
      {offers.map((offer) => {
        const name = (
          <>
            <b>{visibleText(offer.title ?? offer.name)}</b>{' '}
            {offer.way === null ? null : <span className="quiet">{visibleText(offer.way)}</span>}{' '}
            {offer.present ? <Badge>{t('importPresent')}</Badge> : null}
          </>
        );
        return (
          <li key={offer.id} className="pasted">
            {offers.length === 1 ? (
              <div>{name}</div>
            ) : (
              <Checkbox
                label={name}
                checked={picks.ticked.has(offer.id)}
                disabled={offer.refusal !== null}
                onCheck={(on) => tick(offer.id, on)}
              />
            )}
            {offer.description === null ? null : <p className="pasted-text">{visibleText(offer.description)}</p>}
            <div className="quiet">
              <WhatRuns server={offer} />
            </div>
            {offer.program !== null && !offer.program.found ? (
              <p className="pasted-text">{t('programMissing', { program: visibleText(offer.program.name) })}</p>
            ) : null}
            {offer.refusal === null ? null : <Trouble error={words(offer.refusal)} />}
            {picks.ticked.has(offer.id) && offer.refusal === null ? (
              <OfferForm
                text={text}
                offer={offer}
                values={picks.values[offer.id]}
                onChange={(values) => onPick({ ...picks, values: { ...picks.values, [offer.id]: values } })}
              />
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}
