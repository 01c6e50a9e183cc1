/** One agent's app: its state, the way in or out, and what connecting would change in its configuration. */
import { useState } from 'react';
import type { AgentPlan, AgentView, DirectAgent } from '../../../shared/contract/agents.ts';
import { visibleName } from '../../../shared/lib/visible-text.ts';
import { useAnswer, useClient, useCommand } from '../../api/use-client.ts';
import { agentWords } from '../../i18n/texts.ts';
import { Button, Menu } from '../../ui/button.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { Callout, Loaded, StateDot, type Tone, Trouble, useToast } from '../../ui/feedback.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { formatList } from '../../ui/format.ts';
import { Bot, Copy, ExternalLink, Undo2, Unplug } from '../../ui/icons/icons.tsx';
import { Row } from '../../ui/page.tsx';
import { PathText, useShortPath } from '../../ui/path-text.tsx';
import { t as ui } from '../../ui/ui-texts.ts';
import { t } from './agents-texts.ts';
import { DirectNotice, type TakeOutChange, TakeOutPlan } from './direct-servers.tsx';
import { ChangeOnDemand } from './plan-lines.tsx';

const nothing = {};
const never = [] as const;
const tones: Record<AgentView['state'], Tone> = { connected: 'off', not_connected: 'off', absent: 'off', broken: 'bad' };

/** `connected`: it is here now; `awaited`: its settings have Filebridge, and it has not been here since. */
export function AgentRow({
  agent,
  connected,
  awaited,
  direct,
}: {
  agent: AgentView;
  connected: boolean;
  awaited: boolean;
  /** Servers of Filebridge that it also starts itself, or did. */
  direct: DirectAgent | undefined;
}) {
  const plan = useCommand('agents.plan');
  const connect = useCommand('agents.connect');
  const disconnect = useCommand('agents.disconnect');
  const takeOut = useCommand('agents.takeOut');
  const undo = useCommand('agents.undo');
  const client = useClient();
  const putBack = useCommand('agents.putBack');
  const openLink = useCommand('agents.openLink');
  const host = useAnswer('host.get', nothing, never).value?.kind;
  const short = useShortPath();
  const toast = useToast();
  const [asking, setAsking] = useState<'connect' | 'only' | 'disconnect'>();
  const { id, name, state } = agent;
  const { note } = agentWords(agent);
  const isWaiting = state === 'connected' && awaited && !connected;

  const takeBack = async () => {
    if (await undo.run({ id })) toast(t('doneUndone', { name }));
  };
  const takenOut = direct?.takenOut ?? [];
  const putServersBack = async () => {
    if (await putBack.run({ id, stays: true })) toast(t('donePutBack', { name }));
  };
  /** The toast with its undo may outlive this row. */
  const said = (message: string, operation: 'agents.undo' | 'agents.putBack') => {
    const run = async () => {
      await client.call(operation, { id });
      toast(t('doneUndone', { name }));
    };
    toast(message, { label: t('undo'), run });
  };
  const putIn = async (how: Connecting) => {
    setAsking(undefined);
    if (!('servers' in how)) {
      if (await connect.run({ id, ...how })) said(t('doneConnected', { name }), 'agents.undo');
    } else if (await takeOut.run({ id, ...how })) {
      said(t('doneOnly', { name, list: visibleName(formatList(how.servers)) }), 'agents.putBack');
    }
  };
  const leave = async () => {
    setAsking(undefined);
    if (await disconnect.run({ id })) said(t('doneDisconnected', { name }), 'agents.undo');
  };
  const copy = async () => {
    const planned = await plan.run({ id });
    if (!planned) return;
    try {
      await navigator.clipboard.writeText(planned.snippet);
      toast(t('copied'));
    } catch {
      toast(t('notCopied'));
    }
  };

  // What applies now.
  const actions = [
    ...(state === 'not_connected' && agent.deepLink !== null && host === 'desktop'
      ? [
          {
            label: t('openLink', { name }),
            detail: t('openLinkText', { name }),
            icon: <ExternalLink aria-hidden="true" />,
            run: () => void openLink.run({ id }),
          },
        ]
      : []),
    ...(state === 'connected'
      ? []
      : [
          {
            label: t('copySnippet'),
            detail: t('copySnippetText', { file: short(agent.file) }),
            icon: <Copy aria-hidden="true" />,
            run: () => void copy(),
          },
        ]),
    ...(takenOut.length === 0
      ? []
      : [
          {
            label: t('putBack'),
            detail: t('putBackText', { list: visibleName(formatList(takenOut)) }),
            icon: <Undo2 aria-hidden="true" />,
            run: () => void putServersBack(),
          },
        ]),
    ...(agent.backup === null
      ? []
      : [
          {
            label: t('takeBack'),
            detail: t('takeBackText', { file: short(agent.file) }),
            icon: <Undo2 aria-hidden="true" />,
            run: () => void takeBack(),
          },
        ]),
    ...(state === 'connected'
      ? [
          {
            label: t('disconnectFrom'),
            detail: t('disconnectFromText', { file: short(agent.file) }),
            icon: <Unplug aria-hidden="true" />,
            run: () => setAsking('disconnect'),
          },
        ]
      : []),
  ];

  return (
    <Row
      icon={<Bot />}
      title={name}
      detail={
        <>
          {isWaiting && note !== null ? <div className="agent-next">{t('awaited', { note })}</div> : null}
          <PathText path={agent.file} />
        </>
      }
      actions={
        <>
          {connected ? (
            <StateDot tone="good">{t('connectedNow')}</StateDot>
          ) : (
            <StateDot tone={isWaiting ? 'wait' : tones[state]}>{t(isWaiting ? 'ready' : state)}</StateDot>
          )}
          {state === 'not_connected' ? (
            <Button
              size="small"
              busy={connect.busy || takeOut.busy}
              onClick={() => setAsking('connect')}
              aria-label={t('planTitle', { name })}
            >
              {t('connect')}
            </Button>
          ) : null}
          {actions.length === 0 ? null : <Menu label={t('more', { name })} actions={actions} />}
        </>
      }
      below={
        <>
          {agent.problem === null ? null : <Callout kind="warning" title={agentWords(agent).problem ?? ''} />}
          {direct === undefined ? null : (
            <DirectNotice agents={[direct]} onTakeOut={state === 'not_connected' ? () => setAsking('only') : undefined} />
          )}
          <Trouble
            error={
              connect.error ?? takeOut.error ?? disconnect.error ?? undo.error ?? putBack.error ?? openLink.error ?? plan.error
            }
          />
          {asking === 'connect' || asking === 'only' ? (
            <PlanDialog
              agent={agent}
              own={direct?.servers}
              only={asking === 'only'}
              onClose={() => setAsking(undefined)}
              onConnect={(how) => void putIn(how)}
            />
          ) : null}
          <Confirm
            open={asking === 'disconnect'}
            onClose={() => setAsking(undefined)}
            onConfirm={() => void leave()}
            title={t('disconnectTitle', { name })}
            action={t('disconnect')}
          >
            <p>{t('disconnectText')}</p>
            {takenOut.length === 0 ? null : <p>{t('disconnectTaken', { list: visibleName(formatList(takenOut)) })}</p>}
          </Confirm>
        </>
      }
    />
  );
}

