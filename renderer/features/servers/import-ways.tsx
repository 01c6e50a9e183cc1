/** Servers taken over from agents on this computer, or from pasted settings. */
import { useEffect, useRef, useState } from 'react';
import type { OperationOutput } from '../../../shared/contract/contract.ts';
import type { OfferPick, OfferView } from '../../../shared/contract/upstreams.ts';
import { visibleName, visibleText } from '../../../shared/lib/visible-text.ts';
import { useCommand } from '../../api/use-client.ts';
import { words } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Badge, Trouble } from '../../ui/feedback.tsx';
import { Checkbox, TextArea } from '../../ui/field.tsx';
import { FoundServers, useImport, WhatRuns } from './found-servers.tsx';
import { MissingProgram } from './needed-program.tsx';
import { missingValues, OfferForm, type Values } from './offer-form.tsx';
import { t } from './servers-texts.ts';
import { Foot, SecondName, useNameProblem, type WayProps } from './way.tsx';

type Imported = OperationOutput<'upstreams.importText'>;

/** What could not be added, and why. */
function Refused({ refused }: { refused: Imported['refused'] }) {
  return refused.map(({ name, trouble }) => (
    <Trouble
      key={name}
      error={{
        message: `${t('refused', { name: visibleName(name) })}: ${words(trouble).message}`,
        hint: words(trouble).hint,
      }}
    />
  ));
}

/** From anything that is pasted. `given` is looked at once. */
export function PasteWay({ foot, onAdded, given = '' }: WayProps & { given?: string | undefined }) {
  const look = useCommand('upstreams.readText');
  const paste = useCommand('upstreams.importText');
  const [text, setText] = useState(given);
  /** Servers that the text would import, shown before they are added. */
  const [read, setRead] = useState<OperationOutput<'upstreams.readText'>>();
  const [picks, setPicks] = useState<Picks>(() => firstPicks([]));
  const [refused, setRefused] = useState<Imported['refused']>([]);
  const offers = (read?.servers ?? []).map((offer) => ({ ...offer, twin: offer.twin ?? twinOf(offer, refused) }));
  const picked = offers.filter(({ id }) => picks.ticked.has(id)).map((offer) => pickOf(offer, picks));
  const nameProblem = useNameProblem();
  const unready = (offer: OfferView): string | undefined => {
    const problem = offer.twin === null ? undefined : nameProblem(nameOf(offer, picks));
    return missingValues(offer, picks.values[offer.id]) ?? (problem && t(problem));
  };
  const [whyNot] = offers.filter(({ id }) => picks.ticked.has(id)).flatMap((offer) => unready(offer) ?? []);

  const show = (answer: typeof read) => {
    setPicks(firstPicks(answer?.servers ?? []));
    setRead(answer);
  };
  const asked = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what was given at the start
  useEffect(() => {
    if (given === '' || asked.current) return;
    asked.current = true;
    void look.run({ text: given }).then(show);
  }, []);
  const onAdd = async () => {
    const answer = await paste.run({ text, picks: picked });
    setRefused(answer?.refused ?? []);
    if (answer?.refused.length === 0) onAdded(answer.imported);
  };

  return (
    <div className="add-way">
      <TextArea
        label={t('importPaste')}
        hint={t('importPasteHint')}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setRead(undefined);
          setRefused([]);
        }}
        placeholder={'npx -y …\nhttps://…\n{ "mcpServers": { … } }'}
      />
      {read === undefined ? null : <PastedServers text={text} offers={offers} picks={picks} onPick={setPicks} />}
      <Refused refused={refused} />
      <Trouble error={look.error ?? paste.error} />
      <Foot place={foot}>
        {read === undefined ? (
          <Button
            look="primary"
            busy={look.busy}
            why={text.trim() === '' ? t('whyNothing') : undefined}
            onClick={() => void look.run({ text }).then(show)}
          >
            {t('importLook')}
          </Button>
        ) : (
          <AddChosen count={picked.length} busy={paste.busy} why={whyNot} onAdd={() => void onAdd()} />
        )}
      </Foot>
    </div>
  );
}

