/** The whole page: the frame, in it the page that the address names, and the settings that all pages follow. */
import './app.css';
import { Component, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, Route, Router, Switch, useLocation } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { type AppSettings, chooseLanguage, type Language } from '../../shared/model/config.ts';
import { SettingsContext, useAnswer, useClient, useCommand, useEvent, useSettings } from '../api/use-client.ts';
import { ActivityPage } from '../features/activity/activity-page.tsx';
import { AgentsPage } from '../features/agents/agents-page.tsx';
import { Approvals } from '../features/approvals/approvals.tsx';
import { FoldersPage } from '../features/folders/folders-page.tsx';
import { HomePage } from '../features/home/home-page.tsx';
import { PreviewPage } from '../features/preview/preview-page.tsx';
import { ServersPage } from '../features/servers/servers-page.tsx';
import { SettingsPage } from '../features/settings/settings-page.tsx';
import { WelcomePage } from '../features/welcome/welcome-page.tsx';
import { setLanguage } from '../i18n/texts.ts';
import { Button } from '../ui/button.tsx';
import { Callout, StateDot, Toasts, type Tone } from '../ui/feedback.tsx';
import { Activity, Bot, Eye, Folder, House, Pause, Play, Server, Settings } from '../ui/icons/icons.tsx';
import mark from '../ui/mark.svg';
import { EmptyState, Page } from '../ui/page.tsx';
import { t } from './app-texts.ts';

export function App() {
  return (
    <SettingsProvider>
      {(language) => (
        // A new language draws everything anew.
        <Router hook={useHashLocation} key={language}>
          <Toasts>
            <FirstRun />
            <PageAsked />
            <Switch>
              <Route path="/welcome">
                <Fault>
                  <WelcomePage />
                </Fault>
              </Route>
              <Route>
                <Frame>
                  <Switch>
                    <Route path="/" component={HomePage} />
                    <Route path="/preview/:path?/:target?" component={PreviewPage} />
                    <Route path="/servers/:bundle?" component={ServersPage} />
                    <Route path="/folders" component={FoldersPage} />
                    <Route path="/agents" component={AgentsPage} />
                    <Route path="/activity/only/:outcome" component={ActivityPage} />
                    <Route path="/activity/:id?" component={ActivityPage} />
                    <Route path="/settings/:part?" component={SettingsPage} />
                    <Route component={Nowhere} />
                  </Switch>
                </Frame>
              </Route>
            </Switch>
            <Approvals />
          </Toasts>
        </Router>
      )}
    </SettingsProvider>
  );
}

/** Goes where the tray's menu or a notification asked. */
function PageAsked() {
  const [, go] = useLocation();
  useEvent('page.asked', ({ page }) => go(page));
  return null;
}

/** Page for addresses that do not exist. */
function Nowhere() {
  return (
    <Page title={t('nowhere')}>
      <EmptyState
        title={t('nowhere')}
        action={
          <Link href="/" className="button button-primary">
            {t('toHome')}
          </Link>
        }
      />
    </Page>
  );
}

/** Leads a first-time user to the welcome page, once. */
function FirstRun() {
  const client = useClient();
  const settings = useSettings();
  const [location, go] = useLocation();
  const judged = useRef(false);
  const fresh = settings !== undefined && !settings.app.welcomed;
  useEffect(() => {
    if (settings === undefined || judged.current) return;
    judged.current = true;
    if (!fresh || location !== '/') return;
    // Somebody who came with a configuration, even a broken one, or with folders on the command line, needs no introduction.
    Promise.all([client.call('folders.list', {}), client.call('upstreams.list', {}), client.call('status.get', {})])
      .then(([folders, upstreams, { problems }]) => {
        const broken = problems.some(({ kind }) => kind === 'config');
        if (folders.length === 0 && upstreams.length === 0 && !broken) go('/welcome');
      })
      .catch(() => undefined);
  }, [client, settings, fresh, location, go]);
  return null;
}

