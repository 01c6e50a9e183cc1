/** Serves the window's own scheme: only the built page, with its security policy. */
import { app, protocol } from 'electron';
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
