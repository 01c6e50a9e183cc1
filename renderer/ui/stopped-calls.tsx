/** Batched calls that ended before all was accepted, each with a way to send the rest. Nothing while there are none. */
import { Link } from 'wouter';
import { visibleName } from '../../shared/lib/visible-text.ts';
import type { StoppedCall } from '../../shared/model/call.ts';
import { useAnswer } from '../api/use-answer.ts';
import { useCommand } from '../api/use-command.ts';
import { Button, IconButton } from './button.tsx';
import { callPlace } from './call-table.tsx';
import { Trouble } from './callout.tsx';
import { RotateCw, X } from './icons/icons.tsx';
import { fileName, formatClock, formatCount } from './numbers.ts';
import { Section } from './page.tsx';
import { Row, Rows } from './rows.tsx';
import { t } from './ui-texts.ts';

const nothing = {};
const events = ['calls.changed'] as const;
/** Rows on a page that shows other things as well. */
const SHOWN = 3;

export function StoppedCalls() {
  const calls = useAnswer('calls.stopped', nothing, events).value ?? [];
  if (calls.length === 0) return null;
  return (
    <Section title={t('stoppedCalls')} note={t('stoppedNote')}>
      <Rows label={t('stoppedCalls')}>
        {calls.slice(0, SHOWN).map((call) => (
          <StoppedRow key={call.receipt} call={call} />
        ))}
      </Rows>
    </Section>
  );
}

function StoppedRow({ call }: { call: StoppedCall }) {
  const resume = useCommand('calls.resume');
  const dismiss = useCommand('calls.dismiss');
  const tool = visibleName(call.tool);
  const [first] = call.paths;
  const details = [callPlace(call), ...(first === undefined ? [] : [fileName(first)]), formatClock(call.endedAt, new Date())];
  return (
    <Row
      title={
        <Link href={`/activity/${encodeURIComponent(call.entry)}`} className="call-name">
          {tool}
        </Link>
      }
      detail={
        <>
          <span title={call.paths.join('\n')}>{details.filter((text) => text !== '').join(' · ')}</span>
          <br />
          {t('acceptedOf', { shown: formatCount(call.accepted), total: formatCount(call.total) })}
          {call.unknown === 0 ? '' : ` · ${t('unknownRecords', { count: call.unknown, shown: formatCount(call.unknown) })}`}
        </>
      }
      actions={
        <>
          <Button
            size="small"
            icon={<RotateCw aria-hidden="true" />}
            busy={resume.busy}
            aria-label={t('resumeCall', { tool, count: call.left, shown: formatCount(call.left) })}
            onClick={() => void resume.run({ id: call.receipt })}
          >
            {t('resumeRest', { count: call.left, shown: formatCount(call.left) })}
          </Button>
          <IconButton label={t('dismissCall', { tool })} onClick={() => void dismiss.run({ id: call.receipt })}>
            <X aria-hidden="true" />
          </IconButton>
        </>
      }
      below={resume.error ? <Trouble error={resume.error} /> : undefined}
    />
  );
}
