/** The page's entry: a client over whichever transport there is, and the page on top. */
import './api/no-eval.ts';
import { createRoot } from 'react-dom/client';
import { createClient } from '../shared/contract/client.ts';
import { ClientContext } from './api/client-context.ts';
import { createHttpTransport } from './api/http-transport.ts';
import { Home } from './features/home/home.tsx';

const client = createClient(window.filebridge ?? createHttpTransport());
const place = document.getElementById('page');
if (!place) throw new Error('index.html has no #page');
createRoot(place).render(
  <ClientContext value={client}>
    <Home />
  </ClientContext>,
);
