/** Tells whether an agent may be using Filebridge, by its recent calls. */
import type { LedgerEntry } from '../../shared/model/call.ts';
import { APP_CLIENT } from '../../shared/model/client-name.ts';

/** How long after a call an agent counts as active, in milliseconds. */
const LATELY_MS = 15 * 60_000;

/** `now` in milliseconds since 1970. Calls from the window do not count. */
export function agentCalledLately(entries: readonly Pick<LedgerEntry, 'client' | 'time'>[], now: number): boolean {
  return entries.some(({ client, time }) => client !== null && client !== APP_CLIENT && now - Date.parse(time) < LATELY_MS);
}
