/**
 * The session secret for requests to the console: obtained once for the link's token, kept for this tab only, sent as a header. It is not a cookie, which
 * a browser would show to every program that listens on another port of the same address.
 */
const KEY = 'filebridge-session';

/** The token of `#link=TOKEN`; undefined for any other address. */
export function linkToken(hash: string): string | undefined {
  return /^#link=([\w-]+)$/.exec(hash)?.[1];
}

/** The session of the link that was followed, or else this tab's; undefined if there is neither. */
export async function openConsoleSession(): Promise<string | undefined> {
  const token = linkToken(location.hash);
  if (token !== undefined) {
    history.replaceState(null, '', '/');
    const answer = await fetch('/session', { method: 'POST', headers: authorization(token) });
    if (answer.ok) sessionStorage.setItem(KEY, await answer.text());
  }
  return sessionStorage.getItem(KEY) ?? undefined;
}

/** For a console that was started anew and knows the session no longer. */
export function forgetConsoleSession(): void {
  sessionStorage.removeItem(KEY);
}

export const authorization = (session: string) => ({ Authorization: `Bearer ${session}` });
