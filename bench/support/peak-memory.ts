/** Peak memory of a process. */
import { readFileSync } from 'node:fs';

/** Peak resident set of a process in bytes; for other processes on Linux only. */
export function peakMemory(pid: number | 'self' = 'self'): number {
  // getrusage would include the process it was forked from.
  if (process.platform === 'linux') {
    const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    if (kilobytes !== undefined) return Number(kilobytes) * 1024;
  }
  return pid === 'self' ? process.resourceUsage().maxRSS * 1024 : Number.NaN;
}
