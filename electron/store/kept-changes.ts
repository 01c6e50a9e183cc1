/**
 * Changes that agents made with file tools, each with what is needed to undo it: a line of facts, and the content that was replaced. They
 * are kept for 30 days, and bounded in number and bytes; the oldest go first. Only the user can read them.
 */
import { mkdir, readdir, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { writeFileAtomic } from './atomic-file.ts';

const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const KEPT_CHANGES = 200;
const KEPT_BYTES = 512 * 1024 * 1024;
/** Larger content is replaced without being kept. */
export const MOST_KEPT_BYTES = 64 * 1024 * 1024;

/** By which a file is known to be as the change left it. Of a directory only the place on the disk counts. */
const fileStateSchema = z.object({ dev: z.number(), ino: z.number(), size: z.number(), mtimeMs: z.number() });
export type FileState = z.infer<typeof fileStateSchema>;

const changed = { path: z.string(), after: fileStateSchema };
const changeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('created'), ...changed }),
  z.object({ kind: z.literal('replaced'), before: fileStateSchema, ...changed }),
  z.object({ kind: z.literal('appended'), before: fileStateSchema, ...changed }),
  /** `path`: where it is now. */
  z.object({ kind: z.literal('moved'), from: z.string(), ...changed }),
  /** `path`: where it was. `file` is it in the trash, `record` the trash's note about it. */
  z.object({ kind: z.literal('trashed'), file: z.string(), record: z.string().nullable(), ...changed }),
]);
export type Change = z.infer<typeof changeSchema>;

const keptSchema = z.object({
  /** Id of its ledger entry. */
  id: z.string(),
  time: z.string(),
  /** The agent, also of a change that the person undid. */
  client: z.string().nullable(),
  /** Set where the person undid a change of that agent: undoing this one makes it again. */
  undone: z.literal(true).optional(),
  /** Id of the agent's call that it was, where the person undid it, or made it again. */
  call: z.string().optional(),
  change: changeSchema,
});
export type KeptChange = z.infer<typeof keptSchema>;

export interface KeptChanges {
  /** Keeps content that the change is about to replace. */
  keep(id: string, content: Uint8Array): Promise<void>;
  note(change: KeptChange): Promise<void>;
  /** The newest first. */
  list(): Promise<KeptChange[]>;
  content(id: string): Promise<Buffer>;
  /** Takes it off, its content too, once it is undone; changes before it that left the file as `before` says have left it as `now` says. */
  undone(id: string, now: FileState | undefined): Promise<void>;
}

export function openKeptChanges(data: string): KeptChanges {
  const directory = path.join(data, 'changes');
  const factsOf = (id: string) => path.join(directory, `${path.basename(id)}.json`);
  const contentOf = (id: string) => path.join(directory, `${path.basename(id)}.before`);

  async function read(id: string): Promise<KeptChange | undefined> {
    const text = await readFile(factsOf(id), 'utf8').catch(() => '');
    try {
      return keptSchema.parse(JSON.parse(text));
    } catch {
      return undefined;
    }
  }

  const ids = async () => [...new Set((await readdir(directory).catch(() => [])).map((name) => path.parse(name).name))];

  async function drop(id: string): Promise<void> {
    for (const file of [factsOf(id), contentOf(id)]) await unlink(file).catch(() => undefined);
  }

  async function list(): Promise<KeptChange[]> {
    const kept = await Promise.all((await ids()).map(read));
    return kept
      .filter((each) => each !== undefined)
      .filter(({ time }) => Date.now() - Date.parse(time) < KEPT_MS)
      .sort((a, b) => b.time.localeCompare(a.time));
  }

  /** Content without facts is of a change under way, or of one that failed: it goes with the others, by its age. */
  async function prune(): Promise<void> {
    const all = await Promise.all(
      (await ids()).map(async (id) => {
        const [facts, content] = await Promise.all([factsOf(id), contentOf(id)].map((file) => stat(file).catch(() => undefined)));
        return { id, bytes: content?.size ?? 0, mtimeMs: facts?.mtimeMs ?? content?.mtimeMs ?? 0 };
      }),
    );
    let bytes = 0;
    for (const [index, each] of all.sort((a, b) => b.mtimeMs - a.mtimeMs).entries()) {
      bytes += each.bytes;
      if (index >= KEPT_CHANGES || bytes > KEPT_BYTES || Date.now() - each.mtimeMs > KEPT_MS) await drop(each.id);
    }
  }

  const write = (kept: KeptChange) => writeFileAtomic(factsOf(kept.id), JSON.stringify(kept));

  return {
    async keep(id, content) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await writeFile(contentOf(id), content, { mode: 0o600 });
    },
    async note(change) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await write(change);
      await prune();
    },
    list,
    content: (id) => readFile(contentOf(id)),
    async undone(id, now) {
      const undone = (await read(id))?.change;
      await drop(id);
      if (now === undefined || undone === undefined || !('before' in undone)) return;
      for (const kept of await list()) {
        if (isState(kept.change.after, undone.before)) await write({ ...kept, change: { ...kept.change, after: now } });
      }
    },
  };
}

export const isState = (a: FileState, b: FileState): boolean =>
  a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs;
