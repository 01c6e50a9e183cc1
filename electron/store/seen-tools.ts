/** Remembers which tools called themselves read-only when they were first seen; later claims are ignored. */
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { oneAtATime } from '../../shared/lib/one-at-a-time.ts';
import { writeFileAtomic } from './atomic-file.ts';
import { withFileLock } from './file-lock.ts';

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
        seen = merge({ ...seen, ...(await read(file)) }, server, entry, readOnly);
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

async function read(file: string): Promise<Seen> {
  try {
    return seenSchema.parse(JSON.parse(await readFile(file, 'utf8'))).servers;
  } catch {
    return {};
  }
}
