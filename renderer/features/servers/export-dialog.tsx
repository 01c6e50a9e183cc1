/** All servers as a block of settings, without secrets. */
import { useAnswer } from '../../api/use-answer.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { saveText } from '../../ui/save-text.ts';
import { t } from './servers-texts.ts';

const nothing = {};
const never = [] as const;

export function ExportDialog({ onClose }: { onClose: () => void }) {
  const block = useAnswer('upstreams.export', nothing, never);
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('exportTitle')}
      lead={t('exportLead')}
      wide
      footer={
        <Button
          look="primary"
          disabled={block.value === undefined}
          onClick={() => saveText('servers.json', 'application/json', block.value?.text ?? '')}
        >
          {t('saveFile')}
        </Button>
      }
    >
      <Loaded answer={block} lines={8}>
        {({ text }) => <CodeBlock text={text} name={t('exportTitle')} tall />}
      </Loaded>
    </Dialog>
  );
}
