/** Receipts of batched calls: one append-only journal each, which shows after a crash what had been sent. */

import { appendFile, type FileHandle, mkdir, open, readdir, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { errnoOf, storeWriteFailed, syncDirectory } from './atomic-file.ts';
import { isHolder, isOld, isRunning, thisProcess, withFileLock } from './file-lock.ts';
import { linesFrom } from './ledger-files.ts';

/** Receipts kept; the oldest go first. */
const KEPT = 1_000;
/** How many more are tolerated before the oldest are deleted, so that not every call deletes some. */
const SLACK = 50;
/** Longer than a lock of a dead process can last. */
const LOCK_WAIT_MS = 15_000;

const range = z.tuple([z.int().nonnegative(), z.int().nonnegative()]).readonly();

const headSchema = z.object({
  receipt: z.literal(1),
  id: z.string(),
  /** The client it belongs to, as it is known in every run of the program. */
  owner: z.string(),
  client: z.string().nullable(),
  time: z.string(),
  server: z.string(),
  tool: z.string(),
  /** Hash of the content of the files. */
  sha256: z.string(),
  /** Hash of what else decides which records are sent, and with which arguments. */
  request: z.string(),
  /** Hash of the arguments beside the files. */
  args: z.string().optional(),
  paths: z.array(z.string()),
  records: z.int().nonnegative(),
  /** The records that the call was to send. */
  planned: z.array(range),
  batch: z.object({
    each: z.literal(true).optional(),
    size: z.int().positive().optional(),
    max_bytes: z.int().positive().optional(),
    concurrency: z.int().positive().optional(),
    on_error: z.enum(['stop', 'continue']).optional(),
  }),
});
export type ReceiptHead = z.infer<typeof headSchema>;

/**
 * `sent` is written before the first byte goes out; without an outcome behind it, the outcome is unknown. `doubtful` follows `accepted` where
 * the server's answer told of failures.
 */
const eventSchema = z.tuple([
  z.enum(['sent', 'accepted', 'refused', 'not_sent', 'unknown', 'doubtful']),
  z.int().nonnegative(),
  z.int().nonnegative(),
]);
export type ReceiptEvent = z.infer<typeof eventSchema>;

export interface StoredReceipt {
  head: ReceiptHead;
  /** In the order in which they happened. */
  events: ReceiptEvent[];
  /** Whether all of them were reported as interrupted. */
  noted: boolean;
}

export interface ReceiptJournal {
  /** Resolves once it is on disk, power cuts included. Throws FILE_WRITE_FAILED. */
  sent(first: number, last: number): Promise<void>;
  /** Throws FILE_WRITE_FAILED. */
  outcome(outcome: Exclude<ReceiptEvent[0], 'sent'>, first: number, last: number): Promise<void>;
}

export interface Receipts {
  /** Undefined for an id that no receipt has. */
  read(id: string): Promise<StoredReceipt | undefined>;
  /** Whether a call is writing it now, in this process or another. */
  isOpen(id: string): Promise<boolean>;
  /**
   * Runs `work` with the journal of a new receipt, or with that of the same id to add to it. Nobody else writes it meanwhile:
   * INVALID_REQUEST where somebody does. FILE_WRITE_FAILED, before `work` has begun. `entry` is the id that the call's ledger line will
   * have: until `listed`, the call counts as interrupted once this process has ended.
   */
  write<T>(
    head: ReceiptHead,
    how: 'new' | 'again',
    work: (journal: ReceiptJournal) => Promise<T>,
    entry?: string | undefined,
  ): Promise<T>;
  /** The call's ledger line is written. */
  listed(id: string): Promise<void>;
  /**
   * Reports each receipt whose call was interrupted by the end of its process, once over all processes. `entry`: the id of the ledger
   * line that the call may have got.
   */
  tellInterrupted(tell: (stored: StoredReceipt, entry: string | undefined) => Promise<void>): Promise<void>;
}

/** A line that is no event. */
const NOTED = JSON.stringify(['noted']);

const isId = (id: string): boolean => /^[0-9a-f]{8}$/.test(id);

export function openReceipts(directory: string): Receipts {
  const fileOf = (id: string) => path.join(directory, `${id}.jsonl`);
  const lockOf = (id: string) => path.join(directory, `${id}.lock`);
  /** Names the process and the ledger line of a call that is not in the ledger yet. */
  const unlistedOf = (id: string) => path.join(directory, `${id}.unlisted`);
  const writing = new Set<string>();

  async function read(id: string): Promise<StoredReceipt | undefined> {
    if (!isId(id)) return undefined;
    let handle: FileHandle;
    try {
      handle = await open(fileOf(id), 'r');
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return undefined;
      throw error;
    }
    try {
      let head: ReceiptHead | undefined;
      const events: ReceiptEvent[] = [];
      let noted = false;
      for await (const { line } of linesFrom(handle, 0)) {
        if (head === undefined) {
          head = parsed(line, headSchema);
          if (head === undefined) return undefined;
        } else {
          const event = parsed(line, eventSchema);
          if (event) events.push(event);
          noted = line === NOTED || (noted && event === undefined);
        }
      }
      return head && { head, events, noted };
    } finally {
      await handle.close();
    }
  }

  async function isOpen(id: string): Promise<boolean> {
    if (writing.has(id)) return true;
    if (!isId(id)) return false;
    const text = await readFile(lockOf(id), 'utf8').catch(() => undefined);
    if (text === undefined || (await isOld(lockOf(id)))) return false;
    const holder = parsed(text, z.unknown());
    // One that is just being written is held, too.
    return !isHolder(holder) || isRunning(holder) !== false;
  }

  async function noteUnlisted(id: string, entry: string): Promise<void> {
    await writeFile(unlistedOf(id), JSON.stringify({ ...thisProcess(), entry }), { mode: 0o600 }).catch((error: unknown) => {
      throw storeWriteFailed(unlistedOf(id), error);
    });
  }

  /** Undefined where nothing is noted. A note that is cut off is of a process that was killed while it wrote it. */
  async function readUnlisted(id: string): Promise<{ runs: boolean; entry: string | undefined } | undefined> {
    const text = await readFile(unlistedOf(id), 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    const holder = parsed(text, z.unknown());
    const runs = isHolder(holder) ? isRunning(holder) !== false : !(await isOld(unlistedOf(id)));
    return { runs, entry: parsed(text, z.object({ entry: z.string() }))?.entry };
  }

  async function makeRoom(): Promise<void> {
    const names = await readdir(directory);
    const journals = names.filter((name) => name.endsWith('.jsonl'));
    if (journals.length <= KEPT + SLACK) return;
    const aged = await Promise.all(
      journals.map(async (name) => ({
        name,
        time: (await stat(path.join(directory, name)).catch(() => undefined))?.mtimeMs ?? 0,
      })),
    );
    aged.sort((a, b) => a.time - b.time);
    for (const { name } of aged.slice(0, journals.length - KEPT)) {
      const id = path.basename(name, '.jsonl');
      if (await isOpen(id)) continue;
      await Promise.all([fileOf(id), lockOf(id), unlistedOf(id)].map((file) => unlink(file).catch(() => undefined)));
    }
  }

  return {
    read,
    isOpen,
    async write(head, how, work, entry) {
      const { id } = head;
      const busy = () =>
        new AppError('INVALID_REQUEST', say('receipt.running', { id }), { hint: say('receipt.running.hint', { id }) });
      if (writing.has(id)) throw busy();
      writing.add(id);
      try {
        await mkdir(directory, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
          throw storeWriteFailed(directory, error);
        });
        return await withFileLock(
          lockOf(id),
          async () => {
            const journal = await Journal.open(fileOf(id), how === 'new' ? head : undefined);
            try {
              if (entry !== undefined) await noteUnlisted(id, entry);
              if (how === 'new') {
                await syncDirectory(directory);
                await makeRoom().catch(() => undefined);
              }
              return await work(journal);
            } finally {
              await journal.close();
            }
          },
          { waitMs: LOCK_WAIT_MS, busy },
        );
      } finally {
        writing.delete(id);
      }
    },
    async listed(id) {
      await unlink(unlistedOf(id)).catch(() => undefined);
    },
    async tellInterrupted(tell) {
      const names = await readdir(directory).catch(() => []);
      const ids = new Set(names.flatMap((name) => /^([0-9a-f]{8})\.(?:lock|unlisted)$/.exec(name)?.[1] ?? []));
      if (ids.size === 0) return;
      // Not the receipts' own locks: they can be resumed meanwhile.
      await withFileLock(path.join(directory, 'interrupted.lock'), async () => {
        for (const id of ids) {
          if (await isOpen(id)) continue;
          const unlisted = await readUnlisted(id);
          if (unlisted?.runs) continue;
          const stored = await read(id);
          if (stored !== undefined && !stored.noted) {
            await tell(stored, unlisted?.entry);
            await appendFile(fileOf(id), `\n${NOTED}\n`);
          }
          await unlink(unlistedOf(id)).catch(() => undefined);
        }
      });
    },
  };
}

function parsed<T>(line: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** Pending lines are written together, and flushed together if one of them has to be on disk. */
class Journal implements ReceiptJournal {
  readonly #file: string;
  readonly #handle: FileHandle;
  #waiting: { text: string; flush: boolean }[] = [];
  #next: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();
  /** Whether the file may end in an incomplete line. */
  #torn = false;

  private constructor(file: string, handle: FileHandle) {
    this.#file = file;
    this.#handle = handle;
  }

  static async open(file: string, head: ReceiptHead | undefined): Promise<Journal> {
    try {
      const journal = new Journal(file, await open(file, head ? 'ax' : 'a', 0o600));
      // A line break ends an incomplete line left by a crash.
      await journal.#add(head ? JSON.stringify(head) : '', true);
      return journal;
    } catch (error) {
      throw error instanceof AppError ? error : storeWriteFailed(file, error);
    }
  }

  sent(first: number, last: number): Promise<void> {
    return this.#add(JSON.stringify(['sent', first, last]), true);
  }

  outcome(outcome: string, first: number, last: number): Promise<void> {
    return this.#add(JSON.stringify([outcome, first, last]), false);
  }

  async close(): Promise<void> {
    await this.#next?.catch(() => undefined);
    await this.#last.catch(() => undefined);
    await this.#handle.close();
  }

  #add(line: string, flush: boolean): Promise<void> {
    this.#waiting.push({ text: `${line}\n`, flush });
    this.#next ??= this.#last
      .catch(() => undefined)
      .then(() => {
        const lines = this.#waiting;
        this.#waiting = [];
        this.#next = undefined;
        this.#last = this.#write(lines);
        return this.#last;
      });
    return this.#next;
  }

  async #write(lines: readonly { text: string; flush: boolean }[]): Promise<void> {
    try {
      await this.#handle.appendFile(`${this.#torn ? '\n' : ''}${lines.map(({ text }) => text).join('')}`);
      this.#torn = false;
      if (lines.some(({ flush }) => flush)) await this.#handle.datasync();
    } catch (error) {
      this.#torn = true;
      throw storeWriteFailed(this.#file, error);
    }
  }
}
