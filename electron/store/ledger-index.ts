/** Index of one ledger file: positions of its entries, and columns for filters and sums. */
import { isServerCall, type LedgerEntry } from '../../shared/model/call.ts';

/** The shared fields of entries that differ only in file, time and figures. */
export interface Tag {
  readonly server: string | null;
  readonly client: string | null;
  readonly outcome: LedgerEntry['outcome'];
  /** Server, tool, client and error code, in lower case. */
  readonly words: string;
  count: number;
}

/** Sums of a quarter of an hour, which belongs to one day in every time zone. */
export interface QuarterSums {
  calls: number;
  tokensMeasured: number;
  tokensEstimated: number;
}

/** Sums of one client's server calls. */
export interface ClientSums {
  calls: number;
  tokensMeasured: number;
  tokensEstimated: number;
  /** When its newest entry began. */
  last: string;
}

export const QUARTER_MS = 900_000;

/** One row per entry, oldest first. */
export interface Columns {
  /** Byte at which the line begins. */
  readonly at: ArrayLike<number>;
  readonly tag: ArrayLike<number>;
  /** Index into `names`. */
  readonly name: ArrayLike<number>;
  /** 16 bits of a hash of the id. */
  readonly idHash: ArrayLike<number>;
  /** Distinct file names in lower case, those of one entry joined with blanks. */
  readonly names: readonly string[];
}

/** An index in memory that grows with its file. */
export class GrowingIndex {
  readonly tags: Tag[] = [];
  /** By number of the quarter since 1970. Entries without a valid time are in none. */
  readonly quarters = new Map<number, QuarterSums>();
  /** By name; null for clients without one. */
  readonly clients = new Map<string | null, ClientSums>();
  readonly columns = {
    at: [] as number[],
    tag: [] as number[],
    name: [] as number[],
    idHash: [] as number[],
    names: [] as string[],
  };
  readonly #tagNumbers = new Map<string, number>();
  readonly #nameNumbers = new Map<string, number>();

  get count(): number {
    return this.columns.at.length;
  }

  add(entry: LedgerEntry, at: number): void {
    const { columns } = this;
    columns.at.push(at);
    columns.tag.push(this.#tagOf(entry));
    columns.name.push(this.#nameOf(entry));
    columns.idHash.push(hashOfId(entry.id));
    this.#sum(entry);
    addToClient(this.clients, entry);
  }

  #tagOf({ server, client, outcome, tool, errorCode }: LedgerEntry): number {
    const key = JSON.stringify([server, client, outcome, tool, errorCode]);
    let number = this.#tagNumbers.get(key);
    if (number === undefined) {
      const words = [server, tool, client, errorCode].filter(Boolean).join(' ').toLowerCase();
      number = this.tags.push({ server, client, outcome, words, count: 0 }) - 1;
      this.#tagNumbers.set(key, number);
    }
    const tag = this.tags[number];
    if (tag) tag.count += 1;
    return number;
  }

  #nameOf({ paths }: LedgerEntry): number {
    const names = paths.map((each) => each.slice(Math.max(each.lastIndexOf('/'), each.lastIndexOf('\\')) + 1));
    const key = names.join(' ').toLowerCase();
    let number = this.#nameNumbers.get(key);
    if (number === undefined) {
      number = this.columns.names.push(key) - 1;
      this.#nameNumbers.set(key, number);
    }
    return number;
  }

  #sum({ time, kind, savings }: LedgerEntry): void {
    const quarter = Math.floor(Date.parse(time) / QUARTER_MS);
    if (Number.isNaN(quarter)) return;
    const sums = this.quarters.get(quarter) ?? { calls: 0, tokensMeasured: 0, tokensEstimated: 0 };
    this.quarters.set(quarter, sums);
    if (isServerCall(kind)) sums.calls += 1;
    for (const { method, count } of [savings.arguments, savings.answer]) {
      if (method === 'measured') sums.tokensMeasured += count;
      else sums.tokensEstimated += count;
    }
  }
}

export function addToClient(sums: Map<string | null, ClientSums>, { client, kind, time, savings }: LedgerEntry): void {
  const found = sums.get(client) ?? { calls: 0, tokensMeasured: 0, tokensEstimated: 0, last: time };
  sums.set(client, found);
  if (isServerCall(kind)) found.calls += 1;
  if (time > found.last) found.last = time;
  for (const { method, count } of [savings.arguments, savings.answer]) {
    if (method === 'measured') found.tokensMeasured += count;
    else found.tokensEstimated += count;
  }
}

/** FNV-1a, folded to 16 bits. */
export function hashOfId(id: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  return ((hash >>> 16) ^ hash) & 0xffff;
}
