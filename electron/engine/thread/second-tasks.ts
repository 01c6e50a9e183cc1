/** The second thread's program: runs one task at a time to its end. */
import type { MessagePort } from 'node:worker_threads';
import type { OpenElsewhere } from '../core/source.ts';
import { type ScanTask, scanAhead } from '../csv/csv-parallel-scan.ts';
import { type WriteTask, writeAhead } from '../csv/csv-parallel-write.ts';
import { type HashTask, hashFile } from './hash-beside.ts';

type Task = ScanTask | WriteTask | HashTask;

/** Its messages: a result, or the end of a task. */
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
      // The first thread meets the same error and reports it.
    }
    port.postMessage({ ended: true } satisfies Told);
  });
}
