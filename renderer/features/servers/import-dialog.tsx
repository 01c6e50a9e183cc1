/** Servers taken over from agents on this computer, or from pasted settings. */
import { useEffect, useRef, useState } from 'react';
import type { DirectAgent } from '../../../shared/contract/agents.ts';
import type { OperationOutput } from '../../../shared/contract/contract.ts';
import type { OfferPick, OfferView } from '../../../shared/contract/upstreams.ts';
import { visibleName, visibleText } from '../../../shared/lib/visible-text.ts';
import { useClient, useCommand } from '../../api/use-client.ts';
import { words } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Badge, Trouble, useToast } from '../../ui/feedback.tsx';
import { Checkbox, TextArea } from '../../ui/field.tsx';
import { TakeOutDialog } from '../agents/direct-servers.tsx';
import { FoundServers, useImport, WhatRuns } from './found-servers.tsx';
import { hasValues, OfferForm, type Values } from './offer-form.tsx';
import { t } from './servers-texts.ts';

/** `given` is looked at once: the path of a bundle that was dropped on the window. */
export function ImportDialog({ given = '', onClose }: { given?: string; onClose: () => void }) {
  const found = useImport();
  const look = useCommand('upstreams.readText');
  const paste = useCommand('upstreams.importText');
  const toast = useToast();
  const [text, setText] = useState(given);
  /** Servers that the text would import, shown before they are added. */
  const [read, setRead] = useState<OperationOutput<'upstreams.readText'>>();
  const [picks, setPicks] = useState<Picks>(() => firstPicks([]));
  const picked = read?.servers.filter(({ id }) => picks.ticked.has(id)).map((offer) => pickOf(offer, picks)) ?? [];
  const [refused, setRefused] = useState<readonly { name: string; trouble: { message: string; hint: string | null } }[]>([]);

  // Where nothing can be ticked, pasting is what is left to do.
  const some = found.answer.value?.some(({ present }) => !present) ?? true;

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

  /** Agents that still start the imported servers themselves. */
  const [direct, setDirect] = useState<{ agents: DirectAgent[]; servers: string[] }>();
  const client = useClient();

  const finish = async (answer: Awaited<ReturnType<typeof paste.run>>) => {
    if (!answer) return;
    if (answer.imported.length > 0) toast(t('imported', { count: answer.imported.length }));
    setRefused(answer.refused);
    if (answer.refused.length > 0) return;
    const servers = answer.imported;
    // The page behind asks the same, and shows why there is no answer.
    const all = servers.length === 0 ? [] : await client.call('agents.direct', {}).catch((): DirectAgent[] => []);
    const agents = all.filter((agent) => agent.servers.some((server) => servers.includes(server)));
    if (agents.length === 0) onClose();
    else setDirect({ agents, servers });
  };

  if (direct) return <TakeOutDialog {...direct} onClose={onClose} />;
  return (
    <Dialog
      open
      form
      onClose={onClose}
      title={t('importTitle')}
      lead={t('importLead')}
      wide
      footer={
        some ? (
          <Button
            look="primary"
            busy={found.busy}
            disabled={found.ticked.size === 0}
            onClick={() => void found.run().then(finish)}
          >
            {t('importAction', { count: found.ticked.size })}
          </Button>
        ) : undefined
      }
    >
      <FoundServers found={found} />
      {refused.map(({ name, trouble }) => (
        <Trouble
          key={name}
          error={{
            message: `${t('refused', { name: visibleName(name) })}: ${words(trouble).message}`,
            hint: words(trouble).hint,
          }}
        />
      ))}
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
      {read === undefined ? null : <PastedServers text={text} offers={read.servers} picks={picks} onPick={setPicks} />}
      <Trouble error={found.error ?? look.error ?? paste.error} />
      <div>
        {read === undefined ? (
          <Button
            look={some ? 'plain' : 'primary'}
            busy={look.busy}
            disabled={text.trim() === ''}
            onClick={() => void look.run({ text }).then(show)}
          >
            {t('importLook')}
          </Button>
        ) : (
          <Button
            look="primary"
            busy={paste.busy}
            disabled={picked.length === 0 || !isComplete(read.servers, picks)}
            onClick={() => void paste.run({ text, picks: picked }).then(finish)}
          >
            {t('importText', { count: picked.length })}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

/** Selection and entered values by server id. */
interface Picks {
  readonly ticked: ReadonlySet<string>;
  readonly values: Readonly<Record<string, Values>>;
}

/** One server is picked as it is; of several, those that can be added, and each in one way. */
function firstPicks(offers: readonly OfferView[]): Picks {
  const names = new Set<string>();
  const ticked = offers.filter(({ name, present, refusal }) => {
    if (offers.length === 1) return true;
    if (present || refusal !== null || names.has(name)) return false;
    names.add(name);
    return true;
  });
  return { ticked: new Set(ticked.map(({ id }) => id)), values: {} };
}

const pickOf = ({ id, revision }: OfferView, { values }: Picks): OfferPick => ({ id, revision, values: values[id] ?? {} });

/** Whether every value that a ticked server needs is there. */
const isComplete = (offers: readonly OfferView[], { ticked, values }: Picks): boolean =>
  offers.every((offer) => !ticked.has(offer.id) || hasValues(offer, values[offer.id]));

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