const planSays = ({ creates, replaces, updates }: AgentPlan) =>
  creates ? 'planCreates' : replaces ? 'planReplaces' : updates ? 'planUpdates' : 'planAdds';

/** `replace`: the person was shown that another program's entry goes; `servers`: the same change takes these out of its settings. */
export type Connecting = { replace: boolean } | { servers: string[]; revision: string };

/** Says what connecting would change in an agent's configuration. */
export function PlanDialog({
  agent,
  own = [],
  only = false,
  open = false,
  onClose,
  onConnect,
}: {
  agent: AgentView;
  /** Servers of Filebridge that it starts itself: the same change can take them out. */
  own?: string[] | undefined;
  /** Starts with these taken out. */
  only?: boolean;
  /** Whether the change is unfolded at first. */
  open?: boolean;
  onClose: () => void;
  onConnect: (how: Connecting) => void;
}) {
  const plan = useAnswer('agents.plan', { id: agent.id }, never);
  const [wantsOut, setWantsOut] = useState(only);
  const [takeOut, setTakeOut] = useState<TakeOutChange>();
  const replaces = plan.value?.replaces ?? false;
  // Where another program holds our name, that is settled first.
  const takesOut = wantsOut && !replaces;
  const change = takesOut ? takeOut : plan.value;
  const short = useShortPath();
  const connect = () =>
    onConnect(takesOut && takeOut !== undefined ? { servers: own, revision: takeOut.revision } : { replace: replaces });
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('planTitle', { name: agent.name })}
      footer={
        <>
          <Button onClick={onClose}>{ui('cancel')}</Button>
          <Button look={replaces ? 'danger' : 'primary'} disabled={change === undefined} onClick={connect}>
            {t(replaces ? 'replace' : 'connect')}
          </Button>
        </>
      }
    >
      <Loaded answer={plan} lines={6}>
        {(value) => (
          <>
            {value.replaces ? (
              <Callout kind="warning" title={t('replaceTitle')}>
                <p>{t('replaceText')}</p>
              </Callout>
            ) : null}
            {own.length === 0 || value.replaces ? null : (
              <Checkbox
                label={t('takeOutToo', { list: formatList(own.map(visibleName)) })}
                hint={t('takeOutLead')}
                checked={takesOut}
                onCheck={setWantsOut}
              />
            )}
            {takesOut ? (
              <TakeOutPlan agent={agent} servers={own} onShown={setTakeOut} />
            ) : (
              <p>
                {t(planSays(value), { file: short(value.file) })} {value.creates ? null : t('planKept')}
              </p>
            )}
            {change === undefined ? null : (
              <ChangeOnDemand changes={[{ name: agent.name, lines: change.lines }]} open={open || value.replaces} />
            )}
          </>
        )}
      </Loaded>
    </Dialog>
  );
}
