/** Usual places that are not allowed yet, one click away. */
import { useAnswer } from '../../api/use-answer.ts';
import { Button } from '../../ui/button.tsx';
import { FolderPlus } from '../../ui/icons/icons.tsx';
import { Section } from '../../ui/page.tsx';
import { Row, Rows } from '../../ui/rows.tsx';
import { t } from './folders-texts.ts';

const nothing = {};
const events = ['status.changed'] as const;

export function Suggestions({ onAllow, busy }: { onAllow: (path: string) => Promise<void>; busy: boolean }) {
  const suggested = useAnswer('folders.suggest', nothing, events);
  if (!suggested.value || suggested.value.length === 0) return null;
  return (
    <Section title={t('suggested')} note={t('suggestedNote')}>
      <Rows label={t('suggested')}>
        {suggested.value.map(({ path, label }) => (
          <Row
            key={path}
            icon={<FolderPlus />}
            title={label}
            detail={<span className="path">{path}</span>}
            actions={
              <Button size="small" disabled={busy} onClick={() => void onAllow(path)} aria-label={`${t('allow')}: ${label}`}>
                {t('allow')}
              </Button>
            }
          />
        ))}
      </Rows>
    </Section>
  );
}
