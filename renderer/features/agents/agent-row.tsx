/** One agent's app: its state, the way in or out, and what connecting would change in its configuration. */
import { useState } from 'react';
import type { AgentPlan, AgentView, DirectAgent } from '../../../shared/contract/agents.ts';
import { visibleName } from '../../../shared/lib/visible-text.ts';
import { useAnswer, useCommand } from '../../api/use-client.ts';
import { agentWords } from '../../i18n/texts.ts';
import { Button, Menu } from '../../ui/button.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { Callout, Loaded, StateDot, type Tone, Trouble, useToast } from '../../ui/feedback.tsx';
import { formatList } from '../../ui/format.ts';
import { Bot, Copy, ExternalLink, Undo2, Unplug } from '../../ui/icons/icons.tsx';
import { Row } from '../../ui/page.tsx';
import { PathText, useShortPath } from '../../ui/path-text.tsx';
import { t as ui } from '../../ui/ui-texts.ts';
import { t } from './agents-texts.ts';
import { DirectNotice } from './direct-servers.tsx';
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
  const undo = useCommand('agents.undo');
  const putBack = useCommand('agents.putBack');
  const openLink = useCommand('agents.openLink');
  const host = useAnswer('host.get', nothing, never).value?.kind;
  const short = useShortPath();
  const toast = useToast();
  const [asking, setAsking] = useState<'connect' | 'disconnect'>();
  const { id, name, state } = agent;
  const { note } = agentWords(agent);
  const isWaiting = state === 'connected' && awaited && !connected;

  const takeBack = async () => {
    if (await undo.run({ id })) toast(t('doneUndone', { name }));
  };
  const takenOut = direct?.takenOut ?? [];
  const putServersBack = async () => {
    if (await putBack.run({ id })) toast(t('donePutBack', { name }));
  };
  const putIn = async (replace: boolean) => {
    setAsking(undefined);
    const changed = await connect.run({ id, replace });
    if (!changed) return;
    toast(t('doneConnected', { name }), { label: t('undo'), run: () => void takeBack() });
  };
  const takeOut = async () => {
    setAsking(undefined);
    if (await disconnect.run({ id })) {
      toast(t('doneDisconnected', { name }), { label: t('undo'), run: () => void takeBack() });
    }
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
            danger: true,
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
            <Button size="small" busy={connect.busy} onClick={() => setAsking('connect')} aria-label={t('planTitle', { name })}>
              {t('connect')}
            </Button>
          ) : null}
          {actions.length === 0 ? null : <Menu label={t('more', { name })} actions={actions} />}
        </>
      }
      below={
        <>
          {agent.problem === null ? null : <Callout kind="warning" title={agentWords(agent).problem ?? ''} />}
          {direct === undefined ? null : <DirectNotice agents={[direct]} />}
          <Trouble error={connect.error ?? disconnect.error ?? undo.error ?? putBack.error ?? openLink.error ?? plan.error} />
          {asking === 'connect' ? (
            <PlanDialog agent={agent} onClose={() => setAsking(undefined)} onConnect={(replace) => void putIn(replace)} />
          ) : null}
          <Confirm
            open={asking === 'disconnect'}
            onClose={() => setAsking(undefined)}
            onConfirm={() => void takeOut()}
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

/** Says what connecting would change in an agent's configuration. */
export function PlanDialog({
  agent,
  onClose,
  onConnect,
}: {
  agent: AgentView;
  onClose: () => void;
  /** `replace`: the person was shown that another program's entry goes. */
  onConnect: (replace: boolean) => void;
}) {
  const plan = useAnswer('agents.plan', { id: agent.id }, never);
  const replaces = plan.value?.replaces ?? false;
  const short = useShortPath();
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('planTitle', { name: agent.name })}
      footer={
        <>
          <Button onClick={onClose}>{ui('cancel')}</Button>
          <Button look={replaces ? 'danger' : 'primary'} disabled={plan.value === undefined} onClick={() => onConnect(replaces)}>
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
            <p>
              {t(planSays(value), { file: short(value.file) })} {value.creates ? null : t('planKept')}
            </p>
            <ChangeOnDemand lines={value.lines} open={value.replaces} />
          </>
        )}
      </Loaded>
    </Dialog>
  );
}
