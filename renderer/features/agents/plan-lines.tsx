/** A change to a file, line by line, with long unchanged stretches left out. */
import type { AgentPlan } from '../../../shared/contract/agents.ts';
import { t } from './agents-texts.ts';
import { withContext } from './with-context.ts';

const signs = { same: ' ', added: '+', removed: '−' } as const;

export function PlanLines({ lines }: { lines: AgentPlan['lines'] }) {
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
