/**
 * Journal of ledger lines that are not in the ledger yet: one file per process, so that a call does not wait for the lock,
 * and a killed process loses none. The next process that opens the ledger takes over the journals of ended processes.
 */
import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { readdir, readFile, unlink } from 'node:fs/promises';
import path from 'node:path';
import { isHolder, isOld, isRunning, thisProcess } from './file-lock.ts';

const journalName = /^calls-[0-9a-f]{16}\.waiting$/;

/** Uses synchronous calls: the thread pool would take a third of the time of a small call. */
export class LedgerJournal {
  /** Kept lines, in order. */
  readonly lines: Buffer[] = [];
  readonly #file: string;
  readonly #descriptor: number;

  /** Begins a journal in `directory`; its head names this process. */
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

  /** Writes a line so that it survives the process. A partially written line is dropped. */
  add(line: Buffer): void {
    writeWhole(this.#descriptor, line);
    this.lines.push(line);
  }

  /** `done`: its lines are in the ledger, and the file can be removed. */
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

/** Journals of processes that have ended. An incomplete last line is ignored. */
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
