/** A source that is read in another thread: its own thread reads and checks the file, the other gets the bytes. */
import { AppError } from '../../../shared/model/errors.ts';
import type { ByteSource } from '../source.ts';
import type { Channel } from './channel.ts';
import { type Handler, onStream, streamName } from './handlers.ts';

/** What the borrower gets to know of it. */
export interface LentSource {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  /** Whether it can be read from any place. */
  readonly seekable: boolean;
}

const readLent = streamName<{ source: number; offset: number | null }, Uint8Array>('source.read');

/** The sources that one thread lends to another. */
export class LentSources {
  private readonly sources = new Map<number, ByteSource>();
  private lastId = 0;

  readonly handlers: readonly Handler[] = [
    onStream(readLent, ({ source, offset }, signal) => {
      const lent = this.sources.get(source);
      if (lent === undefined) throw new AppError('INTERNAL', 'A source was read after it had been taken back');
      return offset === null || lent.readFrom === undefined ? lent.read(signal) : lent.readFrom(offset, signal);
    }),
  ];

  lend(source: ByteSource): LentSource {
    this.lastId += 1;
    this.sources.set(this.lastId, source);
    return { id: this.lastId, name: source.name, size: source.size, seekable: source.readFrom !== undefined };
  }

  /** Another source in the place of one that was taken back; its bytes are the same. */
  lendAgain({ id }: LentSource, source: ByteSource): void {
    this.sources.set(id, source);
  }

  takeBack({ id }: LentSource): void {
    this.sources.delete(id);
  }
}

/** The source as the other thread reads it, until `until` fires. */
export function borrowed(channel: Channel, { id, name, size, seekable }: LentSource, until: AbortSignal): ByteSource {
  const read = (offset: number | null, signal?: AbortSignal) =>
    channel.stream(readLent, { source: id, offset }, { signal, until });
  return {
    name,
    size,
    read: (signal) => read(null, signal),
    ...(seekable ? { readFrom: (offset: number, signal?: AbortSignal) => read(offset, signal) } : {}),
  };
}
