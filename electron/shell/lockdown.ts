/** Prevents pages from navigating or fetching elsewhere, opening windows, embedding views, or getting permissions. */
import { app, session } from 'electron';
import { saveOwnExportsOnly } from './downloads.ts';
import { isOwnPage, PAGE_ORIGIN } from './page-protocol.ts';

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
