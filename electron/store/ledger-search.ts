/** The ledger by position, filter and day: an index per file, loaded where the file is compressed, else built by reading what was added. */
import path from 'node:path';
import { oneAtATime } from '../../shared/lib/one-at-a-time.ts';
import type { LedgerEntry } from '../../shared/model/call.ts';
import { CURRENT, identify, linesFrom, openIfThere, parseEntry, rotatedNames, SEALED } from './ledger-files.ts';
import { compileFilter, type LedgerFilter, type RowFilter } from './ledger-filter.ts';
import {
  addToClient,
  type ClientSums,
  type Columns,
  GrowingIndex,
  hashOfId,
  QUARTER_MS,
  type QuarterSums,
  type Tag,
} from './ledger-index.ts';
import { type LedgerFile, openSegment, type Segment, SegmentDamaged } from './ledger-segment.ts';
import { dayOf } from './totals.ts';

export type { LedgerFilter } from './ledger-filter.ts';

/** Savings of one day in the user's time zone. */
export interface LedgerDay {
  /** YYYY-MM-DD. */
  day: string;
  calls: number;
  tokensMeasured: number;
  tokensEstimated: number;
}

/** Totals of one client over the whole ledger. */
export interface LedgerClient extends ClientSums {
  client: string;
}

export interface Found {
  entries: LedgerEntry[];
  total: number;
  /** Older entries are not indexed yet: the next question finds more. */
  more: boolean;
}

export interface LedgerSearch {
  /** Entries that pass, newest first, and how many there are. */
  find(filter: LedgerFilter, offset: number, limit: number): Promise<Found>;
  /** All entries that pass, newest first, however long indexing them takes. */
  all(filter: LedgerFilter): Promise<LedgerEntry[]>;
  get(id: string): Promise<LedgerEntry | undefined>;
  /** One for each of the last days, today last. */
  days(count: number): Promise<LedgerDay[]>;
  /** Sums of each client with a name. */
  clients(): Promise<LedgerClient[]>;
  names(): Promise<{ servers: string[]; clients: string[] }>;
}

/** Bytes of files not yet compressed that one question indexes, beside the current file. */
const BYTES_PER_QUESTION = 16 * 1024 * 1024;
/** Compressed files opened at a time. */
const OPENED_AT_ONCE = 16;

/** Enough for most lines. */
const LINE_BYTES = 2048;

interface IndexedFile {
  path: string;
  readonly id: string;
  /** Bytes read so far; undefined for a compressed file. */
  read?: number;
  /** Its newest lines are not indexed yet: it would leave a gap among the rows, so it shows none. */
  partial?: boolean;
  readonly tags: readonly Tag[];
  readonly quarters: ReadonlyMap<number, QuarterSums>;
  /** Read once for a file that was compressed by an older version. */
  clients(): Promise<ReadonlyMap<string | null, ClientSums>>;
  columns(): Promise<Columns>;
  readonly growing?: GrowingIndex;
}

interface Row {
  file: IndexedFile;
  at: number;
}

/**
 * Searches the ledger in a directory; nothing is read before the first question. `written` waits until this process has no line left to
 * write.
 */
