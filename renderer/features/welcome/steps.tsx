/** The first three steps of the first run: folders, servers, agents. */
import { useEffect, useRef, useState } from 'react';
import type { AgentView } from '../../../shared/contract/agents.ts';
import type { UpstreamView } from '../../../shared/contract/upstreams.ts';
import { visibleName } from '../../../shared/lib/visible-text.ts';
import { type AppError, toAppError } from '../../../shared/model/errors.ts';
import { useAnswer, useClient, useCommand } from '../../api/use-client.ts';
import { agentWords, words } from '../../i18n/texts.ts';
import { useAllowFolder } from '../../ui/allow-folder.tsx';
import { Button } from '../../ui/button.tsx';
import { Badge, Callout, Loaded, StateDot, Trouble } from '../../ui/feedback.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { fileName, formatList } from '../../ui/format.ts';
import { Folder, FolderPlus, Plus, RefreshCw, Server } from '../../ui/icons/icons.tsx';
import { Row, Rows, Section } from '../../ui/page.tsx';
import { PathText } from '../../ui/path-text.tsx';
import { usePlacePicker } from '../../ui/place-picker.tsx';
import { type Connecting, PlanDialog } from '../agents/agent-row.tsx';
import { t as agentTexts } from '../agents/agents-texts.ts';
import { DirectNotice, type TakeOutChange, TakeOutPlan, useDirectAgents } from '../agents/direct-servers.tsx';
import { AddServers } from '../servers/add-dialog.tsx';
import { FoundServers, useImport } from '../servers/found-servers.tsx';
import { serverTones } from '../servers/server-card.tsx';
import { t as servers } from '../servers/servers-texts.ts';
import { t } from './welcome-texts.ts';

const nothing = {};

/** What the page's next button says and does depends on it. */
export interface Stand {
  /** Whether the step has what it is for; going on without is fine, and said so. */
  ready: boolean;
  /** Adds what is ticked, and gives whether all of it was added; undefined while nothing is ticked. */
  add: (() => Promise<boolean>) | undefined;
}

export interface StepProps {
  onStand: (stand: Stand) => void;
}

/** Tells the page how a step stands. */
export function useStand(onStand: StepProps['onStand'], ready: boolean, add?: () => Promise<boolean>): void {
  const latest = useRef(add);
  latest.current = add;
  const ticked = add !== undefined;
  useEffect(
    () => onStand({ ready, add: ticked ? async () => (await latest.current?.()) ?? true : undefined }),
    [ready, ticked, onStand],
  );
}

const folderEvents = ['folders.changed'] as const;

/** First step: folders, suggested and chosen, for reading. */
export function FoldersStep({ onStand }: StepProps) {
  const folders = useAnswer('folders.list', nothing, folderEvents);
  const suggested = useAnswer('folders.suggest', nothing, folderEvents);
  const { allow, busy, error, question } = useAllowFolder();
  const remove = useCommand('folders.remove');
  const { pick, picker } = usePlacePicker('folder');
  const some = (folders.value?.length ?? 0) > 0;
  useStand(onStand, some);
  const choose = async () => {
    const path = await pick();
    if (path !== null) await allow(path);
  };
  return (
    <>
      <Trouble error={error ?? remove.error} />
      {some ? (
        <Section title={t('chosen')}>
          <Rows label={t('chosen')}>
            {folders.value?.map((folder) => (
              <Row
                key={folder.path}
                icon={<Folder />}
                title={fileName(folder.path)}
                detail={<PathText path={folder.path} />}
                actions={
                  <>
                    <Badge tone={folder.access === 'read' ? 'accent' : 'wait'}>
                      {t(folder.access === 'read' ? 'allowed' : 'allowedWriting')}
                    </Badge>
                    <Button
                      size="small"
                      look="quiet"
                      disabled={folder.fixed}
                      onClick={() => void remove.run({ path: folder.path })}
                      aria-label={t('drop', { name: fileName(folder.path) })}
                    >
                      {t('remove')}
                    </Button>
                  </>
                }
              />
            ))}
          </Rows>
        </Section>
      ) : null}
      <Section
        title={t('suggested')}
        actions={
          <Button icon={<FolderPlus aria-hidden="true" />} busy={busy} onClick={() => void choose()}>
            {t('chooseOther')}
          </Button>
        }
      >
        <Loaded answer={suggested} lines={3}>
          {(list) =>
            list.length === 0 ? (
              <p className="quiet">{t(some ? 'noMoreSuggestions' : 'noSuggestions')}</p>
            ) : (
              <Rows label={t('suggested')}>
                {list.map(({ path, label }) => (
                  <Row
                    key={path}
                    icon={<Folder />}
                    title={label}
                    detail={<PathText path={path} />}
                    actions={
                      <Button size="small" onClick={() => void allow(path)} aria-label={t('take', { name: label })}>
                        {t('allow')}
                      </Button>
                    }
                  />
                ))}
              </Rows>
            )
          }
        </Loaded>
      </Section>
      {picker}
      {question}
    </>
  );
}

const serverEvents = ['upstreams.changed', 'settings.changed'] as const;

