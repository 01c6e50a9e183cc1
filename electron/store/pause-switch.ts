/**
 * Whether the user has paused Filebridge, shared by every process with the same data directory, since many agents start their own
 * server. A pause ends with the process that switched it on; some systems identify that process by its number only.
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

/** A sandbox that cannot see the process assumes that it runs; a pause on another machine does not count. */
const holds = (holder: Holder) => isRunning(holder) ?? holder.host === os.hostname();

/** Small and read once per call, so it is not watched. */
export function openPauseSwitch(directory: string, log: (line: string) => void): PauseSwitch {
  const file = path.join(directory, 'paused.json');
  const here = thisProcess();
  // If the file cannot be written, the pause applies to this process only.
  let unwritten = false;

  const holder = (): Holder | undefined => {
    // The file rarely exists, and checking costs less than an error.
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
