/**
 * What is remembered of servers' tools: their definitions as last acknowledged and the changes since, what they claimed when first seen, and
 * their texts when a person always allowed them.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { oneAtATime } from '../../shared/lib/one-at-a-time.ts';
import { writeFileAtomic } from './atomic-file.ts';
import { withFileLock } from './file-lock.ts';

/** Folder of the files in the data directory. */
export const SERVER_TOOLS = 'server-tools';

/** The parts of a definition that are compared. */
export const toolParts = ['title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;
const toolSchema = z.object({
  name: z.string(),
  title: z.unknown().optional(),
  description: z.unknown().optional(),
  inputSchema: z.unknown().optional(),
  outputSchema: z.unknown().optional(),
  annotations: z.unknown().optional(),
});
export type KnownTool = z.infer<typeof toolSchema>;
/** A definition as the server listed it. */
export type ListedTool = KnownTool & Record<string, unknown>;

const changeSchema = z.object({
  name: z.string(),
  /** Null for a tool that was added, or removed. */
  before: toolSchema.nullable(),
  after: toolSchema.nullable(),
  /** The server has taken the change back since. */
  past: z.boolean(),
});
export type ToolChange = z.infer<typeof changeSchema>;

const offerSchema = z.object({
  kind: z.enum(['prompt', 'resource', 'template']),
  key: z.string(),
  definition: z.record(z.string(), z.unknown()),
});
export type RememberedOffer = z.infer<typeof offerSchema>;

/** `known`: as first seen, or as acknowledged. Another entry is another server. */
const recordSchema = z.object({
  version: z.literal(1),
  server: z.string(),
  entry: z.string(),
  known: z.array(toolSchema),
  now: z.array(toolSchema),
  /** The whole last list; absent in files of older versions. */
  last: z.array(z.looseObject({ name: z.string() })).optional(),
  /** Its last known offers beside tools, and its instructions; absent if never listed. */
  offers: z.array(offerSchema).optional(),
  instructions: z.string().optional(),
  changes: z.array(changeSchema),
});
type ServerRecord = z.infer<typeof recordSchema>;
type Remembered = Pick<ServerRecord, 'offers' | 'instructions'>;

/** Maximum number of reverted changes that are kept: a server could produce new ones endlessly. */
const MAX_PAST = 100;

export interface ServerTools {
  /** Compares a server's tool list with the stored one. The first list is accepted. */
  note(server: string, entry: string, tools: readonly ListedTool[]): Promise<void>;
  /** The tools that the server listed last, in this run of the program or an earlier one. */
  last(server: string, entry: string): Promise<readonly ListedTool[] | undefined>;
  /** Keeps what a server offers beside its tools, or says of itself, with its tools. */
  remember(server: string, entry: string, what: Remembered): Promise<void>;
  /** The stored lists that have been loaded. */
  remembered(server: string, entry: string): Remembered;
  /** Changes that are not acknowledged yet. */
  changes(server: string, entry: string): readonly ToolChange[];
  /** Accepts the tools as they are, unless they changed since `revision` was shown. */
  acknowledge(server: string, entry: string, revision: string): Promise<boolean>;
  /** Reads what is on disk about these servers. */
  load(servers: readonly string[]): Promise<void>;
  /** Called when the number of changes to acknowledge changes. */
  onChange(listener: () => void): () => void;
  /** Resolves when everything noted is on disk. */
  settled(): Promise<void>;
}

export const revisionOf = (changes: readonly ToolChange[]): string => digest(JSON.stringify(changes));

/** Other processes may share the directory. What cannot be read is seen for the first time again; what cannot be written stays in memory. */
export function openServerTools(data: string, log: (line: string) => void): ServerTools {
  const directory = path.join(data, SERVER_TOOLS);
  const listeners = new Set<() => void>();
  const records = new Map<string, ServerRecord>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  const fileOf = (server: string) => path.join(directory, `${digest(server)}.json`);

  async function change(server: string, next: (before: ServerRecord | undefined) => ServerRecord | undefined): Promise<void> {
    const file = fileOf(server);
    const keep = (record: ServerRecord | undefined) => {
      if (record) records.set(server, record);
      return record;
    };
    try {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await withFileLock(`${file}.lock`, async () => {
        const before = (await readRecord(file, server)) ?? records.get(server);
        const after = keep(next(before));
        if (after && after !== before) await writeFileAtomic(file, `${JSON.stringify(after)}\n`);
      });
    } catch (error) {
      keep(next(records.get(server)));
      log(`the tools of '${server}' could not be kept: ${error}`);
    }
  }

  const inTurn = oneAtATime();
  /** Instructions and offers of servers whose tools are not known yet, by server and entry. */
  const early = new Map<string, Remembered>();
  const earlyKey = (server: string, entry: string) => JSON.stringify([server, entry]);

  return {
    note: (server, entry, tools) =>
      inTurn(async () => {
        const now = tools.map(partsOf);
        const held = records.get(server);
        const last = JSON.parse(JSON.stringify(tools)) as ListedTool[];
        const known = held?.entry === entry && isDeepStrictEqual(held.now, now) && isDeepStrictEqual(held.last, last);
        if (known && !early.has(earlyKey(server, entry))) return;
        const unseen = held?.entry === entry ? held.changes.length : 0;
        const said = early.get(earlyKey(server, entry));
        early.delete(earlyKey(server, entry));
        await change(server, (before) => ({ ...noted(before, server, entry, now), last, ...said }));
        if ((records.get(server)?.changes.length ?? 0) > 0 || unseen > 0) tell();
      }),
    async last(server, entry) {
      await inTurn(async () => undefined);
      const record = records.get(server);
      return record?.entry === entry ? record.last : undefined;
    },
    remember: (server, entry, what) =>
      inTurn(async () => {
        const held = records.get(server);
        if (held?.entry !== entry) {
          const key = earlyKey(server, entry);
          early.set(key, { ...early.get(key), ...what });
          return;
        }
        const plain = JSON.parse(JSON.stringify(what)) as Remembered;
        if (isDeepStrictEqual({ ...held, ...plain }, held)) return;
        await change(server, (before) => (before?.entry === entry ? { ...before, ...plain } : before));
      }),
    remembered(server, entry) {
      const record = records.get(server);
      const { offers, instructions } = { ...(record?.entry === entry ? record : {}), ...early.get(earlyKey(server, entry)) };
      return { ...(offers ? { offers } : {}), ...(instructions === undefined ? {} : { instructions }) };
    },
    changes(server, entry) {
      const record = records.get(server);
      return record?.entry === entry ? record.changes : [];
    },
    async acknowledge(server, entry, revision) {
      let done = false;
      await inTurn(() =>
        change(server, (before) => {
          if (before?.entry !== entry || revisionOf(before.changes) !== revision) return before;
          done = true;
          return { ...before, known: before.now, changes: [] };
        }),
      );
      tell();
      return done;
    },
    load: (servers) =>
      inTurn(async () => {
        for (const server of servers) {
          const record = await readRecord(fileOf(server), server);
          if (record) records.set(server, record);
        }
        if ([...records.values()].some(({ changes }) => changes.length > 0)) tell();
      }),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    settled: () => inTurn(async () => undefined),
  };
}

function noted(before: ServerRecord | undefined, server: string, entry: string, now: KnownTool[]): ServerRecord {
  if (before?.entry !== entry) return { version: 1, server, entry, known: now, now, changes: [] };
  if (isDeepStrictEqual(before.now, now)) return before;
  const found = differences(before.known, now);
  const names = new Set(found.map(({ name }) => name));
  // One that comes back as it was is nothing to look at; another definition that was there for a while is.
  const past = before.changes
    .filter(({ name, after }) => after !== null && !names.has(name))
    .slice(-MAX_PAST)
    .map((each) => ({ ...each, past: true }));
  return { ...before, now, changes: [...found, ...past] };
}

function differences(known: readonly KnownTool[], now: readonly KnownTool[]): ToolChange[] {
  const [was, is] = [known, now].map((tools) => new Map(tools.map((tool) => [tool.name, tool])));
  return [...new Set([...now, ...known].map(({ name }) => name))].flatMap((name) => {
    const [before = null, after = null] = [was?.get(name), is?.get(name)];
    return isDeepStrictEqual(before, after) ? [] : [{ name, before, after, past: false }];
  });
}

/** As it will be read again from JSON, so that two of them can be compared. The order of members has no meaning. */
function partsOf(tool: KnownTool): KnownTool {
  const parts = toolParts.flatMap((part) => (tool[part] === undefined ? [] : [[part, tool[part]] as const]));
  return JSON.parse(JSON.stringify({ name: tool.name, ...Object.fromEntries(parts) }));
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

async function readRecord(file: string, server: string): Promise<ServerRecord | undefined> {
  try {
    const record = recordSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    return record.server === server ? record : undefined;
  } catch {
    return undefined;
  }
}

// Which tools called themselves read-only when they were first seen; later claims are ignored.

/** By server: a hash of its entry, and its tools with what they claimed. Another entry is another server. */
const seenSchema = z.object({
  version: z.literal(1),
  servers: z.record(z.string(), z.object({ entry: z.string(), readOnly: z.record(z.string(), z.boolean()) })),
});
type Seen = z.infer<typeof seenSchema>['servers'];

export interface SeenTools {
  /** Adds unknown tools. The first claim stays. */
  note(server: string, entry: string, readOnly: Readonly<Record<string, boolean>>): Promise<void>;
  /** Whether the tool called itself read-only when it was first seen; false for one that never was. */
  readOnlyAtFirst(server: string, entry: string, tool: string): boolean;
}

/** Other processes may share the directory. What cannot be read is seen for the first time again; what cannot be written is kept in memory. */
export function openSeenTools(directory: string, log: (line: string) => void): SeenTools {
  const file = path.join(directory, 'seen-tools.json');
  let seen: Seen = {};
  const inTurn = oneAtATime();

  const knows = (server: string, entry: string, tools: readonly string[]) => {
    const known = own(seen, server);
    return known?.entry === entry && tools.every((tool) => own(known.readOnly, tool) !== undefined);
  };
  const merge = (before: Seen, server: string, entry: string, readOnly: Readonly<Record<string, boolean>>): Seen => {
    const known = own(before, server);
    const first = known?.entry === entry ? known.readOnly : {};
    return Object.fromEntries([
      ...Object.entries(before),
      [server, { entry, readOnly: Object.fromEntries([...Object.entries(readOnly), ...Object.entries(first)]) }],
    ]);
  };
  const keep = async (server: string, entry: string, readOnly: Readonly<Record<string, boolean>>): Promise<void> => {
    if (knows(server, entry, Object.keys(readOnly))) return;
    try {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await withFileLock(`${file}.lock`, async () => {
        seen = merge({ ...seen, ...(await readSeen(file)) }, server, entry, readOnly);
        await writeFileAtomic(file, `${JSON.stringify({ version: 1, servers: seen })}\n`);
      });
    } catch (error) {
      seen = merge(seen, server, entry, readOnly);
      log(`which tools of '${server}' only read could not be kept: ${error}`);
    }
  };

  return {
    note: (server, entry, readOnly) => inTurn(() => keep(server, entry, readOnly)),
    readOnlyAtFirst(server, entry, tool) {
      const known = own(seen, server);
      return known?.entry === entry && own(known.readOnly, tool) === true;
    },
  };
}

const own = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;

async function readSeen(file: string): Promise<Seen> {
  try {
    return seenSchema.parse(JSON.parse(await readFile(file, 'utf8'))).servers;
  } catch {
    return {};
  }
}

// Each tool's texts when a person always allowed it, so that a later change is shown with before and after.

/** Folder of the files in the data directory. */
export const ALLOWED_TOOLS = 'allowed-tools';

const text = z.string().nullable();
const allowedSchema = z.object({
  version: z.literal(1),
  server: z.string(),
  tool: z.string(),
  texts: z.object({ entry: text, description: text, inputSchema: text, outputSchema: text, annotations: text }),
});
type Texts = z.infer<typeof allowedSchema>['texts'];

export interface AllowedTools {
  /** Replaces what was kept of the tool. A failure is logged: the permission itself holds without it. */
  keep(server: string, tool: string, texts: Texts): Promise<void>;
  /** Undefined where nothing was kept, or it cannot be read. */
  read(server: string, tool: string): Promise<Texts | undefined>;
}

export function openAllowedTools(data: string, log: (line: string) => void): AllowedTools {
  const fileOf = (server: string, tool: string) =>
    path.join(data, ALLOWED_TOOLS, `${digest(JSON.stringify([server, tool]))}.json`);
  return {
    async keep(server, tool, texts) {
      const content = `${JSON.stringify({ version: 1, server, tool, texts })}\n`;
      await writeFileAtomic(fileOf(server, tool), content).catch((error: unknown) => {
        log(`what '${tool}' of '${server}' was when it was always allowed could not be kept: ${error}`);
      });
    },
    async read(server, tool) {
      try {
        const record = allowedSchema.parse(JSON.parse(await readFile(fileOf(server, tool), 'utf8')));
        return record.server === server && record.tool === tool ? record.texts : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