/** Second step: servers, taken over from agents or added by hand, each tested on the spot. */
export function ServersStep({ onStand }: StepProps) {
  const list = useAnswer('upstreams.list', nothing, serverEvents);
  const found = useImport();
  const [adding, setAdding] = useState(false);
  const [refused, setRefused] = useState<readonly { name: string; trouble: { message: string; hint: string | null } }[]>([]);
  const some = (list.value?.length ?? 0) > 0;
  const open = found.answer.value?.filter((server) => server.twin === null) ?? [];

  const take = async () => {
    const answer = await found.run();
    // Servers that could not be added are named once and lose their tick, so that the next step is open; the person can tick them again.
    found.untick();
    setRefused(answer?.refused ?? []);
    await list.refresh();
    return answer?.refused.length === 0;
  };
  useStand(onStand, some, found.ticked.size === 0 ? undefined : take);

  const here = () => {
    setAdding(false);
    void list.refresh();
  };

  return (
    <>
      {some ? (
        <Section title={t('serversHere')}>
          <Rows label={t('serversHere')}>
            {list.value?.map((server) => (
              <TestedServer key={server.name} server={server} />
            ))}
          </Rows>
        </Section>
      ) : null}
      {refused.map(({ name, trouble }) => (
        <Trouble
          key={name}
          error={{ message: `${servers('refused', { name })}: ${words(trouble).message}`, hint: words(trouble).hint }}
        />
      ))}
      <Trouble error={found.error} />
      <Section
        title={t('serversFound')}
        actions={
          <Button
            look={some || open.length > 0 ? 'plain' : 'primary'}
            icon={<Plus aria-hidden="true" />}
            onClick={() => setAdding(true)}
          >
            {t('addServer')}
          </Button>
        }
      >
        {open.length === 0 && found.answer.value !== undefined ? (
          <p className="quiet">{t(some ? 'noMoreServers' : 'noServers')}</p>
        ) : (
          <div className="welcome-found">
            <FoundServers found={found} />
            <Button
              busy={found.busy}
              why={found.ticked.size === 0 ? servers('whyNoneTicked') : undefined}
              onClick={() => void take()}
            >
              {found.ticked.size === 0 ? servers('importChoose') : servers('importAction', { count: found.ticked.size })}
            </Button>
          </div>
        )}
      </Section>
      {adding ? <AddServers onClose={here} /> : null}
    </>
  );
}

/** A server that is tried as soon as it is here, and says what came of it. */
function TestedServer({ server }: { server: UpstreamView }) {
  const check = useCommand('upstreams.check');
  const { name, state, enabled } = server;
  const { run } = check;
  // biome-ignore lint/correctness/useExhaustiveDependencies: tried once, when it appears
  useEffect(() => {
    if (enabled && state === 'idle') void run({ name });
  }, [name]);
  return (
    <Row
      icon={<Server />}
      title={name}
      detail={<span className="path">{server.target}</span>}
      actions={
        <>
          {server.toolCount === null ? null : <Badge>{servers('tools', { count: server.toolCount })}</Badge>}
          <StateDot tone={check.busy ? 'wait' : serverTones[state]}>{servers(check.busy ? 'connecting' : state)}</StateDot>
          <Button
            size="small"
            busy={check.busy}
            disabled={!enabled}
            onClick={() => void run({ name })}
            aria-label={`${t('testAll')}: ${name}`}
          >
            {t('testAll')}
          </Button>
        </>
      }
      below={<Trouble error={check.error ?? server.lastFailure} />}
    />
  );
}

const agentEvents = ['agents.changed'] as const;

/** One with another program's entry under our name is connected by itself, once the person was shown that it goes. */
const isOpen = ({ state, taken }: AgentView): boolean => state === 'not_connected' && !taken;

/** The set with one more, or one less. */
function withOrWithout(before: ReadonlySet<string>, id: string, on: boolean): ReadonlySet<string> {
  const next = new Set(before);
  if (on) next.add(id);
  else next.delete(id);
  return next;
}

