/** Servers of Filebridge that agents also start themselves: the notice, and the dialog that takes them out of the agents' settings. */
import './agents.css';
import { useEffect, useState } from 'react';
import type { DirectAgent } from '../../../shared/contract/agents.ts';
import { visibleName } from '../../../shared/lib/visible-text.ts';
import { type AppError, toAppError } from '../../../shared/model/errors.ts';
import { useAnswer, useClient } from '../../api/use-client.ts';
import { agentWords } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Callout, Loaded, Trouble } from '../../ui/feedback.tsx';
import { formatList } from '../../ui/format.ts';
import { useShortPath } from '../../ui/path-text.tsx';
import { t as ui } from '../../ui/ui-texts.ts';
import { t } from './agents-texts.ts';
import { ChangeOnDemand } from './plan-lines.tsx';

const nothing = {};
const events = ['agents.changed', 'upstreams.changed', 'settings.changed'] as const;
const agentEvents = ['agents.changed'] as const;

export const useDirectAgents = () => useAnswer('agents.direct', nothing, events);

/** Says which agents go around Filebridge: for one server, or for one agent with all of its own servers. */
export function DirectNotice({ agents, server }: { agents: readonly DirectAgent[]; server?: string }) {
  /** Stays while its agents leave the list one by one. */
  const [shown, setShown] = useState<readonly DirectAgent[]>();
  const around = agents.filter(({ servers }) => (server === undefined ? servers.length > 0 : servers.includes(server)));
  const someConnected = around.some(({ connected }) => connected);
  const names = formatList(around.map(({ name }) => name));
  const own = around.flatMap(({ servers }) => servers);
  return (
    <>
      {around.length === 0 ? null : (
        <Callout
          kind={someConnected ? 'warning' : 'info'}
          title={
            server === undefined
              ? t('directAgent', { names, list: visibleName(formatList(own)) })
              : t('direct', { count: around.length, names })
          }
          actions={
            <Button size="small" onClick={() => setShown(around)}>
              {t('takeOutLook')}
            </Button>
          }
        >
          <p>{someConnected ? `${t('directText')} ${t('directTwice')}` : t('directText')}</p>
        </Callout>
      )}
      {shown === undefined ? null : (
        <TakeOutDialog agents={shown} servers={server === undefined ? undefined : [server]} onClose={() => setShown(undefined)} />
      )}
    </>
  );
}

/** By an agent's id. */
type Each<T> = Readonly<Record<string, T>>;

/** `servers`: those that go, of each agent's own; absent: all. */
export function TakeOutDialog({
  agents,
  servers,
  onClose,
}: {
  agents: readonly DirectAgent[];
  servers?: readonly string[] | undefined;
  onClose: () => void;
}) {
  const client = useClient();
  /** The revision of the change that is shown. */
  const [revisions, setRevisions] = useState<Each<string | undefined>>({});
  /** What to do next in those that are done. */
  const [done, setDone] = useState<Each<string | null>>({});
  const [failed, setFailed] = useState<Each<AppError>>({});
  const [busy, setBusy] = useState(false);
  const ownOf = (agent: DirectAgent) => agent.servers.filter((server) => servers?.includes(server) ?? true);
  const left = agents.filter(({ id }) => !Object.hasOwn(done, id));
  const able = left.flatMap((agent) => {
    const revision = revisions[agent.id];
    return revision === undefined ? [] : [{ agent, revision }];
  });

  const takeOut = async () => {
    setBusy(true);
    setFailed({});
    // Each for itself: one that cannot be changed does not stop the others.
    for (const { agent, revision } of able) {
      const { id } = agent;
      try {
        const view = await client.call('agents.takeOut', { id, servers: ownOf(agent), revision });
        setDone((before) => ({ ...before, [id]: agentWords(view).note }));
      } catch (error) {
        setFailed((before) => ({ ...before, [id]: toAppError(error) }));
      }
    }
    setBusy(false);
  };
  const putBack = async (id: string) => {
    setFailed({});
    try {
      await client.call('agents.putBack', { id });
      setDone((before) => Object.fromEntries(Object.entries(before).filter(([other]) => other !== id)));
    } catch (error) {
      setFailed((before) => ({ ...before, [id]: toAppError(error) }));
    }
  };

  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t('takeOutTitle')}
      lead={t('takeOutLead')}
      footer={
        left.length === 0 ? (
          <Button look="primary" onClick={onClose}>
            {ui('close')}
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>{t('takeOutLater')}</Button>
            <Button look="primary" busy={busy} disabled={able.length === 0} onClick={() => void takeOut()}>
              {t('takeOut')}
            </Button>
          </>
        )
      }
    >
      {agents.map((agent) => (
        <section key={agent.id} className="take-out" aria-label={agent.name}>
          <h3>{agent.name}</h3>
          {Object.hasOwn(done, agent.id) ? (
            <Callout
              kind="info"
              title={t('takenOut', { name: agent.name, list: visibleName(formatList(ownOf(agent))) })}
              actions={
                <Button size="small" onClick={() => void putBack(agent.id)}>
                  {t('takeOutUndo')}
                </Button>
              }
            >
              {done[agent.id] === null ? null : <p>{done[agent.id]}</p>}
            </Callout>
          ) : (
            <TakeOutPlan
              agent={agent}
              servers={ownOf(agent)}
              failed={failed[agent.id]}
              onShown={(revision) => setRevisions((before) => ({ ...before, [agent.id]: revision }))}
            />
          )}
          <Trouble error={failed[agent.id]} />
        </section>
      ))}
    </Dialog>
  );
}

function TakeOutPlan({
  agent: { id, name },
  servers,
  failed,
  onShown,
}: {
  agent: DirectAgent;
  servers: string[];
  failed: AppError | undefined;
  /** The change that is shown; undefined where there is none. */
  onShown: (revision: string | undefined) => void;
}) {
  const plan = useAnswer('agents.planTakeOut', { id, servers }, agentEvents);
  const { refresh } = plan;
  const short = useShortPath();
  const shown = plan.value !== undefined && plan.value.entries.length > 0 ? plan.value.revision : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the callback is made anew with each rendering
  useEffect(() => onShown(shown), [shown]);
  // What is in the file now is shown beside the reason.
  useEffect(() => {
    if (failed !== undefined) void refresh();
  }, [failed, refresh]);
  return (
    <Loaded answer={plan} lines={2}>
      {({ file, entries, connects, lines }) => (
        <>
          <p>
            {entries.length === 0
              ? t('takeOutNothing', { name })
              : t(connects ? 'takeOutConnects' : 'takeOutEntries', {
                  count: entries.length,
                  name,
                  list: visibleName(formatList(entries)),
                  file: short(file),
                })}
          </p>
          {entries.length === 0 ? null : <ChangeOnDemand lines={lines} />}
        </>
      )}
    </Loaded>
  );
}
