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
import { fileName, formatCount, formatElapsed } from './numbers.ts';
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
  const tool = visibleName(call.tool);
  const [first, ...more] = call.paths;
  const part = partOf(call);
  const details = [
    callPlace(call),
    ...(first === undefined
      ? []
      : [more.length === 0 ? fileName(first) : `${fileName(first)} ${t('more', { count: more.length })}`]),
    ...(call.background ? [t('inBackground')] : []),
    ...progressTexts(call),
  ];
  return (
    <Row
      title={
        <>
          {tool}
          <span className="running-time">
            <StateDot tone={call.needsApproval ? 'wait' : 'good'}>
              {call.needsApproval ? t('needsApproval') : t('since', { time: formatElapsed(now - Date.parse(call.startedAt)) })}
            </StateDot>
          </span>
        </>
      }
      detail={<span title={call.paths.join('\n')}>{details.filter((text) => text !== '').join(' · ')}</span>}
      actions={
        <Button
          size="small"
          busy={cancel.busy || call.cancelling}
          aria-label={t('cancelCall', { tool })}
          onClick={() => void cancel.run({ id: call.id })}
        >
          {t('cancel')}
        </Button>
      }
      below={
        part === undefined && !cancel.error ? undefined : (
          <>
            {part === undefined ? null : (
              <progress className="running-part" value={part} aria-label={t('progressOf', { tool })} />
            )}
            <Trouble error={cancel.error} />
          </>
        )
      }
    />
  );
}

/** How far it is: records of a batched call, else the server's own report. */
function progressTexts({ progress, steps }: RunningCall): string[] {
  if (progress !== null) {
    const { accepted, records, total } = progress;
    const failed = records - accepted;
    return [
      total === null
        ? t('recordsAccepted', { count: accepted, shown: formatCount(accepted) })
        : t('acceptedOf', { shown: formatCount(accepted), total: formatCount(total) }),
      ...(failed > 0 ? [t('recordsFailed', { count: failed, shown: formatCount(failed) })] : []),
    ];
  }
  if (steps === null) return [];
  if (steps.message !== null) return [steps.message];
  return steps.total === null ? [] : [t('stepOf', { step: formatCount(steps.done), steps: formatCount(steps.total) })];
}

/** From 0 to 1; undefined where the end is not known. */
function partOf({ progress, steps }: RunningCall): number | undefined {
  const [done, total] = progress ? [progress.records, progress.total] : [steps?.done, steps?.total];
  return done === undefined || !total ? undefined : Math.min(1, done / total);
}

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
