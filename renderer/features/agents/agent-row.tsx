/** One agent's app: its state, and the way in or out. */
import { useState } from 'react';
import type { AgentView } from '../../../shared/contract/agents.ts';
import { useCommand } from '../../api/use-client.ts';
import { agentWords } from '../../i18n/texts.ts';
import { Button, Menu } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Callout, StateDot, type Tone, Trouble, useToast } from '../../ui/feedback.tsx';
import { Bot, Copy, ExternalLink, Undo2, Unplug } from '../../ui/icons/icons.tsx';
import { Row } from '../../ui/page.tsx';
import { t } from './agents-texts.ts';
import { PlanDialog } from './plan-dialog.tsx';

const tones: Record<AgentView['state'], Tone> = { connected: 'off', not_connected: 'off', absent: 'off', broken: 'bad' };

/** `connected`: it is here now; `awaited`: it was set up and has not been here since. */
export function AgentRow({ agent, connected, awaited }: { agent: AgentView; connected: boolean; awaited: boolean }) {
  const plan = useCommand('agents.plan');
  const connect = useCommand('agents.connect');
  const disconnect = useCommand('agents.disconnect');
  const undo = useCommand('agents.undo');
  const openLink = useCommand('agents.openLink');
  const toast = useToast();
  const [asking, setAsking] = useState<'connect' | 'disconnect'>();
  const { id, name, state } = agent;
  const { note } = agentWords(agent);

  const takeBack = async () => {
    if (await undo.run({ id })) toast(t('doneUndone', { name }));
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

  return (
    <Row
      icon={<Bot />}
      title={name}
      detail={<span className="path">{agent.file}</span>}
      actions={
        <>
          {connected ? (
            <StateDot tone="good">{t('connectedNow')}</StateDot>
          ) : (
            <StateDot tone={awaited ? 'wait' : tones[state]}>{t(state)}</StateDot>
          )}
          {state === 'not_connected' ? (
            <Button size="small" busy={connect.busy} onClick={() => setAsking('connect')} aria-label={t('planTitle', { name })}>
              {t('connect')}
            </Button>
          ) : null}
          <Menu
            label={t('more', { name })}
            actions={[
              ...(agent.deepLink === null
                ? []
                : [
                    {
                      label: t('openLink'),
                      icon: <ExternalLink aria-hidden="true" />,
                      run: () => void openLink.run({ id }),
                    },
                  ]),
              { label: t('copySnippet'), icon: <Copy aria-hidden="true" />, run: () => void copy() },
              {
                label: t('undo'),
                icon: <Undo2 aria-hidden="true" />,
                disabled: agent.backup === null,
                run: () => void takeBack(),
              },
              {
                label: t('disconnect'),
                icon: <Unplug aria-hidden="true" />,
                danger: true,
                disabled: state !== 'connected',
                run: () => setAsking('disconnect'),
              },
            ]}
          />
        </>
      }
      below={
        <>
          {agent.problem === null ? null : <Callout kind="warning" title={agentWords(agent).problem ?? ''} />}
          {awaited && note !== null ? <Callout kind="info" title={t('awaited', { name, note })} /> : null}
          <Trouble error={connect.error ?? disconnect.error ?? undo.error ?? openLink.error ?? plan.error} />
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
            {t('disconnectText')}
          </Confirm>
        </>
      }
    />
  );
}
