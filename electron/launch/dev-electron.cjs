/**
 * Runs in Electron before the app under `npm run dev`, and never in a shipped one: the page's own scheme is answered by Vite's dev server,
 * and the page may speak to that server for hot reload.
 */
// biome-ignore lint/style/noRestrictedImports: runs inside Electron, in development only
const { app, protocol, session } = require('electron');

const page = process.env.FILEBRIDGE_DEV_PAGE;
const local = new URL(page).host;

const handle = protocol.handle.bind(protocol);
protocol.handle = (scheme) =>
  handle(scheme, async ({ url, method, headers }) => {
    const { pathname, search } = new URL(url);
    const answer = await fetch(`${page}${pathname}${search}`, { method, headers: { accept: headers.get('accept') ?? '*/*' } });
    return new Response(await answer.arrayBuffer(), {
      status: answer.status,
      headers: { 'Content-Type': answer.headers.get('content-type') ?? 'text/plain', 'Cache-Control': 'no-store' },
    });
  });

app.whenReady().then(() => {
  const { webRequest } = session.defaultSession;
  const onBeforeRequest = webRequest.onBeforeRequest.bind(webRequest);
  webRequest.onBeforeRequest = (judge) =>
    onBeforeRequest((details, decide) => {
      if (new URL(details.url).host === local) return decide({});
      judge(details, decide);
    });
});
