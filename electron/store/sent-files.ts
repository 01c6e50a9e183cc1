/** Records which content was sent to which tool, to detect repetitions. Hashes and names only. */
import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { withFileLock } from './file-lock.ts';

/** Maximum size of a file in bytes; the previous file is kept too. */
const FILE_BYTES = 512 * 1024;
/** Times that are told of each content. */
const RECENT = 20;

const lineSchema = z.object({
  /** Hash of configuration, server target, tool and content. */
  key: z.string(),
  /** Id of the receipt. */
  id: z.string(),
  time: z.string(),
  owner: z.string(),
  client: z.string().nullable(),
  path: z.string(),
  /** `withdrawn`: the server accepted none of it. */
  state: z.enum(['sending', 'sent', 'withdrawn']),
});
type SentLine = z.infer<typeof lineSchema>;
/** While a call is `sending`, or if its process died or its answer was not heard, its outcome is unknown. */
export type SentFile = Omit<SentLine, 'key'>;

/** A tool as it is now: a server whose name, command, address or settings changed is another one. */
export interface SentTo {
  server: string;
  target: string;
  folder: string | null;
  /** Hash of its arguments, variables and headers: staging and production are not one. */
  settings: string;
  tool: string;
}

export interface SentFiles {
  /**
   * For each content, when it went to the tool by other receipts than `id`, the last time first. `before`: only what was noted before `id`
   * was, by which one of several calls that began together goes first.
   */
  recent(to: SentTo, hashes: readonly string[], id: string, before?: 'before'): Promise<SentFile[][]>;
  /** Before the first byte goes out, so that a crash does not lose it. */
  note(to: SentTo, files: readonly (SentFile & { sha256: string })[]): Promise<void>;
}

export function openSentFiles(directory: string, configuration: string): SentFiles {
  const file = path.join(directory, 'sent-files.jsonl');
  const older = path.join(directory, 'sent-files.1.jsonl');
  const keyOf = ({ server, target, folder, settings, tool }: SentTo, sha256: string) =>
    createHash('sha256')
      .update(JSON.stringify([configuration, server, target, folder, settings, tool, sha256]))
      .digest('hex')
      .slice(0, 32);

  async function makeRoom(): Promise<void> {
    if ((await sizeOf(file)) < FILE_BYTES) return;
    await withFileLock(path.join(directory, 'sent-files.lock'), async () => {
      if ((await sizeOf(file)) >= FILE_BYTES) await rename(file, older);
    });
  }

  return {
    async recent(to, hashes, id, before) {
      const texts = await Promise.all([older, file].map((each) => readFile(each).catch(() => Buffer.alloc(0))));
      return hashes.map((sha256) => {
        const key = keyOf(to, sha256);
        const byId = new Map<string, SentLine>();
        for (const line of texts.flatMap((text) => linesWith(text, key))) {
          const found = lineSchema.safeParse(line).data;
          if (found?.key !== key) continue;
          if (found.id === id && before) break;
          if (found.id === id) continue;
          byId.delete(found.id);
          if (found.state !== 'withdrawn') byId.set(found.id, found);
        }
        return [...byId.values()]
          .reverse()
          .slice(0, RECENT)
          .map(({ key: _, ...each }) => each);
      });
    },
    async note(to, files) {
      const lines = files.map(({ sha256, ...each }) => JSON.stringify({ key: keyOf(to, sha256), ...each }));
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await makeRoom();
      // The leading line break ends an incomplete line left by a crash.
      await appendFile(file, `\n${lines.join('\n')}\n`, { mode: 0o600 });
    },
  };
}

const sizeOf = async (file: string): Promise<number> => (await stat(file).catch(() => undefined))?.size ?? 0;

/** The parsed lines that hold the key. */
function linesWith(text: Buffer, key: string): unknown[] {
  const lines: unknown[] = [];
  for (let at = text.indexOf(key); at !== -1; at = text.indexOf(key, at + key.length)) {
    const start = text.lastIndexOf('\n', at) + 1;
    const end = text.indexOf('\n', at);
    try {
      lines.push(JSON.parse(text.toString('utf8', start, end === -1 ? text.length : end)));
    } catch {
      // An incomplete line left by a crash.
    }
  }
  return lines;
}
