/** Third step: agents on this computer, ticked, connected together, taken back one by one. */

import { useEffect, useState } from 'react';
import type { AgentView } from '../../../shared/contract/agents.ts';
import { type AppError, toAppError } from '../../../shared/model/errors.ts';
import { useAnswer, useClient } from '../../api/use-client.ts';
import { agentWords, words } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Callout, Loaded, StateDot, Trouble } from '../../ui/feedback.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { PlanDialog } from '../agents/plan-dialog.tsx';
import type { StepProps } from './step-props.ts';
import { t } from './welcome-texts.ts';

const nothing = {};
const events = ['agents.changed'] as const;

/** One with another program's entry under our name is connected by itself, once the person was shown that it goes. */
const isOpen = ({ state, taken }: AgentView): boolean => state === 'not_connected' && !taken;

export function AgentsStep({ onReady }: StepProps) {
  const client = useClient();
  const agents = useAnswer('agents.list', nothing, events);
  const [unticked, setUnticked] = useState<ReadonlySet<string>>(new Set());
  const [shown, setShown] = useState<AgentView>();
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<{ agent: AgentView; error: AppError }[]>([]);
  const list = (agents.value ?? []).filter((agent) => agent.state !== 'absent');
  const ready = list.some((agent) => agent.state === 'connected');
  useEffect(() => onReady(ready), [ready, onReady]);
  const ticked = list.filter((agent) => isOpen(agent) && !unticked.has(agent.id));

  /** Each for itself: one that cannot be changed does not stop the others. */
  const each = async (some: readonly AgentView[], operation: 'agents.connect' | 'agents.undo', replace = false) => {
    setBusy(true);
    const failures: typeof failed = [];
    for (const agent of some) {
      try {
        await (operation === 'agents.undo'
          ? client.call(operation, { id: agent.id })
          : client.call(operation, { id: agent.id, replace }));
      } catch (error) {
        failures.push({ agent, error: toAppError(error) });
      }
    }
    setFailed(failures);
    setBusy(false);
    await agents.refresh();
  };

  return (
    <section className="section welcome-agents" aria-label={t('agentsStep')}>
      <Loaded answer={agents} lines={4}>
        {() =>
          list.length === 0 ? (
            <p className="quiet">{t('agentsNone')}</p>
          ) : (
            <>
              <ul className="welcome-ticks">
                {list.map((agent) => (
                  <li key={agent.id}>
                    <Checkbox
                      label={<b>{agent.name}</b>}
                      hint={<span className="path">{agent.file}</span>}
                      checked={agent.state === 'connected' || (isOpen(agent) && !unticked.has(agent.id))}
                      disabled={!isOpen(agent)}
                      onCheck={(on) => {
                        const next = new Set(unticked);
                        if (on) next.delete(agent.id);
                        else next.add(agent.id);
                        setUnticked(next);
                      }}
                    />
                    <div className="row-actions">
                      {agent.state === 'connected' ? (
                        <>
                          <StateDot tone="good">{t('connected')}</StateDot>
                          {agent.backup === null ? null : (
                            <Button
                              size="small"
                              look="quiet"
                              disabled={busy}
                              onClick={() => void each([agent], 'agents.undo')}
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
                  </li>
                ))}
              </ul>
              {ticked.length === 0 ? null : (
                <Button look={ready ? 'plain' : 'primary'} busy={busy} onClick={() => void each(ticked, 'agents.connect')}>
                  {t('connectTicked', { count: ticked.length })}
                </Button>
              )}
            </>
          )
        }
      </Loaded>
      {failed.map(({ agent, error }) => (
        <Trouble key={agent.id} error={{ message: `${agent.name}: ${words(error).message}`, hint: words(error).hint }} />
      ))}
      {shown ? (
        <PlanDialog
          agent={shown}
          onClose={() => setShown(undefined)}
          onConnect={(replace) => {
            const agent = shown;
            setShown(undefined);
            void each([agent], 'agents.connect', replace);
          }}
        />
      ) : null}
    </section>
  );
}
