/** How long an answer is waited for, by a clock that nobody sets. */

import { useEffect, useState } from 'react';
import type { Approval } from '../../../shared/contract/approvals.ts';
import { t } from './approvals-texts.ts';

const URGENT_SECONDS = 15;

/** When each approval, as received, expires. */
const deadlines = new WeakMap<Approval, number>();

/** By `performance.now()`, counted from the first time it is asked for: when the approval arrives. */
export function deadlineOf(approval: Approval): number {
  const deadline = deadlines.get(approval) ?? performance.now() + approval.leftMs;
  deadlines.set(approval, deadline);
  return deadline;
}

export function TimeLeft({ approval }: { approval: Approval }) {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    setNow(performance.now());
    const timer = setInterval(() => setNow(performance.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((deadlineOf(approval) - now) / 1000));
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return (
    <p className="time-left" role="timer" data-urgent={seconds <= URGENT_SECONDS || undefined}>
      {seconds === 0 ? t('timeUp') : t('timeLeft', { clock })}
    </p>
  );
}
