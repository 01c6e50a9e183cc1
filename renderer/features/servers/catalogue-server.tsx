/** One server of the catalogue: its mark and words, what it needs, its form, a test, and adding it. */
import { useEffect, useRef, useState } from 'react';
import type { CatalogueEntry, OfferInput, OfferView, Worded } from '../../../shared/contract/upstreams.ts';
import { visibleText } from '../../../shared/lib/visible-text.ts';
import { useAnswer, useCommand } from '../../api/use-client.ts';
import { currentLanguage, words } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Badge, Loaded, Trouble } from '../../ui/feedback.tsx';
import { Check, Info, TriangleAlert } from '../../ui/icons/icons.tsx';
import { WhatRuns } from './found-servers.tsx';
import { MissingProgram, programName } from './needed-program.tsx';
import { missingValues, OfferForm, type Values } from './offer-form.tsx';
import { t } from './servers-texts.ts';
import { Foot, SecondName, useNameProblem } from './way.tsx';

const events = ['upstreams.changed'] as const;

interface ServerProps {
  entry: CatalogueEntry;
  /** Where its buttons go: the foot of the dialog. */
  foot: HTMLElement | null;
  onBack: () => void;
  onAdded: (name: string) => void;
}

export function CatalogueServer(props: ServerProps) {
  const { entry, foot, onBack } = props;
  const read = useAnswer('upstreams.readText', { text: entry.text }, events);
  const [offer] = read.value?.servers ?? [];
  if (offer !== undefined) return <OfferedServer {...props} offer={worded(offer, entry)} />;
  return (
    <>
      <Loaded answer={read} lines={6}>
        {() => null}
      </Loaded>
      <Foot place={foot}>
        <BackButton onBack={onBack} />
      </Foot>
    </>
  );
}

const BackButton = ({ onBack }: { onBack: () => void }) => (
  <Button className="foot-start" onClick={onBack}>
    {t('back')}
  </Button>
);

function OfferedServer({ entry, offer, foot, onBack, onAdded }: ServerProps & { offer: OfferView }) {
  const add = useCommand('upstreams.importText');
  const [values, setValues] = useState<Values>({});
  const [given, setGiven] = useState(offer.name);
  const [refused, setRefused] = useState<{ message: string; hint: string | null }>();
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const field = form.current?.querySelector<HTMLElement>('input, textarea, select');
    (field ?? foot?.querySelector('button'))?.focus();
  }, [foot]);
  // Its name tells a second one from the first.
  const problem = useNameProblem()(given);
  const whyNot =
    offer.refusal !== null ? t('whyRefused') : entry.present && problem !== undefined ? t(problem) : missingValues(offer, values);

  const onAdd = async () => {
    setRefused(undefined);
    const pick = { id: offer.id, revision: offer.revision, values, ...(entry.present ? { name: given.trim() } : {}) };
    const answer = await add.run({ text: entry.text, picks: [pick] });
    const [refusal] = answer?.refused ?? [];
    const [added] = answer?.imported ?? [];
    if (refusal !== undefined) setRefused(words(refusal.trouble));
    if (added !== undefined) onAdded(added);
  };

  const buttons = (
    <>
      <BackButton onBack={onBack} />
      <Button look="primary" busy={add.busy} why={whyNot} onClick={() => void onAdd()}>
        {t('addThis')}
      </Button>
    </>
  );

  return (
    <>
      <div className="catalogue-head">
        <Mark entry={entry} />
        <div>
          <h3>{inLanguage(entry.title)}</h3>
          <p className="quiet">{inLanguage(entry.purpose)}</p>
          <NeedsList entry={entry} />
        </div>
      </div>
      {offer.refusal === null ? null : <Trouble error={words(offer.refusal)} />}
      <div className="catalogue-form" ref={form}>
        {entry.present ? <SecondName name={given} onChange={setGiven} /> : null}
        <OfferForm
          text={entry.text}
          offer={offer}
          values={values}
          onChange={setValues}
          testable={!entry.signIn}
          more={(input) => <PageOf entry={entry} input={input} />}
        />
      </div>
      <details className="form-more">
        <summary>{t('whatRuns')}</summary>
        <div className="quiet small catalogue-runs">
          <WhatRuns server={offer} asked />
        </div>
      </details>
      <Trouble error={refused ?? add.error} />
      <Foot place={foot}>{buttons}</Foot>
    </>
  );
}

