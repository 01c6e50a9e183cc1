/** The ledger by position, filter and day: an index of where each line stands, kept up to date by reading only what was added. */
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { isServerCall, type LedgerEntry } from '../../shared/model/call.ts';
import { oneAtATime } from '../../shared/model/one-at-a-time.ts';
import { CURRENT, identify, linesFrom, openIfThere, parseEntry, rotatedFiles } from './ledger-files.ts';
import { dayOf } from './totals.ts';

/** Which entries pass; what is absent passes all. */
export interface LedgerFilter {
  /** Words, all of which stand in server, tool, client, file name or error code; case does not matter. */
  text?: string | undefined;
  outcomes?: readonly LedgerEntry['outcome'][] | undefined;
  servers?: readonly string[] | undefined;
  clients?: readonly string[] | undefined;
}

/** What was saved on one day of the user's time zone. */
export interface LedgerDay {
  /** YYYY-MM-DD. */
  day: string;
  calls: number;
  tokensMeasured: number;
  tokensEstimated: number;
}

export interface LedgerSearch {
  /** Entries that pass, newest first, and how many there are. */
  find(filter: LedgerFilter, offset: number, limit: number): Promise<{ entries: LedgerEntry[]; total: number }>;
  get(id: string): Promise<LedgerEntry | undefined>;
  /** One for each of the last days, today last. */
  days(count: number): Promise<LedgerDay[]>;
  names(): Promise<{ servers: string[]; clients: string[] }>;
}

/** One line of the ledger: where it stands, and what filters and sums ask for. */
interface Line {
  readonly id: string;
  readonly at: number;
  readonly bytes: number;
  readonly server: string | null;
  readonly client: string | null;
  readonly outcome: LedgerEntry['outcome'];
  /** Server, tool, client, file names and error code in lower case. */
  readonly words: string;
  readonly day: string;
  readonly isCall: boolean;
  readonly measured: number;
  readonly estimated: number;
}

interface IndexedFile {
  path: string;
  /** Bytes read so far. */
  read: number;
  readonly lines: Line[];
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
  /** By identity, oldest first. */
  let files = new Map<string, IndexedFile>();
  // Names repeat: kept once each.
  const interned = new Map<string, string>();
  const intern = (text: string) => {
    const known = interned.get(text);
    if (known !== undefined) return known;
    interned.set(text, text);
    return text;
  };

  const inTurn = oneAtATime();

  async function update(): Promise<void> {
    await written();
    const next = new Map<string, IndexedFile>();
    for (const file of [...(await rotatedFiles(directory)), path.join(directory, CURRENT)]) {
      const handle = await openIfThere(file);
      if (!handle) continue;
      try {
        const { id } = await identify(handle);
        // One that was rotated while we listed is met twice. One that shrank was written anew.
        const known = next.get(id) ?? files.get(id);
        const whole = known !== undefined && known.read <= (await handle.stat()).size;
        const indexed: IndexedFile = whole ? known : { path: file, read: 0, lines: [] };
        indexed.path = file;
        await readOn(handle, indexed);
        next.set(id, indexed);
      } finally {
        await handle.close();
      }
    }
    files = next;
  }

  async function readOn(handle: FileHandle, file: IndexedFile): Promise<void> {
    for await (const { line, end } of linesFrom(handle, file.read)) {
      const at = file.read;
      file.read = end;
      const entry = parseEntry(line);
      if (entry) file.lines.push(lineOf(entry, at, end - at));
    }
  }

  function lineOf(entry: LedgerEntry, at: number, bytes: number): Line {
    const { server, tool, client, errorCode, paths, savings } = entry;
    const tokens = (method: string) =>
      [savings.arguments, savings.answer].reduce((sum, each) => (each.method === method ? sum + each.count : sum), 0);
    const names = paths.map((each) => each.slice(Math.max(each.lastIndexOf('/'), each.lastIndexOf('\\')) + 1));
    return {
      id: entry.id,
      at,
      bytes,
      server: server && intern(server),
      client: client && intern(client),
      outcome: intern(entry.outcome) as LedgerEntry['outcome'],
      words: intern([server, tool, client, errorCode, ...names].filter(Boolean).join(' ').toLowerCase()),
      day: intern(dayOf(entry.time)),
      isCall: isServerCall(entry.kind),
      measured: tokens('measured'),
      estimated: tokens('estimated'),
    };
  }

  /** Every line with its file, newest first. */
  function* newestFirst(): Generator<{ file: IndexedFile; line: Line }> {
    for (const file of [...files.values()].reverse()) {
      for (let index = file.lines.length - 1; index >= 0; index -= 1) yield { file, line: file.lines[index] as Line };
    }
  }

  function look(passes: (line: Line) => boolean, offset: number, limit: number) {
    const wanted: { file: IndexedFile; line: Line }[] = [];
    let total = 0;
    for (const each of newestFirst()) {
      if (!passes(each.line)) continue;
      if (total >= offset && total < offset + limit) wanted.push(each);
      total += 1;
    }
    return { wanted, total };
  }

  /** The whole entries of some lines, in their order. A file that went meanwhile takes its lines along. */
  async function load(wanted: readonly { file: IndexedFile; line: Line }[]): Promise<LedgerEntry[]> {
    const handles = new Map<IndexedFile, FileHandle | undefined>();
    const entries: LedgerEntry[] = [];
    try {
      for (const { file, line } of wanted) {
        if (!handles.has(file)) handles.set(file, await openIfThere(file.path));
        const buffer = Buffer.alloc(line.bytes);
        await handles.get(file)?.read(buffer, 0, line.bytes, line.at);
        const entry = parseEntry(buffer.toString());
        // Between looking it up and reading it, another process may have rotated the file away.
        if (entry?.id === line.id) entries.push(entry);
      }
    } finally {
      for (const handle of handles.values()) await handle?.close();
    }
    return entries;
  }

  return {
    find: (filter, offset, limit) =>
      inTurn(async () => {
        const passes = compile(filter);
        for (let attempt = 1; ; attempt += 1) {
          await update();
          const { wanted, total } = look(passes, offset, limit);
          const entries = await load(wanted);
          if (entries.length === wanted.length || attempt === 2) return { entries, total };
        }
      }),
    get: (id) =>
      inTurn(async () => {
        await update();
        for (const each of newestFirst()) if (each.line.id === id) return (await load([each]))[0];
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
        for (const { line } of newestFirst()) {
          const day = days.get(line.day);
          if (!day) continue;
          day.calls += line.isCall ? 1 : 0;
          day.tokensMeasured += line.measured;
          day.tokensEstimated += line.estimated;
        }
        return [...days.values()];
      }),
    names: () =>
      inTurn(async () => {
        await update();
        const servers = new Set<string>();
        const clients = new Set<string>();
        for (const { line } of newestFirst()) {
          if (line.server !== null) servers.add(line.server);
          if (line.client !== null) clients.add(line.client);
        }
        return { servers: [...servers].sort(), clients: [...clients].sort() };
      }),
  };
}

function compile({ text, outcomes, servers, clients }: LedgerFilter): (line: Line) => boolean {
  const words = text?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
  const among = <T>(list: readonly T[] | undefined, value: T) => list === undefined || list.includes(value);
  return (line) =>
    among(outcomes, line.outcome) &&
    among<string | null>(servers, line.server) &&
    among<string | null>(clients, line.client) &&
    words.every((word) => line.words.includes(word));
}
