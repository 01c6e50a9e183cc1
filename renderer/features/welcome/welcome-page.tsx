/** The first run: folders, servers, agents, and a call that is seen to work. Everything is kept as it is done; leaving loses nothing. */
import './welcome.css';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useAnswer, useCommand } from '../../api/use-client.ts';
import { Button } from '../../ui/button.tsx';
import { Trouble } from '../../ui/feedback.tsx';
import { Check } from '../../ui/icons/icons.tsx';
import mark from '../../ui/mark.svg';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { AgentsStep, FoldersStep, ServersStep, type Stand } from './steps.tsx';
import { TryStep } from './try-step.tsx';
import { t } from './welcome-texts.ts';

const steps = [
  { name: 'foldersStep', title: 'foldersTitle', text: 'foldersText', add: 'addAndNext', Body: FoldersStep },
  { name: 'serversStep', title: 'serversTitle', text: 'serversText', add: 'addAndNext', Body: ServersStep },
  { name: 'agentsStep', title: 'agentsTitle', text: 'agentsText', add: 'connectAndNext', Body: AgentsStep },
  { name: 'tryStep', title: 'tryTitle', text: 'tryText', add: 'addAndNext', Body: TryStep },
] as const;

const nothing = {};
const notYet: Stand = { ready: false, add: undefined };
const statusEvents = ['status.changed'] as const;

export function WelcomePage() {
  const [at, setAt] = useState(0);
  const [{ ready, add }, setStand] = useState(notYet);
  const [adding, setAdding] = useState(false);
  const [done, setDone] = useState<ReadonlySet<number>>(new Set());
  const status = useAnswer('status.get', nothing, statusEvents);
  const [, go] = useLocation();
  const update = useCommand('settings.update');
  const heading = useRef<HTMLHeadingElement>(null);
  const step = steps[at] ?? steps[0];
  const last = at === steps.length - 1;

  useEffect(() => {
    document.title = `${t('title')} – Filebridge`;
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step starts at its heading
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, [at]);

  const move = (to: number, isDone = ready) => {
    // A step that was skipped gets no tick.
    setDone((before) => new Set(isDone ? [...before, at] : [...before].filter((index) => index !== at)));
    setStand(notYet);
    setAt(to);
  };
  const next = async () => {
    if (add === undefined) return move(at + 1);
    setAdding(true);
    const isDone = await add();
    setAdding(false);
    if (isDone) move(at + 1, true);
  };
  const leave = async () => {
    if (await update.run({ changes: { app: { welcomed: true } } })) go('/');
  };

  return (
    <div className="welcome">
      <header className="welcome-head">
        <div className="brand">
          <img src={mark} alt="" width="32" height="32" />
          <span>Filebridge</span>
        </div>
        <ol className="welcome-steps" aria-label={t('steps')}>
          {steps.map(({ name }, index) => (
            <li
              key={name}
              aria-current={index === at ? 'step' : undefined}
              data-done={(index !== at && done.has(index)) || undefined}
            >
              <span className="welcome-number" aria-hidden="true">
                {index !== at && done.has(index) ? <Check /> : index + 1}
              </span>
              <span className="welcome-name">
                {t(name)}
                {index !== at && done.has(index) ? <span className="visually-hidden"> – {t('stepDone')}</span> : null}
              </span>
            </li>
          ))}
        </ol>
        <Button look="quiet" size="small" onClick={() => void leave()}>
          {t('skip')}
        </Button>
      </header>
      <main className="welcome-main">
        {at === 0 ? (
          <div className="welcome-hello">
            <p className="welcome-title">{t('title')}</p>
            <p className="quiet">{t('lead')}</p>
          </div>
        ) : null}
        <div className="welcome-step">
          <p className="quiet small">{t('step', { number: at + 1, count: steps.length })}</p>
          <h1 ref={heading} tabIndex={-1}>
            {t(step.title)}
          </h1>
          <p className="quiet">{t(step.text)}</p>
        </div>
        {(status.value?.problems ?? []).map((problem) => (
          <ProblemNotice key={problem.id} problem={problem} stays />
        ))}
        <step.Body key={at} onStand={setStand} />
        <Trouble error={update.error} />
      </main>
      <footer className="welcome-foot">
        {at === 0 ? (
          <span />
        ) : (
          <Button disabled={adding} onClick={() => move(at - 1)}>
            {t('back')}
          </Button>
        )}
        {last ? (
          <Button look={ready ? 'primary' : 'plain'} busy={update.busy} onClick={() => void leave()}>
            {t('finish')}
          </Button>
        ) : (
          <div className="welcome-on">
            {add && !ready ? (
              <Button look="quiet" disabled={adding} onClick={() => move(at + 1)}>
                {t('nextWithout')}
              </Button>
            ) : null}
            <Button look={ready || add ? 'primary' : 'plain'} busy={adding} onClick={() => void next()}>
              {t(add ? step.add : ready ? 'next' : 'nextWithout')}
            </Button>
          </div>
        )}
      </footer>
    </div>
  );
}
