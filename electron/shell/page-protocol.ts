/** The window's own scheme, which serves only the built page, and what keeps pages to it. */

import path from 'node:path';
import { app, protocol, type Session, session } from 'electron';
import { loadPage, pageHeaders } from '../console/page-files.ts';

const SCHEME = 'app';
const HOST = 'filebridge';
export const PAGE_ORIGIN = `${SCHEME}://${HOST}`;

/** Must run before the app is ready. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } }]);
}

export async function servePage(directory: string): Promise<void> {
  const page = await loadPage(directory);
  protocol.handle(SCHEME, (request) => {
    const { host, pathname } = new URL(request.url);
    const file = host === HOST && request.method === 'GET' ? page.get(pathname) : undefined;
    if (!file) return new Response('There is nothing here.', { status: 404, headers: { ...pageHeaders } });
    return new Response(new Uint8Array(file.body), { headers: { ...pageHeaders, 'Content-Type': file.type } });
  });
  app.on('will-quit', () => protocol.unhandle(SCHEME));
}

/** Whether an address is the window's own page. */
export const isOwnPage = (address: string): boolean => address === PAGE_ORIGIN || address.startsWith(`${PAGE_ORIGIN}/`);

// Pages may not navigate or fetch elsewhere, open windows, embed views, or get permissions.

/** The page's only permission is writing to the clipboard, for snippets. */
const allowed = new Set(['clipboard-sanitized-write']);

/** The page itself, what it has made, and the developer tools, which are there in development only. */
const near = [`${PAGE_ORIGIN}/`, `blob:${PAGE_ORIGIN}/`, 'devtools://'];

export function denyEverythingElse(): void {
  const { defaultSession } = session;
  defaultSession.setPermissionRequestHandler((_contents, permission, decide, details) =>
    decide(allowed.has(permission) && isOwnPage(details.requestingUrl)),
  );
  defaultSession.setPermissionCheckHandler(
    (_contents, permission, origin) => allowed.has(permission) && isOwnPage(origin.replace(/\/$/, '')),
  );
  defaultSession.setDevicePermissionHandler(() => false);
  defaultSession.webRequest.onBeforeRequest(({ url }, decide) =>
    decide({ cancel: !near.some((beginning) => url.startsWith(beginning)) }),
  );
  saveOwnExportsOnly(defaultSession);
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
    contents.on('will-attach-webview', (event) => event.preventDefault());
    const stay = (event: { preventDefault(): void }, address: string) => {
      if (!isOwnPage(address)) event.preventDefault();
    };
    contents.on('will-navigate', (event) => stay(event, event.url));
    contents.on('will-frame-navigate', (event) => stay(event, event.url));
    contents.on('will-redirect', (event) => stay(event, event.url));
  });
}

/** Allows downloads only of files made by our page, saved where the person chooses. */
function saveOwnExportsOnly(session: Session): void {
  session.on('will-download', (event, item, contents) => {
    const ours = item.getURL().startsWith(`blob:${PAGE_ORIGIN}/`) && isOwnPage(contents?.getURL() ?? '');
    if (!ours) return event.preventDefault();
    // Setting a path here would skip the save dialog.
    item.setSaveDialogOptions({ defaultPath: path.join(app.getPath('downloads'), item.getFilename()) });
  });
}
