/** The calls that are running now, how long and how far, each with a way to cancel it. Nothing while there are none. */
import './running-calls.css';
import { useEffect, useState } from 'react';
import { visibleName } from '../../shared/lib/visible-text.ts';
import type { RunningCall } from '../../shared/model/call.ts';
import { useAnswer } from '../api/use-answer.ts';
import { useCommand } from '../api/use-command.ts';
import { Button } from './button.tsx';
import { callPlace } from './call-table.tsx';
import { Trouble } from './callout.tsx';
import { fileName, formatCount, formatDuration } from './numbers.ts';
import { Section } from './page.tsx';
import { Row, Rows } from './rows.tsx';
import { StateDot } from './state-dot.tsx';
import { t } from './ui-texts.ts';

const nothing = {};
const events = ['calls.changed'] as const;
const TICK_MS = 1_000;
/** Rows on a page that shows other things as well; the rest is counted. */
const SHOWN = 5;

export function RunningCalls() {
  const running = useAnswer('calls.running', nothing, events);
  const calls = running.value ?? [];
  const now = useClock(calls.length > 0);
  if (calls.length === 0) return null;
  return (
    <Section title={t('runningCalls', { count: calls.length })} className="running-calls">
      <Rows label={t('runningCalls', { count: calls.length })}>
        {calls.slice(0, SHOWN).map((call) => (
          <CallRow key={call.id} call={call} now={now} />
        ))}
      </Rows>
      {calls.length > SHOWN ? <p className="quiet small">{t('moreRunning', { count: calls.length - SHOWN })}</p> : null}
    </Section>
  );
}

function CallRow({ call, now }: { call: RunningCall; now: number }) {
  const cancel = useCommand('calls.cancel');
  const [asked, setAsked] = useState(false);
  const tool = visibleName(call.tool);
  // In whole seconds, as the clock ticks.
  const elapsed = Math.max(0, Math.floor((now - Date.parse(call.startedAt)) / 1000)) * 1000;
  const [first, ...more] = call.paths;
  const details = [
    callPlace(call),
    ...(first === undefined
      ? []
      : [more.length === 0 ? fileName(first) : `${fileName(first)} ${t('more', { count: more.length })}`]),
    ...(call.progress === null ? [] : [progressText(call.progress)]),
  ];
  return (
    <Row
      title={
        <>
          {tool}
          <span className="running-time">
            <StateDot tone={call.needsApproval ? 'wait' : 'good'}>
              {call.needsApproval ? t('needsApproval') : t('since', { time: formatDuration(elapsed) })}
            </StateDot>
          </span>
        </>
      }
      detail={<span title={call.paths.join('\n')}>{details.filter((text) => text !== '').join(' · ')}</span>}
      actions={
        <Button
          size="small"
          busy={asked}
          aria-label={t('cancelCall', { tool })}
          onClick={() => {
            setAsked(true);
            void cancel.run({ id: call.id }).then((done) => setAsked(done !== undefined));
          }}
        >
          {t('cancel')}
        </Button>
      }
      below={cancel.error ? <Trouble error={cancel.error} /> : undefined}
    />
  );
}

const progressText = ({ records, total }: NonNullable<RunningCall['progress']>): string =>
  total === null
    ? t('recordsSent', { count: records, shown: formatCount(records) })
    : t('recordsSentOf', { shown: formatCount(records), total: formatCount(total) });

/** Milliseconds since 1970, anew every second while `on`. */
function useClock(on: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!on) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [on]);
  return now;
}
