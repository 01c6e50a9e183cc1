/** The whole page: the frame, and in it the page that the address names. */

import { useEffect, useRef } from 'react';
import { Link, Route, Router, Switch, useLocation } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { useClient, useEvent, useSettings } from '../api/use-client.ts';
import { ActivityPage } from '../features/activity/activity-page.tsx';
import { AgentsPage } from '../features/agents/agents-page.tsx';
import { Approvals } from '../features/approvals/approvals.tsx';
import { FoldersPage } from '../features/folders/folders-page.tsx';
import { HomePage } from '../features/home/home-page.tsx';
import { PreviewPage } from '../features/preview/preview-page.tsx';
import { ServersPage } from '../features/servers/servers-page.tsx';
import { SettingsPage } from '../features/settings/settings-page.tsx';
import { WelcomePage } from '../features/welcome/welcome-page.tsx';
import { Toasts } from '../ui/feedback.tsx';
import { EmptyState, Page } from '../ui/page.tsx';
import { t } from './app-texts.ts';
import { Fault, Frame } from './frame.tsx';
import { SettingsProvider } from './settings-provider.tsx';

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
                    <Route path="/activity/:id?" component={ActivityPage} />
                    <Route path="/settings" component={SettingsPage} />
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
