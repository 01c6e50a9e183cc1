/** The page's entry: a client over whichever transport there is, and the app on top. */
import './api/no-eval.ts';
import './ui/theme.css';
import './ui/base.css';
import { createRoot } from 'react-dom/client';
import { createClient } from '../shared/contract/client.ts';
import { ClientContext } from './api/client-context.ts';
import { createHttpTransport } from './api/http-transport.ts';
import { App } from './app/app.tsx';

const client = createClient(window.filebridge ?? createHttpTransport());
const place = document.getElementById('page');
if (!place) throw new Error('index.html has no #page');
createRoot(place).render(
  <ClientContext value={client}>
    <App />
  </ClientContext>,
);
