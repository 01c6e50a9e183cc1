/** Searches and sums the ledger's lines, from the newest. What a rotated file holds is counted once, since it does not change. */
import { oneAtATime } from '../../shared/lib/one-at-a-time.ts';
import { isServerCall, type LedgerEntry, savedBy } from '../../shared/model/call.ts';
import { agentName } from '../../shared/model/client-name.ts';
import { type LedgerFile, newestFiles } from './ledger-files.ts';
import { dayOf } from './ledger-totals.ts';

/** Which entries pass; what is absent passes all. */
export interface LedgerFilter {
  /** Words, all of which stand in server, tool, client, file name or error code; case does not matter. */
  text?: string | undefined;
  outcomes?: readonly LedgerEntry['outcome'][] | undefined;
  servers?: readonly string[] | undefined;
  /** As `agentName` calls them. */
  clients?: readonly string[] | undefined;
}

interface Sums {
  calls: number;
  tokensMeasured: number;
  tokensEstimated: number;
}

/** Savings of one day in the user's time zone. */
export interface LedgerDay extends Sums {
  /** YYYY-MM-DD. */
  day: string;
}

/** Sums of one client over what is kept; `calls` also of file tools. */
export interface LedgerClient extends Sums {
  client: string;
  /** When its newest entry began. */
  last: string;
}

export interface LedgerSearch {
  /** Entries that pass, newest first, and how many there are. */
  find(filter: LedgerFilter, offset: number, limit: number): Promise<{ entries: LedgerEntry[]; total: number }>;
  get(id: string): Promise<LedgerEntry | undefined>;
  /** One for each of the last days, today last. */
  days(count: number): Promise<LedgerDay[]>;
  /** Sums of each client with a name. */
  clients(): Promise<LedgerClient[]>;
  names(): Promise<{ servers: string[]; clients: string[] }>;
}

/** What one file holds. */
interface Summary {
  days: Map<string, Sums>;
  clients: Map<string, LedgerClient>;
  servers: Set<string>;
}

const noSums: Sums = { calls: 0, tokensMeasured: 0, tokensEstimated: 0 };

/** Searches the ledger in a directory. `written` waits until this process has no line left to write. */
export function openLedgerSearch(
  directory: string,
  now: () => Date = () => new Date(),
  written: () => Promise<void> = async () => undefined,
): LedgerSearch {
  /** By the identities of rotated files. */
  let summaries = new Map<string, Summary>();
  /** How many entries of rotated files pass the filter that was asked for last. */
  let counted = { filter: '', counts: new Map<string, number>() };
  const inTurn = oneAtATime();

  async function* files(): AsyncGenerator<LedgerFile> {
    await written();
    yield* newestFiles(directory);
  }

  async function find(filter: LedgerFilter, offset: number, limit: number) {
    const key = JSON.stringify(filter);
    if (counted.filter !== key) counted = { filter: key, counts: new Map() };
    const passes = passing(filter);
    const entries: LedgerEntry[] = [];
    let total = 0;
    for await (const file of files()) {
      const known = file.isRotated ? counted.counts.get(file.id) : undefined;
      if (known !== undefined && (total + known <= offset || entries.length === limit)) {
        total += known;
        continue;
      }
      let count = 0;
      for await (const entry of file.entries()) {
        if (!passes(entry)) continue;
        if (total + count >= offset && entries.length < limit) entries.push(entry);
        count += 1;
      }
      if (file.isRotated) counted.counts.set(file.id, count);
      total += count;
    }
    return { entries, total };
  }

  async function summed(): Promise<Summary[]> {
    const all: Summary[] = [];
    const kept = new Map<string, Summary>();
    for await (const file of files()) {
      const summary = summaries.get(file.id) ?? (await summaryOf(file));
      if (file.isRotated) kept.set(file.id, summary);
      all.push(summary);
    }
    summaries = kept;
    return all;
  }

  return {
    find: (filter, offset, limit) => inTurn(() => find(filter, offset, limit)),
    get: (id) =>
      inTurn(async () => {
        for await (const file of files()) for await (const entry of file.entries()) if (entry.id === id) return entry;
        return undefined;
      }),
    days: (count) =>
      inTurn(async () => {
        const all = await summed();
        const today = now();
        return Array.from({ length: count }, (_, index) => {
          const day = dayOf(new Date(today.getFullYear(), today.getMonth(), today.getDate() - (count - 1 - index)));
          return all.reduce((sum, { days }) => ({ day, ...plus(sum, days.get(day) ?? noSums) }), { day, ...noSums });
        });
      }),
    clients: () => inTurn(async () => [...clientsOf(await summed()).values()]),
    names: () =>
      inTurn(async () => {
        const all = await summed();
        const servers = new Set(all.flatMap((each) => [...each.servers]));
        return { servers: [...servers].sort(), clients: [...new Set([...clientsOf(all).keys()].map(agentName))].sort() };
      }),
  };
}

async function summaryOf(file: LedgerFile): Promise<Summary> {
  const summary: Summary = { days: new Map(), clients: new Map(), servers: new Set() };
  for await (const entry of file.entries()) {
    const { client, server, time } = entry;
    const sums = sumsOf(entry);
    const day = dayOf(time);
    summary.days.set(day, plus(summary.days.get(day) ?? noSums, sums));
    if (server !== null) summary.servers.add(server);
    if (client !== null) addClient(summary.clients, { client, last: time, ...sums, calls: 1 });
  }
  return summary;
}

function sumsOf(entry: LedgerEntry): Sums {
  const savings = savedBy(entry);
  const tokens = (method: string) =>
    [savings.arguments, savings.answer].reduce((sum, each) => (each.method === method ? sum + each.count : sum), 0);
  return {
    calls: isServerCall(entry.kind) ? 1 : 0,
    tokensMeasured: tokens('measured'),
    tokensEstimated: tokens('estimated'),
  };
}

const plus = (one: Sums, other: Sums): Sums => ({
  calls: one.calls + other.calls,
  tokensMeasured: one.tokensMeasured + other.tokensMeasured,
  tokensEstimated: one.tokensEstimated + other.tokensEstimated,
});

function addClient(clients: Map<string, LedgerClient>, added: LedgerClient): void {
  const known = clients.get(added.client);
  const last = known !== undefined && known.last > added.last ? known.last : added.last;
  clients.set(added.client, { client: added.client, last, ...plus(known ?? noSums, added) });
}

function clientsOf(summaries: readonly Summary[]): Map<string, LedgerClient> {
  const all = new Map<string, LedgerClient>();
  for (const { clients } of summaries) for (const client of clients.values()) addClient(all, client);
  return all;
}

function passing({ text, outcomes, servers, clients }: LedgerFilter): (entry: LedgerEntry) => boolean {
  const words = text?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
  const among = <T>(list: readonly T[] | undefined, value: T) => list === undefined || list.includes(value);
  return (entry) => {
    if (!among(outcomes, entry.outcome) || !among<string | null>(servers, entry.server)) return false;
    if (!among<string | null>(clients, entry.client && agentName(entry.client))) return false;
    if (words.length === 0) return true;
    const { server, tool, client, errorCode, paths } = entry;
    const names = paths.map((each) => each.slice(Math.max(each.lastIndexOf('/'), each.lastIndexOf('\\')) + 1));
    const said = [server, tool, client, client && agentName(client), errorCode, ...names].filter(Boolean).join(' ').toLowerCase();
    return words.every((word) => said.includes(word));
  };
}