/** From the settings of agents on this computer. */
export function FoundWay({ foot, onAdded }: WayProps) {
  const found = useImport();
  const [refused, setRefused] = useState<Imported['refused']>([]);
  const some = found.answer.value?.some(({ twin }) => twin === null) ?? false;
  const onAdd = async () => {
    const answer = await found.run();
    setRefused(answer?.refused ?? []);
    if (answer?.refused.length === 0) onAdded(answer.imported);
  };
  return (
    <div className="add-way">
      <p className="quiet">{t('importLead')}</p>
      <FoundServers found={found} />
      <Refused refused={refused} />
      <Trouble error={found.error} />
      {some ? (
        <Foot place={foot}>
          <AddChosen count={found.ticked.size} busy={found.busy} onAdd={() => void onAdd()} />
        </Foot>
      ) : null}
    </div>
  );
}

/** The button for what is ticked, or what to do first. */
function AddChosen({ count, busy, why, onAdd }: { count: number; busy: boolean; why?: string | undefined; onAdd: () => void }) {
  return (
    <Button look="primary" busy={busy} why={count === 0 ? t('whyNoneTicked') : why} onClick={onAdd}>
      {count === 0 ? t('importChoose') : t('importAction', { count })}
    </Button>
  );
}

/** A server may turn out to be there with the values that were entered. */
function twinOf({ name }: OfferView, refused: Imported['refused']): string | null {
  const said = refused.find((one) => one.name === name)?.trouble.said?.message;
  return said?.code === 'import.there' ? String(said.params.as) : null;
}

/** Selection and entered values by server id. */
interface Picks {
  readonly ticked: ReadonlySet<string>;
  readonly values: Readonly<Record<string, Values>>;
  /** Of those that are there already. */
  readonly names: Readonly<Record<string, string>>;
}

/** One server is picked as it is; of several, those that can be added, and each in one way. None that is there already. */
function firstPicks(offers: readonly OfferView[]): Picks {
  const names = new Set<string>();
  const ticked = offers.filter(({ name, twin, refusal }) => {
    if (twin !== null) return false;
    if (offers.length === 1) return true;
    if (refusal !== null || names.has(name)) return false;
    names.add(name);
    return true;
  });
  return { ticked: new Set(ticked.map(({ id }) => id)), values: {}, names: {} };
}

const nameOf = (offer: OfferView, { names }: Picks): string => names[offer.id] ?? offer.name;

const pickOf = (offer: OfferView, picks: Picks): OfferPick => ({
  id: offer.id,
  revision: offer.revision,
  values: picks.values[offer.id] ?? {},
  ...(offer.twin !== null ? { name: nameOf(offer, picks).trim() } : {}),
});

/** Servers in pasted text: what would run, what the person has to fill in, and a test before anything is added. */
function PastedServers({
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
            {offer.twin === null ? null : <Badge>{t('presentAs', { name: visibleName(offer.twin) })}</Badge>}
          </>
        );
        return (
          <li key={offer.id} className="pasted">
            {offers.length === 1 && offer.twin === null ? (
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
              <WhatRuns server={offer} asked={offer.inputs.some(({ secret }) => secret)} />
            </div>
            {offer.twin !== null && !picks.ticked.has(offer.id) ? <p className="pasted-text">{t('addAgain')}</p> : null}
            {offer.program !== null && !offer.program.found ? (
              <p className="pasted-text">
                <MissingProgram program={offer.program} />
              </p>
            ) : null}
            {offer.refusal === null ? null : <Trouble error={words(offer.refusal)} />}
            {offer.twin !== null && picks.ticked.has(offer.id) ? (
              <SecondName
                name={nameOf(offer, picks)}
                onChange={(given) => onPick({ ...picks, names: { ...picks.names, [offer.id]: given } })}
              />
            ) : null}
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
