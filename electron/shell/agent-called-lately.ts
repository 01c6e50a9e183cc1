/** Whether an agent may be at work with Filebridge, by what it called lately. */
import type { LedgerEntry } from '../../shared/model/call.ts';
import { APP_CLIENT } from '../../shared/model/client-name.ts';

/** An agent that called so lately may call again. Milliseconds. */
const LATELY_MS = 15 * 60_000;

/** `now` in milliseconds since 1970. What the person sent from the window is nobody else's work. */
export function agentCalledLately(entries: readonly Pick<LedgerEntry, 'client' | 'time'>[], now: number): boolean {
  return entries.some(({ client, time }) => client !== null && client !== APP_CLIENT && now - Date.parse(time) < LATELY_MS);
}
