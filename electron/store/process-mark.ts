/** Ids in file names that identify the process which wrote a file, to tell files left by a crash from work in progress. */
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import os from 'node:os';

export interface Surroundings {
  /** Boot id, where the system has one: process numbers are only valid for one boot. */
  boot?: string | undefined;
  /** Process namespace, where the system has one: a sandbox or container may have its own. */
  pidNamespace?: string | undefined;
}

let known: Surroundings | undefined;

/** proc(5): `/proc/sys/kernel/random/boot_id`, `/proc/self/ns/pid`. */
export function surroundings(): Surroundings {
  const read = (work: () => string) => {
    try {
      return work();
    } catch {
      return undefined;
    }
  };
  known ??=
    process.platform === 'linux'
      ? {
          boot: read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
          pidNamespace: read(() => readlinkSync('/proc/self/ns/pid')),
        }
      : {};
  return known;
}

/** Whether a process of this machine runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

const short = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);
let place: { machine: string; boot: string } | undefined;

function here() {
  const { boot = '', pidNamespace = '' } = surroundings();
  place ??= { machine: short(`${os.hostname()} ${pidNamespace}`), boot: short(boot) };
  return place;
}

/** Regular expression source that matches a mark in a name. */
export const MARK = '[0-9a-f]{16}-[0-9]{1,10}';

/** The mark of this process. */
export const processMark = (): string => `${here().machine}${here().boot}-${process.pid}`;

/** Whether the process of a mark certainly runs. */
export function isRunningMark(mark: string): boolean {
  const { machine, boot } = here();
  return mark.startsWith(machine + boot) && isAlive(pidOf(mark));
}

const pidOf = (mark: string): number => Number(mark.slice(mark.indexOf('-') + 1));

/** Whether the process of a mark has certainly ended. False if unknown: it belongs to another machine or container. */
export function hasEnded(mark: string): boolean {
  const { machine, boot } = here();
  if (!mark.startsWith(machine)) return false;
  return !mark.startsWith(machine + boot) || !isAlive(pidOf(mark));
}
