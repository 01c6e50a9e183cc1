/** Adds a server's token to requests to that server only, and renews a refused token once. */
import type { Fetch } from '../../wire/payload-fetch.ts';
import type { Authorization } from './sign-ins.ts';

export function authorizedFetch(fetch: Fetch, authorization: Authorization, server: URL): Fetch {
  return async (url, init = {}) => {
    if (new URL(url).origin !== server.origin) return fetch(url, init);
    const token = await authorization.token();
    if (token === undefined) return fetch(url, init);
    const response = await fetch(url, withToken(init, token));
    if (response.status !== 401) return response;
    // The server did not look at the request, so that it may be made again.
    const renewed = await authorization.renewed(token);
    if (renewed === undefined) return response;
    await response.body?.cancel();
    return fetch(url, withToken(init, renewed));
  };
}

function withToken(init: RequestInit, token: string): RequestInit {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}
