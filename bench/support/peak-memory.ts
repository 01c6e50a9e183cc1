/** The most memory a process has had. */
import { readFileSync } from 'node:fs';

/** Peak resident set of a process in bytes; of others than this one on Linux only. */
export function peakMemory(pid: number | 'self' = 'self'): number {
  // getrusage's figure would hold that of the process it was forked from.
  if (process.platform === 'linux') {
    const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    if (kilobytes !== undefined) return Number(kilobytes) * 1024;
  }
  return pid === 'self' ? process.resourceUsage().maxRSS * 1024 : Number.NaN;
}
