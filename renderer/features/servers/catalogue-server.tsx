/** One server of the catalogue: what it needs, its form, a test, and adding it. */
import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { CatalogueEntry, OfferInput, OfferView } from '../../../shared/contract/upstreams.ts';
import { visibleText } from '../../../shared/lib/visible-text.ts';
import { upstreamNameSchema } from '../../../shared/model/config.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { useCommand } from '../../api/use-command.ts';
import { words } from '../../i18n/words.ts';
import { Button } from '../../ui/button.tsx';
import { Loaded, Trouble } from '../../ui/feedback.tsx';
import { TextField } from '../../ui/field.tsx';
import { Mark, NeedsList, worded } from './catalogue-entry.tsx';
import { WhatRuns } from './found-servers.tsx';
import { hasValues, OfferForm, type Values } from './offer-form.tsx';
import { t } from './servers-texts.ts';

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
      {foot === null ? null : createPortal(<BackButton onBack={onBack} />, foot)}
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
  const name = given.trim();
  const named = name !== offer.name;
  // Its name tells a second one from the first.
  const nameable = !entry.present || (named && upstreamNameSchema.safeParse(name).success);

  const onAdd = async () => {
    setRefused(undefined);
    const pick = { id: offer.id, revision: offer.revision, values, ...(named ? { name } : {}) };
    const answer = await add.run({ text: entry.text, picks: [pick] });
    const [refusal] = answer?.refused ?? [];
    const [added] = answer?.imported ?? [];
    if (refusal !== undefined) setRefused(words(refusal.trouble));
    if (added !== undefined) onAdded(added);
  };

  const buttons = (
    <>
      <BackButton onBack={onBack} />
      <Button
        look="primary"
        busy={add.busy}
        disabled={offer.refusal !== null || !nameable || !hasValues(offer, values)}
        onClick={() => void onAdd()}
      >
        {t('addThis')}
      </Button>
    </>
  );

  return (
    <>
      <div className="catalogue-head">
        <Mark entry={entry} />
        <NeedsList entry={entry} />
      </div>
      {offer.refusal === null ? null : <Trouble error={words(offer.refusal)} />}
      <div className="catalogue-form" ref={form}>
        {entry.present ? (
          <TextField label={t('name')} hint={t('nameSecond')} value={given} onChange={(event) => setGiven(event.target.value)} />
        ) : null}
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
          <WhatRuns server={offer} />
        </div>
      </details>
      <Trouble error={refused ?? add.error} />
      {foot === null ? null : createPortal(buttons, foot)}
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