export function openLedgerSearch(
  directory: string,
  now: () => Date = () => new Date(),
  written: () => Promise<void> = async () => undefined,
): LedgerSearch {
  /** Newest first. */
  let files: IndexedFile[] = [];
  let more = false;
  /** How many rows of compressed files pass the filter asked for last. */
  let counted = { filter: '', counts: new Map<IndexedFile, number>() };
  const inTurn = oneAtATime();

  async function update(bytes = BYTES_PER_QUESTION): Promise<void> {
    await written();
    const known = new Map(files.map((file) => [file.id, file]));
    const knownSealed = new Map(files.filter(({ read }) => read === undefined).map((file) => [file.path, file]));
    const next = new Map<string, IndexedFile>();
    let left = bytes;
    more = false;
    // The current file is opened before the others are listed: one rotated in between is met twice, never missed.
    const current = await indexPlain(path.join(directory, CURRENT), known, Number.MAX_SAFE_INTEGER);
    if (current) next.set(current.id, current);
    const names = (await rotatedNames(directory)).reverse();
    const sealed = await openedSealed(
      names.flatMap(({ file, sealed }) => (sealed ? [file] : [])),
      knownSealed,
    );
    for (const { file } of names) {
      let found = sealed.get(file);
      if (!found && !more) {
        const before = [...known.values()].find((each) => each.path === file)?.read ?? 0;
        found = await indexPlain(file, known, left);
        left -= (found?.read ?? 0) - before;
        more = left <= 0;
      } else if (!found) found = [...known.values()].find((each) => each.path === file);
      if (found) next.set(found.id, found);
    }
    files = [...next.values()];
  }

  /** Compressed files do not change: each is opened once. */
  async function openedSealed(
    paths: readonly string[],
    known: ReadonlyMap<string, IndexedFile>,
  ): Promise<Map<string, IndexedFile>> {
    const opened = new Map<string, IndexedFile>();
    const unknown = paths.filter((file) => {
      const before = known.get(file);
      if (before) opened.set(file, before);
      return before === undefined;
    });
    for (let from = 0; from < unknown.length; from += OPENED_AT_ONCE) {
      const group = unknown.slice(from, from + OPENED_AT_ONCE);
      for (const file of await Promise.all(group.map(indexSealed))) if (file) opened.set(file.path, file);
    }
    return opened;
  }

  /** Reads on to the end, or until `most` bytes were read and then no further. */
  async function indexPlain(
    file: string,
    known: ReadonlyMap<string, IndexedFile>,
    most: number,
  ): Promise<IndexedFile | undefined> {
    const handle = await openIfThere(file);
    if (!handle) return undefined;
    try {
      const { id } = await identify(handle);
      const before = known.get(id);
      // One that shrank was written anew.
      const whole = before?.read !== undefined && before.read <= (await handle.size());
      const indexed = whole ? before : growingFile(file, id);
      indexed.path = file;
      const begin = indexed.read ?? 0;
      indexed.partial = false;
      for await (const { line, end } of linesFrom(handle, begin)) {
        const at = indexed.read ?? 0;
        indexed.read = end;
        const entry = parseEntry(line);
        if (entry) indexed.growing?.add(entry, at);
        if (end - begin < most) continue;
        indexed.partial = true;
        break;
      }
      return indexed;
    } finally {
      await handle.close();
    }
  }

  const shown = () => files.filter(({ partial }) => partial !== true);

  async function passing(file: IndexedFile, filter: RowFilter, key: string): Promise<number> {
    if (counted.filter !== key) counted = { filter: key, counts: new Map() };
    const known = counted.counts.get(file);
    if (known !== undefined) return known;
    const count = await filter.count(file.tags, file.columns);
    if (file.read === undefined) counted.counts.set(file, count);
    return count;
  }

  async function look(filter: LedgerFilter, offset: number, limit: number): Promise<{ rows: Row[]; total: number }> {
    const compiled = compileFilter(filter);
    const key = JSON.stringify(filter);
    const rows: Row[] = [];
    let total = 0;
    for (const file of shown()) {
      const count = await passing(file, compiled, key);
      // The first of the file's rows that is asked for, counted from its newest.
      const first = Math.max(0, offset - total);
      const wanted = Math.min(count - first, offset + limit - total - first);
      if (wanted > 0) {
        const columns = await file.columns();
        for (const row of compiled.rows(file.tags, columns, first, wanted)) rows.push({ file, at: columns.at[row] ?? 0 });
      }
      total += count;
    }
    return { rows, total };
  }

  /** The entries of some rows, in their order. A file that was removed meanwhile takes its rows along. */
  async function load(rows: readonly Row[]): Promise<LedgerEntry[]> {
    const handles = new Map<IndexedFile, LedgerFile | undefined>();
    const entries: LedgerEntry[] = [];
    try {
      for (const { file, at } of rows) {
        if (!handles.has(file)) handles.set(file, await openSame(file));
        const entry = await entryAt(handles.get(file), at);
        if (entry) entries.push(entry);
      }
    } finally {
      for (const handle of handles.values()) await handle?.close();
    }
    return entries;
  }

  async function findIn(filter: LedgerFilter, offset: number, limit: number, bytes?: number): Promise<Found> {
    for (let attempt = 1; ; attempt += 1) {
      await update(bytes);
      const { rows, total } = await look(filter, offset, limit);
      const entries = await load(rows);
      // Between finding and reading, another process may have rotated or removed a file.
      if (entries.length === rows.length || attempt === 2) return { entries, total, more };
    }
  }

  return {
    find: (filter, offset, limit) => inTurn(() => findIn(filter, offset, limit)),
    all: (filter) => inTurn(async () => (await findIn(filter, 0, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)).entries),
    get: (id) =>
      inTurn(async () => {
        await update();
        const hash = hashOfId(id);
        for (const file of shown()) {
          const { at, idHash } = await file.columns();
          const rows: Row[] = [];
          for (let row = 0; row < idHash.length; row += 1) if (idHash[row] === hash) rows.push({ file, at: at[row] ?? 0 });
          const entry = (await load(rows)).find((each) => each.id === id);
          if (entry) return entry;
        }
        return undefined;
      }),
    days: (count) =>
      inTurn(async () => {
        await update();
        const today = now();
        const days = new Map<string, LedgerDay>();
        for (let back = count - 1; back >= 0; back -= 1) {
          const day = dayOf(new Date(today.getFullYear(), today.getMonth(), today.getDate() - back));
          days.set(day, { day, calls: 0, tokensMeasured: 0, tokensEstimated: 0 });
        }
        for (const { quarters } of shown()) {
          for (const [quarter, sums] of quarters) {
            const day = days.get(dayOf(new Date(quarter * QUARTER_MS)));
            if (!day) continue;
            day.calls += sums.calls;
            day.tokensMeasured += sums.tokensMeasured;
            day.tokensEstimated += sums.tokensEstimated;
          }
        }
        return [...days.values()];
      }),
    clients: () =>
      inTurn(async () => {
        // Sums of a part would be wrong.
        await update(Number.MAX_SAFE_INTEGER);
        const all = new Map<string, LedgerClient>();
        for (const file of shown()) {
          for (const [client, sums] of await file.clients()) {
            if (client === null) continue;
            const found = all.get(client);
            all.set(client, {
              client,
              calls: (found?.calls ?? 0) + sums.calls,
              tokensMeasured: (found?.tokensMeasured ?? 0) + sums.tokensMeasured,
              tokensEstimated: (found?.tokensEstimated ?? 0) + sums.tokensEstimated,
              last: found !== undefined && found.last > sums.last ? found.last : sums.last,
            });
          }
        }
        return [...all.values()];
      }),
    names: () =>
      inTurn(async () => {
        await update();
        const tags = shown().flatMap((file) => file.tags);
        const distinct = (names: (string | null)[]) => [...new Set(names.filter((name) => name !== null))].sort();
        return { servers: distinct(tags.map(({ server }) => server)), clients: distinct(tags.map(({ client }) => client)) };
      }),
  };
}

