/** Marks that files carry in their names: which process wrote them. So the next process tells what a crash left from work under way. */
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import os from 'node:os';

export interface Surroundings {
  /** Which start of the machine it belongs to, where the system tells: after another one its process numbers mean nothing. */
  boot?: string | undefined;
  /** Which process numbers it is counted among, where the system tells: a sandbox or container may have its own. */
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

/** The form of a mark, to be put into a regular expression that finds it in a name. */
export const MARK = '[0-9a-f]{16}-[0-9]{1,10}';

/** The mark of this process. */
export const processMark = (): string => `${here().machine}${here().boot}-${process.pid}`;

/** Whether the process of a mark has ended for certain. False where it cannot be told: it belongs to another machine or container. */
export function hasEnded(mark: string): boolean {
  const { machine, boot } = here();
  if (!mark.startsWith(machine)) return false;
  return !mark.startsWith(machine + boot) || !isAlive(Number(mark.slice(mark.indexOf('-') + 1)));
}
