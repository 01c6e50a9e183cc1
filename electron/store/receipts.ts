/** Receipts of batched calls: one append-only journal each, which tells after a crash what had been sent. */
import { type FileHandle, mkdir, open, readdir, readFile, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { AppError } from '../../shared/model/errors.ts';
import { errnoOf, storeWriteFailed, syncDirectory } from './atomic-file.ts';
import { isHolder, isOld, isRunning, withFileLock } from './file-lock.ts';
import { linesFrom } from './ledger-files.ts';

/** Receipts kept; the oldest go first. */
const KEPT = 1_000;
/** How many more there may be before the oldest are deleted, so that not every call looks for them. */
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
  /** Of the content of the files. */
  sha256: z.string(),
  /** Hash of what else decides which records are sent, and with which arguments. */
  request: z.string(),
  paths: z.array(z.string()),
  records: z.int().nonnegative(),
  /** The records that the call was to send. */
  planned: z.array(range),
  batch: z.object({
    size: z.int().positive().optional(),
    max_bytes: z.int().positive().optional(),
    concurrency: z.int().positive().optional(),
    on_error: z.enum(['stop', 'continue']).optional(),
  }),
});
export type ReceiptHead = z.infer<typeof headSchema>;

/** `sent` is written before the first byte goes out; without an outcome behind it, the outcome is unknown. */
const eventSchema = z.tuple([
  z.enum(['sent', 'accepted', 'refused', 'not_sent', 'unknown']),
  z.int().nonnegative(),
  z.int().nonnegative(),
]);
export type ReceiptEvent = z.infer<typeof eventSchema>;

export interface StoredReceipt {
  head: ReceiptHead;
  /** In the order in which they happened. */
  events: ReceiptEvent[];
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
   * INVALID_REQUEST where somebody does. FILE_WRITE_FAILED, before `work` has begun.
   */
  write<T>(head: ReceiptHead, how: 'new' | 'again', work: (journal: ReceiptJournal) => Promise<T>): Promise<T>;
  /** Ids of the receipts whose call was interrupted by the end of its process. */
  interrupted(): Promise<string[]>;
  /** Marks a receipt as no longer interrupted; false where somebody else did. */
  settle(id: string): Promise<boolean>;
}

const isId = (id: string): boolean => /^[0-9a-f]{8}$/.test(id);

export function openReceipts(directory: string): Receipts {
  const fileOf = (id: string) => path.join(directory, `${id}.jsonl`);
  const lockOf = (id: string) => path.join(directory, `${id}.lock`);
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
      for await (const { line } of linesFrom(handle, 0)) {
        if (head === undefined) {
          head = parsed(line, headSchema);
          if (head === undefined) return undefined;
        } else {
          const event = parsed(line, eventSchema);
          if (event) events.push(event);
        }
      }
      return head && { head, events };
    } finally {
      await handle.close();
    }
  }

  async function isOpen(id: string): Promise<boolean> {
    if (writing.has(id)) return true;
    if (!isId(id)) return false;
    const holder = await readFile(lockOf(id), 'utf8').then(
      (text) => JSON.parse(text) as unknown,
      () => undefined,
    );
    return isHolder(holder) && isRunning(holder) !== false && !(await isOld(lockOf(id)));
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
    const idle = aged.filter(({ name }) => !names.includes(name.replace('.jsonl', '.lock'))).sort((a, b) => a.time - b.time);
    for (const { name } of idle.slice(0, journals.length - KEPT)) {
      await unlink(path.join(directory, name)).catch(() => undefined);
    }
  }

  return {
    read,
    isOpen,
    async write(head, how, work) {
      const { id } = head;
      const busy = () =>
        new AppError('INVALID_REQUEST', `The call of receipt '${id}' is still under way`, {
          hint: `Wait until it has ended, or end it with cancel_job; follow it with job_status {"job_id": "${id}"}`,
        });
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
    async interrupted() {
      const names = await readdir(directory).catch(() => []);
      const ids = names.flatMap((name) => /^([0-9a-f]{8})\.lock$/.exec(name)?.[1] ?? []);
      const open = await Promise.all(ids.map(isOpen));
      return ids.filter((_, index) => !open[index]);
    },
    settle: (id) =>
      unlink(lockOf(id)).then(
        () => true,
        () => false,
      ),
  };
}

function parsed<T>(line: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** Lines that wait are written together, and flushed together where one of them has to be on disk. */
class Journal implements ReceiptJournal {
  readonly #file: string;
  readonly #handle: FileHandle;
  #waiting: { text: string; flush: boolean }[] = [];
  #next: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();

  private constructor(file: string, handle: FileHandle) {
    this.#file = file;
    this.#handle = handle;
  }

  static async open(file: string, head: ReceiptHead | undefined): Promise<Journal> {
    try {
      const journal = new Journal(file, await open(file, head ? 'ax' : 'a', 0o600));
      // A crash may have left half a line, which an empty one ends.
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
      await this.#handle.appendFile(lines.map(({ text }) => text).join(''));
      if (lines.some(({ flush }) => flush)) await this.#handle.datasync();
    } catch (error) {
      throw storeWriteFailed(this.#file, error);
    }
  }
}
