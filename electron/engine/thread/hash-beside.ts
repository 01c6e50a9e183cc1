/** Takes a file's hash in the thread that has it open, which has little else to do while another thread converts the file. */
import { createHash } from 'node:crypto';
import type { ByteSource } from '../source.ts';

export interface HashBeside {
  /** Of the bytes as stored, in lower-case hex. */
  readonly sha256: Promise<string>;
  /** Leaves off; nobody waits for it then. */
  stop(): void;
}

/** A fraction of a millisecond for each chunk, with a turn for others between them, since the next has to be read. */
export function hashBeside(source: ByteSource, signal: AbortSignal | undefined): HashBeside {
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  signal?.addEventListener('abort', stop, { once: true });
  const sha256 = hashOf(source, stopped.signal).finally(() => signal?.removeEventListener('abort', stop));
  // Told to whoever waits.
  sha256.catch(() => undefined);
  return { sha256, stop };
}

async function hashOf(source: ByteSource, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of source.read(signal, { reuse: true })) hash.update(chunk);
  return hash.digest('hex');
}