/** Third step: agents on this computer, ticked, connected together, taken back one by one. */
export function AgentsStep({ onStand }: StepProps) {
  const client = useClient();
  const agents = useAnswer('agents.list', nothing, agentEvents);
  const direct = useDirectAgents();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  /** Those that are to use the servers of Filebridge through it only. */
  const [onlyThrough, setOnlyThrough] = useState<ReadonlySet<string>>(new Set());
  /** What that changes, as it is shown. */
  const [plans, setPlans] = useState<Readonly<Record<string, TakeOutChange | undefined>>>({});
  const ownOf = (id: string) => direct.value?.find((agent) => agent.id === id)?.servers ?? [];
  const [shown, setShown] = useState<AgentView>();
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<{ agent: AgentView; error: AppError }[]>([]);
  const list = (agents.value ?? []).filter((agent) => agent.state !== 'absent');
  const ready = list.some((agent) => agent.state === 'connected');
  const ticked = list.filter((agent) => isOpen(agent) && chosen.has(agent.id));

  /** Each for itself: one that cannot be changed does not stop the others. */
  const each = async (some: readonly AgentView[], change: (id: string) => Promise<unknown>) => {
    setBusy(true);
    const failures: typeof failed = [];
    for (const agent of some) {
      try {
        await change(agent.id);
      } catch (error) {
        failures.push({ agent, error: toAppError(error) });
      }
    }
    setFailed(failures);
    // What failed is said once, and is in nobody's way.
    setChosen((before) => new Set([...before].filter((id) => failures.every(({ agent }) => agent.id !== id))));
    setBusy(false);
    await agents.refresh();
    return failures.length === 0;
  };
  const connect = (id: string, how: Connecting = { replace: false }) =>
    'servers' in how ? client.call('agents.takeOut', { id, ...how }) : client.call('agents.connect', { id, ...how });
  const connectTicked = () =>
    each(ticked, async (id) => {
      const own = ownOf(id);
      if (!onlyThrough.has(id) || own.length === 0) return connect(id);
      const plan = plans[id] ?? (await client.call('agents.planTakeOut', { id, servers: own }));
      return connect(id, { servers: own, revision: plan.revision });
    });
  useStand(onStand, ready, ticked.length === 0 ? undefined : connectTicked);

  return (
    <section className="section welcome-agents" aria-label={t('agentsStep')}>
      <Loaded answer={agents} lines={4}>
        {() =>
          list.length === 0 ? (
            <>
              <p className="quiet">{t('agentsNone')}</p>
              <p className="quiet small">{t('agentsKnown', { list: (agents.value ?? []).map(({ name }) => name).join(', ') })}</p>
              <div>
                <Button icon={<RefreshCw aria-hidden="true" />} onClick={() => void agents.refresh()}>
                  {t('lookAgain')}
                </Button>
              </div>
            </>
          ) : (
            <>
              <ul className="welcome-ticks">
                {list.map((agent) => (
                  <li key={agent.id}>
                    <Checkbox
                      label={<b>{agent.name}</b>}
                      hint={<PathText path={agent.file} />}
                      checked={agent.state === 'connected' || (isOpen(agent) && chosen.has(agent.id))}
                      disabled={!isOpen(agent)}
                      onCheck={(on) => setChosen(withOrWithout(chosen, agent.id, on))}
                    />
                    {isOpen(agent) && chosen.has(agent.id) && ownOf(agent.id).length > 0 ? (
                      <Checkbox
                        label={agentTexts('takeOutToo', { list: formatList(ownOf(agent.id).map(visibleName)) })}
                        hint={agentTexts('takeOutLead')}
                        checked={onlyThrough.has(agent.id)}
                        onCheck={(on) => setOnlyThrough((before) => withOrWithout(before, agent.id, on))}
                      />
                    ) : null}
                    {isOpen(agent) && chosen.has(agent.id) && onlyThrough.has(agent.id) ? (
                      <div className="welcome-plan quiet small">
                        <TakeOutPlan
                          agent={agent}
                          servers={ownOf(agent.id)}
                          onShown={(plan) => setPlans((before) => ({ ...before, [agent.id]: plan }))}
                        />
                      </div>
                    ) : null}
                    <div className="row-actions">
                      {agent.state === 'connected' ? (
                        <>
                          <StateDot tone="good">{t('connected')}</StateDot>
                          {agent.backup === null ? null : (
                            <Button
                              size="small"
                              look="quiet"
                              disabled={busy}
                              onClick={() => void each([agent], (id) => client.call('agents.undo', { id }))}
                              aria-label={`${t('undo')}: ${agent.name}`}
                            >
                              {t('undo')}
                            </Button>
                          )}
                        </>
                      ) : agent.state === 'not_connected' ? (
                        <Button
                          size="small"
                          look="quiet"
                          onClick={() => setShown(agent)}
                          aria-label={`${t('showChange')}: ${agent.name}`}
                        >
                          {t('showChange')}
                        </Button>
                      ) : null}
                    </div>
                    {agent.problem === null ? null : <Callout kind="warning" title={agentWords(agent).problem ?? ''} />}
                    {agent.state === 'connected' && agent.note !== null ? (
                      <Callout kind="info" title={agentWords(agent).note ?? ''} />
                    ) : null}
                    {agent.state === 'connected' ? (
                      <DirectNotice agents={(direct.value ?? []).filter(({ id }) => id === agent.id)} />
                    ) : null}
                  </li>
                ))}
              </ul>
              {ticked.length === 0 ? null : (
                <Button busy={busy} onClick={() => void connectTicked()}>
                  {t('connectTicked', { count: ticked.length })}
                </Button>
              )}
            </>
          )
        }
      </Loaded>
      <Trouble error={direct.error} />
      {failed.map(({ agent, error }) => (
        <Trouble key={agent.id} error={{ message: `${agent.name}: ${words(error).message}`, hint: words(error).hint }} />
      ))}
      {shown ? (
        <PlanDialog
          agent={shown}
          open
          own={direct.value?.find(({ id }) => id === shown.id)?.servers}
          onClose={() => setShown(undefined)}
          onConnect={(how) => {
            setShown(undefined);
            void each([shown], (id) => connect(id, how));
          }}
        />
      ) : null}
    </section>
  );
}
