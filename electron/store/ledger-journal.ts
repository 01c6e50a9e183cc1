/**
 * Lines of calls that were answered and are not in the ledger yet: a file of this process's own, so that a call need not wait for the lock,
 * and a process that is killed loses none. Whoever opens the ledger next takes over what a process left behind.
 */
import { writeSync } from 'node:fs';
import { type FileHandle, open, readdir, readFile, unlink } from 'node:fs/promises';
import path from 'node:path';
import { isHolder, isOld, isRunning, thisProcess } from './file-lock.ts';

const journalName = /^calls-[0-9a-f]{16}\.waiting$/;

export class LedgerJournal {
  readonly #file: string;
  readonly #handle: Promise<FileHandle>;
  #writing: Promise<unknown>;
  #kept: Buffer[] = [];

  /** Begins a file in `directory`, which says whose it is. */
  constructor(directory: string) {
    const holder = thisProcess();
    this.#file = path.join(directory, `calls-${holder.nonce}.waiting`);
    this.#handle = open(this.#file, 'wx', 0o600).then(async (handle) => {
      await handle.write(`${JSON.stringify(holder)}\n`);
      return handle;
    });
    this.#writing = this.#handle.catch(() => undefined);
  }

  /** Resolves when the line outlives this process. A line that cannot be written whole is not kept. */
  add(line: Buffer): Promise<void> {
    const written = this.#writing.then(async () => {
      // A few microseconds, where another thread's time and back would be a third of what a small call costs.
      const bytesWritten = writeSync((await this.#handle).fd, line);
      if (bytesWritten < line.byteLength) throw Object.assign(new Error('The write was cut short'), { code: 'ENOSPC' });
      this.#kept.push(line);
    });
    this.#writing = written.catch(() => undefined);
    return written;
  }

  /** The lines kept, in order, once all that were added are written. */
  async lines(): Promise<Buffer[]> {
    await this.#writing;
    return this.#kept;
  }

  /** `done`: its lines are in the ledger, and the file can go. */
  async end(done: boolean): Promise<void> {
    await (await this.#handle.catch(() => undefined))?.close();
    if (done) await unlink(this.#file).catch(() => undefined);
  }
}

export interface LeftJournal {
  file: string;
  lines: string[];
}

/** What processes that no longer run left behind. A last line without its end was not kept. */
export async function leftJournals(directory: string): Promise<LeftJournal[]> {
  const left: LeftJournal[] = [];
  for (const name of await readdir(directory)) {
    if (!journalName.test(name)) continue;
    const file = path.join(directory, name);
    const [head, ...lines] = (await readFile(file, 'utf8').catch(() => '')).split('\n').slice(0, -1);
    // Without a head there is no line, and nobody of whom to ask whether they run.
    if (head === undefined ? await isOld(file) : hasEnded(head)) left.push({ file, lines });
  }
  return left;
}

function hasEnded(head: string): boolean {
  try {
    const holder: unknown = JSON.parse(head);
    return isHolder(holder) && isRunning(holder) === false;
  } catch {
    return false;
  }
}
