/** What no page in this app may do: go elsewhere, open windows, embed views, or be given permissions. */
import { app, session } from 'electron';
import { isOwnPage } from './page-protocol.ts';

/** Copying a snippet is the one thing the page asks the system for. */
const allowed = new Set(['clipboard-sanitized-write']);

export function denyEverythingElse(): void {
  session.defaultSession.setPermissionRequestHandler((_contents, permission, decide, details) =>
    decide(allowed.has(permission) && isOwnPage(details.requestingUrl)),
  );
  session.defaultSession.setPermissionCheckHandler(
    (_contents, permission, origin) => allowed.has(permission) && isOwnPage(origin.replace(/\/$/, '')),
  );
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
