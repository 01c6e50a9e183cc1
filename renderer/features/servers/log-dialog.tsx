/** Shows a server's output and the events of its connection. */
import { useAnswer } from '../../api/use-answer.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { formatTime } from '../../ui/numbers.ts';
import { t } from './servers-texts.ts';

const events = ['upstreams.changed'] as const;

export function LogDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const log = useAnswer('upstreams.log', { name }, events);
  const title = t('logTitle', { name });
  const now = new Date();
  return (
    <Dialog open onClose={onClose} title={title} wide>
      <Loaded answer={log} lines={8}>
        {(lines) =>
          lines.length === 0 ? (
            <p className="quiet">{t('logEmpty')}</p>
          ) : (
            <CodeBlock name={title} tall text={lines.map(({ time, text }) => `${formatTime(time, now)}  ${text}`).join('\n')} />
          )
        }
      </Loaded>
    </Dialog>
  );
}
