/** A change to a file, line by line. */
import './agents.css';
import type { AgentPlan } from '../../../shared/contract/agents.ts';
import { t } from './agents-texts.ts';

const signs = { same: ' ', added: '+', removed: '−' } as const;

/** The change behind a sentence that says what it does. `open`: where something is lost. */
export function ChangeOnDemand({ lines, open = false }: { lines: AgentPlan['lines']; open?: boolean }) {
  const signed = lines.some(({ kind }) => kind === 'removed') && lines.some(({ kind }) => kind === 'added');
  return (
    <details open={open}>
      <summary>{t('showChange')}</summary>
      <PlanLines lines={lines} />
      {signed ? <p className="quiet small">{t('planSigns')}</p> : null}
    </details>
  );
}

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
