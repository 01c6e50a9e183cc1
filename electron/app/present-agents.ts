/** Which agents use Filebridge: who is connected, joined with what the ledger knows of each. */
import type { Presence, PresentAgent } from '../../shared/contract/agents.ts';
import type { LedgerEntry } from '../../shared/model/call.ts';
import { APP_CLIENT, agentName, appOfClient } from '../../shared/model/client-name.ts';
import type { PresentClient } from '../server/present-clients.ts';
import type { LedgerClient } from '../store/ledger-search.ts';

/** Agents that are listed. */
const LISTED = 50;

/** Agents go by their names, several names of one app as one: the ledger has nothing else of them. */
export function presentAgents(here: readonly PresentClient[], ledger: readonly LedgerClient[]): PresentAgent[] {
  const byName = new Map<string, PresentAgent>();
  for (const { client, calls, tokensMeasured, tokensEstimated, last } of ledger) {
    if (client === APP_CLIENT) continue;
    const known = byName.get(agentName(client)) ?? stranger(client, last);
    byName.set(agentName(client), {
      ...known,
      lastSeen: [last, known.lastSeen].sort().at(-1) ?? last,
      calls: known.calls + calls,
      tokensMeasured: known.tokensMeasured + tokensMeasured,
      tokensEstimated: known.tokensEstimated + tokensEstimated,
    });
  }
  for (const { name, version, transport, connected, since, lastSeen } of here) {
    if (name === null) continue;
    const known = byName.get(agentName(name)) ?? stranger(name, lastSeen);
    byName.set(agentName(name), {
      ...known,
      // The list begins with the newest.
      version: known.version ?? version,
      connected: known.connected || connected,
      transports: [...new Set([...known.transports, transport])],
      since: connected && (known.since === null || since < known.since) ? since : known.since,
      lastSeen: [lastSeen, known.lastSeen].sort().at(-1) ?? lastSeen,
    });
  }
  return [...byName.values()]
    .sort((a, b) => Number(b.connected) - Number(a.connected) || (a.lastSeen < b.lastSeen ? 1 : -1))
    .slice(0, LISTED);
}

const stranger = (name: string, lastSeen: string): PresentAgent => ({
  name: agentName(name),
  version: null,
  app: appOfClient(name),
  connected: false,
  transports: [],
  since: null,
  lastSeen,
  calls: 0,
  tokensMeasured: 0,
  tokensEstimated: 0,
});

/** Apps that were set up and have not been heard of since. */
export const awaitedApps = (setUp: ReadonlyMap<string, string>, agents: readonly PresentAgent[]): Presence['awaited'] =>
  [...setUp].flatMap(([app, time]) => (agents.some((agent) => agent.app === app && agent.lastSeen > time) ? [] : app));

/** How long after a call an agent counts as active, in milliseconds. */
const LATELY_MS = 15 * 60_000;

/** `now` in milliseconds since 1970. Calls from the window do not count. */
export function agentCalledLately(entries: readonly Pick<LedgerEntry, 'client' | 'time'>[], now: number): boolean {
  return entries.some(({ client, time }) => client !== null && client !== APP_CLIENT && now - Date.parse(time) < LATELY_MS);
}
