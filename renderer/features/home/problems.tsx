/** Lists problems with buttons that fix them. */
import { useLocation } from 'wouter';
import type { Problem, Remedy } from '../../../shared/contract/status.ts';
import { useCommand } from '../../api/use-command.ts';
import { words } from '../../i18n/words.ts';
import { Button } from '../../ui/button.tsx';
import { Callout, Trouble } from '../../ui/callout.tsx';
import { t } from './home-texts.ts';

/** Remedies that lead to a page, and which. */
const pages: Partial<Record<Remedy, string>> = {
  edit_upstream: '/servers',
  open_folders: '/folders',
  open_settings: '/settings',
};

export function Problems({ problems }: { problems: readonly Problem[] }) {
  if (problems.length === 0) return null;
  return (
    <section className="problems" aria-label={t('problems')}>
      {problems.map((problem) => (
        <OneProblem key={problem.id} problem={problem} />
      ))}
    </section>
  );
}

function OneProblem({ problem }: { problem: Problem }) {
  const [, go] = useLocation();
  const fix = useCommand('problems.fix');
  const { message: title, hint } = words(problem);
  return (
    <Callout
      kind="warning"
      title={title}
      actions={problem.remedies.map((remedy) => {
        const page = pages[remedy];
        return (
          <Button
            key={remedy}
            size="small"
            busy={fix.busy && page === undefined}
            onClick={() => (page === undefined ? void fix.run({ id: problem.id, remedy }) : go(page))}
          >
            {t(remedy)}
          </Button>
        );
      })}
    >
      {hint === null ? null : <p>{hint}</p>}
      <Trouble error={fix.error} />
    </Callout>
  );
}
