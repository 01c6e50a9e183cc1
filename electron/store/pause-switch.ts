/**
 * Whether the user has paused Filebridge: told to every process on the same data directory, since many agents start a server of their
 * own. It lasts no longer than the process in which it was switched on; the numbers of processes are all that some systems tell of that.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Holder, isHolder, isRunning, thisProcess } from './file-lock.ts';

export interface PauseSwitch {
  on(): boolean;
  set(on: boolean): void;
  /** Switches off what this process switched on. */
  close(): void;
}

/** A sandbox that cannot see the process has to take its word; another machine is not meant. */
const holds = (holder: Holder) => isRunning(holder) ?? holder.host === os.hostname();

/** Small, and asked once a call: read where it stands rather than watched. */
export function openPauseSwitch(directory: string, log: (line: string) => void): PauseSwitch {
  const file = path.join(directory, 'paused.json');
  const here = thisProcess();
  // Whoever pauses means it, even where nothing can be written: then it holds for this process alone.
  let unwritten = false;

  const holder = (): Holder | undefined => {
    // Hardly ever there, and an error costs more than the question.
    if (!existsSync(file)) return undefined;
    try {
      const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
      return isHolder(value) && holds(value) ? value : undefined;
    } catch {
      return undefined;
    }
  };
  const remove = () => {
    try {
      rmSync(file, { force: true });
    } catch (error) {
      log(`other processes may stay paused: ${error}`);
    }
  };

  return {
    on: () => unwritten || holder() !== undefined,
    set(on) {
      unwritten = false;
      if (!on) return remove();
      try {
        writeFileSync(file, JSON.stringify(here), { mode: 0o600 });
      } catch (error) {
        unwritten = true;
        log(`other processes cannot be paused: ${error}`);
      }
    },
    close() {
      unwritten = false;
      if (holder()?.nonce === here.nonce) remove();
    },
  };
}
