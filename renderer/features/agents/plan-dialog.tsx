/** Shows what connecting would change in an agent's configuration. */
import type { AgentView } from '../../../shared/contract/agents.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { Button } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { t as ui } from '../../ui/ui-texts.ts';
import { t } from './agents-texts.ts';
import { PlanLines } from './plan-lines.tsx';

const never = [] as const;

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
