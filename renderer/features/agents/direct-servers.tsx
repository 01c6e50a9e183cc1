/** Servers of Filebridge that agents also start themselves: the notice, and the dialog that takes them out of the agents' settings. */
import './agents.css';
import { useState } from 'react';
import type { DirectAgent } from '../../../shared/contract/agents.ts';
import { visibleName } from '../../../shared/lib/visible-text.ts';
import { useAnswer, useCommand } from '../../api/use-client.ts';
import { agentWords } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Callout, Loaded, Trouble } from '../../ui/feedback.tsx';
import { t as ui } from '../../ui/ui-texts.ts';
import { t } from './agents-texts.ts';
import { PlanLines } from './plan-lines.tsx';

/** What a button of the dialog opened may be below what is seen. */
const intoView = (shown: HTMLElement | null) => shown?.scrollIntoView({ block: 'start' });

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
  const names = around.map(({ name }) => name).join(', ');
  const own = around.flatMap(({ servers }) => servers);
  return (
    <>
      {around.length === 0 ? null : (
        <Callout
          kind={someConnected ? 'warning' : 'info'}
          title={
            server === undefined
              ? t('directAgent', { count: own.length, name: names, list: visibleName(own.join(', ')) })
              : t('direct', { count: around.length, names })
          }
          actions={
            someConnected ? (
              <Button size="small" onClick={() => setShown(around)}>
                {t('takeOutLook')}
              </Button>
            ) : undefined
          }
        >
          <p>{t('directText')}</p>
          {someConnected ? null : <p>{t('directConnect', { count: around.length, names })}</p>}
        </Callout>
      )}
      {shown === undefined ? null : (
        <TakeOutDialog agents={shown} servers={server === undefined ? undefined : [server]} onClose={() => setShown(undefined)} />
      )}
    </>
  );
}

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
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t('takeOutTitle')}
      lead={t('takeOutLead')}
      footer={<Button onClick={onClose}>{ui('close')}</Button>}
    >
      {agents.map((agent) => (
        <TakeOutOf key={agent.id} agent={agent} servers={agent.servers.filter((server) => servers?.includes(server) ?? true)} />
      ))}
    </Dialog>
  );
}

function TakeOutOf({ agent: { id, name, connected }, servers }: { agent: DirectAgent; servers: string[] }) {
  const takeOut = useCommand('agents.takeOut');
  const putBack = useCommand('agents.putBack');
  const [next, setNext] = useState<string | null>();
  const isDone = next !== undefined;
  const list = visibleName(servers.join(', '));
  const undo = async () => {
    if (await putBack.run({ id })) setNext(undefined);
  };
  return (
    <section className="take-out" aria-label={name}>
      <h3>{t('takeOutOf', { name, list })}</h3>
      {!connected ? (
        <Callout kind="info" title={t('directConnect', { count: 1, names: name })} />
      ) : isDone ? (
        <Callout
          kind="info"
          title={t('takenOut', { name })}
          actions={
            <Button size="small" busy={putBack.busy} onClick={() => void undo()}>
              {t('takeOutUndo')}
            </Button>
          }
        >
          {next === null ? null : <p>{next}</p>}
        </Callout>
      ) : (
        <TakeOutPlan
          id={id}
          name={name}
          servers={servers}
          busy={takeOut.busy}
          onTakeOut={async (revision) => {
            const view = await takeOut.run({ id, servers, revision });
            if (view) setNext(agentWords(view).note);
            return view !== undefined;
          }}
        />
      )}
      <Trouble error={takeOut.error ?? putBack.error} />
    </section>
  );
}

function TakeOutPlan({
  id,
  name,
  servers,
  busy,
  onTakeOut,
}: {
  id: string;
  name: string;
  servers: string[];
  busy: boolean;
  /** Whether it was done. */
  onTakeOut: (revision: string) => Promise<boolean>;
}) {
  const plan = useAnswer('agents.planTakeOut', { id, servers }, agentEvents);
  const run = async (revision: string) => {
    // What is in the file now is shown beside the reason.
    if (!(await onTakeOut(revision))) await plan.refresh();
  };
  return (
    <Loaded answer={plan} lines={6}>
      {({ file, lines, revision }) => (
        <>
          <p className="path" ref={intoView}>
            {file}
          </p>
          <PlanLines lines={lines} />
          <Button look="primary" size="small" busy={busy} disabled={lines.length === 0} onClick={() => void run(revision)}>
            {t('takeOut', { name })}
          </Button>
        </>
      )}
    </Loaded>
  );
}
