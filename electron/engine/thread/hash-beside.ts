/** Takes a file's hash in the second thread while the first converts the file: nothing in a hash can be done by two. */
import { createHash } from 'node:crypto';
import { AppError } from '../../../shared/model/errors.ts';
import { type SecondTask, type SecondThread, STOP } from '../core/second-thread.ts';
import type { ByteSource, ReadNow } from '../core/source.ts';

export interface HashTask extends SecondTask {
  readonly kind: 'hash';
}

/** What the second thread tells. */
interface Hashed {
  readonly sha256: string;
  readonly bytes: number;
}

export interface HashBeside {
  /** Of the bytes as stored, in lower-case hex. */
  readonly sha256: Promise<string>;
  /** Leaves off; settles when nothing is read for it any more. */
  stop(): Promise<void>;
}

/** Less is hashed in no time. Bytes. */
const LEAST_BYTES = 8 * 1024 * 1024;
const CHUNK_BYTES = 512 * 1024;

/** Undefined where there is no second thread for it: then whoever reads the file hashes it as well. */
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
    // It read what is no longer the whole, or has died: reading here says what is wrong, if anything is.
    if (stopped) throw new AppError('CANCELLED', 'The hash is no longer wanted');
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

/** In the second thread. */
export function hashFile({ control }: HashTask, readNow: ReadNow, tell: (found: Hashed) => void): void {
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
