/** Keeps calls that stopped half-way, with what is needed to go on with them after a restart. Readable by the user only. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { type StoppedCall, stoppedCallSchema } from '../../shared/model/call.ts';
import { errnoOf, writeFileAtomic } from './atomic-file.ts';
import { withFileLock } from './file-lock.ts';

/** Calls that are kept; the oldest go first. */
const KEPT = 20;
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** `request`: what is sent again, as the one who goes on with it wrote it. */
const keptSchema = z.object({ call: stoppedCallSchema, by: z.enum(['agent', 'person']), request: z.unknown() });
export type KeptCall = z.infer<typeof keptSchema>;

export interface StoppedCallsFile {
  /** The oldest first. */
  read(): Promise<KeptCall[]>;
  put(kept: KeptCall): Promise<void>;
  drop(receipt: string): Promise<void>;
}

/** Several processes write the file; each changes its own entries. Nothing throws: a file that cannot be written costs a card after the next start. */
export function openStoppedCalls(directory: string, log: (line: string) => void): StoppedCallsFile {
  const file = path.join(directory, 'stopped-calls.json');

  async function read(): Promise<KeptCall[]> {
    const text = await readFile(file, 'utf8').catch((error: unknown) => {
      if (errnoOf(error) !== 'ENOENT') log(`stopped calls cannot be read: ${error}`);
      return '[]';
    });
    let entries: unknown;
    try {
      entries = JSON.parse(text);
    } catch {
      log(`stopped calls cannot be read: ${file} is damaged`);
    }
    const isFresh = ({ endedAt }: StoppedCall) => Date.now() - Date.parse(endedAt) < KEPT_MS;
    return (Array.isArray(entries) ? entries : [])
      .flatMap((entry) => keptSchema.safeParse(entry).data ?? [])
      .filter(({ call }) => isFresh(call));
  }

  async function change(how: (kept: KeptCall[]) => KeptCall[]): Promise<void> {
    try {
      await withFileLock(`${file}.lock`, async () => {
        const before = await read();
        const after = how(before);
        if (JSON.stringify(after) !== JSON.stringify(before)) await writeFileAtomic(file, JSON.stringify(after));
      });
    } catch (error) {
      log(`stopped calls cannot be kept: ${error}`);
    }
  }

  const others = (kept: readonly KeptCall[], receipt: string) => kept.filter(({ call }) => call.receipt !== receipt);
  return {
    read,
    put: (kept) => change((before) => [...others(before, kept.call.receipt), kept].slice(-KEPT)),
    drop: (receipt) => change((before) => others(before, receipt)),
  };
}
