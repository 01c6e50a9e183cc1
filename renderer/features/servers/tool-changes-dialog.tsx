/** Shows how a server's tools changed since the person last accepted them. */
import type { ToolChangeView } from '../../../shared/contract/upstreams.ts';
import { visibleName, visibleText } from '../../../shared/lib/visible-text.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { useCommand } from '../../api/use-command.ts';
import { BeforeAfter } from '../../ui/before-after.tsx';
import { Button } from '../../ui/button.tsx';
import { Trouble } from '../../ui/callout.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Badge } from '../../ui/state-dot.tsx';
import { t } from './servers-texts.ts';

const events = ['upstreams.changed'] as const;
const badges = { added: 'changeAdded', removed: 'changeRemoved', changed: 'changeChanged' } as const;
export function ToolChangesDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const answer = useAnswer('upstreams.toolChanges', { name }, events);
  const accept = useCommand('upstreams.acceptTools');
  const { revision } = answer.value ?? {};
  const acknowledge = async () => {
    if (revision !== undefined && (await accept.run({ name, revision }))) onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      wide
      title={t('changesTitle', { name: visibleName(name) })}
      lead={t('changesLead')}
      footer={
        <Button look="primary" busy={accept.busy} disabled={revision === undefined} onClick={() => void acknowledge()}>
          {t('acceptChanges')}
        </Button>
      }
    >
      <Loaded answer={answer} lines={6}>
        {({ changes }) => changes.map((change) => <Change key={`${change.name} ${change.past}`} change={change} />)}
      </Loaded>
      <Trouble error={accept.error} />
    </Dialog>
  );
}

function Change({ change: { name, change, past, parts } }: { change: ToolChangeView }) {
  return (
    <section className="tool-change">
      <h3>
        <code>{visibleText(name)}</code>
        <Badge tone="wait">{t(badges[change])}</Badge>
        {past ? <Badge>{t('changePast')}</Badge> : null}
      </h3>
      <BeforeAfter of={visibleName(name)} parts={parts} heading="h4" />
    </section>
  );
}
