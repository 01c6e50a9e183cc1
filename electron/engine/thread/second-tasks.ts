/** The second thread's program: runs one task at a time to its end. Its own task is hashing a file while the first thread converts it. */

import { createHash } from 'node:crypto';
import type { MessagePort } from 'node:worker_threads';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { type ByteSource, type OpenElsewhere, type ReadNow, type SecondTask, type SecondThread, STOP } from '../core/source.ts';
import { type ScanTask, scanAhead } from '../csv/csv-parallel-scan.ts';
import { type WriteTask, writeAhead } from '../csv/csv-parallel-write.ts';

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

// Hashing a file, because a hash cannot be split.

interface HashTask extends SecondTask {
  readonly kind: 'hash';
}

/** Messages of the second thread. */
interface Hashed {
  readonly sha256: string;
  readonly bytes: number;
}

interface HashBeside {
  /** SHA-256 of the stored bytes, in lower-case hex. */
  readonly sha256: Promise<string>;
  /** Stops hashing; resolves when nothing is read for it any more. */
  stop(): Promise<void>;
}

/** Smaller files are hashed fast enough in the first thread. Bytes. */
const LEAST_BYTES = 8 * 1024 * 1024;
const CHUNK_BYTES = 512 * 1024;

/** Undefined if no second thread is available: then the reader of the file hashes it as well. */
export function hashBeside(source: ByteSource, second: SecondThread | undefined): HashBeside | undefined {
  const { elsewhere, size } = source;
  if (!second || !elsewhere || size < LEAST_BYTES) return undefined;
  const release = elsewhere.hold();
  let told: Hashed | undefined;
  let stopped = false;
  let over: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    over = resolve;
  });
  const task: HashTask = { kind: 'hash', facts: elsewhere.facts, control: new Int32Array(new SharedArrayBuffer(4)) };
  const run = second.begin(
    task,
    (found) => {
      told = found as Hashed;
    },
    over,
  );
  if (!run) {
    release();
    return undefined;
  }
  const sha256 = ended.then(async () => {
    release();
    // The second thread read a changed file or has died: reading in this thread reports any error.
    if (stopped) throw new AppError('CANCELLED', say('convert.notWanted'));
    return told?.bytes === size ? told.sha256 : await hashOf(source);
  });
  sha256.catch(() => undefined);
  return {
    sha256,
    stop() {
      stopped = true;
      return run.stop();
    },
  };
}

async function hashOf(source: ByteSource): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of source.read(undefined, { reuse: true })) hash.update(chunk);
  return hash.digest('hex');
}

/** Runs in the second thread. */
function hashFile({ control }: HashTask, readNow: ReadNow, tell: (found: Hashed) => void): void {
  const hash = createHash('sha256');
  const memory = new Uint8Array(CHUNK_BYTES);
  let bytes = 0;
  for (;;) {
    if (Atomics.load(control, STOP) !== 0) return;
    const read = readNow(memory, 0, CHUNK_BYTES, bytes);
    if (read === 0) break;
    hash.update(memory.subarray(0, read));
    bytes += read;
  }
  tell({ sha256: hash.digest('hex'), bytes });
}