/** Where the value of an input can be had. */
function PageOf({ entry, input }: { entry: CatalogueEntry; input: OfferInput }) {
  const open = useCommand('upstreams.openCatalogueLink');
  const link = entry.inputs[input.id]?.link ?? null;
  if (link === null) return null;
  // The app opens no windows: it hands the page to the browser. In a browser, the link itself does.
  return (
    <a href={link} target="_blank" rel="noreferrer" onClick={() => void open.run({ id: entry.id, input: input.id })}>
      {t('openPage', { host: visibleText(new URL(link).host) })}
    </a>
  );
}

export const inLanguage = (words: Worded): string => words[currentLanguage()];

/** In the place of a logo. */
export function Mark({ entry: { mark, colour } }: { entry: CatalogueEntry }) {
  return (
    <span className="catalogue-mark" style={{ backgroundColor: colour }} aria-hidden="true">
      {mark}
    </span>
  );
}

function nameOf(program: NonNullable<CatalogueEntry['program']>): string {
  const name = programName(program);
  return program.atLeast === null ? name : t('programVersion', { program: name, version: program.atLeast });
}
/** Whether it can be added as it is: without a key, a sign-in, further details, or a program that is not there. */
export const worksAtOnce = ({ asks, signIn, needs, program }: CatalogueEntry): boolean =>
  asks.length === 0 && !signIn && needs === null && (program === null || !isMissing(program));

const isMissing = ({ found, older }: NonNullable<CatalogueEntry['program']>): boolean => !found || older !== null;

/** In a word each, for the list. */
export function Needs({ entry: { asks, signIn, program } }: { entry: CatalogueEntry }) {
  return (
    <>
      {program !== null && isMissing(program) ? (
        <Badge tone="wait">{t('programNeeded', { program: nameOf(program) })}</Badge>
      ) : null}
      {asks.map((kind) => (
        <Badge key={kind}>{t(`asks_${kind}`)}</Badge>
      ))}
      {signIn ? <Badge>{t('asks_signIn')}</Badge> : null}
    </>
  );
}

/** In sentences, with what is missing on this computer. */
function NeedsList({ entry: { program, host, signIn, needs } }: { entry: CatalogueEntry }) {
  return (
    <ul className="catalogue-needs" aria-label={t('needsTitle')}>
      {program === null ? null : <ProgramLine program={program} />}
      {host === null ? null : (
        <li>
          <Info aria-hidden="true" />
          <span>{t('runsThere', { host })}</span>
        </li>
      )}
      {signIn ? (
        <li>
          <Info aria-hidden="true" />
          <span>{t('needsSignIn')}</span>
        </li>
      ) : null}
      {needs === null ? null : (
        <li>
          <Info aria-hidden="true" />
          <span>{inLanguage(needs)}</span>
        </li>
      )}
    </ul>
  );
}

function ProgramLine({ program }: { program: NonNullable<CatalogueEntry['program']> }) {
  if (!isMissing(program)) {
    return (
      <li>
        <Check aria-hidden="true" />
        <span>{t('programFound', { program: nameOf(program) })}</span>
      </li>
    );
  }
  return (
    <li data-missing="true">
      <TriangleAlert aria-hidden="true" />
      <span>
        <MissingProgram program={program} name={nameOf(program)} older={program.older} />
      </span>
    </li>
  );
}

/** The form with the catalogue's words for its inputs. */
export const worded = (offer: OfferView, { inputs }: CatalogueEntry): OfferView => ({
  ...offer,
  inputs: offer.inputs.map((input) => {
    const words = inputs[input.id];
    if (words === undefined) return input;
    return {
      ...input,
      label: inLanguage(words.label),
      description: words.description === null ? input.description : inLanguage(words.description),
    };
  }),
});