// The frame around every page: where one is, where one can go, and whether Filebridge runs

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
        <Button
          look="quiet"
          size="small"
          icon={<Play aria-hidden="true" />}
          busy={resume.busy}
          onClick={() => void resume.run({})}
        >
          {t('resume')}
        </Button>
      ) : state === 'running' ? (
        <Button
          look="quiet"
          size="small"
          icon={<Pause aria-hidden="true" />}
          title={t('pauseNote')}
          busy={pause.busy}
          onClick={() => void pause.run({})}
        >
          {t('pause')}
        </Button>
      ) : null}
    </div>
  );
}

export function Frame({ children }: { children: ReactNode }) {
  const [location] = useLocation();
  const connected = useConnected();
  const content = useRef<HTMLElement>(null);
  useShortcuts();
  // A call is looked at above the list that it is in.
  const page = location.startsWith('/activity') ? '/activity' : location;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page begins at its top
  useEffect(() => {
    // Its result, a promise in newer browsers, is no clean-up.
    content.current?.scrollTo(0, 0);
  }, [page]);
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
            {pages.map(({ path, name, Icon }, index) => (
              <li key={path}>
                <Link
                  href={path}
                  className="nav-link"
                  aria-current={(path === '/' ? location === '/' : location.startsWith(path)) ? 'page' : undefined}
                  title={t('pageShortcut', { page: t(name), keys: `${modifier}+${index + 1}` })}
                  aria-keyshortcuts={`${isMac ? 'Meta' : 'Control'}+${index + 1}`}
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

const isMac = /^Mac/.test(navigator.platform);
const modifier = isMac ? '⌘' : 'Ctrl';

/** Ctrl or ⌘ with 1 to 7 opens the pages in turn, with a comma the settings; not while a dialog waits for an answer. */
function useShortcuts(): void {
  const [, go] = useLocation();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.altKey || event.shiftKey || !(isMac ? event.metaKey : event.ctrlKey)) return;
      const page = event.key === ',' ? pages.at(-1) : pages[Number(event.key) - 1];
      if (page === undefined || document.querySelector('[role=dialog][data-open], [role=alertdialog][data-open]')) return;
      event.preventDefault();
      go(page.path);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [go]);
}

/** Whether the program can be reached. */
function useConnected(): boolean {
  const client = useClient();
  const [connected, setConnected] = useState(true);
  useEffect(() => client.onConnection(setConnected), [client]);
  return connected;
}

/** Catches what a page throws while drawing, so that one broken page does not take the window with it. */
class Fault extends Component<{ children: ReactNode }, { broken: boolean }> {
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

// The settings, known before anything is drawn and kept fresh, and what follows from them

const settingsEvents = ['settings.changed'] as const;

/** Sets language and appearance. Gives the language, so that a change can redraw the page. */
export function adopt(app: Pick<AppSettings, 'language' | 'appearance'>): Language {
  const language = chooseLanguage(app.language, navigator.languages);
  setAppearance(app.appearance);
  setLanguage(language);
  return language;
}

function SettingsProvider({ children }: { children: (language: Language) => ReactNode }) {
  const settings = useAnswer('settings.get', nothing, settingsEvents);
  const app = settings.value?.app;
  const [language, setShown] = useState<Language>(() => adopt({ language: 'system', appearance: 'system' }));
  useEffect(() => {
    if (app) setShown(adopt(app));
  }, [app]);
  if (settings.value === undefined && settings.error === undefined) return null;
  return <SettingsContext value={settings.value}>{children(language)}</SettingsContext>;
}

// Light or dark: the user's setting, or the system's.

const dark = matchMedia('(prefers-color-scheme: dark)');
let wanted: AppSettings['appearance'] = 'system';

function apply(): void {
  document.documentElement.dataset.theme = wanted === 'system' ? (dark.matches ? 'dark' : 'light') : wanted;
}

dark.addEventListener('change', apply);

function setAppearance(appearance: AppSettings['appearance']): void {
  wanted = appearance;
  apply();
}
