/** The page's entry: a client over whichever transport there is, and the app on top. */
import './api/no-eval.ts';
import './ui/theme.css';
import './ui/base.css';
import { createRoot } from 'react-dom/client';
import { createClient } from '../shared/contract/rpc.ts';
import { createHttpTransport, openConsoleSession } from './api/http-transport.ts';
import { ClientContext } from './api/use-client.ts';
import { App, adopt } from './app/app.tsx';
import { t } from './app/app-texts.ts';
import { EmptyState } from './ui/page.tsx';

async function transport() {
  if (window.filebridge) return window.filebridge;
  const session = await openConsoleSession();
  return session === undefined ? undefined : createHttpTransport(session);
}

async function show(page: HTMLElement): Promise<void> {
  const found = await transport();
  if (!found) {
    adopt({ language: 'system', appearance: 'system' });
    return createRoot(page).render(<NoSession />);
  }
  createRoot(page).render(
    <ClientContext value={createClient(found)}>
      <App />
    </ClientContext>,
  );
}

const place = document.getElementById('page');
if (!place) throw new Error('index.html has no #page');
void show(place);

/** Page for browsers that opened the console without its link. */
function NoSession() {
  return (
    <main className="content">
      <EmptyState title={t('noSessionTitle')}>{t('noSessionText')}</EmptyState>
    </main>
  );
}
