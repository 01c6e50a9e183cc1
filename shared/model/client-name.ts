/** Names of agents' apps: untrusted text that is shown to a person beside a decision. */

/** Client name for calls that the person makes in the app, in the ledger and for servers. Agents may not use it. */
export const APP_CLIENT = 'Filebridge app';

const MAX_CHARS = 64;

/**
 * One short line without characters that cannot be seen or turn the text around; null where nothing is left, or where the name is the
 * app's own.
 */
export function clientName(said: unknown): string | null {
  if (typeof said !== 'string') return null;
  // Much more than can be shown need not be looked at.
  const seen = said
    .slice(0, 16 * MAX_CHARS)
    .replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/[\p{Cf}\p{Co}\p{Cn}]/gu, '')
    .replaceAll(/ +/g, ' ')
    .trim();
  if (seen === '' || seen.toLowerCase() === APP_CLIENT.toLowerCase()) return null;
  const characters = [...seen];
  return characters.length <= MAX_CHARS ? seen : `${characters.slice(0, MAX_CHARS - 1).join('')}…`;
}