function growingFile(file: string, id: string): IndexedFile {
  const growing = new GrowingIndex();
  return {
    path: file,
    id,
    read: 0,
    growing,
    tags: growing.tags,
    quarters: growing.quarters,
    clients: async () => growing.clients,
    columns: async () => growing.columns,
  };
}

/** Undefined for one that is damaged or gone. */
async function indexSealed(file: string): Promise<IndexedFile | undefined> {
  const segment = await openSegment(file + SEALED).catch(() => undefined);
  if (!segment) return undefined;
  const { id, meta } = segment;
  await segment.close();
  let columns: Promise<Columns> | undefined;
  let clients: Promise<ReadonlyMap<string | null, ClientSums>> | undefined;
  return {
    path: file,
    id,
    tags: meta.tags.map(([server, client, outcome, words, count]) => ({ server, client, outcome, words, count })),
    quarters: new Map(
      meta.quarters.map(([quarter, calls, tokensMeasured, tokensEstimated]) => [
        quarter,
        { calls, tokensMeasured, tokensEstimated },
      ]),
    ),
    clients: () => {
      clients ??= meta.clients ? Promise.resolve(clientsIn(meta.clients)) : clientsOf(file + SEALED);
      return clients;
    },
    columns: () => {
      columns ??= columnsOf(file + SEALED);
      return columns;
    },
  };
}

const clientsIn = (rows: NonNullable<Segment['meta']['clients']>): ReadonlyMap<string | null, ClientSums> =>
  new Map(
    rows.map(([client, calls, tokensMeasured, tokensEstimated, last]) => [
      client,
      { calls, tokensMeasured, tokensEstimated, last },
    ]),
  );

/** From the entries themselves. What is damaged or gone has none. */
async function clientsOf(file: string): Promise<ReadonlyMap<string | null, ClientSums>> {
  const sums = new Map<string | null, ClientSums>();
  const segment = await openSegment(file).catch(() => undefined);
  if (!segment) return sums;
  try {
    for await (const { line } of linesFrom(segment, 0)) {
      const entry = parseEntry(line);
      if (entry) addToClient(sums, entry);
    }
  } catch (error) {
    if (!(error instanceof SegmentDamaged)) throw error;
  } finally {
    await segment.close();
  }
  return sums;
}

const noColumns: Columns = { at: [], tag: [], name: [], idHash: [], names: [] };

/** Damaged columns show no rows. */
async function columnsOf(file: string): Promise<Columns> {
  const segment = await openSegment(file).catch(() => undefined);
  try {
    return (await segment?.columns()) ?? noColumns;
  } catch (error) {
    if (error instanceof SegmentDamaged) return noColumns;
    throw error;
  } finally {
    await segment?.close();
  }
}

/** The indexed file under its current name and form; undefined if it was deleted. */
async function openSame({ path: file, id }: IndexedFile): Promise<LedgerFile | undefined> {
  const handle = await openIfThere(file);
  if (handle === undefined || (await identify(handle)).id === id) return handle;
  await handle.close();
  return undefined;
}

async function entryAt(handle: LedgerFile | undefined, at: number): Promise<LedgerEntry | undefined> {
  if (handle === undefined) return undefined;
  for await (const { line } of linesFrom(handle, at, LINE_BYTES)) return parseEntry(line);
  return undefined;
}
