/**
 * Lines of calls that were answered and are not in the ledger yet: a file of this process's own, so that a call need not wait for the lock,
 * and a process that is killed loses none. Whoever opens the ledger next takes over what a process left behind.
 */
import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { readdir, readFile, unlink } from 'node:fs/promises';
import path from 'node:path';
import { isHolder, isOld, isRunning, thisProcess } from './file-lock.ts';

const journalName = /^calls-[0-9a-f]{16}\.waiting$/;

/** Works without other threads: here they would take a third of the time of a small call. */
export class LedgerJournal {
  /** Those kept, in order. */
  readonly lines: Buffer[] = [];
  readonly #file: string;
  readonly #descriptor: number;

  /** Begins a file in `directory`, which says whose it is. */
  constructor(directory: string) {
    const holder = thisProcess();
    this.#file = path.join(directory, `calls-${holder.nonce}.waiting`);
    this.#descriptor = openSync(this.#file, 'wx', 0o600);
    try {
      writeWhole(this.#descriptor, Buffer.from(`${JSON.stringify(holder)}\n`));
    } catch (error) {
      closeSync(this.#descriptor);
      unlinkSync(this.#file);
      throw error;
    }
  }

  /** After this the line outlives the process. One that cannot be written whole is not kept. */
  add(line: Buffer): void {
    writeWhole(this.#descriptor, line);
    this.lines.push(line);
  }

  /** `done`: its lines are in the ledger, and the file can go. */
  async end(done: boolean): Promise<void> {
    closeSync(this.#descriptor);
    if (done) await unlink(this.#file).catch(() => undefined);
  }
}

function writeWhole(descriptor: number, bytes: Buffer): void {
  if (writeSync(descriptor, bytes) < bytes.byteLength) {
    throw Object.assign(new Error('The write was cut short'), { code: 'ENOSPC' });
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
