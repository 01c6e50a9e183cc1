/** How long an answer is waited for. */
import { useEffect, useState } from 'react';
import { t } from './approvals-texts.ts';

const URGENT_SECONDS = 15;

export function TimeLeft({ expires }: { expires: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((Date.parse(expires) - now) / 1000));
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return (
    <p className="time-left" role="timer" data-urgent={seconds <= URGENT_SECONDS || undefined}>
      {seconds === 0 ? t('timeUp') : t('timeLeft', { clock })}
    </p>
  );
}
