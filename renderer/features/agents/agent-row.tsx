/** One agent's app: its state, the way in or out, and what connecting would change in its configuration. */
import { useState } from 'react';
import type { AgentPlan, AgentView } from '../../../shared/contract/agents.ts';
import { useAnswer, useCommand } from '../../api/use-client.ts';
import { agentWords } from '../../i18n/texts.ts';
import { Button, Menu } from '../../ui/button.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { Callout, Loaded, StateDot, type Tone, Trouble, useToast } from '../../ui/feedback.tsx';
import { Bot, Copy, ExternalLink, Undo2, Unplug } from '../../ui/icons/icons.tsx';
import { Row } from '../../ui/page.tsx';
import { t as ui } from '../../ui/ui-texts.ts';
import { t } from './agents-texts.ts';

const never = [] as const;
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

/** Shows what connecting would change in an agent's configuration. */
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
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('planTitle', { name: agent.name })}
      lead={t('planLead')}
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
            <div>
              <h3>{t('planFile')}</h3>
              <p className="path">{value.file}</p>
            </div>
            <div>
              <h3>{t('planLines')}</h3>
              <PlanLines lines={value.lines} />
            </div>
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

const signs = { same: ' ', added: '+', removed: '−' } as const;

/** A change to a file, line by line, with long unchanged stretches left out. */
function PlanLines({ lines }: { lines: AgentPlan['lines'] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="plan-lines" aria-label={t('planLines')} tabIndex={0}>
      {withContext(lines, 3).map((line) =>
        line.kind === 'gap' ? (
          <div key={line.number} className="plan-gap" title={t('same')}>
            ⋯
          </div>
        ) : (
          <div key={line.number} className="plan-line" data-kind={line.kind}>
            <span aria-hidden="true">{signs[line.kind]}</span>
            <code>{line.text === '' ? ' ' : line.text}</code>
            {line.kind === 'same' ? null : <span className="visually-hidden"> ({t(line.kind)})</span>}
          </div>
        ),
      )}
    </section>
  );
}

type ShownLine = (AgentPlan['lines'][number] & { number: number }) | { kind: 'gap'; number: number };

/** `number` counts from 0 in the whole; a gap has that of its first line. */
export function withContext(lines: AgentPlan['lines'], around: number): ShownLine[] {
  const near = (index: number) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some((line) => line.kind !== 'same');
  const shown: ShownLine[] = [];
  lines.forEach((line, number) => {
    if (near(number)) shown.push({ ...line, number });
    else if (shown.at(-1)?.kind !== 'gap') shown.push({ kind: 'gap', number });
  });
  return shown;
}
