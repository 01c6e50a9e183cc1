/** The second thread's program: it works at one task from its beginning to its end, and hears of nothing else meanwhile. */
import type { MessagePort } from 'node:worker_threads';
import type { OpenElsewhere } from '../core/source.ts';
import { type ScanTask, scanAhead } from '../csv/csv-second-scan.ts';
import { type WriteTask, writeAhead } from '../csv/csv-second-write.ts';
import { type HashTask, hashFile } from './hash-beside.ts';

export type Task = ScanTask | WriteTask | HashTask;

/** What it tells: something found, or that a task has ended. */
export interface Told {
  readonly found?: unknown;
  readonly ended?: true;
}

export function serveTasks(port: MessagePort, open: OpenElsewhere): void {
  port.on('message', (task: Task) => {
    const tell = (found: unknown) => port.postMessage({ found } satisfies Told);
    try {
      const { readNow } = open(task.facts);
      if (task.kind === 'csv-scan') scanAhead(task, readNow, tell);
      else if (task.kind === 'hash') hashFile(task, readNow, tell);
      else writeAhead(task, readNow, tell);
    } catch {
      // Whatever it was, the first thread meets it too, and says so.
    }
    port.postMessage({ ended: true } satisfies Told);
  });
}
