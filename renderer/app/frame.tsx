/** The frame around every page: where one is, where one can go, and whether Filebridge runs. */
import './frame.css';
import { Component, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useAnswer, useClient, useCommand } from '../api/use-client.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Callout, StateDot, type Tone } from '../ui/feedback.tsx';
import { Activity, Bot, Eye, Folder, House, Pause, Play, Server, Settings } from '../ui/icons/icons.tsx';
import mark from '../ui/mark.svg';
import { EmptyState } from '../ui/page.tsx';
import { t } from './app-texts.ts';

const pages = [
  { path: '/', name: 'home', Icon: House },
  { path: '/preview', name: 'preview', Icon: Eye },
  { path: '/servers', name: 'servers', Icon: Server },
  { path: '/folders', name: 'folders', Icon: Folder },
  { path: '/agents', name: 'agents', Icon: Bot },
  { path: '/activity', name: 'activity', Icon: Activity },
  { path: '/settings', name: 'settings', Icon: Settings },
] as const;

const nothing = {};
const statusEvents = ['status.changed'] as const;
const tones: Record<'running' | 'paused' | 'stopped' | 'lost' | 'starting', Tone> = {
  running: 'good',
  paused: 'wait',
  stopped: 'bad',
  lost: 'bad',
  starting: 'off',
};

function RunState({ connected }: { connected: boolean }) {
  const status = useAnswer('status.get', nothing, statusEvents);
  const pause = useCommand('server.pause');
  const resume = useCommand('server.resume');
  const state = connected ? (status.value?.state ?? 'starting') : 'lost';
  return (
    <div className="run-state">
      <span role="status">
        <StateDot tone={tones[state]}>{t(state)}</StateDot>
      </span>
      {state === 'paused' ? (
        <IconButton label={t('resume')} busy={resume.busy} onClick={() => void resume.run({})}>
          <Play aria-hidden="true" />
        </IconButton>
      ) : state === 'running' ? (
        <IconButton label={t('pause')} busy={pause.busy} onClick={() => void pause.run({})}>
          <Pause aria-hidden="true" />
        </IconButton>
      ) : null}
    </div>
  );
}

export function Frame({ children }: { children: ReactNode }) {
  const [location] = useLocation();
  const connected = useConnected();
  const content = useRef<HTMLElement>(null);
  return (
    <div className="frame">
      <button type="button" className="button skip" onClick={() => content.current?.focus()}>
        {t('skip')}
      </button>
      <header className="side">
        <div className="brand">
          <img src={mark} alt="" width="28" height="28" />
          <span>Filebridge</span>
        </div>
        <nav aria-label={t('pages')}>
          <ul className="nav">
            {pages.map(({ path, name, Icon }) => (
              <li key={path}>
                <Link
                  href={path}
                  className="nav-link"
                  aria-current={(path === '/' ? location === '/' : location.startsWith(path)) ? 'page' : undefined}
                  title={t(name)}
                >
                  <Icon aria-hidden="true" />
                  <span>{t(name)}</span>
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <RunState connected={connected} />
      </header>
      <main className="content" ref={content} tabIndex={-1}>
        {connected ? null : (
          <div className="lost">
            <Callout kind="error" title={t('lostTitle')}>
              <p>{t('lostText')}</p>
            </Callout>
          </div>
        )}
        {/* A page that broke is tried anew on another page, not for each part of one. */}
        <Fault key={location.split('/')[1]}>{children}</Fault>
      </main>
    </div>
  );
}

/** Whether the program can be reached. */
function useConnected(): boolean {
  const client = useClient();
  const [connected, setConnected] = useState(true);
  useEffect(() => client.onConnection(setConnected), [client]);
  return connected;
}

/** Catches what a page throws while drawing, so that one broken page does not take the window with it. */
export class Fault extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <EmptyState
        title={t('brokenTitle')}
        action={
          <Button look="primary" onClick={() => location.reload()}>
            {t('reload')}
          </Button>
        }
      >
        {t('brokenText')}
      </EmptyState>
    );
  }
}
