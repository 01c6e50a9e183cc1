/** Servers of Filebridge that agents also start themselves: the notice, and the dialog that takes them out of the agents' settings. */
import './agents.css';
import { useEffect, useRef, useState } from 'react';
import type { DirectAgent } from '../../../shared/contract/agents.ts';
import type { OperationOutput } from '../../../shared/contract/contract.ts';
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
export function DirectNotice({
  agents,
  server,
  onTakeOut,
}: {
  agents: readonly DirectAgent[];
  server?: string;
  /** Where taking them out belongs to another dialog. */
  onTakeOut?: (() => void) | undefined;
}) {
  /** Stays while its agents leave the list one by one. */
  const [shown, setShown] = useState<readonly DirectAgent[]>();
  const around = agents.filter(({ servers }) => (server === undefined ? servers.length > 0 : servers.includes(server)));
  const someConnected = around.some(({ connected }) => connected);
  const also = around.every(({ connected }) => connected);
  const names = formatList(around.map(({ name }) => name));
  const own = [...new Set(around.flatMap(({ servers }) => servers))];
  return (
    <>
      {around.length === 0 ? null : (
        <Callout
          kind={someConnected ? 'warning' : 'info'}
          title={
            server === undefined
              ? t(also ? 'directAgent' : 'directAgentOnly', { count: around.length, names, list: visibleName(formatList(own)) })
              : t(also ? 'direct' : 'directOnly', { count: around.length, names })
          }
          actions={
            <Button size="small" onClick={onTakeOut ?? (() => setShown(around))}>
              {t('takeOutLook')}
            </Button>
          }
        >
          <p>{also ? `${t('directText')} ${t('directTwice')}` : t('directText')}</p>
        </Callout>
      )}
      {shown === undefined ? null : (
        <TakeOutDialog agents={shown} servers={server === undefined ? undefined : [server]} onClose={() => setShown(undefined)} />
      )}
    </>
  );
}

export type TakeOutChange = OperationOutput<'agents.planTakeOut'>;

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
  /** The changes that are shown. */
  const [plans, setPlans] = useState<Each<TakeOutChange | undefined>>({});
  /** What to do next in those that are done. */
  const [done, setDone] = useState<Each<string | null>>({});
  const [failed, setFailed] = useState<Each<AppError>>({});
  const [busy, setBusy] = useState(false);
  const foot = useRef<HTMLDivElement>(null);
  const ownOf = (agent: DirectAgent) => agent.servers.filter((server) => servers?.includes(server) ?? true);
  const left = agents.filter(({ id }) => !Object.hasOwn(done, id));
  const able = left.flatMap((agent) => {
    const plan = plans[agent.id];
    return plan === undefined ? [] : [{ agent, plan }];
  });
  // The button that was pressed is gone by then.
  const count = Object.keys(done).length;
  const before = useRef(count);
  useEffect(() => {
    if (before.current === count) return;
    before.current = count;
    // The dialog takes the focus first, as the button that had it is gone.
    const timer = setTimeout(() => foot.current?.querySelector<HTMLElement>('button:last-of-type')?.focus(), 50);
    return () => clearTimeout(timer);
  }, [count]);

  const takeOut = async () => {
    setBusy(true);
    setFailed({});
    // Each for itself: one that cannot be changed does not stop the others.
    for (const { agent, plan } of able) {
      const { id } = agent;
      try {
        const view = await client.call('agents.takeOut', { id, servers: ownOf(agent), revision: plan.revision });
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
        <div className="take-out-foot" ref={foot}>
          {left.length === 0 ? (
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
          )}
        </div>
      }
    >
      {agents.map((agent) => (
        <section key={agent.id} className="take-out" aria-label={agent.name}>
          <h3>{agent.name}</h3>
          <div role="status">
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
            ) : null}
          </div>
          {Object.hasOwn(done, agent.id) ? null : (
            <TakeOutPlan
              agent={agent}
              servers={ownOf(agent)}
              failed={failed[agent.id]}
              onShown={(plan) => setPlans((before) => ({ ...before, [agent.id]: plan }))}
            />
          )}
          <Trouble error={failed[agent.id]} />
        </section>
      ))}
      {able.length === 0 ? null : (
        <ChangeOnDemand changes={able.map(({ agent, plan }) => ({ name: agent.name, lines: plan.lines }))} />
      )}
    </Dialog>
  );
}

/** Says what taking servers out of an agent's settings changes. */
export function TakeOutPlan({
  agent: { id, name },
  servers,
  failed,
  onShown,
}: {
  agent: Pick<DirectAgent, 'id' | 'name'>;
  servers: string[];
  failed?: AppError | undefined;
  /** Hears the change that the sentence describes; undefined where there is nothing to take out. */
  onShown: (plan: TakeOutChange | undefined) => void;
}) {
  const plan = useAnswer('agents.planTakeOut', { id, servers }, agentEvents);
  const { refresh } = plan;
  const short = useShortPath();
  const shown = plan.value !== undefined && plan.value.entries.length > 0 ? plan.value : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the callback is made anew with each rendering
  useEffect(() => onShown(shown), [shown]);
  // What is in the file now is shown beside the reason.
  useEffect(() => {
    if (failed !== undefined) void refresh();
  }, [failed, refresh]);
  return (
    <Loaded answer={plan} lines={2}>
      {({ file, entries, connects }) => (
        <p>
          {entries.length === 0
            ? t('takeOutNothing', { name })
            : t(connects ? 'takeOutConnects' : 'takeOutEntries', {
                count: entries.length,
                name,
                list: formatList(entries.map((entry) => t('quoted', { name: visibleName(entry) }))),
                file: short(file),
              })}
        </p>
      )}
    </Loaded>
  );
}
