/** Something that needs attention, with the buttons that settle it. */
import { useLocation } from 'wouter';
import type { Problem, Remedy } from '../../shared/contract/status.ts';
import { useCommand } from '../api/use-client.ts';
import { words } from '../i18n/texts.ts';
import { Button } from './button.tsx';
import { Callout, Trouble, useToast } from './feedback.tsx';
import { t } from './ui-texts.ts';

/** Remedies that lead to a page, and which. */
const pages: Partial<Record<Remedy, string>> = {
  edit_upstream: '/servers',
  open_folders: '/folders',
  open_settings: '/settings/advanced',
};

/** `stays`: without the buttons that lead to another page. */
export function ProblemNotice({ problem, stays = false }: { problem: Problem; stays?: boolean }) {
  const [, go] = useLocation();
  const fix = useCommand('problems.fix');
  const toast = useToast();
  const { message: title, hint } = words(problem);
  const settle = async (remedy: Remedy) => {
    if (await fix.run({ id: problem.id, remedy })) toast(t('problemFixed', { remedy: t(remedy) }));
  };
  return (
    <Callout
      kind="warning"
      title={title}
      actions={problem.remedies
        .map((remedy) => ({ remedy, page: pages[remedy] }))
        .filter(({ page }) => page === undefined || !stays)
        .map(({ remedy, page }) => (
          <Button
            key={remedy}
            size="small"
            busy={fix.busy && page === undefined}
            onClick={() => (page === undefined ? void settle(remedy) : go(page))}
          >
            {t(remedy)}
          </Button>
        ))}
    >
      {hint === null ? null : <p>{hint}</p>}
      <Trouble error={fix.error} />
    </Callout>
  );
}
