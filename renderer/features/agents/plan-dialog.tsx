/** Shows what connecting would change in an agent's configuration. */
import type { AgentPlan, AgentView } from '../../../shared/contract/agents.ts';
import { useAnswer } from '../../api/use-client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Callout, Loaded } from '../../ui/feedback.tsx';
import { t as ui } from '../../ui/ui-texts.ts';
import { t } from './agents-texts.ts';

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
